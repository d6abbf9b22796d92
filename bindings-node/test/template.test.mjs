// Templates of URIs: what they match, and in which time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { templateOf } from '../dist/template.mjs'

/** The same by a regular expression, which tries every way. */
function slowly(uri, text) {
  const names = []
  let pattern = ''
  let last = 0
  const literal = (part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  for (const found of uri.matchAll(/\{([+#]?)([A-Za-z0-9_.%]+)(\*?)\}/g)) {
    pattern += literal(uri.slice(last, found.index)) + (found[1] === '' && found[3] === '' ? '([^/?#]+)' : '(.+)')
    names.push(found[2])
    last = found.index + found[0].length
  }
  const match = new RegExp(`^${pattern}${literal(uri.slice(last))}$`, 's').exec(text)
  return match === null ? undefined : Object.fromEntries(names.map((name, at) => [name, match[at + 1]]))
}

test('what a template matches is what the expression of it matches', () => {
  const piece = fc.constantFrom('', 'a', '/', 'b', 'ab', '-', '//')
  const variable = fc.constantFrom('{v}', '{+v}', '{v*}')
  const template = fc.tuple(piece, fc.array(fc.tuple(variable, piece), { minLength: 1, maxLength: 4 })).map(([first, rest]) => first + rest.map(([name, text], at) => name.replace('v', `v${at}`) + text).join(''))
  const text = fc.array(fc.constantFrom('a', 'b', '/', '-'), { maxLength: 14 }).map((it) => it.join(''))
  fc.assert(
    fc.property(template, text, (uri, given) => {
      assert.deepEqual(templateOf(uri).match(given), slowly(uri, given), `${uri} ${given}`)
    }),
    { numRuns: 20_000 }
  )
})

test('a URI that nearly matches takes no longer than one that does', () => {
  const { match } = templateOf('x://{a}-{b}-{c}-{d}-{e}-{f}')
  // So many ways to part it that no way of trying them all would come to an end.
  assert.equal(match(`x://${'-'.repeat(60_000)}/`), undefined)
  assert.deepEqual(match('x://1-2-3-4-5-6'), { a: '1', b: '2', c: '3', d: '4', e: '5', f: '6' })
  assert.equal(match(`x://${'-'.repeat(70_000)}`), undefined)
  assert.equal(templateOf('x://plain'), undefined)
})
