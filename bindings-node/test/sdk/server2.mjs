// A server on the TypeScript SDK 2.x, on its own transport or on ours.

import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport as Sdk } from '@modelcontextprotocol/server/stdio'
import { StdioServerTransport } from 'wireline/mcp'
import { z } from 'zod'

const text = (text) => ({ content: [{ type: 'text', text }] })

function build() {
  const server = new McpServer({ name: 'sdk2', version: '1.0.0' })
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async (given) => text(given.text))
  server.registerTool('boom', {}, async () => {
    throw new Error('boom')
  })
  server.registerTool('print', {}, async () => {
    console.log('printed')
    return text('ok')
  })
  server.registerTool('slow', { inputSchema: z.object({ steps: z.number() }) }, async ({ steps }, context) => {
    const { progressToken } = context.mcpReq._meta ?? {}
    for (let progress = 1; progress <= steps; progress++) {
      if (progressToken !== undefined) {
        await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: steps } })
      }
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    return text(`done ${steps}`)
  })
  return server
}

const Transport = process.argv[2] === 'ours' ? StdioServerTransport : Sdk
serveStdio(build, { transport: new Transport() })
