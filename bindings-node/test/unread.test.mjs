// A peer that does not read: what waits for it has a ceiling on either side.

import assert from 'node:assert/strict'
import { Duplex, PassThrough } from 'node:stream'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { Server } from 'wireline/server'
import { Wire } from './support/pair.mjs'
import { answer, opened, turns, uncaught, who } from './support/opened.mjs'

const limits = { timeout: 30_000 }
const alive = setInterval(() => {}, 1000)
after(() => clearInterval(alive))

/** Streams whose way to the server can be shut: what is written then waits. */
function valve() {
  const down = new PassThrough()
  const up = new PassThrough()
  let shut = false
  let waiting
  const output = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      const pass = () => (up.write(chunk), done())
      if (shut) waiting = pass
      else pass()
    },
  })
  return {
    client: { input: down, output },
    server: { input: up, output: down },
    shut() {
      shut = true
    },
    open() {
      shut = false
      waiting?.()
      waiting = undefined
    },
  }
}

test('a server that asks and does not read is given up', limits, async () => {
  for (const method of ['ping', 'roots/list', 'no/such']) {
    const found = await uncaught(async () => {
      const ends = valve()
      const { client, wire } = await opened({ maxUnsent: 2000, handlers: { 'roots/list': () => ({ roots: [] }) } }, ends)
      const closed = once(client, 'close')
      ends.shut()
      const call = client.callTool('x')
      for (let id = 0; id < 200 && !ends.client.output.destroyed; id++) {
        wire.send({ jsonrpc: '2.0', id, method })
        await turns(1)
        assert.ok(ends.client.output.writableLength < 3000, `${ends.client.output.writableLength}`)
      }
      assert.equal((await closed)[0].code, 'ERR_WIRELINE_UNREAD')
      await assert.rejects(call, (error) => error.code === 'ERR_WIRELINE_CLOSED' && error.cause.code === 'ERR_WIRELINE_UNREAD')
      assert.equal(ends.client.output.destroyed && ends.client.input.destroyed, true)
      await client.close()
    })
    assert.deepEqual(found, [])
  }
})

test('what this side sends is no reason to give a server up', limits, async () => {
  const ends = valve()
  const { client, wire } = await opened({ maxUnsent: 2000, capabilities: { roots: { listChanged: true } } }, ends)
  ends.shut()
  const calls = Array.from({ length: 20 }, (_, n) => client.callTool('x', { n, text: 'x'.repeat(500) }))
  assert.throws(() => client.notify('notifications/roots/list_changed'), { code: 'ERR_WIRELINE_UNREAD' })
  wire.send({ jsonrpc: '2.0', id: 'p', method: 'ping' })
  await turns()
  assert.ok(ends.client.output.writableLength < 4000)
  ends.open()
  for (let at = 0; at <= calls.length; at++) {
    const { id, method, params } = await wire.next()
    if (method === 'tools/call') wire.send(answer(id, String(params.arguments.n)))
    else assert.equal(id, 'p')
  }
  assert.deepEqual((await Promise.all(calls)).map((it) => it.content[0].text), calls.map((_, n) => String(n)))
  client.notify('notifications/roots/list_changed')
  assert.equal((await wire.next()).method, 'notifications/roots/list_changed')
  await client.close()
})

test('calls that wait for a server to read end all the same', limits, async () => {
  const ends = valve()
  const { client } = await opened({ maxUnsent: 1000, grace: 20 }, ends)
  ends.shut()
  const calls = Array.from({ length: 4 }, () => client.callTool('x', { text: 'x'.repeat(1000) }, { timeout: 5 }))
  for (const call of calls) await assert.rejects(call, { code: 'ERR_WIRELINE_TIMED_OUT' })
  const last = [client.callTool('x', { text: 'x'.repeat(1000) }), client.callTool('x')]
  const failed = last.map((call) => assert.rejects(call, { code: 'ERR_WIRELINE_CLOSED' }))
  await client.close()
  await Promise.all(failed)
})

test('progress, log messages and changes for a client that does not read', limits, async () => {
  const ends = valve()
  const server = new Server({ ...who, maxUnsent: 5000 })
  const told = { progress: [], log: [] }
  server.tool('steps', (_args, { progress, log }) => {
    for (let at = 1; at <= 1000; at++) {
      told.progress.push(progress(at))
      told.log.push(log('info', at))
    }
    return 'ok'
  })
  server.resource('a://b', () => '')
  server.resource('a://c', () => '')
  void server.serve(ends.client)
  const wire = new Wire(ends.server)
  await wire.open()
  for (const uri of ['a://b', 'a://c']) assert.deepEqual((await wire.ask(1, 'resources/subscribe', { uri })).result, {})
  ends.shut()
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'steps', _meta: { progressToken: 1 } } })
  await turns()
  for (let at = 0; at < 1000; at++) {
    server.resourceUpdated('a://b')
    server.resourceUpdated('a://d')
    server.tool('new', () => {})
  }
  await turns()
  assert.ok(ends.client.output.writableLength < 6000, `${ends.client.output.writableLength}`)
  assert.equal(told.progress[0], true)
  assert.equal(told.progress.at(-1), false)
  assert.equal(told.log.at(-1), false)
  ends.open()
  const lines = []
  do lines.push(await wire.next())
  while (!lines.some(({ id }) => id === 1) || lines.at(-1).method !== 'notifications/resources/updated')
  const count = (method) => lines.filter((it) => it.method === method).length
  assert.equal(count('notifications/progress'), told.progress.filter(Boolean).length)
  assert.equal(count('notifications/message'), told.log.filter(Boolean).length)
  await turns()
  lines.push(...wire.lines)
  assert.equal(count('notifications/resources/updated'), 1)
  assert.equal(count('notifications/tools/list_changed'), 1)
})

test('progress that nobody takes is kept up to a ceiling, the newest of it', limits, async () => {
  const { client, wire } = await opened()
  const call = client.callTool('x')
  const { id, params } = await wire.next()
  const iteration = call.progress
  for (let at = 1; at <= 1000; at++) wire.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: at } })
  wire.send(answer(id))
  await call
  const seen = []
  for await (const { progress } of iteration) seen.push(progress)
  assert.deepEqual(seen, Array.from({ length: 256 }, (_, at) => 745 + at))
  await client.close()
})
