// Chunks as they come, and the pieces that they are decoded in.

import { allocate, keep } from './bytes.mjs'
import native from '#native'

export const NOTHING = new Uint8Array(0)

const LINE_FEED = 10

/** Bytes that an offset counts in at most. */
export const LONGEST = 1 << 30

/** Pieces that are decoded at once at most. */
export const PIECE = native.piece ?? LONGEST

/** Room for the beginnings of most lines. */
const SMALL = 4096
/** More than that is not held for the next one. */
const LARGE = 1 << 20

/** A message keeps no more than this alive besides its chunk. */
const SLAB = 1 << 16
/** What is put together there. */
const SHORT = SLAB >> 2

/** Decodes a piece and returns how far that went; with `leave`, an unfinished line at its end may be left. */
export type Read = (piece: Uint8Array, leave: boolean) => number

/** Where short pieces are put together: to allocate each on its own costs more than all else about it. */
let slab: Uint8Array = NOTHING
let used = 0

/** Memory for a piece that is put together. */
function frameOf(length: number): Uint8Array {
  if (length > SHORT) {
    const frame = allocate(length)
    keep(frame.buffer)
    return frame
  }
  if (used + length > slab.length) {
    slab = allocate(SLAB)
    keep(slab.buffer)
    used = 0
  }
  const frame = new Uint8Array(slab.buffer, slab.byteOffset + used, length)
  used += length
  return frame
}

/** One piece of memory that holds both. */
function joined(tail: Uint8Array, input: Uint8Array): Uint8Array {
  const frame = frameOf(tail.length + input.length)
  if (tail.length > 0) frame.set(tail)
  frame.set(input, tail.length)
  return frame
}

/**
 * Keeps the line that a chunk has begun, as long as it is short, and puts it before the next chunk: so that most lines
 * lie whole in memory that JavaScript has as well, and messages can be views of it.
 */
export class Input {
  readonly #borrow: boolean
  /** What is kept: memory of its own, since whoever has a message may detach what that is a view of. */
  #tail: Uint8Array = NOTHING
  /** Where it is kept. */
  #store: Uint8Array = NOTHING

  constructor(borrow: boolean) {
    this.#borrow = borrow
  }

  /** Decodes a chunk. */
  push(chunk: Uint8Array, read: Read): void {
    let input = chunk
    while (input.length > PIECE) {
      this.#take(input.subarray(0, PIECE), read)
      input = input.subarray(PIECE)
    }
    if (input.length > 0) this.#take(input, read)
  }

  #take(input: Uint8Array, read: Read): void {
    const tail = this.#tail
    this.#tail = NOTHING
    let frame = input
    if (!this.#borrow) {
      frame = joined(tail, input)
    } else if (tail.length > 0) {
      // Only the line that lies in two chunks is copied.
      const end = input.indexOf(LINE_FEED) + 1
      read(end === 0 ? tail : joined(tail, input.subarray(0, end)), false)
      frame = input.subarray(end)
    }
    // Only what follows a line end is left, so that nothing is put before more than one chunk.
    const end = read(frame, true)
    if (end < frame.length) this.#keep(frame.subarray(end))
  }

  #keep(tail: Uint8Array): void {
    if (tail.length > this.#store.length) this.#store = allocate(Math.max(SMALL, tail.length))
    this.#store.set(tail)
    this.#tail = this.#store.subarray(0, tail.length)
    // What an unusually long one needed goes with it.
    if (this.#store.length > LARGE) this.#store = NOTHING
  }

  /** Bytes of the line that is kept, as far as it has come. */
  get kept(): number {
    return this.#tail.length
  }

  /** Decodes what is kept. It holds no line end, so that at most a `runaway` comes of it. */
  flush(read: Read): void {
    const tail = this.#tail
    this.#tail = NOTHING
    if (tail.length > 0) read(tail, false)
  }

  /** Forgets what is kept. */
  reset(): void {
    this.#tail = NOTHING
  }
}
