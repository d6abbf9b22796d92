// Ids out of records.

import { held, utf8 } from './bytes.mjs'
import { FORM, ID_FORM, type Frame } from './layout.mjs'

/** A request's id: a number where it is a safe integer, else a bigint; or a string. `null` only in the profile `json-rpc`. */
export type Id = number | bigint | string | null

/** Digits beyond which an integer is not written out: `1e99999999` is an id of ten bytes. */
const LONGEST = 400

/** The value of an integer's token beyond the safe range, which may have an exponent and a fraction. */
export function large(token: string): bigint | number {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token)
  if (parts === null) return Number(token)
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const zeros = Number(exponent) - fraction.length
  if (whole.length + fraction.length + zeros > LONGEST) return Number(token)
  const digits = whole + fraction
  const value = zeros >= 0 ? digits + '0'.repeat(zeros) : digits.slice(0, zeros) || '0'
  return BigInt(value) * (sign === '-' ? -1n : 1n)
}

/** The id of the record at `at`. */
export function readId(frame: Frame, bytes: Uint8Array, at: number): Id | undefined {
  const { words } = frame
  const form = (words[at]! >>> ID_FORM) & 7
  if (form === FORM.positive || form === FORM.negative) {
    const high = words[at + 6]!
    const value = high === 0 ? words[at + 5]! : high * 0x1_0000_0000 + words[at + 5]!
    return form === FORM.positive ? value : -value
  }
  if (form === FORM.none) return undefined
  if (form === FORM.null) return null
  const from = words[at + 3]!
  const to = from + words[at + 4]!
  if (form === FORM.plain) return utf8(held(bytes), from + 1, to - 1)
  const token = utf8(held(bytes), from, to)
  return form === FORM.escaped ? (JSON.parse(token) as string) : large(token)
}
