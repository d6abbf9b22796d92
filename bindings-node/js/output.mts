// The sending side of a connection: lines that are written together, and how many of them the peer has not taken.

import type { Readable, Writable } from 'node:stream'

/** Nobody is left to be told of an error, and it must not end the process. */
const ignore = (): void => {}

/** Leaves that on a stream, once. */
export function hush(stream: Readable | Writable): void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
}

/** Who brought lines about: this side, or the peer by what it sent. Each has a ceiling of its own. */
export type Cause = 'own' | 'answer'

/** What follows from the state of an output. */
export interface OutputListener {
  /** Nothing can be sent any more, once. */
  lost(cause: Error | undefined): void
  /** The stream takes more than it could. */
  drain(): void
  /** What was sent has gone on to the system, all or in part. */
  taken(): void
}

/** A stream that lines are written to. */
export class Output {
  readonly #stream: Writable
  readonly #listener: OutputListener
  #lines: Uint8Array[] = []
  #scheduled = false
  #dead = false
  #ended = false
  /** Bytes that the stream has not passed on, and those among `#lines`. */
  readonly #unsent = { own: 0, answer: 0 }
  #fresh = { own: 0, answer: 0 }

  constructor(stream: Writable, listener: OutputListener) {
    this.#stream = stream
    this.#listener = listener
    stream.on('drain', this.#onDrain)
    stream.on('error', this.#onError)
    stream.on('close', this.#onClose)
  }

  /** Whether nothing can be sent any more, since the stream is broken, closed or full for ever. */
  get dead(): boolean {
    return this.#dead
  }

  /** Whether the stream was given as one that takes nothing. */
  get spent(): boolean {
    return this.#stream.destroyed === true || this.#stream.writable === false
  }

  /** What broke the stream, if anything did. */
  get errored(): Error | undefined {
    return this.#stream.errored ?? undefined
  }

  /** Whether the stream asks to be given no more until it drains. */
  get needsDrain(): boolean {
    return !this.#dead && this.#stream.writableNeedDrain === true
  }

  /** Bytes that were sent and that the peer has not taken, as far as shows from here. */
  unsent(cause?: Cause): number {
    return cause === undefined ? this.#unsent.own + this.#unsent.answer : this.#unsent[cause]
  }

  readonly #onDrain = (): void => this.#listener.drain()

  readonly #onError = (error: Error): void => this.lose(error)

  readonly #onClose = (): void => this.lose(undefined)

  /** Gives the output up: what was sent is forgotten, and nothing is any more. */
  lose(cause: Error | undefined): void {
    if (this.#dead) return
    this.#dead = true
    this.#lines = []
    this.#unsent.own = this.#unsent.answer = 0
    this.#listener.lost(cause)
  }

  /** Sends lines: soon, together with what else is sent until then. Nothing happens where nothing can be sent. */
  send(lines: Uint8Array, cause: Cause): void {
    if (lines.length === 0 || this.#dead || this.#ended) return
    this.#lines.push(lines)
    this.#unsent[cause] += lines.length
    this.#fresh[cause] += lines.length
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(this.#flush)
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    const lines = this.#lines
    if (lines.length === 0 || this.#dead) return
    this.#lines = []
    const { own, answer } = this.#fresh
    this.#fresh = { own: 0, answer: 0 }
    const taken = (): void => {
      if (this.#dead) return
      this.#unsent.own -= own
      this.#unsent.answer -= answer
      if (!this.#ended) this.#listener.taken()
    }
    try {
      this.#stream.write(lines.length === 1 ? lines[0]! : Buffer.concat(lines), taken)
    } catch (error) {
      // A stream of the user's may do that.
      this.lose(error as Error)
    }
  }

  /** Ends the stream behind what was sent; nothing is sent from now on. Resolves when all has been handed to the system, or cannot be. */
  async end(grace: number): Promise<void> {
    this.#flush()
    this.#ended = true
    if (this.#dead || this.#stream.writableEnded) return
    await this.#settled(grace, (done) => this.#stream.end(done))
  }

  /** Waits until what was sent has been handed to the system, or cannot be. */
  async drained(grace: number): Promise<void> {
    this.#flush()
    if (this.#dead || this.#stream.writableEnded || this.#stream.writableLength === 0) return
    // A write of nothing is done when all before it is.
    await this.#settled(grace, (done) => this.#stream.write(Buffer.alloc(0), done))
  }

  /** Waits no longer than the grace time: a peer that does not read is given up, and its output with it. */
  #settled(grace: number, begin: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#stream.off('error', done)
        this.#stream.off('close', done)
        resolve()
      }
      const timer = setTimeout(() => {
        done()
        this.destroy()
      }, grace)
      this.#stream.once('error', done)
      this.#stream.once('close', done)
      try {
        begin(done)
      } catch (error) {
        done()
        this.lose(error as Error)
      }
    })
  }

  destroy(): void {
    hush(this.#stream)
    this.#stream.destroy?.()
  }

  /** Lets go of the stream: nothing is sent from now on. */
  release(): void {
    this.#ended = true
    this.#stream.off('drain', this.#onDrain)
    this.#stream.off('close', this.#onClose)
    hush(this.#stream)
    this.#stream.off('error', this.#onError)
  }
}
