// What the vectors cannot say: what JavaScript gives and gets, and how long it takes.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { Decoder, examine, parse, StreamDecoder, WirelineError } from 'wireline'

const bytes = (text) => Buffer.from(text)
const one = (text, options) => new Decoder(options).push(bytes(`${text}\n`))[0]

test('ids are numbers where that is exact, bigints where not, or strings', () => {
  const id = (token) => one(`{"jsonrpc":"2.0","id":${token},"method":"x"}`).id
  assert.equal(id('7'), 7)
  assert.equal(id('-7'), -7)
  assert.equal(id('0'), 0)
  assert.ok(Object.is(id('-0'), 0))
  assert.equal(id('1.0'), 1)
  assert.equal(id('12e2'), 1200)
  assert.equal(id('4294967295'), 4294967295)
  assert.equal(id('4294967296'), 4294967296)
  assert.equal(id('9007199254740991'), Number.MAX_SAFE_INTEGER)
  assert.equal(id('9007199254740992'), 9007199254740992n)
  assert.equal(id('-9007199254740993'), -9007199254740993n)
  assert.equal(id('18446744073709551616'), 18446744073709551616n)
  assert.equal(id('1e20'), 100000000000000000000n)
  assert.equal(id('12345678901234567890123.000'), 12345678901234567890123n)
  // So many digits that nobody meant them: not written out, and equal to no id that is.
  assert.equal(id('1e9999999'), Infinity)
  assert.equal(id('"7"'), '7')
  assert.equal(id('"\\u0041\\n"'), 'A\n')
  assert.equal(id('"é"'), 'é')
  assert.equal(one('{"jsonrpc":"2.0","error":{"code":1,"message":"x"},"id":null}').id, undefined)
  assert.equal(one('{"jsonrpc":"2.0","method":"x","id":null}', { profile: 'json-rpc' }).id, null)
})

test('a message is read when it is asked, and big integers survive in its bytes', () => {
  const message = one('{"method":"tools\\/call","params":{"n":12345678901234567890,"s":"é"},"jsonrpc":"2.0","id":1}')
  assert.equal(message.kind, 'request')
  assert.equal(message.method, 'tools/call')
  assert.deepEqual(message.params, { n: 12345678901234567000, s: 'é' })
  assert.equal(message.params, message.params)
  assert.equal(Buffer.from(message.rawParams).toString(), '{"n":12345678901234567890,"s":"é"}')
  assert.equal(message.result, undefined)
  assert.equal(message.error, undefined)
  assert.equal(JSON.stringify(message), '{"method":"tools/call","params":{"n":12345678901234567000,"s":"é"},"jsonrpc":"2.0","id":1}')
  assert.match(inspect(message), /^Message \{\s*kind: 'request',\s*id: 1/)
  const error = one('{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no","data":[1]}}')
  assert.deepEqual(error.error, { code: -32601, message: 'no', data: [1] })
  assert.equal(error.params, undefined)
  assert.equal(error.method, undefined)
})

test('names like __proto__ are ordinary members', () => {
  const { params } = one('{"jsonrpc":"2.0","method":"x","params":{"__proto__":{"polluted":true},"constructor":1}}')
  assert.deepEqual(Object.keys(params), ['__proto__', 'constructor'])
  assert.equal({}.polluted, undefined)
  assert.equal(one('{"jsonrpc":"2.0","method":"__proto__"}').method, '__proto__')
})

test('a fault says what, where, whose, and which rule', () => {
  const decoder = new Decoder({ from: 'client' })
  const [, fault] = decoder.push(bytes('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":"a","method":5}\n'))
  assert.equal(fault.kind, 'fault')
  assert.equal(fault.fault, 'bad-method')
  assert.equal(fault.code, 'ERR_WIRELINE_BAD_METHOD')
  assert.equal(fault.offset, 35)
  assert.equal(fault.length, 37)
  assert.equal(fault.id, 'a')
  assert.equal(fault.rule, 'R4')
  assert.equal(fault.line, 2)
  assert.equal(fault.position, 41)
  assert.deepEqual(fault.shape, { jsonrpc: true, method: true, result: false, error: false })
  assert.equal(fault.message, '`method` is not a string of Unicode text at byte 35 of 37')
  const error = fault.toError()
  assert.ok(error instanceof WirelineError && error instanceof Error)
  assert.equal(error.code, 'ERR_WIRELINE_BAD_METHOD')
  assert.equal(error.id, 'a')
  const [unsent] = new Decoder().push(bytes('{"jsonrpc":"2.0","id":"a","method":5}\n'))
  assert.equal(unsent.rule, undefined)
  assert.equal(new Decoder().push(bytes('{"jsonrpc":"1.0","id":"a","method":"x"}\n'))[0].rule, 'R13')
})

test('parse throws what examine returns', () => {
  assert.equal(parse(bytes('{\n"jsonrpc":"2.0","method":"x"}')).method, 'x')
  const text = bytes('{"jsonrpc":"2.0","id":9,"method":"x","params":5}')
  assert.throws(() => parse(text), { name: 'WirelineError', code: 'ERR_WIRELINE_BAD_PARAMS', offset: 46, id: 9, rule: 'R26' })
  assert.equal(examine(text).fault, 'bad-params')
  assert.throws(() => parse(bytes('')), { code: 'ERR_WIRELINE_CUT' })
  assert.throws(() => parse(bytes('{"jsonrpc":"2.0","method":"x"}'), { maxMethod: 1 }), { code: 'ERR_WIRELINE_METHOD_TOO_LONG' })
})

test('options of wrong types, and out of range', () => {
  for (const Class of [Decoder, StreamDecoder]) {
    assert.throws(() => new Class(5), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' })
    assert.throws(() => new Class(null), { code: 'ERR_INVALID_ARG_TYPE' })
    assert.throws(() => new Class({ maxMessage: '5' }), { code: 'ERR_INVALID_ARG_TYPE' })
    for (const maxMessage of [0, -1, 1.5, NaN, Infinity, 2 ** 32]) {
      assert.throws(() => new Class({ maxMessage }), { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' })
    }
    assert.throws(() => new Class({ maxDepth: 128 }), { code: 'ERR_OUT_OF_RANGE' })
    assert.throws(() => new Class({ profile: 'xml' }), { code: 'ERR_OUT_OF_RANGE' })
    assert.throws(() => new Class({ borrow: 1 }), { code: 'ERR_INVALID_ARG_TYPE' })
    assert.throws(() => new Class({ from: 'me' }), { code: 'ERR_OUT_OF_RANGE' })
  }
  assert.deepEqual(new Decoder({ maxMessage: 1000, maxDepth: 9 }).limits, { maxMessage: 1000, maxDepth: 9, maxId: 128, maxMethod: 128, maxDiscard: 0 })
})

test('only bytes that stay are taken', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(8))
  const gone = new Uint8Array(8)
  structuredClone(gone.buffer, { transfer: [gone.buffer] })
  for (const Class of [Decoder, StreamDecoder]) {
    for (const bad of ['text', undefined, null, 5, [1], {}, new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), new Uint16Array(4), new Int8Array(1)]) {
      assert.throws(() => new Class().push(bad), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' })
    }
    const decoder = new Class()
    assert.throws(() => decoder.push(shared), { name: 'WirelineError', code: 'ERR_WIRELINE_SHARED_MEMORY' })
    assert.throws(() => decoder.push(gone), { name: 'WirelineError', code: 'ERR_WIRELINE_DETACHED' })
    // Nothing was harmed by that.
    assert.equal(decoder.push(bytes('{"jsonrpc":"2.0","method":"x"}\n')).length, 1)
    assert.deepEqual(decoder.push(new Uint8Array(0)), [])
  }
  assert.throws(() => parse(shared), { code: 'ERR_WIRELINE_SHARED_MEMORY' })
})

test('tokens of any size are exact', () => {
  const token = (text) => one(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"progressToken":${text}}}}`).meta.progressToken
  assert.equal(token('12345678901234567890123'), 12345678901234567890123n)
  assert.equal(token('1e30'), 10n ** 30n)
  assert.equal(token('"1e30"'), '1e30')
  assert.equal(token('7.0'), 7)
})

test('WebAssembly in place of an addon that cannot be loaded says so, once', () => {
  const run = (code, env = {}) => spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: fileURLToPath(new URL('..', import.meta.url)), env: { ...process.env, WIRELINE_WASM: '0', ...env } })
  const load = "const { binding, parse } = await import('wireline'); await import('wireline/server'); console.log(binding, parse(Buffer.from('{\"jsonrpc\":\"2.0\",\"method\":\"x\"}')).method)"
  const broken = `process.dlopen = () => { throw new Error('no such luck') }; ${load}`
  const without = run(broken)
  assert.equal(without.stdout, 'webassembly x\n')
  assert.equal(without.stderr.match(/WIRELINE_WASM\] WirelineWarning/g)?.length, 1, without.stderr)
  assert.match(without.stderr, /no such luck/)
  const meant = run(load, { WIRELINE_WASM: '1' })
  assert.deepEqual([meant.stdout, meant.stderr], ['webassembly x\n', ''])
  const addon = run(load)
  assert.deepEqual([addon.stdout, addon.stderr], ['addon x\n', ''])
})

test('long texts are what they were, whatever characters they hold', () => {
  const odd = ['x', '\u007f', '\u0080', 'é', '߿', 'ࠀ', '€', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}']
  const words = fc.array(fc.tuple(fc.constantFrom(...odd), fc.nat(70)), { minLength: 1, maxLength: 60 }).map((parts) => parts.map(([it, count]) => `${'a'.repeat(count)}${it}`).join(''))
  fc.assert(
    fc.property(words, (word) => {
      const value = { word, again: word.repeat(3), ascii: 'x'.repeat(600) }
      const message = one(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: value }))
      assert.deepEqual(message.params, value)
      assert.deepEqual(message.toJSON().params, value)
    })
  )
  // Who changes what was lent gets other text, and no more than that.
  const chunk = bytes(`${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { a: `é${'x'.repeat(600)}` } })}\n`)
  const [message] = new Decoder({ borrow: true }).push(chunk)
  chunk[chunk.indexOf('é')] = 0xff
  assert.equal(message.params.a.slice(0, 3), '\ufffd\ufffdx')
})

test('a runtime that has only a part of Node reads all the same', () => {
  for (const mark of ['() => { throw new Error("not implemented") }', 'undefined', '5']) {
    const code = `process.getBuiltinModule = () => ({ markAsUntransferable: ${mark} }); const { Decoder } = await import('wireline'); const decoder = new Decoder(); decoder.push(Buffer.from('{"jsonrpc":"2.0",')); console.log(decoder.push(Buffer.from('"method":"x"}\\n'))[0].method)`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: fileURLToPath(new URL('..', import.meta.url)) })
    assert.deepEqual([stdout, stderr], ['x\n', ''])
  }
})

test('memory that is transferred takes no other line with it, and what it held says so', () => {
  const moved = (buffer) => {
    try {
      structuredClone(buffer, { transfer: [buffer] })
    } catch (error) {
      // Memory that several messages share is not to be had, where that can be said.
      assert.equal(error.name, 'DataCloneError')
    }
  }
  for (const borrow of [false, true]) {
    const decoder = new Decoder({ borrow })
    const text = '{"jsonrpc":"2.0","id":"a","method":"é","params":{"b":1}}\n{"jsonrpc":"2.0","id":2,'
    const [first] = decoder.push(Uint8Array.from(bytes(text)))
    moved(first.raw.buffer)
    const [second] = decoder.push(bytes('"method":"x"}\n'))
    assert.equal(second.method, 'x', `borrow: ${borrow}`)
    assert.deepEqual(decoder.end(), [])
    if (!borrow && first.raw.length > 0) continue
    const lost = { name: 'WirelineError', code: 'ERR_WIRELINE_DETACHED' }
    for (const read of [() => first.id, () => first.rawId, () => first.method, () => first.params, () => first.raw, () => first.rawParams, () => first.meta, () => first.detach(), () => first.toJSON()]) {
      assert.throws(read, lost, String(read))
    }
    assert.equal(first.kind, 'request')
  }
  const alone = parse(bytes('{"jsonrpc":"2.0","id":1,"method":"x"}')).detach()
  moved(alone.raw.buffer)
  assert.throws(() => alone.raw, { code: 'ERR_WIRELINE_DETACHED' })
  assert.equal(alone.id, 1)
})

test('a chunk may be reused once push returned, unless it is borrowed', () => {
  const buffer = bytes('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0"')
  const decoder = new Decoder()
  const [message] = decoder.push(buffer)
  buffer.fill(0)
  assert.equal(message.method, 'ping')
  assert.equal(Buffer.from(message.raw).toString(), '{"jsonrpc":"2.0","id":1,"method":"ping"}')
  assert.equal(decoder.pending.bytes, 16)
  assert.equal(decoder.push(bytes(',"method":"x"}\n'))[0].method, 'x')
})

test('end, reset, pending, closed', () => {
  const decoder = new Decoder({ maxMessage: 64, maxDiscard: 100 })
  decoder.push(bytes('xyzzyxyz'))
  assert.deepEqual(decoder.pending, { bytes: 8, fault: 'not-json', offset: 0 })
  decoder.reset()
  assert.deepEqual(decoder.pending, { bytes: 0 })
  assert.equal(decoder.push(bytes('{"jsonrpc":"2.0","method":"x"}')).length, 0)
  assert.deepEqual(decoder.end().map((it) => it.fault), ['truncated'])
  assert.deepEqual(decoder.end(), [])
  assert.equal(decoder.closed, false)
  assert.deepEqual(decoder.push(Buffer.alloc(200, 'x')).map((it) => it.fault), ['runaway'])
  assert.equal(decoder.closed, true)
  assert.deepEqual(decoder.push(bytes('{"jsonrpc":"2.0","method":"x"}\n')), [])
  decoder.reset()
  assert.equal(decoder.push(bytes('{"jsonrpc":"2.0","method":"x"}\n')).length, 1)
})

test('asking what is pending loses nothing: what it comes upon is handed out next', () => {
  for (const borrow of [false, true]) {
    for (const next of ['push', 'end']) {
      const decoder = new Decoder({ maxMessage: 64, maxDiscard: 100, borrow })
      assert.equal(decoder.push(Buffer.concat([bytes('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'), Buffer.alloc(200, 'x')])).length, 1)
      assert.deepEqual(decoder.pending, { bytes: 0 })
      assert.equal(decoder.closed, true)
      assert.deepEqual(decoder.pending, { bytes: 0 })
      const items = next === 'push' ? decoder.push(bytes('x')) : decoder.end()
      assert.deepEqual(items.map((it) => [it.fault, it.line, it.position]), [['runaway', 2, 41]])
      assert.deepEqual(decoder.end(), [])
    }
    // Of what is forgotten nothing is left.
    const decoder = new Decoder({ maxMessage: 64, maxDiscard: 100, borrow })
    decoder.push(Buffer.concat([bytes('\n'), Buffer.alloc(200, 'x')]))
    void decoder.pending
    decoder.reset()
    assert.deepEqual([decoder.push(bytes('\n')), decoder.end(), decoder.closed], [[], [], false])
  }
})

test('a peer that makes up methods fills no memory, and each is read right', () => {
  const decoder = new Decoder()
  for (let at = 0; at < 5000; at++) {
    assert.equal(decoder.push(bytes(`{"jsonrpc":"2.0","method":"m${at}"}\n`))[0].method, `m${at}`)
  }
  assert.equal(decoder.push(bytes('{"jsonrpc":"2.0","method":"ping"}\n'))[0].method, 'ping')
})

const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.oneof(fc.integer(), fc.string({ minLength: 1, maxLength: 20 })), method: fc.string({ maxLength: 20 }) }),
  fc.record({ jsonrpc: fc.constant('2.0'), method: fc.string({ maxLength: 20 }), params: fc.dictionary(fc.string(), fc.jsonValue()) }),
  fc.record({ result: fc.dictionary(fc.string(), fc.jsonValue()), jsonrpc: fc.constant('2.0'), id: fc.integer() }),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 40 })
)

test('what comes out does not depend on how it was cut (fast-check)', () => {
  const text = (item) => (item.kind === 'fault' ? { ...item.toJSON(), rest: Buffer.from(item.excerpt).toString('hex') } : { kind: item.kind, raw: Buffer.from(item.raw).toString('hex'), id: item.id, method: item.method, params: item.params, result: item.result })
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), fc.array(fc.nat(200), { maxLength: 40 }), fc.boolean(), (lines, lengths, borrow) => {
      const stream = Buffer.concat(lines.flatMap((it) => [it instanceof Uint8Array || typeof it === 'string' ? Buffer.from(it) : bytes(JSON.stringify(it)), bytes('\n')]))
      const whole = new Decoder()
      const expected = [...whole.push(stream), ...whole.end()].map(text)
      const decoder = new Decoder({ borrow })
      const got = []
      let at = 0
      for (const length of lengths) {
        got.push(...decoder.push(stream.subarray(at, at + length)))
        at = Math.min(stream.length, at + length)
      }
      got.push(...decoder.push(stream.subarray(at)), ...decoder.end())
      assert.deepEqual(got.map(text), expected)
      // And each message says what was written.
      const sent = lines.filter((it) => typeof it === 'object' && !(it instanceof Uint8Array))
      const read = got.filter((it) => it.kind !== 'fault').map((it) => JSON.stringify(it))
      for (const it of sent) assert.ok(read.includes(JSON.stringify(it)), JSON.stringify(it))
    }),
    { numRuns: 400 }
  )
})

test('a chunk, and a batch, of more messages than a call describes', () => {
  const line = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  for (const borrow of [false, true]) {
    assert.equal(new Decoder({ borrow }).push(bytes(`${line}\n`.repeat(5000))).length, 5000)
    assert.equal(new Decoder({ borrow }).push(bytes('x\n'.repeat(5000))).length, 5000)
    const batch = new Decoder({ borrow, batches: true }).push(bytes(`[${Array(5000).fill(line).join()}]\n`))
    assert.deepEqual([batch.length, batch.at(-1).batch], [5000, { index: 4999, last: true }])
  }
  const unended = new Decoder({ batches: true, eofCompletesLine: true })
  unended.push(bytes(`[${Array(5000).fill(line).join()}]`))
  assert.equal(unended.end().length, 5000)
})

test('worker threads each have decoders of their own', async () => {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { Decoder } = require(workerData.path)
    const decoder = new Decoder()
    let count = 0
    for (let at = 0; at < 2000; at++) {
      for (const item of decoder.push(Buffer.from('{"jsonrpc":"2.0","id":' + at + ',"method":"m' + workerData.n + '"}\\nnoise\\n'))) {
        if (item.kind === 'fault') count++
        else if (item.id === at && item.method === 'm' + workerData.n) count++
      }
    }
    parentPort.postMessage(count)
  `
  const path = createRequire(import.meta.url).resolve('wireline')
  const counts = await Promise.all(
    [1, 2, 3].map(
      (n) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(source, { eval: true, workerData: { n, path } })
          worker.on('message', resolve)
          worker.on('error', reject)
        })
    )
  )
  assert.deepEqual(counts, [4000, 4000, 4000])
})

test('a line of 64 MiB halts nothing for long, stored or not', () => {
  const chunk = Buffer.alloc(1 << 16, '{"text":"abcdefgh","n":[1,2,3]},'.repeat(2048))
  for (const [maxMessage, expected] of [[16 << 20, 'too-long'], [128 << 20, 'result']]) {
    const decoder = new Decoder({ maxMessage })
    decoder.push(bytes('{"jsonrpc":"2.0","result":{"list":['))
    const times = []
    const timed = (piece) => {
      const start = performance.now()
      const items = decoder.push(piece)
      times.push(performance.now() - start)
      return items
    }
    for (let at = 0; at < 1024; at++) assert.equal(timed(chunk).length, 0)
    const [item] = timed(bytes('{}]},"id":5}\n'))
    assert.equal(item.fault ?? item.kind, expected)
    assert.equal(item.id, 5)
    const total = times.reduce((sum, it) => sum + it, 0)
    const median = times.toSorted((a, b) => a - b)[512]
    // Linear: the late chunks cost what the early ones do. What is stored is moved a few times as it grows.
    assert.ok(median < 5, `a chunk takes ${median} ms`)
    assert.ok(total < 8000, `all take ${total} ms`)
    assert.ok(Math.max(...times) < 500, `one takes ${Math.max(...times)} ms`)
  }
})

test('CommonJS and ES modules share one native part', async () => {
  const require = createRequire(import.meta.url)
  const common = require('wireline')
  const module = await import('wireline')
  assert.deepEqual(Object.keys(common).filter((it) => it !== '__esModule').sort(), Object.keys(module).filter((it) => !['default', 'module.exports'].includes(it)).sort())
  assert.equal(new common.Decoder().push(bytes('{"jsonrpc":"2.0","method":"x"}\n'))[0].method, 'x')
})
