// Signals that many calls share.

/** What waits for each signal. A signal gets one listener, however many calls there are: Node warns of more than ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Has something done once a signal aborts.
 *
 * @returns what undoes that, and leaves nothing on the signal.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let all = waiting.get(signal)
  if (all === undefined) {
    const own = new Set<() => void>()
    const abort = () => {
      waiting.delete(signal)
      for (const it of own) it()
    }
    signal.addEventListener('abort', abort, { once: true })
    all = Object.assign(own, { abort })
    waiting.set(signal, all)
  }
  const mine = all as Set<() => void> & { abort: () => void }
  // The same function may be given twice.
  const entry = () => run()
  mine.add(entry)
  return () => {
    if (!mine.delete(entry) || mine.size > 0 || waiting.get(signal) !== mine) return
    waiting.delete(signal)
    signal.removeEventListener('abort', mine.abort)
  }
}
