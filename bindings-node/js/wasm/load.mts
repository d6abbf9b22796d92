// The functions of the native addon over a WebAssembly module that stands in the package's own text: so that there is
// nothing to be fetched, read or configured.

import { base64 } from './base64.mjs'
import { fallBackTo, native } from './lazy.mjs'

/** The bytes of the module. */
export function moduleBytes(): Uint8Array<ArrayBuffer> {
  const characters = atob(base64)
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at)
  return bytes
}

fallBackTo(() => new WebAssembly.Module(moduleBytes()))

export default native
