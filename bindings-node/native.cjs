'use strict'
// Finds the native addon: beside this file in a checkout, in an optional package otherwise. Where there is none, the same
// functions come from WebAssembly; WIRELINE_WASM=1 has it so everywhere.

const { join } = require('node:path')
const { target } = require('./target.cjs')

const wasm = () => require('./dist/wasm/load.cjs').default

/** Whether WebAssembly is to be taken at once. */
function wantsWasm() {
  // Deno would ask its user for leave to read the environment and to load an addon.
  const { Deno } = globalThis
  if (Deno?.permissions === undefined) return process.env.WIRELINE_WASM === '1'
  const granted = (descriptor) => Deno.permissions.querySync(descriptor).state === 'granted'
  if (granted({ name: 'env', variable: 'WIRELINE_WASM' }) && process.env.WIRELINE_WASM === '1') return true
  return !granted({ name: 'ffi' })
}

function load() {
  if (wantsWasm()) return wasm()
  const name = target()
  const tried = []
  for (const from of [join(__dirname, 'native', `wireline.${name}.node`), `@wireline/native-${name}`]) {
    try {
      return require(from)
    } catch (cause) {
      tried.push(cause)
    }
  }
  try {
    const instead = wasm()
    // Nothing else shows but that it takes longer.
    process.emitWarning?.(`there is no addon for ${name}, so WebAssembly takes its place, which is slower (${tried[0].message.split('\n')[0]})`, {
      type: 'WirelineWarning',
      code: 'WIRELINE_WASM',
      detail: 'Install it without --omit=optional, or set WIRELINE_WASM=1 if that is meant.',
    })
    return instead
  } catch (cause) {
    tried.push(cause)
  }
  const error = new Error(
    `wireline has no native addon for ${name}, and WebAssembly cannot take its place here: install it without ` +
      "--no-optional, or build it with 'npm run build' in a checkout"
  )
  error.code = 'ERR_WIRELINE_NO_NATIVE'
  error.errors = tried
  throw error
}

module.exports = load()
