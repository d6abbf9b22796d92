// A server of ours with the tools that the live sessions' clients call.

import { Server } from 'wireline/server'
import { z } from 'zod'

const server = new Server({ name: 'live-node', version: '1.0.0' })
server.tool('echo', { description: 'Gives the text back.', input: z.object({ text: z.string() }) }, ({ text }) => text)
server.tool('slow', { description: 'Works in steps, and tells of each.', input: z.object({ steps: z.number() }) }, async ({ steps }, { progress }) => {
  for (let step = 1; step <= steps; step++) {
    progress(step, steps, `step ${step}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return `done ${steps}`
})
server.tool('boom', { description: 'Fails.' }, () => {
  throw new Error('boom ✗')
})
server.resource('test://somewhere', { name: 'somewhere' }, () => 'here')
await server.serveStdio()
