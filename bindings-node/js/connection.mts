// A session on a pair of streams: what clients and servers have in common.

import type { Readable, Writable } from 'node:stream'
import { invalidType, WirelineError } from './errors.mjs'
import type { Fault } from './fault.mjs'
import type { Session } from './session.mjs'
import type { Handle, SessionEvent, Turn } from './session-types.mjs'

/** Two streams, or one that goes both ways, such as a socket. */
export interface Streams {
  readonly input: Readable
  readonly output: Writable
}

/** Checks and takes apart what a connection is made on. */
export function streamsOf(value: Streams | (Readable & Writable), name: string): Streams {
  const given = value as unknown as Record<string, unknown>
  if (value !== null && typeof value === 'object') {
    if (isReadable(given['input']) && isWritable(given['output'])) return value as Streams
    if (isReadable(value) && isWritable(value)) return { input: value as Readable, output: value as Writable }
  }
  throw invalidType(name, 'a duplex stream, or an object with the streams `input` and `output`', value)
}

function isReadable(value: unknown): boolean {
  return value !== null && typeof value === 'object' && typeof (value as Readable).on === 'function' && typeof (value as Readable).read === 'function'
}

function isWritable(value: unknown): boolean {
  return value !== null && typeof value === 'object' && typeof (value as Writable).write === 'function'
}

/** A request of ours that waits for its end. */
export interface Waiting {
  resolve(event: SessionEvent & { type: 'ended' }): void
  /** It could not be made when its turn came. */
  reject(error: unknown): void
  onEvent?(event: SessionEvent): void
}

/** A request of ours. It has no handle before its turn comes: no more than `maxOutbound` are under way at once. */
export interface Sent {
  readonly handle: Handle | undefined
}

type Make = (now: number) => { handle: Handle; send: Uint8Array }

interface Held {
  readonly make: Make
  readonly waiting: Waiting
  readonly sent: { handle: Handle | undefined }
}

/** Nobody is left to be told of an error, and it must not end the process. */
const ignore = (): void => {}

/** Leaves that on a stream, once. */
function hush(stream: Readable | Writable): void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
}

/** Milliseconds that a peer has, unless it is said otherwise, where it is waited for without an answer that is due. */
export const GRACE = 2000

/** What the user of a connection is told. */
export interface Listener {
  /** What happened, except for the ends of requests that were made by `call`. */
  event(event: SessionEvent): void
  /** Nothing comes any more, once. `cause` is what broke the connection, if anything did. */
  closed(cause: Error | undefined): void
  /** Nothing can be sent any more, once. What has been received may still be told. */
  lost?(cause: Error | undefined): void
  /**
   * Whether no more is read while the peer does not read what it is sent. That is a server's way to hold back a client;
   * a client that stops reading would wait for a server that waits for it.
   */
  readonly holdsBack?: boolean
}

/** Moves bytes between streams and a session, and time. */
export class Connection {
  readonly #session: Session
  readonly #input: Readable
  readonly #output: Writable
  readonly #listener: Listener
  readonly #waiting = new Map<Handle, Waiting>()
  /** Milliseconds that are waited for what may never come: the rest of the input, the end of the output. */
  readonly #grace: number
  /** Requests of ours whose turn has not come. */
  #held: Held[] = []
  #ending: NodeJS.Timeout | undefined
  #cause: Error | undefined
  #timer: NodeJS.Timeout | undefined
  #due = Infinity
  #out: Uint8Array[] = []
  #scheduled = false
  #inputEnded = false
  #over = false
  #dead = false

  constructor(session: Session, { input, output }: Streams, listener: Listener, grace: number) {
    this.#session = session
    this.#grace = grace
    this.#input = input
    this.#output = output
    this.#listener = listener
    input.on('data', this.#onData)
    input.on('end', this.#onEnd)
    input.on('close', this.#onEnd)
    input.on('error', this.#onError)
    output.on('drain', this.#onDrain)
    output.on('error', this.#onOutputError)
    output.on('close', this.#onOutputClose)
  }

  /** The session's clock. */
  static now(): number {
    return performance.now()
  }

  /** What broke it, if anything did. */
  get cause(): Error | undefined {
    return this.#cause
  }

  /** Whether nothing can be sent any more. */
  get dead(): boolean {
    return this.#dead
  }

  /** Whether the peer's side has ended. */
  get inputEnded(): boolean {
    return this.#inputEnded
  }

  readonly #onData = (chunk: Uint8Array): void => {
    this.#follow(this.#session.receive(chunk, Connection.now()))
    // The peer does not read what it is sent: no more of its requests are taken until it does.
    if (this.#listener.holdsBack === true && this.#output.writableNeedDrain && !this.#dead) this.#input.pause()
  }

  readonly #onDrain = (): void => {
    if (!this.#inputEnded) this.#input.resume()
  }

  readonly #onEnd = (): void => this.#end(undefined)

  readonly #onError = (error: Error): void => this.#end(error)

  readonly #onOutputError = (error: Error): void => this.#lose(error)

  readonly #onOutputClose = (): void => this.#lose(undefined)

  /** Nothing can be sent any more. What the peer has sent before is read, as far as it comes soon. */
  #lose(cause: Error | undefined): void {
    if (this.#dead) return
    this.#dead = true
    this.#out = []
    this.#cause ??= cause
    if (!this.#inputEnded) this.#ending = setTimeout(() => this.#end(undefined), this.#grace)
    this.#listener.lost?.(cause)
  }

  /** The input has ended. */
  #end(cause: Error | undefined): void {
    if (this.#inputEnded) return
    this.#inputEnded = true
    this.#cause ??= cause
    clearTimeout(this.#ending)
    this.#follow(this.#session.close(Connection.now()))
    const held = this.#held
    this.#held = []
    for (const { waiting } of held) waiting.resolve(ended('closed'))
    this.#listener.closed(this.#cause)
  }

  /** Sends what a call gave, tells what it told, and sees to the time. */
  #follow(turn: Turn): void {
    this.send(turn.send)
    const failures: unknown[] = []
    for (const event of turn.events) {
      try {
        this.#tell(event)
      } catch (error) {
        // What else has come is told all the same.
        failures.push(error)
      }
    }
    this.#next()
    this.#watch()
    if (failures.length > 0) throw failures[0]
  }

  #tell(event: SessionEvent): void {
    // No line ends any more, so nothing else would ever come.
    if (event.fault?.fault === 'runaway') {
      const error = event.fault.toError()
      queueMicrotask(() => {
        this.#end(error)
        this.#input.destroy()
      })
    }
    if ('handle' in event) {
      const waiting = this.#waiting.get(event.handle)
      if (waiting !== undefined && event.type !== 'request' && event.type !== 'cancelled') {
        if (event.type === 'ended') {
          this.#waiting.delete(event.handle)
          waiting.resolve(event)
        } else {
          waiting.onEvent?.(event)
        }
        return
      }
    }
    this.#listener.event(event)
  }

  /** Sets the timer for what is due next. */
  #watch(): void {
    const due = this.#session.nextTimeout ?? Infinity
    // An earlier timer finds nothing to do and sets the next one, which costs less than setting one for each request.
    if (due !== Infinity && due >= this.#due && this.#timer !== undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#due = due
    if (due === Infinity) return
    const wait = Math.min(2 ** 31 - 1, Math.max(0, Math.ceil(due - Connection.now())))
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#due = Infinity
      this.#follow(this.#session.expire(Connection.now()))
    }, wait)
  }

  /** Sends lines: soon, together with what else is sent until then. */
  send(lines: Uint8Array): void {
    if (lines.length === 0 || this.#dead) return
    this.#out.push(lines)
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(this.#flush)
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    const out = this.#out
    if (out.length === 0 || this.#dead) return
    this.#out = []
    this.#output.write(out.length === 1 ? out[0]! : Buffer.concat(out))
  }

  /**
   * Makes a request and tells its end; if as many as may be are under way, when one of them has ended.
   *
   * @param make gives the line, or throws.
   */
  call(make: Make, waiting: Waiting): Sent {
    if (this.#dead || this.#inputEnded) throw new WirelineError('ERR_WIRELINE_CLOSED', 'the connection is closed', { cause: this.#cause })
    const held: Held = { make, waiting, sent: { handle: undefined } }
    if (this.#held.length > 0 || !this.#start(held)) this.#held.push(held)
    this.#watch()
    return held.sent
  }

  /** Makes a request, if there is room for it. */
  #start({ make, waiting, sent }: Held): boolean {
    let made
    try {
      made = make(Connection.now())
    } catch (error) {
      if ((error as WirelineError).code === 'ERR_WIRELINE_TABLE_FULL' && this.#session.inFlight.outbound > 0) return false
      throw error
    }
    sent.handle = made.handle
    this.#waiting.set(made.handle, waiting)
    this.send(made.send)
    return true
  }

  /** Makes the requests whose turn has come. */
  #next(): void {
    while (this.#held.length > 0 && !this.#dead) {
      const [first] = this.#held as [Held]
      try {
        if (!this.#start(first)) return
      } catch (error) {
        first.waiting.reject(error)
      }
      this.#held.shift()
    }
  }

  /** Cancels a request of ours. Nothing happens if it has ended. */
  cancel(sent: Sent, reason?: string): void {
    if (sent.handle === undefined) {
      const at = this.#held.findIndex((it) => it.sent === sent)
      if (at >= 0) this.#held.splice(at, 1)[0]!.waiting.resolve(ended('cancelled'))
      return
    }
    try {
      this.#follow(this.#session.cancel(sent.handle, reason))
    } catch (error) {
      if ((error as WirelineError).code !== 'ERR_WIRELINE_STALE_HANDLE') throw error
    }
  }

  /** Follows what a call of the session's gave. */
  follow(turn: Turn): void {
    this.#follow(turn)
  }

  /** Sees to a deadline that a call of the session's may have set. */
  watch(): void {
    this.#watch()
  }

  /** Ends the output behind what was sent. Resolves when that has been handed to the system, or cannot be. */
  async endOutput(): Promise<void> {
    this.#flush()
    if (this.#dead || this.#output.writableEnded) return
    await this.#settled((done) => this.#output.end(done))
  }

  /** Waits until what was sent has been handed to the system, or cannot be. */
  async drained(): Promise<void> {
    this.#flush()
    if (this.#dead || this.#output.writableEnded || this.#output.writableLength === 0) return
    // A write of nothing is done when all before it is.
    await this.#settled((done) => this.#output.write(Buffer.alloc(0), done))
  }

  /** Waits for the output, and no longer than the grace time: a peer that does not read is given up, and its output with it. */
  #settled(begin: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#output.off('error', done)
        this.#output.off('close', done)
        resolve()
      }
      const timer = setTimeout(() => {
        done()
        hush(this.#output)
        this.#output.destroy()
      }, this.#grace)
      this.#output.once('error', done)
      this.#output.once('close', done)
      begin(done)
    })
  }

  /** Destroys both streams. */
  destroy(): void {
    this.#input.destroy()
    this.#output.destroy()
  }

  /** Lets go of the streams. Whatever waits has ended. */
  release(): void {
    if (this.#over) return
    this.#over = true
    this.#end(undefined)
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#input.off('data', this.#onData)
    this.#input.off('end', this.#onEnd)
    this.#input.off('close', this.#onEnd)
    this.#output.off('drain', this.#onDrain)
    this.#output.off('close', this.#onOutputClose)
    for (const stream of [this.#input, this.#output]) hush(stream)
    this.#input.off('error', this.#onError)
    this.#output.off('error', this.#onOutputError)
  }
}

/** The end of a request that was never made. */
function ended(why: 'closed' | 'cancelled'): SessionEvent & { type: 'ended' } {
  return { type: 'ended', handle: 0, why, broken: [] }
}

/** An answer of the peer that says that a request failed. */
export class RemoteError extends WirelineError {
  /** The code of JSON-RPC: -32601 and the like. */
  readonly rpcCode: number
  /** What came with it. */
  readonly data: unknown

  constructor(rpcCode: number, message: string, data?: unknown) {
    super('ERR_WIRELINE_REMOTE', message)
    this.rpcCode = rpcCode
    this.data = data
  }
}

/** Why a request of ours that has ended gives no result; `cause` is what broke the connection, if anything did. */
export function failureOf(event: SessionEvent & { type: 'ended' }, cause?: Error): WirelineError {
  switch (event.why) {
    case 'error': {
      const { code, message, data } = event.message.error
      return new RemoteError(code, message, data)
    }
    case 'timed-out':
      return new WirelineError('ERR_WIRELINE_TIMED_OUT', 'no answer came in time')
    case 'cancelled':
      return new WirelineError('ERR_WIRELINE_CANCELLED', 'the request was cancelled')
    case 'closed':
      return new WirelineError('ERR_WIRELINE_CLOSED', 'the connection closed before an answer came', { cause })
    case 'too-long':
      return new WirelineError('ERR_WIRELINE_TOO_LONG', 'the answer is longer than the ceiling (`maxMessage`)')
    case 'too-many-rounds':
      return new WirelineError('ERR_WIRELINE_TOO_MANY_ROUNDS', 'the peer asked for input more often than `maxRounds`')
    default: {
      const fault: Fault | undefined = event.fault
      const why = fault === undefined ? '' : `: ${fault.message}`
      return new WirelineError('ERR_WIRELINE_BAD_RESPONSE', `the answer is none by the protocol${why}`, {
        ...(fault === undefined ? {} : { offset: fault.offset }),
        ...(event.broken[0] === undefined ? {} : { rule: event.broken[0] }),
      })
    }
  }
}
