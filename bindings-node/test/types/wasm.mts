// `wireline/wasm`: what its only function takes.

import { init, type ModuleSource } from 'wireline/wasm'

const source: ModuleSource = new WebAssembly.Module(new Uint8Array(8))
const done: Promise<void> = init(source)
await done
await init()
await init(fetch('https://example.org/wireline.wasm'))
await init(new URL('https://example.org/wireline.wasm'))
