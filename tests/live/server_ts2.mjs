// A server on the TypeScript SDK 2.x, for both eras.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
    const server = new McpServer({ name: 'live-ts2', version: '1.0.0' });

    server.registerTool(
        'echo',
        { description: 'Gives the text back.', inputSchema: z.object({ text: z.string() }) },
        async ({ text }) => ({ content: [{ type: 'text', text }] }),
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
                await new Promise((resolve) => setTimeout(resolve, 10));
            }
            return { content: [{ type: 'text', text: `done ${steps}` }] };
        },
    );

    server.registerTool('boom', { description: 'Fails.' }, async () => {
        throw new Error('boom ✗');
    });

    server.registerResource('hello', 'test://hello', { mimeType: 'text/plain' }, async (uri) => ({
        contents: [{ uri: uri.href, text: 'Hello, wörld 😀' }],
    }));

    return server;
});
