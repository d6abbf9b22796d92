// A client of a server that is written line by line, and what nobody caught meanwhile.

import { Client } from 'wireline/client'
import { pair, Wire } from './pair.mjs'

export const who = { name: 'test', version: '1.0' }

/** A client whose server is a wire: of 2026-07-28 if its options say so, else of 2025-11-25. */
export async function opened(options = {}, ends = pair()) {
  const revisions = options.revisions ?? ['2025-11-25']
  const wire = new Wire(ends.server)
  const opening = Client.connect(ends.client, { ...who, ...options, revisions })
  const { id } = await wire.next()
  const capabilities = { tools: {}, logging: {} }
  if (revisions[0] === '2026-07-28') {
    wire.send({ jsonrpc: '2.0', id, result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: revisions, capabilities, serverInfo: who } })
    return { client: await opening, wire, ends }
  }
  wire.send({ jsonrpc: '2.0', id, result: { protocolVersion: revisions[0], capabilities, serverInfo: who } })
  const client = await opening
  await wire.next()
  return { client, wire, ends }
}

/** An answer to a call of a tool. */
export const answer = (id, text = 'y') => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })

/** Lets everything that is due happen. */
export async function turns(count = 5) {
  for (let at = 0; at < count; at++) await new Promise(setImmediate)
}

/** Runs something, and gives what was thrown meanwhile that nobody caught. */
export async function uncaught(run) {
  const found = []
  const note = (error) => found.push(error)
  // The runner has listeners of its own, which would fail the test before it says why.
  const names = ['uncaughtException', 'unhandledRejection']
  const own = names.map((name) => process.listeners(name))
  for (const name of names) process.removeAllListeners(name).on(name, note)
  try {
    await run()
    await turns()
  } finally {
    names.forEach((name, at) => {
      process.removeAllListeners(name)
      for (const listener of own[at]) process.on(name, listener)
    })
  }
  return found
}
