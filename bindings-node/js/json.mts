// Values into JSON text, where nothing is lost on the way without a word.

import { WirelineError } from './errors.mjs'

/** What of a value JSON cannot hold, and where. */
function refuse(where: string, what: string): never {
  throw new WirelineError('ERR_WIRELINE_NOT_JSON', `${where} is ${what}, which JSON cannot hold`)
}

/** What would be written as `{}`, whatever is in it. */
const EMPTIED = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'Generator', 'AsyncGenerator', 'RegExp', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView'])

/** Looks at each value that is going to be written for what would become `null` or `{}`. */
function check(value: unknown, name: string): void {
  JSON.stringify(value, function (this: unknown, key: string, it: unknown) {
    const inArray = Array.isArray(this)
    const where = () => (key === '' && !inArray ? name : `${inArray ? `element ${key}` : `member '${key}'`} in ${name}`)
    if (typeof it === 'number' && !Number.isFinite(it)) refuse(where(), String(it))
    if (it !== null && typeof it === 'object') {
      const tag = Object.prototype.toString.call(it).slice(8, -1)
      if (EMPTIED.has(tag)) refuse(where(), `a ${tag}`)
    }
    if (inArray && (it === undefined || typeof it === 'function' || typeof it === 'symbol')) refuse(where(), typeof it)
    return it
  })
}

/** An unpaired surrogate, as `JSON.stringify` writes it: escaped, with no backslash before the escape. */
const LONE_SURROGATE = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/

/**
 * JSON text of a value.
 *
 * @param value what to write: members that are `undefined` are left out, as `JSON.stringify` does.
 * @param name what the value is, for errors.
 * @throws {@link WirelineError} with `ERR_WIRELINE_NOT_JSON` for what JSON cannot hold: `undefined`, functions, BigInt,
 * NaN and infinities, cycles, unpaired surrogates, maps, sets, promises and the like.
 */
export function stringify(value: unknown, name: string): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    if (cause instanceof WirelineError) throw cause
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new WirelineError('ERR_WIRELINE_NOT_JSON', `${name} cannot be written as JSON: ${why}`, { cause })
  }
  if (text === undefined) refuse(name, value === undefined ? 'undefined' : `a ${typeof value}`)
  if (text.includes('null') || text.includes('{}')) check(value, name)
  if (text.includes('\\ud') && LONE_SURROGATE.test(text)) {
    throw new WirelineError('ERR_WIRELINE_NOT_JSON', `${name} holds an unpaired surrogate, which is no Unicode text`)
  }
  return text
}
