// Programs that a bundler has put into one file: they find the addon near them, or take the WebAssembly that is in them.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const home = fileURLToPath(new URL('..', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'wireline-bundles-'))
after(() => rmSync(temporary, { recursive: true }))

const PARTS = ['wireline', 'wireline/client', 'wireline/mcp', 'wireline/server', 'wireline/wasm']
const USE = `
  const line = '{"jsonrpc":"2.0","id":1,"method":"ping"}\\n'
  for (const part of [client.Client, mcp.StdioServerTransport, server.Server, wasm.init]) if (typeof part !== 'function') throw new Error('a part is missing')
  const session = new wireline.ServerSession({ name: 'x', version: '1' })
  console.log(wireline.binding, new wireline.Decoder().push(Buffer.from(line))[0].method, String(Buffer.from(session.receive(Buffer.from(line), 0).send)).trim())
`
const name = (part) => part.replace('wireline/', '')
const SOURCES = {
  esm: `${PARTS.map((part) => `import * as ${name(part)} from '${part}'`).join('\n')}\n${USE}`,
  cjs: `${PARTS.map((part) => `const ${name(part)} = require('${part}')`).join('\n')}\n${USE}`,
}

/** Bundles a program that is written in one format into a file of the other. */
function bundle(source, format, folder, options = {}) {
  const outfile = join(folder, `${source}-${format}.${format === 'esm' ? 'mjs' : 'cjs'}`)
  const { warnings } = buildSync({
    stdin: { contents: SOURCES[source], resolveDir: home },
    absWorkingDir: home,
    bundle: true,
    platform: 'node',
    format,
    outfile,
    logLevel: 'silent',
    external: ['cross-spawn'],
    // esbuild says nothing of it about what lies in node_modules.
    logOverride: { 'empty-import-meta': 'silent' },
    // Without it, no CommonJS that needs a module of Node's runs as an ES module.
    ...(source === 'cjs' && format === 'esm' ? { banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" } } : {}),
    ...options,
  })
  assert.deepEqual(warnings, [])
  return outfile
}

function run(file, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', cwd: temporary, env: { ...process.env, WIRELINE_WASM: '0', ...env } })
  assert.equal(status, 0, stderr)
  return { stdout, stderr }
}

const ANSWER = 'ping {"jsonrpc":"2.0","id":1,"result":{}}\n'

// A program beside whose bundle the package is installed, and one that is nothing but its bundle.
const beside = join(temporary, 'beside')
mkdirSync(join(beside, 'node_modules'), { recursive: true })
mkdirSync(join(beside, 'dist'))
symlinkSync(home, join(beside, 'node_modules', 'wireline'), 'junction')
const alone = join(temporary, 'alone')
mkdirSync(alone)

for (const source of ['esm', 'cjs']) {
  for (const format of ['esm', 'cjs']) {
    for (const options of [{}, { minify: true }]) {
      const how = `${source} into ${format}${options.minify === true ? ', minified' : ''}`

      test(`${how}: the addon of the package that is installed near it`, () => {
        const { stdout, stderr } = run(bundle(source, format, join(beside, 'dist'), options))
        assert.deepEqual([stdout, stderr], [`addon ${ANSWER}`, ''])
      })

      test(`${how}: alone it takes WebAssembly, and says so once`, () => {
        const file = bundle(source, format, alone, options)
        const { stdout, stderr } = run(file)
        assert.equal(stdout, `webassembly ${ANSWER}`)
        assert.equal(stderr.match(/WIRELINE_WASM\] WirelineWarning/g)?.length, 1, stderr)
        assert.deepEqual(run(file, { WIRELINE_WASM: '1' }), { stdout: `webassembly ${ANSWER}`, stderr: '' })
      })
    }
  }
}
