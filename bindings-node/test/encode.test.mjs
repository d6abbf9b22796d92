// What encoders write, and what they refuse.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decoder, encodeError, encodeNotification, encodeRequest, encodeResult, examine, forward, parse } from 'wireline'

const text = (bytes) => Buffer.from(bytes).toString()
const raw = (json) => Buffer.from(json)

test('lines, member by member', () => {
  assert.equal(text(encodeRequest(1, 'ping')), '{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  assert.equal(text(encodeRequest('a"b', 'x', { y: 1 })), '{"jsonrpc":"2.0","id":"a\\"b","method":"x","params":{"y":1}}\n')
  assert.equal(text(encodeRequest(-0, 'x', raw('{ "big": 12345678901234567890 }'))), '{"jsonrpc":"2.0","id":0,"method":"x","params":{ "big": 12345678901234567890 }}\n')
  assert.equal(text(encodeNotification('n', { a: [null, 'é\u2028'] })), '{"jsonrpc":"2.0","method":"n","params":{"a":[null,"é\u2028"]}}\n')
  assert.equal(text(encodeResult(12n, {})), '{"jsonrpc":"2.0","id":12,"result":{}}\n')
  assert.equal(text(encodeError(undefined, -32700, 'Parse error')), '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}\n')
  assert.equal(text(encodeError(null, -32600, 'x', [1])), '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x","data":[1]}}\n')
  assert.equal(text(encodeResult(1, [1], { profile: 'json-rpc' })), '{"jsonrpc":"2.0","id":1,"result":[1]}\n')
})

test('a fragment with line breaks cannot break the framing', () => {
  const line = encodeResult(1, raw('{\r\n  "ok": true\r\n}'))
  assert.equal(Buffer.from(line).indexOf(10), line.length - 1)
  assert.equal(line.includes(13), false)
  assert.equal(parse(line).kind, 'result')
})

test('an id is echoed exactly as it came', () => {
  for (const id of ['1.0', '1e2', '-0', '"\\u0041"', '9007199254740993', '123456789012345678901234567890']) {
    const request = parse(raw(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`))
    assert.equal(text(encodeResult(request, {})), `{"jsonrpc":"2.0","id":${id},"result":{}}\n`)
    assert.equal(text(encodeError(request, 1, 'x')), `{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":"x"}}\n`)
  }
  const fault = examine(raw('{"jsonrpc":"2.0","id":7,"method":1}'))
  assert.equal(text(encodeError(fault, -32600, 'Invalid Request')), '{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Invalid Request"}}\n')
})

test('what JSON cannot hold is refused at the call', () => {
  const cycle = {}
  cycle.self = cycle
  const bad = [undefined, () => {}, Symbol('s'), 1n, { a: NaN }, { a: [Infinity] }, { a: [undefined] }, cycle, { a: 1n }, { a: '\ud800' }, { ['\udc00x']: 1 }, { toJSON() { throw new Error('no') } }]
  for (const value of bad) {
    assert.throws(() => encodeResult(1, value), { name: 'WirelineError', code: 'ERR_WIRELINE_NOT_JSON' }, String(value?.a ?? value?.self ?? typeof value))
    assert.throws(() => encodeError(1, 1, 'x', value === undefined ? [undefined] : value), { code: 'ERR_WIRELINE_NOT_JSON' })
  }
  assert.throws(() => encodeResult(1, { a: { b: [1, NaN] } }), /element 1 in result is NaN/)
  assert.throws(() => encodeRequest(1, 'x\ud800'), { code: 'ERR_WIRELINE_NOT_JSON' })
  // These look like it, and are not.
  assert.equal(parse(encodeResult(1, { a: '\\ud800', b: 'null', c: null, d: '😀', e: undefined })).result.a, '\\ud800')
})

test('wrong types and ranges', () => {
  const type = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }
  const range = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' }
  assert.throws(() => encodeRequest(undefined, 'x'), type)
  assert.throws(() => encodeRequest(null, 'x'), type)
  assert.throws(() => encodeRequest({}, 'x'), type)
  assert.throws(() => encodeRequest(1, 5), type)
  assert.throws(() => encodeRequest(1.5, 'x'), range)
  assert.throws(() => encodeRequest(NaN, 'x'), range)
  assert.throws(() => encodeRequest(2 ** 53, 'x'), range)
  assert.throws(() => encodeRequest(2n ** 60n, 'x'), range)
  assert.throws(() => encodeRequest('', 'x'), range)
  assert.throws(() => encodeError(1, '5', 'x'), type)
  assert.throws(() => encodeError(1, 1.5, 'x'), range)
  assert.throws(() => encodeRequest(1, 'x', {}, { profile: 'soap' }), range)
  const payload = { code: 'ERR_WIRELINE_BAD_PAYLOAD' }
  assert.throws(() => encodeRequest(1, 'x', [1]), payload)
  assert.throws(() => encodeRequest(1, 'x', raw('[1]')), payload)
  assert.throws(() => encodeResult(1, null), payload)
  assert.throws(() => encodeResult(1, raw('{"a":01}')), { code: 'ERR_WIRELINE_BAD_JSON' })
  assert.throws(() => encodeResult(1, raw('{} {}')), { code: 'ERR_WIRELINE_BAD_JSON' })
})

test('an id of what only looks like a message is looked at', () => {
  for (const rawId of ['1}\n{"x":2', 'nope', '', '1 ', '"a', '1.5', 'null']) {
    assert.throws(() => encodeResult({ rawId }, {}), { code: 'ERR_WIRELINE_BAD_ID' }, rawId)
    assert.throws(() => encodeError({ rawId }, 1, 'x'), { code: 'ERR_WIRELINE_BAD_ID' }, rawId)
  }
  assert.equal(text(encodeResult({ rawId: '"a"' }, {})), '{"jsonrpc":"2.0","id":"a","result":{}}\n')
})

test('maps, sets and promises would be written as nothing, and are refused', () => {
  for (const value of [new Map([[1, 2]]), new Set([1]), Promise.resolve(1), new ArrayBuffer(4)]) {
    assert.throws(() => encodeResult(1, value), { code: 'ERR_WIRELINE_NOT_JSON' })
    assert.throws(() => encodeResult(1, { a: [{ b: value }] }), { code: 'ERR_WIRELINE_NOT_JSON' })
  }
  class Point { x = 1 }
  assert.equal(text(encodeResult(1, { a: {}, b: new Point(), c: new Date(0) })), '{"jsonrpc":"2.0","id":1,"result":{"a":{},"b":{"x":1},"c":"1970-01-01T00:00:00.000Z"}}\n')
})

test('a message is passed on under the limits that it was read with, and limits that are given hold', () => {
  const method = 'm'.repeat(300)
  const line = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[1]}`
  const [message] = new Decoder({ maxMethod: 1000, profile: 'json-rpc' }).push(raw(`${line}\n`))
  assert.equal(text(forward(message, { id: 2 })), `${line.replace('1,', '2,')}\n`)
  assert.throws(() => forward(message, { id: 2 }, {}), { code: 'ERR_WIRELINE_METHOD_TOO_LONG' })
  const short = raw('{"jsonrpc":"2.0","id":1,"method":"x"}')
  assert.throws(() => forward(short, { id: 'i'.repeat(300) }, { maxId: 128 }), { code: 'ERR_OUT_OF_RANGE' })
  assert.throws(() => forward(short, { id: 'i'.repeat(60) }, { maxMessage: 64 }), { code: 'ERR_WIRELINE_TOO_LONG' })
  assert.equal(parse(forward(short, { id: 'i'.repeat(100) })).id.length, 100)
})

test('what is not passed on is told as parse tells it: a ceiling by its name', () => {
  const call = (id, method, params) => raw(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`)
  const deep = (levels) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const cases = [
    [call(1, 'x', `{"a":"${'x'.repeat(100)}"}`), { maxMessage: 64 }, 'ERR_WIRELINE_TOO_LONG'],
    [call(1, 'x', deep(10)), { maxDepth: 8 }, 'ERR_WIRELINE_TOO_DEEP'],
    [call(1, 'x', deep(200)), undefined, 'ERR_WIRELINE_TOO_DEEP'],
    [call(`"${'i'.repeat(40)}"`, 'x', '{}'), { maxId: 8 }, 'ERR_WIRELINE_ID_TOO_LONG'],
    [call(1, 'x'.repeat(40), '{}'), { maxMethod: 8 }, 'ERR_WIRELINE_METHOD_TOO_LONG'],
    [call(1.5, 'x', '{}'), undefined, 'ERR_WIRELINE_BAD_ID'],
    [call(1, 'x', '[1]'), undefined, 'ERR_WIRELINE_BAD_PARAMS'],
    [raw('hello'), undefined, 'ERR_WIRELINE_NOT_JSON'],
    [raw('{"a":01}'), undefined, 'ERR_WIRELINE_SYNTAX'],
    [raw(''), undefined, 'ERR_WIRELINE_CUT'],
  ]
  const thrown = (run) => {
    try {
      return run()
    } catch ({ name, code, message, offset, id, rule }) {
      return { name, code, message, offset, id, rule }
    }
  }
  for (const [message, options, code] of cases) {
    const error = thrown(() => forward(message, { id: 2 }, options))
    assert.equal(error.code, code)
    assert.deepEqual(error, thrown(() => parse(message, options)))
  }
  // The same of a value's text.
  assert.throws(() => encodeResult(1, raw(deep(200))), { code: 'ERR_WIRELINE_TOO_DEEP' })
})

test('a message is passed on with other ids', () => {
  const line = '{"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}},"jsonrpc":"2.0","id":1}'
  const [message] = new Decoder().push(raw(`${line}\n`))
  assert.equal(
    text(forward(message, { id: 77, progressToken: 'p' })),
    '{"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"p"}},"jsonrpc":"2.0","id":77}\n'
  )
  assert.equal(text(forward(raw(line), {})), `${line}\n`)
  assert.throws(() => forward(message, { requestId: 5 }), { code: 'ERR_WIRELINE_NO_MEMBER' })
  assert.throws(() => forward(message, { id: 1.5 }), { code: 'ERR_OUT_OF_RANGE' })
  assert.throws(() => forward(raw('{'), { id: 1 }), { code: 'ERR_WIRELINE_CUT', offset: 1 })
})
