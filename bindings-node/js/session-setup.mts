// What sessions and their calls are told, checked and turned into what the native part takes.

import { encode, jsonBytes } from './bytes.mjs'
import { invalidType, mended, outOfRange } from './errors.mjs'
import { NOTHING } from './input.mjs'
import { stringify } from './json.mjs'
import type { JsonObject } from './message.mjs'
import { choice, flag, integer, limitWords, object } from './options.mjs'
import {
  REVISIONS,
  type CacheHint,
  type ClientSessionOptions,
  type RequestOptions,
  type Revision,
  type ServerSessionOptions,
  type SessionOptions,
  type Subscription,
} from './session-types.mjs'
import native from '#native'

const MOST_MILLIS = 0xffff_ffff

/** A string. */
export function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidType(name, 'a string', value)
  return value
}

/** A string that may be missing, as an empty one. */
export function optionalText(value: unknown, name: string): string {
  return value === undefined ? '' : text(value, name)
}

/** A number of milliseconds. */
export function number(value: unknown, name: string): number {
  if (typeof value !== 'number') throw invalidType(name, 'a number', value)
  if (!(value >= 0) || value > Number.MAX_SAFE_INTEGER) throw outOfRange(name, 'a number of 0 or more', value)
  return value
}

/** JSON text of a value; a `Uint8Array` is such text already. `undefined` is none, as what this gave for it is. */
export function payload(value: unknown, name: string): Uint8Array {
  if (value === undefined || value === NOTHING) return NOTHING
  if (ArrayBuffer.isView(value)) return jsonBytes(value, name)
  return encode(stringify(value, name))
}

/** A handle; what is none names no request. */
export function handleOf(value: unknown): number {
  if (typeof value !== 'number') throw invalidType('handle', 'a handle, which is a number', value)
  // Any other number names no request.
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** The options of a request that are numbers. */
export function requestNumbers(options: RequestOptions | undefined): Float64Array {
  const given = object(options, 'options')
  return Float64Array.of(
    integer(given.timeout, 'options.timeout', 0, MOST_MILLIS, -1),
    integer(given.hardTimeout, 'options.hardTimeout', 0, MOST_MILLIS, -1),
    flag(given.progress, 'options.progress') ? 1 : 0
  )
}

/** What a subscription covers. */
export function covers(subscription: Subscription): { flags: number; uris: Uint8Array } {
  const given = object(subscription, 'subscription')
  const { uris } = given
  if (uris !== undefined && !Array.isArray(uris)) throw invalidType('subscription.uris', 'an array of strings', uris)
  uris?.forEach((uri: unknown, at: number) => text(uri, `subscription.uris[${at}]`))
  let flags = 0
  if (flag(given.tools, 'subscription.tools')) flags |= 1
  if (flag(given.prompts, 'subscription.prompts')) flags |= 2
  if (flag(given.resources, 'subscription.resources')) flags |= 4
  return { flags, uris: payload(uris, 'subscription.uris') }
}

/** Members of the capabilities that the core has no table for. */
const OTHER = ['experimental', 'extensions']
const KNOWN = ['roots', 'sampling', 'elicitation', 'tasks', 'logging', 'completions', 'prompts', 'resources', 'tools']

function capabilitiesOf(given: unknown): [Uint8Array, Uint8Array] {
  const all = object(given as JsonObject | undefined, 'options.capabilities')
  const more: JsonObject = {}
  const declared: JsonObject = {}
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue
    if (KNOWN.includes(name)) declared[name] = value
    else if (OTHER.includes(name) || typeof value === 'object') more[name] = value
    else throw invalidType(`options.capabilities.${name}`, 'an object', value)
  }
  const rest = Object.keys(more).length === 0 ? NOTHING : payload(more, 'options.capabilities')
  return [payload(declared, 'options.capabilities'), rest]
}

/** The options of either role. */
export type AnyOptions = SessionOptions & Partial<ClientSessionOptions> & Partial<ServerSessionOptions>

function revisionBits(given: readonly Revision[] | undefined): number {
  if (given === undefined) return 31
  if (!Array.isArray(given)) throw invalidType('options.revisions', 'an array of revisions', given)
  let bits = 0
  given.forEach((name, at) => {
    choice(name, `options.revisions[${at}]`, REVISIONS)
    bits |= 1 << REVISIONS.indexOf(name)
  })
  if (bits === 0) throw outOfRange('options.revisions', 'at least one revision', given)
  return bits
}

/** How long something may be kept; a negative time for nothing said. */
export function cacheOf(cache: CacheHint | undefined, name: string): { ttl: number; isPublic: boolean } {
  if (cache === undefined) return { ttl: -1, isPublic: false }
  const given = object(cache, name)
  return {
    ttl: integer(given.ttlMs, `${name}.ttlMs`, 0, MOST_MILLIS, 0),
    isPublic: choice(given.scope, `${name}.scope`, ['public', 'private'] as const) === 'public',
  }
}

/** The native part of a session. @internal */
export function setUp(role: number, options: AnyOptions): InstanceType<typeof native.Session> {
  if (options === undefined || options === null) throw invalidType('options', 'an object', options)
  const given = object(options, 'options')
  const { ttl, isPublic } = cacheOf(given.cache, 'options.cache')
  let policy = 0
  if (flag(given.oneEra, 'options.oneEra')) policy |= 1
  if (flag(given.answerUnparsable, 'options.answerUnparsable')) policy |= 2
  const numbers = Float64Array.of(
    role,
    revisionBits(given.revisions),
    Math.max(0, ttl),
    isPublic ? 1 : 0,
    policy,
    integer(given.tooLongCode, 'options.tooLongCode', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, -32600),
    integer(given.requestTimeout, 'options.requestTimeout', 0, MOST_MILLIS, 60_000),
    integer(given.hardTimeout, 'options.hardTimeout', 0, MOST_MILLIS, 600_000),
    integer(given.probeTimeout, 'options.probeTimeout', 1, MOST_MILLIS, 10_000),
    integer(given.maxRounds, 'options.maxRounds', 0, 255, 10),
    integer(given.maxInbound, 'options.maxInbound', 0, 65_535, 256),
    integer(given.maxOutbound, 'options.maxOutbound', role === 0 ? 1 : 0, 65_535, 256),
    integer(given.maxBatch, 'options.maxBatch', 0, 1 << 30, 1 << 18)
  )
  const texts = [
    text(given.name, 'options.name'),
    text(given.version, 'options.version'),
    optionalText(given.title, 'options.title'),
    optionalText(given.instructions, 'options.instructions'),
  ]
  const [declared, more] = capabilitiesOf(given.capabilities)
  return mended(() => new native.Session(texts, declared, more, numbers, limitWords(given)))
}
