// The functions of the native addon, or of WebAssembly, for ES modules: `js/addon.mts` finds them.

import { createRequire } from 'node:module'
import { addon } from './dist/addon.mjs'
import wasm from './dist/wasm/load.mjs'

export default addon(
  // A bundler may have made it into CommonJS.
  () => ({ createRequire, here: typeof __filename === 'string' ? __filename : import.meta.url }),
  () => wasm
)
