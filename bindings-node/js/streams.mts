// Decoders as streams of the Web, and as asynchronous iterations.

import { Decoder, type Item } from './decoder.mjs'
import { invalidType } from './errors.mjs'
import type { Fault } from './fault.mjs'
import type { Message } from './message.mjs'
import type { DecoderOptions } from './options.mjs'

/** Options of streams of messages. */
export interface MessageStreamOptions extends DecoderOptions {
  /** Is told of faults, which then do not come as items. */
  onFault?: (fault: Fault) => void
}

/** Who is told of faults. */
export function faultTaker(options: MessageStreamOptions | undefined): ((fault: Fault) => void) | undefined {
  const taker = options?.onFault
  if (taker !== undefined && typeof taker !== 'function') throw invalidType('options.onFault', 'a function', taker)
  return taker
}

/**
 * A pair of streams of the Web that turn bytes into messages and faults: for `pipeThrough`.
 *
 * @example
 * ```js
 * import { DecoderTransform } from 'wireline'
 *
 * const body = new Response('{"jsonrpc":"2.0","id":1,"method":"ping"}\n').body
 * for await (const item of body.pipeThrough(new DecoderTransform())) console.log(item.kind, item.id)
 * ```
 */
export class DecoderTransform {
  /** Takes bytes. */
  readonly writable: WritableStream<Uint8Array>
  /** Gives messages and faults, one for each that is asked for. */
  readonly readable: ReadableStream<Item>

  constructor(options?: MessageStreamOptions) {
    const decoder = new Decoder(options)
    const onFault = faultTaker(options)
    let controller!: ReadableStreamDefaultController<Item>
    let wanted: (() => void) | undefined
    let failed: ((reason: unknown) => void) | undefined
    let asked = 0
    const hand = async (items: Item[]): Promise<void> => {
      for (const item of items) {
        if (item.kind === 'fault' && onFault !== undefined) {
          onFault(item)
          continue
        }
        if (asked === 0) {
          await new Promise<void>((resolve, reject) => {
            wanted = resolve
            failed = reject
          })
        }
        asked = 0
        controller.enqueue(item)
      }
    }
    this.readable = new ReadableStream<Item>(
      {
        start(it) {
          controller = it
        },
        pull() {
          asked = 1
          wanted?.()
          wanted = failed = undefined
        },
        cancel(reason) {
          ended = true
          failed?.(reason)
        },
      },
      { highWaterMark: 0 }
    )
    let ended = false
    this.writable = new WritableStream<Uint8Array>({
      async write(chunk) {
        if (ended) throw new Error('the reader is gone')
        try {
          await hand(decoder.push(chunk))
        } catch (error) {
          if (!ended) controller.error(error)
          throw error
        }
      },
      async close() {
        if (ended) return
        await hand(decoder.end())
        controller.close()
      },
      abort(reason) {
        failed?.(reason)
        if (!ended) controller.error(reason)
      },
    })
  }
}

/** Bytes that come one chunk after the other: a Node stream, a Web stream, a file handle's stream, a generator. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>

/** What comes, unless a signal aborts first. Nothing of it is left on the signal afterwards. */
function unlessAborted<T>(next: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    Promise.resolve(next)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

/**
 * Messages and faults out of anything that gives bytes. The source is read only as fast as items are taken, and is
 * closed when the loop ends, however it does.
 *
 * @param options `signal` ends the iteration by throwing its reason.
 *
 * @example
 * ```js
 * import { messages } from 'wireline'
 *
 * for await (const item of messages(process.stdin, { signal: AbortSignal.timeout(5000) })) console.log(item.kind)
 * ```
 */
export function messages(
  source: ByteSource,
  options: MessageStreamOptions & { signal?: AbortSignal; onFault: (fault: Fault) => void }
): AsyncGenerator<Message, void, undefined>
export function messages(
  source: ByteSource,
  options?: MessageStreamOptions & { signal?: AbortSignal }
): AsyncGenerator<Item, void, undefined>
export function messages(
  source: ByteSource,
  options: MessageStreamOptions & { signal?: AbortSignal } = {}
): AsyncGenerator<Item, void, undefined> {
  const decoder = new Decoder(options)
  const onFault = faultTaker(options)
  const { signal } = options
  const able = source as AsyncIterable<Uint8Array> & Iterable<Uint8Array>
  if (source === null || typeof source !== 'object' || !(Symbol.asyncIterator in source || Symbol.iterator in source)) {
    throw invalidType('source', 'an iteration of bytes, or a stream', source)
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalidType('options.signal', 'an AbortSignal', signal)

  async function* run(): AsyncGenerator<Item, void, undefined> {
    const chunks = Symbol.asyncIterator in source ? able[Symbol.asyncIterator]() : able[Symbol.iterator]()
    let over = false
    try {
      for (;;) {
        signal?.throwIfAborted()
        const next = chunks.next()
        const chunk = signal === undefined ? await next : await unlessAborted(next, signal)
        over = chunk.done === true
        for (const item of over ? decoder.end() : decoder.push(chunk.value as Uint8Array)) {
          if (item.kind === 'fault' && onFault !== undefined) onFault(item)
          else yield item
          signal?.throwIfAborted()
        }
        if (over) return
      }
    } finally {
      // A source that waits for bytes does not answer before they come: it is told, and not waited for.
      if (!over) {
        const closed = chunks.return?.()
        if (signal?.aborted) void Promise.resolve(closed).catch(() => {})
        else await closed
      }
    }
  }
  return run()
}
