import assert from 'node:assert/strict'
import { messages } from 'wireline'
import { StdioServerTransport } from 'wireline/mcp'

const got = []
for await (const item of messages([Buffer.from('{"jsonrpc":"2.0","method":"x"}\nhello\n')])) got.push(item.kind)
assert.deepEqual(got, ['notification', 'fault'])
assert.equal(typeof StdioServerTransport, 'function')
