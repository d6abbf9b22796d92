'use strict'
// Finds the native addon: beside this file in a checkout, in an optional package otherwise.

const { join } = require('node:path')
const { target } = require('./target.cjs')

function load() {
  const name = target()
  const tried = []
  for (const from of [join(__dirname, 'native', `wireline.${name}.node`), `@wireline/native-${name}`]) {
    try {
      return require(from)
    } catch (cause) {
      tried.push(cause)
    }
  }
  const error = new Error(
    `wireline has no native addon for ${name}: install it without --no-optional, or build it with ` +
      "'npm run build' in a checkout"
  )
  error.code = 'ERR_WIRELINE_NO_NATIVE'
  error.errors = tried
  throw error
}

module.exports = load()
