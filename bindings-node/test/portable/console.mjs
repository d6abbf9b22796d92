// console.mjs FOLDER: the check on Node, Deno and Bun, with what `vectors.mjs` wrote to FOLDER.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import * as wireline from 'wireline'
import { run } from './check.mjs'

const folder = process.argv[2]
const index = JSON.parse(readFileSync(join(folder, 'vectors.json'), 'utf8'))
console.log(await run(wireline, index, new Uint8Array(readFileSync(join(folder, 'vectors.bin')))))
