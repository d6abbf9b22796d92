// What the package has to do wherever it runs: written without anything of Node's. `run` gets the package, what
// `vectors.mjs` wrote, and returns a line that says what was run; it throws at the first difference.

import { seen } from '../support/render.mjs'

/** From here on an input is not cut at every byte. */
const LONG = 1 << 16

const utf8 = new TextEncoder()

/** A value as text, its members in order, so that equal texts mean equal values. */
export function canonical(value) {
  return JSON.stringify(value, (_key, it) => {
    if (typeof it === 'bigint') return `${it}n`
    if (it === null || typeof it !== 'object' || Array.isArray(it)) return it
    return Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** Compares a value with the canonical text of another. */
function same(got, expected, what) {
  const text = canonical(got)
  if (text !== expected) throw new Error(`${what}\n  got      ${text}\n  expected ${expected}`)
}

function equal(got, wanted, what) {
  same(got, canonical(wanted), what)
}

function* pieces(input, step) {
  for (let at = 0; at < input.length; at += step) yield input.subarray(at, at + step)
}

/** Items as the vectors have them; the shape of a fault only where the vector has one. */
function decode({ Decoder }, vector, options, chunks) {
  const decoder = new Decoder({ ...vector.options, ...options })
  const items = []
  for (const chunk of chunks) items.push(...decoder.push(chunk))
  items.push(...decoder.end())
  return items.map((item, at) => {
    const found = seen(item)
    if (found.fault !== undefined && !vector.shapes[at]) found.shape = undefined
    return found
  })
}

function decoders(wireline, vector) {
  const { input } = vector
  const long = input.length > LONG
  const steps = long ? [65_521, 4096 * 5] : [1, 2, 3, 7, 64]
  for (const borrow of [false, true]) {
    same(decode(wireline, vector, { borrow }, [input]), vector.items, `${vector.name}, whole`)
    for (const step of steps) {
      same(decode(wireline, vector, { borrow }, pieces(input, step)), vector.items, `${vector.name}, by ${step}`)
    }
  }
  return 2 * (1 + steps.length)
}

/** What the stream decoder tells of each line has to be what the decoder tells. */
function streamDecoder({ StreamDecoder }, vector) {
  if (vector.options.batches) return 0
  const decoder = new StreamDecoder({ maxMessage: 16 << 20, ...vector.options })
  const found = []
  const take = (events) => {
    for (const event of events) {
      if (event.type === 'end') found.push([event.kind, event.head.rawId])
      if (event.type === 'fault') found.push([event.fault.fault, event.fault.offset, event.fault.length])
    }
  }
  for (const piece of pieces(vector.input, vector.input.length > LONG ? 65_521 : 5)) take(decoder.push(piece))
  take(decoder.end())
  same(found, vector.brief, `${vector.name}, stream decoder`)
  return 1
}

/** A session of each revision: opened, a request answered, an error, a notification, a value that is none. */
function sessions({ ClientSession, ServerSession, REVISIONS, WirelineError }) {
  for (const revision of REVISIONS) {
    const who = { name: 'portable', version: '1', revisions: [revision] }
    const client = new ClientSession(who)
    const server = new ServerSession({ ...who, capabilities: { tools: {} } })
    let up = client.connect(0)
    for (let turn = 0; turn < 4 && client.state !== 'ready'; turn++) {
      const { events, send } = server.receive(up, 0)
      let down = [send]
      for (const event of events) if (event.type === 'request') down.push(server.respond(event.handle, {}))
      const answers = down.filter((it) => it.length > 0).map((it) => client.receive(it, 0).send)
      up = answers.at(-1) ?? new Uint8Array(0)
    }
    equal([client.state, client.revision], ['ready', revision], `a session of ${revision}`)
    server.receive(up, 0)
    const { handle, send } = client.request('tools/call', { name: 'größe', arguments: { n: 1 } }, {}, 1)
    const [asked] = server.receive(send, 1).events
    equal([asked.type, asked.message.method, asked.message.params.name], ['request', 'tools/call', 'größe'], revision)
    const [ended] = client.receive(server.respond(asked.handle, { content: [{ type: 'text', text: 'ü' }] }), 1).events
    equal([ended.handle === handle, ended.why, ended.message.result.content[0].text], [true, 'result', 'ü'], revision)
    try {
      server.respond(asked.handle, {})
      throw new Error('answered twice')
    } catch (error) {
      equal([error instanceof WirelineError, error.code], [true, 'ERR_WIRELINE_STALE_HANDLE'], String(error))
    }
  }
  return REVISIONS.length
}

function encoders({ encodeRequest, encodeError, forward, parse, WirelineError }) {
  const request = encodeRequest('a"ü', 'tools/call', utf8.encode('{"name":"x"}'))
  equal(parse(request).id, 'a"ü', 'an id')
  equal(parse(forward(request, { id: 5 })).toJSON(), { id: 5, jsonrpc: '2.0', method: 'tools/call', params: { name: 'x' } }, 'forward')
  equal(parse(encodeError(null, -32700, 'no', utf8.encode('[1]'))).error, { code: -32700, data: [1], message: 'no' }, 'an error')
  try {
    encodeRequest(1, 'x', utf8.encode('{"a":}'))
    throw new Error('no JSON, and written')
  } catch (error) {
    equal([error instanceof WirelineError, error.code], [true, 'ERR_WIRELINE_BAD_JSON'], String(error))
  }
}

/** A line of 64 MiB in chunks of 64 KiB, one after the other. */
function longLine({ Decoder }) {
  const decoder = new Decoder({ maxMessage: 80 << 20, borrow: true })
  const chunk = new Uint8Array(1 << 16).fill(120)
  decoder.push(utf8.encode('{"jsonrpc":"2.0","id":1,"result":{"text":"'))
  for (let at = 0; at < 1024; at++) equal(decoder.push(chunk).length, 0, 'a line that has not ended')
  const [message] = decoder.push(utf8.encode('"}}\n'))
  equal([message.kind, message.id, message.raw.length], ['result', 1, (64 << 20) + 45], 'a line of 64 MiB')
}

/** Through the streams of the Web. */
async function streams({ DecoderTransform, messages }) {
  const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}\nhello\n'
  const kinds = []
  for await (const item of messages(new Response(text).body)) kinds.push(item.kind)
  const reader = new Response(text).body.pipeThrough(new DecoderTransform()).getReader()
  for (let next; !(next = await reader.read()).done; ) kinds.push(next.value.kind)
  equal(kinds, ['request', 'fault', 'request', 'fault'], 'streams')
}

/**
 * @param wireline the package's exports
 * @param index what `vectors.mjs` says of the vectors
 * @param bytes their inputs, one behind the other
 */
export async function run(wireline, index, bytes) {
  let runs = 0
  for (const { from, to, ...vector } of index) {
    const whole = { ...vector, input: bytes.subarray(from, to) }
    runs += decoders(wireline, whole) + streamDecoder(wireline, whole)
  }
  if (index.length < 400) throw new Error(`only ${index.length} vectors`)
  const revisions = sessions(wireline)
  encoders(wireline)
  longLine(wireline)
  await streams(wireline)
  return `${index.length} vectors in ${runs} runs, sessions of ${revisions} revisions, encoders, a line of 64 MiB, streams`
}
