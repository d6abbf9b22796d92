// Options of decoders.

import { invalidType, outOfRange } from './errors.mjs'

/** The ceilings of a decoder. A message over one is scanned to its end, so its id is known. */
export interface Limits {
  /** Bytes of a message without its line end. @defaultValue 16 MiB (16777216), and at least 64 */
  maxMessage?: number
  /** Containers that are open at once. @defaultValue 127, which is also the most; at least 4 */
  maxDepth?: number
  /** Bytes of an id's token, quotes included. @defaultValue 128, and at most 16384 */
  maxId?: number
  /** Bytes of a method's token. @defaultValue 128, and at most 16384 */
  maxMethod?: number
  /** Bytes without a line end after which the stream is given up as `runaway`; 0 is never. @defaultValue 0 */
  maxDiscard?: number
}

/** What a decoder can be told. */
export interface DecoderOptions extends Limits {
  /**
   * What `params` and `result` may be: objects only (`mcp`), or all that JSON-RPC 2.0 allows (`json-rpc`), and whether
   * an id may be `null` (`json-rpc`). @defaultValue 'mcp'
   */
  profile?: 'mcp' | 'json-rpc'
  /** Whether a batch comes as its elements, as revision 2025-03-26 has them, or as one fault. @defaultValue false */
  batches?: boolean
  /** Whether the end of the input ends a line, too. @defaultValue false: what is left is a `truncated` fault */
  eofCompletesLine?: boolean
  /** Which side writes what is decoded, so that faults name the rule that it breaks. */
  from?: 'client' | 'server'
  /**
   * Whether messages may be views of the very chunks that are pushed. Set it only where nobody writes to a chunk once
   * it was pushed, and no chunk is reused: a Node stream never reuses its chunks, a `read` into one's own buffer does.
   * @defaultValue false: a chunk is copied once
   */
  borrow?: boolean
}

/** An integer in a range. */
export function integer(value: unknown, name: string, least: number, most: number, preset: number): number {
  if (value === undefined) return preset
  if (typeof value !== 'number') throw invalidType(name, 'a number', value)
  if (!Number.isInteger(value) || value < least || value > most) {
    throw outOfRange(name, `an integer from ${least} to ${most}`, value)
  }
  return value
}

/** A boolean option. */
export function flag(value: unknown, name: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw invalidType(name, 'a boolean', value)
  return value
}

/** One of a few strings. */
export function choice<T extends string>(value: unknown, name: string, choices: readonly T[]): T | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalidType(name, 'a string', value)
  if (!choices.includes(value as T)) throw outOfRange(name, `one of ${choices.map((it) => `'${it}'`).join(', ')}`, value)
  return value as T
}

/** An object of options. */
export function object<T extends object>(value: T | undefined, name: string): Partial<T> {
  if (value === undefined) return {}
  if (value === null || typeof value !== 'object') throw invalidType(name, 'an object', value)
  return value
}

/** The words that the native part takes limits as. */
export function limitWords(options: DecoderOptions | undefined): Uint32Array {
  const given = object(options, 'options')
  let flags = 0
  if (choice(given.profile, 'options.profile', ['mcp', 'json-rpc']) === 'json-rpc') flags |= 1
  if (flag(given.eofCompletesLine, 'options.eofCompletesLine')) flags |= 2
  if (flag(given.batches, 'options.batches')) flags |= 4
  return Uint32Array.of(
    integer(given.maxMessage, 'options.maxMessage', 64, 0xffff_fff0, 16 * 1024 * 1024),
    integer(given.maxDepth, 'options.maxDepth', 4, 127, 127),
    integer(given.maxId, 'options.maxId', 1, 16384, 128),
    integer(given.maxMethod, 'options.maxMethod', 1, 16384, 128),
    integer(given.maxDiscard, 'options.maxDiscard', 0, 0xffff_ffff, 0),
    flags
  )
}

/** Which side writes, as a number. */
export function fromNumber(options: DecoderOptions | undefined): number {
  const from = choice(options?.from, 'options.from', ['client', 'server'])
  return from === undefined ? 0 : from === 'client' ? 1 : 2
}
