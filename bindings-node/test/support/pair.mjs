// Two ends of a connection in memory.

import { PassThrough } from 'node:stream'

/** Streams for a client and for a server that are connected. */
export function pair() {
  const up = new PassThrough()
  const down = new PassThrough()
  return { client: { input: down, output: up }, server: { input: up, output: down } }
}

/** A peer that speaks in literal lines. */
export class Wire {
  #buffer = ''
  #waiting = []
  lines = []

  constructor({ input, output }) {
    this.output = output
    input.on('data', (chunk) => {
      this.#buffer += chunk
      for (let at; (at = this.#buffer.indexOf('\n')) >= 0; this.#buffer = this.#buffer.slice(at + 1)) {
        const message = JSON.parse(this.#buffer.slice(0, at))
        const waiting = this.#waiting.shift()
        if (waiting === undefined) this.lines.push(message)
        else waiting(message)
      }
    })
    input.on('error', () => {})
    output.on('error', () => {})
  }

  send(...messages) {
    this.output.write(messages.map((it) => `${typeof it === 'string' ? it : JSON.stringify(it)}\n`).join(''))
  }

  /** The next line that comes. */
  next() {
    if (this.lines.length > 0) return Promise.resolve(this.lines.shift())
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async ask(id, method, params) {
    this.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
    return await this.next()
  }

  /** Opens a session of the legacy era. */
  async open(revision = '2025-11-25', capabilities = {}) {
    const answer = await this.ask('open', 'initialize', { protocolVersion: revision, capabilities, clientInfo: { name: 'wire', version: '1' } })
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return answer.result
  }
}
