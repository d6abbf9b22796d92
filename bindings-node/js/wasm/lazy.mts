// The functions of the native addon over WebAssembly, of which an instance is made when the first of them is called.

import { WirelineError } from '../errors.mjs'
import { Instance } from './instance.mjs'
import { nativeOver, type Native } from './native.mjs'

let source: (() => WebAssembly.Module) | undefined
let given = false
let running = false

/** Whether nothing more is needed: there is an instance, or the module that it will be made of. */
export function isReady(): boolean {
  return running || given
}

/** Has the instance made of this module, if there is none yet. */
export function give(compiled: WebAssembly.Module): void {
  source = () => compiled
  given = true
}

/** Says where the module comes from if none is given. */
export function fallBackTo(compile: () => WebAssembly.Module): void {
  source ??= compile
}

function compiled(): WebAssembly.Module {
  try {
    return source!()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new WirelineError(
      'ERR_WIRELINE_NO_WASM',
      `the WebAssembly module cannot be compiled here and now (${why}): await init() of 'wireline/wasm' first`,
      { cause }
    )
  }
}

export const native: Native = nativeOver(() => {
  if (typeof FinalizationRegistry === 'undefined') {
    // Cloudflare's Workers have it from the compatibility date 2025-05-05 on.
    throw new WirelineError('ERR_WIRELINE_NO_WASM', 'this runtime has no FinalizationRegistry, which frees the memory of the WebAssembly module')
  }
  const instance = new Instance(compiled())
  running = true
  return instance
})
