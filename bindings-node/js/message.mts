// Messages as they were received: views of the bytes that they came in, read when they are asked.

import { held, utf8 } from './bytes.mjs'
import { large, readId, type Id } from './id.mjs'
import {
  BATCHED,
  BOM,
  ID_FORM,
  IN_EXTRA,
  LAST,
  MESSAGE,
  META,
  METHOD_ESCAPED,
  NAME,
  NULL_PARAMS,
  type Frame,
} from './layout.mjs'
import { textOf } from './text.mjs'
import native from '#native'

export type { Id } from './id.mjs'

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** An object of JSON. */
export interface JsonObject {
  [name: string]: Json
}

const KINDS = ['request', 'notification', 'result', 'error'] as const

/** What kind of message it is. */
export type Kind = (typeof KINDS)[number]

/** What was tolerated in a message. */
export interface Flags {
  /** `params` was `null`, and counts as absent. */
  readonly nullParams: boolean
  /** A byte order mark stood before it, at the start of the stream. */
  readonly bom: boolean
}

/** Where an element of a batch stood. */
export interface BatchPlace {
  /** Its place, from 0. */
  readonly index: number
  /** Whether it is the last one. */
  readonly last: boolean
}

/** The error of an error response. */
export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: Json
}

/** What a protocol's state depends on besides id and method; see `docs/node.md`. */
export interface Meta {
  readonly progressToken?: Exclude<Id, null>
  readonly protocolVersion?: string
  readonly clientCapabilities?: JsonObject
  readonly logLevel?: string
  readonly subscriptionId?: Exclude<Id, null>
  readonly requestId?: Exclude<Id, null>
  readonly progress?: number
  readonly resultType?: string
  readonly supported?: Json[]
}

interface Common {
  /** The whole line's bytes, without its end; a view, which keeps the chunk alive. */
  readonly raw: Uint8Array
  /** What was tolerated. */
  readonly flags: Flags
  /** Where it stood in a batch. */
  readonly batch: BatchPlace | undefined
  /** Progress tokens, versions and the like. */
  readonly meta: Meta
  /** A message with the same contents in memory of its own, to be kept for long: others keep their whole chunk. */
  detach(): this
  /** The message as a plain object, parsed. */
  toJSON(): JsonObject
}

/** A request. */
export interface RequestMessage extends Common {
  readonly kind: 'request'
  /** Its id: a number where that is exact, else a bigint; or a string. */
  readonly id: Id
  /** The id's text as it came, quotes included. */
  readonly rawId: string
  readonly method: string
  /** Its parameters, parsed when they are first asked for. */
  readonly params: Json | undefined
  /** Their text: integers of any size are exact there. */
  readonly rawParams: Uint8Array | undefined
  readonly result: undefined
  readonly rawResult: undefined
  readonly error: undefined
  readonly rawError: undefined
}

/** A notification. */
export interface NotificationMessage extends Common {
  readonly kind: 'notification'
  readonly id: undefined
  readonly rawId: undefined
  readonly method: string
  readonly params: Json | undefined
  readonly rawParams: Uint8Array | undefined
  readonly result: undefined
  readonly rawResult: undefined
  readonly error: undefined
  readonly rawError: undefined
}

/** The result of a request. */
export interface ResultMessage extends Common {
  readonly kind: 'result'
  readonly id: Id
  readonly rawId: string
  readonly method: undefined
  readonly params: undefined
  readonly rawParams: undefined
  readonly result: Json
  readonly rawResult: Uint8Array
  readonly error: undefined
  readonly rawError: undefined
}

/** An error: of a request, or of the connection if it has no id. */
export interface ErrorMessage extends Common {
  readonly kind: 'error'
  readonly id: Id | undefined
  readonly rawId: string | undefined
  readonly method: undefined
  readonly params: undefined
  readonly rawParams: undefined
  readonly result: undefined
  readonly rawResult: undefined
  readonly error: ErrorObject
  readonly rawError: Uint8Array
}

/** A message; `kind` tells which. */
export type Message = RequestMessage | NotificationMessage | ResultMessage | ErrorMessage

const UNPARSED = Symbol('unparsed')

/** A string between quotes that holds escapes. */
export function unescaped(bytes: Uint8Array, from: number, length: number): string {
  return JSON.parse(`"${utf8(bytes, from, from + length)}"`) as string
}

/** All messages are of this class, which the interfaces above describe. */
export class Line {
  readonly #frame: Frame
  readonly #at: number
  #body: unknown = UNPARSED

  constructor(frame: Frame, at: number) {
    this.#frame = frame
    this.#at = at
  }

  /** The limits that a message was read with; nothing for what is none. */
  static limitsOf(value: object): Uint32Array | undefined {
    return #frame in value ? value.#frame.limits : undefined
  }

  /** The bytes that the record's offsets count in. */
  #source(): Uint8Array {
    const frame = this.#frame
    return (frame.words[this.#at]! & IN_EXTRA) === 0 ? frame.bytes : frame.extra
  }

  /** The same, to be read. */
  #bytes(): Uint8Array {
    return held(this.#source())
  }

  get kind(): Kind {
    return KINDS[this.#frame.words[this.#at]! & 3]!
  }

  get id(): Id | undefined {
    return readId(this.#frame, this.#source(), this.#at)
  }

  get rawId(): string | undefined {
    const { words } = this.#frame
    const from = words[this.#at + 3]!
    const length = words[this.#at + 4]!
    return length === 0 ? undefined : utf8(this.#bytes(), from, from + length)
  }

  get method(): string | undefined {
    const { words, names } = this.#frame
    const number = words[this.#at]! >>> NAME
    if (number !== 0) {
      const known = names[number]
      if (known !== undefined) return known
    }
    return this.#name(number)
  }

  #name(number: number): string | undefined {
    const { words, names } = this.#frame
    if ((words[this.#at]! & 3) > 1) return undefined
    const from = words[this.#at + 7]!
    const length = words[this.#at + 8]!
    if ((words[this.#at]! & METHOD_ESCAPED) !== 0) return unescaped(this.#bytes(), from, length)
    const name = utf8(this.#bytes(), from, from + length)
    if (number !== 0) names[number] = name
    return name
  }

  /** The value of `params`, `result` or `error`, whichever it has. */
  #value(): unknown {
    if (this.#body === UNPARSED) {
      const { words } = this.#frame
      const from = words[this.#at + 9]!
      const length = words[this.#at + 10]!
      this.#body = length === 0 ? undefined : JSON.parse(textOf(this.#bytes(), from, from + length))
    }
    return this.#body
  }

  #view(from: number, length: number): Uint8Array {
    const bytes = this.#bytes()
    return new Uint8Array(bytes.buffer, bytes.byteOffset + from, length)
  }

  #rawBody(): Uint8Array | undefined {
    const { words } = this.#frame
    const length = words[this.#at + 10]!
    return length === 0 ? undefined : this.#view(words[this.#at + 9]!, length)
  }

  get #isCall(): boolean {
    return (this.#frame.words[this.#at]! & 3) < 2
  }

  get params(): Json | undefined {
    return this.#isCall ? (this.#value() as Json | undefined) : undefined
  }

  get rawParams(): Uint8Array | undefined {
    return this.#isCall ? this.#rawBody() : undefined
  }

  get result(): Json | undefined {
    return this.kind === 'result' ? (this.#value() as Json) : undefined
  }

  get rawResult(): Uint8Array | undefined {
    return this.kind === 'result' ? this.#rawBody() : undefined
  }

  get error(): ErrorObject | undefined {
    return this.kind === 'error' ? (this.#value() as ErrorObject) : undefined
  }

  get rawError(): Uint8Array | undefined {
    return this.kind === 'error' ? this.#rawBody() : undefined
  }

  get raw(): Uint8Array {
    const { words } = this.#frame
    return this.#view(words[this.#at + 1]!, words[this.#at + 2]!)
  }

  get flags(): Flags {
    const head = this.#frame.words[this.#at]!
    return { nullParams: (head & NULL_PARAMS) !== 0, bom: (head & BOM) !== 0 }
  }

  get batch(): BatchPlace | undefined {
    const head = this.#frame.words[this.#at]!
    if ((head & BATCHED) === 0) return undefined
    return { index: this.#frame.words[this.#at + 11]!, last: (head & LAST) !== 0 }
  }

  get meta(): Meta {
    const { raw } = this
    const spans = new Uint32Array(2 * META.length)
    const found: Record<string, unknown> = {}
    if (!native.meta(raw, this.#frame.limits, spans)) return found
    META.forEach((name, index) => {
      const from = spans[2 * index]!
      const length = spans[2 * index + 1]!
      if (length === 0) return
      const text = utf8(raw, from, from + length)
      const value: unknown = JSON.parse(text)
      // Of a large id the double would be another one.
      found[name] =
        typeof value === 'number' && name !== 'progress' && Number.isInteger(value) && !Number.isSafeInteger(value)
          ? large(text)
          : value
    })
    return found
  }

  detach(): this {
    const { words, names, limits } = this.#frame
    const record = words.slice(this.#at, this.#at + MESSAGE)
    const base = record[1]!
    for (const offset of [1, 3, 7, 9]) record[offset] = Math.max(0, record[offset]! - base)
    record[0]! &= ~IN_EXTRA
    const bytes = this.raw.slice()
    return new Line({ words: record, bytes, extra: bytes, names, limits }, 0) as this
  }

  toJSON(): JsonObject {
    const { words } = this.#frame
    const from = words[this.#at + 1]!
    return JSON.parse(textOf(this.#bytes(), from, from + words[this.#at + 2]!)) as JsonObject
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth: number, options: object, inspect?: (value: unknown, options: object) => string): unknown {
    const shown: Record<string, unknown> = { kind: this.kind }
    if (((this.#frame.words[this.#at]! >>> ID_FORM) & 7) !== 0) shown['id'] = this.id
    if (this.#isCall) shown['method'] = this.method
    const body = this.#value()
    if (body !== undefined) shown[this.#isCall ? 'params' : this.kind] = body
    return inspect === undefined ? shown : `Message ${inspect(shown, options)}`
  }

  get [Symbol.toStringTag](): string {
    return 'Message'
  }
}
