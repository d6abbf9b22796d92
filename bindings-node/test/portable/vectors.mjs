// The vectors as two files that any runtime can read: what is expected as JSON, and all inputs.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expected } from '../support/render.mjs'
import { vectors } from '../support/vectors.mjs'
import { canonical } from './check.mjs'

/** Writes `vectors.json` and `vectors.bin` to a folder. */
export function write(folder) {
  let at = 0
  const inputs = []
  const index = vectors().map(({ name, options, input, items }) => {
    inputs.push(input)
    const from = at
    at += input.length
    return {
      name,
      options,
      from,
      to: at,
      items: canonical(items.map(expected)),
      shapes: items.map((it) => it.fields.shape !== undefined),
      brief: canonical(
        items.map(({ kind, fault, offset, length, fields }) => (fault ? [fault, offset, length] : [kind, fields.id?.toString()]))
      ),
    }
  })
  writeFileSync(join(folder, 'vectors.json'), JSON.stringify(index))
  writeFileSync(join(folder, 'vectors.bin'), Buffer.concat(inputs))
}
