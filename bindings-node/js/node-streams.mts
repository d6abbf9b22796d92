// A decoder as a stream of Node's.

import { Transform, type TransformCallback, type TransformOptions } from 'node:stream'
import { Decoder, type Item } from './decoder.mjs'
import type { Fault } from './fault.mjs'
import { faultTaker, runaway, type MessageStreamOptions } from './streams.mjs'

/**
 * A `Transform` of bytes into messages and faults.
 *
 * What reads slowly slows down what is read: items are handed on one by one, and a chunk is done with when its last item
 * was taken.
 *
 * @example
 * ```js
 * import { DecoderStream } from 'wireline'
 *
 * for await (const item of process.stdin.pipe(new DecoderStream())) console.log(item.kind)
 * ```
 */
export class DecoderStream extends Transform {
  readonly #decoder: Decoder
  readonly #onFault: ((fault: Fault) => void) | undefined
  #items: Item[] = []
  #next = 0
  #done: TransformCallback | undefined
  /** What is wrong with the stream, once its decoder has closed. */
  #lost: Error | undefined

  constructor(options: MessageStreamOptions & Pick<TransformOptions, 'readableHighWaterMark' | 'writableHighWaterMark' | 'signal'> = {}) {
    const { readableHighWaterMark, writableHighWaterMark, signal } = options
    super({
      readableObjectMode: true,
      ...(readableHighWaterMark === undefined ? {} : { readableHighWaterMark }),
      ...(writableHighWaterMark === undefined ? {} : { writableHighWaterMark }),
      ...(signal === undefined ? {} : { signal }),
    })
    this.#decoder = new Decoder(options)
    this.#onFault = faultTaker(options)
  }

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    this.#hand(() => this.#decoder.push(chunk), done)
  }

  override _flush(done: TransformCallback): void {
    this.#hand(() => this.#decoder.end(), done)
  }

  override _read(size: number): void {
    if (this.#done === undefined) super._read(size)
    else this.#pump()
  }

  override read(size?: number): any {
    const item = super.read(size)
    if (item === null && this.#lost !== undefined && this.readableLength === 0) this.destroy(this.#lost)
    return item
  }

  #hand(decode: () => Item[], done: TransformCallback): void {
    try {
      this.#items = decode()
    } catch (error) {
      done(error as Error)
      return
    }
    this.#next = 0
    this.#done = done
    this.#pump()
  }

  /** Hands items on until the reader has enough. */
  #pump(): void {
    while (this.#next < this.#items.length) {
      const item = this.#items[this.#next++]!
      if (item.kind === 'fault' && this.#onFault !== undefined) {
        try {
          this.#onFault(item)
        } catch (error) {
          this.destroy(error as Error)
          return
        }
      } else if (!this.push(item)) {
        return
      }
    }
    this.#lost ??= runaway(this.#decoder, this.#items)
    this.#items = []
    // Nothing more is taken then, and what was read before is handed on first.
    if (this.#lost !== undefined) return
    const done = this.#done
    this.#done = undefined
    done?.()
  }
}
