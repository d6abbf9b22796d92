import { Server } from 'wireline/server'

const server = new Server({ name: 'runtime', version: '1.0' })
server.tool('echo', ({ text }) => {
  console.log('not for the protocol')
  return text
})
await server.serveStdio()
