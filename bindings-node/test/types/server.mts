// What a tool's function gets follows from its schema.

import { Client } from 'wireline/client'
import { Server, type StandardSchema } from 'wireline/server'
import { z } from 'zod'

const server = new Server({ name: 'x', version: '1' })
server.tool('zod', { input: z.object({ a: z.number(), b: z.string().optional() }) }, ({ a, b }, { signal, progress }) => {
  a satisfies number
  b satisfies string | undefined
  signal satisfies AbortSignal
  progress(1, 2, 'x')
  // @ts-expect-error it has no such argument
  return ({ a, b } as { a: number; b?: string }).c
})
server.tool('default', { input: z.object({ n: z.number().default(1) }) }, ({ n }) => n satisfies number)
declare const own: StandardSchema<unknown, { x: boolean }>
server.tool('own', { input: own, inputSchema: { type: 'object' } }, ({ x }) => x satisfies boolean)
server.tool('plain', { input: { type: 'object', properties: {} } }, (args) => Object.keys(args))
server.tool('none', () => 'x').prompt('p', () => 'x').resource('a://b', (uri) => uri)
// @ts-expect-error a function is needed
server.tool('none', { description: 'x' })

export async function client(): Promise<void> {
  const client = await Client.spawn({ command: 'x' }, { name: 'x', version: '1' })
  const call = client.callTool('x', { a: 1 }, { signal: AbortSignal.timeout(1) })
  for await (const { progress, total } of call.progress) progress satisfies number, total satisfies number | undefined
  const result = await call
  result['content']
  client.on('fault', (fault) => fault.offset satisfies number)
  // @ts-expect-error there is no such event
  client.on('noise', () => {})
  await client.close()
}
server.tool('told', (_args, { progress, log }) => {
  progress(1) satisfies boolean
  log('info', 1) satisfies boolean
})
