// The stream decoder: the same vectors, bodies in pieces.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { StreamDecoder } from 'wireline'
import { LONG, randomPieces, vectors } from './support/vectors.mjs'

const all = vectors().filter((it) => !it.options.batches)

/** Messages and faults, each with its body joined. */
function run(options, pieces) {
  const decoder = new StreamDecoder({ maxMessage: 16 * 1024 * 1024, ...options })
  const found = []
  // `"error": null` beside a result is a body, too, and counts as absent.
  let bodies = {}
  const take = (events) => {
    for (const event of events) {
      if (event.type === 'body') bodies[event.part] = (bodies[event.part] ?? '') + Buffer.from(event.bytes).toString('latin1')
      else if (event.type === 'end') {
        const { id, rawId, method } = event.head
        found.push({ kind: event.kind, id, rawId, method, bodies })
        bodies = {}
      } else if (event.type === 'fault') {
        const { fault, offset, length, rawId } = event.fault
        found.push({ fault, offset, length, rawId })
        bodies = {}
      }
    }
  }
  for (const piece of pieces) take(decoder.push(piece))
  take(decoder.end())
  return found
}

function wanted(vector) {
  return vector.items.map(({ kind, fault, offset, length, fields }) => {
    const rawId = fields.id?.toString()
    if (fault !== undefined) return { fault, offset, length, rawId }
    return { kind, rawId, method: fields.method?.toString(), params: fields.params, result: fields.result }
  })
}

function compare(got, vector, way) {
  const expected = wanted(vector)
  assert.equal(got.length, expected.length, `${vector.name}, ${way}: ${inspect(got)}`)
  got.forEach((item, at) => {
    const want = expected[at]
    const where = `${vector.name}, item ${at}, ${way}`
    if (want.fault !== undefined) {
      assert.deepEqual(item, want, where)
      return
    }
    assert.equal(item.kind, want.kind, where)
    assert.equal(item.rawId, want.rawId, where)
    assert.equal(item.method, want.method === undefined ? undefined : JSON.parse(want.method), where)
    for (const part of ['params', 'result']) {
      if (want[part] !== undefined) assert.equal(item.bodies[part], want[part].toString('latin1'), where)
    }
    if (want.kind === 'error') assert.ok(item.bodies.error.startsWith('{'), where)
  })
}

function* bytes(input) {
  const step = input.length > LONG ? 65_521 : 1
  for (let at = 0; at < input.length; at += step) yield input.subarray(at, at + step)
}

for (const borrow of [false, true]) {
  test(`vectors through the stream decoder, borrow ${borrow}`, (t) => {
    let ways = 0
    for (const vector of all) {
      const options = { ...vector.options, borrow }
      compare(run(options, [vector.input]), vector, 'whole')
      compare(run(options, bytes(vector.input)), vector, 'byte by byte')
      for (let seed = 1; seed <= 3; seed++) compare(run(options, randomPieces(vector.input, seed)), vector, `seed ${seed}`)
      ways += 5
      if (vector.input.length > 4096) continue
      for (let at = 0; at <= vector.input.length; at++) {
        compare(run(options, [vector.input.subarray(0, at), vector.input.subarray(at)]), vector, `cut at ${at}`)
        ways++
      }
    }
    t.diagnostic(`${all.length} vectors, ${ways} runs`)
    assert.ok(all.length > 500)
  })
}

test('a body is handed out in one piece where it lies in one chunk', () => {
  const decoder = new StreamDecoder()
  const events = decoder.push(Buffer.from('{"result":{"n":[1,2,3]},"jsonrpc":"2.0","id":7}\n'))
  assert.deepEqual(events.map((it) => it.type), ['head', 'body', 'end'])
  assert.equal(events[0].head.id, undefined)
  assert.equal(Buffer.from(events[1].bytes).toString(), '{"n":[1,2,3]}')
  assert.equal(events[2].head.id, 7)
})

test('a message of 64 MiB passes in constant memory, and in time in proportion', () => {
  const decoder = new StreamDecoder({ borrow: true })
  const chunk = Buffer.alloc(1 << 16, 'x')
  decoder.push(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"text":"'))
  let seen = 0
  for (let at = 0; at < 1024; at++) for (const event of decoder.push(chunk)) seen += event.bytes.length
  assert.equal(seen, 1024 << 16)
  const end = decoder.push(Buffer.from('"}}\n')).at(-1)
  assert.equal(end.type, 'end')
  assert.equal(end.head.id, 1)
})
