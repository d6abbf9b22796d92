// What other runtimes than Node can do with the package: decode, keep a session, serve a child of their own.

import { ClientSession, Decoder, encodeRequest, messages, ServerSession } from 'wireline'
import { Client } from 'wireline/client'

const equal = (got, wanted) => {
  if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`)
}
const bytes = (text) => new TextEncoder().encode(text)

const decoder = new Decoder({ maxMessage: 1000 })
const items = decoder.push(bytes(`{"jsonrpc":"2.0","id":9007199254740993,"method":"é"}\nhello\n${'x'.repeat(2000)}\n`))
equal(items.map((it) => it.fault ?? String(it.id)), ['9007199254740993', 'not-json', 'not-json'])
equal(items[0].method, 'é')
const got = []
for await (const item of messages([encodeRequest(1, 'ping'), encodeRequest(2, 'ping')])) got.push(item.id)
equal(got, [1, 2])

const who = { name: 'runtime', version: '1.0' }
const client = new ClientSession(who)
const server = new ServerSession({ ...who, capabilities: { tools: {} } })
client.receive(server.receive(client.connect(0), 1).send, 2)
equal(client.revision, '2026-07-28')

const child = await Client.spawn({ command: process.execPath, args: [...process.argv.slice(2), new URL('server.mjs', import.meta.url).pathname], stderr: 'ignore' }, who)
const faults = []
child.on('fault', (fault) => faults.push(fault.code))
equal((await child.callTool('echo', { text: 'é' })).content[0].text, 'é')
await child.close()
equal(faults, [])
console.log(`${globalThis.Bun ? 'Bun' : globalThis.Deno ? 'Deno' : 'Node'} ${process.versions.bun ?? process.versions.deno ?? process.version}: loads, decodes, serves`)
