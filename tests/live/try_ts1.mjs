// The TypeScript SDK 1.x as a client of `wireline serve`. See steps.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { CAPABILITIES, answers, args, command, session } from './steps.mjs';

const client = new Client({ name: 'live-ts1', version: '1.0.0' }, { capabilities: CAPABILITIES });
client.setRequestHandler(types.ElicitRequestSchema, answers.elicit);
client.setRequestHandler(types.CreateMessageRequestSchema, answers.sample);
client.setRequestHandler(types.ListRootsRequestSchema, answers.roots);
const transport = new StdioClientTransport({ command, args });
let spoken;
transport.setProtocolVersion = (version) => (spoken = version);
const call = (tool, options) => client.callTool(tool, undefined, options);
// What the package exports as its manifest is not the whole of it.
const manifest = new URL('./node_modules/@modelcontextprotocol/sdk/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));

await session(client, {
    sdk: 'npm @modelcontextprotocol/sdk',
    version,
    connect: () => client.connect(transport),
    revision: () => spoken,
    call,
    raw: (method, params) => client.request({ method, params }, z.looseObject({})),
    watch: async (uri, change) => {
        const told = new Promise((resolve) => {
            client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
        });
        await client.subscribeResource({ uri });
        change();
        assert.equal(await told, uri);
        await client.unsubscribeResource({ uri });
    },
    log: async (level, tool) => {
        const logged = [];
        client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => void logged.push(params.level));
        await client.setLoggingLevel(level);
        await call(tool);
        return logged;
    },
});
