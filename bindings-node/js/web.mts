/**
 * What `wireline` has where there is nothing of Node: all but `DecoderStream`.
 *
 * @packageDocumentation
 */

export { binding } from './binding.mjs'
export { Decoder, examine, parse, type Item, type Pending } from './decoder.mjs'
export {
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  forward,
  type EncodeOptions,
  type IdLike,
  type Renumbering,
} from './encode.mjs'
export { WirelineError, type ErrorDetails } from './errors.mjs'
export { Fault, type FaultName, type Shape } from './fault.mjs'
export type {
  BatchPlace,
  ErrorMessage,
  ErrorObject,
  Flags,
  Id,
  Json,
  JsonObject,
  Kind,
  Message,
  Meta,
  NotificationMessage,
  RequestMessage,
  ResultMessage,
} from './message.mjs'
export type { DecoderOptions, Limits } from './options.mjs'
export { StreamDecoder, type Head, type StreamEvent, type StreamOptions } from './stream.mjs'
export { ClientSession, ServerSession, Session } from './session.mjs'
export {
  LEVELS,
  REVISIONS,
  type CacheHint,
  type ClientSessionOptions,
  type Ending,
  type Failure,
  type Handle,
  type Ignored,
  type IncomingInfo,
  type InputRequest,
  type LogLevel,
  type Made,
  type RequestOptions,
  type Revision,
  type ServerSessionOptions,
  type SessionEvent,
  type SessionOptions,
  type StateName,
  type Subscription,
  type Turn,
} from './session-types.mjs'
export { DecoderTransform, messages, type ByteSource, type MessageStreamOptions } from './streams.mjs'
