// What is measured: each reads kind, id and method of every message of a stream that comes in chunks of 64 KiB.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadBuffer as ReadBuffer1 } from '@modelcontextprotocol/sdk/shared/stdio.js'
import { StdioServerTransport as Server1 } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ReadBuffer as ReadBuffer2 } from '@modelcontextprotocol/server'
import { StdioServerTransport as Server2 } from '@modelcontextprotocol/server/stdio'
import split2 from 'split2'
import { Decoder, DecoderStream, StreamDecoder } from 'wireline'
import { StdioServerTransport } from 'wireline/mcp'

export const CHUNK = 65536
const CEILING = 256 << 20

export function* chunks(data) {
  for (let at = 0; at < data.length; at += CHUNK) yield data.subarray(at, at + CHUNK)
}

/** What was read: the same for all who read the same. */
class Sum {
  count = 0
  kinds = 0
  ids = 0
  methods = 0

  add(kind, id, method) {
    this.count++
    this.kinds += kind
    if (typeof id === 'number') this.ids += id
    else if (id !== undefined && id !== null) this.ids += id.length
    if (method !== undefined) this.methods += method.length
  }

  /** A message of ours. */
  item(item) {
    const { kind } = item
    this.add(kind === 'request' ? 0 : kind === 'notification' ? 1 : kind === 'result' ? 2 : 3, item.id, item.method)
  }

  /** A message as an object. */
  object(it) {
    const kind = it.method !== undefined ? (it.id !== undefined ? 0 : 1) : it.result !== undefined ? 2 : 3
    this.add(kind, it.id, it.method)
  }
}

function decoder(options) {
  return (data) => {
    const sum = new Sum()
    const decoder = new Decoder({ maxMessage: CEILING, ...options })
    for (const chunk of chunks(data)) for (const item of decoder.push(chunk)) sum.item(item)
    return sum
  }
}

function readBuffer(ReadBuffer) {
  return (data) => {
    const sum = new Sum()
    const buffer = new ReadBuffer({ maxBufferSize: CEILING })
    for (const chunk of chunks(data)) {
      buffer.append(chunk)
      for (let message; (message = buffer.readMessage()) !== null; ) sum.object(message)
    }
    return sum
  }
}

function transport(Transport) {
  return async (data) => {
    const sum = new Sum()
    const input = Readable.from(chunks(data), { objectMode: true })
    const transport = new Transport(input, process.stderr, { maxBufferSize: CEILING })
    transport.onmessage = (message) => sum.object(message)
    transport.onerror = (error) => {
      throw error
    }
    const ended = new Promise((resolve) => input.once('end', resolve))
    await transport.start()
    await ended
    return sum
  }
}

/** The unfinished lines of this are joined at their end only, so that it is linear. */
function splitAndParse(data) {
  const sum = new Sum()
  let rest = []
  for (const chunk of chunks(data)) {
    let at = 0
    for (let end; (end = chunk.indexOf(10, at)) >= 0; at = end + 1) {
      let line = chunk.subarray(at, end)
      if (rest.length > 0) {
        rest.push(line)
        line = Buffer.concat(rest)
        rest = []
      }
      sum.object(JSON.parse(line.toString()))
    }
    if (at < chunk.length) rest.push(chunk.subarray(at))
  }
  return sum
}

export const methods = {
  '**wireline** `Decoder`': decoder({}),
  '**wireline** `Decoder`, borrowed': decoder({ borrow: true }),
  '**wireline** `DecoderStream`': async (data) => {
    const sum = new Sum()
    const stream = Readable.from(chunks(data)).pipe(new DecoderStream({ maxMessage: CEILING, borrow: true }))
    stream.on('data', (item) => sum.item(item))
    await new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
    return sum
  },
  '**wireline** `StdioServerTransport`': transport(StdioServerTransport),
  // bench.mjs has WebAssembly take the addon's place for these.
  '**wireline** `Decoder`, WebAssembly': decoder({}),
  '**wireline** `Decoder`, borrowed, WebAssembly': decoder({ borrow: true }),
  'line split + `JSON.parse`': splitAndParse,
  '`split2` + `JSON.parse`': async (data) => {
    const sum = new Sum()
    await pipeline(Readable.from(chunks(data)), split2(JSON.parse), async (source) => {
      for await (const message of source) sum.object(message)
    })
    return sum
  },
  'SDK 1 `ReadBuffer`': readBuffer(ReadBuffer1),
  'SDK 2 `ReadBuffer`': readBuffer(ReadBuffer2),
  'SDK 1 `StdioServerTransport`': transport(Server1),
  'SDK 2 `StdioServerTransport`': transport(Server2),
}

/** For one long line, where only its id counts; the last keeps nothing of it. */
export const long = {
  '**wireline** `Decoder`, stored': methods['**wireline** `Decoder`'],
  '**wireline** `Decoder`, over the ceiling': (data) => {
    const decoder = new Decoder()
    let seen
    for (const chunk of chunks(data)) for (const item of decoder.push(chunk)) seen = item.id
    return seen
  },
  '**wireline** `StreamDecoder`': (data) => {
    const decoder = new StreamDecoder({ borrow: true })
    let seen
    for (const chunk of chunks(data)) for (const event of decoder.push(chunk)) if (event.type === 'end') seen = event.head.id
    return seen
  },
  '**wireline** `Decoder`, stored, WebAssembly': methods['**wireline** `Decoder`'],
  'line split + `JSON.parse`': splitAndParse,
  'SDK 1 `ReadBuffer`': methods['SDK 1 `ReadBuffer`'],
  'SDK 2 `ReadBuffer`': methods['SDK 2 `ReadBuffer`'],
}
