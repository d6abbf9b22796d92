// Streams of which a part is lost.

import { mended } from './errors.mjs'

/**
 * Has a reader of a stream read no further once it could not read something: what follows could be taken for another
 * message than it is.
 */
export class Integrity {
  #lost: { readonly error: unknown } | undefined

  /** Reads, unless something is lost: then, and for ever after, what was thrown is thrown. */
  reading<T>(read: () => T): T {
    if (this.#lost !== undefined) throw this.#lost.error
    try {
      return mended(read)
    } catch (error) {
      this.#lost = { error }
      throw error
    }
  }

  /** Whether something is lost. */
  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** Begins with another stream. */
  reset(): void {
    this.#lost = undefined
  }
}
