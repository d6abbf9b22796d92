// What a server is made of.

import type { Signal } from './globals.mjs'
import type { JsonObject } from './message.mjs'
import type { ArgumentSchema, ArgumentsOf } from './schema.mjs'
import type { LogLevel, Revision, ServerSessionOptions } from './session-types.mjs'

/** What a function that answers a request is given besides its arguments. */
export interface Context {
  /**
   * Aborts when the client cancels the request, when the connection closes, and when `ask` ends this run of the function.
   * Its reason says which: `ERR_WIRELINE_CANCELLED`, `ERR_WIRELINE_CLOSED`, `ERR_WIRELINE_INPUT_REQUIRED`.
   */
  readonly signal: Signal
  /** The revision that the request follows. */
  readonly revision: Revision
  /** `_meta` of the request. */
  readonly meta: JsonObject
  /**
   * Tells how far it has got: only what increases is sent, and only if the client asked, with a token of at most 128 bytes.
   *
   * @returns `false` if it was left out since the client leaves `maxUnsent` bytes unread.
   */
  progress(progress: number, total?: number, message?: string): boolean
  /**
   * Sends a log message, if the client wants its level.
   *
   * @returns `false` if it was left out since the client leaves `maxUnsent` bytes unread.
   */
  log(level: LogLevel, data: unknown, logger?: string): boolean
  /**
   * Asks the client: `elicitation/create`, `sampling/createMessage`, `roots/list`. Before 2026-07-28 that is a request of
   * the server's. In 2026-07-28 the request is answered with a demand for input, and this run of the function is over:
   * the promise is rejected with `ERR_WIRELINE_INPUT_REQUIRED`, so that its `finally` blocks run, and what it returns or
   * throws then is nobody's. When the client sends the request anew, with its answer, the function starts again from its
   * beginning, and this call then returns that answer. So it must ask the same questions in the same order each time.
   */
  ask(method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list', params?: JsonObject): Promise<JsonObject>
}

/** What a tool may return: text, a whole result with `content`, or any other value, which becomes structured content. */
export type ToolResult = unknown

/** A tool. */
export interface ToolOptions<S extends ArgumentSchema = ArgumentSchema> {
  /** For people. */
  title?: string
  /** What it does, for the model. */
  description?: string
  /** Its arguments: a validator with the Standard Schema interface, or JSON Schema, which is shown and not checked. */
  input?: S
  /** The JSON Schema to show, where the validator cannot say it. */
  inputSchema?: JsonObject
  /** What its structured content is. A validator also checks it. */
  output?: ArgumentSchema
  /** The JSON Schema of that, where the validator cannot say it. */
  outputSchema?: JsonObject
  annotations?: JsonObject
  /** Further members of its entry in the list, such as `icons`. */
  more?: JsonObject
}

/** A tool's function. */
export type ToolFunction<S = undefined> = (args: S extends undefined ? JsonObject : ArgumentsOf<S>, context: Context) => ToolResult

/** A resource, or a template of resources. */
export interface ResourceOptions {
  /** A name for programs. @defaultValue the URI */
  name?: string
  title?: string
  description?: string
  mimeType?: string
  more?: JsonObject
}

/** What reading a resource gives: text, bytes, or a whole result with `contents`. */
export type ResourceFunction = (uri: string, variables: Readonly<Record<string, string>>, context: Context) => unknown

/** A prompt. */
export interface PromptOptions {
  title?: string
  description?: string
  arguments?: readonly {
    readonly name: string
    readonly description?: string
    readonly required?: boolean
    /** Suggests values for what has been typed. */
    readonly complete?: (value: string, context: Context) => readonly string[] | Promise<readonly string[]>
  }[]
  more?: JsonObject
}

/** What a prompt gives: text, which is a user's message, an array of messages, or a whole result. */
export type PromptFunction = (args: Readonly<Record<string, string>>, context: Context) => unknown

/** What a server is told. */
export interface ServerOptions extends Omit<ServerSessionOptions, 'maxOutbound'> {
  /** Entries of a list's page. @defaultValue 200 */
  pageSize?: number
  /**
   * Milliseconds that functions have once the client has ended its side: whether it waits for their answers or is gone
   * does not show. Then their signal aborts. @defaultValue 10000
   */
  grace?: number
  /**
   * Bytes that may wait for a client that does not read. With more, progress and log messages are left out, changes are told
   * when it reads again, once of each kind and resource, and questions (`ask`) wait for their turn. Requests of such a client
   * are not read, so that answers need no ceiling. @defaultValue 16777216
   */
  maxUnsent?: number
  /**
   * Is told of what a function threw that has no place in an answer, of values that JSON cannot hold, and of a line without
   * an end that made the connection end (`maxDiscard`).
   */
  onError?: (error: unknown, what: string) => void
}
