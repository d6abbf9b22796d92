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
import { Connection, failureOf, GRACE, RemoteError, streamsOf, type Sent, type Streams } from './connection.mjs'
import { invalidType, WirelineError } from './errors.mjs'
import type { Fault } from './fault.mjs'
import type { Signal } from './globals.mjs'
import type { Json, JsonObject, NotificationMessage } from './message.mjs'
import { integer, object } from './options.mjs'
import { wordsOf } from './results.mjs'
import { ClientSession } from './session.mjs'
import type { ClientSessionOptions, Handle, LogLevel, RequestOptions, Revision, SessionEvent, Subscription } from './session-types.mjs'

export { Call, type Progress } from './call.mjs'
export { RemoteError } from './connection.mjs'
export type { Streams } from './connection.mjs'
export type { ServerCommand } from './child.mjs'

/** How a call is made. */
export interface CallOptions extends Omit<RequestOptions, 'progress'> {
  /** Cancels the request; the call rejects with the signal's reason. */
  signal?: Signal
  /** Is told how it gets on. To iterate over the progress of a call, see {@link Call}. */
  onProgress?: (progress: Progress) => void
}

/** What a request of the server is answered with. */
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
}

/** What the events of a client carry. */
export interface ClientEvents {
  /** A notification that belongs to no request: list changes, log messages, updates of resources. */
  notification: [message: NotificationMessage]
  /** A log message. */
  log: [entry: { level: LogLevel; logger?: string; data: Json }]
  /** Rules that the server broke, and by what. */
  violation: [rules: readonly string[], event: SessionEvent]
  /** A line of the server's that is no message, such as a debug print. */
  fault: [fault: Fault]
  /** The connection is over. `cause` is what broke it, if anything did. */
  close: [cause: Error | undefined]
}

/** Declares what the handlers answer. */
function capabilitiesOf(options: ClientOptions): JsonObject {
  const handlers = object(options.handlers, 'options.handlers') as Record<string, RequestHandler>
  const declared: JsonObject = {}
  for (const [method, handler] of Object.entries(handlers)) {
    if (typeof handler !== 'function') throw invalidType(`options.handlers['${method}']`, 'a function', handler)
    if (method === 'roots/list') declared['roots'] = {}
    else if (method === 'sampling/createMessage') declared['sampling'] = {}
    else if (method === 'elicitation/create') declared['elicitation'] = { form: {} }
  }
  return { ...declared, ...options.capabilities }
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
  #session!: ClientSession
  #connection!: Connection
  #child: Child | undefined
  #ready!: { resolve: () => void; reject: (error: Error) => void }
  #settled = false
  #server: JsonObject = {}
  #incoming = new Map<Handle, AbortController>()
  #closing: Promise<void> | undefined
  readonly #grace: number

  private constructor(options: ClientOptions) {
    super()
    this.#options = options
    this.#grace = integer(object(options, 'options').grace, 'options.grace', 0, 0x7fff_ffff, GRACE)
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
    options.signal?.throwIfAborted()
    for (const legacy of [false, true]) {
      const child = await startChild(server)
      client.#child = child
      try {
        await client.#open(child.streams, legacy, options.signal)
        return client
      } catch (error) {
        // Neither is there if the options are none.
        await child.end(async () => client.#connection?.endOutput())
        client.#connection?.release()
        if (legacy || client.#session?.failure !== 'closed-while-probing') throw error
      }
    }
    throw new WirelineError('ERR_WIRELINE_CONNECT', 'no session came about')
  }

  /** Opens a session over a socket, or over two streams. `close` ends the output and destroys both. */
  static async connect(streams: Streams | (Readable & Writable), options: ClientOptions & { signal?: Signal }): Promise<Client> {
    const client = new Client(options)
    const pair = streamsOf(streams, 'streams')
    try {
      await client.#open(pair, false, options.signal)
    } catch (error) {
      client.#connection?.release()
      throw error
    }
    return client
  }

  async #open(streams: Streams, legacy: boolean, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const { handlers: _, grace: __, ...own } = this.#options
    this.#session = new ClientSession({ ...own, capabilities: capabilitiesOf(this.#options) })
    const ready = new Promise<void>((resolve, reject) => (this.#ready = { resolve, reject }))
    const listener = { event: (event: SessionEvent) => this.#take(event), closed: (cause: Error | undefined) => this.#closed(cause) }
    this.#connection = new Connection(this.#session, streams, listener, this.#grace)
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

  #take(event: SessionEvent): void {
    if (event.broken.length > 0) this.emit('violation', event.broken, event)
    switch (event.type) {
      case 'state':
        if (event.message?.kind === 'result') this.#server = event.message.result as JsonObject
        if (event.state === 'ready') this.#ready.resolve()
        else if (event.state === 'failed') {
          const cause = event.message?.kind === 'error' ? `: ${event.message.error.message}` : ''
          this.#ready.reject(new WirelineError('ERR_WIRELINE_CONNECT', `no session came about: ${event.failure}${cause}`))
        }
        return
      case 'request':
        void this.#answer(event.handle, event.message.method, event.message.params as JsonObject | undefined)
        return
      case 'cancelled':
        this.#incoming.get(event.handle)?.abort(new WirelineError('ERR_WIRELINE_CANCELLED', 'the server cancelled the request'))
        this.#incoming.delete(event.handle)
        return
      case 'notification':
        if (event.message.method === 'notifications/message') {
          this.emit('log', event.message.params as { level: LogLevel; logger?: string; data: Json })
        }
        this.emit('notification', event.message)
        return
      case 'ignored':
        if (event.fault !== undefined) this.emit('fault', event.fault)
        return
      default:
    }
  }

  #closed(cause: Error | undefined): void {
    for (const control of this.#incoming.values()) control.abort(new WirelineError('ERR_WIRELINE_CLOSED', 'the connection closed'))
    this.#incoming.clear()
    const ready = this.#ready
    const broken = () => new WirelineError('ERR_WIRELINE_CONNECT', 'the server closed the connection before a session came about', { cause })
    if (this.#settled) this.emit('close', cause)
    else ready.reject(broken())
  }

  /** Answers a request of the server. */
  async #answer(handle: Handle, method: string, params: JsonObject | undefined): Promise<void> {
    const handler = this.#options.handlers?.[method]
    const session = this.#session
    const connection = this.#connection
    if (handler === undefined || !Object.hasOwn(this.#options.handlers!, method)) {
      connection.send(session.fail(handle, -32601, 'Method not found'))
      return
    }
    const control = new AbortController()
    this.#incoming.set(handle, control)
    let answer: Uint8Array
    try {
      const result = await handler(params ?? {}, { signal: control.signal })
      answer = control.signal.aborted ? new Uint8Array(0) : session.respond(handle, result)
    } catch (error) {
      if (control.signal.aborted) return
      const message = wordsOf(error)
      try {
        answer = session.fail(handle, error instanceof RemoteError ? error.rpcCode : -32603, message)
      } catch {
        // A code that is none, say.
        answer = session.fail(handle, -32603, message)
      }
    } finally {
      this.#incoming.delete(handle)
    }
    connection.send(answer)
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
  request(method: string, params?: unknown, options: CallOptions = {}): Call {
    const feed = new Feed()
    let sent: Sent | undefined
    const cancel = (reason?: string): void => {
      if (sent !== undefined) this.#connection.cancel(sent, reason)
    }
    const result = new Promise<JsonObject>((resolve, reject) => {
      const { signal, onProgress, ...rest } = object(options, 'options') as CallOptions
      if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalidType('options.signal', 'an AbortSignal', signal)
      if (onProgress !== undefined && typeof onProgress !== 'function') {
        throw invalidType('options.onProgress', 'a function', onProgress)
      }
      signal?.throwIfAborted()
      const own: RequestOptions = { ...rest, progress: true }
      let body = params
      if (params !== null && typeof params === 'object' && '_meta' in params) {
        // The session writes `_meta`, and adds its own members.
        const { _meta: meta, ...others } = params
        body = others
        own.meta ??= meta
      }
      const abort = () => {
        const { reason } = signal as AbortSignal
        reject(reason)
        cancel(wordsOf(reason))
      }
      let undo: (() => void) | undefined
      const over = () => {
        undo?.()
        feed.end()
      }
      sent = this.#connection.call((now) => this.#session.request(method, body, own, now), {
        reject: (error) => {
          over()
          reject(error)
        },
        resolve: (event) => {
          over()
          if (event.broken.length > 0) this.emit('violation', event.broken, event)
          if (event.fault !== undefined) this.emit('fault', event.fault)
          if (event.why === 'result') resolve(event.message.result as JsonObject)
          else reject(failureOf(event, this.#connection.cause))
        },
        onEvent: (event) => {
          if (event.broken.length > 0) this.emit('violation', event.broken, event)
          if (event.type === 'progress') {
            const { progress, total, message } = event.message.params as unknown as Progress
            const told = { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) }
            feed.push(told)
            try {
              onProgress?.(told)
            } catch (error) {
              reject(error)
              cancel('its progress could not be taken')
            }
          } else if (event.type === 'input-required') {
            void this.#provide(event.handle, body, event.message.result as JsonObject, own).catch((error: unknown) => {
              reject(error)
              cancel('the input cannot be given')
            })
          }
        },
      })
      if (signal !== undefined) undo = onAbort(signal, abort)
    })
    return new Call(result, () => feed.iterate(), cancel)
  }

  /** Answers a demand for input (2026-07-28) by the handlers, and sends the request again. */
  async #provide(handle: Handle, params: unknown, demand: JsonObject, options: RequestOptions): Promise<void> {
    const control = new AbortController()
    const requests = (demand['inputRequests'] ?? {}) as Record<string, { method: string; params?: JsonObject }>
    const answers: Record<string, unknown> = {}
    for (const [key, { method, params: asked }] of Object.entries(requests)) {
      const handler = this.#options.handlers?.[method]
      if (handler === undefined) throw new WirelineError('ERR_WIRELINE_NO_HANDLER', `the server asks for '${method}', which has no handler`)
      answers[key] = await handler(asked ?? {}, { signal: control.signal })
    }
    const state = demand['requestState']
    this.#connection.send(
      this.#session.retry(handle, params, answers, typeof state === 'string' ? state : undefined, options, Connection.now())
    )
    this.#connection.watch()
  }

  /** Sends a notification. */
  notify(method: string, params?: unknown): void {
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
    return this.request('tools/call', { name, arguments: args }, options)
  }

  async #list(method: string, member: string, options: CallOptions | undefined): Promise<JsonObject[]> {
    const all: JsonObject[] = []
    const seen = new Set<string>()
    for (let cursor: string | undefined; ; ) {
      const page = await this.request(method, cursor === undefined ? {} : { cursor }, options)
      const entries = page[member]
      if (!Array.isArray(entries)) throw new WirelineError('ERR_WIRELINE_BAD_RESPONSE', `the result of ${method} has no '${member}'`)
      all.push(...(entries as JsonObject[]))
      const next = page['nextCursor']
      if (typeof next !== 'string') return all
      if (seen.has(next)) throw new WirelineError('ERR_WIRELINE_BAD_RESPONSE', `the pages of ${method} go round in a circle`)
      seen.add(next)
      cursor = next
    }
  }

  /** All tools, page after page. */
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
    return this.request('resources/read', { uri }, options)
  }

  /** Gets a prompt. */
  getPrompt(name: string, args: Readonly<Record<string, string>> = {}, options?: CallOptions): Call {
    return this.request('prompts/get', { name, arguments: args }, options)
  }

  /** Completes an argument of a prompt or of a resource template. */
  complete(ref: JsonObject, argument: { name: string; value: string }, options?: CallOptions): Call {
    return this.request('completion/complete', { ref, argument }, options)
  }

  /** Asks for log messages from a level on; before 2026-07-28, in which each request says so (`logLevel`). */
  async setLogLevel(level: LogLevel): Promise<void> {
    await this.request('logging/setLevel', { level })
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
    })()
    return this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
