// client_ts2.mjs COMMAND...: a session on the TypeScript SDK 2.x, in the newest revision that the server knows.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { session } from './session.mjs';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'live-ts2', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StdioClientTransport({ command, args }));
await session(client, (call, onprogress) => client.callTool(call, { onprogress }));
const protocol = client.getNegotiatedProtocolVersion();
await client.close();
// The package does not export its manifest.
const manifest = new URL('./node_modules/@modelcontextprotocol/client/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
console.log(JSON.stringify({ sdk: `@modelcontextprotocol/client ${version}`, protocol }));
