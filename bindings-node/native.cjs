'use strict'
// The functions of the native addon, or of WebAssembly, for CommonJS: `js/addon.mts` finds them.

const { addon } = require('./dist/addon.cjs')

/** What loads files. As a part of an ES module, into which a bundler has made it, it knows only how the program was started. */
const loader = () => ({
  createRequire: require('node:module').createRequire,
  here: typeof __filename === 'string' ? __filename : process.argv[1],
})

module.exports = addon(loader, () => require('./dist/wasm/load.cjs').default)
