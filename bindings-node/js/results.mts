// What functions return, as the results that the protocol has.

import { WirelineError } from './errors.mjs'
import { stringify } from './json.mjs'
import type { JsonObject } from './message.mjs'

type Value = Record<string, unknown>

function isObject(value: unknown): value is Value {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function unwritable(what: string, value: unknown): never {
  const kinds: Record<string, string> = { bigint: 'a BigInt', object: value === null ? 'null' : 'an object', undefined: 'undefined' }
  throw new WirelineError('ERR_WIRELINE_NOT_JSON', `${what} is ${kinds[typeof value] ?? `a ${typeof value}`}, which JSON cannot hold`)
}

/** What a value says that it is in JSON: text for a `Date` or a `URL`. */
function plain(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON.call(value, '') as unknown) : value
}

/** The result of a tool: its own, or made of what it returned. */
export function toolResult(given: unknown, structured: boolean): Value {
  const value = plain(given)
  if (isObject(value) && Array.isArray(value['content'])) return value
  if (value === undefined || value === null) return { content: [] }
  if (isText(value)) {
    if (typeof value === 'number' && !Number.isFinite(value)) unwritable('the value of a tool', value)
    return { content: [{ type: 'text', text: String(value) }] }
  }
  if (typeof value !== 'object') unwritable('the value of a tool', value)
  if (value instanceof Error) throw new WirelineError('ERR_WIRELINE_NOT_JSON', 'the value of a tool is an error, of which JSON holds nothing: throw it', { cause: value })
  if (ArrayBuffer.isView(value)) {
    throw new WirelineError('ERR_WIRELINE_NOT_JSON', 'the value of a tool is bytes, which JSON cannot hold: return them as an image, or as a resource')
  }
  if (isObject(value) && typeof value['type'] === 'string' && !structured) return { content: [value] }
  // Clients that know of no structured content read the text.
  const text = stringify(value, 'the value of a tool')
  const result: Value = { content: [{ type: 'text', text }] }
  if (isObject(value)) result['structuredContent'] = value
  return result
}

/** A failure that the model is to see. */
export function toolFailure(text: string): Value {
  return { content: [{ type: 'text', text }], isError: true }
}

/** The bytes that a value is, in whichever of their forms. */
function bytesOf(value: unknown): Buffer | undefined {
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  if (!ArrayBuffer.isView(value)) return undefined
  // Throws where the memory is gone.
  const { buffer, byteOffset, byteLength } = new DataView(value.buffer, value.byteOffset, value.byteLength)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The result of reading a resource. */
export function resourceResult(given: unknown, uri: string, mimeType: unknown): Value {
  const bytes = bytesOf(given)
  const value = bytes === undefined ? plain(given) : undefined
  if (isObject(value) && Array.isArray(value['contents'])) return value
  const entry: JsonObject = { uri, ...(typeof mimeType === 'string' ? { mimeType } : {}) }
  if (bytes !== undefined) return { contents: [{ ...entry, blob: bytes.toString('base64') }] }
  if (isText(value)) return { contents: [{ ...entry, text: String(value) }] }
  if (value !== null && typeof value === 'object') return { contents: [{ ...entry, text: stringify(value, `what reading ${uri} gave`) }] }
  return unwritable(`what reading ${uri} gave`, value)
}

/** The result of a prompt. */
export function promptResult(value: unknown, description: unknown): Value {
  if (isObject(value) && Array.isArray(value['messages'])) return value
  const own = typeof description === 'string' ? { description } : {}
  if (Array.isArray(value)) return { ...own, messages: value }
  if (isText(value)) return { ...own, messages: [{ role: 'user', content: { type: 'text', text: String(value) } }] }
  return unwritable('what a prompt gave', value)
}

/** What was thrown, in words: anything can be. Unpaired surrogates are replaced. */
export function wordsOf(thrown: unknown): string {
  try {
    const words = thrown instanceof Error ? String(thrown.message) || thrown.name : String(thrown)
    return Buffer.from(words).toString()
  } catch {
    return 'the function threw something that has no text'
  }
}
