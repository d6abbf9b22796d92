// Errors: one class, told apart by `code`.

/** What an error knows besides its code and message; what does not apply is left out. */
export interface ErrorDetails {
  /** Where in the text, in bytes. */
  offset?: number
  /** The id of the message that the error is about. */
  id?: number | bigint | string | null
  /** The rule that was broken, `R13` for one: `docs/rules.md` has them all. */
  rule?: string
  /** What caused it. */
  cause?: unknown
}

/**
 * An error of this package. `code` says which: it begins with `ERR_WIRELINE_` and stays the same between versions,
 * while the message is for people.
 *
 * Wrong types of arguments are a `TypeError` with the code `ERR_INVALID_ARG_TYPE`, numbers out of range a `RangeError`
 * with `ERR_OUT_OF_RANGE`, as Node's own interfaces throw them.
 */
export class WirelineError extends Error {
  /** Which error it is. */
  readonly code: string
  /** Where in the text, in bytes. */
  readonly offset?: number
  /** The id of the message that the error is about. */
  readonly id?: number | bigint | string | null
  /** The rule that was broken, `R13` for one. */
  readonly rule?: string

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    if (details.offset !== undefined) this.offset = details.offset
    if (details.id !== undefined) this.id = details.id
    if (details.rule !== undefined) this.rule = details.rule
  }
}

Object.defineProperty(WirelineError.prototype, 'name', {
  value: 'WirelineError',
  writable: true,
  configurable: true,
})

/** The errors of the native part are of its own making. */
export function mended<T>(call: () => T): T {
  try {
    return call()
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string }
    if (typeof code !== 'string' || !code.startsWith('ERR_WIRELINE_')) throw cause
    const [rule, forbidden] = /^(R\d+): (.*)$/s.exec(message)?.slice(1) ?? []
    if (rule === undefined) throw cause instanceof WirelineError ? cause : new WirelineError(code, message)
    throw new WirelineError(code, `not allowed by ${rule}: ${forbidden}`, { rule })
  }
}

function received(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'object') return `an instance of ${value.constructor?.name || 'Object'}`
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value === 'string') return `a string (${JSON.stringify(value.slice(0, 28))})`
  return `${typeof value}${value === undefined ? '' : ` (${String(value)})`}`
}

/** The error for an argument of a wrong type. */
export function invalidType(name: string, expected: string, value: unknown): TypeError {
  const error = new TypeError(`'${name}' must be ${expected}, and is ${received(value)}`)
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' })
}

/** The error for a number, or another choice, that is out of range. */
export function outOfRange(name: string, expected: string, value: unknown): RangeError {
  const error = new RangeError(`'${name}' must be ${expected}, and is ${received(value)}`)
  return Object.assign(error, { code: 'ERR_OUT_OF_RANGE' })
}
