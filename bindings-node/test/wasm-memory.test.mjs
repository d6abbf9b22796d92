// WebAssembly whose memory is used up: in a process of its own, since it stays so.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { pair } from './support/pair.mjs'
import { instances, trapping } from './support/strict-wasm.mjs'

const require = createRequire(import.meta.url)
const { Decoder, encodeRequest, encodeResult, examine, forward, parse, ServerSession, StreamDecoder, WirelineError } = require('wireline')
const { Client } = require('wireline/client')
const { Server } = require('wireline/server')
const lost = (error) => error instanceof WirelineError && error.code === 'ERR_WIRELINE_OUT_OF_MEMORY'

/** Leaves so many MiB of the memory, which ends at 4 GiB. What nobody has touched takes none of the machine's. */
function leave(mebibytes) {
  const { memory } = instances.at(-1)
  memory.grow(65536 - 16 * mebibytes - memory.buffer.byteLength / 65536)
}

const LINE = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')

test('a module that has no memory left says so, and goes on', () => {
  encodeResult(1, Buffer.from('{}'))
  leave(12)
  const payload = Buffer.from(`{"a":"${'x'.repeat(9 << 20)}"}`)
  assert.throws(() => encodeResult(1, payload), lost)
  assert.throws(() => new ServerSession({ name: 'x', version: '1', maxBatch: 1 << 30 }), lost)
  assert.throws(() => new ServerSession({ name: 'x', version: '1', maxInbound: 65_535, maxOutbound: 65_535 }), lost)
  assert.equal(encodeResult(1, Buffer.from('{}')).length > 0, true)
  assert.equal(new Decoder().push(LINE).length, 1)
})

test('a line that there is no memory for twice: the call says so, and the decoder takes nothing more before it is made as new', () => {
  const text = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(6 << 20)}"}}\n`)
  // In pieces: so it is put together in the module's memory, and then handed out of it.
  const pieces = Array.from({ length: Math.ceil(text.length / 1e6) }, (_, at) => text.subarray(at * 1e6, (at + 1) * 1e6))
  const makes = {
    Decoder: () => {
      const decoder = new Decoder({ borrow: true })
      return { take: (bytes) => decoder.push(bytes).length, end: () => decoder.end(), reset: () => decoder.reset() }
    },
    Session: () => {
      const session = new ServerSession({ name: 'x', version: '1', borrow: true })
      return { take: (bytes) => session.receive(bytes, 0).events.length, end: () => session.close(0) }
    },
  }
  for (const [name, make] of Object.entries(makes)) {
    const { take, end, reset } = make()
    assert.throws(() => pieces.forEach(take), lost, name)
    // What has been lost of the stream could make another message of what follows.
    assert.throws(() => take(LINE), lost, name)
    if (reset === undefined) continue
    assert.throws(end, lost, name)
    reset()
    assert.equal(take(LINE), 1, name)
    assert.deepEqual(end(), [])
  }
  assert.equal(instances.length, 1)
  assert.equal(parse(LINE).id, 1)
})

test('an instance that gives up is lost with all that it had, and says so; what is made anew is made in another', () => {
  const [decoder, stream, session] = [new Decoder(), new StreamDecoder(), new ServerSession({ name: 'x', version: '1' })]
  assert.equal(parse(LINE).id, 1)
  const gone = { name: 'WirelineError', code: 'ERR_WIRELINE_WASM_LOST' }
  trapping.add('Session.fail')
  assert.throws(() => session.fail(1, -32000, 'x'), gone)
  trapping.clear()
  assert.equal(instances.length, 1)
  for (const call of [() => decoder.push(LINE), () => decoder.end(), () => decoder.reset(), () => decoder.pending, () => stream.push(LINE), () => stream.end(), () => session.receive(LINE, 0), () => session.close(0), () => session.state, () => session.notify('x'), () => session.fail(1, -32000, 'x')]) {
    assert.throws(call, gone, String(call))
  }
  assert.equal(parse(LINE).id, 1)
  assert.equal(instances.length, 2)
  assert.equal(examine(Buffer.from('x')).fault, 'not-json')
  assert.equal(new Decoder().push(LINE)[0].meta.progressToken, undefined)
  assert.equal(new ServerSession({ name: 'x', version: '1' }).receive(LINE, 0).send.length > 0, true)
  assert.equal(forward(LINE, { id: 2 }).length, LINE.length)
  assert.equal(encodeRequest(1, 'ping', Buffer.from('{}')).length > 0, true)
  assert.equal(instances.length, 2)
})

test('connections over an instance that gives up end, and nothing else', { timeout: 30_000 }, async () => {
  const loose = []
  const note = (error) => loose.push(error)
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  for (const name of ['Session.respond', 'Session.receive']) {
    const errors = []
    const server = new Server({ name: 'x', version: '1', onError: (error) => errors.push(error.code) })
    server.tool('x', () => {
      trapping.add(name)
      return 'x'
    })
    const ends = pair()
    const over = server.serve(ends.server)
    const client = await Client.connect(ends.client, { name: 'c', version: '1' })
    await assert.rejects(client.callTool('x'), { code: 'ERR_WIRELINE_CLOSED' })
    trapping.clear()
    await client.close()
    await over
    if (name === 'Session.respond') assert.ok(errors.includes('ERR_WIRELINE_WASM_LOST'), errors.join())
  }
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
  assert.deepEqual(loose, [])
})
