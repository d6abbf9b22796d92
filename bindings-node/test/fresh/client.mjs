import assert from 'node:assert/strict'
import { Client } from 'wireline/client'

const client = await Client.spawn({ command: process.execPath, args: process.argv.slice(2) }, { name: 'fresh', version: '1.0' })
assert.equal((await client.callTool('add', { a: 1, b: 2 })).content[0].text, '3')
await client.close()
