// One connection of a server: its requests, and the functions that answer them.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { onAbort } from './abort.mjs'
import { Connection, type Listener, type Sent, type Streams } from './connection.mjs'
import { invalidType, WirelineError } from './errors.mjs'
import { failureOf } from './failure.mjs'
import type { Json, JsonObject, RequestMessage } from './message.mjs'
import { promptResult, resourceResult, toolFailure, toolResult, wordsOf } from './results.mjs'
import { validated } from './schema.mjs'
import { ProtocolError } from './protocol-error.mjs'
import type { Server } from './server.mjs'
import type { Context } from './server-types.mjs'
import { ServerSession } from './session.mjs'
import type { CacheHint, Handle, LogLevel, SessionEvent, Subscription } from './session-types.mjs'

const INVALID_PARAMS = -32602
const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603
/** What 2025-11-25 and those before it say for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002

/** What ends a connection and is no matter of its streams. */
const TOLD = new Set(['ERR_WIRELINE_RUNAWAY', 'ERR_WIRELINE_OUT_OF_MEMORY', 'ERR_WIRELINE_WASM_LOST', 'ERR_INVALID_ARG_TYPE'])

/** What a client of the legacy era may be subscribed to: characters of URIs, each with this much besides. */
const MOST_SUBSCRIBED = 1 << 20
const EACH = 64

/** Seals what comes back with a request: whoever changes it is found out. */
const KEY = randomBytes(32)

function sealed(answers: JsonObject): string {
  const text = Buffer.from(JSON.stringify(answers)).toString('base64url')
  return `${text}.${createHmac('sha256', KEY).update(text).digest('base64url')}`
}

function unsealed(state: Json | undefined): JsonObject {
  if (typeof state !== 'string') return {}
  const [text = '', mark = ''] = state.split('.')
  const expected = createHmac('sha256', KEY).update(text).digest()
  const given = Buffer.from(mark, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new ProtocolError(INVALID_PARAMS, 'Invalid params: requestState is not as it was sent')
  }
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as JsonObject
}

function text(params: JsonObject, name: string): string {
  const value = params[name]
  if (typeof value !== 'string') throw new ProtocolError(INVALID_PARAMS, `Invalid params: '${name}' must be a string`)
  return value
}

function record(value: unknown, name: string): JsonObject {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ProtocolError(INVALID_PARAMS, `Invalid params: '${name}' must be an object`)
  }
  return value as JsonObject
}

/** What a client has answered, by the key under which it was asked. */
function answersOf(value: unknown): JsonObject {
  const answers = record(value, 'inputResponses')
  for (const [key, answer] of Object.entries(answers)) {
    if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) {
      throw new ProtocolError(INVALID_PARAMS, `Invalid params: 'inputResponses.${key}' must be an object`)
    }
  }
  return answers
}

/** A result, and what the session adds to it itself. */
function apart(result: unknown): [result: unknown, options: { meta?: unknown; cache?: CacheHint }] {
  if (result === null || typeof result !== 'object' || !('_meta' in result || 'ttlMs' in result)) return [result, {}]
  const { _meta: meta, ttlMs, cacheScope, resultType: _, ...rest } = result as Record<string, unknown>
  const cache = typeof ttlMs === 'number' ? { ttlMs, scope: cacheScope === 'public' ? ('public' as const) : ('private' as const) } : undefined
  return [rest, { ...(meta === undefined ? {} : { meta }), ...(cache === undefined ? {} : { cache }) }]
}

/** A request that was answered by a demand for input: its function is not waited for. */
const ASKED = Symbol('asked')

/** What a server can do, by what it has. */
function capabilitiesOf(server: Server): JsonObject {
  const completes = [...server.prompts.values()].some((it) => it.options.arguments?.some((arg) => arg.complete !== undefined))
  return {
    ...(server.tools.size > 0 ? { tools: { listChanged: true } } : {}),
    ...(server.resources.size + server.templates.size > 0 ? { resources: { subscribe: true, listChanged: true } } : {}),
    ...(server.prompts.size > 0 ? { prompts: { listChanged: true } } : {}),
    ...(completes ? { completions: {} } : {}),
    logging: {},
    ...server.options.capabilities,
  }
}

/** One connection of a server. */
export class Peer {
  readonly #server: Server
  readonly #session: ServerSession
  readonly #connection: Connection
  readonly #running = new Map<Handle, AbortController>()
  /** Resources that a client of the legacy era has subscribed to. */
  readonly #uris = new Set<string>()
  #subscribed = 0
  /** Resources of subscriptions. */
  readonly #subscriptions = new Map<Handle, ReadonlySet<string>>()
  /** Changes that are told when the client reads again: kinds, and `uri` with a URI. */
  readonly #late = new Set<string>()
  readonly #finish: () => void
  #ended = false
  #lost = false
  /** Runs while functions have a time to end in. */
  #ending: NodeJS.Timeout | undefined
  /** Resolves when the connection is over. */
  readonly over: Promise<void>

  constructor(server: Server, streams: Streams) {
    this.#server = server
    const { pageSize: _, onError: __, grace: ___, maxUnsent: ____, ...options } = server.options
    this.#session = new ServerSession({ ...options, capabilities: capabilitiesOf(server) })
    let finish!: () => void
    this.over = new Promise((resolve) => (finish = resolve))
    this.#finish = finish
    const listener: Listener = {
      holdsBack: true,
      event: (event) => this.#take(event),
      closed: (cause) => {
        this.#ended = true
        // What the stream says of itself is the end of a connection, and no error of anybody's.
        if (TOLD.has(String((cause as WirelineError | undefined)?.code))) this.#report(cause, 'the connection')
        // A client that has ended its side may still read what it asked for; one that has gone cannot.
        if (cause !== undefined) this.#abandon(cause)
        // Which of the two it is does not show: functions have a while to end in.
        else if (this.#running.size > 0) this.#ending = setTimeout(() => this.#giveUp(undefined), server.grace)
        this.#settle()
      },
      room: () => {
        const late = [...this.#late]
        this.#late.clear()
        for (const it of late) this.changed(it.startsWith('uri ') ? { uri: it.slice(4) } : (it as 'tools'))
      },
      lost: (cause) => {
        this.#lost = this.#ended = true
        this.#giveUp(cause)
      },
    }
    this.#connection = new Connection(this.#session, streams, listener, server)
  }

  /** Nobody waits for answers any more. */
  #giveUp(cause: Error | undefined): void {
    this.#abandon(cause)
    this.#settle()
  }

  #abandon(cause: Error | undefined): void {
    for (const control of this.#running.values()) control.abort(new WirelineError('ERR_WIRELINE_CLOSED', 'the client is gone', { cause }))
    this.#running.clear()
  }

  /** Ends the connection once nothing is under way any more. */
  #settle(): void {
    if (!this.#ended || this.#running.size > 0) return
    clearTimeout(this.#ending)
    void this.#connection.drained().then(() => {
      this.#connection.release()
      this.#finish()
    })
  }

  /** Tells of a change whoever asked for it: at once, or, if the client does not read, once of all when it does. */
  changed(what: 'tools' | 'resources' | 'prompts' | { uri: string }): void {
    if (this.#ended) return
    if (this.#connection.full) {
      const isWanted = typeof what === 'string' || this.#uris.has(what.uri) || [...this.#subscriptions.values()].some((it) => it.has(what.uri))
      if (isWanted) this.#late.add(typeof what === 'string' ? what : `uri ${what.uri}`)
      return
    }
    if (typeof what === 'string') {
      this.#connection.send(this.#session.changed(what))
      return
    }
    if (this.#uris.has(what.uri)) this.#connection.send(this.#session.notify('notifications/resources/updated', { uri: what.uri }))
    for (const [handle, uris] of this.#subscriptions) {
      if (uris.has(what.uri)) this.#connection.send(this.#session.changed(what, handle))
    }
  }

  #take(event: SessionEvent): void {
    if (this.#lost) return
    switch (event.type) {
      case 'request':
        this.#answer(event.handle, event.revision, event.message).catch((error: Error) => this.#connection.fail(error))
        return
      case 'cancelled':
        this.#subscriptions.delete(event.handle)
        this.#running.get(event.handle)?.abort(new WirelineError('ERR_WIRELINE_CANCELLED', 'the client cancelled the request'))
        this.#running.delete(event.handle)
        return
      default:
    }
  }

  async #answer(handle: Handle, revision: Context['revision'], message: RequestMessage): Promise<void> {
    const { method } = message
    const session = this.#session
    const control = new AbortController()
    this.#running.set(handle, control)
    const gone = () => control.signal.aborted
    try {
      const params = (message.params ?? {}) as JsonObject
      const result = await this.#run(handle, revision, method, params, control.signal)
      if (result === ASKED || gone()) return
      try {
        this.#connection.send(session.respond(handle, ...apart(result)))
      } catch (error) {
        if ((error as WirelineError).code === 'ERR_WIRELINE_STALE_HANDLE') return
        this.#report(error, method)
        const words = `Internal error: the result cannot be sent: ${wordsOf(error)}`
        this.#connection.send(session.fail(handle, INTERNAL_ERROR, words))
      }
    } catch (error) {
      if (gone()) return
      this.#fail(handle, error, method)
    } finally {
      this.#running.delete(handle)
      this.#settle()
    }
  }

  #fail(handle: Handle, error: unknown, method: string): void {
    const known = error instanceof ProtocolError
    if (!known) this.#report(error, method)
    const message = wordsOf(error)
    try {
      this.#connection.send(known ? this.#session.fail(handle, error.rpcCode, message, error.data) : this.#session.fail(handle, INTERNAL_ERROR, message))
    } catch (second) {
      if ((second as WirelineError).code === 'ERR_WIRELINE_STALE_HANDLE') return
      this.#report(second, method)
      // The code, or what came with it, cannot be sent.
      this.#connection.send(this.#session.fail(handle, INTERNAL_ERROR, 'Internal error'))
    }
  }

  #report(error: unknown, what: string): void {
    try {
      this.#server.options.onError?.(error, what)
    } catch {
      // Who is told of errors must not cause them.
    }
  }

  #run(handle: Handle, revision: Context['revision'], method: string, params: JsonObject, signal: AbortSignal): unknown {
    const server = this.#server
    switch (method) {
      case 'tools/list':
        return this.#page(params, 'tools', [...server.tools.values()])
      case 'resources/list':
        return this.#page(params, 'resources', [...server.resources.values()])
      case 'resources/templates/list':
        return this.#page(params, 'resourceTemplates', [...server.templates.values()])
      case 'prompts/list':
        return this.#page(params, 'prompts', [...server.prompts.values()])
      case 'tools/call':
        return this.#call(handle, revision, params, signal)
      case 'resources/read':
        return this.#read(handle, revision, params, signal)
      case 'prompts/get':
        return this.#prompt(handle, revision, params, signal)
      case 'completion/complete':
        return this.#complete(handle, revision, params, signal)
      case 'resources/subscribe':
        return this.#subscribe(text(params, 'uri'))
      case 'resources/unsubscribe':
        return this.#unsubscribe(text(params, 'uri'))
      case 'subscriptions/listen':
        return this.#listen(handle, params)
      default:
        throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found')
    }
  }

  #subscribe(uri: string): JsonObject {
    if (this.#uris.has(uri)) return {}
    const size = this.#subscribed + uri.length + EACH
    if (size > MOST_SUBSCRIBED) throw new ProtocolError(INVALID_PARAMS, 'Invalid params: too much is subscribed to already')
    this.#subscribed = size
    this.#uris.add(uri)
    return {}
  }

  #unsubscribe(uri: string): JsonObject {
    if (this.#uris.delete(uri)) this.#subscribed -= uri.length + EACH
    return {}
  }

  #page(params: JsonObject, member: string, all: readonly { readonly entry: JsonObject }[]): JsonObject {
    const { cursor } = params
    let from = 0
    if (cursor !== undefined) {
      from = typeof cursor === 'string' && /^\d{1,9}$/.test(cursor) ? Number(cursor) : NaN
      if (!(from < all.length)) throw new ProtocolError(INVALID_PARAMS, 'Invalid params: there is no such cursor')
    }
    const to = from + this.#server.pageSize
    const entries = all.slice(from, to).map((it) => it.entry)
    return { [member]: entries, ...(to < all.length ? { nextCursor: String(to) } : {}) }
  }

  async #call(handle: Handle, revision: Context['revision'], params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const name = text(params, 'name')
    const tool = this.#server.tools.get(name)
    if (tool === undefined) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${name}`)
    const args = record(params['arguments'], 'arguments')
    return await this.#asking(handle, params, revision, signal, async (context) => {
      try {
        const checked = await validated(tool.options.input, args)
        if ('wrong' in checked) return toolFailure(`Invalid arguments for tool ${name}: ${checked.wrong}`)
        // It may have been cancelled already.
        signal.throwIfAborted()
        const value = await tool.run(checked.value as never, context)
        const { output, outputSchema } = tool.options
        const structured = output !== undefined || outputSchema !== undefined
        const result = toolResult(value, structured)
        if (structured && result['isError'] !== true) {
          const out = await validated(output, result['structuredContent'])
          const wrong = 'wrong' in out ? out.wrong : result['structuredContent'] === undefined ? 'it has no structured content' : undefined
          if (wrong !== undefined) throw new WirelineError('ERR_WIRELINE_BAD_RESULT', `Internal error: the tool's result does not fit its schema: ${wrong}`)
        }
        return result
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        if (error instanceof WirelineError && ['ERR_WIRELINE_BAD_RESULT', 'ERR_WIRELINE_NOT_JSON'].includes(error.code)) throw error
        if (!signal.aborted) this.#report(error, `tool '${name}'`)
        return toolFailure(wordsOf(error))
      }
    })
  }

  async #read(handle: Handle, revision: Context['revision'], params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const uri = text(params, 'uri')
    const { resources, templates } = this.#server
    let found = resources.get(uri)
    let variables: Record<string, string> = {}
    if (found === undefined) {
      for (const it of templates.values()) {
        const match = it.template!.match(uri)
        if (match === undefined) continue
        found = it
        variables = match
        break
      }
    }
    if (found === undefined) {
      const code = revision === '2026-07-28' ? INVALID_PARAMS : RESOURCE_NOT_FOUND
      throw new ProtocolError(code, 'Resource not found', { uri })
    }
    const resource = found
    return await this.#asking(handle, params, revision, signal, async (context) =>
      resourceResult(await resource.read(uri, variables, context), uri, resource.entry['mimeType'])
    )
  }

  async #prompt(handle: Handle, revision: Context['revision'], params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const name = text(params, 'name')
    const prompt = this.#server.prompts.get(name)
    if (prompt === undefined) throw new ProtocolError(INVALID_PARAMS, `Unknown prompt: ${name}`)
    const args = record(params['arguments'], 'arguments') as Record<string, string>
    for (const [key, value] of Object.entries(args)) {
      if (typeof value !== 'string') throw new ProtocolError(INVALID_PARAMS, `Invalid params: argument '${key}' must be a string`)
    }
    for (const { name: key, required } of prompt.options.arguments ?? []) {
      if (required === true && !Object.hasOwn(args, key)) throw new ProtocolError(INVALID_PARAMS, `Invalid params: argument '${key}' is missing`)
    }
    return await this.#asking(handle, params, revision, signal, async (context) =>
      promptResult(await prompt.get(args, context), prompt.options.description)
    )
  }

  async #complete(handle: Handle, revision: Context['revision'], params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const ref = record(params['ref'], 'ref')
    const argument = record(params['argument'], 'argument')
    const name = text(argument, 'name')
    const value = text(argument, 'value')
    let complete: ((value: string, context: Context) => readonly string[] | Promise<readonly string[]>) | undefined
    if (ref['type'] === 'ref/prompt') {
      const prompt = this.#server.prompts.get(text(ref, 'name'))
      if (prompt === undefined) throw new ProtocolError(INVALID_PARAMS, `Unknown prompt: ${String(ref['name'])}`)
      complete = prompt.options.arguments?.find((it) => it.name === name)?.complete
    }
    const all: unknown = complete === undefined ? [] : await complete(value, this.#context(handle, params, revision, signal))
    if (!Array.isArray(all) || !all.every((it) => typeof it === 'string')) {
      throw invalidType(`what completes argument '${name}'`, 'an array of strings', all)
    }
    return { completion: { values: all.slice(0, 100), total: all.length, hasMore: all.length > 100 } }
  }

  #listen(handle: Handle, params: JsonObject): typeof ASKED {
    const wanted = record(params['notifications'], 'notifications')
    const uris = wanted['resourceSubscriptions']
    if (uris !== undefined && !(Array.isArray(uris) && uris.every((it) => typeof it === 'string'))) {
      throw new ProtocolError(INVALID_PARAMS, "Invalid params: 'resourceSubscriptions' must be an array of strings")
    }
    const subscription: Subscription = {
      tools: wanted['toolsListChanged'] === true,
      prompts: wanted['promptsListChanged'] === true,
      resources: wanted['resourcesListChanged'] === true,
      ...(uris === undefined ? {} : { uris }),
    }
    this.#connection.send(this.#session.accept(handle, subscription))
    this.#subscriptions.set(handle, new Set(uris))
    return ASKED
  }

  /** Runs a function that may ask its client for input. */
  async #asking(
    handle: Handle,
    params: JsonObject,
    revision: Context['revision'],
    signal: AbortSignal,
    run: (context: Context) => Promise<unknown>
  ): Promise<unknown> {
    let asked!: () => void
    const demand = new Promise<typeof ASKED>((resolve) => {
      asked = () => {
        resolve(ASKED)
        // This run is over: what it holds is given back.
        this.#running.get(handle)?.abort(new WirelineError('ERR_WIRELINE_INPUT_REQUIRED', 'the client is asked for input, and the function runs anew when it has answered'))
      }
    })
    const result = run(this.#context(handle, params, revision, signal, asked))
    // A function that was left behind may fail later on; that is nobody's any more.
    result.catch(() => {})
    return await Promise.race([result, demand])
  }

  #context(handle: Handle, params: JsonObject, revision: Context['revision'], signal: AbortSignal, asked?: () => void): Context {
    const session = this.#session
    const connection = this.#connection
    const answers = revision === '2026-07-28' ? { ...unsealed(params['requestState']), ...answersOf(params['inputResponses']) } : {}
    let asks = 0
    const quietly = (send: () => Uint8Array): boolean => {
      if (signal.aborted) return true
      if (connection.full) return false
      try {
        connection.send(send())
      } catch (error) {
        // Answered meanwhile, or no step forward: nothing is sent, and the function goes on.
        if (!['ERR_WIRELINE_STALE_HANDLE', 'ERR_WIRELINE_BAD_PROGRESS'].includes((error as WirelineError).code)) throw error
      }
      return true
    }
    return {
      signal,
      revision,
      meta: record(params['_meta'], '_meta'),
      progress: (progress, total, message) => quietly(() => session.progress(handle, progress, total, message)),
      log: (level: LogLevel, data, logger) => quietly(() => session.log(handle, level, data, logger)),
      ask: async (method, own = {}) => {
        signal.throwIfAborted()
        const key = `ask-${asks++}`
        if (revision !== '2026-07-28') {
          return await new Promise<JsonObject>((resolve, reject) => {
            let made: Sent | undefined
            const abort = () => {
              reject(signal.reason)
              if (made !== undefined) connection.cancel(made, 'the request that needed it is over')
            }
            const undo = onAbort(signal, abort)
            made = connection.call((now) => session.request(method, own, {}, now), {
              reject: (error) => {
                undo()
                reject(error)
              },
              resolve: (event) => {
                undo()
                if (event.why === 'result') resolve(event.message.result as JsonObject)
                else reject(failureOf(event, connection.cause))
              },
            })
          })
        }
        const answer = answers[key]
        if (answer !== undefined) return answer as JsonObject
        if (asked === undefined) throw new WirelineError('ERR_WIRELINE_NOT_READY', 'this request cannot ask for input')
        connection.send(session.ask(handle, { [key]: { method, params: own } }, sealed(answers as JsonObject)))
        asked()
        throw signal.reason
      },
    }
  }
}
