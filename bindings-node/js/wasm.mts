/**
 * What there is to say to WebAssembly, which has the functions where there is no native addon. It is hardly ever needed.
 *
 * @packageDocumentation
 */

import { invalidType } from './errors.mjs'
import type { HttpResponse, Location, WasmModule } from './globals.mjs'
import { give, isReady } from './wasm/lazy.mjs'

/** Where a module comes from: compiled, as bytes, or to be fetched. */
export type ModuleSource = WasmModule | Uint8Array | ArrayBuffer | HttpResponse | Location

/**
 * Compiles the WebAssembly module in advance, and not when the first decoder or session is made: without a halt, and where
 * only that is allowed. Does nothing if that was done before.
 *
 * @param source the module, for a runtime that compiles no bytes (`import module from 'wireline/wireline.wasm'`) or a page
 * that fetches it; the one that is part of this package's text if there is none.
 * @throws TypeError for another type of source; what `fetch` and the compiler throw.
 *
 * @example
 * ```js
 * import { Decoder } from 'wireline'
 * import { init } from 'wireline/wasm'
 *
 * await init()
 * const decoder = new Decoder()
 * ```
 */
export async function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  if (isReady()) return
  give(await compiled(await source))
}

async function compiled(source: ModuleSource | undefined): Promise<WebAssembly.Module> {
  if (source === undefined) {
    const { moduleBytes } = await import('./wasm/load.mjs')
    return await WebAssembly.compile(moduleBytes())
  }
  if (source instanceof WebAssembly.Module) return source
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return await WebAssembly.compile(source as BufferSource)
  const response = source instanceof URL ? await fetch(source) : source
  if (!(response instanceof Response)) {
    throw invalidType('source', 'a WebAssembly.Module, bytes of one, a Response or a URL', source)
  }
  if (!response.ok) throw new Error(`the module cannot be fetched from ${response.url}: status ${response.status}`)
  // Whatever type the server says it is of.
  return await WebAssembly.compile(await response.arrayBuffer())
}
