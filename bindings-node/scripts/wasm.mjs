// Builds the WebAssembly module and writes it to `native/wireline.wasm`, and to `js/wasm/base64.mts` as the sources import
// it. Its size is printed, and checked against the ceilings here.
//
// WIRELINE_WASM_COMPILER=debian uses Debian's compiler, which comes without a standard library for WebAssembly: that is
// built as well then. WIRELINE_WASM_LINKER is its linker. `scripts/wasm env` says which is there.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const home = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = 'wasm32-unknown-unknown'

/** Bytes that the module may have, as it is and as gzip makes it. */
const CEILING = { plain: 250_000, gzip: 100_000 }

/**
 * Flags of the compiler: 128-bit vectors, with which long messages are read twice as fast and short ones one and a half
 * times, and no names of this machine's folders in the messages.
 */
function flags(rustc) {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo')
  const sysroot = execFileSync(rustc, ['--print', 'sysroot'], { cwd: home, encoding: 'utf8' }).trim()
  const from = { [resolve(home, '..')]: '.', [cargoHome]: 'cargo', [sysroot]: 'rust' }
  return ['-Ctarget-feature=+simd128', ...Object.entries(from).map(([path, name]) => `--remap-path-prefix=${path}=${name}`)]
}

/** The compiler: its cargo, arguments and variables of its own. */
function compiler() {
  if (process.env.WIRELINE_WASM_COMPILER !== 'debian') return { cargo: 'cargo', more: [], variables: {} }
  return {
    cargo: '/usr/bin/cargo',
    // Building the library is an unstable feature of cargo; the sources belong to this very compiler.
    more: ['-Zbuild-std=std,panic_abort', '--target-dir', join(home, '..', 'target', 'wasm', 'debian')],
    variables: {
      RUSTC: '/usr/bin/rustc',
      RUSTC_BOOTSTRAP: '1',
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: process.env.WIRELINE_WASM_LINKER ?? 'wasm-ld',
    },
  }
}

export function wasm() {
  const { cargo, more, variables } = compiler()
  const env = { ...process.env, ...variables, CARGO_ENCODED_RUSTFLAGS: flags(variables.RUSTC ?? 'rustc').join('\x1f') }
  const build = ['build', '--quiet', '--profile', 'wasm', '--locked', '-p', 'wireline-node', '--target', target, ...more]
  const messages = execFileSync(cargo, [...build, '--message-format', 'json-render-diagnostics'], {
    cwd: home,
    env,
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const files = messages.toString().trim().split('\n').flatMap((line) => JSON.parse(line).filenames ?? [])
  const module = readFileSync(files.find((name) => name.endsWith('.wasm')))
  const size = { plain: module.length, gzip: gzipSync(module, { level: 9 }).length }
  console.log(`WebAssembly module: ${size.plain} bytes, ${size.gzip} with gzip`)
  for (const [how, ceiling] of Object.entries(CEILING)) {
    if (size[how] > ceiling) throw new Error(`the module has ${size[how]} bytes (${how}), and may have ${ceiling}: see scripts/wasm.mjs`)
  }
  mkdirSync(join(home, 'native'), { recursive: true })
  writeFileSync(join(home, 'native', 'wireline.wasm'), module)
  const text = `// Made by scripts/wasm.mjs.\n\n/** The WebAssembly module. */\nexport const base64: string =\n  '${module.toString('base64')}'\n`
  writeFileSync(join(home, 'js', 'wasm', 'base64.mts'), text)
}
