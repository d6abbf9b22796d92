// Sessions: who may say what, when, and who waits for what. No I/O, no clock.

import { bytes } from './bytes.mjs'
import { invalidType, mended, outOfRange } from './errors.mjs'
import { Fault } from './fault.mjs'
import { Input, NOTHING } from './input.mjs'
import { Integrity } from './integrity.mjs'
import { FAULT, MESSAGE, type Frame } from './layout.mjs'
import { Line, type JsonObject, type Message } from './message.mjs'
import { choice, flag, integer, limitWords, object } from './options.mjs'
import { eventOf, FAILURES, FIRST, HAS_FAULT, HAS_MESSAGE, STATES, STEP } from './session-events.mjs'
import {
  cacheOf,
  covers,
  handleOf,
  number,
  optionalText,
  payload,
  requestNumbers,
  setUp,
  text,
  type AnyOptions,
} from './session-setup.mjs'
import {
  LEVELS,
  REVISIONS,
  type CacheHint,
  type ClientSessionOptions,
  type Failure,
  type Handle,
  type IncomingInfo,
  type InputRequest,
  type LogLevel,
  type Made,
  type RequestOptions,
  type Revision,
  type ServerSessionOptions,
  type SessionEvent,
  type StateName,
  type Subscription,
  type Turn,
} from './session-types.mjs'
import native from '#native'

const scratch = new Uint32Array(FIRST + 512 * (STEP + MESSAGE))
/** What sessions of both roles have. It is used as {@link ClientSession} or {@link ServerSession}. */
export abstract class Session {
  /** @internal */
  protected readonly native: InstanceType<typeof native.Session>
  readonly #input: Input
  readonly #integrity = new Integrity()
  readonly #names: (string | undefined)[] = []
  readonly #limits: Uint32Array
  /** Whether the decoder takes no more, after a `runaway`. */
  #closed = false

  protected constructor(role: number, options: AnyOptions) {
    this.native = setUp(role, options)
    this.#limits = limitWords(options)
    this.#input = new Input(flag(options.borrow, 'options.borrow'))
  }

  /**
   * Takes what the peer sent. What follows from it is returned: what happened, and what is to be sent to the peer.
   *
   * @param chunk the next bytes of the stream, cut anywhere.
   * @param now milliseconds of a clock that only the caller reads.
   * @throws as `Decoder.push`; never for what the peer does. What was lost for want of memory is lost for good: such a
   * session reads nothing more, and is to be closed.
   */
  receive(chunk: Uint8Array, now: number): Turn {
    const time = number(now, 'now')
    const input = bytes(chunk, 'chunk')
    return this.#integrity.reading(() => {
      const events: SessionEvent[] = []
      const sent: Uint8Array[] = []
      this.#input.push(input, (piece, leave) => this.#read(piece, leave, time, events, sent))
      return { events, send: together(sent) }
    })
  }

  #read(piece: Uint8Array, leave: boolean, now: number, events: SessionEvent[], sent: Uint8Array[]): number {
    let at = 0
    for (let done = false; !done; ) {
      const used = this.native.receive(piece, at, leave, now, scratch)
      at = scratch[0]!
      this.#closed = scratch[2] !== 0
      done = scratch[3] !== 0
      this.#collect(used, piece, events, sent)
    }
    return at
  }

  /** Makes events of the records in the scratch words. */
  #collect(used: number, piece: Uint8Array, events: SessionEvent[], sent: Uint8Array[]): void {
    if (scratch[4] !== 0) sent.push(this.native.takeSent())
    if (used <= FIRST) return
    const words = scratch.slice(0, used)
    const extra = words[1] === 0 ? NOTHING : this.native.takeExtra()
    const frame: Frame = { words, extra, bytes: piece, names: this.#names, limits: this.#limits }
    for (let at = FIRST; at < used; ) {
      const head = words[at]!
      const step = at
      at += STEP
      let message: Message | undefined
      let fault: Fault | undefined
      if ((head & HAS_MESSAGE) !== 0) {
        message = new Line(frame, at) as unknown as Message
        at += MESSAGE
      } else if ((head & HAS_FAULT) !== 0) {
        fault = new Fault(frame, at)
        at += FAULT
      }
      events.push(eventOf(frame, step, message, fault))
    }
  }

  /** Lets time pass: what waited too long has ended. To be called when {@link nextTimeout} says so. */
  expire(now: number): Turn {
    const time = number(now, 'now')
    return this.#drain(() => this.native.expire(time, scratch))
  }

  /**
   * The input has ended: every request of ours that waits ends as `closed`. Requests of the peer that are being worked
   * on may still be answered.
   */
  close(now: number): Turn {
    const time = number(now, 'now')
    const events: SessionEvent[] = []
    const sent: Uint8Array[] = []
    // What waits ends all the same.
    if (!this.#integrity.isLost) {
      this.#integrity.reading(() => this.#input.flush((piece, leave) => this.#read(piece, leave, time, events, sent)))
    }
    const rest = this.#drain(() => this.native.close(time, scratch))
    events.push(...rest.events)
    sent.push(rest.send)
    return { events, send: together(sent) }
  }

  #drain(call: () => number): Turn {
    const events: SessionEvent[] = []
    const sent: Uint8Array[] = []
    for (;;) {
      const used = mended(call)
      this.#collect(used, NOTHING, events, sent)
      if (used <= FIRST) return { events, send: together(sent) }
    }
  }

  /** When {@link expire} is due, in the caller's milliseconds; `undefined` for never. */
  get nextTimeout(): number | undefined {
    const due = this.native.nextTimeout()
    return due < 0 ? undefined : due
  }

  /** Where the session is. */
  get state(): StateName {
    return STATES[this.native.state()[0]!]!
  }

  /** Why no session came about, if none did. */
  get failure(): Failure | undefined {
    const [state, more] = this.native.state()
    return state === 4 ? FAILURES[more!] : undefined
  }

  /** The revision that was agreed on. A server of 2026-07-28 agrees on none: each request has its own. */
  get revision(): Revision | undefined {
    const found = this.native.state()[2]!
    return found === 0 ? undefined : REVISIONS[found - 1]
  }

  /** How many requests are under way: of the peer's, and of ours. */
  get inFlight(): { readonly inbound: number; readonly outbound: number } {
    const [, , , inbound = 0, outbound = 0] = this.native.state()
    return { inbound, outbound }
  }

  /** What is known of a request of the peer; `undefined` once it was answered or cancelled. */
  incoming(handle: Handle): IncomingInfo | undefined {
    const [revision, wantsProgress, level] = this.native.incoming(handleOf(handle))
    if (revision === undefined) return undefined
    return {
      revision: REVISIONS[revision - 1]!,
      wantsProgress: wantsProgress === 1,
      logLevel: level === 0 ? undefined : LEVELS[level! - 1],
    }
  }

  /**
   * Whether the peer declared a capability, by its path: `sampling.tools`. A server of 2026-07-28 learns it anew with
   * each request, whose handle it gives.
   */
  peerHas(capability: string, handle?: Handle): boolean {
    return this.native.peerHas(handle === undefined ? -1 : handleOf(handle), text(capability, 'capability'))
  }

  /**
   * Answers a request with a result: an object, or a `Uint8Array` of its text. What its revision asks for besides
   * (`resultType` and the like) is added.
   *
   * @throws {@link WirelineError}: `ERR_WIRELINE_STALE_HANDLE` if it was answered or cancelled;
   * `ERR_WIRELINE_NOT_JSON`, `ERR_WIRELINE_BAD_JSON`, `ERR_WIRELINE_BAD_PAYLOAD` for a result that is none. Nothing has
   * changed then: the request still waits for its answer.
   */
  respond(handle: Handle, result: unknown, options?: { meta?: unknown; cache?: CacheHint }): Uint8Array {
    const given = object(options, 'options')
    const { ttl, isPublic } = cacheOf(given.cache, 'options.cache')
    const body = payload(result, 'result')
    const meta = payload(given.meta, 'options.meta')
    return mended(() => this.native.respond(handleOf(handle), body, meta, ttl, isPublic))
  }

  /** Answers a request with an error. @throws as {@link respond}; `ERR_WIRELINE_RULE` for a code that the revision forbids. */
  fail(handle: Handle, code: number, message: string, data?: unknown): Uint8Array {
    if (code === undefined) throw invalidType('code', 'a number', code)
    integer(code, 'code', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0)
    return mended(() => this.native.fail(handleOf(handle), code, text(message, 'message'), payload(data, 'data')))
  }

  /**
   * Tells how a request of the peer gets on; empty if it did not ask.
   *
   * @throws {@link WirelineError}: `ERR_WIRELINE_BAD_PROGRESS` if it does not increase; `ERR_WIRELINE_STALE_HANDLE`.
   */
  progress(handle: Handle, progress: number, total?: number, message?: string): Uint8Array {
    const decimal = (value: unknown, name: string) => {
      if (typeof value !== 'number') throw invalidType(name, 'a number', value)
      if (!Number.isFinite(value)) throw outOfRange(name, 'a finite number', value)
      return String(value)
    }
    const of = total === undefined ? '' : decimal(total, 'total')
    const words = message === undefined ? undefined : text(message, 'message')
    const how = decimal(progress, 'progress')
    return mended(() =>
      words === undefined
        ? this.native.progress(handleOf(handle), how, of)
        : this.native.progress(handleOf(handle), how, of, words)
    )
  }

  /**
   * Sends a request. Its end comes as one `ended` event with the same handle.
   *
   * @param params an object without `_meta`, or a `Uint8Array` of its text.
   * @throws {@link WirelineError}: `ERR_WIRELINE_NOT_READY`; `ERR_WIRELINE_RULE` with the `rule` that forbids it;
   * `ERR_WIRELINE_TABLE_FULL`; and what {@link respond} throws for values. Nothing has changed then.
   */
  request(method: string, params: unknown, options: RequestOptions | undefined, now: number): Made {
    const given = object(options, 'options')
    const numbers = requestNumbers(options)
    const level = choice(given.logLevel, 'options.logLevel', LEVELS) ?? ''
    const body = payload(params, 'params')
    const meta = payload(given.meta, 'options.meta')
    const time = number(now, 'now')
    return made(() => this.native.request(text(method, 'method'), body, meta, numbers, level, time, scratch))
  }

  /** Asks whether the peer is there; not in 2026-07-28. */
  ping(now: number): Made {
    const time = number(now, 'now')
    return made(() => this.native.ping(time, scratch))
  }

  /** Sends a notification. Those about a request or a subscription have calls of their own. @throws as {@link request}. */
  notify(method: string, params?: unknown): Uint8Array {
    return mended(() => this.native.notify(text(method, 'method'), payload(params, 'params')))
  }

  /** Cancels a request of ours: it has ended, and an answer that still comes is ignored. */
  cancel(handle: Handle, reason?: string): Turn {
    const events: SessionEvent[] = []
    const sent: Uint8Array[] = []
    const used = mended(() => this.native.cancel(handleOf(handle), optionalText(reason, 'reason'), scratch))
    this.#collect(used, NOTHING, events, sent)
    return { events, send: together(sent) }
  }

  /** Bytes of the line that has begun. */
  get pending(): number {
    return this.#closed ? 0 : this.native.pending() + this.#input.kept
  }
}

/** The session of a client. */
export class ClientSession extends Session {
  constructor(options: ClientSessionOptions) {
    super(0, options)
  }

  /**
   * Opens the session: with `server/discover` if it speaks 2026-07-28, else with `initialize`. What the server speaks is
   * settled when the event `state` says `ready`.
   */
  connect(now: number): Uint8Array {
    const time = number(now, 'now')
    return mended(() => this.native.connect(false, time))
  }

  /** Opens it without a probe: where a server closed the connection when it was probed. */
  connectLegacy(now: number): Uint8Array {
    const time = number(now, 'now')
    return mended(() => this.native.connect(true, time))
  }

  /** Takes a verdict of earlier for granted: no probe is needed. */
  assume(revision: Revision, capabilities?: JsonObject): void {
    mended(() => this.native.assume(text(revision, 'revision'), payload(capabilities, 'capabilities')))
  }

  /**
   * Sends a request again with the input that it asked for, after `input-required`. The handle stays.
   *
   * @param answers an object with a result for each key of `inputRequests`.
   * @param state `requestState`, if there was one.
   */
  retry(
    handle: Handle,
    params: unknown,
    answers: unknown,
    state: string | undefined,
    options: RequestOptions | undefined,
    now: number
  ): Uint8Array {
    const given = object(options, 'options')
    const numbers = requestNumbers(options)
    const level = choice(given.logLevel, 'options.logLevel', LEVELS) ?? ''
    const time = number(now, 'now')
    const parts = [
      payload(params, 'params'),
      payload(answers, 'answers'),
      payload(state === undefined ? undefined : text(state, 'state'), 'state'),
      payload(given.meta, 'options.meta'),
    ] as const
    return mended(() => this.native.retry(handleOf(handle), ...parts, numbers, level, time))
  }

  /** Asks to be told of changes (2026-07-28). The event `subscribed` says that it is open. */
  listen(subscription: Subscription, now: number): Made {
    const { flags, uris } = covers(subscription)
    const time = number(now, 'now')
    return made(() => this.native.listen(flags, uris, time, scratch))
  }
}

/** The session of a server. */
export class ServerSession extends Session {
  constructor(options: ServerSessionOptions) {
    super(1, options)
  }

  /**
   * Answers a request by asking its client for input (2026-07-28): the client sends it anew, with the answers.
   *
   * @param requests what is asked for, by the key under which the answer comes.
   * @param state comes back with it, from whoever sends it: seal it where that matters.
   */
  ask(handle: Handle, requests: Readonly<Record<string, InputRequest>>, state?: string): Uint8Array {
    const entries = Object.entries(object(requests, 'requests') as Record<string, InputRequest>)
    const keys = entries.map(([key]) => key)
    const methods = entries.map(([key, it]) => text(it?.method, `requests.${key}.method`))
    const params = payload(
      entries.map(([, it]) => it.params ?? {}),
      'requests'
    )
    return mended(() =>
      state === undefined
        ? this.native.ask(handleOf(handle), keys, methods, params)
        : this.native.ask(handleOf(handle), keys, methods, params, text(state, 'state'))
    )
  }

  /** Answers a request that needs capabilities which its client did not declare: -32021. */
  failForCapability(handle: Handle, required: JsonObject): Uint8Array {
    return mended(() => this.native.failForCapability(handleOf(handle), payload(required, 'required')))
  }

  /** Opens a subscription that a client asked for with `subscriptions/listen`, for all of it or less. */
  accept(handle: Handle, subscription: Subscription): Uint8Array {
    const { flags, uris } = covers(subscription)
    return mended(() => this.native.accept(handleOf(handle), flags, uris))
  }

  /**
   * Tells of a change: the session of the legacy era, and each subscription of the list that changed; or, with a handle,
   * that subscription alone. A resource's URI is not kept: without a handle, only the session of the legacy era is told of
   * it; tell each subscription that named it by its handle.
   */
  changed(what: 'tools' | 'prompts' | 'resources' | { uri: string }, handle?: Handle): Uint8Array {
    const uri = typeof what === 'object' ? text(object(what, 'what').uri, 'what.uri') : ''
    const kinds = ['tools', 'prompts', 'resources'] as const
    const kind = typeof what === 'object' ? 3 : kinds.indexOf(choice(what, 'what', kinds)!)
    return mended(() => this.native.changed(handle === undefined ? -1 : handleOf(handle), kind, uri))
  }

  /** Ends a subscription from this side. */
  endSubscription(handle: Handle): Uint8Array {
    return mended(() => this.native.endSubscription(handleOf(handle)))
  }

  /** Sends a log message, for a request or, in the legacy era, for none; empty below the level that was asked for. */
  log(handle: Handle | undefined, level: LogLevel, data: unknown, logger?: string): Uint8Array {
    choice(level, 'level', LEVELS)
    const body = payload(data, 'data')
    return mended(() =>
      this.native.log(handle === undefined ? -1 : handleOf(handle), text(level, 'level'), optionalText(logger, 'logger'), body)
    )
  }
}

function together(parts: readonly Uint8Array[]): Uint8Array {
  const whole = parts.filter((it) => it.length > 0)
  if (whole.length < 2) return whole[0] ?? NOTHING
  const all = new Uint8Array(whole.reduce((sum, it) => sum + it.length, 0))
  let at = 0
  for (const part of whole) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function made(call: () => Uint8Array): Made {
  const send = mended(call)
  return { handle: scratch[1]! * 0x1_0000_0000 + scratch[0]!, send }
}
