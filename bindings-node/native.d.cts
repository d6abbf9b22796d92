/** What the native addon offers to this package. It is no part of the package's interface. */
export interface Decoder {
  decode(chunk: Uint8Array, at: number, leave: boolean, words: Uint32Array): number
  finish(words: Uint32Array): number
  parse(text: Uint8Array, words: Uint32Array): number
  takeExtra(): Uint8Array
  pending(): number[]
  limits(): number[]
  reset(): void
}
export const Decoder: new (options: Uint32Array, from: number) => Decoder
export function meta(text: Uint8Array, options: Uint32Array, words: Uint32Array): boolean
export function faultKinds(): string[]
/** The string of a part of bytes that are UTF-8, where that is faster than what JavaScript has. */
export const text: ((bytes: Uint8Array, from: number, length: number) => string) | undefined
/** How many bytes of a chunk it takes at once, if there is a limit. */
export const piece: number | undefined
export interface StreamDecoder {
  decode(chunk: Uint8Array, at: number, words: Uint32Array): number
  finish(words: Uint32Array): number
  takeExtra(): Uint8Array
  reset(): void
}
export const StreamDecoder: new (options: Uint32Array, from: number) => StreamDecoder
export function encode(
  kind: number,
  id: string,
  nullId: boolean,
  text: string,
  code: number,
  payload: Uint8Array,
  jsonRpc: boolean
): Uint8Array
export function forward(text: Uint8Array, options: Uint32Array, tokens: string[]): Uint8Array
export interface Session {
  receive(chunk: Uint8Array, at: number, leave: boolean, now: number, words: Uint32Array): number
  expire(now: number, words: Uint32Array): number
  close(now: number, words: Uint32Array): number
  takeExtra(): Uint8Array
  takeSent(): Uint8Array
  nextTimeout(): number
  state(): number[]
  pending(): number
  incoming(handle: number): number[]
  peerHas(handle: number, path: string): boolean
  respond(handle: number, result: Uint8Array, meta: Uint8Array, ttl: number, isPublic: boolean): Uint8Array
  fail(handle: number, code: number, message: string, data: Uint8Array): Uint8Array
  progress(handle: number, progress: string, total: string, message?: string): Uint8Array
  request(
    method: string,
    params: Uint8Array,
    meta: Uint8Array,
    numbers: Float64Array,
    logLevel: string,
    now: number,
    words: Uint32Array
  ): Uint8Array
  ping(now: number, words: Uint32Array): Uint8Array
  notify(method: string, params: Uint8Array): Uint8Array
  cancel(handle: number, reason: string, words: Uint32Array): number
  connect(legacy: boolean, now: number): Uint8Array
  assume(revision: string, capabilities: Uint8Array): void
  retry(
    handle: number,
    params: Uint8Array,
    answers: Uint8Array,
    state: Uint8Array,
    meta: Uint8Array,
    numbers: Float64Array,
    logLevel: string,
    now: number
  ): Uint8Array
  listen(flags: number, uris: Uint8Array, now: number, words: Uint32Array): Uint8Array
  ask(handle: number, keys: string[], methods: string[], params: Uint8Array, state?: string): Uint8Array
  failForCapability(handle: number, required: Uint8Array): Uint8Array
  accept(handle: number, flags: number, uris: Uint8Array): Uint8Array
  changed(handle: number, what: number, uri: string): Uint8Array
  endSubscription(handle: number): Uint8Array
  log(handle: number, level: string, logger: string, data: Uint8Array): Uint8Array
}
export const Session: new (
  texts: string[],
  capabilities: Uint8Array,
  more: Uint8Array,
  numbers: Float64Array,
  limits: Uint32Array
) => Session
