// A request that was made: its result, and its progress.

import type { JsonObject } from './message.mjs'

/** How far a request has got. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/**
 * A request that was made: a promise of its result, and an iteration over its progress.
 *
 * @example
 * ```js
 * const call = client.callTool('build')
 * for await (const { progress, total } of call.progress) console.log(progress, total)
 * console.log(await call)
 * ```
 */
export class Call<T = JsonObject> implements PromiseLike<T> {
  readonly #result: Promise<T>
  readonly #progress: () => AsyncGenerator<Progress, void, undefined>
  readonly #cancel: (reason?: string) => void

  /** @internal */
  constructor(result: Promise<T>, progress: () => AsyncGenerator<Progress, void, undefined>, cancel: (reason?: string) => void) {
    this.#result = result
    this.#progress = progress
    this.#cancel = cancel
    // Whoever only iterates over the progress asks for no result.
    result.catch(() => {})
  }

  /**
   * What comes of its progress from now on; ends with the request, however that ends, and throws nothing: the result does.
   * Of what is not taken the newest 256 are kept.
   */
  get progress(): AsyncGenerator<Progress, void, undefined> {
    return this.#progress()
  }

  /** Cancels the request: the result rejects with `ERR_WIRELINE_CANCELLED`. Nothing happens if it has ended. */
  cancel(reason?: string): void {
    this.#cancel(reason)
  }

  then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null
  ): Promise<A | B> {
    return this.#result.then(fulfilled, rejected)
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#result.catch(rejected)
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.#result.finally(settled)
  }

  get [Symbol.toStringTag](): string {
    return 'Call'
  }
}

/** What is kept for an iteration that does not ask for it: the older progress is, the less it says. */
const MOST = 256

/** Progress for those who iterate over it: the queues of all iterations. */
export class Feed {
  readonly #queues = new Set<{ items: Progress[]; wake: (() => void) | undefined }>()
  #over = false

  push(progress: Progress): void {
    for (const queue of this.#queues) {
      queue.items.push(progress)
      if (queue.items.length > MOST) queue.items.shift()
      queue.wake?.()
    }
  }

  end(): void {
    this.#over = true
    for (const queue of this.#queues) queue.wake?.()
  }

  iterate(): AsyncGenerator<Progress, void, undefined> {
    const queue: { items: Progress[]; wake: (() => void) | undefined } = { items: [], wake: undefined }
    this.#queues.add(queue)
    const queues = this.#queues
    const isOver = () => this.#over
    return (async function* () {
      try {
        for (;;) {
          while (queue.items.length > 0) yield queue.items.shift()!
          if (isOver()) return
          await new Promise<void>((resolve) => (queue.wake = resolve))
        }
      } finally {
        queues.delete(queue)
      }
    })()
  }
}
