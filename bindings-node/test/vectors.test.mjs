// The text vectors, in every way in.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decoder, examine } from 'wireline'
import { compare } from './support/render.mjs'
import { LONG, randomPieces, vectors, withCrlf } from './support/vectors.mjs'

const all = vectors()

/** Long inputs are not cut at each place of a long run of the same. */
function* cuts(input) {
  if (input.length > LONG) {
    yield* [1, 63, 4096, LONG + 1, input.length >> 1, input.length - 1]
    return
  }
  const step = input.length <= 2048 ? 1 : Math.ceil(input.length / 512)
  for (let at = 0; at <= input.length; at += at < 64 || at > input.length - 64 ? 1 : step) yield at
}

function decode(options, pieces) {
  const decoder = new Decoder(options)
  const items = []
  for (const piece of pieces) items.push(...decoder.push(piece))
  items.push(...decoder.end())
  return items
}

function* bytes(input) {
  const step = input.length > LONG ? 65_521 : 1
  for (let at = 0; at < input.length; at += step) yield input.subarray(at, at + step)
}

/** Runs all vectors in ways that `run` names, and says how many that were. */
function each(name, run) {
  test(`vectors: ${name}`, (t) => {
    let ways = 0
    for (const vector of all) ways += run(vector)
    assert.ok(ways >= 300, `only ${ways} runs`)
    t.diagnostic(`${all.length} vectors, ${ways} runs`)
  })
}

for (const borrow of [false, true]) {
  const kind = borrow ? 'borrowed' : 'copied'
  each(`whole, ${kind}`, (vector) => {
    compare(assert, decode({ ...vector.options, borrow }, [vector.input]), vector, kind)
    return 1
  })
  each(`byte by byte, ${kind}`, (vector) => {
    compare(assert, decode({ ...vector.options, borrow }, bytes(vector.input)), vector, `bytes, ${kind}`)
    return 1
  })
  each(`every cut, ${kind}`, (vector) => {
    let ways = 0
    for (const at of cuts(vector.input)) {
      const pieces = [vector.input.subarray(0, at), vector.input.subarray(at)]
      compare(assert, decode({ ...vector.options, borrow }, pieces), vector, `cut at ${at}, ${kind}`)
      ways++
    }
    return ways
  })
  each(`random cuts, ${kind}`, (vector) => {
    for (let seed = 1; seed <= 4; seed++) {
      const pieces = randomPieces(vector.input, seed)
      compare(assert, decode({ ...vector.options, borrow }, pieces), vector, `seed ${seed}, ${kind}`)
    }
    return 4
  })
}

each('CRLF', (vector) => {
  const input = withCrlf(vector.input)
  compare(assert, decode(vector.options, [input]), vector, 'CRLF, whole')
  compare(assert, decode(vector.options, bytes(input)), vector, 'CRLF, bytes')
  for (let seed = 1; seed <= 3; seed++) {
    compare(assert, decode(vector.options, randomPieces(input, seed)), vector, `CRLF, seed ${seed}`)
  }
  return 5
})

each('asking what is pending after every piece', (vector) => {
  const decoder = new Decoder(vector.options)
  const items = []
  for (const piece of randomPieces(vector.input, 7)) {
    items.push(...decoder.push(piece))
    assert.ok(decoder.pending.bytes >= 0)
  }
  items.push(...decoder.end())
  compare(assert, items, vector, 'pending')
  return 1
})

each('detached messages', (vector) => {
  const items = decode(vector.options, [vector.input]).map((it) => (it.kind === 'fault' ? it : it.detach()))
  compare(assert, items, vector, 'detach')
  return 1
})

each('single texts through parse', (vector) => {
  // One line by itself, that is no batch and that the stream's end or beginning says nothing of.
  const { input, items, options } = vector
  if (items.length !== 1 || options.batches || input.at(-1) !== 10 || input.indexOf(10) !== input.length - 1) return 0
  if (['truncated', 'runaway'].includes(items[0].fault) || items[0].fields.flags?.includes('bom')) return 0
  const line = input.at(-2) === 13 ? input.subarray(0, -2) : input.subarray(0, -1)
  compare(assert, [examine(line, options)], vector, 'parse')
  return 1
})
