// The client's transport.

import { spawn as spawnProcess, type ChildProcess, type IOType } from 'node:child_process'
import { createRequire } from 'node:module'
import { PassThrough, type Stream } from 'node:stream'
import { WirelineError } from './errors.mjs'
import { lineOf, Lines, Writer, type AnyMessage } from './mcp-lines.mjs'

/** How a server is started. */
export interface StdioServerParameters {
  command: string
  args?: string[] | undefined
  /** Variables besides those of {@link getDefaultEnvironment}. */
  env?: Record<string, string> | undefined
  /** What becomes of its standard error. @defaultValue 'inherit' */
  stderr?: IOType | Stream | number | undefined
  cwd?: string | undefined
  /** Bytes of a message; a longer one ends the request that it answers. @defaultValue 10 MiB, as in the SDK */
  maxBufferSize?: number | undefined
}

/** The variables of our environment that a server gets without being asked. */
export const DEFAULT_INHERITED_ENV_VARS: string[] =
  process.platform === 'win32'
    ? ['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE', 'WINDIR']
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']

/** Those variables, with their values. Shell functions are left out. */
export function getDefaultEnvironment(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of DEFAULT_INHERITED_ENV_VARS) {
    const value = process.env[name]
    if (value !== undefined && !value.startsWith('()')) found[name] = value
  }
  return found
}

type Spawn = typeof spawnProcess

/** On Windows scripts such as `npx.cmd` need what the SDK brings along for that. */
function spawner(): Spawn {
  if (process.platform !== 'win32') return spawnProcess
  for (const from of ['@modelcontextprotocol/client/stdio', '@modelcontextprotocol/sdk/client/stdio.js']) {
    try {
      const here = createRequire(`${process.cwd()}/`)
      return createRequire(here.resolve(from))('cross-spawn') as Spawn
    } catch {
      // The other version, or none.
    }
  }
  return spawnProcess
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis).unref())
}

/** Whether a process runs no more. */
function isGone(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/**
 * A transport for a client that starts its server.
 *
 * @example
 * ```js
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js'
 * import { StdioClientTransport } from 'wireline/mcp'
 *
 * const client = new Client({ name: 'example', version: '1.0.0' })
 * await client.connect(new StdioClientTransport({ command: 'node', args: ['server.js'] }))
 * ```
 */
export class StdioClientTransport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: AnyMessage, extra?: AnyMessage) => void) | undefined
  sessionId?: string | undefined
  setProtocolVersion?: ((version: string) => void) | undefined

  /**
   * The SDK's client 2.x reads it: it probes a server on a second process, started with the same parameters.
   *
   * @internal
   */
  readonly _serverParams: StdioServerParameters

  readonly #lines: Lines
  readonly #stderr: PassThrough | null
  #process: ChildProcess | undefined
  #writer: Writer | undefined
  /** Whether nothing more is to be told. */
  #disposed = false

  constructor(server: StdioServerParameters) {
    this._serverParams = server
    this.#lines = new Lines(server.maxBufferSize, 'server', this, (line) => {
      const stdin = this.#process?.stdin
      if (stdin?.writable === true) stdin.write(line)
    })
    this.#stderr = server.stderr === 'pipe' || server.stderr === 'overlapped' ? new PassThrough() : null
  }

  /** Starts the server. The SDK's `connect` calls it. */
  async start(): Promise<void> {
    if (this.#process !== undefined) {
      throw new Error('StdioClientTransport already started! If using Client class, note that connect() calls start() automatically.')
    }
    this.#disposed = false
    const { command, args = [], env, cwd, stderr = 'inherit' } = this._serverParams
    await new Promise<void>((resolve, reject) => {
      const child = spawner()(command, args, {
        env: { ...getDefaultEnvironment(), ...env },
        stdio: ['pipe', 'pipe', stderr],
        shell: false,
        windowsHide: process.platform === 'win32',
        ...(cwd === undefined ? {} : { cwd }),
      }) as ChildProcess
      this.#process = child
      if (child.stdin) this.#writer = new Writer(child.stdin)
      child.on('error', (error) => {
        reject(error)
        this.onerror?.(error)
      })
      child.on('spawn', () => resolve())
      child.on('close', () => {
        if (this.#process === child) this.#process = undefined
        this.onclose?.()
      })
      child.stdin?.on('error', (error) => this.onerror?.(error))
      // What it says until it ends counts, though it was told to end.
      child.stdout?.on('data', (chunk: Uint8Array) => this.#lines.push(chunk, () => !this.#disposed))
      child.stdout?.on('error', (error) => this.onerror?.(error))
      if (this.#stderr !== null && child.stderr !== null) child.stderr.pipe(this.#stderr)
    })
  }

  /** The standard error of the server, if `stderr` is `pipe`: there before it is started, so that nothing of it is lost. */
  get stderr(): Stream | null {
    return this.#stderr ?? this.#process?.stderr ?? null
  }

  /** The server's process, once it was started. */
  get pid(): number | null {
    return this.#process?.pid ?? null
  }

  /** Ends the server: closes its input, waits two seconds, sends SIGTERM, waits, sends SIGKILL. */
  async close(): Promise<void> {
    const child = this.#process
    if (child !== undefined) {
      this.#process = undefined
      const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
      child.stdin?.end()
      await Promise.race([closed, pause(2000)])
      if (!isGone(child)) {
        child.kill('SIGTERM')
        await Promise.race([closed, pause(2000)])
      }
      if (!isGone(child)) child.kill('SIGKILL')
    }
    this.#lines.clear()
  }

  /**
   * Ends a server that was only probed, at once. The SDK's client 2.x calls it.
   *
   * @internal
   */
  async _dispose(): Promise<void> {
    this.#disposed = true
    const child = this.#process
    this.#process = undefined
    if (child !== undefined && !isGone(child)) {
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.stdin?.end()
      child.kill('SIGTERM')
      await Promise.race([exited, pause(1000)])
      if (!isGone(child)) child.kill('SIGKILL')
      await exited
    }
    child?.stdout?.destroy()
    child?.stdin?.destroy()
    child?.stderr?.destroy()
    this.#lines.clear()
  }

  /** Sends a message; resolves when the stream takes more. */
  async send(message: AnyMessage, _options?: AnyMessage): Promise<void> {
    const writer = this.#writer
    if (!this.#process || !writer) throw new WirelineError('ERR_WIRELINE_NOT_CONNECTED', 'Not connected')
    await writer.write(lineOf(message, this.onerror))
  }
}
