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
