// What every entry that takes bytes makes of views of all kinds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { Decoder, encodeError, encodeNotification, encodeRequest, encodeResult, examine, forward, messages, parse, ServerSession, StreamDecoder } from 'wireline'

const LINE = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')

/** A session that waits for nothing. */
function session() {
  const server = new ServerSession({ name: 'x', version: '1' })
  server.receive(Buffer.from('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}}\n'), 0)
  server.receive(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}\n'), 0)
  return server
}

/** Each entry, with whether it read the line, or wrote it. */
const wrote = (line) => Buffer.from(line).includes('"ping"')
const entries = {
  push: (view) => new Decoder().push(view)[0]?.id === 1,
  'push, borrowed': (view) => new Decoder({ borrow: true }).push(view)[0]?.id === 1,
  stream: (view) => new StreamDecoder().push(view).some((it) => it.type === 'end'),
  'stream, borrowed': (view) => new StreamDecoder({ borrow: true }).push(view).some((it) => it.type === 'end'),
  parse: (view) => parse(view).id === 1,
  'parse, borrowed': (view) => parse(view, { borrow: true }).method === 'ping',
  examine: (view) => examine(view).id === 1,
  forward: (view) => wrote(forward(view, { id: 2 })),
  'forward raw': (view) => wrote(forward({ raw: view }, { id: 2 })),
  receive: (view) => session().receive(view, 0).send.length > 0,
  params: (view) => wrote(encodeRequest(1, 'x', view)),
  'params of a notification': (view) => wrote(encodeNotification('x', view)),
  result: (view) => wrote(encodeResult(1, view)),
  data: (view) => wrote(encodeError(1, 1, 'x', view)),
  notify: (view) => wrote(session().notify('notifications/x', view)),
}
/** Of JSON text, of which nothing is none. */
const texts = ['params', 'params of a notification', 'result', 'data', 'notify']

function filled(view) {
  Uint8Array.prototype.set.call(view, LINE)
  return view
}

const resizable = (length) => new ArrayBuffer(length, { maxByteLength: 2 * length })
const shrunk = (make) => {
  const buffer = resizable(100)
  const view = make(buffer)
  buffer.resize(20)
  return view
}
const detached = (view) => {
  structuredClone(view.buffer, { transfer: [view.buffer] })
  return view
}

const good = {
  'Uint8Array': () => filled(new Uint8Array(LINE.length)),
  'Buffer of the pool': () => Buffer.from(String(LINE)),
  'a part': () => filled(new Uint8Array(100).subarray(7, 7 + LINE.length)),
  'a class of its own': () => filled(new (class extends Uint8Array {})(LINE.length)),
  'a class with another name': () => filled(new (class extends Uint8Array { get [Symbol.toStringTag]() { return 'Text' } })(LINE.length)),
  'a class that has it otherwise': () => filled(new (class extends Uint8Array {
    get buffer() { return new ArrayBuffer(1) }
    get byteOffset() { return 1 }
    get length() { return 2 }
    subarray() { throw new Error('not asked for') }
    indexOf() { throw new Error('not asked for') }
  })(LINE.length)),
  'another realm': () => filled(runInNewContext('new Uint8Array(length)', { length: LINE.length })),
  'resizable memory': () => filled(new Uint8Array(resizable(LINE.length))),
  'a part of resizable memory': () => filled(new Uint8Array(resizable(100), 8, LINE.length)),
}

const shared = (length, options) => filled(new Uint8Array(new SharedArrayBuffer(length, options)))
const bad = {
  ERR_WIRELINE_SHARED_MEMORY: {
    'shared memory': () => shared(LINE.length),
    'a Buffer of shared memory': () => Buffer.from(new SharedArrayBuffer(8)),
    'nothing of shared memory': () => new Uint8Array(new SharedArrayBuffer(8), 4, 0),
    'shared memory that grows': () => shared(LINE.length, { maxByteLength: 100 }),
    'shared memory by another name': () => {
      const view = shared(LINE.length)
      Object.defineProperty(view.buffer, Symbol.toStringTag, { value: 'ArrayBuffer' })
      return view
    },
  },
  ERR_WIRELINE_DETACHED: {
    'detached memory': () => detached(new Uint8Array(LINE)),
    'nothing of detached memory': () => detached(new Uint8Array(new ArrayBuffer(8), 4, 0)),
    'what lies behind memory that has shrunk': () => shrunk((buffer) => new Uint8Array(buffer, 60, 10)),
    'the rest of memory that has shrunk': () => shrunk((buffer) => new Uint8Array(buffer, 60)),
  },
  ERR_INVALID_ARG_TYPE: {
    words: () => new Uint16Array(LINE.length),
    'doubles by another name': () => Object.defineProperty(new Float64Array(8), Symbol.toStringTag, { value: 'Uint8Array' }),
    clamped: () => new Uint8ClampedArray(LINE),
    'a DataView': () => new DataView(new ArrayBuffer(8)),
  },
}

for (const [name, entry] of Object.entries(entries)) {
  test(`${name}: views of all kinds`, () => {
    for (const [what, make] of Object.entries(good)) assert.equal(entry(make()), true, what)
    for (const [code, all] of Object.entries(bad)) {
      for (const [what, make] of Object.entries(all)) assert.throws(() => entry(make()), { code }, what)
    }
    if (texts.includes(name)) assert.throws(() => entry(new Uint8Array(0)), { code: 'ERR_WIRELINE_BAD_JSON' })
  })
}

test('no bytes are no chunk, and no message', () => {
  for (const borrow of [false, true]) {
    const decoder = new Decoder({ borrow })
    decoder.push(LINE.subarray(0, 5))
    assert.deepEqual(decoder.push(new Uint8Array(0)), [])
    assert.equal(decoder.push(LINE.subarray(5))[0].id, 1)
    assert.deepEqual(new StreamDecoder({ borrow }).push(new Uint8Array(0)), [])
    assert.equal(examine(new Uint8Array(0), { borrow }).fault, 'cut')
  }
})

test('messages takes what push takes', async () => {
  for (const make of Object.values(good)) {
    const got = []
    for await (const item of messages([make()])) got.push(item.id)
    assert.deepEqual(got, [1])
  }
})

test('a borrowed chunk whose memory shrinks: what is asked of its messages says so', () => {
  const buffer = resizable(LINE.length)
  const [message] = new Decoder({ borrow: true }).push(filled(new Uint8Array(buffer)))
  buffer.resize(10)
  for (const ask of [() => message.method, () => message.raw, () => message.toJSON()]) assert.throws(ask, { code: 'ERR_WIRELINE_DETACHED' })
})
