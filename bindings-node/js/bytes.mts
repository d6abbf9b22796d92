// Bytes in, text out: what is accepted as bytes, and how parts of it become strings.

import { invalidType, WirelineError } from './errors.mjs'

interface Slices {
  utf8Slice(from: number, to: number): string
  latin1Slice(from: number, to: number): string
}

const node = typeof Buffer === 'function' ? (Buffer.prototype as unknown as Slices) : undefined
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** Text out of bytes that are known to be UTF-8. */
export const utf8: (bytes: Uint8Array, from: number, to: number) => string =
  node?.utf8Slice !== undefined
    ? (bytes, from, to) => node.utf8Slice.call(bytes, from, to)
    : (bytes, from, to) => decoder.decode(bytes.subarray(from, to))

/** Bytes of a text, in UTF-8. */
export function encode(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Memory whose contents are about to be written. */
export const allocate: (length: number) => Uint8Array =
  node !== undefined ? (length) => Buffer.allocUnsafeSlow(length) : (length) => new Uint8Array(length)

function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    new Uint8Array(buffer)
    return false
  } catch {
    return true
  }
}

/**
 * Checks that a value is bytes that stay as they are while they are read.
 *
 * @throws TypeError for anything but a `Uint8Array`; {@link WirelineError} for one over shared or detached memory.
 */
export function bytes(value: unknown, name: string): Uint8Array {
  if (!ArrayBuffer.isView(value) || Object.prototype.toString.call(value) !== '[object Uint8Array]') {
    throw invalidType(name, 'a Uint8Array or a Buffer', value)
  }
  const found = value as Uint8Array
  const { buffer } = found
  if (Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]') {
    throw new WirelineError(
      'ERR_WIRELINE_SHARED_MEMORY',
      `'${name}' is a view of a SharedArrayBuffer, whose bytes may change while they are read: pass a copy of it`
    )
  }
  if (found.length === 0 && isDetached(buffer)) {
    throw new WirelineError(
      'ERR_WIRELINE_DETACHED',
      `'${name}' is a view of memory that was detached (transferred to another thread, for one): pass what is still there`
    )
  }
  return found
}
