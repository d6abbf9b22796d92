// A server on the TypeScript SDK 1.x, on its own transport or on ours.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport as Sdk } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StdioServerTransport } from 'wireline/mcp'
import { z } from 'zod'

const text = (text) => ({ content: [{ type: 'text', text }] })

function build() {
  const server = new McpServer({ name: 'sdk1', version: '1.0.0' })
  server.registerTool('echo', { inputSchema: { text: z.string() } }, async (given) => text(given.text))
  server.registerTool('boom', {}, async () => {
    throw new Error('boom')
  })
  server.registerTool('print', {}, async () => {
    console.log('printed')
    return text('ok')
  })
  server.registerTool('slow', { inputSchema: { steps: z.number() } }, async ({ steps }, extra) => {
    const { progressToken } = extra._meta ?? {}
    for (let progress = 1; progress <= steps; progress++) {
      if (progressToken !== undefined) {
        await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: steps } })
      }
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    return text(`done ${steps}`)
  })
  return server
}

const Transport = process.argv[2] === 'ours' ? StdioServerTransport : Sdk
await build().connect(new Transport())
