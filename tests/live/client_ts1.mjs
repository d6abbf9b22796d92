// client_ts1.mjs COMMAND...: a session on the TypeScript SDK 1.x.
import { createRequire } from 'node:module';
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
const { version } = createRequire(import.meta.url)('@modelcontextprotocol/sdk/package.json');
console.log(JSON.stringify({ sdk: `@modelcontextprotocol/sdk ${version}`, protocol }));
