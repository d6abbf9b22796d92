// Bytes out of messages.

import { bytes, encode as encodeText, jsonBytes } from './bytes.mjs'
import { examineUnder } from './decoder.mjs'
import { invalidType, mended, outOfRange, WirelineError } from './errors.mjs'
import { Fault } from './fault.mjs'
import type { Id } from './id.mjs'
import { stringify } from './json.mjs'
import { Line } from './message.mjs'
import { choice, fromNumber, limitWords, object, type DecoderOptions } from './options.mjs'
import native from '#native'

/** An id, or a message or fault whose id is written exactly as it came. */
export type IdLike = Id | { readonly rawId: string | undefined }

/** What encoders can be told. */
export interface EncodeOptions {
  /** What `params` and `result` may be: objects (`mcp`), or all that JSON-RPC 2.0 allows. @defaultValue 'mcp' */
  profile?: 'mcp' | 'json-rpc'
}

/** A result without members. */
const EMPTY = encodeText('{}')

/** The token of an id of ours. */
export function idToken(id: unknown, name: string, ours: boolean): string {
  switch (typeof id) {
    case 'number':
      if (!Number.isSafeInteger(id)) throw outOfRange(name, 'an integer within ±(2**53 - 1)', id)
      return String(id === 0 ? 0 : id)
    case 'bigint':
      if (ours && (id > BigInt(Number.MAX_SAFE_INTEGER) || id < BigInt(Number.MIN_SAFE_INTEGER))) {
        throw outOfRange(name, 'an integer within ±(2**53 - 1), which every peer keeps exact', id)
      }
      return String(id)
    case 'string':
      if (ours && id === '') throw outOfRange(name, 'a string that is not empty', id)
      return stringify(id, name)
    case 'object':
      if (id !== null && 'rawId' in id && typeof id.rawId === 'string') {
        // What only looks like a message may have anything for its id, a line end first of all.
        if (Line.limitsOf(id) === undefined && !Fault.is(id)) mended(() => native.encode(2, id.rawId as string, false, '', 0, EMPTY, false))
        return id.rawId
      }
      throw invalidType(name, 'a number, a bigint, a string, or a message that has an id', id)
    default:
      throw invalidType(name, 'a number, a bigint, a string, or a message that has an id', id)
  }
}

function isObject(text: string): boolean {
  return text.startsWith('{')
}

function profileOf(options: EncodeOptions | undefined): 'mcp' | 'json-rpc' {
  return choice(object(options, 'options').profile, 'options.profile', ['mcp', 'json-rpc'] as const) ?? 'mcp'
}

function string(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidType(name, 'a string', value)
  return value
}

/** Text of `params` or `result`, where it may be of these types. */
function payload(value: unknown, name: string, profile: string, arrays: boolean): string {
  const text = stringify(value, name)
  const good = isObject(text) || (profile === 'json-rpc' && (!arrays || text.startsWith('[')))
  if (!good) throw new WirelineError('ERR_WIRELINE_BAD_PAYLOAD', `${name} must be an object, and is ${text.slice(0, 28)}`)
  return text
}

/**
 * A request as a line, its line end included.
 *
 * @param id an integer within ±(2**53 - 1) or a string that is not empty: what every peer keeps exact.
 * @param params a value to be written as JSON, or a `Uint8Array` of JSON text.
 * @throws {@link WirelineError}: `ERR_WIRELINE_NOT_JSON`; `ERR_WIRELINE_BAD_JSON`, `ERR_WIRELINE_TOO_DEEP` for text that is
 * none, or has more than 127 levels; `ERR_WIRELINE_BAD_PAYLOAD`.
 *
 * @example
 * ```js
 * import { encodeRequest } from 'wireline'
 * process.stdout.write(encodeRequest(1, 'tools/call', { name: 'echo', arguments: { text: 'hello' } }))
 * ```
 */
export function encodeRequest(id: Exclude<Id, null>, method: string, params?: unknown, options?: EncodeOptions): Uint8Array {
  const token = idToken(id, 'id', true)
  const profile = profileOf(options)
  string(method, 'method')
  if (ArrayBuffer.isView(params)) {
    return mended(() => native.encode(0, token, false, method, 0, jsonBytes(params, 'params'), profile === 'json-rpc'))
  }
  const rest = params === undefined ? '' : `,"params":${payload(params, 'params', profile, true)}`
  return encodeText(`{"jsonrpc":"2.0","id":${token},"method":${stringify(method, 'method')}${rest}}\n`)
}

/** A notification as a line. See {@link encodeRequest}. */
export function encodeNotification(method: string, params?: unknown, options?: EncodeOptions): Uint8Array {
  const profile = profileOf(options)
  string(method, 'method')
  if (ArrayBuffer.isView(params)) {
    return mended(() => native.encode(1, '', false, method, 0, jsonBytes(params, 'params'), profile === 'json-rpc'))
  }
  const rest = params === undefined ? '' : `,"params":${payload(params, 'params', profile, true)}`
  return encodeText(`{"jsonrpc":"2.0","method":${stringify(method, 'method')}${rest}}\n`)
}

/**
 * The result of a request as a line. Give the request itself as `id`, and its id is written exactly as it came.
 * See {@link encodeRequest}.
 */
export function encodeResult(id: Exclude<IdLike, null>, result: unknown, options?: EncodeOptions): Uint8Array {
  const token = idToken(id, 'id', false)
  const profile = profileOf(options)
  if (ArrayBuffer.isView(result)) {
    return mended(() => native.encode(2, token, false, '', 0, jsonBytes(result, 'result'), profile === 'json-rpc'))
  }
  return encodeText(`{"jsonrpc":"2.0","id":${token},"result":${payload(result, 'result', profile, false)}}\n`)
}

/**
 * An error as a line. The id is that of the request (or the request, or a fault that has one), `null` to say so, or
 * `undefined` to leave the member out, as revisions from 2025-11-25 on want it where the id is not known.
 */
export function encodeError(id: IdLike | undefined, code: number, message: string, data?: unknown): Uint8Array {
  if (typeof code !== 'number') throw invalidType('code', 'a number', code)
  if (!Number.isSafeInteger(code)) throw outOfRange('code', 'an integer within ±(2**53 - 1)', code)
  string(message, 'message')
  const token = id === undefined || id === null ? '' : idToken(id, 'id', false)
  if (ArrayBuffer.isView(data)) {
    return mended(() => native.encode(3, token, id === null, message, code, jsonBytes(data, 'data'), false))
  }
  const own = id === undefined ? '' : `"id":${id === null ? 'null' : token},`
  const rest = data === undefined ? '' : `,"data":${stringify(data, 'data')}`
  return encodeText(`{"jsonrpc":"2.0",${own}"error":{"code":${code},"message":${stringify(message, 'message')}${rest}}}\n`)
}

/** Other ids for a message that is passed on; what is not given stays. */
export interface Renumbering {
  id?: Exclude<Id, null>
  /** That of a `notifications/cancelled`. */
  requestId?: Exclude<Id, null>
  progressToken?: Exclude<Id, null>
  subscriptionId?: Exclude<Id, null>
}

/**
 * Passes a message on with other ids, its body untouched: what a proxy needs.
 *
 * @param message a message, or the bytes of one.
 * @param options limits that hold for what comes in and for what goes out. Without them a message has those that it was
 * read with.
 * @throws {@link WirelineError}: `ERR_WIRELINE_NO_MEMBER` if the message has no such id, `ERR_WIRELINE_BAD_ID`; for what
 * is no message, or is over a ceiling, what `parse` throws: `ERR_WIRELINE_TOO_LONG`, `ERR_WIRELINE_TOO_DEEP` and so on.
 */
export function forward(
  message: Uint8Array | { readonly raw: Uint8Array },
  ids: Renumbering,
  options?: DecoderOptions
): Uint8Array {
  const raw = ArrayBuffer.isView(message) ? message : object(message, 'message').raw
  const given = object(ids, 'ids')
  const token = (name: keyof Renumbering) => (given[name] === undefined ? '' : idToken(given[name], `ids.${name}`, false))
  const names = ['id', 'requestId', 'progressToken', 'subscriptionId'] as const
  const tokens = names.map(token)
  // What was read under other ceilings than the usual ones is passed on under them.
  const limits = (options === undefined ? Line.limitsOf(message) : undefined) ?? limitWords(options)
  const input = bytes(raw, 'message')
  let line: Uint8Array
  try {
    line = mended(() => native.forward(input, limits, tokens))
  } catch (error) {
    // What is no message is told as `parse` tells it.
    const item = examineUnder(input, limits, fromNumber(options))
    throw item.kind === 'fault' ? item.toError() : error
  }
  if (options === undefined) return line
  const [maxMessage = 0, , maxId = 0] = limits
  names.forEach((name, at) => {
    if (encodeText(tokens[at]!).length > maxId) throw outOfRange(`ids.${name}`, `an id of at most ${maxId} bytes`, given[name])
  })
  if (line.length - 1 > maxMessage) throw new WirelineError('ERR_WIRELINE_TOO_LONG', `the message would have ${line.length - 1} bytes (ceiling ${maxMessage})`)
  return line
}

