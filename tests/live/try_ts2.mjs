// The TypeScript SDK 2.x as a client of `wireline serve`, in either era. See steps.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Client, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { CAPABILITIES, MODERN, answers, args, command, session } from './steps.mjs';

const client = new Client(
    { name: 'live-ts2', version: '1.0.0' },
    { capabilities: CAPABILITIES, versionNegotiation: { mode: MODERN ? 'auto' : 'legacy' } },
);
client.setRequestHandler('elicitation/create', answers.elicit);
client.setRequestHandler('sampling/createMessage', answers.sample);
client.setRequestHandler('roots/list', answers.roots);
const call = (tool, options) => client.callTool(tool, options);
// The package does not export its manifest.
const manifest = new URL('./node_modules/@modelcontextprotocol/client/package.json', import.meta.url);

await session(client, {
    sdk: 'npm @modelcontextprotocol/client',
    version: JSON.parse(readFileSync(manifest, 'utf8')).version,
    connect: () => client.connect(new StdioClientTransport({ command, args })),
    revision: () => client.getNegotiatedProtocolVersion(),
    call,
    raw: (method, params) => client.request({ method, params }, z.looseObject({})),
    watch: async (uri, change) => {
        const told = new Promise((resolve) => {
            client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
        });
        const subscription = MODERN ? await client.listen({ resourceSubscriptions: [uri] }) : await client.subscribeResource({ uri });
        change();
        assert.equal(await told, uri);
        await (MODERN ? subscription.close() : client.unsubscribeResource({ uri }));
    },
    log: async (level, tool) => {
        const logged = [];
        client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params.level));
        if (MODERN) {
            await call({ ...tool, _meta: { [LOG_LEVEL_META_KEY]: level } });
        } else {
            await client.setLoggingLevel(level);
            await call(tool);
        }
        return logged;
    },
});
