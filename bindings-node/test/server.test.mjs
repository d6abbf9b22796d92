// Servers: what functions return and throw, schemas, pages, cancellation, hosts that vanish.

import assert from 'node:assert/strict'
import { createServer, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProtocolError, Server } from 'wireline/server'
import { z } from 'zod'
import { pair, Wire } from './support/pair.mjs'

const who = { name: 'test', version: '1.0' }
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} }, 'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' } }

/** A server that is being served, and a wire to it. */
function serve(build, options = {}) {
  const errors = []
  const server = new Server({ ...who, onError: (error, what) => errors.push([what, error]), ...options })
  build(server)
  const ends = pair()
  const over = server.serve(ends.server)
  return { server, over, wire: new Wire(ends.client), ends, errors }
}

test('tools: what they return', async () => {
  const { wire, over, ends } = serve((server) => {
    const values = { text: 'é', number: 5, nothing: undefined, object: { a: [1] }, array: [1], whole: { content: [{ type: 'text', text: 'w' }], _meta: { x: 1 } }, block: { type: 'image', data: 'AA==', mimeType: 'image/png' }, empty: '' }
    for (const [name, value] of Object.entries(values)) server.tool(name, async () => value)
  })
  await wire.open()
  const call = async (name) => (await wire.ask(name, 'tools/call', { name })).result
  assert.deepEqual(await call('text'), { content: [{ type: 'text', text: 'é' }] })
  assert.deepEqual(await call('number'), { content: [{ type: 'text', text: '5' }] })
  assert.deepEqual(await call('nothing'), { content: [] })
  assert.deepEqual(await call('object'), { content: [{ type: 'text', text: '{"a":[1]}' }], structuredContent: { a: [1] } })
  assert.deepEqual(await call('array'), { content: [{ type: 'text', text: '[1]' }] })
  assert.deepEqual(await call('whole'), { content: [{ type: 'text', text: 'w' }], _meta: { x: 1 } })
  assert.deepEqual(await call('block'), { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] })
  assert.deepEqual(await call('empty'), { content: [{ type: 'text', text: '' }] })
  ends.client.output.end()
  await over
})

test('tools: what they throw, and values that JSON cannot hold', async () => {
  const cycle = {}
  cycle.self = cycle
  const bad = { bigint: 1n, nan: NaN, symbol: Symbol('s'), function: () => {}, cycle, deepNaN: { a: NaN }, deepBigint: { content: [], x: 1n }, deepNull: { content: [{ type: 'text', text: 'x', n: Infinity }] }, surrogate: { content: [{ type: 'text', text: '\ud800' }] } }
  const thrown = { error: new Error('no'), text: 'words', undefined: undefined, null: null, odd: { toString() { throw new Error('really') } }, surrogate: new Error('\ud800') }
  const { wire, errors, over, ends } = serve((server) => {
    for (const [name, value] of Object.entries(bad)) server.tool(`bad-${name}`, () => value)
    for (const [name, value] of Object.entries(thrown)) server.tool(`throw-${name}`, () => { throw value })
    server.tool('protocol', () => { throw new ProtocolError(-32001, 'mine', { a: 1 }) })
    server.tool('protocol-bad', () => { throw new ProtocolError(-32001, 'mine', 1n) })
  })
  await wire.open()
  const call = (name) => wire.ask(name, 'tools/call', { name })
  for (const name of Object.keys(bad)) {
    const { id, error, result } = await call(`bad-${name}`)
    assert.equal(id, `bad-${name}`)
    // A result with an error in words, or an error of the protocol; never silence and never `null`.
    assert.ok(error?.code === -32603 || result?.isError === true, `${name}: ${JSON.stringify({ error, result })}`)
  }
  assert.match((await call('bad-deepNull')).error.message, /^Internal error: the result cannot be sent: member 'n' in result is Infinity/)
  const said = { error: 'no', text: 'words', undefined: 'undefined', null: 'null', odd: 'the function threw something that has no text', surrogate: '\ufffd' }
  for (const name of Object.keys(thrown)) {
    assert.deepEqual((await call(`throw-${name}`)).result, { content: [{ type: 'text', text: said[name] }], isError: true }, name)
  }
  assert.deepEqual((await call('protocol')).error, { code: -32001, message: 'mine', data: { a: 1 } })
  assert.deepEqual((await call('protocol-bad')).error, { code: -32603, message: 'Internal error' })
  assert.ok(errors.some(([what, error]) => what === "tool 'throw-error'" && error === thrown.error))
  assert.equal((await wire.ask(9, 'ping')).id, 9)
  ends.client.output.end()
  await over
})

test('arguments: zod, other validators, JSON Schema', async () => {
  const valibotLike = { '~standard': { version: 1, vendor: 'tiny', async validate(value) { return typeof value?.n === 'number' ? { value: { n: value.n * 2 } } : { issues: [{ message: 'no number', path: ['n'] }] } } } }
  const { server, wire } = serve((server) => {
    server.tool('zod', { description: 'Adds', input: z.object({ a: z.number(), b: z.number().default(1) }), output: z.object({ sum: z.number() }) }, ({ a, b }) => ({ sum: a + b }))
    server.tool('tiny', { input: valibotLike, inputSchema: { type: 'object', properties: { n: { type: 'number' } } } }, ({ n }) => n)
    server.tool('plain', { input: { type: 'object', properties: { x: {} } }, annotations: { readOnlyHint: true } }, (args) => args)
    server.tool('lies', { output: z.object({ a: z.number() }) }, () => ({ a: 'x' }))
  })
  assert.throws(() => server.tool('x', { input: valibotLike }, () => {}), { code: 'ERR_WIRELINE_BAD_SCHEMA' })
  assert.throws(() => server.tool('x', { input: z.string() }, () => {}), { code: 'ERR_WIRELINE_BAD_SCHEMA' })
  assert.throws(() => server.tool('x', { input: 5 }, () => {}), { code: 'ERR_INVALID_ARG_TYPE' })
  assert.throws(() => server.tool(5, () => {}), { code: 'ERR_INVALID_ARG_TYPE' })
  assert.throws(() => server.tool('x', {}), { code: 'ERR_INVALID_ARG_TYPE' })
  assert.throws(() => server.tool('', () => {}), { code: 'ERR_WIRELINE_BAD_NAME' })
  await wire.open()
  const { tools } = (await wire.ask(1, 'tools/list')).result
  assert.deepEqual(tools.map((it) => it.name), ['zod', 'tiny', 'plain', 'lies'])
  assert.deepEqual(tools[0].inputSchema.properties.a, { type: 'number' })
  assert.equal(tools[0].outputSchema.type, 'object')
  assert.deepEqual(tools[2].annotations, { readOnlyHint: true })
  const call = async (name, args) => await wire.ask(2, 'tools/call', { name, arguments: args })
  assert.deepEqual((await call('zod', { a: 2 })).result.structuredContent, { sum: 3 })
  const wrong = (await call('zod', { a: 'x' })).result
  assert.equal(wrong.isError, true)
  assert.match(wrong.content[0].text, /^Invalid arguments for tool zod: a: /)
  assert.equal((await call('tiny', { n: 4 })).result.content[0].text, '8')
  assert.match((await call('tiny', {})).result.content[0].text, /n: no number$/)
  assert.deepEqual((await call('plain', { x: 1 })).result.structuredContent, { x: 1 })
  assert.equal((await call('lies')).error.code, -32603)
  assert.deepEqual((await call('nope')).error, { code: -32602, message: 'Unknown tool: nope' })
  assert.equal((await call('__proto__')).error.code, -32602)
  assert.equal((await wire.ask(3, 'tools/call', {})).error.code, -32602)
  assert.equal((await wire.ask(3, 'tools/call', { name: 'plain', arguments: [1] })).error.code, -32602)
  assert.equal((await wire.ask(3, 'no/such')).error.code, -32601)
})

test('pages never end, and a cursor of nobody is refused', async () => {
  const { wire } = serve((server) => { for (let at = 0; at < 25; at++) server.tool(`t${at}`, () => {}) }, { pageSize: 10 })
  await wire.open()
  const names = []
  let cursor
  do {
    const { result } = await wire.ask(1, 'tools/list', cursor === undefined ? {} : { cursor })
    names.push(...result.tools.map((it) => it.name))
    cursor = result.nextCursor
  } while (cursor !== undefined)
  assert.deepEqual(names, Array.from({ length: 25 }, (_, at) => `t${at}`))
  for (const bad of ['x', '', '25', '-1', '1e9']) assert.equal((await wire.ask(1, 'tools/list', { cursor: bad })).error.code, -32602, bad)
})

test('resources, templates, prompts, completions', async () => {
  const { server, wire } = serve((server) => {
    server.resource('file:///a.txt', { name: 'a', mimeType: 'text/plain' }, () => 'text of a')
    server.resource('file:///b.bin', () => new Uint8Array([1, 2, 255]))
    server.resource('notes://{user}/{+path}', { name: 'note' }, (uri, { user, path }) => `${user} ${path}`)
    server.resource('bad://x', () => 1n)
    server.prompt('hello', { description: 'Greets', arguments: [{ name: 'who', required: true, complete: (value) => ['world', 'you'].filter((it) => it.startsWith(value)) }] }, ({ who }) => `hello ${who}`)
    server.prompt('list', () => [{ role: 'assistant', content: { type: 'text', text: 'x' } }])
  })
  const { capabilities } = await wire.open()
  assert.deepEqual(capabilities, { logging: {}, completions: {}, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true } })
  assert.deepEqual((await wire.ask(1, 'resources/list')).result.resources.map((it) => it.uri), ['file:///a.txt', 'file:///b.bin', 'bad://x'])
  assert.deepEqual((await wire.ask(1, 'resources/templates/list')).result.resourceTemplates, [{ uriTemplate: 'notes://{user}/{+path}', name: 'note' }])
  const read = (uri) => wire.ask(2, 'resources/read', { uri })
  assert.deepEqual((await read('file:///a.txt')).result.contents, [{ uri: 'file:///a.txt', mimeType: 'text/plain', text: 'text of a' }])
  assert.deepEqual((await read('file:///b.bin')).result.contents, [{ uri: 'file:///b.bin', blob: 'AQL/' }])
  assert.equal((await read('notes://me/a/b%20c')).result.contents[0].text, 'me a/b c')
  assert.deepEqual((await read('file:///no')).error, { code: -32002, message: 'Resource not found', data: { uri: 'file:///no' } })
  assert.equal((await read('bad://x')).error.code, -32603)
  assert.deepEqual((await wire.ask(3, 'prompts/list')).result.prompts[0], { name: 'hello', description: 'Greets', arguments: [{ name: 'who', required: true }] })
  const get = (name, args) => wire.ask(4, 'prompts/get', { name, arguments: args })
  assert.deepEqual((await get('hello', { who: 'x' })).result, { description: 'Greets', messages: [{ role: 'user', content: { type: 'text', text: 'hello x' } }] })
  assert.equal((await get('hello', {})).error.code, -32602)
  assert.equal((await get('hello', { who: 5 })).error.code, -32602)
  assert.equal((await get('nope')).error.code, -32602)
  assert.equal((await get('list')).result.messages.length, 1)
  const complete = async (value) => (await wire.ask(5, 'completion/complete', { ref: { type: 'ref/prompt', name: 'hello' }, argument: { name: 'who', value } })).result.completion
  assert.deepEqual(await complete('w'), { values: ['world'], total: 1, hasMore: false })
  // Changes reach who asked for them.
  assert.deepEqual((await wire.ask(6, 'resources/subscribe', { uri: 'file:///a.txt' })).result, {})
  server.resourceUpdated('file:///b.bin')
  server.resourceUpdated('file:///a.txt')
  assert.deepEqual(await wire.next(), { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'file:///a.txt' } })
  server.prompt('new', () => 'x')
  assert.equal((await wire.next()).method, 'notifications/prompts/list_changed')
  assert.equal(server.remove('prompt', 'new'), true)
  assert.equal(server.remove('prompt', 'new'), false)
  assert.equal((await wire.next()).method, 'notifications/prompts/list_changed')
})

test('progress, logs, cancellation', async () => {
  const seen = []
  const { wire } = serve((server) => {
    server.tool('steps', (_args, { progress, log }) => { progress(1, 2, 'half'); progress(1); progress(0.5); log('info', { a: 1 }); progress(2, 2); return 'ok' })
    server.tool('wait', (_args, { signal, progress }) => new Promise((resolve) => signal.addEventListener('abort', () => { seen.push(signal.reason.code); progress(5); resolve('late') })))
  })
  await wire.open()
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'steps', _meta: { progressToken: 'p' } } })
  assert.deepEqual((await wire.next()).params, { progressToken: 'p', progress: 1, total: 2, message: 'half' })
  assert.deepEqual((await wire.next()).params, { level: 'info', data: { a: 1 } })
  assert.deepEqual((await wire.next()).params, { progressToken: 'p', progress: 2, total: 2 })
  assert.equal((await wire.next()).id, 1)
  wire.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait', _meta: { progressToken: 'q' } } })
  await sleep(5)
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
  // Cancelled before it could begin, it is not begun.
  wire.send({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'wait' } }, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } })
  assert.equal((await wire.ask(3, 'ping')).id, 3)
  await sleep(5)
  assert.deepEqual(seen, ['ERR_WIRELINE_CANCELLED'])
  assert.deepEqual(wire.lines, [])
})

test('a function asks its client: a request before 2026-07-28, a demand for input in it', async () => {
  const build = (server) => server.tool('ask', async (_args, { ask }) => {
    const one = await ask('elicitation/create', { mode: 'form', message: 'name?', requestedSchema: { type: 'object', properties: {} } })
    const two = await ask('elicitation/create', { mode: 'form', message: 'age?', requestedSchema: { type: 'object', properties: {} } })
    return `${one.content.name} ${two.content.age}`
  })
  const old = serve(build).wire
  await old.open('2025-06-18', { elicitation: {} })
  old.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } })
  for (const content of [{ name: 'x' }, { age: 5 }]) {
    const { id, method } = await old.next()
    assert.equal(method, 'elicitation/create')
    old.send({ jsonrpc: '2.0', id, result: { action: 'accept', content } })
  }
  assert.equal((await old.next()).result.content[0].text, 'x 5')
  const { wire } = serve(build)
  const params = { name: 'ask', _meta: META }
  const first = (await wire.ask(1, 'tools/call', params)).result
  assert.equal(first.resultType, 'input_required')
  const answer = (content) => ({ action: 'accept', content })
  const second = (await wire.ask(2, 'tools/call', { ...params, inputResponses: { 'ask-0': answer({ name: 'x' }) }, requestState: first.requestState })).result
  assert.deepEqual(Object.keys(second.inputRequests), ['ask-1'])
  const third = (await wire.ask(3, 'tools/call', { ...params, inputResponses: { 'ask-1': answer({ age: 5 }) }, requestState: second.requestState })).result
  assert.equal(third.content[0].text, 'x 5')
  const forged = await wire.ask(4, 'tools/call', { ...params, requestState: `x${second.requestState}` })
  assert.equal(forged.error.code, -32602)
})

test('2026-07-28: a round that has asked ends: its signal aborts, its finally blocks run, and nothing it does is sent', { timeout: 30_000 }, async () => {
  const seen = []
  let done
  const ended = () => new Promise((resolve) => (done = resolve))
  const question = { mode: 'form', message: 'name?', requestedSchema: { type: 'object', properties: {} } }
  const { wire, errors } = serve((server) => {
    const run = async ({ ask, signal, progress, log }) => {
      signal.addEventListener('abort', () => seen.push(`aborted: ${signal.reason.code}`))
      try {
        const { content } = await ask('elicitation/create', question)
        return content.name
      } catch (error) {
        seen.push(`rejected: ${error.code}`, error === signal.reason)
        progress(1)
        log('emergency', 'late')
        await assert.rejects(ask('elicitation/create', question), { code: 'ERR_WIRELINE_INPUT_REQUIRED' })
        throw error
      } finally {
        seen.push('finally')
        done()
      }
    }
    server.tool('ask', (_args, context) => run(context))
    server.resource('ask://it', (_uri, _variables, context) => run(context))
    server.prompt('ask', (_args, context) => run(context))
    // The questions of one round are asked one after the other.
    server.tool('both', async (_args, { ask }) => {
      const all = await Promise.allSettled([ask('elicitation/create', question), ask('elicitation/create', question)])
      seen.push(...all.map((it) => it.reason?.code ?? it.value.content.name))
      done()
      return 'both'
    })
  })
  const calls = { 'tools/call': { name: 'ask' }, 'resources/read': { uri: 'ask://it' }, 'prompts/get': { name: 'ask' } }
  const answer = (name) => ({ action: 'accept', content: { name } })
  for (const [method, given] of Object.entries(calls)) {
    seen.length = 0
    const over = ended()
    const params = { ...given, _meta: { ...META, progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' } }
    const first = (await wire.ask(1, method, params)).result
    assert.equal(first.resultType, 'input_required', method)
    await over
    assert.deepEqual(seen, ['aborted: ERR_WIRELINE_INPUT_REQUIRED', 'rejected: ERR_WIRELINE_INPUT_REQUIRED', true, 'finally'])
    // Sent again with the answer, it runs anew.
    seen.length = 0
    const again = ended()
    const second = (await wire.ask(2, method, { ...params, inputResponses: { 'ask-0': answer('x') }, requestState: first.requestState })).result
    await again
    assert.equal(second.resultType, 'complete')
    assert.match(JSON.stringify(second), /"text":"x"/)
    assert.deepEqual(seen, ['finally'])
  }
  seen.length = 0
  const over = ended()
  const first = (await wire.ask(3, 'tools/call', { name: 'both', _meta: META })).result
  await over
  assert.deepEqual(Object.keys(first.inputRequests), ['ask-0'])
  assert.deepEqual(seen, ['ERR_WIRELINE_INPUT_REQUIRED', 'ERR_WIRELINE_INPUT_REQUIRED'])
  assert.deepEqual(wire.lines, [])
  assert.deepEqual(errors, [])
})

test('subscriptions of 2026-07-28', async () => {
  const { server, wire } = serve((server) => { server.tool('x', () => {}); server.resource('a://b', () => '') })
  wire.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['a://b'] }, _meta: META } })
  assert.equal((await wire.next()).method, 'notifications/subscriptions/acknowledged')
  server.tool('y', () => {})
  assert.equal((await wire.next()).method, 'notifications/tools/list_changed')
  server.resourceUpdated('a://c')
  server.resourceUpdated('a://b')
  const update = await wire.next()
  assert.equal(update.params.uri, 'a://b')
  assert.equal(update.params._meta['io.modelcontextprotocol/subscriptionId'], 's')
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 's' } })
  await sleep(5)
  server.tool('z', () => {})
  assert.equal((await wire.ask(1, 'tools/list', { _meta: META })).id, 1)
})

test('the end of the input: what is under way is answered first', async () => {
  const { wire, over, ends } = serve((server) => server.tool('late', async () => { await sleep(30); return 'late' }))
  await wire.open()
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'late' } })
  ends.client.output.end()
  assert.equal((await wire.next()).result.content[0].text, 'late')
  await over
})

test('a host that vanishes: errors of streams end the connection, and nothing else', async () => {
  const rejected = []
  const note = (error) => rejected.push(error)
  process.on('unhandledRejection', note)
  for (const end of ['input', 'output']) {
    const reasons = []
    const { wire, over, ends } = serve((server) => server.tool('wait', (_args, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => { reasons.push(signal.reason.code); reject(new Error('stopped')) }))))
    await wire.open()
    wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } })
    await sleep(5)
    ends.server[end].destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }))
    if (end === 'input') ends.server.output.destroy()
    await over
    assert.deepEqual(reasons, ['ERR_WIRELINE_CLOSED'])
  }
  await sleep(5)
  process.off('unhandledRejection', note)
  assert.deepEqual(rejected, [])
})

test('values that are something else in JSON, and those that are nothing in it', async () => {
  const { wire, errors } = serve((server) => {
    const values = { date: new Date(0), url: new URL('a://b/'), map: new Map([[1, 2]]), set: { a: new Set([1]) }, bytes: Buffer.from('x'), promise: [Promise.resolve(1)] }
    for (const [name, value] of Object.entries(values)) {
      server.tool(name, () => value)
      server.resource(`a://${name}`, () => value)
    }
  })
  await wire.open()
  const call = async (name) => await wire.ask(name, 'tools/call', { name })
  const read = async (name) => await wire.ask(name, 'resources/read', { uri: `a://${name}` })
  assert.deepEqual((await call('date')).result, { content: [{ type: 'text', text: '1970-01-01T00:00:00.000Z' }] })
  assert.deepEqual((await call('url')).result, { content: [{ type: 'text', text: 'a://b/' }] })
  for (const name of ['map', 'set', 'bytes', 'promise']) assert.equal((await call(name)).error.code, -32603, name)
  assert.deepEqual((await read('date')).result.contents, [{ uri: 'a://date', text: '1970-01-01T00:00:00.000Z' }])
  assert.deepEqual((await read('bytes')).result.contents, [{ uri: 'a://bytes', blob: 'eA==' }])
  for (const name of ['map', 'set', 'promise']) assert.equal((await read(name)).error.code, -32603, name)
  assert.equal(errors.length, 7)
})

test('values that would become nothing, results that do not keep to their schema, bytes of all kinds', async () => {
  const gone = () => {
    const bytes = new Uint8Array(3)
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
    return bytes
  }
  const bad = { error: new Error('x'), regexp: /x/, generator: (function* () { yield 1 })(), nested: { a: [/x/] } }
  const { wire, errors } = serve((server) => {
    for (const [name, value] of Object.entries(bad)) server.tool(name, () => value)
    // With a schema there must be structured content, in the legacy era an object.
    server.tool('text', { output: { type: 'object' } }, () => 'text')
    server.tool('array', { output: { type: 'object' } }, () => [1])
    server.tool('whole', { output: { type: 'object' } }, () => ({ content: [] }))
    server.tool('failed', { output: { type: 'object' } }, () => ({ content: [], isError: true }))
    server.resource('a://words', () => new Uint16Array([1, 2]))
    server.resource('a://view', () => new DataView(new ArrayBuffer(2)))
    server.resource('a://shared', () => new Uint8Array(new SharedArrayBuffer(2)))
    server.resource('a://gone', gone)
    server.prompt('complete', { arguments: [{ name: 'none', complete: () => undefined }, { name: 'numbers', complete: () => [1] }, { name: 'text', complete: () => 'abc' }] }, () => undefined)
  })
  await wire.open()
  for (const name of [...Object.keys(bad), 'text', 'array', 'whole']) assert.equal((await wire.ask(name, 'tools/call', { name })).error?.code, -32603, name)
  assert.equal((await wire.ask(1, 'tools/call', { name: 'failed' })).result.isError, true)
  const read = async (name) => await wire.ask(2, 'resources/read', { uri: `a://${name}` })
  for (const [name, blob] of [['words', 'AQACAA=='], ['view', 'AAA='], ['shared', 'AAA=']]) assert.deepEqual((await read(name)).result.contents, [{ uri: `a://${name}`, blob }])
  assert.equal((await read('gone')).error.code, -32603)
  for (const name of ['none', 'numbers', 'text']) {
    assert.equal((await wire.ask(3, 'completion/complete', { ref: { type: 'ref/prompt', name: 'complete' }, argument: { name, value: '' } })).error?.code, -32603, name)
  }
  assert.equal((await wire.ask(4, 'prompts/get', { name: 'complete' })).error.message, 'what a prompt gave is undefined, which JSON cannot hold')
  assert.equal(errors.length, 12)
})

test('what cannot be listed is refused when it is added', () => {
  const server = new Server(who)
  const nothing = () => {}
  const json = { code: 'ERR_WIRELINE_NOT_JSON' }
  assert.throws(() => server.tool('x', { inputSchema: { type: 'object', default: 1n } }, nothing), json)
  assert.throws(() => server.tool('x', { annotations: { a: NaN } }, nothing), json)
  assert.throws(() => server.tool('x', { more: { icons: new Map() } }, nothing), json)
  assert.throws(() => server.resource('a://b', { more: { size: 1n } }, nothing), json)
  assert.throws(() => server.prompt('x', { arguments: [{ name: 'a', description: '\ud800' }] }, nothing), json)
  assert.throws(() => server.tool('x', { inputSchema: { type: 'string' } }, nothing), { code: 'ERR_WIRELINE_BAD_SCHEMA' })
  assert.throws(() => server.tool('x', { outputSchema: { type: 'array' } }, nothing), { code: 'ERR_WIRELINE_BAD_SCHEMA' })
  for (const more of [{ description: 5 }, { title: {} }]) {
    assert.throws(() => server.tool('x', more, nothing), { code: 'ERR_INVALID_ARG_TYPE' })
    assert.throws(() => server.resource('a://b', more, nothing), { code: 'ERR_INVALID_ARG_TYPE' })
    assert.throws(() => server.prompt('x', more, nothing), { code: 'ERR_INVALID_ARG_TYPE' })
  }
  assert.deepEqual([server.tools.size, server.resources.size, server.prompts.size], [0, 0, 0])
})

test('what a client gives that is none of what it should be is its mistake', async () => {
  const { wire, errors } = serve((server) => {
    server.tool('ask', async (_args, { ask }) => (await ask('elicitation/create', { mode: 'form', message: 'x', requestedSchema: { type: 'object', properties: {} } })).action)
    server.resource('a://b', () => 'x')
  })
  const mistake = async (method, params) => assert.equal((await wire.ask(1, method, { ...params, _meta: META })).error?.code, -32602, JSON.stringify(params))
  for (const resourceSubscriptions of [[1], [null], 'a://b', {}]) await mistake('subscriptions/listen', { notifications: { resourceSubscriptions } })
  for (const answer of ['x', 5, null, []]) await mistake('tools/call', { name: 'ask', inputResponses: { 'ask-0': answer } })
  assert.equal((await wire.ask(1, 'tools/call', { name: 'ask', inputResponses: { 'ask-0': { action: 'decline' } }, _meta: META })).result.content[0].text, 'decline')
  assert.deepEqual(errors, [])
})

test('what a client subscribes to has a ceiling', async () => {
  const { wire, server } = serve((it) => it.resource('a://b', () => 'x'))
  await wire.open()
  const uri = (at) => `a://${at}/${'x'.repeat(60_000)}`
  let at = 0
  while ('result' in (await wire.ask(at, 'resources/subscribe', { uri: uri(at) }))) assert.ok(++at < 100)
  assert.equal((await wire.ask(1, 'resources/subscribe', { uri: uri(at) })).error.code, -32602)
  // What is subscribed to already takes nothing more, and what is let go of makes room.
  assert.deepEqual((await wire.ask(2, 'resources/subscribe', { uri: uri(0) })).result, {})
  assert.deepEqual((await wire.ask(3, 'resources/unsubscribe', { uri: uri(0) })).result, {})
  assert.deepEqual((await wire.ask(4, 'resources/subscribe', { uri: uri(at) })).result, {})
  server.resourceUpdated(uri(at))
  assert.equal((await wire.next()).method, 'notifications/resources/updated')
})

test('options are looked at when a server is made', () => {
  for (const bad of [{ name: 5 }, { version: undefined }, { capabilities: 5 }, { maxInbound: -1 }]) {
    assert.throws(() => new Server({ ...who, ...bad }), (error) => error.code === 'ERR_INVALID_ARG_TYPE' || error.code === 'ERR_OUT_OF_RANGE', JSON.stringify(bad))
  }
})

test('a question after the request is over is not asked', { timeout: 30_000 }, async () => {
  let asking
  const asked = new Promise((resolve) => (asking = resolve))
  const { wire } = serve((server) => {
    server.tool('late', async (_args, { ask, signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      asking(await ask('roots/list').catch((error) => error.code))
    })
  })
  await wire.open('2025-06-18', { roots: {} })
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'late' } })
  assert.equal((await wire.ask(2, 'ping')).id, 2)
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  assert.equal(await asked, 'ERR_WIRELINE_CANCELLED')
  assert.equal((await wire.ask(3, 'ping')).id, 3)
  assert.deepEqual(wire.lines, [])
})

test('progress is told for tokens of up to 128 bytes, exactly as they came', { timeout: 30_000 }, async () => {
  const { wire, ends } = serve((server) => server.tool('steps', (_args, { progress }) => { progress(1); return 'ok' }))
  await wire.open()
  const lines = []
  ends.client.input.on('data', (chunk) => lines.push(String(chunk)))
  for (const token of ['12345678901234567890123', '1e30', JSON.stringify('t'.repeat(126))]) {
    lines.length = 0
    wire.send(`{"jsonrpc":"2.0","id":"${'i'.repeat(100)}","method":"tools/call","params":{"name":"steps","_meta":{"progressToken":${token}}}}`)
    assert.equal((await wire.next()).method, 'notifications/progress')
    assert.ok(lines.join('').includes(`"progressToken":${token},`), token)
    await wire.next()
  }
  // The session keeps no longer ones.
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'steps', _meta: { progressToken: 't'.repeat(127) } } })
  assert.equal((await wire.next()).id, 1)
})

test('a function that does not end: the end of the input gives it a grace time, and no more', { timeout: 30_000 }, async () => {
  const reasons = []
  const { wire, over, ends } = serve((server) => {
    server.tool('hang', (_args, { signal }) => new Promise(() => signal.addEventListener('abort', () => reasons.push(signal.reason.code))))
  }, { grace: 20 })
  await wire.open()
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } })
  assert.equal((await wire.ask(2, 'ping')).id, 2)
  ends.client.output.end()
  await over
  assert.deepEqual(reasons, ['ERR_WIRELINE_CLOSED'])
  assert.throws(() => new Server({ ...who, grace: -1 }), { code: 'ERR_OUT_OF_RANGE' })
})

test('a host that has ended its side and reads no more is not waited for', { timeout: 30_000 }, async () => {
  const input = new PassThrough()
  const output = new PassThrough({ highWaterMark: 10 })
  const over = new Server({ ...who, grace: 20 }).serve({ input, output })
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
  await over
  assert.equal(output.destroyed, true)
})

test('a line without an end: the connection ends, and onError is told', { timeout: 30_000 }, async () => {
  const { over, ends, errors } = serve(() => {}, { maxDiscard: 1000, maxMessage: 64 })
  ends.client.output.write('x'.repeat(5000))
  await over
  assert.deepEqual(errors.map(([what, error]) => [what, error.code]), [['the connection', 'ERR_WIRELINE_RUNAWAY']])
})

test('connections that come and go leave nothing on their streams', { timeout: 30_000 }, async () => {
  const output = new PassThrough()
  output.resume()
  const warnings = []
  const note = (warning) => warnings.push(warning)
  process.on('warning', note)
  for (let at = 0; at < 20; at++) {
    const input = new PassThrough()
    input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    await new Server(who).serve({ input, output })
  }
  await sleep(5)
  process.off('warning', note)
  assert.deepEqual(warnings, [])
  assert.deepEqual(['error', 'close', 'drain', 'finish'].map((name) => output.listenerCount(name)), [1, 0, 1, 0].map((_, at) => (at === 0 ? 1 : new PassThrough().listenerCount(['error', 'close', 'drain', 'finish'][at]))))
})

test('a host that does not read: no more is read of it until it does', async () => {
  const input = new PassThrough()
  const output = new PassThrough({ highWaterMark: 1024 })
  const server = new Server(who)
  const over = server.serve({ input, output })
  const ping = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'.repeat(100))
  let written = 0
  while (written < 10_000 && input.write(ping)) {
    written++
    await sleep(0)
  }
  assert.ok(written < 50, `${written} chunks were read`)
  assert.ok(output.readableLength < 100_000)
  output.resume()
  input.end()
  await over
})

test('sockets: several clients at once', async () => {
  const server = new Server(who)
  server.tool('echo', ({ text }) => text)
  const listener = createServer((socket) => void server.serve(socket))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address()
  await Promise.all(
    [1, 2, 3].map(async (n) => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      const wire = new Wire({ input: socket, output: socket })
      await wire.open()
      for (let at = 0; at < 20; at++) {
        assert.equal((await wire.ask(at, 'tools/call', { name: 'echo', arguments: { text: `${n}-${at}` } })).result.content[0].text, `${n}-${at}`)
      }
      socket.destroy()
    })
  )
  listener.close()
})
