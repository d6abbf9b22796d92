// client_ts1.mjs COMMAND...: a session on the TypeScript SDK 1.x.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { session } from './session.mjs';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'live-ts1', version: '1.0.0' });
const transport = new StdioClientTransport({ command, args });
let protocol;
transport.setProtocolVersion = (version) => (protocol = version);
await client.connect(transport);
await session(client, (call, onprogress) => client.callTool(call, undefined, { onprogress }));
await client.ping();
await client.close();
// What the package exports as its manifest is not the whole of it.
const manifest = new URL('./node_modules/@modelcontextprotocol/sdk/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
console.log(JSON.stringify({ sdk: `@modelcontextprotocol/sdk ${version}`, protocol }));
