// What the TypeScript clients of `wireline serve` have in common: the steps that they take. How they tell of them: steps.py.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const [era, folder, command, ...args] = process.argv.slice(2);
export const MODERN = era === 'modern';

const TEXT = 'héllo 😀 " \\ \n\t end \u2028 \u0085 \u202e.';
const SAMPLED = "a model's answer ✓";
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
// The SDK 2.x makes the code of the older revisions, -32002, that of the newest.
const NO_RESOURCE = [INVALID_PARAMS, ...(MODERN ? [] : [-32002])];
const WATCHED = 'file:///watched.txt';

export const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };

/** What the client answers when it is asked. */
export const answers = {
    elicit: async ({ params }) => {
        assert.equal(params.message, 'What is your name?');
        assert('name' in params.requestedSchema.properties);
        return { action: 'accept', content: { name: 'Ada' } };
    },
    sample: async ({ params }) => {
        assert.equal([params.messages[0].content].flat()[0].text, 'Say hello.');
        assert.equal(params.maxTokens, 100);
        return { role: 'assistant', content: { type: 'text', text: SAMPLED }, model: 'none' };
    },
    roots: async () => ({ roots: [{ uri: 'file:///a/root' }] }),
};

const taken = {};

async function step(name, run) {
    try {
        await run();
        taken[name] = null;
    } catch (error) {
        console.error(name, error);
        taken[name] = { failed: `${error.name}: ${error.message}` };
    }
}

/**
 * Takes all steps. What differs between the major versions: `connect`; `call` with a tool and options; `raw` with a method and params;
 * `watch` with a URI and what to do meanwhile, which ends when the URI has been told of; `log` with a level, giving the levels logged.
 */
export async function session(client, { sdk, version, connect, revision, call, raw, watch, log }) {
    const fails = (code, promise) =>
        assert.rejects(promise, (error) => {
            assert([code].flat().includes(error.code), `${error.code} instead of ${code}: ${error}`);
            return true;
        });
    const said = (result) => result.content[0].text;

    // Follows the cursors; an SDK that does so itself gives none.
    const pages = async (list, name) => {
        const entries = [];
        let cursor;
        do {
            const page = await list.call(client, cursor === undefined ? undefined : { cursor });
            entries.push(...page[name]);
            cursor = page.nextCursor;
        } while (cursor !== undefined);
        return entries;
    };

    await step('open', async () => {
        await connect();
        assert.equal(client.getServerVersion().name, 'wireline-serve');
        assert.equal(revision(), MODERN ? '2026-07-28' : '2025-11-25');
    });
    await step('tools', async () => {
        const names = (await pages(client.listTools, 'tools')).map((tool) => tool.name);
        for (const name of ['echo', 'add', 'fail', 'hang', 'three_steps', 'ask', 'sample', 'roots', 'log']) {
            assert(names.includes(name), name);
        }
    });
    await step('resources', async () => {
        const uris = (await pages(client.listResources, 'resources')).map((resource) => resource.uri);
        for (const uri of ['file:///hello.txt', 'file:///data.bin', 'file:///notes/a%20b.md']) {
            assert(uris.includes(uri), uri);
        }
    });
    await step('templates', async () => {
        const templates = await pages(client.listResourceTemplates, 'resourceTemplates');
        assert.deepEqual(templates.map((template) => template.uriTemplate), ['file:///{path}']);
    });
    await step('prompts', async () => {
        const greet = (await pages(client.listPrompts, 'prompts')).find((prompt) => prompt.name === 'greet');
        assert.deepEqual(greet.arguments.map(({ name, required }) => [name, required]), [['name', true], ['tone', false]]);
    });
    await step('call', async () => {
        for (const text of [TEXT, 'ø€😀'.repeat(40_000)]) {
            const result = await call({ name: 'echo', arguments: { text } });
            assert.equal(result.isError ?? false, false);
            assert.equal(said(result), text);
        }
        assert.deepEqual((await call({ name: 'add', arguments: { a: 2, b: 3 } })).structuredContent, { sum: 5 });
        const failed = await call({ name: 'fail', arguments: { message: 'boom ✗' } });
        assert.equal(failed.isError, true);
        assert.equal(said(failed), 'boom ✗');
    });
    await step('progress', async () => {
        const seen = [];
        const onprogress = ({ progress, total }) => seen.push([progress, total]);
        // Half a moment between the last step and the answer: the SDK passes over progress that it reads together with the answer.
        const result = await call({ name: 'progress', arguments: { steps: 3, ms: 50 } }, { onprogress });
        assert.equal(said(result), 'all steps done');
        assert.deepEqual(seen, [[1, 3], [2, 3], [3, 3]]);
    });
    await step('cancel', async () => {
        await assert.rejects(call({ name: 'hang', arguments: {} }, { signal: AbortSignal.timeout(200) }));
        assert.equal(said(await call({ name: 'echo', arguments: { text: 'on' } })), 'on');
    });
    await step('read', async () => {
        assert.equal((await client.readResource({ uri: 'file:///hello.txt' })).contents[0].text, 'Hello, wörld 😀');
        const { blob } = (await client.readResource({ uri: 'file:///data.bin' })).contents[0];
        assert.deepEqual([...Buffer.from(blob, 'base64')], [...Array(256).keys()]);
    });
    await step('get', async () => {
        const { messages } = await client.getPrompt({ name: 'greet', arguments: { name: 'Ada', tone: 'terse' } });
        assert.equal(messages[0].content.text, 'Please greet Ada, and be terse.');
    });
    await step('complete', async () => {
        const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' } });
        assert.deepEqual(completion.values, ['Ada', 'Alan']);
    });
    await step('errors', async () => {
        await fails(INVALID_PARAMS, call({ name: 'no-such-tool', arguments: {} }));
        await fails(INVALID_PARAMS, client.getPrompt({ name: 'greet', arguments: {} }));
        await fails(NO_RESOURCE, client.readResource({ uri: 'file:///nowhere' }));
        await fails(METHOD_NOT_FOUND, raw('wireline/none', {}));
        await fails(INVALID_PARAMS, raw('tools/call', {}));
    });
    await step('elicit', async () => {
        assert.equal(said(await call({ name: 'ask', arguments: {} })), 'the user said {"name":"Ada"}');
    });
    await step('sample', async () => {
        assert.equal(said(await call({ name: 'sample', arguments: {} })), `the model said ${SAMPLED}`);
    });
    await step('roots', async () => {
        assert.equal(said(await call({ name: 'roots', arguments: {} })), 'file:///a/root');
    });
    await step('log', async () => {
        const logged = await log('warning', { name: 'log', arguments: {} });
        assert.deepEqual(logged, LEVELS.slice(3));
    });
    await step('updates', async () => {
        const late = sleep(10_000, 'late', { ref: false });
        const told = watch(WATCHED, () => writeFileSync(join(folder, 'watched.txt'), 'changed'));
        assert.notEqual(await Promise.race([told, late]), 'late');
    });
    if (MODERN) {
        taken.ping = { none: '2026-07-28 has none' };
    } else {
        await step('ping', () => client.ping());
    }
    const spoken = revision();
    await client.close();
    console.log(JSON.stringify({ sdk, version, revision: spoken, steps: taken }));
}
