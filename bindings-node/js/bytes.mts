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

/** Has no other thread take memory over that several messages are views of; only Node can be told so. */
export const keep: (buffer: ArrayBufferLike) => void = (() => {
  try {
    const threads = (globalThis as { process?: NodeJS.Process }).process?.getBuiltinModule?.('node:worker_threads')
    const mark = threads?.markAsUntransferable
    // Other runtimes have a part of Node, and functions that only throw.
    mark?.(new ArrayBuffer(1))
    if (typeof mark === 'function') return mark
  } catch {
    // Nothing can be said there.
  }
  return () => {}
})()

/**
 * Bytes that were not empty, if they are still there.
 *
 * @throws {@link WirelineError} with `ERR_WIRELINE_DETACHED` if their memory was handed to somebody else meanwhile.
 */
export function held(bytes: Uint8Array): Uint8Array {
  if (bytes.length > 0) return bytes
  throw new WirelineError(
    'ERR_WIRELINE_DETACHED',
    'the memory that this message is a view of was detached (transferred to another thread, for one): transfer that of a message on which detach() was called'
  )
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
