// gateway.mts
import { createServer } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { forward, messages, type Item, type Message } from 'wireline'

// Every request gets an id of ours, and all pass on with their bodies untouched.
let next = 0
const renumbered = (message: Message): Uint8Array => forward(message, message.kind === 'request' ? { id: next++ } : {})

async function* lines(items: AsyncIterable<Item>): AsyncGenerator<Uint8Array> {
  for await (const item of items) {
    if (item.kind === 'fault') console.error(item.code, item.rule, `at byte ${item.offset} of line ${item.line}`)
    else yield renumbered(item)
  }
}

const gateway = createServer(async (socket) => {
  const items = messages(socket, { maxMessage: 1 << 20, from: 'client' })
  // A client that is gone takes nobody else with it, and one that does not read is not read from.
  await pipeline(items, lines, socket).catch((error: Error) => console.error(error.message))
})

gateway.listen(0, () => gateway.close())
