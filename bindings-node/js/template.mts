// URIs that match a template (RFC 6570, levels 1 and 2).

/** A template of URIs. */
export interface Template {
  /** The names of its variables. */
  readonly names: readonly string[]
  /** The variables of a URI, or nothing if it does not match. */
  match(uri: string): Record<string, string> | undefined
}

/** A longer URI matches no template, so that what a client asks for cannot take much memory. */
const LONGEST = 1 << 16

/** A variable, and the text between it and the next one. */
interface Part {
  readonly name: string
  /** Whether its value may hold reserved characters. */
  readonly any: boolean
  readonly text: string
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a character ends a value that may hold no reserved ones. */
function isReserved(code: number): boolean {
  return code === 0x2f || code === 0x3f || code === 0x23
}

/**
 * Where the value of each variable ends, each as long as the rest allows, from the left; in time in proportion to the URI.
 *
 * The parts are gone through from the last to the first, and for each place it is noted where a value that begins there
 * would end at the furthest, so that nothing is tried twice.
 */
function ends(parts: readonly Part[], uri: string, start: number): number[] | undefined {
  const furthest: Int32Array[] = []
  for (let at = parts.length - 1; at >= 0; at--) {
    const { any, text } = parts[at]!
    const rest = furthest[at + 1]
    const mine = new Int32Array(uri.length + 1).fill(-1)
    for (let from = uri.length - 1; from >= start; from--) {
      if (!any && isReserved(uri.charCodeAt(from))) continue
      const end = from + 1
      if (mine[end]! >= 0) mine[from] = mine[end]!
      else if (rest === undefined ? end + text.length === uri.length && uri.endsWith(text) : uri.startsWith(text, end) && (rest[end + text.length] ?? -1) >= 0) mine[from] = end
    }
    furthest[at] = mine
  }
  const found: number[] = []
  for (let at = 0, from = start; at < parts.length; from = found[at]! + parts[at]!.text.length, at++) {
    const end = furthest[at]![from] ?? -1
    if (end < 0) return undefined
    found.push(end)
  }
  return found
}

/** The template that a URI is, if it has variables. */
export function templateOf(uri: string): Template | undefined {
  const parts: Part[] = []
  const found = [...uri.matchAll(/\{([+#]?)([A-Za-z0-9_.%]+)(\*?)\}/g)]
  if (found.length === 0) return undefined
  const prefix = uri.slice(0, found[0]!.index)
  found.forEach(({ 0: whole, 1: operator, 2: name = '', 3: explode, index }, at) => {
    // Without an operator a value holds no reserved character, and so no slash.
    parts.push({ name, any: operator !== '' || explode !== '', text: uri.slice(index + whole.length, found[at + 1]?.index) })
  })
  return {
    names: parts.map((it) => it.name),
    match(text) {
      if (text.length > LONGEST || !text.startsWith(prefix)) return undefined
      const places = ends(parts, text, prefix.length)
      if (places === undefined) return undefined
      let from = prefix.length
      return Object.fromEntries(
        parts.map(({ name, text: behind }, at) => {
          const value = text.slice(from, places[at])
          from = places[at]! + behind.length
          return [name, decoded(value)]
        })
      )
    },
  }
}
