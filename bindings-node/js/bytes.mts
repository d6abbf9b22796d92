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

/** What typed arrays say of themselves, whatever a class derived from them says in its place. */
const own = (name: 'buffer' | 'byteOffset' | 'length' | typeof Symbol.toStringTag): ((this: unknown) => unknown) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!.get!
const tagOf = own(Symbol.toStringTag)
const bufferOf = own('buffer')
const offsetOf = own('byteOffset')
const lengthOf = own('length')
const lengthOfBuffer = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')!.get!
const { at } = Uint8Array.prototype

/** Whether a function throws. */
function fails(run: () => unknown): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}

/** Whether the memory of a view was detached, or has shrunk so that the view lies outside of it: its length is 0 then. */
export function isGone(view: Uint8Array): boolean {
  return fails(() => at.call(view, 0))
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
    'the memory that this message is a view of was detached (transferred to another thread, for one) or has shrunk: transfer that of a message on which detach() was called'
  )
}

/**
 * Checks that a value is bytes that stay as they are while they are read. What comes back is that value, or a plain view
 * of the same bytes: for a class of its own, whose methods may do anything, and for memory that may shrink.
 *
 * @throws TypeError for anything but a `Uint8Array`; {@link WirelineError} for one over shared or detached memory.
 */
export function bytes(value: unknown, name: string): Uint8Array {
  if (tagOf.call(value) !== 'Uint8Array') throw invalidType(name, 'a Uint8Array or a Buffer', value)
  const found = value as Uint8Array
  const buffer = bufferOf.call(found) as ArrayBuffer
  if (fails(() => lengthOfBuffer.call(buffer))) {
    throw new WirelineError(
      'ERR_WIRELINE_SHARED_MEMORY',
      `'${name}' is a view of a SharedArrayBuffer, whose bytes may change while they are read: pass a copy of it`
    )
  }
  const length = lengthOf.call(found) as number
  if (length === 0 && isGone(found)) {
    throw new WirelineError(
      'ERR_WIRELINE_DETACHED',
      `'${name}' is a view of memory that was detached (transferred to another thread, for one) or has shrunk: pass what is still there`
    )
  }
  const kind: unknown = Object.getPrototypeOf(found)
  const plain = kind === Uint8Array.prototype || (node !== undefined && kind === node)
  if (plain && (buffer as { resizable?: boolean }).resizable !== true) return found
  return new Uint8Array(buffer, offsetOf.call(found) as number, length)
}

/**
 * The same for JSON text, which nothing is not.
 *
 * @throws as {@link bytes}; {@link WirelineError} with `ERR_WIRELINE_BAD_JSON` for no bytes.
 */
export function jsonBytes(value: unknown, name: string): Uint8Array {
  const found = bytes(value, name)
  if (found.length === 0) throw new WirelineError('ERR_WIRELINE_BAD_JSON', `'${name}' is empty, which is no JSON text`)
  return found
}
