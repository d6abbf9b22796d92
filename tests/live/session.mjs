// The session that the TypeScript clients have in common. `callWithProgress` differs between the major versions.
import assert from 'node:assert/strict';

const TEXT = 'héllo 😀 " \\ \n\t end \u2028 \u0085 \u202e.';

export async function session(client, callWithProgress) {
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    for (const name of ['echo', 'slow', 'boom']) {
        assert(names.includes(name), name);
    }
    for (const text of [TEXT, 'ø€😀'.repeat(40_000)]) {
        const result = await client.callTool({ name: 'echo', arguments: { text } });
        assert.equal(result.content[0].text, text);
    }
    const seen = [];
    const result = await callWithProgress({ name: 'slow', arguments: { steps: 3 } }, ({ progress }) => seen.push(progress));
    assert.equal(result.content[0].text, 'done 3');
    assert.deepEqual(seen, [1, 2, 3]);
    assert.equal((await client.callTool({ name: 'boom', arguments: {} })).isError, true);
    await assert.rejects(client.readResource({ uri: 'test://nowhere' }));
}
