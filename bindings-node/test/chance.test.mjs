// Clients under servers and users that do anything at any time: nothing is thrown that nobody catches, and all that was
// begun ends when the client is closed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RemoteError } from 'wireline/client'
import { opened, turns, uncaught } from './support/opened.mjs'

const FORM = { messages: [], maxTokens: 1, mode: 'form', message: '?', requestedSchema: { type: 'object', properties: {} } }

const odd = fc.constantFrom(undefined, null, 5, 'x', [], {}, true, -1, '')
const id = fc.oneof(fc.nat(10), fc.constantFrom('a', null, {}, 1.5))
const demands = fc.oneof(odd, fc.constantFrom({ a: { method: 'roots/list' } }, { a: { method: 'elicitation/create', params: FORM }, b: { method: 'roots/list' } }))
const results = fc.oneof(
  odd.map((result) => ({ result })),
  odd.map((error) => ({ error })),
  demands.map((inputRequests) => ({ result: { resultType: 'input_required', inputRequests } })),
  fc.constantFrom({ result: { resultType: 'complete', content: [], tools: [] } }, { error: { code: -1, message: 'x' } }, { error: { code: 1.5, message: 5 } })
)
const params = (members) => fc.oneof(odd, fc.record(members, { requiredKeys: [] }))
const notifications = fc.oneof(
  fc.record({ method: fc.constant('notifications/cancelled'), params: params({ requestId: id, reason: odd }) }),
  fc.record({ method: fc.constant('notifications/progress'), params: params({ progressToken: id, progress: fc.oneof(odd, fc.nat(3)), message: odd }) }),
  fc.record({ method: fc.constant('notifications/message'), params: params({ level: fc.constantFrom('info', 'x', 5), data: odd, logger: odd }) }),
  fc.record({ method: fc.constantFrom('notifications/tools/list_changed', 'notifications/subscriptions/acknowledged', 'x'), params: odd })
)
const requests = fc.record({ id, method: fc.constantFrom('ping', 'roots/list', 'elicitation/create', 'x', '__proto__'), params: fc.oneof(odd, fc.constant(FORM)) })
const line = fc.oneof(
  // An answer to what was asked, if anything was.
  { arbitrary: results.map((it) => (asked) => ({ jsonrpc: '2.0', id: asked, ...it })), weight: 3 },
  fc.oneof(results, notifications, requests).chain((it) => id.map((id) => () => ({ jsonrpc: '2.0', ...('method' in it ? {} : { id }), ...it }))),
  fc.constantFrom('x'.repeat(1500), '{', '\0', '[]', '').map((it) => () => it)
)
const step = fc.oneof(
  { arbitrary: fc.record({ does: fc.constant('says'), lines: fc.array(line, { maxLength: 5 }), cut: fc.double({ min: 0, max: 1, noNaN: true }) }), weight: 4 },
  { arbitrary: fc.record({ does: fc.constant('calls'), args: fc.constantFrom({}, { a: 1n }, 5), options: fc.constantFrom('none', 'signal', 'timeout', 'throws', 'closes', 'wrong') }), weight: 3 },
  fc.record({ does: fc.constantFrom('lists', 'pings', 'subscribes', 'notifies', 'cancels', 'waits', 'aborts') }),
  { arbitrary: fc.record({ does: fc.constantFrom('closes', 'ends', 'breaks', 'breaks off', 'reads text') }), weight: 1 }
)
const handlers = [
  () => ({ roots: [] }),
  () => turns(2).then(() => ({ roots: [] })),
  () => new Promise(() => {}),
  (_params, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  () => undefined,
  () => Promise.reject(null),
  () => {
    throw new RemoteError(0.5, 'x', 1n)
  },
]
const setting = fc.record({
  revision: fc.constantFrom('2025-11-25', '2026-07-28'),
  maxOutbound: fc.constantFrom(1, 2, 256),
  maxInbound: fc.constantFrom(1, 256),
  maxUnsent: fc.constantFrom(100, 1 << 20),
  maxDiscard: fc.constantFrom(0, 2000),
  handler: fc.constantFrom(...handlers),
})

test('anything, at any time', { timeout: 120_000 }, async () => {
  const alive = setInterval(() => {}, 1000)
  await fc.assert(
    fc.asyncProperty(setting, fc.array(step, { maxLength: 30 }), async ({ revision, handler, ...limits }, steps) => {
      const found = await uncaught(async () => {
        const { client, wire, ends } = await opened({ ...limits, revisions: [revision], handlers: { 'roots/list': handler, 'elicitation/create': handler }, maxMessage: 1000, grace: 5 })
        const begun = []
        const control = new AbortController()
        const options = {
          none: undefined,
          signal: { signal: control.signal },
          timeout: { timeout: 1 },
          throws: { onProgress() { throw new Error('x') } },
          closes: { onProgress: () => void client.close() },
          wrong: { timeout: 'x' },
        }
        const begin = (call) => {
          begun.push(call)
          call.catch(() => {})
        }
        client.on('fault', () => begin(client.callTool('in a listener')))
        const acts = {
          says({ lines, cut }) {
            const { output } = ends.server
            if (output.writableEnded || output.destroyed) return
            const words = lines.map((it) => it(wire.lines.shift()?.id)).map((it) => `${typeof it === 'string' ? it : JSON.stringify(it)}\n`).join('')
            const at = Math.floor(words.length * cut)
            output.write(words.slice(0, at))
            output.write(words.slice(at))
          },
          calls({ args, options: name }) {
            const call = client.callTool('x', args, options[name])
            begin(call)
            begin((async () => { for await (const _ of call.progress); })())
          },
          lists: () => begin(client.listTools()),
          pings: () => begin(client.ping()),
          subscribes: () => begin(client.subscribe({ tools: true })),
          notifies() {
            try {
              client.notify('notifications/x')
            } catch (error) {
              assert.match(error.code, /^ERR_WIRELINE_/)
            }
          },
          cancels: () => begun.find((it) => it.cancel)?.cancel('no'),
          waits: () => turns(1),
          aborts: () => control.abort(null),
          closes: () => void client.close(),
          ends: () => ends.server.output.end(),
          breaks: () => ends.client.output.destroy(new Error('broken')),
          'breaks off': () => ends.client.input.destroy(new Error('broken')),
          'reads text': () => ends.client.input.setEncoding('utf8'),
        }
        for (const it of steps) await acts[it.does](it)
        await client.close()
        await Promise.allSettled(begun)
      })
      assert.deepEqual(found, [])
    }),
    { numRuns: 300 }
  )
  clearInterval(alive)
})
