// Sessions against literal bytes, and against each other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ClientSession, encodeRequest, encodeResult, LEVELS, REVISIONS, ServerSession } from 'wireline'
import { randoms } from './support/vectors.mjs'

const bytes = (text) => Buffer.from(text)
const text = (send) => Buffer.from(send).toString()
const lines = (send) => text(send).split('\n').filter((it) => it !== '').map((it) => JSON.parse(it))
const who = { name: 'test', version: '1.0' }
const LEGACY = REVISIONS.slice(0, 4)

/** A server session of the legacy era that is open. */
function opened(options = {}) {
  const server = new ServerSession({ ...who, capabilities: { tools: { listChanged: true }, logging: {} }, ...options })
  server.receive(bytes('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'), 0)
  assert.equal(server.state, 'ready')
  return server
}

test('a server opens a session, serves a request, and answers pings by itself', () => {
  const server = new ServerSession({ ...who, title: 'Test', capabilities: { tools: {}, experimental: { x: { y: 1 } } }, instructions: 'be nice' })
  assert.equal(server.state, 'idle')
  const { events, send } = server.receive(bytes('{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}}\n'), 5)
  assert.deepEqual(lines(send), [{ jsonrpc: '2.0', id: 'a', result: { protocolVersion: '2025-06-18', capabilities: { tools: {}, experimental: { x: { y: 1 } } }, serverInfo: { name: 'test', title: 'Test', version: '1.0' }, instructions: 'be nice' } }])
  assert.equal(events[0].type, 'state')
  server.receive(bytes('{"jsonrpc":"2.0","method":"notifications/initialized"}\n'), 6)
  assert.equal(server.revision, '2025-06-18')
  assert.equal(server.peerHas('sampling'), true)
  assert.equal(server.peerHas('roots'), false)
  const turn = server.receive(bytes('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"t"}},"jsonrpc":"2.0","id":2}\n'), 7)
  assert.equal(text(turn.send), '{"jsonrpc":"2.0","id":1,"result":{}}\n')
  assert.equal(turn.events.length, 1)
  const [request] = turn.events
  assert.equal(request.type, 'request')
  assert.equal(request.message.method, 'tools/call')
  assert.deepEqual(request.message.params.name, 'x')
  assert.deepEqual(request.broken, [])
  assert.deepEqual(server.incoming(request.handle), { revision: '2025-06-18', wantsProgress: true, logLevel: 'debug' })
  assert.deepEqual(lines(server.progress(request.handle, 1, 4, 'a quarter')), [{ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 't', progress: 1, total: 4, message: 'a quarter' } }])
  assert.throws(() => server.progress(request.handle, 1), { code: 'ERR_WIRELINE_BAD_PROGRESS' })
  assert.deepEqual(server.inFlight, { inbound: 1, outbound: 0 })
  assert.equal(text(server.respond(request.handle, { content: [] })), '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}\n')
  assert.throws(() => server.respond(request.handle, {}), { name: 'WirelineError', code: 'ERR_WIRELINE_STALE_HANDLE' })
})

test('a request of the modern era brings its revision, and its result what that asks for', () => {
  const server = new ServerSession({ ...who, capabilities: { tools: {} }, cache: { ttlMs: 1000, scope: 'public' } })
  const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}'
  const { events } = server.receive(bytes(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${meta}}}\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x",${meta}}}\n`), 0)
  assert.deepEqual(events.map((it) => [it.type, it.revision]), [['request', '2026-07-28'], ['request', '2026-07-28']])
  const [list] = lines(server.respond(events[0].handle, { tools: [] }))
  assert.equal(list.result.resultType, 'complete')
  assert.equal(list.result.ttlMs, 1000)
  assert.equal(list.result.cacheScope, 'public')
  assert.equal(server.peerHas('elicitation', events[1].handle), true)
  const [ask] = lines(server.ask(events[1].handle, { q: { method: 'elicitation/create', params: { mode: 'form', message: '?', requestedSchema: { type: 'object', properties: {} } } } }, 'sealed'))
  assert.equal(ask.result.resultType, 'input_required')
  assert.equal(ask.result.requestState, 'sealed')
  assert.deepEqual(Object.keys(ask.result.inputRequests), ['q'])
})

test('what the peer does wrong is told with its rules, and never thrown', () => {
  const server = opened()
  const { events, send } = server.receive(bytes('Listening on port 8080\n{"jsonrpc":"1.0","id":7,"method":"ping"}\n{"jsonrpc":"2.0","id":99,"result":{}}\n{"jsonrpc":"2.0","method":"tools/list"}\n'), 1)
  assert.deepEqual(events.map((it) => [it.type, it.why, ...it.broken]), [
    ['ignored', 'fault', 'R4'],
    ['ignored', 'fault', 'R13'],
    ['ignored', 'unknown-id', 'R18'],
    ['ignored', 'not-a-request', 'R14'],
  ])
  assert.equal(events[0].fault.fault, 'not-json')
  assert.equal(events[0].fault.rule, 'R4')
  assert.deepEqual(lines(send).map((it) => [it.id, it.error.code]), [[7, -32600]])
})

test('calls that are not allowed throw, name the rule, and change nothing', () => {
  const client = new ClientSession({ ...who, revisions: LEGACY })
  assert.throws(() => client.request('tools/list', undefined, undefined, 0), { code: 'ERR_WIRELINE_NOT_READY' })
  const [init] = lines(client.connect(0))
  assert.equal(init.method, 'initialize')
  assert.throws(() => client.connect(0), { code: 'ERR_WIRELINE_NOT_READY' })
  const { send } = client.receive(encodeResult(init.id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: who }), 1)
  assert.deepEqual(lines(send), [{ jsonrpc: '2.0', method: 'notifications/initialized' }])
  assert.equal(client.state, 'ready')
  assert.throws(() => client.request('prompts/list', {}, {}, 2), { code: 'ERR_WIRELINE_RULE', rule: 'R63', message: /^not allowed by R63: / })
  assert.throws(() => client.request('sampling/createMessage', {}, {}, 2), { code: 'ERR_WIRELINE_RULE' })
  assert.throws(() => client.notify('notifications/cancelled', {}), { code: 'ERR_WIRELINE_RULE', rule: 'R107' })
  assert.throws(() => client.request('tools/list', [], {}, 2), { code: 'ERR_WIRELINE_BAD_PAYLOAD' })
  for (const bad of [{ a: 1n }, { a: NaN }, () => {}, { a: '\ud800' }]) {
    assert.throws(() => client.request('tools/call', bad, {}, 2), { code: 'ERR_WIRELINE_NOT_JSON' })
  }
  assert.deepEqual(client.inFlight, { inbound: 0, outbound: 0 })
  const { send: line } = client.request('tools/list', undefined, {}, 3)
  assert.equal(lines(line)[0].id, 1)
  const type = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }
  assert.throws(() => client.request(5, {}, {}, 0), type)
  assert.throws(() => client.request('x', {}, 5, 0), type)
  assert.throws(() => client.request('x', {}, { timeout: '1' }, 0), type)
  assert.throws(() => client.request('x', {}, {}, '0'), type)
  assert.throws(() => client.receive('text', 0), type)
  assert.throws(() => client.respond('h', {}), type)
  assert.throws(() => client.request('x', {}, {}, NaN), { code: 'ERR_OUT_OF_RANGE' })
  assert.throws(() => client.cancel(123456, 'x'), { code: 'ERR_WIRELINE_STALE_HANDLE' })
  for (const handle of [-1, 0, 1.5, NaN, Infinity, 2 ** 53]) assert.throws(() => client.cancel(handle), { code: 'ERR_WIRELINE_STALE_HANDLE' })
})

test('options of wrong types', () => {
  const type = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }
  const range = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' }
  for (const Class of [ClientSession, ServerSession]) {
    assert.throws(() => new Class(), type)
    assert.throws(() => new Class({}), type)
    assert.throws(() => new Class({ ...who, version: 1 }), type)
    assert.throws(() => new Class({ ...who, capabilities: 5 }), type)
    assert.throws(() => new Class({ ...who, capabilities: { odd: 5 } }), type)
    assert.throws(() => new Class({ ...who, capabilities: { tools: { x: 1n } } }), { code: 'ERR_WIRELINE_NOT_JSON' })
    assert.throws(() => new Class({ ...who, revisions: ['2020-01-01'] }), range)
    assert.throws(() => new Class({ ...who, revisions: [] }), range)
    assert.throws(() => new Class({ ...who, revisions: '2025-06-18' }), type)
    assert.throws(() => new Class({ ...who, requestTimeout: -1 }), range)
    assert.throws(() => new Class({ ...who, maxInbound: 100_000 }), range)
    assert.throws(() => new Class({ ...who, maxMessage: 5 }), range)
  }
})

test('time-outs: the request ends once, and is cancelled on the wire', () => {
  const client = new ClientSession({ ...who, revisions: LEGACY, requestTimeout: 1000, hardTimeout: 2500 })
  client.connect(0)
  client.receive(encodeResult(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: who }), 10)
  assert.equal(client.nextTimeout, undefined)
  const { handle, send } = client.request('tools/call', { name: 'slow' }, { progress: true }, 100)
  const [{ id, params }] = lines(send)
  assert.equal(params._meta.progressToken, id)
  assert.equal(client.nextTimeout, 1100)
  const tell = (n, now) => client.receive(bytes(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id},"progress":${n}}}\n`), now)
  const [progress] = tell(1, 900).events
  assert.deepEqual([progress.type, progress.handle, progress.message.params.progress], ['progress', handle, 1])
  assert.equal(client.nextTimeout, 1900)
  tell(2, 1800)
  assert.equal(client.nextTimeout, 2600)
  assert.deepEqual(client.expire(2599).events, [])
  const turn = client.expire(2600)
  assert.deepEqual(turn.events.map((it) => [it.type, it.handle, it.why]), [['ended', handle, 'timed-out']])
  assert.equal(lines(turn.send)[0].method, 'notifications/cancelled')
  assert.equal(client.nextTimeout, undefined)
  const late = client.receive(encodeResult(id, { content: [] }), 2700)
  assert.deepEqual(late.events.map((it) => [it.type, it.why]), [['ignored', 'late']])
})

test('cancel, both ways', () => {
  const server = opened()
  const { events } = server.receive(encodeRequest(5, 'tools/call', { name: 'x' }), 1)
  const turn = server.receive(bytes('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"no"}}\n'), 2)
  assert.deepEqual(turn.events.map((it) => [it.type, it.handle, it.message.params.reason]), [['cancelled', events[0].handle, 'no']])
  assert.equal(turn.send.length, 0)
  assert.throws(() => server.respond(events[0].handle, {}), { code: 'ERR_WIRELINE_STALE_HANDLE' })
  const { handle } = server.request('roots/list', undefined, {}, 3)
  const cancel = server.cancel(handle, 'changed my mind')
  assert.deepEqual(cancel.events.map((it) => [it.type, it.handle, it.why]), [['ended', handle, 'cancelled']])
  assert.equal(lines(cancel.send)[0].params.reason, 'changed my mind')
})

test('asking what is pending loses nothing', () => {
  const open = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n'
  for (const borrow of [false, true]) {
    for (const next of ['receive', 'close']) {
      const server = new ServerSession({ name: 'x', version: '1', maxMessage: 256, maxDiscard: 300, borrow })
      server.receive(Buffer.concat([bytes(open), Buffer.alloc(500, 'x')]), 1)
      assert.equal(server.pending, 500)
      assert.equal(server.pending, 500)
      const { events } = next === 'receive' ? server.receive(bytes('x'), 2) : server.close(2)
      assert.equal(events[0].fault?.fault, 'runaway')
      // Nothing is taken any more, so nothing is pending.
      server.receive(bytes('x'), 3)
      assert.equal(server.pending, 0)
    }
  }
})

test('the end of the input ends what waits, and a cut line is a fault', () => {
  const server = opened()
  const { handle } = server.request('roots/list', undefined, {}, 3)
  server.receive(bytes('{"jsonrpc":"2.0","id":1,'), 4)
  assert.equal(server.pending, 24)
  const { events } = server.close(5)
  assert.deepEqual(events.map((it) => [it.type, it.why ?? it.state, it.fault?.fault]), [
    ['ignored', 'fault', 'truncated'],
    ['ended', 'closed', undefined],
    ['state', 'closed', undefined],
  ])
  assert.equal(events[1].handle, handle)
  assert.equal(server.state, 'closed')
  assert.deepEqual(server.close(6).events, [])
  assert.throws(() => server.request('roots/list', undefined, {}, 7), { code: 'ERR_WIRELINE_NOT_READY' })
})

test('more requests than slots are refused by their ids; pings go on', () => {
  const server = opened({ maxInbound: 2 })
  const { events, send } = server.receive(Buffer.concat([1, 2, 3, 4].map((id) => encodeRequest(id, 'tools/list')).concat([encodeRequest(9, 'ping')])), 1)
  assert.equal(events.filter((it) => it.type === 'request').length, 2)
  assert.deepEqual(lines(send).map((it) => [it.id, it.error?.code, it.error?.data?.limit]), [[3, -32603, 2], [4, -32603, 2], [9, undefined, undefined]])
})

test('a batch of 2025-03-26 is answered as one array', () => {
  const server = new ServerSession({ ...who, capabilities: { tools: {} }, revisions: ['2025-03-26'] })
  server.receive(bytes('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'), 0)
  const { events, send } = server.receive(bytes('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]\n'), 1)
  assert.equal(send.length, 0)
  assert.deepEqual(events.map((it) => [it.type, it.message.batch.index]), [['request', 1]])
  assert.deepEqual(JSON.parse(text(server.respond(events[0].handle, { tools: [] }))).map((it) => it.id), [1, 2])
})

test('a chunk of more requests than a call describes, and answers that take several calls', () => {
  const server = opened()
  const { events, send } = server.receive(bytes(Array.from({ length: 40_000 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`).join('')), 1)
  assert.equal(events.length, 0)
  assert.deepEqual(lines(send).map((it) => it.id), Array.from({ length: 40_000 }, (_, id) => id))
  const noise = server.receive(bytes('x\n'.repeat(5000)), 2)
  assert.equal(noise.events.length, 5000)
})

test('log levels, changes, capabilities that are missing', () => {
  const server = opened()
  assert.equal(LEVELS.length, 8)
  assert.equal(lines(server.log(undefined, 'error', { a: 1 }, 'me'))[0].params.logger, 'me')
  const { send } = server.receive(encodeRequest(3, 'logging/setLevel', { level: 'error' }), 1)
  assert.equal(lines(send).length, 1)
  assert.equal(server.log(undefined, 'debug', 'x').length, 0)
  assert.throws(() => server.log(undefined, 'loud', 'x'), { code: 'ERR_OUT_OF_RANGE' })
  assert.equal(lines(server.changed('tools'))[0].method, 'notifications/tools/list_changed')
  assert.equal(server.changed('prompts').length, 0)
  const { events } = server.receive(encodeRequest(4, 'tools/call', { name: 'x' }), 2)
  assert.equal(lines(server.failForCapability(events[0].handle, { sampling: {} }))[0].id, 4)
  const client = new ClientSession(who)
  assert.equal(client.log, undefined)
})

// Two sessions over pipes that cut anywhere, with a clock of the test's.

/** Runs a conversation of `count` requests each way, and returns how each ended. */
function converse(seed, clientRevisions, serverRevisions, count) {
  const random = randoms(seed + 1)
  let now = 0
  const client = new ClientSession({ ...who, revisions: clientRevisions, capabilities: { roots: {}, sampling: {} }, borrow: random(2) === 0, probeTimeout: 50 })
  const server = new ServerSession({ ...who, revisions: serverRevisions, capabilities: { tools: {} }, borrow: random(2) === 0 })
  const pipes = { client: [], server: [] }
  const put = (pipe, send) => {
    for (let at = 0; at < send.length; ) {
      const length = 1 + random(random(3) === 0 ? 200 : 12)
      pipes[pipe].push(Buffer.from(send.subarray(at, at + length)))
      at += length
    }
  }
  const asked = new Map()
  const ended = []
  const waiting = []
  let made = 0
  const broken = []
  const note = (side, events) => {
    for (const event of events) {
      broken.push(...event.broken)
      if (event.type === 'request') waiting.push([side, event.handle, event.message.params])
      else if (event.type === 'ended') {
        const key = `${side}${event.handle}`
        assert.ok(asked.has(key), 'a request ends once')
        ended.push([side, event.why, event.message?.result?.echo, asked.get(key)])
        asked.delete(key)
      } else assert.ok(['state', 'violation'].includes(event.type) || (event.type === 'ignored' && event.why !== 'fault'), JSON.stringify(event))
    }
  }
  put('server', client.connect(now))
  for (let turn = 0; turn < 20_000; turn++) {
    now += random(3)
    const to = random(2) === 0 ? 'client' : 'server'
    const chunk = pipes[to].shift()
    if (chunk !== undefined) {
      const session = to === 'client' ? client : server
      const { events, send } = session.receive(chunk, now)
      put(to === 'client' ? 'server' : 'client', send)
      note(to, events)
    }
    if (waiting.length > 0 && random(3) === 0) {
      const [side, handle, params] = waiting.splice(random(waiting.length), 1)[0]
      const session = side === 'client' ? client : server
      const answer = random(5) === 0 ? session.fail(handle, -32603, 'no') : session.respond(handle, { content: [], echo: params.arguments?.n ?? params.n })
      put(side === 'client' ? 'server' : 'client', answer)
    }
    if (client.state === 'ready' && made < count && random(4) === 0) {
      const { handle, send } = client.request('tools/call', { name: 't', arguments: { n: made } }, { progress: random(2) === 0 }, now)
      asked.set(`client${handle}`, made++)
      put('server', send)
    }
    if (made >= count && asked.size === 0 && waiting.length === 0) break
  }
  assert.equal(asked.size, 0, 'every request ends')
  assert.deepEqual(broken, [])
  assert.deepEqual(client.inFlight, { inbound: 0, outbound: 0 })
  assert.deepEqual(server.inFlight, { inbound: 0, outbound: 0 })
  return { ended, revision: client.revision }
}

test('client and server of every pair of eras, whatever the cuts (fast-check)', () => {
  const pairs = [[REVISIONS, REVISIONS, '2026-07-28'], [LEGACY, REVISIONS, '2025-11-25'], [REVISIONS, LEGACY, '2025-11-25'], [['2026-07-28'], REVISIONS, '2026-07-28'], [['2024-11-05'], REVISIONS, '2024-11-05'], [['2025-03-26'], ['2025-03-26'], '2025-03-26'], [['2025-06-18'], LEGACY, '2025-06-18']]
  fc.assert(
    fc.property(fc.nat(), fc.nat(pairs.length - 1), fc.integer({ min: 1, max: 20 }), (seed, pair, count) => {
      const [ours, theirs, expected] = pairs[pair]
      const { ended, revision } = converse(seed, ours, theirs, count)
      assert.equal(revision, expected)
      assert.equal(ended.length, count)
      for (const [, why, echo, made] of ended) {
        assert.ok(why === 'result' || why === 'error', why)
        if (why === 'result') assert.equal(echo, made)
      }
    }),
    { numRuns: 150 }
  )
})

test('whatever comes in, a session never throws, and answers only requests (fast-check)', () => {
  const line = fc.oneof(
    fc.jsonValue().map((it) => JSON.stringify(it)),
    fc.string({ unit: 'binary' }),
    fc.record({ jsonrpc: fc.constantFrom('2.0', '1.0'), id: fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null)), method: fc.oneof(fc.constantFrom('ping', 'initialize', 'tools/call', 'notifications/cancelled', 'server/discover'), fc.string()), params: fc.oneof(fc.jsonValue(), fc.constant({ requestId: 1 })) }, { requiredKeys: [] }).map((it) => JSON.stringify(it)),
    fc.record({ jsonrpc: fc.constant('2.0'), id: fc.integer(), result: fc.jsonValue(), error: fc.jsonValue() }, { requiredKeys: ['jsonrpc'] }).map((it) => JSON.stringify(it))
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (all, asClient) => {
      const session = asClient ? new ClientSession(who) : new ServerSession({ ...who, capabilities: { tools: {} } })
      if (asClient) session.connect(0)
      const { send } = session.receive(bytes(all.map((it) => `${it}\n`).join('')), 1)
      for (const answer of lines(send)) assert.equal(answer.jsonrpc, '2.0')
      session.expire(1e9)
      session.close(1e9)
      assert.equal(session.inFlight.outbound, 0)
    }),
    { numRuns: 500 }
  )
})
