// A server on the TypeScript SDK 1.x.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'live-ts1', version: '1.0.0' });

server.registerTool('echo', { description: 'Gives the text back.', inputSchema: { text: z.string() } }, async ({ text }) => ({
    content: [{ type: 'text', text }],
}));

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

await server.connect(new StdioServerTransport());
