import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport as Sdk } from '@modelcontextprotocol/server/stdio'
import { StdioServerTransport } from 'wireline/mcp'

serveStdio(() => new McpServer({ name: 'bench', version: '1.0' }), { transport: process.argv[2] === 'ours' ? new StdioServerTransport() : new Sdk() })
