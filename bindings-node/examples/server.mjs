// server.mjs
import { Server } from 'wireline/server'
import { z } from 'zod'

const server = new Server({ name: 'calculator', version: '1.0' })

server.tool('add', { description: 'Add two numbers', input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => String(a + b))

server.tool('count', { description: 'Count, slowly' }, async (_args, { signal, progress }) => {
  for (let n = 1; n <= 3; n++) progress(n, 3)
  return signal.aborted ? 'stopped' : 'three'
})

await server.serveStdio()
