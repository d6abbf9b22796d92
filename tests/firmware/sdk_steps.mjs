// sdk_tsN.mjs ERA INFO COMMAND...: what the TypeScript SDKs do as clients of the board that COMMAND runs. INFO is what its resource says.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

export const [era, info, command, ...args] = process.argv.slice(2);
export const MODERN = era === 'modern';

/** `call` takes a tool and options. */
export async function session(client, call) {
    assert.equal(client.getServerVersion().name, 'board');
    const names = [];
    let cursor;
    do {
        const page = await client.listTools(cursor ? { cursor } : undefined);
        names.push(...page.tools.map((tool) => tool.name));
        cursor = page.nextCursor;
    } while (cursor);
    assert.deepEqual(names, ['led_set', 'register_read', 'sensor_read']);

    const said = async (name, given, options) => {
        const result = await call({ name, arguments: given }, options);
        return [result.isError ?? false, result.content[0].text];
    };
    assert.deepEqual(await said('led_set', { on: true }), [false, 'on']);
    assert.deepEqual(await said('register_read', { name: 'led' }), [false, '00000001']);
    assert((await said('led_set', { on: 1 }))[0]);
    // The SDK forgets progress that it reads together with the result, as it does on a busy machine: then once more.
    let seen;
    for (let attempt = 0; attempt < 5 && seen?.length !== 2; attempt++) {
        seen = [];
        const onprogress = ({ progress, total }) => void seen.push([progress, total]);
        assert.deepEqual(await said('sensor_read', { samples: 3 }, { onprogress }), [false, '21.48']);
        await sleep(50);
    }
    assert.deepEqual(seen, [
        [1, 3],
        [2, 3],
    ]);
    const stop = new AbortController();
    const reading = said('sensor_read', { samples: 1000 }, { signal: stop.signal });
    await sleep(100);
    stop.abort('enough');
    await assert.rejects(reading);
    // Were it still at work, it would be busy.
    assert.deepEqual(await said('sensor_read', { samples: 1 }), [false, '21.45']);
    await assert.rejects(said('led_set', { on: 'x'.repeat(600) }), (error) => {
        assert.equal(error.code, -32600);
        assert.equal(error.data.limit, 'too-long');
        return true;
    });
    const { resources } = await client.listResources();
    assert.deepEqual(
        resources.map(({ uri }) => uri),
        ['board://info'],
    );
    const { contents } = await client.readResource({ uri: 'board://info' });
    assert.equal(contents[0].text, info);
    await client.close();
}
