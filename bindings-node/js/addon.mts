// Finds the native addon: in a checkout, or in an optional package. Where there is none, the same functions come from
// WebAssembly; WIRELINE_WASM=1 has it so everywhere.

import { target } from './target.mjs'
import type { Native } from './wasm/native.mjs'

/** The version of this package, which the addon must have, too: they share how records are laid out. */
export const VERSION = '0.1.0'

/** Set on the process once it was warned of, by whichever copy of this package. */
const WARNED = Symbol.for('wireline.webassembly')

interface Permissions {
  querySync(descriptor: { name: string; variable?: string }): { state: string }
}

/** Whether WebAssembly is to be taken at once. */
function wantsWasm(): boolean {
  // Deno would ask its user for leave to read the environment and to load an addon.
  const { Deno } = globalThis as { Deno?: { permissions?: Permissions } }
  const permissions = Deno?.permissions
  if (permissions === undefined) return process.env['WIRELINE_WASM'] === '1'
  const granted = (descriptor: { name: string; variable?: string }) => permissions.querySync(descriptor).state === 'granted'
  if (granted({ name: 'env', variable: 'WIRELINE_WASM' }) && process.env['WIRELINE_WASM'] === '1') return true
  return !granted({ name: 'ffi' })
}

/** What loads CommonJS and addons, and the file that its paths count from. */
export interface Loader {
  readonly createRequire: (file: string) => NodeJS.Require
  readonly here: string
}

/** The addon as a package, if it is one of this version. */
function packaged(require: NodeJS.Require, name: string): Native {
  const id = `@wireline/native-${name}`
  const { version } = require(`${id}/package.json`) as { version: string }
  if (version !== VERSION) throw new Error(`${id} has version ${version}, and wireline ${VERSION}`)
  return require(id) as Native
}

/** Where it may be: beside this package, or, for a bundle that lies elsewhere, beside the package that is installed near it. */
function* places(begin: () => Loader, name: string): Generator<() => Native> {
  const file = `./native/wireline.${name}.node`
  const near = (): NodeJS.Require => {
    const { createRequire, here } = begin()
    return createRequire(here)
  }
  const installed = (): NodeJS.Require => begin().createRequire(near().resolve('wireline/package.json'))
  yield () => near()(file) as Native
  yield () => packaged(near(), name)
  yield () => installed()(file) as Native
  yield () => packaged(installed(), name)
}

/**
 * The addon, or WebAssembly in its place.
 *
 * @param begin gives what loads files, or throws where nothing does.
 * @param wasm gives the functions over WebAssembly.
 */
export function addon(begin: () => Loader, wasm: () => Native): Native {
  if (wantsWasm()) return wasm()
  const name = target()
  const tried: Error[] = []
  for (const load of places(begin, name)) {
    try {
      return load()
    } catch (cause) {
      tried.push(cause as Error)
    }
  }
  const instead = wasm()
  const told = process as unknown as Record<symbol, boolean>
  if (told[WARNED] !== true) {
    told[WARNED] = true
    // Nothing else shows but that it takes longer. What is not there at all tells less than what cannot be loaded.
    const why = tried.find((it) => (it as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') ?? tried[1]!
    process.emitWarning?.(`there is no addon for ${name}, so WebAssembly takes its place, which is slower (${why.message.split('\n')[0]})`, {
      type: 'WirelineWarning',
      code: 'WIRELINE_WASM',
      detail: 'Install it without --omit=optional, or set WIRELINE_WASM=1 if that is meant.',
    })
  }
  return instead
}
