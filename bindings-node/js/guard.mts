// Standard output while it carries the protocol: what else is written there goes to standard error.

import { fileURLToPath } from 'node:url'
import type { Writable } from 'node:stream'

/** A place in a program's sources. */
export interface Caller {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Who wrote to standard output. */
function caller(skip: unknown): Caller | undefined {
  const prepare = Error.prepareStackTrace
  const limit = Error.stackTraceLimit
  try {
    Error.stackTraceLimit = 20
    Error.prepareStackTrace = (_error, frames) => frames
    const holder: { stack?: NodeJS.CallSite[] } = {}
    Error.captureStackTrace(holder, skip as () => void)
    for (const frame of holder.stack ?? []) {
      const file = frame.getFileName()
      // Streams and the console stand between the caller and us.
      if (!file || file.startsWith('node:')) continue
      return {
        file: file.startsWith('file:') ? fileURLToPath(file) : file,
        line: frame.getLineNumber() ?? 0,
        column: frame.getColumnNumber() ?? 0,
      }
    }
    return undefined
  } finally {
    Error.prepareStackTrace = prepare
    Error.stackTraceLimit = limit
  }
}

/** How many callers are remembered: each is warned of once. */
const MOST = 256

/** What of the console writes to standard output. */
const CONSOLE = ['log', 'info', 'debug', 'dir', 'dirxml', 'table', 'group', 'groupCollapsed', 'count', 'timeEnd', 'timeLog'] as const

/**
 * Bun and Deno write what is printed past `process.stdout`: there the console is told to write to standard error.
 *
 * @returns what undoes that.
 */
function guardConsole(warn: (skip: unknown) => void): () => void {
  const { versions } = process
  if (versions['bun'] === undefined && versions['deno'] === undefined) return () => {}
  const own = console as unknown as Record<string, (...args: unknown[]) => void>
  const undo = CONSOLE.map((name) => {
    const original = own[name]
    const guarded = (...args: unknown[]): void => {
      warn(guarded)
      console.error(...args)
    }
    own[name] = guarded
    return () => {
      if (own[name] === guarded && original !== undefined) own[name] = original
    }
  })
  return () => undo.forEach((it) => it())
}

/** What is guarded: one output, by its own `write`. */
let active: { release: () => void; output: Writable } | undefined

/**
 * Takes standard output for the protocol. What `console.log` and `process.stdout.write` write from then on goes to
 * standard error, with a warning that names the caller, once for each.
 *
 * @returns a stream that writes to standard output, and what gives it back.
 */
export function guardStdout(): { output: Writable; release: () => void } {
  if (active !== undefined) return active
  const { stdout, stderr } = process
  const own = Object.getOwnPropertyDescriptor(stdout, 'write')
  const original = stdout.write
  const known = new Set<string>()

  /** Warns of the caller of `skip`, once. */
  function warn(skip: unknown): void {
    const from = caller(skip)
    const where = from === undefined ? 'unknown' : `${from.file}:${from.line}:${from.column}`
    if (!known.has(where) && known.size < MOST) {
      known.add(where)
      process.emitWarning(
        `standard output carries the protocol, so what ${where === 'unknown' ? 'was written there' : `${where} writes`} goes to standard error`,
        { type: 'WirelineWarning', code: 'WIRELINE_STDOUT', detail: 'Use console.error, or the log of the request.' }
      )
    }
  }

  function write(this: unknown, chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean {
    warn(write)
    return (stderr.write as (...args: unknown[]) => boolean).call(stderr, chunk, encoding, done)
  }

  // Everything of the real stream, but with its own way of writing.
  const output = new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') return (...args: Parameters<typeof original>) => original.apply(target, args)
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
  stdout.write = write as typeof stdout.write
  const releaseConsole = guardConsole(warn)
  active = {
    output,
    release() {
      releaseConsole()
      if (stdout.write === (write as typeof stdout.write)) {
        if (own === undefined) delete (stdout as { write?: unknown }).write
        else Object.defineProperty(stdout, 'write', own)
      }
      active = undefined
    },
  }
  return active
}
