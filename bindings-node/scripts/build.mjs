// Builds the package: the native addon for this machine and the WebAssembly module, then JavaScript and types, once as ES
// modules and once as CommonJS. `--js` leaves the addon and the module as they are.

import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wasm } from './wasm.mjs'

const home = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
const run = (program, args, options = {}) => execFileSync(program, args, { cwd: home, stdio: ['ignore', 'inherit', 'inherit'], ...options })

function addon() {
  run('cargo', ['build', '--quiet', '--release', '--locked', '-p', 'wireline-node'])
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1', '--no-deps', '--locked'], {
    cwd: home,
    maxBuffer: 1 << 26,
  })
  const target = JSON.parse(metadata).target_directory
  const library = { win32: 'wireline_node.dll', darwin: 'libwireline_node.dylib' }[process.platform] ?? 'libwireline_node.so'
  const { target: name } = require('../dist/target.cjs')
  mkdirSync(join(home, 'native'), { recursive: true })
  // A program that has the old one loaded keeps it: its file is replaced and not written to.
  const file = join(home, 'native', `wireline.${name()}.node`)
  rmSync(file, { force: true })
  copyFileSync(join(target, 'release', library), file)
}

function sources(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.mts'))
}

/** The sources again as CommonJS: other endings, the same text. */
function commonJs() {
  const from = join(home, 'js')
  const to = join(home, 'build', 'cjs')
  for (const name of sources(from)) {
    const text = readFileSync(join(from, name), 'utf8').replace(/(from |import\()'(\.{1,2}\/[^']+)\.mjs'/g, "$1'$2.cjs'")
    const file = join(to, name.replace(/\.mts$/, '.cts'))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  cpSync(join(home, 'native.cjs'), join(home, 'build', 'native.cjs'))
  cpSync(join(home, 'native.d.cts'), join(home, 'build', 'native.d.cts'))
}

/** Where the types of Node are not installed, what ours take from them is of any type, and no error. */
function freeTypes() {
  for (const name of readdirSync(join(home, 'dist'), { recursive: true }).filter((it) => /\.d\.[cm]ts$/.test(it))) {
    const file = join(home, 'dist', name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^import .* from ['"]node:[^'"]+['"];$/gm, '// @ts-ignore\n$&'))
  }
}

function javascript() {
  for (const folder of ['dist', 'build']) rmSync(join(home, folder), { recursive: true, force: true })
  commonJs()
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const common = JSON.parse(readFileSync(join(home, 'tsconfig.json'), 'utf8')).compilerOptions
  writeFileSync(
    join(home, 'build', 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...common, rootDir: 'cjs', outDir: '../dist' }, include: ['cjs'] })
  )
  run(process.execPath, [tsc, '-p', 'tsconfig.json'])
  run(process.execPath, [tsc, '-p', join('build', 'tsconfig.json')])
  freeTypes()
  rmSync(join(home, 'build'), { recursive: true })
  copyFileSync(join(home, 'native', 'wireline.wasm'), join(home, 'dist', 'wireline.wasm'))
}

const all = !process.argv.includes('--js')
if (all) wasm()
javascript()
if (all) addon()
