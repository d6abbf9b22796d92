// How requests of ours fail.

import { WirelineError } from './errors.mjs'
import type { Fault } from './fault.mjs'
import type { SessionEvent } from './session-types.mjs'

/** The end of a request that was never made. */
export function ended(why: 'closed' | 'cancelled'): SessionEvent & { type: 'ended' } {
  return { type: 'ended', handle: 0, why, broken: [] }
}

/** An answer of the peer that says that a request failed. */
export class RemoteError extends WirelineError {
  /** The code of JSON-RPC: -32601 and the like. */
  readonly rpcCode: number
  /** What came with it. */
  readonly data: unknown

  constructor(rpcCode: number, message: string, data?: unknown) {
    super('ERR_WIRELINE_REMOTE', message)
    this.rpcCode = rpcCode
    this.data = data
  }
}

/** Why a request of ours that has ended gives no result; `cause` is what broke the connection, if anything did. */
export function failureOf(event: SessionEvent & { type: 'ended' }, cause?: Error): WirelineError {
  switch (event.why) {
    case 'error': {
      const { code, message, data } = event.message.error
      return new RemoteError(code, message, data)
    }
    case 'timed-out':
      return new WirelineError('ERR_WIRELINE_TIMED_OUT', 'no answer came in time')
    case 'cancelled':
      return new WirelineError('ERR_WIRELINE_CANCELLED', 'the request was cancelled')
    case 'closed':
      return new WirelineError('ERR_WIRELINE_CLOSED', 'the connection closed before an answer came', { cause })
    case 'too-long':
      return new WirelineError('ERR_WIRELINE_TOO_LONG', 'the answer is longer than the ceiling (`maxMessage`)')
    case 'too-many-rounds':
      return new WirelineError('ERR_WIRELINE_TOO_MANY_ROUNDS', 'the peer asked for input more often than `maxRounds`')
    default: {
      const fault: Fault | undefined = event.fault
      const why = fault === undefined ? '' : `: ${fault.message}`
      return new WirelineError('ERR_WIRELINE_BAD_RESPONSE', `the answer is none by the protocol${why}`, {
        ...(fault === undefined ? {} : { offset: fault.offset }),
        ...(event.broken[0] === undefined ? {} : { rule: event.broken[0] }),
      })
    }
  }
}
