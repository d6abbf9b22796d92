// What a server can do to a client, and a client to a server, ends no process, and no call is left without an end.

import assert from 'node:assert/strict'
import { PassThrough, Readable, Writable } from 'node:stream'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { Client, RemoteError } from 'wireline/client'
import { Server } from 'wireline/server'
import { pair, Wire } from './support/pair.mjs'
import { answer, opened, turns, uncaught, who } from './support/opened.mjs'

const limits = { timeout: 30_000 }

// What hangs is a failure of its own, and not of all that follows.
const alive = setInterval(() => {}, 1000)
after(() => clearInterval(alive))

test('a request and its cancellation in one chunk', limits, async () => {
  const begun = []
  const handlers = {
    'roots/list': () => (begun.push('roots'), { roots: [] }),
    'sampling/createMessage': () => {
      throw new RemoteError(-32000, 'no')
    },
  }
  const found = await uncaught(async () => {
    const { client, wire } = await opened({ handlers, capabilities: { elicitation: { form: {} } } })
    for (const [at, method] of ['roots/list', 'sampling/createMessage', 'elicitation/create', 'no/such'].entries()) {
      const params = { messages: [], maxTokens: 1, mode: 'form', message: '?', requestedSchema: { type: 'object', properties: {} } }
      wire.send({ jsonrpc: '2.0', id: at, method, params }, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: at } })
    }
    wire.send({ jsonrpc: '2.0', id: 'after', method: 'ping' })
    assert.deepEqual(await wire.next(), { jsonrpc: '2.0', id: 'after', result: {} })
    await turns()
    assert.deepEqual(wire.lines, [])
    await client.close()
  })
  assert.deepEqual(found, [])
  assert.deepEqual(begun, [])
})

test('progress ends with its call, however that ends', limits, async () => {
  const { client, wire, ends } = await opened({ maxOutbound: 2 })
  const over = async (call) => {
    for await (const _ of call.progress);
    await assert.rejects(call)
  }
  await over(client.callTool('x', { n: 1n }))
  await over(client.request('x', [1]))
  await over(client.callTool('x', {}, { signal: 5 }))
  await over(client.callTool('x', {}, { signal: AbortSignal.abort() }))
  const control = new AbortController()
  const aborted = over(client.callTool('x', {}, { signal: control.signal }))
  control.abort()
  await aborted
  await wire.next()
  await wire.next()
  const cancelled = client.callTool('x')
  const held = [client.callTool('a'), client.callTool('b'), client.callTool('c')]
  const all = [cancelled, ...held].map(over)
  cancelled.cancel()
  held[2].cancel()
  ends.server.output.end()
  await Promise.all(all)
  await over(client.callTool('x'))
  await client.close()
  await over(client.callTool('x'))
})

test('progress that is not taken ends its call, and the iteration', limits, async () => {
  const { client, wire } = await opened()
  const call = client.callTool('x', {}, { onProgress() { throw new Error('mine') } })
  const { params } = await wire.next()
  const iterated = (async () => { for await (const _ of call.progress); })()
  wire.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1 } })
  await assert.rejects(call, /mine/)
  await iterated
  await client.close()
})

test('streams that have ended before they are given', limits, async () => {
  const ended = new PassThrough().end().resume()
  await once(ended, 'end')
  const destroyed = new PassThrough()
  destroyed.destroy()
  const broken = new PassThrough()
  broken.on('error', () => {}).destroy(new Error('broken'))
  await turns()
  const closing = new PassThrough().end()
  const fresh = () => new PassThrough().resume()
  const found = await uncaught(async () => {
    const pairs = [ended, destroyed, broken].flatMap((it) => [{ input: it, output: fresh() }, { input: fresh(), output: it }])
    pairs.push({ input: fresh(), output: closing })
    for (const [at, streams] of pairs.entries()) {
      await new Server(who).serve(streams)
      await assert.rejects(Client.connect(streams, who), { code: 'ERR_WIRELINE_CONNECT' }, `pair ${at}`)
    }
    await assert.rejects(Client.connect({ input: broken, output: fresh() }, who), (error) => error.cause.message === 'broken')
  })
  assert.deepEqual(found, [])
})

test('a signal of many calls aborts: those that were held are not sent', limits, async () => {
  const { client, wire } = await opened({ maxOutbound: 1 })
  const control = new AbortController()
  const { signal } = control
  const derived = AbortSignal.any?.([signal]) ?? signal
  const calls = ['a', 'b', 'c', 'd'].map((name, at) => client.callTool(name, {}, { signal: at % 2 === 0 ? signal : derived }))
  const last = client.callTool('last')
  assert.equal((await wire.next()).params.name, 'a')
  control.abort(new Error('enough'))
  for (const call of calls) await assert.rejects(call, /enough/)
  assert.equal((await wire.next()).method, 'notifications/cancelled')
  const { id, params } = await wire.next()
  assert.equal(params.name, 'last')
  wire.send(answer(id))
  await last
  assert.deepEqual(wire.lines, [])
  await client.close()
})

test('calls that are held when the connection closes', limits, async () => {
  for (const end of [({ ends }) => ends.server.output.end(), ({ client }) => void client.close(), ({ ends }) => ends.client.output.destroy()]) {
    const given = await opened({ maxOutbound: 1, grace: 20 })
    const calls = ['a', 'b', 'c'].map((name) => given.client.callTool(name))
    end(given)
    for (const call of calls) await assert.rejects(call, { code: 'ERR_WIRELINE_CLOSED' })
    await given.client.close()
  }
})

test('log messages without params, or with others than they should have', limits, async () => {
  const found = await uncaught(async () => {
    const { client, wire } = await opened()
    const logs = []
    const notifications = []
    const broken = []
    client.on('log', ({ level, data }) => logs.push([level, data]))
    client.on('notification', ({ method }) => notifications.push(method))
    client.on('violation', (rules) => broken.push(rules))
    const log = (more) => ({ jsonrpc: '2.0', method: 'notifications/message', ...more })
    wire.send(log({}), log({ params: null }), log({ params: {} }), log({ params: { level: 'loud', data: 1 } }), log({ params: { level: 'info' } }), log({ params: { level: 5, data: 1 } }))
    wire.send(log({ params: { level: 'info', data: null } }))
    wire.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await wire.next()
    assert.deepEqual(logs, [['info', null]])
    assert.equal(notifications.length, 7)
    await client.close()
  })
  assert.deepEqual(found, [])
})

test('streams of text are refused, before or in between', limits, async () => {
  const found = await uncaught(async () => {
    const text = pair().client
    text.input.setEncoding('utf8')
    await assert.rejects(Client.connect(text, who), { code: 'ERR_INVALID_ARG_TYPE' })
    await assert.rejects(new Server(who).serve(text), { code: 'ERR_INVALID_ARG_TYPE' })
    const { client, wire, ends } = await opened()
    const closed = once(client, 'close')
    const call = client.callTool('x')
    const { id } = await wire.next()
    ends.client.input.setEncoding('utf8')
    wire.send(answer(id))
    await assert.rejects(call, (error) => error.code === 'ERR_WIRELINE_CLOSED' && error.cause.code === 'ERR_INVALID_ARG_TYPE')
    assert.equal((await closed)[0].code, 'ERR_INVALID_ARG_TYPE')
    await client.close()
    const errors = []
    const server = new Server({ ...who, onError: (error, what) => errors.push([error.code, what]) })
    await server.serve({ input: Readable.from(['{"jsonrpc":"2.0","id":1,"method":"ping"}\n']), output: new PassThrough().resume() })
    assert.deepEqual(errors, [['ERR_INVALID_ARG_TYPE', 'the connection']])
  })
  assert.deepEqual(found, [])
})

test('a stream that throws when it is written to', limits, async () => {
  const found = await uncaught(async () => {
    const throws = () => new Writable({ write() { throw new Error('cannot') } })
    await assert.rejects(Client.connect({ input: new PassThrough(), output: throws() }, { ...who, grace: 20 }), { code: 'ERR_WIRELINE_CONNECT' })
    const input = new PassThrough()
    const over = new Server({ ...who, grace: 20 }).serve({ input, output: throws() })
    input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    await over
  })
  assert.deepEqual(found, [])
})

test('the signal of a handler aborts with the call that it answers for, in either era', limits, async () => {
  for (const revision of ['2025-11-25', '2026-07-28']) {
    for (const end of ['cancel', 'abort', 'close', 'gone']) {
      let begun
      const running = new Promise((resolve) => (begun = resolve))
      const handlers = {
        'roots/list': (_params, { signal }) => new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          begun(signal)
        }),
      }
      const { client, wire, ends } = await opened({ handlers, revisions: [revision] })
      const control = new AbortController()
      const call = client.callTool('x', {}, { signal: control.signal })
      call.catch(() => {})
      const { id } = await wire.next()
      if (revision === '2026-07-28') wire.send({ jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list', params: {} } } } })
      else wire.send({ jsonrpc: '2.0', id: 'r', method: 'roots/list' })
      const signal = await running
      const aborted = once(signal, 'abort')
      if (end === 'close') void client.close()
      else if (end === 'gone') ends.server.output.end()
      else if (revision === '2025-11-25') wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'r' } })
      else if (end === 'cancel') call.cancel()
      else control.abort(new Error('mine'))
      await aborted
      assert.ok(end !== 'abort' || revision === '2025-11-25' || signal.reason.message === 'mine')
      await client.close()
    }
  }
})

test('handlers are own members, whatever the server asks for', limits, async () => {
  const inherited = { 'roots/list': () => assert.fail('an inherited member') }
  for (const handlers of [Object.create(inherited), {}]) {
    const { client, wire } = await opened({ handlers, capabilities: { roots: {} }, revisions: ['2026-07-28'] })
    const call = client.callTool('x')
    const { id } = await wire.next()
    wire.send({ jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } } })
    await assert.rejects(call, { code: 'ERR_WIRELINE_NO_HANDLER' })
    await client.close()
  }
  const { client, wire } = await opened({ handlers: Object.create(inherited), capabilities: { roots: {} } })
  for (const method of ['roots/list', 'toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    assert.equal((await wire.ask(1, method)).error.code, -32601, method)
  }
  await client.close()
})

test('input is answered by its key, whatever that is', limits, async () => {
  const { client, wire } = await opened({ handlers: { 'roots/list': () => ({ roots: [] }) }, revisions: ['2026-07-28'] })
  const call = client.callTool('x')
  const { id } = await wire.next()
  wire.send(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":{"__proto__":{"method":"roots/list","params":{}},"b":{"method":"roots/list"}}}}`)
  const again = await wire.next()
  assert.deepEqual(Object.entries(again.params.inputResponses), [['__proto__', { roots: [] }], ['b', { roots: [] }]])
  wire.send({ jsonrpc: '2.0', id: again.id, result: { resultType: 'complete', content: [] } })
  await call
  await client.close()
})

test('demands for input that are none, and answers that are none', limits, async () => {
  const handlers = { 'roots/list': () => ({ roots: [] }), 'elicitation/create': () => undefined, 'sampling/createMessage': () => [1] }
  const { client, wire } = await opened({ handlers, revisions: ['2026-07-28'] })
  const refused = async (inputRequests, code) => {
    const call = client.callTool('x')
    const { id } = await wire.next()
    wire.send({ jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests } })
    await assert.rejects(call, { code }, JSON.stringify(inputRequests))
    await turns()
    wire.lines.length = 0
  }
  for (const bad of [null, 5, 'x', [], [null], { a: null }, { a: 5 }, { a: { method: 5 } }, { a: [] }, { a: { method: 'roots/list', params: 5 } }]) {
    await refused(bad, 'ERR_WIRELINE_BAD_RESPONSE')
  }
  for (const method of ['elicitation/create', 'sampling/createMessage']) await refused({ a: { method, params: {} } }, 'ERR_WIRELINE_BAD_PAYLOAD')
  await client.close()
})

test('a listener that throws takes no call with it', limits, async () => {
  const found = await uncaught(async () => {
    const { client, wire } = await opened()
    for (const name of ['violation', 'fault', 'log', 'notification', 'close']) {
      client.on(name, () => {
        throw new Error(name)
      })
    }
    const call = client.callTool('x')
    const { id } = await wire.next()
    wire.send('no message', { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }, { jsonrpc: '2.0', id, result: {}, error: {} })
    await assert.rejects(call, { code: 'ERR_WIRELINE_BAD_RESPONSE' })
    await client.close()
  })
  assert.deepEqual(new Set(found.map(({ message }) => message)), new Set(['violation', 'fault', 'log', 'notification', 'close']))
})

test('a call is what its arguments were when it was made', limits, async () => {
  const { client, wire } = await opened({ maxOutbound: 1 })
  const args = { n: 0 }
  const text = Buffer.from('{"name":"3"}')
  const calls = [0, 1, 2].map((n) => {
    args.n = n
    return client.callTool('x', args)
  })
  calls.push(client.request('tools/call', text))
  text.fill('!')
  for (const [n, call] of calls.entries()) {
    const { id, params } = await wire.next()
    assert.equal(n === 3 ? Number(params.name) : params.arguments.n, n)
    wire.send(answer(id))
    await call
  }
  await client.close()
})

test('a signal that aborts while its call is being written', limits, async () => {
  const { client } = await opened()
  const control = new AbortController()
  const call = client.callTool('x', { toJSON: () => (control.abort(new Error('enough')), {}) }, { signal: control.signal })
  await assert.rejects(call, /enough/)
  await client.close()
})

test('calls and notifications after close, at once', limits, async () => {
  const { client, wire } = await opened()
  const closing = client.close()
  await assert.rejects(client.callTool('x'), { code: 'ERR_WIRELINE_CLOSED' })
  await assert.rejects(client.ping(), { code: 'ERR_WIRELINE_CLOSED' })
  assert.throws(() => client.notify('notifications/roots/list_changed'), { code: 'ERR_WIRELINE_CLOSED' })
  await closing
  assert.deepEqual(wire.lines, [])
})

test('options are looked at before anything is started', limits, async () => {
  for (const bad of [undefined, null, 5, { ...who, signal: 5 }, { ...who, handlers: { 'roots/list': 5 } }, { ...who, maxUnsent: '1' }, { name: 5 }]) {
    await assert.rejects(Client.connect(pair().client, bad), { code: 'ERR_INVALID_ARG_TYPE' })
    await assert.rejects(Client.spawn({ command: '/no/such/program' }, bad), { code: 'ERR_INVALID_ARG_TYPE' })
  }
  await assert.rejects(Client.connect(pair().client, { ...who, maxUnsent: 0 }), { code: 'ERR_OUT_OF_RANGE' })
  assert.throws(() => new Server({ ...who, maxUnsent: 0 }), { code: 'ERR_OUT_OF_RANGE' })
})

test('lists of many entries, and of pages without an end', limits, async () => {
  const { client, wire } = await opened()
  const call = client.listTools()
  wire.send({ jsonrpc: '2.0', id: (await wire.next()).id, result: { tools: Array(300_000).fill({}) } })
  assert.equal((await call).length, 300_000)
  let over = false
  const endless = client.listTools().finally(() => (over = true))
  endless.catch(() => {})
  for (let at = 0; at <= 1000; at++) wire.send({ jsonrpc: '2.0', id: (await wire.next()).id, result: { tools: [], nextCursor: String(at) } })
  await turns()
  assert.equal(over, true)
  await assert.rejects(endless, { code: 'ERR_WIRELINE_BAD_RESPONSE' })
  await client.close()
})

test('a session that does not come about leaves no stream open', limits, async () => {
  const aborted = pair().client
  const control = new AbortController()
  const opening = Client.connect(aborted, { ...who, signal: control.signal })
  control.abort(new Error('enough'))
  await assert.rejects(opening, /enough/)
  const refused = pair()
  const wire = new Wire(refused.server)
  const other = Client.connect(refused.client, { ...who, revisions: ['2025-11-25'] })
  wire.send({ jsonrpc: '2.0', id: (await wire.next()).id, error: { code: -32603, message: 'no' } })
  await assert.rejects(other, { code: 'ERR_WIRELINE_CONNECT' })
  for (const { input, output } of [aborted, refused.client]) assert.equal(input.destroyed && output.destroyed, true)
})

test('a flood of lines leaves time for all else', limits, async () => {
  const { client, ends } = await opened()
  let faults = 0
  client.on('fault', () => faults++)
  const lines = 32_768
  for (let at = 0; at < 10; at++) ends.server.output.write('y\n'.repeat(lines))
  let seen = 0
  while (faults < 10 * lines) {
    await turns(1)
    seen++
  }
  assert.ok(seen > 2, `all of it in ${seen} turns`)
  await client.close()
})

test('arguments of wrong types reject, and nothing is sent', limits, async () => {
  const { client, wire } = await opened()
  const tries = {
    callTool: [[], [5], [{ name: 'x' }], ['x', 5], ['x', null], ['x', []], ['x', 'y'], ['x', new Uint8Array(2)], ['x', {}, null]],
    readResource: [[], [5], [new URL('a://b')]],
    getPrompt: [[], ['x', 5], ['x', null], ['x', { a: 5 }]],
    complete: [[], [{}, 5], [null, { name: 'x', value: 'y' }], [{}, { name: 'x' }]],
    setLogLevel: [[], [5]],
    listTools: [[5], [null]],
    request: [[], [5]],
  }
  for (const [name, all] of Object.entries(tries)) {
    for (const args of all) await assert.rejects(client[name](...args), { code: 'ERR_INVALID_ARG_TYPE' }, `${name} ${JSON.stringify(args)}`)
  }
  await assert.rejects(client.setLogLevel('loud'), { code: 'ERR_OUT_OF_RANGE' })
  await turns()
  assert.deepEqual(wire.lines, [])
  await client.close()
})

test('streams that are paused when they are given', limits, async () => {
  const ends = pair()
  ends.server.input.pause()
  ends.client.input.pause()
  void new Server(who).tool('x', () => 'y').serve(ends.server)
  const client = await Client.connect(ends.client, who)
  assert.equal((await client.callTool('x')).content[0].text, 'y')
  await client.close()
})
