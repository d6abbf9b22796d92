// Messages out of bytes.

import { allocate, bytes } from './bytes.mjs'
import { mended, WirelineError } from './errors.mjs'
import { Fault, faultName, type FaultName } from './fault.mjs'
import { Input, LONGEST, NOTHING } from './input.mjs'
import { Integrity } from './integrity.mjs'
import { FAULT, HEADER, IS_FAULT, MESSAGE, type Frame } from './layout.mjs'
import { Line, type Message } from './message.mjs'
import { flag, fromNumber, limitWords, type DecoderOptions, type Limits } from './options.mjs'
import native from '#native'

/** What a line came to. `kind` tells which: `fault`, or the kind of a message. */
export type Item = Message | Fault

/** An unfinished line. */
export interface Pending {
  /** Its bytes so far. */
  readonly bytes: number
  /** The first fault in it so far. */
  readonly fault?: FaultName
  /** Where that is in the line. */
  readonly offset?: number
}

/** The words that a call may fill: shared by all decoders of a thread, since what is used is copied out. */
const scratch = new Uint32Array(HEADER + 1024 * MESSAGE)

/** Makes items of the records in the scratch words. */
function collect(used: number, decoder: { takeExtra(): Uint8Array }, frame: Pick<Frame, 'bytes' | 'names' | 'limits'>, items: Item[]): void {
  if (used <= HEADER) return
  const words = scratch.slice(0, used)
  const extra = words[1] === 0 ? NOTHING : decoder.takeExtra()
  const whole: Frame = { words, extra, bytes: frame.bytes, names: frame.names, limits: frame.limits }
  let at = HEADER
  while (at < used) {
    if ((words[at]! & IS_FAULT) === 0) {
      items.push(new Line(whole, at) as unknown as Message)
      at += MESSAGE
    } else {
      items.push(new Fault(whole, at))
      at += FAULT
    }
  }
}

/**
 * A decoder of newline-framed JSON-RPC messages: bytes in, messages and faults out.
 *
 * The only thing that ends a line is byte 0x0A. A line that is no message comes out as a {@link Fault} in its place and
 * harms no other. A line that is longer than the ceiling is not stored, but still scanned, so its id is known.
 *
 * @example
 * ```js
 * import { Decoder } from 'wireline'
 *
 * const decoder = new Decoder()
 * for (const item of decoder.push(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\nhello\n'))) {
 *   if (item.kind === 'fault') console.error(`${item.code} at byte ${item.offset}`)
 *   else console.log(item.kind, item.id, item.method)
 * }
 * ```
 */
export class Decoder {
  readonly #native: InstanceType<typeof native.Decoder>
  readonly #names: (string | undefined)[] = []
  readonly #limits: Uint32Array
  readonly #input: Input
  readonly #integrity = new Integrity()
  /** What came out of a line that has no end yet when somebody asked about it: to be handed out next. */
  #ready: Item[] = []
  #closed = false

  /**
   * @throws TypeError, RangeError for options of a wrong type or out of range.
   */
  constructor(options?: DecoderOptions) {
    const limits = limitWords(options)
    this.#input = new Input(flag(options?.borrow, 'options.borrow'))
    this.#native = new native.Decoder(limits, fromNumber(options))
    this.#limits = limits
  }

  /**
   * Reads the next bytes of the stream and returns what they complete, in order.
   *
   * Takes time in proportion to the chunk, whatever is in it.
   *
   * @throws TypeError for what is no `Uint8Array`; {@link WirelineError} with `ERR_WIRELINE_SHARED_MEMORY` or
   * `ERR_WIRELINE_DETACHED` for one whose bytes may change or are gone, after which nothing has changed. With
   * `ERR_WIRELINE_OUT_OF_MEMORY` where there is no memory for what it holds: the chunk is lost then, and so that what
   * follows is not taken for something else, the decoder throws the same until {@link reset}.
   */
  push(chunk: Uint8Array): Item[] {
    const input = bytes(chunk, 'chunk')
    return this.#integrity.reading(() => {
      const items: Item[] = []
      this.#input.push(input, (piece, leave) => this.#read(piece, leave, items))
      return this.#all(items)
    })
  }

  /** What is handed out: first what has been ready before. */
  #all(items: Item[]): Item[] {
    if (this.#ready.length === 0) return items
    const ready = this.#ready
    this.#ready = []
    return ready.concat(items)
  }

  /** Decodes a piece, and returns how far that went. */
  #read(piece: Uint8Array, leave: boolean, items: Item[]): number {
    const frame = { bytes: piece, names: this.#names, limits: this.#limits }
    let at = 0
    // Not only while bytes are left: elements of a batch may be, too.
    for (let done = false; !done; ) {
      const used = this.#native.decode(piece, at, leave, scratch)
      at = scratch[0]!
      this.#closed = scratch[2] !== 0
      done = scratch[3] !== 0
      collect(used, this.#native, frame, items)
    }
    return at
  }

  /**
   * The end of the input: what is left is a line that was cut off, or by `eofCompletesLine` a whole one. Afterwards the
   * decoder is as new, unless it is closed.
   *
   * @throws as {@link push}.
   */
  end(): Item[] {
    return this.#integrity.reading(() => {
      const items: Item[] = []
      this.#flush(items)
      const frame = { bytes: NOTHING, names: this.#names, limits: this.#limits }
      for (;;) {
        const used = this.#native.finish(scratch)
        this.#closed = scratch[2] !== 0
        if (used <= HEADER) return this.#all(items)
        collect(used, this.#native, frame, items)
      }
    })
  }

  #flush(items: Item[]): void {
    this.#input.flush((piece, leave) => this.#read(piece, leave, items))
  }

  /** The unfinished line: its bytes so far, and the first fault in them. */
  get pending(): Pending {
    // A line that is given up for its length comes out without its end.
    this.#integrity.reading(() => this.#flush(this.#ready))
    const [count = 0, kind = -1, offset = 0] = this.#native.pending()
    return kind < 0 ? { bytes: count } : { bytes: count, fault: faultName(kind), offset }
  }

  /** Whether the decoder takes no more, after a `runaway`. */
  get closed(): boolean {
    return this.#closed
  }

  /** The limits in force. */
  get limits(): Required<Limits> {
    const [maxMessage = 0, maxDepth = 0, maxId = 0, maxMethod = 0, maxDiscard = 0] = this.#native.limits()
    return { maxMessage, maxDepth, maxId, maxMethod, maxDiscard }
  }

  /** Makes the decoder as new: what was unfinished is forgotten. */
  reset(): void {
    this.#input.reset()
    this.#ready = []
    this.#closed = false
    this.#native.reset()
    this.#integrity.reset()
  }
}

const parsers = new Map<string, { native: InstanceType<typeof native.Decoder>; limits: Uint32Array; names: string[] }>()

/**
 * Reads one message that something else framed: an HTTP body, the data of an event. Line ends count as white space.
 *
 * @throws {@link WirelineError}: what is wrong as its `code` (`ERR_WIRELINE_SYNTAX` and the like), `offset`, `id`, `rule`.
 *
 * @example
 * ```js
 * import { parse } from 'wireline'
 * parse(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}')).method // 'notifications/initialized'
 * ```
 */
export function parse(text: Uint8Array, options?: DecoderOptions): Message {
  const item = examine(text, options)
  if (item.kind === 'fault') throw item.toError()
  return item
}

/** As {@link parse}, and returns what is wrong instead of throwing it. */
export function examine(text: Uint8Array, options?: DecoderOptions): Item {
  const input = bytes(text, 'text')
  if (input.length > LONGEST) throw new RangeError(`a text of ${input.length} bytes is longer than ${LONGEST}`)
  const limits = limitWords(options)
  const from = fromNumber(options)
  let own = input
  if (!flag(options?.borrow, 'options.borrow')) {
    own = allocate(input.length)
    own.set(input)
  }
  return examineUnder(own, limits, from)
}

/** What a text is under these limits: a view of that text. */
export function examineUnder(own: Uint8Array, limits: Uint32Array, from: number): Item {
  const key = `${limits.join()},${from}`
  const known = parsers.get(key)
  if (known === undefined && parsers.size >= 16) parsers.clear()
  try {
    const parser = known ?? { native: new native.Decoder(limits, from), limits, names: [] }
    parsers.set(key, parser)
    const items: Item[] = []
    const used = mended(() => parser.native.parse(own, scratch))
    collect(used, parser.native, { bytes: own, names: parser.names, limits }, items)
    return items[0]!
  } catch (error) {
    parsers.delete(key)
    // The instance that it was made in has been lost earlier.
    if (known !== undefined && error instanceof WirelineError && error.code === 'ERR_WIRELINE_WASM_LOST') return examineUnder(own, limits, from)
    throw error
  }
}
