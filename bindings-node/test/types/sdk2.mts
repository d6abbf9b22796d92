// Our transports are the SDK's, by its own types: 2.x.

import { Client } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { StdioClientTransport, StdioServerTransport } from 'wireline/mcp'

export async function run(): Promise<void> {
  await new McpServer({ name: 'x', version: '1' }).connect(new StdioServerTransport())
  serveStdio(() => new McpServer({ name: 'x', version: '1' }), { transport: new StdioServerTransport() })
  await new Client({ name: 'x', version: '1' }).connect(new StdioClientTransport({ command: 'x' }))
}
