// Events out of what the native part of a session recorded.

import type { Fault } from './fault.mjs'
import { HEADER, type Frame } from './layout.mjs'
import type { Message } from './message.mjs'
import { REVISIONS, type Ending, type Failure, type Ignored, type SessionEvent, type StateName } from './session-types.mjs'

// The layout of steps: the same as in `src/session/record.rs`.
/** Words of a step before its message's record. */
export const STEP = 6
/** Where the first step begins. */
export const FIRST = HEADER + 1
export const HAS_MESSAGE = 1 << 24
export const HAS_FAULT = 1 << 25

const TYPES = [
  'violation',
  'request',
  'notification',
  'progress',
  'ended',
  'input-required',
  'subscribed',
  'cancelled',
  'state',
  'connection-error',
  'ignored',
] as const
const ENDINGS: readonly Ending[] = [
  'result',
  'error',
  'bad-response',
  'too-long',
  'too-many-rounds',
  'timed-out',
  'cancelled',
  'closed',
]
export const STATES: readonly StateName[] = ['idle', 'probing', 'opening', 'ready', 'failed', 'closed']
export const FAILURES: readonly Failure[] = [
  'no-common-revision',
  'refused',
  'bad-response',
  'too-long',
  'timed-out',
  'closed-while-probing',
  'closed',
]
const IGNORED: readonly Ignored[] = [
  'fault',
  'late',
  'unknown-id',
  'duplicate-id',
  'unknown-target',
  'wrong-side',
  'wrong-state',
  'not-a-request',
]

const NONE_BROKEN: readonly string[] = Object.freeze([])

function rulesOf(frame: Frame, step: number): readonly string[] {
  const { words, extra } = frame
  const count = words[step + 5]!
  if (count === 0) return NONE_BROKEN
  const from = words[step + 4]!
  return Array.from(extra.subarray(from, from + count), (rule) => `R${rule}`)
}

/** The event of the step at a word. */
export function eventOf(frame: Frame, step: number, message: Message | undefined, fault: Fault | undefined): SessionEvent {
  const { words } = frame
  const head = words[step]!
  const type = TYPES[head & 0xff]!
  const how = (head >>> 8) & 0xffff
  const broken = rulesOf(frame, step)
  const handle = words[step + 2]! * 0x1_0000_0000 + words[step + 1]!
  // Each property in the same order, so that all events of a kind have one shape.
  switch (type) {
    case 'request':
      return { type, handle, revision: REVISIONS[words[step + 3]! - 1]!, message, broken } as SessionEvent
    case 'progress':
    case 'subscribed':
    case 'cancelled':
      return { type, handle, message, broken } as SessionEvent
    case 'ended':
      return { type, handle, why: ENDINGS[how]!, message, fault, broken } as SessionEvent
    case 'input-required':
      return { type, handle, round: how, message, broken } as SessionEvent
    case 'ignored':
      return { type, why: IGNORED[how]!, message, fault, broken } as SessionEvent
    case 'state': {
      const state = STATES[how & 0xf]!
      const event = { type, state, message, broken }
      if (state === 'ready') return { ...event, revision: REVISIONS[(how >>> 4) - 1]! } as SessionEvent
      return state === 'failed' ? { ...event, failure: FAILURES[how >>> 4]! } : event
    }
    default:
      return { type, message, fault, broken } as SessionEvent
  }
}
