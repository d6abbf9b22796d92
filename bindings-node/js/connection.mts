// A session on a pair of streams: what clients and servers have in common.

import type { Readable, Writable } from 'node:stream'
import { clearImmediate, setImmediate } from 'node:timers'
import { invalidType, WirelineError } from './errors.mjs'
import { ended } from './failure.mjs'
import { hush, Output, type Cause } from './output.mjs'
import type { Session } from './session.mjs'
import type { Handle, SessionEvent, Turn } from './session-types.mjs'

/** Two streams, or one that goes both ways, such as a socket. Of bytes: an input that has an encoding is refused. */
export interface Streams {
  readonly input: Readable
  readonly output: Writable
}

/** Checks and takes apart what a connection is made on. */
export function streamsOf(value: Streams | (Readable & Writable), name: string): Streams {
  const given = value as unknown as Record<string, unknown>
  if (value !== null && typeof value === 'object') {
    if (isReadable(given['input']) && isWritable(given['output'])) return ofBytes(value as Streams, `${name}.input`)
    if (isReadable(value) && isWritable(value)) return ofBytes({ input: value as Readable, output: value as Writable }, name)
  }
  throw invalidType(name, 'a duplex stream, or an object with the streams `input` and `output`', value)
}

/** Text may no longer be what was sent: bytes that are no UTF-8 were replaced in it. */
function ofBytes(streams: Streams, name: string): Streams {
  const { readableEncoding } = streams.input
  if (readableEncoding == null) return streams
  const error = new TypeError(`'${name}' must be a stream of bytes, and was set to the encoding '${readableEncoding}'`)
  throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' })
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
  /** It could not be made when its turn came, or what came of it cannot be taken. */
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

/** Milliseconds that a peer has, unless it is said otherwise, where it is waited for without an answer that is due. */
export const GRACE = 2000

/** Bytes that may wait for a peer that does not read, unless it is said otherwise. */
export const MAX_UNSENT = 1 << 24

/** Milliseconds after which what comes makes way for timers and for other connections. */
const SLICE = 20

/** What a connection is told. */
export interface ConnectionOptions {
  /** Milliseconds that are waited for what may never come: the rest of the input, the end of the output. */
  readonly grace: number
  /** Bytes that may wait for a peer that does not read; what becomes of more is said where it is sent. */
  readonly maxUnsent: number
}

/** What the user of a connection is told. Nothing of it may throw. */
export interface Listener {
  /** What happened, except for the ends of requests that were made by `call`. */
  event(event: SessionEvent): void
  /** Nothing comes any more, once. `cause` is what broke the connection, if anything did. */
  closed(cause: Error | undefined): void
  /** Nothing can be sent any more, once. What has been received may still be told. */
  lost?(cause: Error | undefined): void
  /** There is room again for what is sent. */
  room?(): void
  /**
   * Whether no more is read while the peer does not read what it is sent. That is a server's way to hold back a client;
   * a client that stops reading would wait for a server that waits for it, so it gives up a server that leaves more
   * than `maxUnsent` bytes of answers unread.
   */
  readonly holdsBack?: boolean
}

/** Moves bytes between streams and a session, and time. */
export class Connection {
  readonly #session: Session
  readonly #input: Readable
  readonly #output: Output
  readonly #listener: Listener
  readonly #waiting = new Map<Handle, Waiting>()
  readonly #grace: number
  readonly #maxUnsent: number
  /** Requests of ours whose turn has not come. */
  #held: Held[] = []
  #turning = false
  #ending: NodeJS.Timeout | undefined
  #cause: Error | undefined
  #timer: NodeJS.Timeout | undefined
  #due = Infinity
  /** How long what came has taken, in milliseconds, since there was room for all else; and what makes that. */
  #busy = 0
  #pausing: NodeJS.Immediate | undefined
  #inputEnded = false
  /** Whether this side has ended its output. */
  #finished = false
  #over = false

  constructor(session: Session, { input, output }: Streams, listener: Listener, { grace, maxUnsent }: ConnectionOptions) {
    this.#session = session
    this.#grace = grace
    this.#maxUnsent = maxUnsent
    this.#input = input
    this.#listener = listener
    this.#output = new Output(output, {
      lost: (cause) => this.#lose(cause),
      drain: () => this.#read(),
      taken: () => {
        if (this.full) return
        this.#turn()
        listener.room?.()
      },
    })
    input.on('data', this.#onData)
    input.on('end', this.#onEnd)
    input.on('close', this.#onEnd)
    input.on('error', this.#onError)
    // What is over already tells nothing of it any more.
    const isSpent = input.destroyed === true || input.readable === false
    if (isSpent || this.#output.spent) process.nextTick(() => this.#open(isSpent))
    else input.resume()
  }

  #open(isSpent: boolean): void {
    if (this.#output.spent) this.#output.lose(this.#output.errored)
    // Without an output nothing comes of what is read.
    this.#end(isSpent ? (this.#input.errored ?? undefined) : undefined)
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
    return this.#output.dead
  }

  /** Whether no request can be made any more. */
  get closed(): boolean {
    return this.dead || this.#inputEnded || this.#finished
  }

  /** Whether as much waits for the peer to read it as may. */
  get full(): boolean {
    return this.#output.unsent() >= this.#maxUnsent
  }

  readonly #onData = (chunk: Uint8Array): void => {
    if (this.#inputEnded) return
    let turn
    const begun = Connection.now()
    try {
      turn = this.#session.receive(chunk, begun)
    } catch (error) {
      // What is no bytes: an encoding was set in between, say.
      this.#giveUp(error as Error)
      return
    }
    this.#follow(turn, 'answer')
    // The peer does not read what it is sent: no more of its requests are taken until it does.
    if (this.#holdsBack) this.#input.pause()
    this.#busy += Connection.now() - begun
    if (this.#busy < SLICE || this.#pausing !== undefined) return
    this.#input.pause()
    this.#pausing = setImmediate(() => {
      this.#pausing = undefined
      this.#busy = 0
      this.#read()
    })
  }

  get #holdsBack(): boolean {
    return this.#listener.holdsBack === true && this.#output.needsDrain
  }

  /** Reads on, if nothing speaks against it. */
  #read(): void {
    if (this.#pausing === undefined && !this.#holdsBack) this.#input.resume()
  }

  readonly #onEnd = (): void => this.#end(undefined)

  readonly #onError = (error: Error): void => this.#end(error)

  /** Nothing can be sent any more. What the peer has sent before is read, as far as it comes soon. */
  #lose(cause: Error | undefined): void {
    this.#cause ??= cause
    this.#drop()
    if (!this.#inputEnded) this.#ending = setTimeout(() => this.#end(undefined), this.#grace)
    this.#listener.lost?.(cause)
  }

  /** Ends the requests whose turn cannot come any more. */
  #drop(): void {
    const held = this.#held
    this.#held = []
    for (const { waiting } of held) waiting.resolve(ended('closed'))
  }

  /** The input has ended. */
  #end(cause: Error | undefined): void {
    if (this.#inputEnded) return
    this.#inputEnded = true
    this.#cause ??= cause
    clearTimeout(this.#ending)
    // Nothing is made of what still comes.
    clearImmediate(this.#pausing)
    this.#pausing = undefined
    this.#input.resume()
    try {
      this.#follow(this.#session.close(Connection.now()), 'answer')
    } catch (error) {
      this.#cause ??= error as Error
      // A session that is lost tells no ends any more.
      for (const waiting of this.#waiting.values()) waiting.resolve(ended('closed'))
      this.#waiting.clear()
    }
    this.#drop()
    this.#listener.closed(this.#cause)
  }

  /** Ends a connection that nothing good can come of. What has come in the same chunk is told first. */
  #giveUp(error: Error): void {
    this.#cause ??= error
    this.#input.off('data', this.#onData)
    queueMicrotask(() => {
      this.#end(error)
      this.#input.destroy()
    })
  }

  /** Sends what a call gave, tells what it told, and sees to the time. */
  #follow(turn: Turn, cause: Cause): void {
    this.#send(turn.send, cause)
    for (const event of turn.events) {
      try {
        this.#tell(event)
      } catch (error) {
        // What else has come is told all the same.
        this.#giveUp(error as Error)
      }
    }
    this.#turn()
    this.#watch()
  }

  #tell(event: SessionEvent): void {
    // No line ends any more, so nothing else would ever come.
    if (event.fault?.fault === 'runaway') this.#giveUp(event.fault.toError())
    if ('handle' in event) {
      const waiting = this.#waiting.get(event.handle)
      if (waiting !== undefined && event.type !== 'request' && event.type !== 'cancelled') {
        if (event.type === 'ended') this.#waiting.delete(event.handle)
        try {
          if (event.type === 'ended') waiting.resolve(event)
          else waiting.onEvent?.(event)
        } catch (error) {
          // A value that is longer than a string may be, say.
          waiting.reject(error)
        }
        return
      }
    }
    this.#listener.event(event)
  }

  #nextTimeout(): number {
    try {
      return this.#session.nextTimeout ?? Infinity
    } catch (error) {
      if (!this.#inputEnded) this.#giveUp(error as Error)
      return Infinity
    }
  }

  /** Sets the timer for what is due next. */
  #watch(): void {
    const due = this.#over ? Infinity : this.#nextTimeout()
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
      try {
        this.#follow(this.#session.expire(Connection.now()), 'own')
      } catch (error) {
        this.#giveUp(error as Error)
      }
    }, wait)
  }

  /** Sends lines of this side: soon, together with what else is sent until then. */
  send(lines: Uint8Array): void {
    this.#send(lines, 'own')
  }

  /** Sends an answer to the peer. */
  answer(lines: Uint8Array): void {
    this.#send(lines, 'answer')
  }

  #send(lines: Uint8Array, cause: Cause): void {
    if (lines.length === 0) return
    const isUnread = cause === 'answer' && this.#listener.holdsBack !== true && this.#output.unsent('answer') >= this.#maxUnsent
    if (!isUnread) {
      this.#output.send(lines, cause)
      return
    }
    const error = new WirelineError('ERR_WIRELINE_UNREAD', `the peer asks, and leaves ${this.#maxUnsent} bytes of answers unread (\`maxUnsent\`)`)
    this.#giveUp(error)
    queueMicrotask(() => {
      this.#output.lose(error)
      this.#output.destroy()
    })
  }

  /**
   * Makes a request and tells its end; if as many as may be are under way, or as much waits for the peer to read it as
   * may, when one of them has ended or has been read.
   *
   * @param make gives the line, or throws.
   */
  call(make: Make, waiting: Waiting): Sent {
    if (this.closed) {
      throw new WirelineError('ERR_WIRELINE_CLOSED', 'the connection is closed', { cause: this.#cause })
    }
    const held: Held = { make, waiting, sent: { handle: undefined } }
    if (this.#held.length > 0 || !this.#start(held)) this.#held.push(held)
    this.#watch()
    return held.sent
  }

  /** Makes a request, if there is room for it. What waits for none that is under way is made in any case. */
  #start({ make, waiting, sent }: Held): boolean {
    if (this.full && this.#session.inFlight.outbound > 0) return false
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

  /** Has the requests made whose turn has come, once what goes on now is over: it may be a signal that takes many of them away. */
  #turn(): void {
    if (this.#held.length === 0 || this.#turning) return
    this.#turning = true
    process.nextTick(this.#next)
  }

  readonly #next = (): void => {
    this.#turning = false
    if (this.#inputEnded || this.#finished) this.#drop()
    while (this.#held.length > 0) {
      const [first] = this.#held as [Held]
      try {
        if (!this.#start(first)) break
      } catch (error) {
        first.waiting.reject(error)
      }
      this.#held.shift()
    }
    this.#watch()
  }

  /** Cancels a request of ours. Nothing happens if it has ended. */
  cancel(sent: Sent, reason?: string): void {
    if (sent.handle === undefined) {
      const at = this.#held.findIndex((it) => it.sent === sent)
      if (at >= 0) this.#held.splice(at, 1)[0]!.waiting.resolve(ended('cancelled'))
      return
    }
    try {
      this.#follow(this.#session.cancel(sent.handle, reason), 'own')
    } catch (error) {
      if ((error as WirelineError).code !== 'ERR_WIRELINE_STALE_HANDLE') throw error
    }
  }

  /** Sees to a deadline that a call of the session's may have set. */
  watch(): void {
    this.#watch()
  }

  /** Ends the output behind what was sent, so that no request is made any more. Resolves when that has been handed to the system, or cannot be. */
  async endOutput(): Promise<void> {
    this.#finished = true
    this.#drop()
    await this.#output.end(this.#grace)
  }

  /** Waits until what was sent has been handed to the system, or cannot be. */
  async drained(): Promise<void> {
    await this.#output.drained(this.#grace)
  }

  /** Ends it, since its session is of no use any more. */
  fail(error: Error): void {
    this.#giveUp(error)
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
    clearTimeout(this.#ending)
    this.#timer = undefined
    this.#input.off('data', this.#onData)
    this.#input.off('end', this.#onEnd)
    this.#input.off('close', this.#onEnd)
    hush(this.#input)
    this.#input.off('error', this.#onError)
    this.#output.release()
  }
}
