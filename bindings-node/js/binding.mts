// Which of its two forms the core is there in.

import native from '#native'

/**
 * Where the functions of the core come from: the addon, or WebAssembly, which is slower. On Node a warning
 * (`WIRELINE_WASM`) says so, once, where the addon was wanted and could not be loaded.
 */
export const binding: 'addon' | 'webassembly' = native.piece === undefined ? 'addon' : 'webassembly'
