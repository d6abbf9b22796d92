// What functions return, as the results that the protocol has.

import { WirelineError } from './errors.mjs'
import type { JsonObject } from './message.mjs'

type Value = Record<string, unknown>

function isObject(value: unknown): value is Value {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function unwritable(what: string, value: unknown): never {
  const kind = value === null ? 'null' : typeof value
  throw new WirelineError('ERR_WIRELINE_NOT_JSON', `${what} is ${kind === 'bigint' ? 'a BigInt' : `a ${kind}`}, which JSON cannot hold`)
}

/** The result of a tool: its own, or made of what it returned. */
export function toolResult(value: unknown, structured: boolean): Value {
  if (isObject(value) && Array.isArray(value['content'])) return value
  if (value === undefined || value === null) return { content: [] }
  if (isText(value)) {
    if (typeof value === 'number' && !Number.isFinite(value)) unwritable('the value of a tool', value)
    return { content: [{ type: 'text', text: String(value) }] }
  }
  if (typeof value !== 'object') unwritable('the value of a tool', value)
  if (isObject(value) && typeof value['type'] === 'string' && !structured) return { content: [value] }
  // Clients that know of no structured content read the text.
  const text = JSON.stringify(value, (_key, it: unknown) => (typeof it === 'number' && !Number.isFinite(it) ? unwritable('a number', it) : it))
  const result: Value = { content: [{ type: 'text', text }] }
  if (isObject(value)) result['structuredContent'] = value
  return result
}

/** A failure that the model is to see. */
export function toolFailure(text: string): Value {
  return { content: [{ type: 'text', text }], isError: true }
}

/** The result of reading a resource. */
export function resourceResult(value: unknown, uri: string, mimeType: unknown): Value {
  if (isObject(value) && Array.isArray(value['contents'])) return value
  const entry: JsonObject = { uri, ...(typeof mimeType === 'string' ? { mimeType } : {}) }
  if (value instanceof Uint8Array) return { contents: [{ ...entry, blob: Buffer.from(value).toString('base64') }] }
  if (isText(value)) return { contents: [{ ...entry, text: String(value) }] }
  if (value !== null && typeof value === 'object') return { contents: [{ ...entry, text: JSON.stringify(value) }] }
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
