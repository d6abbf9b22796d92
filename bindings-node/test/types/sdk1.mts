// Our transports are the SDK's, by its own types: 1.x.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { StdioClientTransport, StdioServerTransport } from 'wireline/mcp'

new StdioServerTransport() satisfies Transport
new StdioClientTransport({ command: 'x', args: ['y'], env: { A: 'b' }, stderr: 'pipe', cwd: '/' }) satisfies Transport

export async function run(): Promise<void> {
  await new McpServer({ name: 'x', version: '1' }).connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: 1 }))
  await new Client({ name: 'x', version: '1' }).connect(new StdioClientTransport({ command: 'x' }))
}
