// Which files bundlers and runtimes get.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const home = fileURLToPath(new URL('..', import.meta.url))

/** The files that a program gets that imports the package, and what is left to the runtime. */
function bundled(platform, conditions, format = 'esm') {
  const contents = format === 'esm' ? "import { Decoder } from 'wireline'; new Decoder()" : "new (require('wireline').Decoder)()"
  const { metafile } = buildSync({
    stdin: { contents, resolveDir: home },
    absWorkingDir: home,
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    platform,
    format,
    conditions,
    loader: { '.node': 'file', '.wasm': 'file' },
    outdir: 'out',
  })
  const inputs = Object.values(metafile.inputs)
  return { files: Object.keys(metafile.inputs), left: inputs.flatMap((it) => it.imports.filter((one) => one.external).map((one) => one.path)) }
}

for (const [platform, condition] of [['browser', undefined], ['neutral', 'edge-light'], ['neutral', 'worker'], ['neutral', 'react-native'], ['neutral', 'workerd'], ['neutral', undefined]]) {
  for (const [format, ending] of [['esm', 'mjs'], ['cjs', 'cjs']]) {
    test(`${platform}, ${condition ?? 'no condition'}, ${format}: nothing of Node`, () => {
      const { files, left } = bundled(platform, condition === undefined ? [] : [condition], format)
      assert.ok(files.includes(`dist/web.${ending}`), files.join())
      assert.ok(!files.some((it) => it.startsWith('native.')) && !files.includes(`dist/index.${ending}`), files.join())
      assert.deepEqual(left, [])
    })
  }
}

for (const [format, ending] of [['esm', 'mjs'], ['cjs', 'cjs']]) {
  test(`node, ${format}: the addon, and streams of Node`, () => {
    const { files } = bundled('node', [], format)
    assert.ok(files.includes(`dist/index.${ending}`) && files.includes(`native.${ending}`), files.join())
    // Not the same in two formats.
    assert.ok(!files.some((it) => !it.endsWith(`.${ending}`) && it !== '<stdin>'), files.join())
  })
}
