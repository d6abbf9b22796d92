// Where there is no native addon: the same functions out of a WebAssembly module that is part of this file's package.

import { base64 } from './base64.mjs'
import { Instance } from './instance.mjs'
import { nativeOver, type Native } from './native.mjs'

let given: WebAssembly.Module | undefined
let started = false

/** The bytes of the module. */
export function moduleBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Has the instance made of this module, if there is none yet. */
export function give(module: WebAssembly.Module): void {
  if (!started) given = module
}

const native: Native = nativeOver(() => {
  started = true
  return new Instance(given ?? new WebAssembly.Module(moduleBytes()))
})

export default native
