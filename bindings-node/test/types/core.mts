// What the types say: compiled, and never run.

import { Decoder, DecoderStream, encodeResult, Fault, messages, parse, ServerSession, ClientSession, WirelineError, type Id, type Item, type Message, type SessionEvent } from 'wireline'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const is = <T extends true>(): T => true as T

export function take(item: Item): void {
  if (item.kind === 'fault') {
    is<Equal<typeof item, Fault>>()
    item.code satisfies string
    return
  }
  is<Equal<typeof item, Message>>()
  if (item.kind === 'request') {
    is<Equal<typeof item.id, Id>>()
    item.method satisfies string
    item.rawParams satisfies Uint8Array | undefined
    encodeResult(item, {})
  } else if (item.kind === 'error') {
    item.error.code satisfies number
  } else {
    // @ts-expect-error neither a notification nor a result has an error's code
    item.error.code
  }
}

export async function streams(input: NodeJS.ReadableStream & AsyncIterable<Uint8Array>): Promise<void> {
  for await (const item of messages(input, { signal: AbortSignal.timeout(1) })) take(item)
  for await (const message of messages(input, { onFault: (fault) => void fault.offset })) message satisfies Message
  new DecoderStream({ maxMessage: 100 })
  // @ts-expect-error there is no such option
  new Decoder({ maxLength: 100 })
  // @ts-expect-error bytes, not text
  new Decoder().push('text')
}

export function sessions(event: SessionEvent): void {
  const server = new ServerSession({ name: 'x', version: '1', capabilities: { tools: {} }, oneEra: true })
  const client = new ClientSession({ name: 'x', version: '1', probeTimeout: 5 })
  // @ts-expect-error a name is needed
  new ClientSession({ version: '1' })
  // @ts-expect-error only a client connects
  server.connect(0)
  client.connect(0) satisfies Uint8Array
  switch (event.type) {
    case 'request':
      server.respond(event.handle, {})
      return
    case 'ended':
      if (event.why === 'result') event.message.result satisfies object | null | boolean | number | string
      else if (event.why === 'error') event.message.error.message satisfies string
      return
    case 'state':
      event.revision satisfies string | undefined
  }
}

try {
  parse(new Uint8Array())
} catch (error) {
  if (error instanceof WirelineError) error.rule satisfies string | undefined
}
