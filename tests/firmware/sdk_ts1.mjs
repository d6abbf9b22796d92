// The TypeScript SDK 1.x as a client of a board: see sdk_steps.mjs.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { MODERN, args, command, session } from './sdk_steps.mjs';

assert(!MODERN);
const client = new Client({ name: 'board-ts1', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args }));
await session(client, (tool, options) => client.callTool(tool, undefined, options));
