// What README.md and docs/node.md show is what is here, and it runs.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const read = (name) => readFileSync(path(name), 'utf8')

function blocks(text, languages) {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, language]) => languages.includes(language)).map(([, , code]) => code)
}

function run(args, cwd) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: 20_000, input: '' })
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`)
  return stdout
}

test('the README shows the examples as they are', () => {
  const section = /^## Node$(.*?)^## /ms.exec(read('../../README.md'))[1]
  const shown = blocks(section, ['js', 'ts'])
  const files = readdirSync(path('../examples'))
  assert.deepEqual(shown.map((code) => /^\/\/ (\S+)\n/.exec(code)?.[1]).sort(), files.sort())
  for (const code of shown) assert.equal(code, read(`../examples/${/^\/\/ (\S+)\n/.exec(code)[1]}`))
})

test('the examples run', (t) => {
  assert.match(run(['examples/client.mjs'], path('..')), /^2026-07-28 \[ 'add', 'count' \]\n.*'3'.*3 of 3.*'three'/s)
  // Node takes types off from 22.18 on; before, the type tests alone look at it.
  if (process.features.typescript) run(['examples/gateway.mts'], path('..'))
  else t.diagnostic(`gateway.mts was compiled and not run: Node ${process.version} takes no types off`)
})

test('what docs/node.md shows runs', () => {
  const shown = blocks(read('../../docs/node.md'), ['js'])
  assert.ok(shown.length >= 4)
  // Beside the package, so that it finds itself by its name.
  const folder = path('../build-docs')
  mkdirSync(folder, { recursive: true })
  try {
    shown.forEach((code, at) => {
      writeFileSync(`${folder}/${at}.mjs`, code)
      run([`build-docs/${at}.mjs`], path('..'))
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('versions agree', () => {
  const { version, engines } = JSON.parse(read('../package.json'))
  assert.equal(/^version = "(.*)"$/m.exec(read('../../Cargo.toml'))[1], version)
  assert.equal(JSON.parse(read('../package-lock.json')).version, version)
  assert.equal(/VERSION = '(.*)'/.exec(read('../js/addon.mts'))[1], version)
  assert.equal(engines.node, '>=20.9.0')
})
