// A server as a child process: started, and ended in the order that the protocol asks for.

import { spawn as spawnProcess, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers'
import { invalidType, WirelineError } from './errors.mjs'
import type { Location } from './globals.mjs'
import { integer, object } from './options.mjs'
import type { Streams } from './connection.mjs'

/** How a server is started. */
export interface ServerCommand {
  /** The program. It is run as it is, not by a shell. */
  command: string
  args?: readonly string[]
  /** Its environment. @defaultValue that of this process */
  env?: Readonly<Record<string, string | undefined>>
  cwd?: string | Location
  /**
   * What becomes of its standard error: shown on ours (`inherit`), thrown away (`ignore`), or handed to a function in
   * chunks. It is read all along in any case, so that the server never waits for it. @defaultValue 'inherit'
   */
  stderr?: 'inherit' | 'ignore' | ((chunk: Uint8Array) => void)
  /** Milliseconds that it has after the end of its input, and again after SIGTERM. @defaultValue 2000 */
  grace?: number
}

/** A running server. */
export interface Child {
  readonly streams: Streams
  readonly process: ChildProcess
  /** Ends it: closes its input, waits, sends SIGTERM, waits, sends SIGKILL. */
  end(endInput: () => Promise<void>): Promise<void>
  /** When it has exited, and how; for messages. */
  readonly exited: Promise<string>
  /** Lets go of its streams: another process that it has left behind may hold them open, and would keep this one running. */
  release(): void
}

/** What a pipe holds at most, in bytes. */
const PIPE = 1 << 20

/** Turns of the event loop in which that has come, whatever else goes on. */
const MOST_TURNS = 200

/**
 * Waits until a stream has given what is in its pipe. That ends it, unless another process holds the pipe open: then
 * there is nothing left once the event loop has looked for more, twice, and found none, or once more has come than was there.
 */
async function unread(stream: Readable | null): Promise<void> {
  if (stream === null || stream.destroyed) return
  let idle = 0
  let left = PIPE
  const note = (chunk: Uint8Array) => {
    idle = 0
    left -= chunk.length
    if (left <= 0) stream.pause()
  }
  stream.on('data', note)
  for (let turn = 0; turn < MOST_TURNS && idle < 2 && left > 0 && !stream.readableEnded && !stream.destroyed; turn++) {
    // The connection may have made a pause.
    if (stream.readableFlowing) idle++
    await new Promise((resolve) => setImmediate(resolve))
  }
  stream.off('data', note)
}

/** Starts a server. Resolves when it runs, and rejects if it cannot be started. */
export async function startChild(given: ServerCommand): Promise<Child> {
  const { command, args = [], env, cwd, stderr = 'inherit' } = object(given, 'server')
  if (typeof command !== 'string' || command === '') throw invalidType('server.command', 'the name of a program', command)
  if (!Array.isArray(args)) throw invalidType('server.args', 'an array of strings', args)
  args.forEach((it: unknown, at) => {
    if (typeof it !== 'string') throw invalidType(`server.args[${at}]`, 'a string', it)
  })
  for (const [name, it] of Object.entries(object(env, 'server.env'))) {
    if (it !== undefined && typeof it !== 'string') throw invalidType(`server.env.${name}`, 'a string', it)
  }
  if (stderr !== 'inherit' && stderr !== 'ignore' && typeof stderr !== 'function') {
    throw invalidType('server.stderr', "'inherit', 'ignore' or a function", stderr)
  }
  const grace = integer(object(given, 'server').grace, 'server.grace', 0, 0x7fff_ffff, 2000)
  const child = spawnProcess(command, args as string[], {
    stdio: ['pipe', 'pipe', typeof stderr === 'function' ? 'pipe' : stderr],
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd: cwd as string | URL }),
    windowsHide: true,
  })
  // There are no streams where there are no more files to be had, which the error below is told of.
  if (typeof stderr === 'function') child.stderr?.on('data', stderr).on('error', () => {})
  let gone = false
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      gone = true
      resolve(signal === null ? `exited with status ${code}` : `was ended by ${signal}`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (cause) => {
      reject(new WirelineError('ERR_WIRELINE_SPAWN', `the server '${command}' cannot be started: ${cause.message}`, { cause }))
    })
  })
  // Signals that cannot be sent, and the like.
  child.on('error', () => {})
  const within = (millis: number) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(gone), millis)
      void exited.then(() => {
        clearTimeout(timer)
        resolve(true)
      })
    })
  /** Waits until it has exited, and what it wrote before that has been read. */
  const rest = async () => {
    await exited
    await Promise.all([child.stdout, child.stderr].map(unread))
  }
  return {
    streams: { input: child.stdout!, output: child.stdin! },
    process: child,
    exited,
    async end(endInput) {
      // A server that does not read cannot make us wait for the end of what it was sent.
      const ended = endInput().then(() => child.stdin!.end())
      if (!gone && !(await within(grace))) {
        child.kill('SIGTERM')
        if (!(await within(grace))) child.kill('SIGKILL')
      }
      await rest()
      await Promise.race([ended, within(0)])
    },
    release() {
      for (const stream of child.stdio) stream?.on('error', () => {}).destroy()
    },
  }
}
