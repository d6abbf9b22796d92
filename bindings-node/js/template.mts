// URIs that match a template (RFC 6570, levels 1 and 2).

/** A template of URIs. */
export interface Template {
  /** The names of its variables. */
  readonly names: readonly string[]
  /** The variables of a URI, or nothing if it does not match. */
  match(uri: string): Record<string, string> | undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The template that a URI is, if it has variables. */
export function templateOf(uri: string): Template | undefined {
  const names: string[] = []
  let pattern = '^'
  let last = 0
  for (const found of uri.matchAll(/\{([+#]?)([A-Za-z0-9_.%]+)(\*?)\}/g)) {
    const [whole, operator, name = '', explode] = found
    pattern += uri.slice(last, found.index).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    // Without an operator a value holds no reserved character, and so no slash.
    pattern += operator === '' && explode === '' ? '([^/?#]+)' : '(.+)'
    names.push(name)
    last = found.index + whole.length
  }
  if (names.length === 0) return undefined
  pattern += uri.slice(last).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const expression = new RegExp(`${pattern}$`, 's')
  return {
    names,
    match(text) {
      const found = expression.exec(text)
      if (found === null) return undefined
      return Object.fromEntries(names.map((name, at) => [name, decoded(found[at + 1]!)]))
    },
  }
}
