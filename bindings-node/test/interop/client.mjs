// client.mjs ERA COMMAND...: a session of ours with somebody else's server. Prints the revision.

import assert from 'node:assert/strict'
import { REVISIONS } from 'wireline'
import { Client } from 'wireline/client'

const TEXT = 'héllo 😀 " \\ \n\t end \u2028 \u0085 \u202e.'
const [era, command, ...args] = process.argv.slice(2)
const revisions = era === 'legacy' ? REVISIONS.slice(0, 4) : REVISIONS
const broken = []
const client = await Client.spawn({ command, args, stderr: 'ignore' }, { name: 'live-node', version: '1.0.0', revisions })
client.on('violation', (rules) => broken.push(...rules))
client.on('fault', (fault) => broken.push(fault.code))
const names = (await client.listTools()).map((tool) => tool.name)
for (const name of ['echo', 'slow', 'boom']) assert.ok(names.includes(name), name)
for (const text of [TEXT, 'ø€😀'.repeat(40_000)]) {
  assert.equal((await client.callTool('echo', { text })).content[0].text, text)
}
const seen = []
const result = await client.callTool('slow', { steps: 3 }, { onProgress: ({ progress }) => seen.push(progress) })
assert.equal(result.content[0].text, 'done 3')
assert.deepEqual(seen, [1, 2, 3])
assert.equal((await client.callTool('boom')).isError, true)
await assert.rejects(client.callTool('hang', {}, { timeout: 100 }), { code: 'ERR_WIRELINE_TIMED_OUT' })
await assert.rejects(client.request('resources/read', { uri: 'test://nowhere' }))
if (client.revision !== '2026-07-28') await client.ping()
const { revision } = client
await client.close()
assert.deepEqual(broken, [])
console.log(revision)
