// Decoders as streams: order, back-pressure both ways, the end, errors, signals.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { DecoderStream, DecoderTransform, encodeRequest, messages } from 'wireline'

const bytes = (text) => Buffer.from(text)
const pings = (from, to) => Buffer.concat(Array.from({ length: to - from }, (_, at) => encodeRequest(from + at, 'ping')))
const ids = (items) => items.map((it) => it.id ?? it.fault)

test('DecoderStream: items in order, faults among them, and a cut line at the end', async () => {
  const stream = Readable.from([pings(0, 3), bytes('hello\n{"jsonrpc"'), bytes(':"2.0","method":"x"}\n{"a')]).pipe(new DecoderStream())
  const items = await stream.toArray()
  assert.deepEqual(items.map((it) => it.fault ?? it.id ?? it.method), [0, 1, 2, 'not-json', 'x', 'truncated'])
})

test('DecoderStream: a reader that takes nothing stops the writer', async () => {
  const stream = new DecoderStream({ readableHighWaterMark: 4, writableHighWaterMark: 64 })
  let taken = 0
  const chunk = pings(0, 100)
  for (let at = 0; at < 50 && stream.write(chunk); at++) taken++
  await turn()
  assert.ok(taken <= 1, `${taken} chunks`)
  // One chunk is in work, and no more of its items than the reader's mark are buffered.
  assert.ok(stream.readableLength <= 5, `${stream.readableLength} items`)
  const got = []
  stream.end()
  for await (const item of stream) got.push(item.id)
  assert.equal(got.length, 100 * (taken + 1))
  assert.deepEqual(got.slice(0, 100), Array.from({ length: 100 }, (_, at) => at))
})

test('DecoderStream: onFault, destroy, errors of the source and of what is written', async () => {
  const faults = []
  const stream = Readable.from([bytes('x\n'), pings(0, 1)]).pipe(new DecoderStream({ onFault: (it) => faults.push(it.fault) }))
  assert.deepEqual(ids(await stream.toArray()), [0])
  assert.deepEqual(faults, ['not-json'])
  await assert.rejects(pipeline(Readable.from([bytes('x\n')]), new DecoderStream({ onFault() { throw new Error('mine') } }), async (source) => { for await (const _ of source); }), /mine/)
  await assert.rejects(pipeline(async function* () { yield pings(0, 1); throw new Error('broken pipe') }, new DecoderStream(), async (source) => { for await (const _ of source); }), /broken pipe/)
  const closed = new DecoderStream()
  closed.destroy()
  await once(closed, 'close')
  const text = new DecoderStream()
  const error = once(text, 'error')
  text.write(new Uint8Array(new SharedArrayBuffer(4)))
  assert.equal((await error)[0].code, 'ERR_WIRELINE_SHARED_MEMORY')
  assert.throws(() => new DecoderStream({ onFault: 5 }), { code: 'ERR_INVALID_ARG_TYPE' })
})

test('DecoderTransform: pipeThrough, and a reader that takes nothing stops the writer', async () => {
  const source = new Response(pings(0, 5)).body
  const items = []
  for await (const item of source.pipeThrough(new DecoderTransform())) items.push(item)
  assert.deepEqual(ids(items), [0, 1, 2, 3, 4])
  let pulled = 0
  const endless = new ReadableStream({ pull(controller) { controller.enqueue(pings(pulled * 10, ++pulled * 10)) } }, { highWaterMark: 0 })
  const reader = endless.pipeThrough(new DecoderTransform()).getReader()
  for (let id = 0; id < 15; id++) assert.equal((await reader.read()).value.id, id)
  for (let at = 0; at < 50; at++) await turn()
  assert.ok(pulled <= 4, `${pulled} chunks`)
  await reader.cancel('enough')
})

test('DecoderTransform: the end and errors', async () => {
  const { writable, readable } = new DecoderTransform()
  const writer = writable.getWriter()
  void writer.write(bytes('{"a'))
  void writer.close()
  const items = []
  for await (const item of readable) items.push(item)
  assert.deepEqual(ids(items), ['truncated'])
  const broken = new DecoderTransform()
  const failing = broken.writable.getWriter()
  const read = broken.readable.getReader().read()
  failing.write('text').catch(() => {})
  await assert.rejects(read, { code: 'ERR_INVALID_ARG_TYPE' })
  const aborted = new DecoderTransform()
  const waiting = aborted.readable.getReader().read()
  await aborted.writable.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
})

test('messages: any source, closed when the loop ends', async () => {
  const got = []
  for await (const item of messages([pings(0, 2), bytes('x\n{"')])) got.push(item.id ?? item.fault)
  assert.deepEqual(got, [0, 1, 'not-json', 'truncated'])
  got.length = 0
  for await (const item of messages(new Response(pings(0, 2)).body)) got.push(item.id)
  assert.deepEqual(got, [0, 1])
  let closed = false
  async function* source() {
    try {
      for (let at = 0; ; at++) yield pings(at, at + 1)
    } finally {
      closed = true
    }
  }
  for await (const item of messages(source())) if (item.id === 5) break
  assert.equal(closed, true)
  await assert.rejects(async () => { for await (const _ of messages((async function* () { throw new Error('mine') })())); }, /mine/)
  await assert.rejects(async () => { for await (const _ of messages(['text'])); }, { code: 'ERR_INVALID_ARG_TYPE' })
  assert.throws(() => messages(5), { code: 'ERR_INVALID_ARG_TYPE' })
  assert.throws(() => messages([], { signal: 5 }), { code: 'ERR_INVALID_ARG_TYPE' })
})

test('messages: a signal ends the iteration while it waits, and destroys the source', async () => {
  const source = new PassThrough()
  const control = new AbortController()
  source.write(pings(0, 2))
  const got = []
  await assert.rejects(async () => {
    for await (const item of messages(source, { signal: control.signal })) {
      got.push(item.id)
      if (got.length === 2) setTimeout(() => control.abort(new Error('enough')), 5)
    }
  }, /enough/)
  assert.deepEqual(got, [0, 1])
  await turn()
  const early = new AbortController()
  early.abort()
  await assert.rejects(async () => { for await (const _ of messages([pings(0, 1)], { signal: early.signal })); }, { name: 'AbortError' })
})

test('a line without an end ends the stream with an error, behind what was read before', async () => {
  const wild = () => [pings(0, 1), bytes('x'.repeat(5000)), bytes(`\n`), pings(1, 2)]
  const options = { maxDiscard: 1000, maxMessage: 64 }
  const lost = { code: 'ERR_WIRELINE_RUNAWAY' }
  for (const read of [
    () => Readable.from(wild()).pipe(new DecoderStream(options)),
    () => messages(wild(), options),
    () => ReadableStream.from(wild()).pipeThrough(new DecoderTransform(options)),
  ]) {
    const got = []
    await assert.rejects(async () => { for await (const item of read()) got.push(item.id ?? item.fault) }, lost)
    assert.deepEqual(got, [0, 'runaway'])
  }
})

test('DecoderTransform: a reader that goes away is told to the source at once', async () => {
  const reason = new Error('enough')
  let told
  // It gives one chunk, and then waits.
  const source = new ReadableStream({ start(controller) { controller.enqueue(pings(0, 1)) }, cancel(why) { told = why } })
  const reader = source.pipeThrough(new DecoderTransform()).getReader()
  assert.equal((await reader.read()).value.id, 0)
  await reader.cancel(reason)
  await turn()
  assert.equal(told, reason)
  const failing = new DecoderTransform({ onFault() { throw reason } })
  const writer = failing.writable.getWriter()
  writer.closed.catch(() => {})
  const read = assert.rejects(failing.readable.getReader().read(), /enough/)
  await writer.write(bytes('{"cut'))
  await assert.rejects(writer.close(), /enough/)
  await read
})

test('messages: a stream of the Web that is no iteration', async () => {
  const bare = (chunks) => {
    let cancelled
    const stream = new ReadableStream({ pull(controller) { if (chunks.length > 0) controller.enqueue(chunks.shift()); else controller.close() }, cancel(why) { cancelled = why } }, { highWaterMark: 0 })
    Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined })
    return { stream, cancelled: () => cancelled }
  }
  const got = []
  for await (const item of messages(bare([pings(0, 2), pings(2, 3)]).stream)) got.push(item.id)
  assert.deepEqual(got, [0, 1, 2])
  const left = bare([pings(0, 2), pings(2, 3)])
  for await (const item of messages(left.stream)) if (item.id === 1) break
  assert.equal(left.stream.locked, false)
  assert.deepEqual(await left.stream.getReader().read(), { done: true, value: undefined })
})

test('messages: a signal closes a source that waits at once, whatever it is', { timeout: 30_000 }, async () => {
  const reason = new Error('enough')
  const ended = async (source, act) => {
    const control = new AbortController()
    const items = messages(source, { signal: control.signal })
    assert.equal((await items.next()).value.id, 0)
    const waiting = items.next()
    await turn()
    control.abort(reason)
    await assert.rejects(waiting, (error) => error === reason)
    await act()
    assert.deepEqual(await items.next(), { done: true, value: undefined })
  }
  const stream = new PassThrough()
  stream.write(pings(0, 1))
  await ended(stream, async () => {
    if (!stream.closed) await once(stream, 'close')
    assert.equal(stream.destroyed, true)
  })
  let told
  const cancelled = new Promise((resolve) => (told = resolve))
  const web = new ReadableStream({ start(controller) { controller.enqueue(pings(0, 1)) }, cancel: told })
  await ended(web, async () => {
    assert.equal(await cancelled, reason)
    assert.equal(web.locked, false)
  })
  // What can only be asked for its end is asked.
  let asked = 0
  const own = { [Symbol.asyncIterator]: () => ({ at: 0, next() { return this.at++ === 0 ? Promise.resolve({ done: false, value: pings(0, 1) }) : new Promise(() => {}) }, return() { asked++; return new Promise(() => {}) } }) }
  await ended(own, async () => assert.equal(asked, 1))
})

test('messages: a signal at each moment ends it with its reason, and leaves nothing on it', { timeout: 30_000 }, async () => {
  const reason = new Error('enough')
  for (let at = 0; at < 12; at++) {
    const control = new AbortController()
    let moment = 0
    let closed = 0
    const step = () => {
      if (moment++ === at) control.abort(reason)
    }
    async function* source() {
      try {
        for (let from = 0; from < 3; from++) {
          step()
          await turn()
          step()
          yield Buffer.concat([pings(from, from + 1), bytes('x\n')])
        }
        step()
      } finally {
        closed++
      }
    }
    let got = 0
    const run = async () => {
      for await (const _ of messages(source(), { signal: control.signal, onFault: step })) {
        got++
        step()
      }
    }
    await assert.rejects(run(), (error) => error === reason, `moment ${at}`)
    await turn()
    await turn()
    assert.equal(closed, 1, `moment ${at}`)
    assert.ok(got <= 3)
  }
})

test('DecoderTransform: aborted while nobody reads, it ends at once', { timeout: 30_000 }, async () => {
  const reason = new Error('enough')
  const { writable, readable } = new DecoderTransform()
  const writer = writable.getWriter()
  writer.closed.catch(() => {})
  const write = writer.write(pings(0, 5))
  const reader = readable.getReader()
  assert.equal((await reader.read()).value.id, 0)
  const rejected = assert.rejects(write)
  await writer.abort(reason)
  await rejected
  await assert.rejects(reader.read(), (error) => error === reason)
  // The signal of a pipe: what was read of the source is written first, as the standard has it.
  const control = new AbortController()
  let told
  const source = new ReadableStream({ start(controller) { controller.enqueue(pings(0, 5)) }, cancel(why) { told = why } })
  const piped = source.pipeThrough(new DecoderTransform(), { signal: control.signal }).getReader()
  assert.equal((await piped.read()).value.id, 0)
  control.abort(reason)
  const rest = []
  await assert.rejects(async () => { for (;;) rest.push((await piped.read()).value.id) }, (error) => error === reason)
  assert.deepEqual(rest, [1, 2, 3, 4])
  assert.equal(told, reason)
})

test('DecoderStream: its signal, and a reader that ends it in the middle of a chunk', { timeout: 30_000 }, async () => {
  const control = new AbortController()
  const stream = new DecoderStream({ signal: control.signal, readableHighWaterMark: 1 })
  stream.write(pings(0, 5))
  const got = []
  await assert.rejects(async () => {
    for await (const item of stream) {
      got.push(item.id)
      if (item.id === 1) control.abort()
    }
  }, { name: 'AbortError' })
  assert.deepEqual(got, [0, 1])
  const other = new DecoderStream()
  const seen = []
  other.on('data', (item) => {
    seen.push(item.id)
    if (item.id === 2) other.destroy()
  })
  other.write(pings(0, 5))
  await once(other, 'close')
  assert.deepEqual(seen, [0, 1, 2])
})
