// The words that the native part describes messages with: the same as in `src/record.rs`.

/** Words of a message's record. */
export const MESSAGE = 12
/** Words of a fault's record. */
export const FAULT = 20
/** Words before the first record: how far it came, extra bytes, closed, done. */
export const HEADER = 4

export const IS_FAULT = 1 << 2
export const IN_EXTRA = 1 << 3
export const NULL_PARAMS = 1 << 4
export const BOM = 1 << 5
export const BATCHED = 1 << 6
export const LAST = 1 << 7
export const ID_FORM = 8
export const ID_ODD = 1 << 11
export const METHOD_ESCAPED = 1 << 12
export const ANSWERABLE = 1 << 13
export const HAS_LIMIT = 1 << 14
export const HAS_METHOD = 1 << 15
export const NAME = 16

/** The forms of an id. */
export const FORM = { none: 0, positive: 1, negative: 2, plain: 3, escaped: 4, null: 5, large: 6 } as const

/** The members of `meta`, in the order of their spans. */
export const META = [
  'progressToken',
  'protocolVersion',
  'clientCapabilities',
  'logLevel',
  'subscriptionId',
  'requestId',
  'progress',
  'resultType',
  'supported',
] as const

/** What a call of the native part found. Records refer to it and keep it alive. */
export interface Frame {
  readonly words: Uint32Array
  /** The chunk, or a copy of it. */
  readonly bytes: Uint8Array
  /** What lies in no chunk. */
  readonly extra: Uint8Array
  /** The names of methods by number, made when they are first asked for. */
  readonly names: (string | undefined)[]
  /** The limits that it was read with. */
  readonly limits: Uint32Array
}
