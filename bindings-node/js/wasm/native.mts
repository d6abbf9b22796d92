// The interface of the native addon over a WebAssembly module of the same functions: `native.d.cts` has its types.

import type * as addon from '../../native.cjs'
import { Instance } from './instance.mjs'

/** What the addon offers. */
export interface Native {
  readonly Decoder: typeof addon.Decoder
  readonly StreamDecoder: typeof addon.StreamDecoder
  readonly Session: typeof addon.Session
  readonly encode: typeof addon.encode
  readonly forward: typeof addon.forward
  readonly meta: typeof addon.meta
  readonly faultKinds: typeof addon.faultKinds
  readonly piece: typeof addon.piece
  readonly text: typeof addon.text
}

const flag = (value: boolean): number => (value ? 1 : 0)

/** Chunks are copied into the module's memory, which never shrinks: a longer one is taken in pieces of this size. */
const PIECE = 1 << 20

/** The addon's interface over the instance that `start` makes when it is first needed. */
export function nativeOver(start: () => Instance): Native {
  let instance: Instance | undefined
  const wasm = (): Instance => {
    if (instance === undefined || instance.isLost) instance = start()
    return instance
  }

  class Decoder implements addon.Decoder {
    readonly #wasm = wasm()
    readonly #calls = this.#wasm.calls
    readonly #object: number

    constructor(options: Uint32Array, from: number) {
      const [optionsAt] = this.#wasm.lend(options) as [number]
      this.#object = this.#wasm.made(this, 'Decoder', this.#calls['Decoder.new']!(optionsAt, from))
    }

    decode(chunk: Uint8Array, at: number, leave: boolean, words: Uint32Array): number {
      const wasm = this.#wasm
      const chunkAt = wasm.lendChunk(chunk, at > 0)
      return wasm.filled(words, this.#calls['Decoder.decode']!(this.#object, chunkAt, at, flag(leave), wasm.words(words)))
    }

    finish(words: Uint32Array): number {
      return this.#wasm.filled(words, this.#calls['Decoder.finish']!(this.#object, this.#wasm.words(words)))
    }

    parse(text: Uint8Array, words: Uint32Array): number {
      const wasm = this.#wasm
      const textAt = wasm.lendChunk(text, false)
      return wasm.filled(words, this.#calls['Decoder.parse']!(this.#object, textAt, wasm.words(words)))
    }

    takeExtra(): Uint8Array {
      return this.#wasm.result(this.#calls['Decoder.takeExtra']!(this.#object))
    }

    pending(): number[] {
      this.#calls['Decoder.pending']!(this.#object)
      return this.#wasm.numbers(Float64Array)
    }

    limits(): number[] {
      this.#calls['Decoder.limits']!(this.#object)
      return this.#wasm.numbers(Uint32Array)
    }

    reset(): void {
      this.#calls['Decoder.reset']!(this.#object)
    }
  }

  class StreamDecoder implements addon.StreamDecoder {
    readonly #wasm = wasm()
    readonly #calls = this.#wasm.calls
    readonly #object: number

    constructor(options: Uint32Array, from: number) {
      const [optionsAt] = this.#wasm.lend(options) as [number]
      this.#object = this.#wasm.made(this, 'StreamDecoder', this.#calls['StreamDecoder.new']!(optionsAt, from))
    }

    decode(chunk: Uint8Array, at: number, words: Uint32Array): number {
      const wasm = this.#wasm
      const chunkAt = wasm.lendChunk(chunk, at > 0)
      return wasm.filled(words, this.#calls['StreamDecoder.decode']!(this.#object, chunkAt, at, wasm.words(words)))
    }

    finish(words: Uint32Array): number {
      return this.#wasm.filled(words, this.#calls['StreamDecoder.finish']!(this.#object, this.#wasm.words(words)))
    }

    takeExtra(): Uint8Array {
      return this.#wasm.result(this.#calls['StreamDecoder.takeExtra']!(this.#object))
    }

    reset(): void {
      this.#calls['StreamDecoder.reset']!(this.#object)
    }
  }

  class Session implements addon.Session {
    readonly #wasm = wasm()
    readonly #calls = this.#wasm.calls
    readonly #object: number

    constructor(texts: string[], capabilities: Uint8Array, more: Uint8Array, numbers: Float64Array, limits: Uint32Array) {
      const lent = this.#wasm.lend(texts, capabilities, more, numbers, limits)
      this.#object = this.#wasm.made(this, 'Session', this.#calls['Session.new']!(...lent))
    }

    receive(chunk: Uint8Array, at: number, leave: boolean, now: number, words: Uint32Array): number {
      const wasm = this.#wasm
      const chunkAt = wasm.lendChunk(chunk, at > 0)
      const used = this.#calls['Session.receive']!(this.#object, chunkAt, at, flag(leave), now, wasm.words(words))
      return wasm.filled(words, used)
    }

    expire(now: number, words: Uint32Array): number {
      return this.#wasm.filled(words, this.#calls['Session.expire']!(this.#object, now, this.#wasm.words(words)))
    }

    close(now: number, words: Uint32Array): number {
      return this.#wasm.filled(words, this.#calls['Session.close']!(this.#object, now, this.#wasm.words(words)))
    }

    takeExtra(): Uint8Array {
      return this.#wasm.result(this.#calls['Session.takeExtra']!(this.#object))
    }

    takeSent(): Uint8Array {
      return this.#wasm.result(this.#calls['Session.takeSent']!(this.#object))
    }

    nextTimeout(): number {
      return this.#calls['Session.nextTimeout']!(this.#object)
    }

    state(): number[] {
      this.#calls['Session.state']!(this.#object)
      return this.#wasm.numbers(Uint32Array)
    }

    pending(): number {
      return this.#calls['Session.pending']!(this.#object)
    }

    incoming(handle: number): number[] {
      this.#calls['Session.incoming']!(this.#object, handle)
      return this.#wasm.numbers(Uint32Array)
    }

    peerHas(handle: number, path: string): boolean {
      const [pathAt] = this.#wasm.lend(path) as [number]
      return this.#calls['Session.peerHas']!(this.#object, handle, pathAt) !== 0
    }

    respond(handle: number, result: Uint8Array, meta: Uint8Array, ttl: number, isPublic: boolean): Uint8Array {
      const [resultAt, metaAt] = this.#wasm.lend(result, meta) as [number, number]
      return this.#wasm.result(this.#calls['Session.respond']!(this.#object, handle, resultAt, metaAt, ttl, flag(isPublic)))
    }

    fail(handle: number, code: number, message: string, data: Uint8Array): Uint8Array {
      const [messageAt, dataAt] = this.#wasm.lend(message, data) as [number, number]
      return this.#wasm.result(this.#calls['Session.fail']!(this.#object, handle, code, messageAt, dataAt))
    }

    progress(handle: number, progress: string, total: string, message?: string): Uint8Array {
      const lent = this.#wasm.lend(progress, total, message)
      return this.#wasm.result(this.#calls['Session.progress']!(this.#object, handle, ...lent))
    }

    request(
      method: string,
      params: Uint8Array,
      meta: Uint8Array,
      numbers: Float64Array,
      logLevel: string,
      now: number,
      words: Uint32Array
    ): Uint8Array {
      const lent = this.#wasm.lend(method, params, meta, numbers, logLevel)
      return this.#sent(words, (wordsAt) => this.#calls['Session.request']!(this.#object, ...lent, now, wordsAt))
    }

    ping(now: number, words: Uint32Array): Uint8Array {
      return this.#sent(words, (wordsAt) => this.#calls['Session.ping']!(this.#object, now, wordsAt))
    }

    notify(method: string, params: Uint8Array): Uint8Array {
      const lent = this.#wasm.lend(method, params)
      return this.#wasm.result(this.#calls['Session.notify']!(this.#object, ...lent))
    }

    cancel(handle: number, reason: string, words: Uint32Array): number {
      const wasm = this.#wasm
      const [reasonAt] = wasm.lend(reason) as [number]
      return wasm.filled(words, this.#calls['Session.cancel']!(this.#object, handle, reasonAt, wasm.words(words)))
    }

    connect(legacy: boolean, now: number): Uint8Array {
      return this.#wasm.result(this.#calls['Session.connect']!(this.#object, flag(legacy), now))
    }

    assume(revision: string, capabilities: Uint8Array): void {
      const lent = this.#wasm.lend(revision, capabilities)
      if (this.#calls['Session.assume']!(this.#object, ...lent) !== 0) this.#wasm.fail()
    }

    retry(
      handle: number,
      params: Uint8Array,
      answers: Uint8Array,
      state: Uint8Array,
      meta: Uint8Array,
      numbers: Float64Array,
      logLevel: string,
      now: number
    ): Uint8Array {
      const lent = this.#wasm.lend(params, answers, state, meta, numbers, logLevel)
      return this.#wasm.result(this.#calls['Session.retry']!(this.#object, handle, ...lent, now))
    }

    listen(flags: number, uris: Uint8Array, now: number, words: Uint32Array): Uint8Array {
      const [urisAt] = this.#wasm.lend(uris) as [number]
      return this.#sent(words, (wordsAt) => this.#calls['Session.listen']!(this.#object, flags, urisAt, now, wordsAt))
    }

    ask(handle: number, keys: string[], methods: string[], params: Uint8Array, state?: string): Uint8Array {
      const lent = this.#wasm.lend(keys, methods, params, state)
      return this.#wasm.result(this.#calls['Session.ask']!(this.#object, handle, ...lent))
    }

    failForCapability(handle: number, required: Uint8Array): Uint8Array {
      const lent = this.#wasm.lend(required)
      return this.#wasm.result(this.#calls['Session.failForCapability']!(this.#object, handle, ...lent))
    }

    accept(handle: number, flags: number, uris: Uint8Array): Uint8Array {
      const [urisAt] = this.#wasm.lend(uris) as [number]
      return this.#wasm.result(this.#calls['Session.accept']!(this.#object, handle, flags, urisAt))
    }

    changed(handle: number, what: number, uri: string): Uint8Array {
      const [uriAt] = this.#wasm.lend(uri) as [number]
      return this.#wasm.result(this.#calls['Session.changed']!(this.#object, handle, what, uriAt))
    }

    endSubscription(handle: number): Uint8Array {
      return this.#wasm.result(this.#calls['Session.endSubscription']!(this.#object, handle))
    }

    log(handle: number, level: string, logger: string, data: Uint8Array): Uint8Array {
      const lent = this.#wasm.lend(level, logger, data)
      return this.#wasm.result(this.#calls['Session.log']!(this.#object, handle, ...lent))
    }

    /** What a call that also writes a handle's two words wants to be sent. */
    #sent(words: Uint32Array, call: (wordsAt: number) => number): Uint8Array {
      const sent = this.#wasm.result(call(this.#wasm.words(words)))
      this.#wasm.filled(words, 2)
      return sent
    }
  }

  return {
    Decoder,
    StreamDecoder,
    Session,
    encode(kind, id, nullId, text, code, payload, jsonRpc) {
      const [idAt, textAt, payloadAt] = wasm().lend(id, text, payload) as [number, number, number]
      return wasm().result(wasm().calls['encode']!(kind, idAt, flag(nullId), textAt, code, payloadAt, flag(jsonRpc)))
    },
    forward(text, options, tokens) {
      return wasm().result(wasm().calls['forward']!(...wasm().lend(text, options, tokens)))
    },
    meta(text, options, words) {
      const lent = wasm().lend(text, options)
      const found = wasm().calls['meta']!(...lent, wasm().words(words)) !== 0
      if (found) wasm().filled(words, words.length)
      else wasm().done()
      return found
    },
    faultKinds() {
      wasm().calls['faultKinds']!()
      return wasm().texts()
    },
    piece: PIECE,
    text: undefined,
  }
}
