// Reads the text vectors: `vectors/README.md` describes their format.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../vectors/', import.meta.url))

function unescape(text) {
  const parts = []
  const pattern = /\\(?:([nrt\\])|x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]+)\})|([^\\]+)/gy
  let at = 0
  for (let match; at < text.length && (match = pattern.exec(text)); at = pattern.lastIndex) {
    const [, simple, hex, point, plain] = match
    if (simple !== undefined) parts.push(Buffer.from({ n: '\n', r: '\r', t: '\t', '\\': '\\' }[simple]))
    else if (hex !== undefined) parts.push(Buffer.of(parseInt(hex, 16)))
    else if (point !== undefined) parts.push(Buffer.from(String.fromCodePoint(parseInt(point, 16))))
    else parts.push(Buffer.from(plain))
  }
  if (at !== text.length) throw new Error(`no such escape at ${at} of ${text}`)
  return Buffer.concat(parts)
}

/** A line `key: text`, `key= 'text'`, either with a count, as key and bytes. */
function field(line) {
  const match = /^([A-Za-z0-9.-]+)(?:\*(\d+))?([:=]) (.*)$/s.exec(line) ?? /^([A-Za-z0-9.-]+)(?:\*(\d+))?([:=])()$/.exec(line)
  if (match === null) throw new Error(`not understood: ${line}`)
  const [, key, count, sign, rest] = match
  const once = sign === ':' ? Buffer.from(rest) : unescape(rest.slice(rest.indexOf("'") + 1, rest.lastIndexOf("'")))
  return { key, bytes: count === undefined ? once : Buffer.alloc(once.length * Number(count), once) }
}

const SETTINGS = {
  'limit-message': ['maxMessage', Number],
  'limit-depth': ['maxDepth', Number],
  'limit-id': ['maxId', Number],
  'limit-method': ['maxMethod', Number],
  'limit-discard': ['maxDiscard', Number],
  profile: ['profile', String],
  batches: ['batches', (text) => text === 'on'],
  eof: ['eofCompletesLine', (text) => text === 'completes-line'],
}

function read(file) {
  const found = []
  let vector
  let item
  let last
  for (const line of readFileSync(folder + file, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('== ')) {
      vector = { name: `${file}: ${line.slice(3)}`, options: {}, input: [], items: [] }
      item = last = undefined
      found.push(vector)
    } else if (/^(message|fault) /.test(line)) {
      const fault = /^fault ([a-z0-9-]+) at (\d+) of (\d+)$/.exec(line)
      item = fault
        ? { fault: fault[1], offset: Number(fault[2]), length: Number(fault[3]), fields: {} }
        : { kind: line.slice(8), fields: {} }
      vector.items.push(item)
      last = undefined
    } else if (line.startsWith('  ')) {
      const { key, bytes } = field(line.slice(2))
      item.fields[key] = last === key ? Buffer.concat([item.fields[key], bytes]) : bytes
      last = key
    } else {
      const { key, bytes } = field(line)
      if (key === 'in') vector.input.push(bytes)
      else if (key === 'line') vector.input.push(bytes, Buffer.from('\n'))
      else if (key === 'doc') vector.doc = String(bytes)
      else if (SETTINGS[key]) vector.options[SETTINGS[key][0]] = SETTINGS[key][1](String(bytes))
      else throw new Error(`${vector.name}: no setting '${key}'`)
    }
  }
  return found.map((it) => ({ ...it, input: Buffer.concat(it.input) }))
}

/** Every vector of every file. */
export function vectors() {
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt')).sort()
  const found = files.flatMap(read)
  if (files.length < 10 || found.length < 400) throw new Error(`only ${found.length} vectors in ${files.length} files`)
  return found
}

/** The same with CRLF for every LF that has no CR before it. */
export function withCrlf(input) {
  if (input.length > LONG) return input
  const out = []
  for (let at = 0; at < input.length; at++) {
    if (input[at] === 10 && input[at - 1] !== 13) out.push(13)
    out.push(input[at])
  }
  return Buffer.from(out)
}

/** Random numbers from a seed: the same on every machine. */
export function randoms(seed) {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

/** From here on an input is not cut at every byte: a few of the vectors are many MiB of the same. */
export const LONG = 1 << 16

/** The input in pieces of random lengths. */
export function* randomPieces(input, seed) {
  const random = randoms(seed * 2654435761)
  const scale = input.length > LONG ? 4096 : 1
  for (let at = 0; at < input.length; ) {
    const length = 1 + scale * random(random(4) === 0 ? 64 : 8)
    yield input.subarray(at, at + length)
    at += length
  }
}
