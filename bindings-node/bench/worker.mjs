// worker.mjs TABLE METHOD FILE ROUNDS: runs one method in a process of its own, and prints what came of it as JSON.

import { readFileSync } from 'node:fs'
import { long, methods } from './methods.mjs'

const [table, name, file, rounds] = process.argv.slice(2)
const method = (table === 'long' ? long : methods)[name]
const data = readFileSync(file)
const before = process.resourceUsage().maxRSS
const times = []
let sum
for (let at = 0; at < Number(rounds); at++) {
  const start = performance.now()
  const cpu = process.cpuUsage()
  sum = await method(data)
  const { user, system } = process.cpuUsage(cpu)
  times.push({ clock: performance.now() - start, cpu: (user + system) / 1000 })
}
console.log(JSON.stringify({ times, sum, bytes: data.length, grown: (process.resourceUsage().maxRSS - before) / 1024 }))
