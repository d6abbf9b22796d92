// A small weather station: a server on the official TypeScript SDK.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

serveStdio(() => {
    const server = new McpServer({ name: 'weather-station', version: '1.0.0' });

    server.registerTool(
        'read_sensor',
        { description: 'Reads one sensor.', inputSchema: z.object({ sensor: z.enum(['temperature', 'pressure']) }) },
        async ({ sensor }) => ({
            content: [{ type: 'text', text: sensor === 'temperature' ? '21.5 °C' : '1013 hPa' }],
        }),
    );

    server.registerTool(
        'calibrate',
        { description: 'Calibrates all sensors, which takes a moment.' },
        async (ctx) => {
            const progressToken = ctx.mcpReq._meta?.progressToken;
            for (const [progress, message] of [[1, 'zero point'], [2, 'slope'], [3, 'stored']]) {
                await pause(120);
                if (progressToken !== undefined) {
                    await ctx.mcpReq.notify({
                        method: 'notifications/progress',
                        params: { progressToken, progress, total: 3, message },
                    });
                }
            }
            return { content: [{ type: 'text', text: 'calibrated ✓' }] };
        },
    );

    server.registerResource('manual', 'station://manual', { mimeType: 'text/plain' }, async (uri) => ({
        contents: [{ uri: uri.href, text: 'Wetterstation: Bitte nur bei −20…60 °C betreiben. 取扱説明書' }],
    }));

    return server;
});
