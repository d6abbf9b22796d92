// The WebAssembly module: the same functions as the addon's, and what becomes of its memory.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { called, failing, instances } from './support/strict-wasm.mjs'

const require = createRequire(import.meta.url)
const here = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const bytes = readFileSync(here('dist/wireline.wasm'))
const module = new WebAssembly.Module(bytes)
const native = require('../native.cjs')
// The same instance as `native` has.
const { Decoder, parse, examine, StreamDecoder, WirelineError, ClientSession, ServerSession, forward } = require('wireline')
const { init } = require('wireline/wasm')

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')

/** What `native.d.cts` declares: how many arguments each function takes, optional ones too. */
function declared() {
  const text = readFileSync(here('native.d.cts'), 'utf8')
  const classes = {}
  const functions = {}
  const count = (list) => (list.trim() === '' ? 0 : list.split(/,(?![^<]*>)/).filter((it) => it.trim() !== '').length)
  for (const [, name, body] of text.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)) {
    classes[name] = {}
    for (const [, method, list] of body.matchAll(/^ {2}(\w+)\((.*?)\): /gms)) classes[name][method] = count(list)
  }
  for (const [, name, list] of text.matchAll(/^export const (\w+): new \((.*?)\) =>/gms)) classes[name].constructor = count(list)
  for (const [, name, list] of text.matchAll(/^export function (\w+)\((.*?)\): /gms)) functions[name] = count(list)
  return { classes, functions }
}

const { classes, functions } = declared()
const sorted = (names) => [...names].sort()

/** The names of a class's methods. */
const methods = (Class) => sorted(Object.getOwnPropertyNames(Class.prototype))

test('the module exports what native.d.cts declares, with as many arguments, and imports nothing', () => {
  assert.deepEqual(WebAssembly.Module.imports(module), [])
  const wanted = { 'block.new': 1, 'block.free': 2, 'answer.words': 0, 'answer.clear': 0, 'memory.reserve': 1, ...functions }
  for (const [name, all] of Object.entries(classes)) {
    wanted[`${name}.new`] = all.constructor
    wanted[`${name}.free`] = 1
    // The object comes first.
    for (const [method, count] of Object.entries(all)) if (method !== 'constructor') wanted[`${name}.${method}`] = 1 + count
  }
  assert.ok(Object.keys(wanted).length > 45)
  const { exports } = new WebAssembly.Instance(module)
  const found = Object.entries(exports).filter(([, it]) => typeof it === 'function')
  const got = Object.fromEntries(found.map(([name]) => [name, instances.at(-1)[name].length]))
  assert.deepEqual(Object.fromEntries(sorted(Object.keys(got)).map((it) => [it, got[it]])), Object.fromEntries(sorted(Object.keys(wanted)).map((it) => [it, wanted[it]])))
})

test('both have the classes and functions that native.d.cts declares', (t) => {
  const sides = [native]
  const { target } = require('../dist/target.cjs')
  try {
    sides.push(require(`../native/wireline.${target()}.node`))
  } catch {
    t.diagnostic('there is no addon for this machine: only WebAssembly was looked at')
  }
  for (const side of sides) {
    for (const [name, all] of Object.entries(classes)) assert.deepEqual(methods(side[name]), sorted(Object.keys(all)), name)
    for (const name of Object.keys(functions)) assert.equal(typeof side[name], 'function', name)
  }
  for (const [name, all] of Object.entries(classes)) {
    for (const [method, count] of Object.entries(all)) {
      const { length } = method === 'constructor' ? native[name] : native[name].prototype[method]
      assert.equal(length, count, `${name}.${method}`)
    }
  }
})

test('the text of the package and its file are the same module', () => {
  const { moduleBytes } = require('../dist/wasm/load.cjs')
  assert.ok(Buffer.from(moduleBytes()).equals(bytes))
})

const memory = () => instances[0].memory.buffer.byteLength
const LINE = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')

test('a text of 64 MiB passes, and the same memory serves the next ones', () => {
  const text = Buffer.alloc(64 << 20, 'x')
  text.write('{"jsonrpc":"2.0","id":1,"result":{"text":"')
  text.write('"}}', text.length - 3)
  const options = { maxMessage: 80 << 20 }
  assert.equal(parse(text, options).raw.length, text.length)
  const before = memory()
  for (let at = 0; at < 3; at++) assert.equal(parse(text, options).id, 1)
  assert.equal(memory(), before)
  assert.ok(before < 200 << 20, `${before >> 20} MiB for a text of 64`)
})

test('a chunk of any length is taken, and less memory than it has', () => {
  const before = memory()
  const chunk = Buffer.alloc(LINE.length * 2_000_000)
  for (let at = 0; at < chunk.length; at += LINE.length) LINE.copy(chunk, at)
  for (const borrow of [false, true]) {
    let count = 0
    for (const item of new Decoder({ borrow }).push(chunk)) if (item.id === 1 && item.method === 'ping') count++
    assert.equal(count, 2_000_000)
  }
  const events = new StreamDecoder({ borrow: true }).push(chunk)
  assert.equal(events.filter((it) => it.type === 'end' && it.head.id === 1).length, 2_000_000)
  assert.ok(memory() - before < 32 << 20, `${(memory() - before) >> 20} MiB more`)
})

test('the rest of a chunk is read right, whatever was called in between', () => {
  const chunk = Buffer.from(Array.from({ length: 20 }, (_, at) => `{"jsonrpc":"2.0","id":${at},"method":"ping"}\n`).join(''))
  const limits = Uint32Array.of(1 << 20, 127, 128, 128, 0, 0)
  const other = Buffer.alloc(chunk.length, 'x')
  const between = [
    () => {},
    () => native.meta(other, limits, new Uint32Array(18)),
    () => new native.Decoder(limits, 0).decode(other, 0, false, new Uint32Array(64)),
    () => new native.Decoder(limits, 0).parse(Buffer.alloc(8 << 20, 'x'), new Uint32Array(64)),
  ]
  for (const call of between) {
    const decoder = new native.Decoder(limits, 0)
    // Room for two messages at a time.
    const words = new Uint32Array(4 + 24)
    const ids = []
    for (let at = 0, done = false; !done; at = words[0]) {
      const used = decoder.decode(chunk, at, true, words)
      for (let record = 4; record < used; record += 12) ids.push(words[record + 5])
      done = words[3] !== 0
      call()
    }
    assert.deepEqual(ids, Array.from({ length: 20 }, (_, at) => at))
  }
})

test('without memory a call throws, and nothing is taken for something else', () => {
  const decoder = new Decoder()
  const cut = LINE.length - 3
  decoder.push(LINE.subarray(0, cut))
  failing.add('block.new')
  try {
    const text = Buffer.alloc(8 << 20, 'x')
    assert.throws(() => examine(text), (error) => error instanceof WirelineError && error.code === 'ERR_WIRELINE_OUT_OF_MEMORY')
    // Not even the block of before is there.
    assert.throws(() => decoder.push(LINE.subarray(cut)), { code: 'ERR_WIRELINE_OUT_OF_MEMORY' })
  } finally {
    failing.clear()
  }
  // A part of the stream is lost: nothing is made of what follows.
  assert.throws(() => decoder.push(LINE), { code: 'ERR_WIRELINE_OUT_OF_MEMORY' })
  decoder.reset()
  assert.equal(decoder.push(LINE)[0].id, 1)
  assert.equal(examine(Buffer.alloc(8 << 20, 'x')).kind, 'fault')
})

test('what is let go of is freed', async () => {
  const count = (name) => called.get(name) ?? 0
  const kinds = {
    Decoder: () => new Decoder().push(LINE),
    StreamDecoder: () => new StreamDecoder().push(LINE),
    Session: () => new ServerSession({ name: 'x', version: '1' }).receive(LINE, 0),
  }
  for (const [name, make] of Object.entries(kinds)) {
    const [made, freed] = [count(`${name}.new`), count(`${name}.free`)]
    for (let at = 0; at < 300; at++) make()
    assert.equal(count(`${name}.new`), made + 300)
    for (let at = 0; at < 20 && count(`${name}.free`) < freed + 290; at++) {
      gc()
      await turn()
    }
    assert.ok(count(`${name}.free`) >= freed + 290, `${count(`${name}.free`) - freed} of 300 ${name}s were freed`)
  }
})

test('errors of the module are those of the package', () => {
  const client = new ClientSession({ name: 'x', version: '1' })
  assert.throws(() => client.request('ping', undefined, undefined, 0), (error) => error instanceof WirelineError && error.code === 'ERR_WIRELINE_NOT_READY')
  assert.throws(() => forward(LINE, { requestId: 5 }), { name: 'WirelineError', code: 'ERR_WIRELINE_NO_MEMBER' })
  const limits = Uint32Array.of(1 << 20, 127, 128, 128, 0, 0)
  const make = (capabilities) => new native.Session(['x', '1', '', ''], Buffer.from(capabilities), new Uint8Array(0), new Float64Array(13), limits)
  assert.throws(() => make('['), (error) => error instanceof WirelineError && error.code === 'ERR_WIRELINE_BAD_JSON')
  assert.throws(() => make('[]'), { code: 'ERR_WIRELINE_BAD_PAYLOAD', message: 'the capabilities are no object' })
  assert.throws(() => make('{}').cancel(77, '', new Uint32Array(64)), { code: 'ERR_WIRELINE_STALE_HANDLE' })
})

test('init takes a module, bytes, a response, and says what it cannot take', async () => {
  // There is an instance, so nothing is to be done.
  await init()
  const fresh = () => {
    for (const name of Object.keys(require.cache)) if (name.includes('/dist/') || name.includes('\\dist\\')) delete require.cache[name]
    return { ...require('../dist/wasm.cjs'), native: require('../dist/wasm/load.cjs').default }
  }
  const made = instances.length
  for (const source of [undefined, module, new Uint8Array(bytes), Promise.resolve(new Uint8Array(bytes).buffer), new Response(bytes)]) {
    const { init, native } = fresh()
    await init(source)
    assert.equal(native.faultKinds()[0], 'not-json')
  }
  assert.equal(instances.length, made + 5)
  const { init: unused } = fresh()
  await assert.rejects(unused(5), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' })
  await assert.rejects(unused(new Response('', { status: 404 })), /status 404/)
  await assert.rejects(unused(new Uint8Array(8)), WebAssembly.CompileError)
})
