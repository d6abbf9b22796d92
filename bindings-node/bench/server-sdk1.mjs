import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport as Sdk } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StdioServerTransport } from 'wireline/mcp'

await new McpServer({ name: 'bench', version: '1.0' }).connect(process.argv[2] === 'ours' ? new StdioServerTransport() : new Sdk())
