// Clients: children and how they end, calls, progress, signals, servers that do wrong.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { REVISIONS } from 'wireline'
import { Client, RemoteError } from 'wireline/client'
import { Server } from 'wireline/server'
import { pair, Wire } from './support/pair.mjs'

const who = { name: 'test', version: '1.0' }
const fixture = (name, ...more) => ({ command: process.execPath, args: [fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)), ...more] })

/** Standard error of a child, as text. */
function stderr() {
  const chunks = []
  return { sink: (chunk) => chunks.push(Buffer.from(chunk)), text: () => Buffer.concat(chunks).toString() }
}

test('a child: list, call, errors, the order of its end', async () => {
  const { sink, text } = stderr()
  const client = await Client.spawn({ ...fixture('server.mjs'), stderr: sink }, who)
  assert.equal(client.revision, '2026-07-28')
  assert.equal(client.has('tools.listChanged'), true)
  assert.deepEqual((await client.listTools()).map((it) => it.name), ['add', 'print', 'slow'])
  assert.equal((await client.callTool('add', { a: 1, b: 2 })).content[0].text, '3')
  assert.equal((await client.callTool('add', { a: 1 })).isError, true)
  await assert.rejects(client.callTool('nope'), (error) => error instanceof RemoteError && error.code === 'ERR_WIRELINE_REMOTE' && error.rpcCode === -32602)
  await assert.rejects(client.listPrompts(), { code: 'ERR_WIRELINE_RULE' })
  await client.close()
  assert.equal(client.process.exitCode, 0)
  assert.match(text(), /served\nexits by itself\n$/)
  assert.doesNotMatch(text(), /UNCAUGHT|UNHANDLED/)
  await assert.rejects(client.callTool('add'), { code: 'ERR_WIRELINE_CLOSED' })
  await client.close()
})

test('console.log in a tool cannot reach the protocol, and the warning names the caller', async () => {
  const { sink, text } = stderr()
  const faults = []
  const client = await Client.spawn({ ...fixture('server.mjs'), stderr: sink }, who)
  client.on('fault', (fault) => faults.push(fault))
  for (let at = 0; at < 3; at++) assert.equal((await client.callTool('print')).content[0].text, 'ok')
  await client.close()
  assert.deepEqual(faults, [])
  assert.equal(text().match(/printed with console\.log/g).length, 3)
  assert.equal(text().match(/written to process\.stdout/g).length, 3)
  const warnings = text().match(/WIRELINE_STDOUT.*fixtures[\\/]server\.mjs:\d+:\d+ writes/g)
  assert.equal(warnings.length, 2, text())
})

test('progress as an iteration and as a function; a signal cancels', async () => {
  const { sink, text } = stderr()
  const client = await Client.spawn({ ...fixture('server.mjs'), stderr: sink }, who)
  const control = new AbortController()
  const told = []
  const call = client.callTool('slow', {}, { signal: control.signal, onProgress: (it) => told.push(it.progress) })
  const seen = []
  for await (const { progress, total } of call.progress) {
    seen.push(progress)
    assert.equal(total, 100)
    if (progress === 3) control.abort(new Error('enough'))
  }
  assert.deepEqual(seen.slice(0, 3), [1, 2, 3])
  assert.deepEqual(told.slice(0, 3), [1, 2, 3])
  await assert.rejects(call, /enough/)
  await assert.rejects(client.callTool('slow', {}, { onProgress() { throw new Error('mine') } }), /mine/)
  const other = client.callTool('slow')
  setTimeout(() => other.cancel('no'), 30)
  await assert.rejects(other, { code: 'ERR_WIRELINE_CANCELLED' })
  await assert.rejects(client.callTool('slow', {}, { timeout: 1, hardTimeout: 50 }), { code: 'ERR_WIRELINE_TIMED_OUT' })
  await assert.rejects(client.callTool('slow', {}, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  await assert.rejects(client.callTool('slow', {}, { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' })
  const waiting = client.callTool('slow')
  await sleep(20)
  await Promise.all([assert.rejects(waiting, { code: 'ERR_WIRELINE_CLOSED' }).catch(async (error) => { if ((await waiting).content === undefined) throw error }), client.close()])
  assert.match(text(), /aborted: ERR_WIRELINE_CANCELLED/)
  assert.doesNotMatch(text(), /UNCAUGHT|UNHANDLED/)
})

test('a child that does not end: SIGTERM, then SIGKILL', async () => {
  const soft = stderr()
  const first = await Client.spawn({ ...fixture('stubborn.mjs'), stderr: soft.sink, grace: 150 }, who)
  const start = performance.now()
  await first.close()
  assert.equal(first.process.signalCode, 'SIGTERM')
  assert.match(soft.text(), /input ended/)
  assert.ok(performance.now() - start >= 140)
  const hard = stderr()
  const second = await Client.spawn({ ...fixture('stubborn.mjs', '--hard'), stderr: hard.sink, grace: 150 }, who)
  await second.close()
  assert.equal(second.process.signalCode, 'SIGKILL')
  assert.match(hard.text(), /input ended\nSIGTERM/)
})

test('a host that vanishes: a server in a tool, or about to write, ends quietly', async () => {
  for (const kill of [['stdin', 'stdout'], ['stdout', 'stdin'], ['stdout']]) {
    const { command, args } = fixture('server.mjs')
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const { sink, text } = stderr()
    child.stderr.on('data', sink)
    const said = once(child.stdout, 'data')
    child.stdin.on('error', () => {})
    child.stdin.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    await said
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":1}}}\n')
    await once(child.stdout, 'data')
    const exited = once(child, 'exit')
    for (const stream of kill) child[stream].destroy()
    const [status, signal] = await exited
    assert.deepEqual([status, signal], [0, null], text())
    assert.match(text(), /aborted: ERR_WIRELINE_CLOSED\nserved\nexits by itself\n$/)
    assert.doesNotMatch(text(), /UNCAUGHT|UNHANDLED/)
  }
})

test('a process that a server leaves behind keeps nobody waiting', { timeout: 30_000 }, async (t) => {
  // In a process of its own, which ends by itself, though that one still holds the server's output.
  const { command, args } = fixture('host.mjs')
  const host = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  host.stdout.on('data', (chunk) => (said += chunk))
  const left = () => Number(/^left behind: (\d+)$/m.exec(said)?.[1])
  t.after(() => {
    host.kill('SIGKILL')
    if (left() > 0) process.kill(left(), 'SIGKILL')
  })
  const [status] = await once(host, 'exit')
  assert.equal(status, 0)
  // It is there.
  process.kill(left(), 0)
  assert.match(said, /^closed, and told: last words\n$/m)
})

test('a process that a server leaves behind, and that writes all the time', { timeout: 30_000, skip: process.platform === 'win32' }, async () => {
  const client = await Client.spawn({ command: 'sh', args: ['-c', 'yes "$(printf %1000d 0)" & exec "$0" "$1"', process.execPath, ...fixture('server.mjs').args], stderr: 'ignore' }, who)
  await client.close()
  assert.equal(client.process.exitCode, 0)
  assert.equal(client.process.stdout.destroyed, true)
})

test('no more files to be had for a server', { timeout: 30_000, skip: process.platform === 'win32' }, async () => {
  const child = spawn('sh', ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, fileURLToPath(new URL('fixtures/nofiles.mjs', import.meta.url))], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  const [status] = await once(child, 'close')
  assert.deepEqual([status, said], [0, 'ERR_WIRELINE_SPAWN ERR_WIRELINE_SPAWN\n'])
})

test('a server whose probe is aborted is started once', { timeout: 30_000 }, async () => {
  const control = new AbortController()
  let said = ''
  const stderr = (chunk) => {
    said += Buffer.from(chunk)
    control.abort(new Error('enough'))
  }
  const args = ['-e', 'process.stderr.write("started "); process.stdin.resume()']
  await assert.rejects(Client.spawn({ command: process.execPath, args, stderr, grace: 20_000 }, { ...who, signal: control.signal }), /enough/)
  assert.equal(said, 'started ')
})

test('a command of wrong types', { timeout: 30_000 }, async () => {
  for (const bad of [{ command: 5 }, { command: '' }, { args: 'x' }, { args: ['x', 5] }, { env: 5 }, { env: { A: 5 } }, { cwd: 5 }, { stderr: 'x' }, { grace: 'x' }]) {
    await assert.rejects(Client.spawn({ command: process.execPath, args: ['-e', '0'], ...bad }, who), { code: 'ERR_INVALID_ARG_TYPE' }, JSON.stringify(bad))
  }
  await assert.rejects(Client.spawn({ command: process.execPath, args: ['-e', '0'], env: { ...process.env, NOT_THERE: undefined } }, who), { code: 'ERR_WIRELINE_CONNECT' })
})

test('a server that ends when it is probed is started again', async () => {
  const client = await Client.spawn(fixture('old.mjs'), who)
  assert.equal(client.revision, '2024-11-05')
  assert.equal((await client.listTools()).length, 1)
  await client.close()
})

test('what cannot be started, and what is no server', async () => {
  await assert.rejects(Client.spawn({ command: '/no/such/program' }, who), { name: 'WirelineError', code: 'ERR_WIRELINE_SPAWN' })
  await assert.rejects(Client.spawn({ command: process.execPath, args: ['-e', '0'] }, who), { code: 'ERR_WIRELINE_CONNECT' })
  await assert.rejects(Client.spawn({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], grace: 10 }, { ...who, probeTimeout: 50, requestTimeout: 50 }), { code: 'ERR_WIRELINE_CONNECT' })
  await assert.rejects(Client.spawn({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], grace: 10 }, { ...who, signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
  await assert.rejects(Client.spawn({ command: 5 }, who), { code: 'ERR_INVALID_ARG_TYPE' })
  await assert.rejects(Client.spawn({ command: 'x' }, {}), { code: 'ERR_INVALID_ARG_TYPE' }).catch(() => {})
  await assert.rejects(Client.connect(5, who), { code: 'ERR_INVALID_ARG_TYPE' })
})

test('every revision, over a socket, against our own server', async () => {
  const server = new Server({ ...who })
  server.tool('echo', ({ text }) => text)
  const listener = createServer((socket) => void server.serve(socket)).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  for (const revision of REVISIONS) {
    const socket = connect(listener.address().port, '127.0.0.1')
    await once(socket, 'connect')
    const client = await Client.connect(socket, { ...who, revisions: [revision] })
    assert.equal(client.revision, revision)
    assert.equal((await client.callTool('echo', { text: 'x' })).content[0].text, 'x')
    await client.close()
  }
  listener.close()
})

test('requests of the server, and demands for input, go to the handlers', async () => {
  const server = new Server(who)
  server.tool('ask', async (_args, { ask }) => (await ask('elicitation/create', { mode: 'form', message: '?', requestedSchema: { type: 'object', properties: {} } })).content.name)
  server.tool('roots', async (_args, { ask }) => (await ask('roots/list')).roots[0].uri)
  const handlers = { 'elicitation/create': async ({ message }) => ({ action: 'accept', content: { name: message } }), 'roots/list': () => ({ roots: [{ uri: 'file:///x' }] }) }
  for (const revisions of [['2025-11-25'], ['2026-07-28']]) {
    const ends = pair()
    void server.serve(ends.server)
    const client = await Client.connect(ends.client, { ...who, revisions, handlers })
    assert.equal((await client.callTool('ask')).content[0].text, '?')
    assert.equal((await client.callTool('roots')).content[0].text, 'file:///x')
    await client.close()
  }
})

test('large calls side by side do not wait for one another', async () => {
  const client = await Client.spawn(fixture('big.mjs'), { ...who, timeout: 10_000 })
  const text = 'x'.repeat(60_000)
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.callTool('echo', { text })))
  assert.ok(answers.every((it) => it.content[0].text === text))
  await client.close()
})

test('what a handler throws is answered, whatever it is', async () => {
  const server = new Server(who)
  server.tool('ask', async (_args, { ask }) => {
    try {
      await ask('roots/list')
    } catch (error) {
      return `${error.rpcCode}`
    }
    return 'answered'
  })
  for (const thrown of [Object.create(null), new RemoteError(0.5, 'half'), { message: 5 }, undefined]) {
    const handlers = {
      'roots/list': () => {
        throw thrown
      },
    }
    const ends = pair()
    void server.serve(ends.server)
    const client = await Client.connect(ends.client, { ...who, revisions: ['2025-11-25'], handlers })
    assert.equal((await client.callTool('ask')).content[0].text, '-32603')
    await client.close()
  }
  // Reasons of signals are as free.
  const ends = pair()
  const hanging = new Server(who)
  hanging.tool('hang', () => new Promise(() => {}))
  void hanging.serve(ends.server)
  const client = await Client.connect(ends.client, who)
  const control = new AbortController()
  const reason = Object.create(null)
  const call = client.callTool('hang', {}, { signal: control.signal })
  control.abort(reason)
  await assert.rejects(call, (error) => error === reason)
  await client.close()
})

test('a listener that throws takes no answer with it', async () => {
  // In a process of its own: what a listener throws is an uncaught exception.
  const { command, args } = fixture('listener.mjs')
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  const [status] = await once(child, 'close')
  assert.deepEqual([status, said], [0, 'thrown: a listener of the user\nanswered: 0\n'])
})

test('what cannot be spawned leaves nothing behind, and says why', async () => {
  const reason = new Error('not now')
  await assert.rejects(Client.spawn(fixture('server.mjs'), { ...who, signal: AbortSignal.abort(reason) }), (error) => error === reason)
  await assert.rejects(Client.spawn(fixture('server.mjs'), { name: 5, version: '1.0' }), { code: 'ERR_INVALID_ARG_TYPE' })
})

test('a server that does wrong: told as events, and each call ends once', async () => {
  const ends = pair()
  const wire = new Wire(ends.server)
  const opening = Client.connect(ends.client, { ...who, revisions: ['2025-11-25'], maxMessage: 1000 })
  const { id } = await wire.next()
  wire.send({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: who } })
  const client = await opening
  await wire.next()
  const events = { violation: [], fault: [], log: [] }
  client.on('violation', (rules) => events.violation.push(...rules))
  client.on('fault', (fault) => events.fault.push(fault.fault))
  client.on('log', (entry) => events.log.push(entry.data))
  wire.send('Server listening', { jsonrpc: '2.0', id: 999, result: {} }, { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } })
  const next = async (method) => {
    const call = client.request(method)
    const { id } = await wire.next()
    return { call, id }
  }
  const bad = await next('tools/list')
  wire.send({ jsonrpc: '2.0', id: bad.id, result: {}, error: { code: 1, message: 'x' } })
  await assert.rejects(bad.call, { code: 'ERR_WIRELINE_BAD_RESPONSE' })
  const long = await next('tools/list')
  wire.send({ result: { tools: 'x'.repeat(2000) }, jsonrpc: '2.0', id: long.id })
  await assert.rejects(long.call, { code: 'ERR_WIRELINE_TOO_LONG' })
  const circle = client.listTools()
  for (let at = 0; at < 2; at++) wire.send({ jsonrpc: '2.0', id: (await wire.next()).id, result: { tools: [], nextCursor: 'x' } })
  await assert.rejects(circle, /go round in a circle/)
  wire.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} })
  assert.equal((await wire.next()).error.code, -32601)
  assert.deepEqual(events.fault, ['not-json', 'conflict', 'too-long'])
  assert.ok(events.violation.includes('R18') && events.violation.includes('R21'))
  assert.deepEqual(events.log, ['hi'])
  const lost = client.callTool('x')
  const closed = once(client, 'close')
  ends.server.output.end()
  await assert.rejects(lost, { code: 'ERR_WIRELINE_CLOSED' })
  await closed
})

/** A client of a server that is written line by line. */
async function byHand(options = {}) {
  const ends = pair()
  const wire = new Wire(ends.server)
  const opening = Client.connect(ends.client, { ...who, revisions: ['2025-11-25'], ...options })
  const { id } = await wire.next()
  wire.send({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: who } })
  const client = await opening
  await wire.next()
  return { client, wire, ends }
}

const answer = (id, text = 'y') => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })

test('an output that breaks: what the server has sent is still read', { timeout: 30_000 }, async () => {
  const { client, wire, ends } = await byHand()
  const closed = once(client, 'close')
  const call = client.callTool('x')
  const { id } = await wire.next()
  ends.client.output.destroy(Object.assign(new Error('broken'), { code: 'EPIPE' }))
  await new Promise((resolve) => ends.client.output.once('close', resolve))
  wire.send(answer(id))
  assert.equal((await call).content[0].text, 'y')
  await assert.rejects(client.callTool('x'), { code: 'ERR_WIRELINE_CLOSED' })
  ends.server.output.end()
  const [cause] = await closed
  assert.equal(cause.code, 'EPIPE')
})

test('an output that breaks under a server that says no more: calls end after the grace time', { timeout: 30_000 }, async () => {
  const ends = pair()
  void new Server({ ...who }).tool('hang', () => new Promise(() => {})).serve(ends.server)
  const client = await Client.connect(ends.client, { ...who, grace: 20 })
  const call = client.callTool('hang')
  ends.client.output.destroy(new Error('broken'))
  await assert.rejects(call, { code: 'ERR_WIRELINE_CLOSED' })
})

test('close does not wait for a peer that reads no more', { timeout: 30_000 }, async () => {
  const ends = pair()
  void new Server({ ...who }).tool('x', () => 'y').serve(ends.server)
  const client = await Client.connect(ends.client, { ...who, grace: 20 })
  ends.server.input.removeAllListeners('data')
  ends.server.input.pause()
  const call = client.callTool('x', { text: 'x'.repeat(1 << 20) })
  const failed = assert.rejects(call, { code: 'ERR_WIRELINE_CLOSED' })
  await client.close()
  await failed
  assert.equal(ends.client.output.destroyed, true)
  await assert.rejects(Client.connect(pair().client, { ...who, grace: 0.5 }), { code: 'ERR_OUT_OF_RANGE' })
})

test('more calls at once than may be under way wait for their turn', { timeout: 60_000 }, async () => {
  const server = new Server(who)
  let most = 0
  let now = 0
  server.tool('x', async ({ n }) => {
    most = Math.max(most, ++now)
    await sleep(1)
    now--
    return n
  })
  const ends = pair()
  void server.serve(ends.server)
  const client = await Client.connect(ends.client, { ...who, maxOutbound: 8 })
  const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => client.callTool('x', { n })))
  assert.deepEqual(answers.map((it) => it.content[0].text), Array.from({ length: 300 }, (_, n) => String(n)))
  assert.equal(most, 8)
  await client.close()
})

test('a call that waits for its turn can be cancelled, be wrong, and be closed', { timeout: 30_000 }, async () => {
  const { client, wire } = await byHand({ maxOutbound: 1 })
  const first = client.callTool('first')
  const [a, b] = [new AbortController(), client.callTool('b')]
  const aborted = client.callTool('a', {}, { signal: a.signal })
  const wrong = client.request('x', [1])
  const second = client.callTool('second')
  const ping = client.ping()
  const last = client.callTool('last')
  a.abort(new Error('enough'))
  b.cancel('no')
  await assert.rejects(aborted, /enough/)
  await assert.rejects(b, { code: 'ERR_WIRELINE_CANCELLED' })
  const { id, params } = await wire.next()
  assert.equal(params.name, 'first')
  wire.send(answer(id))
  await first
  await assert.rejects(wrong, { code: 'ERR_WIRELINE_BAD_PAYLOAD' })
  const next = await wire.next()
  assert.equal(next.params.name, 'second')
  wire.send(answer(next.id))
  await second
  assert.equal((await wire.next()).method, 'ping')
  const rest = [assert.rejects(ping, { code: 'ERR_WIRELINE_CLOSED' }), assert.rejects(last, { code: 'ERR_WIRELINE_CLOSED' })]
  await client.close()
  await Promise.all(rest)
  assert.deepEqual(wire.lines, [])
})

test('a line without an end: the client closes, and says why', { timeout: 30_000 }, async () => {
  const { client, wire, ends } = await byHand({ maxDiscard: 2000, maxMessage: 1000 })
  const closed = once(client, 'close')
  const call = client.callTool('x')
  await wire.next()
  ends.server.output.write('x'.repeat(5000))
  await assert.rejects(call, (error) => error.code === 'ERR_WIRELINE_CLOSED' && error.cause.code === 'ERR_WIRELINE_RUNAWAY')
  assert.equal((await closed)[0].code, 'ERR_WIRELINE_RUNAWAY')
  assert.equal(ends.client.input.destroyed, true)
})

test('one signal for many calls: no warning, and nothing is left on it', { timeout: 30_000 }, async () => {
  const warnings = []
  const note = (warning) => warnings.push(warning.name)
  process.on('warning', note)
  const server = new Server(who)
  server.tool('hang', () => new Promise(() => {}))
  server.tool('asks', async (_args, { ask }) => {
    await Promise.all(Array.from({ length: 20 }, () => ask('roots/list')))
    return 'asked'
  })
  const ends = pair()
  void server.serve(ends.server)
  const client = await Client.connect(ends.client, { ...who, revisions: ['2025-11-25'], handlers: { 'roots/list': () => ({ roots: [] }) } })
  const control = new AbortController()
  const { signal } = control
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args) => (listeners++, addEventListener.apply(signal, args))
  signal.removeEventListener = (...args) => (listeners--, removeEventListener.apply(signal, args))
  assert.equal((await client.callTool('asks', {}, { signal })).content[0].text, 'asked')
  assert.equal(listeners, 0)
  const calls = Array.from({ length: 30 }, () => client.callTool('hang', {}, { signal }))
  assert.equal(listeners, 1)
  control.abort(new Error('enough'))
  await Promise.all(calls.map((call) => assert.rejects(call, /enough/)))
  await client.close()
  await sleep(5)
  process.off('warning', note)
  assert.deepEqual(warnings, [])
})

test('calls with bad values reject, and send nothing', async () => {
  const server = new Server(who)
  server.tool('x', () => 'y')
  const ends = pair()
  void server.serve(ends.server)
  const client = await Client.connect(ends.client, who)
  const cycle = {}
  cycle.self = cycle
  for (const args of [{ a: 1n }, { a: NaN }, cycle, { a: '\udfff' }]) await assert.rejects(client.callTool('x', args), { code: 'ERR_WIRELINE_NOT_JSON' })
  await assert.rejects(client.request(5), { code: 'ERR_INVALID_ARG_TYPE' })
  await assert.rejects(client.request('x', {}, { signal: 5 }), { code: 'ERR_INVALID_ARG_TYPE' })
  await assert.rejects(client.request('x', {}, { onProgress: 5 }), { code: 'ERR_INVALID_ARG_TYPE' })
  await assert.rejects(client.request('x', [1]), { code: 'ERR_WIRELINE_BAD_PAYLOAD' })
  assert.equal((await client.callTool('x')).content[0].text, 'y')
})
