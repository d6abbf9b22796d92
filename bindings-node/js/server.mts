/**
 * Servers: tools from functions, resources and prompts, over standard input and output or any two streams.
 *
 * @packageDocumentation
 */

import type { Readable, Writable } from 'node:stream'
import { Connection, MAX_UNSENT, streamsOf, type Streams } from './connection.mjs'
import { invalidType, WirelineError } from './errors.mjs'
import { guardStdout } from './guard.mjs'
import { stringify } from './json.mjs'
import type { JsonObject } from './message.mjs'
import { integer, object } from './options.mjs'
import { Peer } from './peer.mjs'
import { jsonSchemaOf, type ArgumentSchema } from './schema.mjs'
import type {
  PromptFunction,
  PromptOptions,
  ResourceFunction,
  ResourceOptions,
  ServerOptions,
  ToolFunction,
  ToolOptions,
} from './server-types.mjs'
import { ServerSession } from './session.mjs'
import { templateOf, type Template } from './template.mjs'

export { ProtocolError } from './protocol-error.mjs'
export type { ArgumentSchema, ArgumentsOf, StandardSchema } from './schema.mjs'
export type { Streams } from './connection.mjs'
export type {
  Context,
  PromptFunction,
  PromptOptions,
  ResourceFunction,
  ResourceOptions,
  ServerOptions,
  ToolFunction,
  ToolOptions,
  ToolResult,
} from './server-types.mjs'

/** @internal */
export interface Tool {
  readonly entry: JsonObject
  readonly options: ToolOptions
  readonly run: ToolFunction<ArgumentSchema>
}

/** @internal */
export interface Resource {
  readonly entry: JsonObject
  readonly template: Template | undefined
  readonly read: ResourceFunction
}

/** @internal */
export interface Prompt {
  readonly entry: JsonObject
  readonly options: PromptOptions
  readonly get: PromptFunction
}

function words(given: { title?: string; description?: string; more?: JsonObject }): JsonObject {
  const { title, description } = given
  if (title !== undefined && typeof title !== 'string') throw invalidType('options.title', 'a string', title)
  if (description !== undefined && typeof description !== 'string') throw invalidType('options.description', 'a string', description)
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...given.more,
  }
}

function nameOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw invalidType(what, 'a string', value)
  if (value === '') throw new WirelineError('ERR_WIRELINE_BAD_NAME', `'${what}' is empty`)
  return value
}

/** An entry of a list, if it can be sent: one that cannot would take the whole list with it. */
function listed(entry: JsonObject, what: string): JsonObject {
  stringify(entry, what)
  return entry
}

function functionOf<T>(value: T, what: string): T {
  if (typeof value !== 'function') throw invalidType(what, 'a function', value)
  return value
}

/**
 * A server: a table of tools, resources and prompts, which any number of connections are served from.
 *
 * @example
 * ```js
 * import { Server } from 'wireline/server'
 * import { z } from 'zod'
 *
 * const server = new Server({ name: 'calculator', version: '1.0' })
 * server.tool('add', { description: 'Add two numbers', input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => String(a + b))
 * await server.serveStdio()
 * ```
 */
export class Server {
  /** @internal */
  readonly options: ServerOptions
  /** @internal */
  readonly tools = new Map<string, Tool>()
  /** @internal */
  readonly resources = new Map<string, Resource>()
  /** @internal */
  readonly templates = new Map<string, Resource>()
  /** @internal */
  readonly prompts = new Map<string, Prompt>()
  /** @internal */
  readonly pageSize: number
  /** @internal */
  readonly grace: number
  /** @internal */
  readonly maxUnsent: number
  readonly #peers = new Set<Peer>()

  constructor(options: ServerOptions) {
    this.options = object(options, 'options') as ServerOptions
    this.pageSize = integer(this.options.pageSize, 'options.pageSize', 1, 0xffff_ffff, 200)
    // A session checks its options: here, and not only when somebody connects.
    const { pageSize: _, onError: __, grace: ___, maxUnsent, ...session } = this.options
    new ServerSession(session)
    this.grace = integer(this.options.grace, 'options.grace', 0, 0x7fff_ffff, 10_000)
    this.maxUnsent = integer(maxUnsent, 'options.maxUnsent', 1, Number.MAX_SAFE_INTEGER, MAX_UNSENT)
  }

  /** Adds a tool without arguments that are checked. */
  tool(name: string, run: ToolFunction): this
  /**
   * Adds a tool. What its function throws becomes a result with `isError`, which the model sees; throw a
   * {@link ProtocolError} for an error of the protocol. A tool of the same name is replaced.
   *
   * @throws TypeError; {@link WirelineError} with `ERR_WIRELINE_BAD_SCHEMA`; with `ERR_WIRELINE_NOT_JSON` for what JSON
   * cannot hold in what is to be listed.
   */
  tool<const S extends ArgumentSchema>(name: string, options: ToolOptions<S> & { input: S }, run: ToolFunction<S>): this
  tool(name: string, options: ToolOptions, run: ToolFunction): this
  tool(name: string, ...rest: unknown[]): this {
    nameOf(name, 'name')
    const [options, run] = (typeof rest[0] === 'function' ? [{}, rest[0]] : [rest[0], rest[1]]) as [ToolOptions, ToolFunction<ArgumentSchema>]
    const given = object(options, 'options') as ToolOptions
    functionOf(run, 'run')
    const outputs = given.output !== undefined || given.outputSchema !== undefined
    const entry: JsonObject = {
      name,
      ...words(given),
      inputSchema: jsonSchemaOf(given.inputSchema ?? given.input, 'input', `tool '${name}'`),
      ...(outputs ? { outputSchema: jsonSchemaOf(given.outputSchema ?? given.output, 'output', `tool '${name}'`) } : {}),
      ...(given.annotations === undefined ? {} : { annotations: given.annotations }),
    }
    this.tools.set(name, { entry: listed(entry, `the entry of tool '${name}'`), options: given, run })
    this.#changed('tools')
    return this
  }

  /** Adds a resource, or, if `uri` has variables in braces, a template of resources. */
  resource(uri: string, read: ResourceFunction): this
  resource(uri: string, options: ResourceOptions, read: ResourceFunction): this
  resource(uri: string, ...rest: unknown[]): this {
    nameOf(uri, 'uri')
    const [options, read] = (typeof rest[0] === 'function' ? [{}, rest[0]] : [rest[0], rest[1]]) as [ResourceOptions, ResourceFunction]
    const given = object(options, 'options') as ResourceOptions
    functionOf(read, 'read')
    const template = templateOf(uri)
    const entry: JsonObject = {
      [template === undefined ? 'uri' : 'uriTemplate']: uri,
      name: given.name ?? uri,
      ...words(given),
      ...(given.mimeType === undefined ? {} : { mimeType: given.mimeType }),
    }
    const table = template === undefined ? this.resources : this.templates
    table.set(uri, { entry: listed(entry, `the entry of resource '${uri}'`), template, read })
    this.#changed('resources')
    return this
  }

  /** Adds a prompt. */
  prompt(name: string, get: PromptFunction): this
  prompt(name: string, options: PromptOptions, get: PromptFunction): this
  prompt(name: string, ...rest: unknown[]): this {
    nameOf(name, 'name')
    const [options, get] = (typeof rest[0] === 'function' ? [{}, rest[0]] : [rest[0], rest[1]]) as [PromptOptions, PromptFunction]
    const given = object(options, 'options') as PromptOptions
    functionOf(get, 'get')
    const args = given.arguments?.map(({ complete: _, ...shown }) => shown as JsonObject)
    const entry: JsonObject = { name, ...words(given), ...(args === undefined ? {} : { arguments: args }) }
    this.prompts.set(name, { entry: listed(entry, `the entry of prompt '${name}'`), options: given, get })
    this.#changed('prompts')
    return this
  }

  /** Takes a tool, resource, template or prompt away; whether it was there. */
  remove(kind: 'tool' | 'resource' | 'prompt', name: string): boolean {
    switch (kind) {
      case 'tool':
        return this.tools.delete(name) && this.#changed('tools')
      case 'resource':
        return (this.resources.delete(name) || this.templates.delete(name)) && this.#changed('resources')
      default:
        return this.prompts.delete(name) && this.#changed('prompts')
    }
  }

  #changed(what: 'tools' | 'resources' | 'prompts'): true {
    for (const peer of this.#peers) peer.changed(what)
    return true
  }

  /** Tells the clients that asked for it that a resource has changed. */
  resourceUpdated(uri: string): void {
    for (const peer of this.#peers) peer.changed({ uri: nameOf(uri, 'uri') })
  }

  /**
   * Serves one connection: a socket, or two streams. Resolves when it is over and all that was to be sent has been; never
   * rejects for what the peer does. Functions that still run when the peer has ended its side have `grace` to end in, and
   * so has the peer to read what is left for it.
   */
  async serve(streams: Streams | (Readable & Writable)): Promise<void> {
    const peer = new Peer(this, streamsOf(streams, 'streams'))
    this.#peers.add(peer)
    try {
      await peer.over
    } finally {
      this.#peers.delete(peer)
    }
  }

  /**
   * Serves the process that started this one, over standard input and output, until it closes our input.
   *
   * What anything else writes to standard output meanwhile, `console.log` first of all, goes to standard error, with a
   * warning that names the caller. When the input has ended and the functions under way have answered, the promise
   * resolves, and the process ends by itself if nothing else keeps it.
   */
  async serveStdio(): Promise<void> {
    const { output, release } = guardStdout()
    const { stdin } = process
    try {
      await this.serve({ input: stdin, output })
    } finally {
      release()
      // It would keep the process running.
      stdin.pause()
      ;(stdin as unknown as { unref?: () => void }).unref?.()
    }
  }

  /** The clock that sessions are told of: milliseconds. */
  static now(): number {
    return Connection.now()
  }
}
