// What both transports have in common: lines in, lines out.

import type { Writable } from 'node:stream'
import { Decoder, type Item } from './decoder.mjs'
import { encodeError } from './encode.mjs'
import { WirelineError } from './errors.mjs'
import type { Fault } from './fault.mjs'
import { stringify } from './json.mjs'
import type { Message } from './message.mjs'

/** A message as the SDK has it. Its own types are structural, and differ between its versions. */
export type AnyMessage = any

/** What receives what is read. */
export interface Sink {
  onmessage?: ((message: AnyMessage, extra?: AnyMessage) => void) | undefined
  onerror?: ((error: Error) => void) | undefined
}

/** The SDK's own ceiling. */
export const MAX_BUFFER_SIZE = 10 * 1024 * 1024

/** What a decoder takes at most: bytes of a message, of an id or a method. */
const MOST_BYTES = 0xffff_fff0
const MOST_TOKEN = 16384

const INVALID_REQUEST = -32600
const INTERNAL_ERROR = -32603

/** The error of a fault, with the fault for those who want to know more. */
function errorOf(fault: Fault): Error {
  return Object.assign(fault.toError(), { fault })
}

/** Bytes of a message, for whatever number the SDK would take: there is always a ceiling, and a smallest one. */
function ceiling(maxBufferSize: number | undefined): number | undefined {
  if (typeof maxBufferSize !== 'number') return maxBufferSize ?? MAX_BUFFER_SIZE
  return maxBufferSize < MOST_BYTES ? Math.max(64, Math.trunc(maxBufferSize)) : MOST_BYTES
}

/** Reads lines and hands them to a transport's callbacks. */
export class Lines {
  readonly #decoder: Decoder
  readonly #sink: Sink
  readonly #answer: (line: Uint8Array) => void

  constructor(maxBufferSize: number | undefined, from: 'client' | 'server', sink: Sink, answer: (line: Uint8Array) => void) {
    // The SDK knows no ceilings but that of the message. A Node stream never writes to a chunk again.
    this.#decoder = new Decoder({ maxMessage: ceiling(maxBufferSize)!, maxId: MOST_TOKEN, maxMethod: MOST_TOKEN, from, borrow: true })
    this.#sink = sink
    this.#answer = answer
  }

  push(chunk: Uint8Array | string, isOpen: () => boolean): void {
    // Somebody may have set an encoding.
    for (const item of this.#decoder.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) {
      if (!isOpen()) return
      this.#take(item)
    }
  }

  clear(): void {
    this.#decoder.reset()
  }

  #take(item: Item): void {
    try {
      if (item.kind === 'fault') {
        this.#refuse(item)
        return
      }
      const { id } = item
      if (typeof id === 'bigint' || id === Infinity || id === -Infinity) this.#inexact(item)
      else this.#sink.onmessage?.(plain(item))
    } catch (error) {
      // As the SDK does: what a callback throws is an error of its own, and the next message is read.
      this.#sink.onerror?.(error as Error)
    }
  }

  /** A line that is no message. Whoever waits for an answer gets one, where the id is known: it would wait for ever. */
  #refuse(fault: Fault): void {
    const error = errorOf(fault)
    this.#sink.onerror?.(error)
    const { id, shape } = fault
    if (id === undefined || id === null) return
    if (shape.method) {
      this.#answer(encodeError(fault, INVALID_REQUEST, error.message))
    } else if ((shape.result || shape.error) && typeof id !== 'bigint') {
      this.#sink.onmessage?.({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: error.message } })
    }
  }

  /** An id that the SDK, which knows numbers only, would answer with another one. */
  #inexact(message: Message): void {
    const error = new WirelineError('ERR_WIRELINE_BAD_ID', `the id ${message.rawId} is no number that JavaScript keeps exact`, {
      id: message.id!,
      rule: 'R14',
    })
    this.#sink.onerror?.(error)
    if (message.kind === 'request') this.#answer(encodeError(message, INVALID_REQUEST, 'Invalid Request: the id cannot be kept exact'))
  }
}

/** A message as the SDK's own transports hand it over. */
function plain(item: Message): AnyMessage {
  const message: AnyMessage = item.toJSON()
  // Neither is anything that the SDK knows: it would take the one for a value, and the other for the id 0.
  if (message.params === null) delete message.params
  if (message.id === null) delete message.id
  return message
}

/**
 * The line of a message. One that JSON cannot hold is an error; if it is an answer, what is written instead is an error
 * for the same id, so that the peer does not wait for ever.
 */
export function lineOf(message: AnyMessage, onerror: ((error: Error) => void) | undefined): string {
  try {
    return `${stringify(message, 'the message')}\n`
  } catch (error) {
    if (message === null || typeof message !== 'object' || !('id' in message) || 'method' in message) throw error
    onerror?.(error as Error)
    const words = 'Internal error: the answer cannot be written as JSON'
    return `${stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: words } }, 'the message')}\n`
  }
}

/** Writes lines, and says when the stream takes more. */
export class Writer {
  readonly #output: Writable
  /** Who waits for the stream to drain, or to break. */
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = []

  constructor(output: Writable) {
    this.#output = output
  }

  /** Resolves when the stream takes more; rejects if it breaks before. */
  write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject }
      // A stream may break inside the call.
      this.#wait(waiting)
      if (this.#output.write(line)) this.#done(waiting)
    })
  }

  #wait(waiting: { resolve: () => void; reject: (error: Error) => void }): void {
    if (this.#waiting.push(waiting) > 1) return
    this.#output.on('drain', this.#onDrain)
    this.#output.on('error', this.#onBreak)
    this.#output.on('close', this.#onClose)
  }

  #done(waiting: { resolve: () => void }): void {
    const at = this.#waiting.findLastIndex((it) => it === waiting)
    if (at < 0) return
    this.#waiting.splice(at, 1)
    if (this.#waiting.length === 0) this.#release()
    waiting.resolve()
  }

  #release(): void {
    this.#output.off('drain', this.#onDrain)
    this.#output.off('error', this.#onBreak)
    this.#output.off('close', this.#onClose)
  }

  #settle(settle: (waiting: { resolve: () => void; reject: (error: Error) => void }) => void): void {
    const all = this.#waiting
    this.#waiting = []
    this.#release()
    all.forEach(settle)
  }

  readonly #onDrain = (): void => this.#settle(({ resolve }) => resolve())

  readonly #onBreak = (error: Error): void => this.#settle(({ reject }) => reject(error))

  readonly #onClose = (): void =>
    this.#onBreak(new WirelineError('ERR_WIRELINE_CLOSED', 'the stream closed before it took the message'))
}
