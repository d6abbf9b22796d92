// The TypeScript SDK 2.x as a client of a board: see sdk_steps.mjs.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MODERN, args, command, session } from './sdk_steps.mjs';

const client = new Client(
    { name: 'board-ts2', version: '1.0.0' },
    { versionNegotiation: { mode: MODERN ? 'auto' : 'legacy' } },
);
await client.connect(new StdioClientTransport({ command, args }));
assert.equal(client.getNegotiatedProtocolVersion(), MODERN ? '2026-07-28' : '2025-11-25');
await session(client, (tool, options) => client.callTool(tool, options));
