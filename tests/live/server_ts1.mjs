// A server on the TypeScript SDK 1.x.
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'live-ts1', version: '1.0.0' });
const text = (text) => ({ content: [{ type: 'text', text }] });

server.registerTool('echo', { description: 'Gives the text back.', inputSchema: { text: z.string() } }, async (given) =>
    text(given.text),
);

server.registerTool(
    'slow',
    { description: 'Works in steps, and tells of each.', inputSchema: { steps: z.number() } },
    async ({ steps }, extra) => {
        const progressToken = extra._meta?.progressToken;
        for (let progress = 1; progress <= steps; progress++) {
            if (progressToken !== undefined) {
                await extra.sendNotification({
                    method: 'notifications/progress',
                    params: { progressToken, progress, total: steps, message: `step ${progress}` },
                });
            }
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return text(`done ${steps}`);
    },
);

server.registerTool('boom', { description: 'Fails.' }, async () => {
    throw new Error('boom ✗');
});

server.registerTool('hang', { description: 'Never answers.' }, () => new Promise(() => {}));

server.registerTool('ask', { description: 'Asks the user for a name.' }, async () => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const answer = await server.server.elicitInput({ message: 'What is your name?', requestedSchema });
    return text(answer.action === 'accept' ? `the user said ${answer.content.name}` : `the user's answer: ${answer.action}`);
});

server.registerTool('sample', { description: 'Asks the model.' }, async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }];
    const answer = await server.server.createMessage({ messages, maxTokens: 100 });
    return text(`the model said ${answer.content.text}`);
});

server.registerTool('roots', { description: 'Asks for the roots.' }, async () => {
    const { roots } = await server.server.listRoots();
    return text(roots.map((root) => root.uri).join('\n'));
});

server.registerResource('hello', 'test://hello', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, text: 'Hello, wörld 😀' }],
}));

server.registerResource(
    'hello-to',
    new ResourceTemplate('test://hello/{name}', { list: undefined }),
    { mimeType: 'text/plain' },
    async (uri, { name }) => ({ contents: [{ uri: uri.href, text: `Hello, ${name}` }] }),
);

const names = (begun) => ['Ada', 'Alan', 'Grace'].filter((name) => name.startsWith(begun));
server.registerPrompt(
    'greet',
    { description: 'Greets somebody.', argsSchema: { name: completable(z.string(), names) } },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Please greet ${name}.` } }] }),
);

await server.connect(new StdioServerTransport());
