// WebAssembly whose memory is used up: in a process of its own, since it stays so.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { instances } from './support/strict-wasm.mjs'

const { Decoder, encodeResult, ServerSession, WirelineError } = createRequire(import.meta.url)('wireline')
const LINE = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')

test('a module that has no memory left says so, and goes on', () => {
  encodeResult(1, Buffer.from('{}'))
  const { memory } = instances[0]
  const most = 65536 - (12 << 4)
  // What nobody has touched takes no memory of the machine's.
  memory.grow(most - memory.buffer.byteLength / 65536)
  const payload = Buffer.from(`{"a":"${'x'.repeat(9 << 20)}"}`)
  const lost = (error) => error instanceof WirelineError && error.code === 'ERR_WIRELINE_OUT_OF_MEMORY'
  assert.throws(() => encodeResult(1, payload), lost)
  assert.throws(() => new ServerSession({ name: 'x', version: '1', maxBatch: 1 << 30 }), lost)
  assert.throws(() => new ServerSession({ name: 'x', version: '1', maxInbound: 65_535, maxOutbound: 65_535 }), lost)
  assert.equal(encodeResult(1, Buffer.from('{}')).length > 0, true)
  assert.equal(new Decoder().push(LINE).length, 1)
})
