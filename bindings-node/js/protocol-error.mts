// Errors that are the answer to a request.

import { WirelineError } from './errors.mjs'

/** An error whose code and text are the answer to a request. */
export class ProtocolError extends WirelineError {
  readonly rpcCode: number
  readonly data: unknown

  constructor(rpcCode: number, message: string, data?: unknown) {
    super('ERR_WIRELINE_PROTOCOL', message)
    this.rpcCode = rpcCode
    this.data = data
  }
}
