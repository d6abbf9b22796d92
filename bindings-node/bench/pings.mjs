// Pipelined pings a second of a server over standard input and output, by a driver that reads while it writes.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const OPEN =
  '{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'

/** Runs a server and counts the answers to so many pings. */
export async function pings(command, args, count) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(OPEN)
  await once(child.stdout, 'data')
  let lines = 0
  const all = new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
      if (lines >= count) resolve()
    })
  })
  const start = performance.now()
  for (let sent = 0; sent < count; ) {
    const block = []
    for (let at = 0; at < 1000 && sent < count; at++) block.push(`{"jsonrpc":"2.0","id":${++sent},"method":"ping"}\n`)
    if (!child.stdin.write(block.join(''))) await once(child.stdin, 'drain')
  }
  await all
  const seconds = (performance.now() - start) / 1000
  let peak
  try {
    peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024
  } catch {
    // Only Linux says it.
  }
  child.stdin.end()
  child.kill()
  return { perSecond: count / seconds, peak }
}
