// Decoders as streams of the Web, and as asynchronous iterations.

import { onAbort } from './abort.mjs'
import { Decoder, type Item } from './decoder.mjs'
import { invalidType } from './errors.mjs'
import type { Fault } from './fault.mjs'
import type { Signal, WebReadable, WebWritable } from './globals.mjs'
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

/** The error of a decoder that has closed, after the items that it gave last: nothing would come of what follows. */
export function runaway(decoder: Decoder, items: readonly Item[]): Error | undefined {
  const last = items.at(-1)
  return decoder.closed && last?.kind === 'fault' ? last.toError() : undefined
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
  readonly writable: WebWritable<Uint8Array>
  /** Gives messages and faults, one for each that is asked for. */
  readonly readable: WebReadable<Item>

  constructor(options?: MessageStreamOptions) {
    const decoder = new Decoder(options)
    const onFault = faultTaker(options)
    let reader!: ReadableStreamDefaultController<Item>
    let writer!: WritableStreamDefaultController
    let wanted: (() => void) | undefined
    let failed: ((reason: unknown) => void) | undefined
    let asked = false
    let ended = false
    /** Hands items on, each when it is asked for; what goes wrong is told to the reader, too. */
    const hand = async (decode: () => Item[]): Promise<void> => {
      try {
        const items = decode()
        for (const item of items) {
          if (item.kind === 'fault' && onFault !== undefined) {
            onFault(item)
            continue
          }
          if (!asked) {
            await new Promise<void>((resolve, reject) => {
              wanted = resolve
              failed = reject
            })
          }
          asked = false
          reader.enqueue(item)
        }
        const lost = runaway(decoder, items)
        if (lost !== undefined) throw lost
      } catch (error) {
        if (!ended) reader.error(error)
        ended = true
        throw error
      }
    }
    this.readable = new ReadableStream<Item>(
      {
        start(it) {
          reader = it
        },
        pull() {
          asked = true
          wanted?.()
          wanted = failed = undefined
        },
        cancel(reason) {
          ended = true
          failed?.(reason)
          // Whoever pipes into it learns at once that nobody reads any more.
          writer.error(reason)
        },
      },
      { highWaterMark: 0 }
    )
    /** Nothing more is taken; a write that waits for its items to be read ends, too. */
    const abort = (reason: unknown): void => {
      if (!ended) reader.error(reason)
      ended = true
      failed?.(reason)
    }
    this.writable = new WritableStream<Uint8Array>({
      start(it) {
        writer = it
        // `abort` is called only once the write that is under way has ended.
        it.signal?.addEventListener('abort', () => abort(it.signal.reason))
      },
      async write(chunk) {
        await hand(() => decoder.push(chunk))
      },
      async close() {
        await hand(() => decoder.end())
        if (!ended) reader.close()
      },
      abort,
    })
  }
}

/** Bytes that come one chunk after the other: a Node stream, a Web stream, a file handle's stream, a generator. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | WebReadable<Uint8Array>

/** The chunks of a stream of the Web, which is not an iteration everywhere, nor one that can be ended while it waits. */
function chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterator<Uint8Array> {
  const reader = stream.getReader()
  return {
    async next() {
      const { done, value } = await reader.read()
      if (!done) return { done, value }
      reader.releaseLock()
      return { done, value: undefined }
    },
    async return(reason?: unknown) {
      const cancelled = reader.cancel(reason)
      reader.releaseLock()
      await cancelled
      return { done: true, value: undefined }
    },
  }
}

/** What begins an iteration over something that gives bytes, if it is such. */
function iteration(source: ByteSource): (() => AsyncIterator<Uint8Array> | Iterator<Uint8Array>) | undefined {
  if (source === null || typeof source !== 'object') return undefined
  const able = source as Partial<AsyncIterable<Uint8Array> & Iterable<Uint8Array> & ReadableStream<Uint8Array>>
  if (typeof able.getReader === 'function') return () => chunksOf(source as ReadableStream<Uint8Array>)
  if (typeof able[Symbol.asyncIterator] === 'function') return () => able[Symbol.asyncIterator]!()
  if (typeof able[Symbol.iterator] === 'function') return () => able[Symbol.iterator]!()
  return undefined
}

/** Ends a source that may be waiting for bytes: it is told, and not waited for. */
function leave(source: ByteSource, chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>, reason: unknown): void {
  // The iteration of a stream of Node's would hear of it only once the next bytes have come.
  const { destroy, on } = source as { destroy?: unknown; on?: unknown }
  if (typeof destroy === 'function' && typeof on === 'function') destroy.call(source)
  void new Promise((resolve) => resolve(chunks.return?.(reason))).catch(() => {})
}

/** What comes, unless a signal aborts first. Nothing of it is left on the signal afterwards. */
function unlessAborted<T>(next: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const undo = onAbort(signal, () => reject(signal.reason))
    Promise.resolve(next).then(resolve, reject).finally(undo)
  })
}

/**
 * Messages and faults out of anything that gives bytes. The source is read only as fast as items are taken, and is
 * closed when the loop ends, however it does: a stream at once, even while it waits for bytes.
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
  options: MessageStreamOptions & { signal?: Signal; onFault: (fault: Fault) => void }
): AsyncGenerator<Message, void, undefined>
export function messages(
  source: ByteSource,
  options?: MessageStreamOptions & { signal?: Signal }
): AsyncGenerator<Item, void, undefined>
export function messages(
  source: ByteSource,
  options: MessageStreamOptions & { signal?: Signal } = {}
): AsyncGenerator<Item, void, undefined> {
  const decoder = new Decoder(options)
  const onFault = faultTaker(options)
  const { signal } = options
  const begin = iteration(source)
  if (begin === undefined) throw invalidType('source', 'an iteration of bytes, or a stream', source)
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalidType('options.signal', 'an AbortSignal', signal)

  async function* run(): AsyncGenerator<Item, void, undefined> {
    const chunks = begin!()
    let over = false
    try {
      for (;;) {
        signal?.throwIfAborted()
        const next = chunks.next()
        const chunk = signal === undefined ? await next : await unlessAborted(next, signal)
        over = chunk.done === true
        const items: Item[] = over ? decoder.end() : decoder.push(chunk.value as Uint8Array)
        for (const item of items) {
          if (item.kind === 'fault' && onFault !== undefined) onFault(item)
          else yield item
          signal?.throwIfAborted()
        }
        if (over) return
        const lost = runaway(decoder, items)
        if (lost !== undefined) throw lost
      }
    } finally {
      if (!over && signal?.aborted) leave(source, chunks, signal.reason)
      else if (!over) await chunks.return?.()
    }
  }
  return run()
}
