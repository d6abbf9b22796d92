// What sessions are told, and what they tell.

import type { Fault } from './fault.mjs'
import type { ErrorMessage, JsonObject, Message, NotificationMessage, RequestMessage, ResultMessage } from './message.mjs'
import type { DecoderOptions } from './options.mjs'

/** A revision of the protocol. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'

/** Every revision, the oldest first. */
export const REVISIONS: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

/** A level of log messages, from the least to the most severe. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** Every level, the least severe first. */
export const LEVELS: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** A request that is under way, by number. A session gives none out twice: one that is over is an error, not another request. */
export type Handle = number

/** How long and by whom a result may be kept. */
export interface CacheHint {
  /** Milliseconds; 0 for not at all. */
  ttlMs: number
  /** @defaultValue 'private' */
  scope?: 'public' | 'private'
}

/** What a session is told once. Times are in milliseconds. */
export interface SessionOptions extends Omit<DecoderOptions, 'batches' | 'from' | 'profile'> {
  /** Who this side is: a name for programs. */
  name: string
  /** Its version. */
  version: string
  /** Its name for people. */
  title?: string
  /** What it can do: the object that the protocol calls `capabilities`. */
  capabilities?: JsonObject
  /** The revisions that it speaks. @defaultValue all */
  revisions?: readonly Revision[]
  /** How long a request of ours may take, counted anew with each progress; 0 for no such limit. @defaultValue 60000 */
  requestTimeout?: number
  /** How long it may take in all. @defaultValue 600000 */
  hardTimeout?: number
  /** Requests of the peer that may be under way at once; more are refused with -32603. @defaultValue 256 */
  maxInbound?: number
  /** Requests of ours that may be; a session refuses more, a client has them wait for their turn. @defaultValue 256 */
  maxOutbound?: number
  /** Bytes in which the answers to a batch of 2025-03-26 are gathered. @defaultValue 262144 */
  maxBatch?: number
  /** Answer lines that are not JSON with -32700, which may feed a storm. @defaultValue false: they are told and skipped */
  answerUnparsable?: boolean
  /** The code of answers to requests over a ceiling. @defaultValue -32600 */
  tooLongCode?: number
}

/** What the session of a client is told besides. */
export interface ClientSessionOptions extends SessionOptions {
  /** How long the answer to a probe may take before the server counts as one of the legacy era. @defaultValue 10000 */
  probeTimeout?: number
  /** How often one request may be answered by a demand for input. @defaultValue 10 */
  maxRounds?: number
}

/** What the session of a server is told besides. */
export interface ServerSessionOptions extends SessionOptions {
  /** Hints for the model that uses it. */
  instructions?: string
  /** What lists say about being kept, unless an answer says otherwise (2026-07-28). @defaultValue not at all */
  cache?: CacheHint
  /** Keep to the era of the first session. @defaultValue false: both are served side by side */
  oneEra?: boolean
}

/** How a request is sent. */
export interface RequestOptions {
  /** Ask to be told how it gets on. */
  progress?: boolean
  /** Milliseconds until it times out, counted anew with each progress; 0 for never. */
  timeout?: number
  /** Milliseconds until it times out whatever comes; 0 for never. */
  hardTimeout?: number
  /** Ask for log messages from this level on (2026-07-28). */
  logLevel?: LogLevel
  /** Members for `_meta`: an object, or a `Uint8Array` of its text. */
  meta?: unknown
}

/** What of a server's changes a subscription covers (2026-07-28). */
export interface Subscription {
  tools?: boolean
  prompts?: boolean
  resources?: boolean
  /** Resources by URI. */
  uris?: readonly string[]
}

/** How a request of ours ended. */
export type Ending =
  | 'result'
  | 'error'
  | 'bad-response'
  | 'too-long'
  | 'too-many-rounds'
  | 'timed-out'
  | 'cancelled'
  | 'closed'

/** Where a session is. */
export type StateName = 'idle' | 'probing' | 'opening' | 'ready' | 'failed' | 'closed'

/** Why no session came about. */
export type Failure =
  | 'no-common-revision'
  | 'refused'
  | 'bad-response'
  | 'too-long'
  | 'timed-out'
  | 'closed-while-probing'
  | 'closed'

/** Why what came changes nothing. */
export type Ignored =
  | 'fault'
  | 'late'
  | 'unknown-id'
  | 'duplicate-id'
  | 'unknown-target'
  | 'wrong-side'
  | 'wrong-state'
  | 'not-a-request'

interface Told {
  /** The rules that the peer broke by it: `R119` and the like, which `docs/rules.md` explains. */
  readonly broken: readonly string[]
  /** The message that brought it about, if one did. */
  readonly message?: Message | undefined
  /** The refused line that did. */
  readonly fault?: Fault | undefined
}

/** What happened. `type` says what. */
export type SessionEvent =
  /** Nothing but a rule that was broken. */
  | (Told & { readonly type: 'violation' })
  /** The peer asks for something: answer with `respond` or `fail`. */
  | (Told & {
      readonly type: 'request'
      readonly handle: Handle
      readonly revision: Revision
      readonly message: RequestMessage
    })
  /** The peer tells something. */
  | (Told & { readonly type: 'notification'; readonly message: NotificationMessage })
  /** A request of ours is getting on. */
  | (Told & { readonly type: 'progress'; readonly handle: Handle; readonly message: NotificationMessage })
  /** A request of ours has ended: the one event that ends it. */
  | (Told & {
      readonly type: 'ended'
      readonly handle: Handle
      readonly why: 'result'
      readonly message: ResultMessage
    })
  | (Told & { readonly type: 'ended'; readonly handle: Handle; readonly why: 'error'; readonly message: ErrorMessage })
  | (Told & { readonly type: 'ended'; readonly handle: Handle; readonly why: Exclude<Ending, 'result' | 'error'> })
  /** A request of ours needs input before it goes on: see `retry`. */
  | (Told & {
      readonly type: 'input-required'
      readonly handle: Handle
      readonly round: number
      readonly message: ResultMessage
    })
  /** A subscription of ours is open. */
  | (Told & { readonly type: 'subscribed'; readonly handle: Handle; readonly message: NotificationMessage })
  /** The peer no longer wants a request. Its handle is stale: nothing may be sent for it. */
  | (Told & { readonly type: 'cancelled'; readonly handle: Handle; readonly message: NotificationMessage })
  /** The session has come to another state. */
  | (Told & {
      readonly type: 'state'
      readonly state: StateName
      readonly revision?: Revision
      readonly failure?: Failure
    })
  /** An error that answers nothing in particular. */
  | (Told & { readonly type: 'connection-error'; readonly message: ErrorMessage })
  /** What came changes nothing. */
  | (Told & { readonly type: 'ignored'; readonly why: Ignored })

/** What followed from a call: what happened, and what is to be sent. */
export interface Turn {
  readonly events: SessionEvent[]
  /** Lines to be sent, in order; empty for none. */
  readonly send: Uint8Array
}

/** A request that was made. */
export interface Made {
  readonly handle: Handle
  /** Its line, to be sent. */
  readonly send: Uint8Array
}

/** What is known of a request of the peer. */
export interface IncomingInfo {
  /** The revision that it follows. */
  readonly revision: Revision
  /** Whether it asked to be told how it gets on. */
  readonly wantsProgress: boolean
  /** From which level on log messages may be sent for it. */
  readonly logLevel: LogLevel | undefined
}

/** One thing that a server asks of its client before a request can go on (2026-07-28). */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params?: JsonObject
}
