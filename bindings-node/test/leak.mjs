// A million messages through everything that reads them: what is in use afterwards is what was before.
// node --expose-gc leak.mjs

import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { ClientSession, Decoder, DecoderStream, encodeRequest, encodeResult, messages, ServerSession, StreamDecoder } from 'wireline'

const who = { name: 'leak', version: '1' }
const COUNT = 50_000

/** Iterations that go on: what they hold on to counts. */
const open = []

const ways = {
  'Decoder, copied': () => decode(new Decoder()),
  'Decoder, borrowed': () => decode(new Decoder({ borrow: true })),
  'many decoders': () => {
    for (let at = 0; at < 5000; at++) {
      const decoder = new Decoder()
      decoder.push(CHUNK)
      decoder.push(CUT)
    }
  },
  StreamDecoder: () => decode(new StreamDecoder()),
  'many sessions': () => {
    for (let at = 0; at < 2000; at++) {
      const session = new ClientSession(who)
      session.connect(0)
      session.receive(CHUNK, 0)
    }
  },
  'a session, both ways': () => {
    const client = new ClientSession({ ...who, revisions: ['2025-11-25'] })
    const server = new ServerSession({ ...who, capabilities: { tools: {} }, revisions: ['2025-11-25'] })
    let now = 0
    server.receive(client.receive(server.receive(client.connect(now), now).send, now).send, now)
    for (let at = 0; at < COUNT; at++) {
      const { handle, send } = client.request('tools/call', { name: 'x', arguments: { at } }, {}, ++now)
      const { events } = server.receive(send, now)
      const back = client.receive(server.respond(events[0].handle, { content: [], at }), now)
      assert.equal(back.events[0].handle, handle)
    }
  },
  'DecoderStream': async () => {
    const source = new PassThrough()
    const stream = source.pipe(new DecoderStream())
    let count = 0
    stream.on('data', () => count++)
    for (let at = 0; at < 200; at++) if (!source.write(CHUNK)) await new Promise((resolve) => source.once('drain', resolve))
    source.end()
    await new Promise((resolve) => stream.on('end', resolve))
    assert.ok(count > 100_000)
  },
  'messages, and a signal that does not abort': async () => {
    const source = (function* () {
      for (;;) yield Buffer.concat([CHUNK])
    })()
    const iteration = messages(source, { signal: new AbortController().signal })
    open.push(iteration)
    for (let at = 0; at < COUNT; at++) await iteration.next()
  },
  'refused values': () => {
    for (let at = 0; at < COUNT; at++) {
      try {
        encodeResult(1, { n: NaN })
      } catch {
        // As it should be.
      }
    }
  },
}

const lines = []
for (let at = 0; at < 250; at++) lines.push(encodeRequest(at, 'tools/call', { name: 'x', arguments: { text: 'x'.repeat(50) } }), encodeResult(`id-${at}`, { content: [] }), Buffer.from('hello\n'))
const CHUNK = Buffer.concat(lines)
const CUT = CHUNK.subarray(0, 1000)

function decode(decoder) {
  for (let at = 0; at < 400_000 / lines.length; at++) {
    for (const item of decoder.push(at % 2 === 0 ? CHUNK : CUT)) if (item.kind === 'request') void item.method
  }
}

async function used() {
  for (let at = 0; at < 6; at++) {
    globalThis.gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  return { heap: heapUsed + external, arrayBuffers, rss }
}

assert.ok(globalThis.gc, 'run it with --expose-gc')
const MIB = 1 << 20
for (const [name, run] of Object.entries(ways)) {
  // What is let go of is freed between turns of the event loop.
  const rounds = async (count) => {
    for (let at = 0; at < count; at++) {
      await run()
      await used()
    }
  }
  await rounds(2)
  const before = await used()
  await rounds(3)
  const after = await used()
  const grown = { heap: after.heap - before.heap, arrayBuffers: after.arrayBuffers - before.arrayBuffers, rss: after.rss - before.rss }
  console.log(`${name}: heap ${(grown.heap / MIB).toFixed(2)} MiB, buffers ${(grown.arrayBuffers / MIB).toFixed(2)} MiB, resident ${(grown.rss / MIB).toFixed(1)} MiB`)
  assert.ok(grown.heap < 2 * MIB && grown.arrayBuffers < MIB, `${name} keeps memory`)
  assert.ok(grown.rss < 48 * MIB, `${name} keeps memory outside of the heap`)
}
