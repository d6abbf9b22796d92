// client.mjs
import { fileURLToPath } from 'node:url'
import { Client } from 'wireline/client'

const server = fileURLToPath(new URL('server.mjs', import.meta.url))
const client = await Client.spawn({ command: 'node', args: [server] }, { name: 'example', version: '1.0' })

console.log(client.revision, (await client.listTools()).map((tool) => tool.name))
console.log((await client.callTool('add', { a: 1, b: 2 })).content)

const call = client.callTool('count', {}, { signal: AbortSignal.timeout(5000) })
for await (const { progress, total } of call.progress) console.log(`${progress} of ${total}`)
console.log((await call).content)

await client.close()
