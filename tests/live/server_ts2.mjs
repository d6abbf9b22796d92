// A server on the TypeScript SDK 2.x, for both eras.
import { McpServer, ResourceTemplate, acceptedContent, completable, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (text) => ({ content: [{ type: 'text', text }] });
const wanted = (request) => inputRequired({ inputRequests: { answer: request } });

serveStdio(() => {
    const server = new McpServer({ name: 'live-ts2', version: '1.0.0' });

    server.registerTool(
        'echo',
        { description: 'Gives the text back.', inputSchema: z.object({ text: z.string() }) },
        async (given) => text(given.text),
    );

    server.registerTool(
        'slow',
        { description: 'Works in steps, and tells of each.', inputSchema: z.object({ steps: z.number() }) },
        async ({ steps }, ctx) => {
            const progressToken = ctx.mcpReq._meta?.progressToken;
            for (let progress = 1; progress <= steps; progress++) {
                if (progressToken !== undefined) {
                    await ctx.mcpReq.notify({
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

    server.registerTool('ask', { description: 'Asks the user for a name.' }, async (ctx) => {
        const requestedSchema = z.object({ name: z.string() });
        const answer = acceptedContent(ctx.mcpReq.inputResponses, 'answer', requestedSchema);
        if (answer === undefined) {
            return wanted(inputRequired.elicit({ message: 'What is your name?', requestedSchema }));
        }
        return text(`the user said ${answer.name}`);
    });

    server.registerTool('sample', { description: 'Asks the model.' }, async (ctx) => {
        const answer = inputResponse(ctx.mcpReq.inputResponses, 'answer');
        if (answer.kind !== 'sampling') {
            const messages = [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }];
            return wanted(inputRequired.createMessage({ messages, maxTokens: 100 }));
        }
        return text(`the model said ${answer.result.content.text}`);
    });

    server.registerTool('roots', { description: 'Asks for the roots.' }, async (ctx) => {
        const answer = inputResponse(ctx.mcpReq.inputResponses, 'answer');
        if (answer.kind !== 'roots') {
            return wanted(inputRequired.listRoots());
        }
        return text(answer.roots.map((root) => root.uri).join('\n'));
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
        { description: 'Greets somebody.', argsSchema: z.object({ name: completable(z.string(), names) }) },
        ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Please greet ${name}.` } }] }),
    );

    return server;
});
