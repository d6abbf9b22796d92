import { Server } from 'wireline/server'

const server = new Server({ name: 'fresh', version: '1.0' })
server.tool('add', { input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } } }, ({ a, b }) => a + b)
await server.serveStdio()
