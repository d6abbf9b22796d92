// Bodies as they pass: messages that are larger than what one wants to keep.

import { allocate, bytes, utf8 } from './bytes.mjs'
import { Fault } from './fault.mjs'
import { readId, type Id } from './id.mjs'
import { NOTHING, PIECE } from './input.mjs'
import { Integrity } from './integrity.mjs'
import { FAULT, HAS_METHOD, HEADER, IN_EXTRA, IS_FAULT, MESSAGE, METHOD_ESCAPED, type Frame } from './layout.mjs'
import { unescaped, type Kind } from './message.mjs'
import { flag, fromNumber, limitWords, type DecoderOptions } from './options.mjs'
import native from '#native'

/** What is known of a message whose text is not kept. */
export interface Head {
  /** The id, if it has come. */
  readonly id: Id | undefined
  /** Its text as it came. */
  readonly rawId: string | undefined
  /** The method, if it has come. */
  readonly method: string | undefined
  /** Bytes of the message so far. */
  readonly length: number
}

/** What a {@link StreamDecoder} tells. */
export type StreamEvent =
  /** A body begins; members may still come, so this is not final. */
  | { readonly type: 'head'; readonly head: Head }
  /** A piece of a body. Pieces join to exactly the value's text. */
  | { readonly type: 'body'; readonly part: 'params' | 'result' | 'error'; readonly bytes: Uint8Array }
  /** The message is complete and valid. */
  | { readonly type: 'end'; readonly kind: Kind; readonly head: Head }
  /** The line is no message; what was handed out of it is void. */
  | { readonly type: 'fault'; readonly fault: Fault }

/** What a stream decoder can be told. A batch is one fault here. */
export type StreamOptions = Omit<DecoderOptions, 'batches'>

const KINDS = ['request', 'notification', 'result', 'error'] as const
const PARTS = ['params', 'result', 'error'] as const
const scratch = new Uint32Array(HEADER + 512 * MESSAGE)

function readHead(frame: Frame, at: number): Head {
  const { words, extra } = frame
  const idLength = words[at + 4]!
  const from = words[at + 7]!
  const length = words[at + 8]!
  let method: string | undefined
  if ((words[at]! & HAS_METHOD) !== 0) {
    method = (words[at]! & METHOD_ESCAPED) !== 0 ? unescaped(extra, from, length) : utf8(extra, from, from + length)
  }
  return {
    id: readId(frame, extra, at),
    rawId: idLength === 0 ? undefined : utf8(extra, words[at + 3]!, words[at + 3]! + idLength),
    method,
    length: words[at + 2]! * 0x1_0000_0000 + words[at + 1]!,
  }
}

/**
 * A decoder that hands out bodies as they pass, and keeps only what a message's head holds: a few hundred bytes,
 * however long the messages are. Its `maxMessage` is none unless it is set.
 *
 * A body is provisional until `end`: the text may still turn out to be broken, and a `fault` comes instead.
 *
 * @example
 * ```js
 * import { StreamDecoder } from 'wireline'
 *
 * const decoder = new StreamDecoder()
 * for (const event of decoder.push(Buffer.from('{"jsonrpc":"2.0","id":7,"result":{"n":[1,2,3]}}\n'))) {
 *   if (event.type === 'body') process.stdout.write(event.bytes)
 *   if (event.type === 'end') console.log(event.kind, event.head.id)
 * }
 * ```
 */
export class StreamDecoder {
  readonly #native: InstanceType<typeof native.StreamDecoder>
  readonly #limits: Uint32Array
  readonly #borrow: boolean
  readonly #integrity = new Integrity()
  #closed = false

  /** @throws TypeError, RangeError for options of a wrong type or out of range. */
  constructor(options?: StreamOptions) {
    const limits = limitWords(options)
    if (options?.maxMessage === undefined) limits[0] = 0xffff_ffff
    this.#borrow = flag(options?.borrow, 'options.borrow')
    this.#native = new native.StreamDecoder(limits, fromNumber(options))
    this.#limits = limits
  }

  /**
   * Reads the next bytes of the stream and returns what they hold, in order.
   *
   * @throws as `Decoder.push`.
   */
  push(chunk: Uint8Array): StreamEvent[] {
    const input = bytes(chunk, 'chunk')
    return this.#integrity.reading(() => {
      const events: StreamEvent[] = []
      for (let from = 0; from < input.length; from += PIECE) this.#take(input.subarray(from, from + PIECE), events)
      return events
    })
  }

  #take(input: Uint8Array, events: StreamEvent[]): void {
    let own = input
    if (!this.#borrow) {
      own = allocate(input.length)
      own.set(input)
    }
    for (let at = 0; ; ) {
      const used = this.#native.decode(own, at, scratch)
      at = scratch[0]!
      const done = scratch[3] !== 0
      this.#closed = scratch[2] !== 0
      this.#collect(used, own, events)
      if (done) return
    }
  }

  #collect(used: number, own: Uint8Array, events: StreamEvent[]): void {
    if (used <= HEADER) return
    const words = scratch.slice(0, used)
    const extra = words[1] === 0 ? NOTHING : this.#native.takeExtra()
    const frame: Frame = { words, extra, bytes: own, names: [], limits: this.#limits }
    for (let at = HEADER; at < used; ) {
      const head = words[at]!
      if ((head & IS_FAULT) !== 0) {
        events.push({ type: 'fault', fault: new Fault(frame, at) })
        at += FAULT
        continue
      }
      const what = words[at + 11]!
      if (what === 1) {
        events.push({ type: 'head', head: readHead(frame, at) })
      } else if (what === 3) {
        events.push({ type: 'end', kind: KINDS[head & 3]!, head: readHead(frame, at) })
      } else {
        const source = (head & IN_EXTRA) === 0 ? own : extra
        const piece = new Uint8Array(source.buffer, source.byteOffset + words[at + 9]!, words[at + 10]!)
        events.push({ type: 'body', part: PARTS[head & 3]!, bytes: piece })
      }
      at += MESSAGE
    }
  }

  /** The end of the input: what is left is a line that was cut off, or by `eofCompletesLine` a whole one. */
  end(): StreamEvent[] {
    return this.#integrity.reading(() => {
      const events: StreamEvent[] = []
      this.#collect(this.#native.finish(scratch), NOTHING, events)
      return events
    })
  }

  /** Whether the decoder takes no more, after a `runaway`. */
  get closed(): boolean {
    return this.#closed
  }

  /** Makes the decoder as new. */
  reset(): void {
    this.#closed = false
    this.#native.reset()
    this.#integrity.reset()
  }
}
