// Lines that are no messages.

import { WirelineError } from './errors.mjs'
import { held, utf8 } from './bytes.mjs'
import { readId, type Id } from './id.mjs'
import {
  ANSWERABLE,
  BATCHED,
  HAS_LIMIT,
  HAS_METHOD,
  ID_FORM,
  LAST,
  METHOD_ESCAPED,
  NAME,
  type Frame,
} from './layout.mjs'
import { unescaped, type BatchPlace } from './message.mjs'
import native from '#native'

/** What is wrong with a line; `docs/node.md` and the README's table say what each means. */
export type FaultName =
  | 'not-json'
  | 'syntax'
  | 'utf8'
  | 'cut'
  | 'trailing'
  | 'too-long'
  | 'too-deep'
  | 'id-too-long'
  | 'method-too-long'
  | 'not-object'
  | 'bad-version'
  | 'bad-id'
  | 'bad-method'
  | 'bad-params'
  | 'bad-result'
  | 'bad-error'
  | 'conflict'
  | 'no-kind'
  | 'duplicate'
  | 'lone-surrogate'
  | 'empty-batch'
  | 'batch'
  | 'truncated'
  | 'overrun'
  | 'runaway'

/** Which of the deciding members were seen. */
export interface Shape {
  /** `jsonrpc` is there and is `"2.0"`. */
  readonly jsonrpc: boolean
  readonly method: boolean
  readonly result: boolean
  readonly error: boolean
}

let table: readonly string[] | undefined

function kinds(): readonly string[] {
  return (table ??= native.faultKinds())
}

/** The name of a kind of fault by its number. */
export function faultName(number: number): FaultName {
  return kinds()[2 * number] as FaultName
}

/**
 * A line that is no message: what is wrong, where, and what is still known of it. The next line is read as if it had
 * not been there.
 */
export class Fault {
  readonly #frame: Frame
  readonly #at: number

  /** @internal */
  constructor(frame: Frame, at: number) {
    this.#frame = frame
    this.#at = at
  }

  /** Whether a value is one, and not only looks like it. @internal */
  static is(value: object): value is Fault {
    return #frame in value
  }

  #word(index: number): number {
    return this.#frame.words[this.#at + index]!
  }

  #long(index: number): number {
    return this.#word(index + 1) * 0x1_0000_0000 + this.#word(index)
  }

  /** Tells a fault from a message. */
  get kind(): 'fault' {
    return 'fault'
  }

  /** What is wrong, as a name that stays the same between versions and languages. */
  get fault(): FaultName {
    return faultName(this.#word(0) >>> NAME)
  }

  /** The same as the code of an error: `ERR_WIRELINE_BAD_ID` for `bad-id`. */
  get code(): string {
    return `ERR_WIRELINE_${this.fault.toUpperCase().replaceAll('-', '_')}`
  }

  /** What is wrong, in one sentence for people. */
  get reason(): string {
    return kinds()[2 * (this.#word(0) >>> NAME) + 1]!
  }

  /** Where, in bytes from the first byte of the line (of the element, inside a batch). */
  get offset(): number {
    return this.#long(9)
  }

  /** The line's bytes, its end not counted. */
  get length(): number {
    return this.#long(12)
  }

  /** The id, if an answer may carry it: it is usable, it stands once, and the whole text is valid JSON. */
  get id(): Id | undefined {
    return (this.#word(0) & ANSWERABLE) === 0 ? undefined : this.idHint
  }

  /** That id's text as it came, quotes included. */
  get rawId(): string | undefined {
    return (this.#word(0) & ANSWERABLE) === 0 ? undefined : this.rawIdHint
  }

  /** The id that was seen. For diagnostics: text that is broken further on may mean something else by it. */
  get idHint(): Id | undefined {
    return readId(this.#frame, this.#frame.extra, this.#at)
  }

  /** The text of the id that was seen. */
  get rawIdHint(): string | undefined {
    if (((this.#word(0) >>> ID_FORM) & 7) === 0) return undefined
    return utf8(held(this.#frame.extra), this.#word(3), this.#word(3) + this.#word(4))
  }

  /** The method that was seen, for diagnostics. */
  get method(): string | undefined {
    const raw = this.rawMethod
    if (raw === undefined) return undefined
    const escaped = (this.#word(0) & METHOD_ESCAPED) !== 0
    return escaped ? unescaped(held(this.#frame.extra), this.#word(7), this.#word(8)) : raw
  }

  /** The method's text as it came, without its quotes. */
  get rawMethod(): string | undefined {
    if ((this.#word(0) & HAS_METHOD) === 0) return undefined
    const from = this.#word(7)
    return utf8(held(this.#frame.extra), from, from + this.#word(8))
  }

  /** Which of the deciding members were seen. */
  get shape(): Shape {
    const bits = this.#word(15)
    return {
      jsonrpc: (bits & 1) !== 0,
      method: (bits & 2) !== 0,
      result: (bits & 4) !== 0,
      error: (bits & 8) !== 0,
    }
  }

  /** The ceiling that was passed, if it was one; in bytes, or levels for `too-deep`. */
  get limit(): number | undefined {
    return (this.#word(0) & HAS_LIMIT) === 0 ? undefined : this.#word(14)
  }

  /**
   * The rule of the protocol that is broken, `R13` for one; `docs/rules.md` has them all. Some depend on which side
   * wrote the line: they are told only by a decoder that was given `from`.
   */
  get rule(): string | undefined {
    const number = this.#word(15) >>> 8
    return number === 0 ? undefined : `R${number}`
  }

  /** The number of the line in its stream, from 1; blank lines count. A `StreamDecoder` does not count: 0. */
  get line(): number {
    return this.#long(16)
  }

  /** Where in the stream the line began, in bytes; 0 where a `StreamDecoder` tells it. */
  get position(): number {
    return this.#long(18)
  }

  /** Where in a batch it stood. */
  get batch(): BatchPlace | undefined {
    if ((this.#word(0) & BATCHED) === 0) return undefined
    return { index: this.#word(11), last: (this.#word(0) & LAST) !== 0 }
  }

  /** The first bytes of the line, at most 48, exactly as they came. */
  get excerpt(): Uint8Array {
    const length = this.#word(2)
    return length === 0 ? new Uint8Array(0) : held(this.#frame.extra).slice(this.#word(1), this.#word(1) + length)
  }

  /** All of it in one line for people. */
  get message(): string {
    const ceiling = this.limit === undefined ? '' : ` (ceiling ${this.limit})`
    return `${this.reason} at byte ${this.offset} of ${this.length}${ceiling}`
  }

  toString(): string {
    return this.message
  }

  /** The fault as an error to be thrown. */
  toError(): WirelineError {
    const { id, rule } = this
    return new WirelineError(this.code, this.message, {
      offset: this.offset,
      ...(id === undefined ? {} : { id }),
      ...(rule === undefined ? {} : { rule }),
    })
  }

  /** The fault as a plain object. */
  toJSON(): Record<string, unknown> {
    const { kind, fault, code, offset, length, id, method, limit, rule, line, position } = this
    return { kind, fault, code, offset, length, id: typeof id === 'bigint' ? String(id) : id, method, limit, rule, line, position }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Fault { ${this.code}: ${this.message} }`
  }

  get [Symbol.toStringTag](): string {
    return 'Fault'
  }
}
