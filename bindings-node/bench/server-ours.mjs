import { Server } from 'wireline/server'

await new Server({ name: 'bench', version: '1.0' }).serveStdio()
