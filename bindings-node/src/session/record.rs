//! Steps of a session as words; `js/session.mts` has the same layout.

use crate::names::Names;
use crate::record::{self, FAULT, MESSAGE, keep};
use crate::storage::NoMemory;
use wireline::mcp::Side;
use wireline::session::{Ended, Event, Failure, Handle, Ignored, State, Step};
use wireline::{Message, Rejected};

/// Words of a step before the record of its message or fault: what happened and how,
/// the handle in two, the revision, the rules in the extra bytes.
pub(crate) const STEP: usize = 6;

const HAS_MESSAGE: u32 = 1 << 24;
const HAS_FAULT: u32 = 1 << 25;

/// Where a message's text lies.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Chunk(&'a [u8]),
    Elsewhere,
}

/// Writes a handle's number.
pub(crate) fn number(words: &mut [u32], handle: Handle) {
    let bits = handle.to_bits();
    if let [low, high, ..] = words {
        (*low, *high) = (bits as u32, (bits >> 32) as u32);
    }
}

/// A state as two numbers: which, and of a failure which, of `Ready` the revision from 1 on.
pub(crate) fn state(state: State) -> (u32, u32) {
    match state {
        State::Idle => (0, 0),
        State::Probing => (1, 0),
        State::Opening => (2, 0),
        State::Ready(revision) => (3, revision as u32 + 1),
        State::Failed(why) => (
            4,
            match why {
                Failure::NoCommonRevision => 0,
                Failure::Refused => 1,
                Failure::BadResponse => 2,
                Failure::TooLong => 3,
                Failure::TimedOut => 4,
                Failure::ClosedWhileProbing => 5,
                _ => 6,
            },
        ),
        _ => (5, 0),
    }
}

fn ended(why: &Ended<'_>) -> u32 {
    match why {
        Ended::Result(_) => 0,
        Ended::Error(_) => 1,
        Ended::BadResponse => 2,
        Ended::TooLong => 3,
        Ended::TooManyRounds => 4,
        Ended::TimedOut => 5,
        Ended::Cancelled => 6,
        _ => 7,
    }
}

fn ignored(why: Ignored) -> u32 {
    match why {
        Ignored::Fault => 0,
        Ignored::Late => 1,
        Ignored::UnknownId => 2,
        Ignored::DuplicateId => 3,
        Ignored::UnknownTarget => 4,
        Ignored::WrongSide => 5,
        Ignored::WrongState => 6,
        _ => 7,
    }
}

/// Writes a step and returns the words that it took: none, if there is nothing to tell.
pub(crate) fn put(
    words: &mut [u32],
    step: &Step<'_>,
    item: Option<&Result<Message<'_>, Rejected<'_>>>,
    place: Place<'_>,
    from: Option<Side>,
    extra: &mut Vec<u8>,
    names: &mut Names,
) -> Result<usize, NoMemory> {
    let broken = !step.broken.is_empty();
    let (what, how, handle, revision) = match &step.event {
        Event::None if !broken => return Ok(0),
        Event::None => (0, 0, None, 0),
        Event::Request(incoming) => (1, 0, Some(incoming.handle), incoming.revision as u32 + 1),
        Event::Notification { .. } => (2, 0, None, 0),
        Event::Progress { handle, .. } => (3, 0, Some(*handle), 0),
        Event::Ended { handle, why } => (4, ended(why), Some(*handle), 0),
        Event::InputRequired { handle, round, .. } => (5, u32::from(*round), Some(*handle), 0),
        Event::Subscribed { handle, .. } => (6, 0, Some(*handle), 0),
        Event::Cancelled { handle, .. } => (7, 0, Some(*handle), 0),
        Event::State { state: it, .. } => {
            let (state, more) = state(*it);
            (8, state | more << 4, None, 0)
        }
        Event::ConnectionError(_) => (9, 0, None, 0),
        Event::Ignored(why) => (10, ignored(*why), None, 0),
        _ => (0, 0, None, 0),
    };
    let Some((head, rest)) = words.split_first_chunk_mut::<STEP>() else {
        return Ok(0);
    };
    let rules: Vec<u8> = step.broken.iter().map(|rule| rule.number()).collect();
    let rules = keep(extra, &rules)?;
    *head = [what | how << 8, 0, 0, revision, rules.0, rules.1];
    if let Some(handle) = handle {
        number(&mut head[1..3], handle);
    }
    Ok(match item {
        None => STEP,
        Some(Ok(message)) => {
            head[0] |= HAS_MESSAGE;
            if let Some(out) = rest.first_chunk_mut::<MESSAGE>() {
                match place {
                    Place::Chunk(chunk) => {
                        let base = (message.as_bytes().as_ptr() as usize)
                            .wrapping_sub(chunk.as_ptr() as usize);
                        record::message(out, message, base, false, names);
                    }
                    Place::Elsewhere => {
                        let (base, _) = keep(extra, message.as_bytes())?;
                        record::message(out, message, base as usize, true, names);
                    }
                }
            }
            STEP + MESSAGE
        }
        Some(Err(rejected)) => {
            head[0] |= HAS_FAULT;
            if let Some(out) = rest.first_chunk_mut::<FAULT>() {
                record::fault(out, rejected, extra, from)?;
            }
            STEP + FAULT
        }
    })
}
