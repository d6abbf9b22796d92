// What shows of the SDK's stdio transports from outside, rule by rule: each runs on the SDK's own transport first (1.x and
// 2.x), then on ours. Where they differ, the rule says how, and why.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { PassThrough, Writable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { StdioClientTransport as Client1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StdioServerTransport as Server1 } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as client2 from '@modelcontextprotocol/client/stdio'
import { StdioServerTransport as Server2 } from '@modelcontextprotocol/server/stdio'
import * as ours from 'wireline/mcp'

const servers = { 'SDK 1': Server1, 'SDK 2': Server2, ours: ours.StdioServerTransport }
const clients = { 'SDK 1': Client1, 'SDK 2': client2.StdioClientTransport, ours: ours.StdioClientTransport }

/** A server's transport on streams, and what it says. */
function open(Transport, options, output = new PassThrough()) {
  const input = new PassThrough()
  const transport = new Transport(input, output, options)
  const seen = []
  transport.onmessage = (message) => seen.push(['message', message])
  transport.onerror = (error) => seen.push(['error', error])
  transport.onclose = () => seen.push(['close'])
  const kinds = () => seen.map(([kind, it]) => (kind === 'message' ? `message ${it.id ?? it.method}` : kind))
  return { input, output, transport, seen, kinds }
}

/** What docs/node.md lists. */
const differences = []

/**
 * A rule: `run` says what was seen, and `expected` what has to be, for all, or by transport where they differ.
 */
function rule(name, run, expected, difference) {
  const uniform = !(expected !== null && typeof expected === 'object' && 'ours' in expected)
  if (!uniform) differences.push(`| ${name} | ${difference} |`)
  const named = uniform ? name : `${name} [differs: ${difference}]`
  if (!uniform && !difference) throw new Error(`${name} differs, and does not say how`)
  for (const [who, Transport] of Object.entries(run.length > 1 ? clients : servers)) {
    test(`${named}: ${who}`, { timeout: 20_000 }, async () => {
      const seen = await (run.length > 1 ? run(Transport, true) : run(Transport))
      assert.deepEqual(seen, uniform ? expected : expected[who])
    })
  }
}

const ping = (id) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"}\n`

// The server's transport.

rule('nothing is read before start', async (Transport) => {
  const { input, kinds } = open(Transport)
  input.write(ping(1))
  await sleep(5)
  return kinds()
}, [])

rule('messages come in order once it is started, those that came before too', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  input.write(ping(1))
  await transport.start()
  input.write(ping(2) + ping('a'))
  await sleep(5)
  return kinds()
}, ['message 1', 'message 2', 'message a'])

rule('a message is a plain object with all that was sent', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[1,{"b":null}],"_meta":{"progressToken":0}}}\r\n')
  await sleep(5)
  return seen
}, [['message', { jsonrpc: '2.0', id: 1, method: 'x', params: { a: [1, { b: null }], _meta: { progressToken: 0 } } }]])

rule('a message may come in pieces, cut inside a character', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  for (const byte of Buffer.from('{"jsonrpc":"2.0","method":"é😀","params":{}}\n')) input.write(Buffer.of(byte))
  await sleep(5)
  return seen.map(([kind, it]) => [kind, it.method])
}, [['message', 'é😀']])

rule('start twice', async (Transport) => {
  const { transport } = open(Transport)
  await transport.start()
  return await transport.start().then(() => 'fine', (error) => error.message)
}, 'StdioServerTransport already started! If using Server class, note that connect() calls start() automatically.')

rule('close: onclose is called, the input is paused, and nothing more is read', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  await transport.start()
  await transport.close()
  input.write(ping(1))
  await sleep(5)
  return [kinds(), input.isPaused()]
}, [['close'], true])

rule('close leaves the input flowing where somebody else reads it', async (Transport) => {
  const { input, transport } = open(Transport)
  input.on('data', () => {})
  await transport.start()
  await transport.close()
  return input.isPaused()
}, false)

rule('close twice', async (Transport) => {
  const { transport, kinds } = open(Transport)
  await transport.start()
  await transport.close()
  await transport.close()
  return kinds()
}, { 'SDK 1': ['close', 'close'], 'SDK 2': ['close'], ours: ['close'] }, 'SDK 1 tells it twice; ours as SDK 2')

rule('close from inside onmessage: no message comes after it', async (Transport) => {
  const { input, transport, kinds, seen } = open(Transport)
  transport.onmessage = (message) => {
    seen.push(['message', message])
    void transport.close()
  }
  await transport.start()
  input.write(ping(1) + ping(2))
  await sleep(5)
  return kinds()
}, ['message 1', 'close'])

rule('the end of the input', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  await transport.start()
  input.end(ping(1))
  await sleep(10)
  return kinds()
}, { 'SDK 1': ['message 1'], 'SDK 2': ['message 1', 'close'], ours: ['message 1', 'close'] }, 'SDK 1 does not notice it; ours as SDK 2')

rule('an input that has ended before start', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  input.resume()
  input.end()
  await once(input, 'end')
  await transport.start()
  await sleep(10)
  return kinds()
}, { 'SDK 1': [], 'SDK 2': ['close'], ours: ['close'] }, 'SDK 1 does not notice it; ours as SDK 2')

rule('an error of the input is told', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  input.emit('error', new Error('broken'))
  await sleep(5)
  return seen.map(([kind, error]) => [kind, error?.message])
}, [['error', 'broken']])

rule('an error of the output closes it', async (Transport) => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('EPIPE'), { code: 'EPIPE' })) })
  const { transport, kinds } = open(Transport, undefined, output)
  let outside = false
  if (Transport === Server1) output.on('error', () => (outside = true))
  await transport.start()
  await Promise.race([transport.send({ jsonrpc: '2.0', id: 1, result: {} }).catch(() => {}), sleep(20)])
  await sleep(5)
  return [kinds(), outside]
}, { 'SDK 1': [[], true], 'SDK 2': [['error', 'close'], false], ours: [['error', 'close'], false] }, 'SDK 1 leaves it to the process, which it ends; ours as SDK 2')

rule('a line that is not JSON', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  await transport.start()
  input.write(`Listening on port 8080\n${ping(1)}`)
  await sleep(5)
  return kinds()
}, { 'SDK 1': ['error', 'message 1'], 'SDK 2': ['message 1'], ours: ['error', 'message 1'] }, 'SDK 2 skips it without a word; ours tells it as SDK 1, with a code and an offset')

rule('JSON that is no message is told as an error', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  await transport.start()
  input.write(`{"jsonrpc":"2.0","id":{},"method":"x"}\n42\n{"jsonrpc":"1.0","method":"x"}\n${ping(1)}`)
  await sleep(5)
  return kinds()
}, ['error', 'error', 'error', 'message 1'])

rule('a blank line', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  await transport.start()
  input.write(`\n\r\n${ping(1)}`)
  await sleep(5)
  return kinds()
}, { 'SDK 1': ['error', 'error', 'message 1'], 'SDK 2': ['message 1'], ours: ['message 1'] }, 'SDK 1 tells it as an error; to ours it is nothing, as to SDK 2')

rule('an error of onmessage is told, and the next message is read', async (Transport) => {
  const { input, transport, seen, kinds } = open(Transport)
  transport.onmessage = (message) => {
    if (message.id === 1) throw new Error('mine')
    seen.push(['message', message])
  }
  await transport.start()
  input.write(ping(1) + ping(2))
  await sleep(5)
  return kinds()
}, ['error', 'message 2'])

rule('a message longer than the ceiling', async (Transport) => {
  const { input, output, transport, kinds } = open(Transport, { maxBufferSize: 1000 })
  await transport.start()
  input.write(`{"method":"x","params":{"t":"${'x'.repeat(2000)}"},"jsonrpc":"2.0","id":7}\n`)
  await sleep(5)
  input.write(ping(1))
  await sleep(5)
  const answer = output.read()
  return [kinds(), answer === null ? null : JSON.parse(answer).id]
}, {
  'SDK 1': [['error', 'close'], null],
  'SDK 2': [['error', 'close'], null],
  ours: [['error', 'message 1'], 7],
}, 'the SDK closes the connection; ours refuses that message by its id, and goes on')

rule('many short messages in one chunk that is longer than the ceiling', async (Transport) => {
  const { input, transport, kinds } = open(Transport, { maxBufferSize: 1000 })
  await transport.start()
  input.write(ping(1).repeat(100))
  await sleep(5)
  return kinds().length
}, { 'SDK 1': 2, 'SDK 2': 2, ours: 100 }, 'the SDK counts the chunk, and closes the connection; ours counts each message')

rule('an id that JavaScript cannot keep exact', async (Transport) => {
  const { input, output, transport, kinds } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\n')
  await sleep(5)
  return [kinds(), output.read()?.toString().includes('"id":9007199254740993,"error"') ?? false]
}, { 'SDK 1': [['error'], false], 'SDK 2': [['error'], false], ours: [['error'], true] }, 'the SDK leaves it unanswered; ours refuses it, with that very id')

rule('an extra member of the envelope', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping","trace":"x"}\n')
  await sleep(5)
  return kinds()
}, { 'SDK 1': ['error'], 'SDK 2': ['error'], ours: ['message 1'] }, 'the SDK refuses what it does not know, and the request is never answered; ours takes it, as JSON-RPC does')

rule('the last of two members of the same name counts', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}\n')
  await sleep(5)
  return kinds()
}, { 'SDK 1': ['message 1'], 'SDK 2': ['message 1'], ours: ['error'] }, 'two parsers on one path may see two messages in it, so ours refuses it')

/** What comes of lines: what is told, and the code of what is answered. */
const given = (...lines) => async (Transport) => {
  const { input, output, transport, kinds } = open(Transport)
  await transport.start()
  for (const line of lines) input.write(`${line}\n`)
  await sleep(5)
  const answer = output.read()
  return [kinds().map((it) => it.replace(/(.)\1{99,}/, '$1…')), answer === null ? null : JSON.parse(answer).error.code]
}

rule('an id of 16000 bytes, and a method of 16000', given(`{"jsonrpc":"2.0","id":"${'i'.repeat(16000)}","method":"x"}`, `{"jsonrpc":"2.0","method":"${'m'.repeat(16000)}"}`), [['message i…', 'message m…'], null])

rule('an id longer than 16 KiB', given(`{"jsonrpc":"2.0","id":"${'i'.repeat(20000)}","method":"x"}`), {
  'SDK 1': [['message i…'], null],
  'SDK 2': [['message i…'], null],
  ours: [['error'], null],
}, 'the SDK has no ceiling for it; ours refuses it, and cannot answer')

rule('a method longer than 16 KiB', given(`{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(20000)}"}`), {
  'SDK 1': [['message 1'], null],
  'SDK 2': [['message 1'], null],
  ours: [['error'], -32600],
}, 'the SDK has no ceiling for it; ours answers with an error')

const deep = `${'['.repeat(130)}${']'.repeat(130)}`

rule('a request with more than 127 levels', given(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep}}}`), {
  'SDK 1': [['message 1'], null],
  'SDK 2': [['message 1'], null],
  ours: [['error'], -32600],
}, 'the SDK has no ceiling for it; ours answers with an error')

rule('an answer with more than 127 levels', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  input.write(`{"jsonrpc":"2.0","id":1,"result":{"a":${deep}}}\n`)
  await sleep(5)
  return seen.map(([kind, it]) => (kind === 'message' ? `${it.id} ${it.result === undefined ? it.error.code : 'result'}` : kind))
}, { 'SDK 1': ['1 result'], 'SDK 2': ['1 result'], ours: ['error', '1 -32603'] }, 'the SDK has no ceiling for it; ours ends that request with an error')

rule('a request that is none, whose id is known', given('{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}'), {
  'SDK 1': [['error'], null],
  'SDK 2': [['error'], null],
  ours: [['error'], -32600],
}, 'the SDK leaves it unanswered; ours answers with an error')

rule('an answer that is none, whose id is known', given('{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"m"}}'), {
  'SDK 1': [['error'], null],
  'SDK 2': [['error'], null],
  ours: [['error', 'message 1'], null],
}, 'with the SDK the request waits until it times out; ours ends it with an error')

rule('a request whose id is null', given('{"jsonrpc":"2.0","id":null,"method":"x"}'), [['error'], null])

rule('`params` that are null', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":1,"method":"x","params":null}\n')
  await sleep(5)
  return seen.map(([kind, it]) => (kind === 'message' ? it : kind))
}, { 'SDK 1': ['error'], 'SDK 2': ['error'], ours: [{ jsonrpc: '2.0', id: 1, method: 'x' }] }, 'the SDK refuses them, and the request is never answered; ours takes them for none')

rule('an error whose id is null', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}\n')
  await sleep(5)
  return seen.map(([kind, it]) => (kind === 'message' ? it : kind))
}, { 'SDK 1': ['error'], 'SDK 2': ['error'], ours: [{ jsonrpc: '2.0', error: { code: 1, message: 'm' } }] }, 'the SDK refuses it; ours hands it on without the id, so that its words are told')

rule('an error code that is no safe integer, and further members of the error', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":1,"error":{"code":1e30,"message":"m"}}\n{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"m","x":1}}\n')
  await sleep(5)
  return seen.map(([kind, it]) => (kind === 'message' ? it.error : kind))
}, {
  'SDK 1': ['error', { code: 1, message: 'm' }],
  'SDK 2': ['error', { code: 1, message: 'm' }],
  ours: [{ code: 1e30, message: 'm' }, { code: 1, message: 'm', x: 1 }],
}, 'the SDK refuses the one and leaves out the other; ours hands both on')

rule('`_meta` that is no object, or has a progress token that is none', given('{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":null}}', '{"jsonrpc":"2.0","id":2,"method":"x","params":{"_meta":{"progressToken":1.5}}}', '{"jsonrpc":"2.0","id":3,"result":{"_meta":5}}'), {
  'SDK 1': [['error', 'error', 'error'], null],
  'SDK 2': [['error', 'error', 'error'], null],
  ours: [['message 1', 'message 2', 'message 3'], null],
}, "the SDK's transport refuses it, and the request is never answered; ours hands it on, and the SDK's server answers")

rule('an unpaired surrogate in an id, a method or the name of a member', given('{"jsonrpc":"2.0","id":"\\ud800","method":"x"}', '{"jsonrpc":"2.0","id":2,"method":"x","params":{"\\ud800":1}}'), {
  'SDK 1': [['message \ud800', 'message 2'], null],
  'SDK 2': [['message \ud800', 'message 2'], null],
  ours: [['error', 'error'], -32600],
}, 'the SDK takes it; ours refuses it, since it is no text that can be written again')

rule('an unpaired surrogate in a value', given('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\\ud800"}}'), [['message 1'], null])

rule('a byte order mark before the first message', given(`\ufeff${ping(1).trimEnd()}`), { 'SDK 1': [['error'], null], 'SDK 2': [[], null], ours: [['message 1'], null] }, 'the SDK does not read that line; ours leaves the mark off')

rule('a member of `params` with the name `__proto__`', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":1,"method":"x","params":{"__proto__":{"a":1}}}\n')
  await sleep(5)
  const [[, { params }]] = seen
  return [Object.hasOwn(params, '__proto__'), params.a]
}, { 'SDK 1': [false, undefined], 'SDK 2': [false, undefined], ours: [true, undefined] }, 'the SDK leaves it out; to ours it is a member like others, and changes no prototype')

rule('ids and numbers in other spellings', async (Transport) => {
  const { input, transport, seen } = open(Transport)
  await transport.start()
  input.write('{"jsonrpc":"2.0","id":1.0,"method":"x"}\n{"jsonrpc":"2.0","id":1e2,"method":"x"}\n{"jsonrpc":"2.0","id":"","method":"\\u0078","params":{"n":1e999}}\n{"jsonrpc":"2.0","id":1.5,"method":"x"}\n')
  await sleep(5)
  return seen.map(([kind, it]) => (kind === 'message' ? it : kind))
}, [{ jsonrpc: '2.0', id: 1, method: 'x' }, { jsonrpc: '2.0', id: 100, method: 'x' }, { jsonrpc: '2.0', id: '', method: 'x', params: { n: Infinity } }, 'error'])

rule('a batch', given(`[${ping(1).trimEnd()}]`), [['error'], null])

rule('a ceiling of Infinity', async (Transport) => {
  const { input, transport, kinds } = open(Transport, { maxBufferSize: Infinity })
  await transport.start()
  input.write(ping(1))
  await sleep(5)
  return kinds()
}, ['message 1'])

rule('bytes that are not UTF-8', async (Transport) => {
  const { input, transport, kinds } = open(Transport)
  await transport.start()
  input.write(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.of(0xff), Buffer.from(`"}\n${ping(2)}`)]))
  await sleep(5)
  return kinds()
}, { 'SDK 1': ['message 1', 'message 2'], 'SDK 2': ['message 1', 'message 2'], ours: ['error', 'message 2'] }, 'the SDK replaces them; to ours that is no JSON')

rule('a message is sent as one line', async (Transport) => {
  const { output, transport } = open(Transport)
  await transport.start()
  await transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'a\nb\u2028é' } })
  return output.read().toString()
}, '{"jsonrpc":"2.0","id":1,"result":{"text":"a\\nb\u2028é"}}\n')

rule('send waits for a stream that is full', async (Transport) => {
  const output = new PassThrough({ highWaterMark: 10 })
  const { transport } = open(Transport, undefined, output)
  await transport.start()
  let sent = false
  const sending = transport.send({ jsonrpc: '2.0', id: 1, result: {} }).then(() => (sent = true))
  await sleep(5)
  const before = sent
  output.resume()
  await sending
  return [before, sent]
}, [false, true])

rule('send to a stream that breaks while it is full', async (Transport) => {
  const output = new PassThrough({ highWaterMark: 10 })
  output.on('error', () => {})
  const { transport } = open(Transport, undefined, output)
  await transport.start()
  const sending = transport.send({ jsonrpc: '2.0', id: 1, result: {} }).then(() => 'sent', (error) => error.message)
  await sleep(5)
  output.destroy(new Error('broken'))
  return await Promise.race([sending, sleep(50).then(() => 'still waiting')])
}, { 'SDK 1': 'still waiting', 'SDK 2': 'broken', ours: 'broken' }, 'SDK 1 waits for ever; ours rejects, as SDK 2')

rule('send after close', async (Transport) => {
  const { transport } = open(Transport)
  await transport.start()
  await transport.close()
  return await transport.send({ jsonrpc: '2.0', id: 1, result: {} }).then(() => 'sent', (error) => error.message)
}, { 'SDK 1': 'sent', 'SDK 2': 'StdioServerTransport is closed', ours: 'StdioServerTransport is closed' }, 'SDK 1 writes it all the same; ours rejects, as SDK 2')

rule('a request that JSON cannot hold is rejected', async (Transport) => {
  const { transport, output } = open(Transport)
  await transport.start()
  const outcome = await transport.send({ jsonrpc: '2.0', id: 1, method: 'x', params: { n: 1n } }).then(() => 'sent', () => 'rejected')
  return [outcome, output.read()]
}, ['rejected', null])

rule('an answer that JSON cannot hold', async (Transport) => {
  const { transport, output, kinds } = open(Transport)
  await transport.start()
  const outcome = await transport.send({ jsonrpc: '2.0', id: 1, result: { n: 1n } }).then(() => 'sent', () => 'rejected')
  return [outcome, kinds(), JSON.parse(output.read() ?? 'null')?.error?.code]
}, {
  'SDK 1': ['rejected', [], undefined],
  'SDK 2': ['rejected', [], undefined],
  ours: ['sent', ['error'], -32603],
}, 'the SDK sends nothing, and its client waits; ours sends an error for that id')

rule('NaN in an answer', async (Transport) => {
  const { transport, output } = open(Transport)
  await transport.start()
  await transport.send({ jsonrpc: '2.0', id: 1, result: { n: NaN } })
  const { result, error } = JSON.parse(output.read())
  return result ?? error.code
}, { 'SDK 1': { n: null }, 'SDK 2': { n: null }, ours: -32603 }, 'the SDK writes `null` in its place; to ours it is an error')

rule('a map in an answer', async (Transport) => {
  const { transport, output } = open(Transport)
  await transport.start()
  await transport.send({ jsonrpc: '2.0', id: 1, result: { n: new Map([[1, 2]]) } })
  const { result, error } = JSON.parse(output.read())
  return result ?? error.code
}, { 'SDK 1': { n: {} }, 'SDK 2': { n: {} }, ours: -32603 }, 'the SDK writes `{}` in its place, as it does for sets and promises; to ours it is an error')

rule('a client that does not read', async (Transport) => {
  const output = new PassThrough({ highWaterMark: 100 })
  const { input, transport } = open(Transport, undefined, output)
  transport.onmessage = ({ id }) => void transport.send({ jsonrpc: '2.0', id, result: {} })
  await transport.start()
  for (let at = 0; at < 200; at++) {
    input.write(ping(1).repeat(20))
    await sleep(0)
  }
  return output.writableLength + output.readableLength > 50_000 ? 'piles up' : 'is not read from'
}, { 'SDK 1': 'piles up', 'SDK 2': 'piles up', ours: 'is not read from' }, 'the SDK reads on, and keeps all answers in memory; ours reads no more until the client does')

rule('transports that come and go leave no listeners on the output', async (Transport) => {
  const output = new PassThrough()
  for (let at = 0; at < 5; at++) {
    const { transport } = open(Transport, undefined, output)
    await transport.start()
    await transport.close()
  }
  return output.listenerCount('error') <= 1
}, true)

// The client's transport.

const NODE = process.execPath
const script = (text) => ({ command: NODE, args: ['-e', text] })
const ECHO = "process.stdin.on('data', (chunk) => process.stdout.write(chunk))"

function watch(transport) {
  const seen = []
  transport.onmessage = (message) => seen.push(`message ${message.id}${message.error ? ' error' : ''}`)
  transport.onerror = () => seen.push('error')
  transport.onclose = () => seen.push('close')
  return seen
}

/** Waits until something is so, at most for some seconds. */
async function until(holds) {
  for (let at = 0; at < 400 && !holds(); at++) await sleep(10)
}

rule('start, send, receive, close', async (Transport, _client) => {
  const transport = new Transport(script(ECHO))
  const seen = watch(transport)
  const before = transport.pid
  await transport.start()
  const during = typeof transport.pid
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  await until(() => seen.length > 0)
  await transport.close()
  return [before, during, seen, transport.pid]
}, [null, 'number', ['message 1', 'close'], null])

rule('start twice', async (Transport, _client) => {
  const transport = new Transport(script(ECHO))
  await transport.start()
  const outcome = await transport.start().then(() => 'fine', (error) => error.message)
  await transport.close()
  return outcome
}, 'StdioClientTransport already started! If using Client class, note that connect() calls start() automatically.')

rule('a program that is not there: start rejects, and onerror is called', async (Transport, _client) => {
  const transport = new Transport({ command: '/no/such/program' })
  const seen = watch(transport)
  const outcome = await transport.start().then(() => 'fine', (error) => error.code)
  await sleep(20)
  return [outcome, seen.includes('error')]
}, ['ENOENT', true])

rule('a server that ends: onclose is called once', async (Transport, _client) => {
  const transport = new Transport(script('process.exit(3)'))
  const seen = watch(transport)
  await transport.start()
  await until(() => seen.length > 0)
  await sleep(20)
  return [seen, transport.pid]
}, [['close'], null])

rule('send before start, and after the end', async (Transport, _client) => {
  const transport = new Transport(script(ECHO))
  const say = () => transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' }).then(() => 'sent', (error) => error.message)
  const before = await say()
  await transport.start()
  await transport.close()
  return [before, await say()]
}, ['Not connected', 'Not connected'])

rule('the environment: a few variables, and those that are given', async (Transport, _client) => {
  process.env.WIRELINE_TEST_SECRET = 'secret'
  const transport = new Transport({ ...script("process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: Object.keys(process.env).filter((it) => /^(PATH|MINE|WIRELINE_TEST_SECRET)$/.test(it)).sort().join(), method: 'x' }) + '\\n')"), env: { MINE: '1' } })
  const seen = watch(transport)
  await transport.start()
  await until(() => seen.length > 0)
  await transport.close()
  return seen[0]
}, 'message MINE,PATH')

rule('stderr as a pipe is there before the start', async (Transport, _client) => {
  const transport = new Transport({ ...script("console.error('early')"), stderr: 'pipe' })
  const chunks = []
  transport.stderr.on('data', (chunk) => chunks.push(chunk))
  await transport.start()
  await until(() => chunks.length > 0)
  await transport.close()
  return Buffer.concat(chunks).toString()
}, 'early\n')

rule('stderr is null otherwise', async (Transport, _client) => {
  const transport = new Transport({ ...script(ECHO), stderr: 'ignore' })
  await transport.start()
  const { stderr } = transport
  await transport.close()
  return stderr
}, null)

rule('close: the input ends first, and a server that ends then gets no signal', async (Transport, _client) => {
  const transport = new Transport({ ...script("process.stdin.resume().on('end', () => console.error('ended')); process.on('SIGTERM', () => console.error('SIGTERM'))"), stderr: 'pipe' })
  const chunks = []
  transport.stderr.on('data', (chunk) => chunks.push(chunk))
  await transport.start()
  await sleep(100)
  await transport.close()
  await sleep(20)
  return Buffer.concat(chunks).toString()
}, 'ended\n')

rule('close: SIGTERM after two seconds', async (Transport, _client) => {
  const transport = new Transport({ ...script("setInterval(() => {}, 1000); process.on('SIGTERM', () => { console.error('SIGTERM'); process.exit() })"), stderr: 'pipe' })
  const chunks = []
  transport.stderr.on('data', (chunk) => chunks.push(chunk))
  await transport.start()
  await sleep(100)
  const start = performance.now()
  await transport.close()
  const took = performance.now() - start
  await sleep(20)
  return [Buffer.concat(chunks).toString(), took > 1900 && took < 3900]
}, ['SIGTERM\n', true])

rule('close: what the server says until it ends is still told', async (Transport, _client) => {
  const transport = new Transport(script(`process.stdin.on('data', () => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n')).on('end', () => process.stdout.write('{"jsonrpc":"2.0","id":2,"result":{}}\\n'))`))
  const seen = watch(transport)
  await transport.start()
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'x' })
  await until(() => seen.length > 0)
  await transport.close()
  return seen
}, ['message 1', 'message 2', 'close'])

rule('an answer longer than the ceiling', async (Transport, _client) => {
  const transport = new Transport({ ...script(`process.stdin.once('data', () => { process.stdout.write(JSON.stringify({ result: { t: 'x'.repeat(5000) }, jsonrpc: '2.0', id: 1 }) + '\\n'); setTimeout(() => process.stdout.write('{"jsonrpc":"2.0","id":2,"result":{}}\\n'), 50) }); setTimeout(() => {}, 400)`), maxBufferSize: 1000 })
  const seen = watch(transport)
  await transport.start()
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'x' })
  await sleep(300)
  const before = [...seen]
  await transport.close()
  return before
}, { 'SDK 1': ['error', 'message 2'], 'SDK 2': ['error', 'message 2'], ours: ['error', 'message 1 error', 'message 2'] }, 'the SDK ends the server, and the request waits until it times out; ours ends that request with an error, and goes on')

rule('a server that writes what is no message', async (Transport, _client) => {
  const transport = new Transport(script(`console.log('hello'); console.log('{"jsonrpc":"2.0","id":1,"result":{}}'); setTimeout(() => {}, 200)`))
  const seen = watch(transport)
  await transport.start()
  await until(() => seen.some((it) => it.startsWith('message')))
  await transport.close()
  return seen.filter((it) => it !== 'close')
}, { 'SDK 1': ['error', 'message 1'], 'SDK 2': ['message 1'], ours: ['error', 'message 1'] }, 'SDK 2 skips it without a word; ours tells it as SDK 1')

test('an input that gives text', async () => {
  const { input, transport, kinds } = open(ours.StdioServerTransport)
  input.setEncoding('utf8')
  await transport.start()
  for (const byte of Buffer.from(ping('é'))) input.write(Buffer.of(byte))
  await sleep(5)
  assert.deepEqual(kinds(), ['message é'])
})

test('the names that the SDK exports beside the classes', () => {
  assert.deepEqual(ours.DEFAULT_INHERITED_ENV_VARS, client2.DEFAULT_INHERITED_ENV_VARS)
  assert.deepEqual(ours.getDefaultEnvironment(), client2.getDefaultEnvironment())
})

test('docs/node.md lists each difference (WIRELINE_WRITE=1 writes it)', () => {
  const page = new URL('../../../docs/node.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const listed = ['<!-- differences:begin -->', '', '| what | the SDK, and ours |', '|---|---|', ...differences, '', '<!-- differences:end -->'].join('\n')
  const written = text.replace(/<!-- differences:begin -->.*<!-- differences:end -->/s, () => listed)
  if (process.env.WIRELINE_WRITE === '1') writeFileSync(page, written)
  else assert.equal(text, written)
})
