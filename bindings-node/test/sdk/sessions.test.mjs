// The SDK's Client and Server on our transports, in every pair of versions and transports, each in a process of its own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { Client as Client2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Sdk1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StdioClientTransport as Sdk2 } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport } from 'wireline/mcp'

const who = { name: 'test', version: '1.0.0' }
const server = (version, transport) => ({ command: process.execPath, args: [fileURLToPath(new URL(`server${version}.mjs`, import.meta.url)), transport], stderr: 'ignore' })

const CLIENTS = {
  'SDK 1': (transport) => ({ client: new Client1(who), transport, call: (client, call, options) => client.callTool(call, undefined, options) }),
  'SDK 2, legacy': (transport) => ({ client: new Client2(who), transport, call: (client, call, options) => client.callTool(call, options) }),
  'SDK 2, modern': (transport) => ({ client: new Client2(who, { versionNegotiation: { mode: 'auto' } }), transport, call: (client, call, options) => client.callTool(call, options) }),
}

const TEXT = 'héllo 😀 " \\ \n\t end \u2028 \u0085.'

async function session({ client, transport, call }, modern) {
  await client.connect(transport)
  try {
    assert.deepEqual((await client.listTools()).tools.map((it) => it.name).sort(), ['boom', 'echo', 'print', 'slow'])
    for (const text of [TEXT, 'ø€😀'.repeat(50_000)]) {
      assert.equal((await call(client, { name: 'echo', arguments: { text } })).content[0].text, text)
    }
    const seen = []
    const slow = await call(client, { name: 'slow', arguments: { steps: 3 } }, { onprogress: ({ progress }) => seen.push(progress) })
    assert.equal(slow.content[0].text, 'done 3')
    assert.deepEqual(seen, [1, 2, 3])
    assert.equal((await call(client, { name: 'boom', arguments: {} })).isError, true)
    assert.equal((await call(client, { name: 'print', arguments: {} })).content[0].text, 'ok')
    const all = await Promise.all(Array.from({ length: 100 }, (_, at) => call(client, { name: 'echo', arguments: { text: String(at) } })))
    assert.deepEqual(all.map((it) => it.content[0].text), Array.from({ length: 100 }, (_, at) => String(at)))
    const control = new AbortController()
    const cancelled = call(client, { name: 'slow', arguments: { steps: 1000 } }, { signal: control.signal })
    setTimeout(() => control.abort('enough'), 20)
    await assert.rejects(cancelled)
    if (!modern) await client.ping()
  } finally {
    await client.close()
  }
}

for (const version of [1, 2]) {
  for (const [who, prepare] of Object.entries(CLIENTS)) {
    const Sdk = who === 'SDK 1' ? Sdk1 : Sdk2
    const modern = who.endsWith('modern') && version === 2
    for (const [ours, theirs] of [[true, true], [true, false], [false, true]]) {
      const name = `client of ${who} on ${ours ? 'our' : 'its own'} transport, server of SDK ${version} on ${theirs ? 'our' : 'its own'} transport`
      // What a tool prints ends up in the protocol of the SDK's own server transport.
      test(name, { timeout: 30_000 }, async () => {
        const given = server(version, theirs ? 'ours' : 'sdk')
        await session(prepare(ours ? new StdioClientTransport(given) : new Sdk(given)), modern)
      })
    }
  }
}
