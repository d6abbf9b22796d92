// The server's transport.

import type { Readable, Writable } from 'node:stream'
import { WirelineError } from './errors.mjs'
import { guardStdout } from './guard.mjs'
import { lineOf, Lines, Writer, type AnyMessage } from './mcp-lines.mjs'

/** Options of the server's transport. */
export interface StdioServerOptions {
  /** Bytes of a message; a longer one is refused by its id. @defaultValue 10 MiB, as in the SDK */
  maxBufferSize?: number | undefined
}

/** A listener that a closed transport leaves behind: late errors of the output must not end the process. */
const LEFT_BEHIND = Symbol('left behind')

/**
 * A transport for a server that its client has started: standard input and output, or any two streams.
 *
 * While it is open over `process.stdout`, what `console.log` and the like write there goes to standard error, with a
 * warning that names the caller.
 *
 * @example
 * ```js
 * import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
 * import { StdioServerTransport } from 'wireline/mcp'
 *
 * const server = new McpServer({ name: 'example', version: '1.0.0' })
 * await server.connect(new StdioServerTransport())
 * ```
 */
export class StdioServerTransport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: AnyMessage, extra?: AnyMessage) => void) | undefined
  sessionId?: string | undefined
  setProtocolVersion?: ((version: string) => void) | undefined

  readonly #input: Readable
  readonly #stdout: Writable
  readonly #lines: Lines
  #output: Writable
  #writer: Writer
  #release: (() => void) | undefined
  #started = false
  #closed = false

  constructor(input: Readable = process.stdin, output: Writable = process.stdout, options?: StdioServerOptions) {
    this.#input = input
    this.#stdout = this.#output = output
    this.#writer = new Writer(output)
    this.#lines = new Lines(options?.maxBufferSize, 'client', this, (line) => void this.#output.write(line))
  }

  /** Begins to read. The SDK's `connect` calls it. */
  async start(): Promise<void> {
    if (this.#started) {
      throw new Error('StdioServerTransport already started! If using Server class, note that connect() calls start() automatically.')
    }
    this.#started = true
    if (this.#stdout === process.stdout) {
      const { output, release } = guardStdout()
      this.#output = output
      this.#writer = new Writer(output)
      this.#release = release
    }
    for (const listener of this.#stdout.listeners('error')) {
      if (Object.hasOwn(listener, LEFT_BEHIND)) this.#stdout.off('error', listener as (error: Error) => void)
    }
    // A stream that has ended before says so no more.
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd)
    this.#input.on('data', this.#onData)
    this.#input.on('error', this.#onError)
    this.#input.on('end', this.#onEnd)
    this.#input.on('close', this.#onEnd)
    this.#stdout.on('error', this.#onOutputError)
  }

  readonly #onData = (chunk: Uint8Array): void => {
    this.#lines.push(chunk, () => !this.#closed)
    // A client that does not read is not read from: what it asks for would pile up.
    if (this.#output.writableNeedDrain && !this.#closed) {
      this.#input.pause()
      this.#output.once('drain', () => {
        if (!this.#closed) this.#input.resume()
      })
    }
  }

  readonly #onError = (error: Error): void => this.onerror?.(error)

  readonly #onOutputError = (error: Error): void => {
    if (this.#closed) return
    this.onerror?.(error)
    void this.close()
  }

  readonly #onEnd = (): void => void this.close()

  /** Stops reading and writing. The streams stay open; `onclose` is called once. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#input.off('data', this.#onData)
    this.#input.off('error', this.#onError)
    this.#input.off('end', this.#onEnd)
    this.#input.off('close', this.#onEnd)
    Object.defineProperty(this.#onOutputError, LEFT_BEHIND, { value: true })
    this.#release?.()
    // Somebody else may be reading it.
    if (this.#input.listenerCount('data') === 0) this.#input.pause()
    this.#lines.clear()
    this.onclose?.()
  }

  /** Sends a message; resolves when the stream takes more. */
  async send(message: AnyMessage, _options?: AnyMessage): Promise<void> {
    if (this.#closed) throw new WirelineError('ERR_WIRELINE_CLOSED', 'StdioServerTransport is closed')
    await this.#writer.write(lineOf(message, this.onerror))
  }
}
