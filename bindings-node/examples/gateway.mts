// gateway.mts
import { createServer } from 'node:net'
import { forward, messages, type Message } from 'wireline'

// Every request gets an id of ours, and all pass on with their bodies untouched.
let next = 0
const renumbered = (message: Message): Uint8Array => forward(message, message.kind === 'request' ? { id: next++ } : {})

const gateway = createServer(async (socket) => {
  for await (const item of messages(socket, { maxMessage: 1 << 20, from: 'client' })) {
    if (item.kind === 'fault') console.error(item.code, item.rule, `at byte ${item.offset} of line ${item.line}`)
    else socket.write(renumbered(item))
  }
})

gateway.listen(0, () => gateway.close())
