// bench.mjs CORPORA [quick] [--write]: measures, and prints the tables of docs/node.md, or writes them there.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { long, methods } from './methods.mjs'
import { pings } from './pings.mjs'

const [corpora, ...modes] = process.argv.slice(2)
const quick = modes.includes('quick')
const lines = []
const say = (line) => lines.push(line)
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const few = (value) => (value < 10 ? value.toPrecision(2) : Math.round(value).toLocaleString('en'))
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

function run(table, name, corpus, rounds) {
  const env = { ...process.env, WIRELINE_WASM: name.endsWith('WebAssembly') ? '1' : '0' }
  const out = execFileSync(process.execPath, [here('worker.mjs'), table, name, join(corpora, `${corpus}.ndjson`), String(rounds)], { env, encoding: 'utf8', maxBuffer: 1 << 26 })
  return JSON.parse(out)
}

let slowdown = []
const rows = []

function measure(table, names, corpus, rounds, turns) {
  const all = new Map(names.map((name) => [name, []]))
  // Methods take turns, so that what else the machine does falls on all of them.
  for (let turn = 0; turn < turns; turn++) for (const name of names) all.get(name).push(run(table, name, corpus, rounds))
  let expected
  for (const name of names) {
    const runs = all.get(name)
    // The first rounds are the compiler's.
    const settled = runs.flatMap(({ times }) => times.slice(rounds > 2 ? 2 : 0))
    const [{ sum, bytes }] = runs
    if (table === 'all') {
      expected ??= JSON.stringify(sum)
      if (JSON.stringify(sum) !== expected) throw new Error(`${name} read something else: ${JSON.stringify(sum)}, not ${expected}`)
    }
    const clock = median(settled.map((it) => it.clock))
    const cpu = median(settled.map((it) => it.cpu))
    slowdown.push(clock / cpu)
    rows.push({ corpus, name, cpu, clock, bytes, count: sum?.count ?? 1, grown: Math.max(...runs.map((it) => it.grown)) })
  }
}

const names = Object.keys(methods)
measure('all', names, 'small', 8, quick ? 1 : 3)
measure('all', names, 'mixed', 4, quick ? 1 : 3)
// Either SDK joins each chunk to all before it, which takes its time: a quick run has one of them.
measure('long', Object.keys(long).filter((name) => !(quick && name.startsWith('SDK 2'))), 'line-text', 1, 1)

say(`${quick ? 'One quick run (`bindings-node/bench/run quick`); ' : ''}Node ${process.version}, ${cpus()[0].model}; by the clock ${median(slowdown).toFixed(2)} times as long as on a CPU.\n`)
say('| corpus | method | messages/s, on a CPU | MB/s, on a CPU | MB/s, by the clock | times line split + `JSON.parse` | memory, MiB |')
say('|---|---|--:|--:|--:|--:|--:|')
for (const row of rows) {
  const base = rows.find((it) => it.corpus === row.corpus && it.name.startsWith('line split'))
  const cells = [row.corpus, row.name, few((row.count / row.cpu) * 1000), (row.bytes / row.cpu / 1000).toFixed(0), (row.bytes / row.clock / 1000).toFixed(0), (base.cpu / row.cpu).toFixed(base.cpu < row.cpu / 10 ? 3 : 1), row.grown.toFixed(0)]
  say(`| ${cells.join(' | ')} |`)
}

say('\n| server | pipelined pings/s | peak memory, MiB |')
say('|---|--:|--:|')
const servers = [
  ['**wireline** `Server`', ['server-ours.mjs'], 1_000_000],
  ['**wireline** `Server`, WebAssembly', ['server-ours.mjs', 'wasm'], 1_000_000],
  ['SDK 1, its own transport', ['server-sdk1.mjs', 'sdk'], 50_000],
  ['SDK 1 on `wireline/mcp`', ['server-sdk1.mjs', 'ours'], 50_000],
  ['SDK 2, its own transport', ['server-sdk2.mjs', 'sdk'], 50_000],
  ['SDK 2 on `wireline/mcp`', ['server-sdk2.mjs', 'ours'], 50_000],
]
for (const [name, [file, ...args], count] of servers) {
  const runs = []
  for (let at = 0; at < 3; at++) runs.push(await pings(process.execPath, [here(file), ...args], count))
  say(`| ${name} | ${Math.round(median(runs.map((it) => it.perSecond))).toLocaleString('en')} | ${median(runs.map((it) => it.peak ?? 0)).toFixed(0)} |`)
}

const table = lines.join('\n').replaceAll('\n\n\n', '\n\n')
console.log(table)
if (modes.includes('--write')) {
  const page = here('../../docs/node.md')
  const text = readFileSync(page, 'utf8')
  const marks = /(<!-- node-speed:begin -->\n).*(<!-- node-speed:end -->)/s
  writeFileSync(page, text.replace(marks, (_all, begin, end) => `${begin}\n${table}\n\n${end}`))
}
