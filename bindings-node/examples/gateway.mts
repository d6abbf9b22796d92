// gateway.mts
import { once } from 'node:events'
import { createServer } from 'node:net'
import { forward, messages, type Message } from 'wireline'

// Every request gets an id of ours, and all pass on with their bodies untouched.
let next = 0
const renumbered = (message: Message): Uint8Array => forward(message, message.kind === 'request' ? { id: next++ } : {})

const gateway = createServer(async (socket) => {
  try {
    for await (const item of messages(socket, { maxMessage: 1 << 20, from: 'client' })) {
      if (item.kind === 'fault') console.error(item.code, item.rule, `at byte ${item.offset} of line ${item.line}`)
      else if (!socket.write(renumbered(item))) await once(socket, 'drain')
    }
  } catch (error) {
    // A client that is gone takes nobody else with it.
    console.error((error as Error).message)
    socket.destroy()
  }
})

gateway.listen(0, () => gateway.close())
