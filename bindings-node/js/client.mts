/**
 * Clients: a server as a child process, over a socket, or over any two streams.
 *
 * @packageDocumentation
 */

import { EventEmitter } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { onAbort } from './abort.mjs'
import { Call, Feed, type Progress } from './call.mjs'
import { startChild, type Child, type ServerCommand } from './child.mjs'
import { Connection, GRACE, MAX_UNSENT, streamsOf, type ConnectionOptions, type Sent, type Streams } from './connection.mjs'
import { invalidType, WirelineError } from './errors.mjs'
import { failureOf, RemoteError } from './failure.mjs'
import type { Fault } from './fault.mjs'
import type { Signal } from './globals.mjs'
import type { Json, JsonObject, NotificationMessage, RequestMessage, ResultMessage } from './message.mjs'
import { choice, integer, object } from './options.mjs'
import { wordsOf } from './results.mjs'
import { payload, text } from './session-setup.mjs'
import { ClientSession } from './session.mjs'
import {
  LEVELS,
  type ClientSessionOptions,
  type Handle,
  type LogLevel,
  type RequestOptions,
  type Revision,
  type SessionEvent,
  type Subscription,
} from './session-types.mjs'

export { Call, type Progress } from './call.mjs'
export { RemoteError } from './failure.mjs'
export type { Streams } from './connection.mjs'
export type { ServerCommand } from './child.mjs'

/** How a call is made. */
export interface CallOptions extends Omit<RequestOptions, 'progress'> {
  /** Cancels the request; the call rejects with the signal's reason. */
  signal?: Signal
  /** Is told how it gets on. To iterate over the progress of a call, see {@link Call}. */
  onProgress?: (progress: Progress) => void
}

/**
 * What a request of the server is answered with. Its signal aborts when the server cancels the request, when the call that
 * the input was for has ended (2026-07-28), and when the connection closes.
 */
export type RequestHandler = (params: JsonObject, context: { readonly signal: Signal }) => unknown

/** What a client is told. */
export interface ClientOptions extends ClientSessionOptions {
  /**
   * What the server may ask for, and who answers: `roots/list`, `sampling/createMessage`, `elicitation/create`. What is
   * here is declared as a capability, unless `capabilities` says it in more detail. The same handlers answer the demands
   * for input of 2026-07-28.
   */
  handlers?: Readonly<Record<string, RequestHandler>>
  /**
   * Milliseconds that a server has to take what it was sent before `close`, and that its answers are waited for once
   * nothing can be sent any more. @defaultValue 2000
   */
  grace?: number
  /**
   * Bytes that may wait for a server that does not read. With more, calls wait for their turn, as they do for `maxOutbound`,
   * `notify` throws, and a server that leaves as much unread of what it is answered is given up: all of it is
   * `ERR_WIRELINE_UNREAD`. A line is never cut: the one that reaches the ceiling is sent whole. @defaultValue 16777216
   */
  maxUnsent?: number
}

/** What the events of a client carry. */
export interface ClientEvents {
  /** A notification that belongs to no request: list changes, log messages, updates of resources. */
  notification: [message: NotificationMessage]
  /** A log message, if it is one: a notification without a level or without data is only a `notification`. */
  log: [entry: { level: LogLevel; logger?: string; data: Json }]
  /** Rules that the server broke, and by what. */
  violation: [rules: readonly string[], event: SessionEvent]
  /** A line of the server's that is no message, such as a debug print. */
  fault: [fault: Fault]
  /** The connection is over. `cause` is what broke it, if anything did. */
  close: [cause: Error | undefined]
}

/** A list of more pages than that is none that ends. */
const MOST_PAGES = 1000

/** Declares what the handlers answer. */
function capabilitiesOf(options: ClientOptions): JsonObject {
  const handlers = object(options.handlers, 'options.handlers') as Record<string, unknown>
  const declared: JsonObject = {}
  for (const [method, handler] of Object.entries(handlers)) {
    if (typeof handler !== 'function') throw invalidType(`options.handlers['${method}']`, 'a function', handler)
    if (method === 'roots/list') declared['roots'] = {}
    else if (method === 'sampling/createMessage') declared['sampling'] = {}
    else if (method === 'elicitation/create') declared['elicitation'] = { form: {} }
  }
  return { ...declared, ...options.capabilities }
}

/** Text of parameters, as they are now. The session writes `_meta`, and adds its own members: it goes into the options. */
function bodyOf(params: unknown, own: RequestOptions): Uint8Array {
  let rest = params
  if (params !== null && typeof params === 'object' && !ArrayBuffer.isView(params) && '_meta' in params) {
    const { _meta: meta, ...others } = params
    rest = others
    own.meta ??= meta
  }
  if (own.meta !== undefined) own.meta = textOf(own.meta, 'options.meta')
  return textOf(rest, 'params')
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !ArrayBuffer.isView(value)
}

/** An object with members. */
function members(value: unknown, name: string): Record<string, unknown> {
  if (!isObject(value)) throw invalidType(name, 'an object', value)
  return value as Record<string, unknown>
}

/** JSON text of a value, in memory of its own. */
function textOf(value: unknown, name: string): Uint8Array {
  const written = payload(value, name)
  return ArrayBuffer.isView(value) ? new Uint8Array(written) : written
}

/** How far it has got, if that is what the server says. */
function progressOf(params: Json | undefined): Progress | undefined {
  const { progress, total, message } = (params ?? {}) as Record<string, unknown>
  if (typeof progress !== 'number') return undefined
  return {
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

/**
 * A client of one server.
 *
 * @example
 * ```js
 * import { Client } from 'wireline/client'
 *
 * const client = await Client.spawn({ command: 'node', args: ['server.js'] }, { name: 'example', version: '1.0' })
 * console.log(await client.listTools())
 * console.log(await client.callTool('add', { a: 1, b: 2 }))
 * await client.close()
 * ```
 */
export class Client extends EventEmitter<ClientEvents> {
  readonly #options: ClientOptions
  /** Own members of what was given, whatever the server asks for. */
  readonly #handlers: ReadonlyMap<string, RequestHandler>
  #session!: ClientSession
  #connection!: Connection
  #child: Child | undefined
  #ready!: { resolve: () => void; reject: (error: Error) => void }
  #settled = false
  #server: JsonObject = {}
  #incoming = new Map<Handle, AbortController>()
  #closing: Promise<void> | undefined
  readonly #limits: ConnectionOptions

  private constructor(options: ClientOptions & { signal?: Signal }) {
    super()
    if (options === undefined) throw invalidType('options', 'an object', options)
    const { signal, grace, maxUnsent, handlers, ...own } = object(options, 'options') as ClientOptions & { signal?: Signal }
    if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalidType('options.signal', 'an AbortSignal', signal)
    signal?.throwIfAborted()
    this.#options = { ...own, capabilities: capabilitiesOf(options) }
    // A session checks its options: here, and not only when a server runs.
    new ClientSession(this.#options)
    this.#handlers = new Map(Object.entries(handlers ?? {}))
    this.#limits = {
      grace: integer(grace, 'options.grace', 0, 0x7fff_ffff, GRACE),
      maxUnsent: integer(maxUnsent, 'options.maxUnsent', 1, Number.MAX_SAFE_INTEGER, MAX_UNSENT),
    }
  }

  /**
   * Starts a server as a child process and opens a session with it.
   *
   * A server that ends when it is asked for the modern era, as a few do, is started once more and opened with
   * `initialize`.
   *
   * @throws {@link WirelineError}: `ERR_WIRELINE_SPAWN` if it cannot be started, `ERR_WIRELINE_CONNECT` if no session
   * comes about.
   */
  static async spawn(server: ServerCommand, options: ClientOptions & { signal?: Signal }): Promise<Client> {
    const client = new Client(options)
    for (const legacy of [false, true]) {
      const child = await startChild(server)
      client.#child = child
      try {
        await client.#open(child.streams, legacy, options.signal)
        return client
      } catch (error) {
        // What follows closes the session, which is not the server's doing.
        const isOld = !legacy && client.#session?.failure === 'closed-while-probing'
        // There is none if the signal has aborted meanwhile.
        await child.end(async () => client.#connection?.endOutput())
        client.#connection?.release()
        child.release()
        if (!isOld) throw error
      }
    }
    throw new WirelineError('ERR_WIRELINE_CONNECT', 'no session came about')
  }

  /**
   * Opens a session over a socket, or over two streams. `close` ends the output and destroys both, as does a session that
   * does not come about.
   *
   * @throws {@link WirelineError}: `ERR_WIRELINE_CONNECT` if no session comes about; the signal's reason if it aborts.
   */
  static async connect(streams: Streams | (Readable & Writable), options: ClientOptions & { signal?: Signal }): Promise<Client> {
    const client = new Client(options)
    const pair = streamsOf(streams, 'streams')
    try {
      await client.#open(pair, false, options.signal)
    } catch (error) {
      client.#connection?.release()
      client.#connection?.destroy()
      throw error
    }
    return client
  }

  async #open(streams: Streams, legacy: boolean, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    this.#session = new ClientSession(this.#options)
    const ready = new Promise<void>((resolve, reject) => (this.#ready = { resolve, reject }))
    // What goes wrong before it is waited for is told all the same.
    ready.catch(() => {})
    const listener = { event: (event: SessionEvent) => this.#take(event), closed: (cause: Error | undefined) => this.#closed(cause) }
    this.#connection = new Connection(this.#session, streams, listener, this.#limits)
    const now = Connection.now()
    this.#connection.send(legacy ? this.#session.connectLegacy(now) : this.#session.connect(now))
    this.#connection.watch()
    const abort = () => this.#ready.reject(signal!.reason as Error)
    const undo = signal === undefined ? undefined : onAbort(signal, abort)
    try {
      await ready
      this.#settled = true
    } finally {
      undo?.()
    }
  }

  /** Tells listeners. What they throw is the program's own exception, and takes nothing of ours with it. */
  #say<K extends keyof ClientEvents>(name: K, ...args: ClientEvents[K]): void {
    try {
      ;(this.emit as (name: string, ...args: unknown[]) => boolean)(name, ...args)
    } catch (error) {
      process.nextTick(() => {
        throw error
      })
    }
  }

  /** Tells what is wrong with what came. */
  #complain(event: SessionEvent): void {
    if (event.broken.length > 0) this.#say('violation', event.broken, event)
    if (event.fault !== undefined && event.type !== 'violation') this.#say('fault', event.fault)
  }

  #take(event: SessionEvent): void {
    this.#complain(event)
    switch (event.type) {
      case 'state':
        if (event.message?.kind === 'result') this.#server = event.message.result as JsonObject
        if (event.state === 'ready') this.#ready.resolve()
        else if (event.state === 'failed') {
          const words = event.message?.kind === 'error' ? `: ${event.message.error.message}` : ''
          const { cause } = this.#connection
          this.#ready.reject(new WirelineError('ERR_WIRELINE_CONNECT', `no session came about: ${event.failure}${words}`, { cause }))
        }
        return
      case 'request':
        void this.#answer(event.handle, event.message)
        return
      case 'cancelled':
        this.#incoming.get(event.handle)?.abort(new WirelineError('ERR_WIRELINE_CANCELLED', 'the server cancelled the request'))
        this.#incoming.delete(event.handle)
        return
      case 'notification':
        if (event.message.method === 'notifications/message') this.#log(event.message.params)
        this.#say('notification', event.message)
        return
      default:
    }
  }

  #log(params: Json | undefined): void {
    if (!isObject(params)) return
    const { level, data, logger } = params as JsonObject
    if (!LEVELS.includes(level as LogLevel) || data === undefined) return
    if (logger !== undefined && typeof logger !== 'string') return
    this.#say('log', params as unknown as ClientEvents['log'][0])
  }

  #closed(cause: Error | undefined): void {
    for (const control of this.#incoming.values()) control.abort(new WirelineError('ERR_WIRELINE_CLOSED', 'the connection closed', { cause }))
    this.#incoming.clear()
    if (this.#settled) this.#say('close', cause)
    else this.#ready.reject(new WirelineError('ERR_WIRELINE_CONNECT', 'the server closed the connection before a session came about', { cause }))
  }

  /** Answers a request of the server. It may be over already: cancelled in the same chunk, say. */
  async #answer(handle: Handle, message: RequestMessage): Promise<void> {
    const control = new AbortController()
    this.#incoming.set(handle, control)
    const { signal } = control
    const send = (make: (session: ClientSession) => Uint8Array): void => {
      if (!signal.aborted) this.#connection.answer(make(this.#session))
    }
    try {
      // What came with it is told first, so that what is not wanted any more is not begun.
      await undefined
      if (signal.aborted) return
      const handler = this.#handlers.get(message.method)
      if (handler === undefined) {
        send((session) => session.fail(handle, -32601, 'Method not found'))
        return
      }
      const result = await handler((message.params ?? {}) as JsonObject, { signal })
      send((session) => session.respond(handle, result))
    } catch (error) {
      const words = wordsOf(error)
      try {
        send((session) => session.fail(handle, error instanceof RemoteError ? error.rpcCode : -32603, words))
      } catch {
        try {
          // A code that is none, say.
          send((session) => session.fail(handle, -32603, words))
        } catch {
          // Nobody waits for it.
        }
      }
    } finally {
      if (this.#incoming.get(handle) === control) this.#incoming.delete(handle)
    }
  }

  /** Who the server says it is, what it can do, and its instructions: the result of `initialize` or `server/discover`. */
  get server(): JsonObject {
    return this.#server
  }

  /** The revision that was agreed on. */
  get revision(): Revision | undefined {
    return this.#session.revision
  }

  /** Whether the server declared a capability, by its path: `resources.subscribe`. */
  has(capability: string): boolean {
    return this.#session.peerHas(capability)
  }

  /** The child process, if the server is one. */
  get process(): ChildProcess | undefined {
    return this.#child?.process
  }

  /**
   * Makes a request.
   *
   * @param params an object, or a `Uint8Array` of its text.
   * @throws {@link RemoteError} if the server answers with an error; {@link WirelineError}: `ERR_WIRELINE_TIMED_OUT`,
   * `ERR_WIRELINE_CLOSED`, `ERR_WIRELINE_BAD_RESPONSE`, `ERR_WIRELINE_TOO_LONG`, `ERR_WIRELINE_RULE` for what the server
   * did not offer; the signal's reason if it aborts. All come out of the call as rejections.
   */
  request(method: string, params?: unknown, options?: CallOptions): Call {
    return this.#request(method, () => params, options)
  }

  #request(method: string, params: () => unknown, options: CallOptions | undefined): Call {
    const feed = new Feed()
    let sent: Sent | undefined
    const cancel = (reason?: string): void => {
      if (reason !== undefined && typeof reason !== 'string') throw invalidType('reason', 'a string', reason)
      if (sent !== undefined) this.#connection.cancel(sent, reason)
    }
    let undo: (() => void) | undefined
    let inputs: AbortController | undefined
    const result = new Promise<JsonObject>((resolve, reject) => {
      const { signal, onProgress, ...rest } = object(options, 'options') as CallOptions
      if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalidType('options.signal', 'an AbortSignal', signal)
      if (onProgress !== undefined && typeof onProgress !== 'function') {
        throw invalidType('options.onProgress', 'a function', onProgress)
      }
      signal?.throwIfAborted()
      const own: RequestOptions = { ...rest, progress: true }
      const body = bodyOf(params(), own)
      const abort = () => {
        const { reason } = signal as AbortSignal
        reject(reason)
        cancel(wordsOf(reason))
      }
      sent = this.#connection.call((now) => this.#session.request(method, body, own, now), {
        reject,
        resolve: (event) => {
          this.#complain(event)
          if (event.why === 'result') resolve(event.message.result as JsonObject)
          else reject(failureOf(event, this.#connection.cause))
        },
        onEvent: (event) => {
          this.#complain(event)
          if (event.type === 'progress') {
            const told = progressOf(event.message.params)
            if (told === undefined) return
            feed.push(told)
            try {
              onProgress?.(told)
            } catch (error) {
              reject(error)
              cancel('its progress could not be taken')
            }
          } else if (event.type === 'input-required') {
            inputs ??= new AbortController()
            void this.#provide(event.handle, body, event.message, own, inputs.signal).catch((error: unknown) => {
              reject(error)
              cancel('the input cannot be given')
            })
          }
        },
      })
      // Values may have something done when they are written.
      if (signal?.aborted === true) abort()
      else if (signal !== undefined) undo = onAbort(signal, abort)
    })
    const over = (reason?: unknown): void => {
      undo?.()
      feed.end()
      inputs?.abort(reason)
    }
    result.then(() => over(), over)
    return new Call(result, () => feed.iterate(), cancel)
  }

  /** Answers a demand for input (2026-07-28) by the handlers, and sends the request again. */
  async #provide(handle: Handle, params: Uint8Array, demand: ResultMessage, options: RequestOptions, signal: Signal): Promise<void> {
    const { inputRequests, requestState } = demand.result as { inputRequests?: Record<string, { method: string; params?: JsonObject }>; requestState?: Json }
    const answers: [key: string, answer: unknown][] = []
    for (const [key, { method, params: asked }] of Object.entries(inputRequests ?? {})) {
      const handler = this.#handlers.get(method)
      if (handler === undefined) throw new WirelineError('ERR_WIRELINE_NO_HANDLER', `the server asks for '${method}', which has no handler`)
      if (!isObject(asked ?? {})) throw new WirelineError('ERR_WIRELINE_BAD_RESPONSE', `the server asks for '${method}' with params that are no object`)
      const answer = await handler(asked ?? {}, { signal })
      if (signal.aborted) return
      if (!isObject(answer)) throw new WirelineError('ERR_WIRELINE_BAD_PAYLOAD', `the answer of the handler of '${method}' must be an object`)
      answers.push([key, answer])
    }
    const state = typeof requestState === 'string' ? requestState : undefined
    this.#connection.send(this.#session.retry(handle, params, Object.fromEntries(answers), state, options, Connection.now()))
    this.#connection.watch()
  }

  /**
   * Sends a notification.
   *
   * @throws {@link WirelineError}: `ERR_WIRELINE_CLOSED`; `ERR_WIRELINE_UNREAD` if the server leaves `maxUnsent` bytes unread.
   */
  notify(method: string, params?: unknown): void {
    if (this.#connection.closed) throw new WirelineError('ERR_WIRELINE_CLOSED', 'the connection is closed', { cause: this.#connection.cause })
    if (this.#connection.full) throw new WirelineError('ERR_WIRELINE_UNREAD', 'the server does not read what it was sent')
    this.#connection.send(this.#session.notify(method, params))
  }

  /** Asks whether the server is there; not in 2026-07-28, which has no such request. */
  async ping(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#connection.call((now) => this.#session.ping(now), {
        reject,
        resolve: (event) => (event.why === 'result' ? resolve() : reject(failureOf(event, this.#connection.cause))),
      })
    })
  }

  /** Calls a tool. A tool that fails gives a result with `isError`. */
  callTool(name: string, args: unknown = {}, options?: CallOptions): Call {
    return this.#request('tools/call', () => ({ name: text(name, 'name'), arguments: members(args, 'args') }), options)
  }

  async #list(method: string, member: string, options: CallOptions | undefined): Promise<JsonObject[]> {
    const all: JsonObject[] = []
    const seen = new Set<string>()
    for (let cursor: string | undefined; ; ) {
      const page = await this.request(method, cursor === undefined ? {} : { cursor }, options)
      const entries = page[member]
      if (!Array.isArray(entries)) throw new WirelineError('ERR_WIRELINE_BAD_RESPONSE', `the result of ${method} has no '${member}'`)
      for (const entry of entries) all.push(entry as JsonObject)
      const next = page['nextCursor']
      if (typeof next !== 'string') return all
      if (seen.size === MOST_PAGES) throw new WirelineError('ERR_WIRELINE_BAD_RESPONSE', `${method} has more than ${MOST_PAGES} pages`)
      if (seen.has(next)) throw new WirelineError('ERR_WIRELINE_BAD_RESPONSE', `the pages of ${method} go round in a circle`)
      seen.add(next)
      cursor = next
    }
  }

  /** All tools, page after page, up to 1000 pages; so with the other lists. */
  listTools(options?: CallOptions): Promise<JsonObject[]> {
    return this.#list('tools/list', 'tools', options)
  }

  /** All resources. */
  listResources(options?: CallOptions): Promise<JsonObject[]> {
    return this.#list('resources/list', 'resources', options)
  }

  /** All templates of resources. */
  listResourceTemplates(options?: CallOptions): Promise<JsonObject[]> {
    return this.#list('resources/templates/list', 'resourceTemplates', options)
  }

  /** All prompts. */
  listPrompts(options?: CallOptions): Promise<JsonObject[]> {
    return this.#list('prompts/list', 'prompts', options)
  }

  /** Reads a resource. */
  readResource(uri: string, options?: CallOptions): Call {
    return this.#request('resources/read', () => ({ uri: text(uri, 'uri') }), options)
  }

  /** Gets a prompt. */
  getPrompt(name: string, args: Readonly<Record<string, string>> = {}, options?: CallOptions): Call {
    const params = () => {
      for (const [key, value] of Object.entries(members(args, 'args'))) text(value, `args.${key}`)
      return { name: text(name, 'name'), arguments: args }
    }
    return this.#request('prompts/get', params, options)
  }

  /** Completes an argument of a prompt or of a resource template. */
  complete(ref: JsonObject, argument: { name: string; value: string }, options?: CallOptions): Call {
    const params = () => {
      const { name, value } = members(argument, 'argument')
      text(name, 'argument.name')
      text(value, 'argument.value')
      return { ref: members(ref, 'ref'), argument }
    }
    return this.#request('completion/complete', params, options)
  }

  /** Asks for log messages from a level on; before 2026-07-28, in which each request says so (`logLevel`). */
  async setLogLevel(level: LogLevel): Promise<void> {
    await this.#request('logging/setLevel', () => ({ level: choice(text(level, 'level'), 'level', LEVELS) }), undefined)
  }

  /**
   * Asks to be told of changes, which then come as `notification` events (2026-07-28). Resolves when the subscription is
   * open, with a function that ends it.
   */
  async subscribe(subscription: Subscription): Promise<() => void> {
    let sent!: Sent
    await new Promise<void>((resolve, reject) => {
      sent = this.#connection.call((now) => this.#session.listen(subscription, now), {
        reject,
        resolve: (event) => reject(failureOf(event, this.#connection.cause)),
        onEvent: (event) => {
          if (event.type === 'subscribed') resolve()
        },
      })
    })
    return () => this.#connection.cancel(sent, 'no longer wanted')
  }

  /**
   * Ends the connection. A child process is ended in the order that the protocol asks for: its input is closed, then
   * SIGTERM, then SIGKILL, with a pause (`grace`) between them. Requests that wait reject with `ERR_WIRELINE_CLOSED`.
   */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      if (this.#child !== undefined) await this.#child.end(() => this.#connection.endOutput())
      else await this.#connection.endOutput()
      this.#connection.release()
      if (this.#child === undefined) this.#connection.destroy()
      else this.#child.release()
    })()
    return this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
