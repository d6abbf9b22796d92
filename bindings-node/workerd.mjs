// The functions of the native addon for runtimes that compile no bytes, and import modules of WebAssembly as they are.

import module from './dist/wireline.wasm'
import { give, native } from './dist/wasm/lazy.mjs'

give(module)

export default native
