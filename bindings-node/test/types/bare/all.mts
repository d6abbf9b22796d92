// Every entry has types that stand on their own: this is compiled without those of Node and of browsers.

import { Decoder, DecoderTransform, messages, ServerSession, type ByteSource, type Item } from 'wireline'
import { Client } from 'wireline/client'
import { StdioClientTransport, StdioServerTransport } from 'wireline/mcp'
import { Server } from 'wireline/server'
import { init } from 'wireline/wasm'

const items: Item[] = new Decoder({ from: 'client' }).push(new Uint8Array(0))
const source: ByteSource = [new Uint8Array(0)]
for await (const item of messages(source)) console(item.kind === 'fault' ? item.code : item.id)
const server = new Server({ name: 'bare', version: '1.0' }).tool('x', () => 'y')
// @ts-expect-error: a name is text
new Server({ name: 5, version: '1.0' })
// @ts-expect-error: there is no such option
new Decoder({ maxMassage: 5 })

declare function console(...values: unknown[]): void
export { Client, DecoderTransform, init, items, server, ServerSession, StdioClientTransport, StdioServerTransport }
