// Text out of bytes of any length.

import { utf8 } from './bytes.mjs'
import { mended } from './errors.mjs'
import native from '#native'

/** From here on a call into the native part is the smaller price. */
const LONG = 512

/** As `utf8`, for text that may be long: the engine is slow with what is not all ASCII. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  const { text } = native
  return to - from >= LONG && text !== undefined ? mended(() => text(bytes, from, to - from)) : utf8(bytes, from, to)
}
