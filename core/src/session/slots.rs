//! Who is waiting for what: the tables, in the caller's memory.

use core::cmp::Ordering;

use super::event::SessionError;
use super::line::LineId;
use crate::id::Id;
use crate::json::{JsonStr, Number};
use crate::mcp::{Capabilities, LogLevel, Method, Revision};
use crate::rules::Extensions;
use crate::text::Text;

/// Milliseconds of a clock that only the caller reads. It may start anywhere; where it goes
/// back, it counts as standing still.
pub type Millis = u64;

/// Longest id and longest progress token that a slot keeps, in bytes of its token.
pub(crate) const TOKEN: usize = 128;

/// A request that is being worked on, or one of ours that waits for its answer.
///
/// Handles are never given out twice within 2³² requests: one whose request has ended is an
/// error, and not another request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    serial: u32,
    index: u16,
}

impl Handle {
    pub(crate) const fn new(index: usize, serial: u32) -> Self {
        Handle {
            serial,
            index: index as u16,
        }
    }

    pub(crate) const fn serial(self) -> u32 {
        self.serial
    }

    pub(crate) const fn index(self) -> usize {
        self.index as usize
    }

    /// The handle as a number, for foreign languages. Never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.index as u64).wrapping_shl(32) | self.serial as u64
    }

    /// The handle of a number that [`to_bits`](Handle::to_bits) gave. Any other number gives
    /// a handle that is stale.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Handle {
            serial: bits as u32,
            index: bits.wrapping_shr(32) as u16,
        }
    }
}

/// The last progress, as decimal text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last<const N: usize> {
    len: u8,
    text: [u8; N],
}

impl<const N: usize> Last<N> {
    const NONE: Self = Last {
        len: 0,
        text: [0; N],
    };

    /// Whether a number is greater than the last one. What is too long to be kept is taken
    /// for unknown, and everything is greater than that.
    pub(crate) fn is_below(&self, number: Number<'_>) -> bool {
        let kept = self.text.get(..usize::from(self.len)).and_then(Text::found);
        match kept.and_then(Number::from_token) {
            Some(last) => last < number,
            None => true,
        }
    }

    /// Keeps a number; `false` if it is too long to be kept exactly.
    pub(crate) fn keep(&mut self, number: Number<'_>) -> bool {
        let text = number.as_bytes();
        let fits = text.len() <= N;
        self.len = if fits { text.len() as u8 } else { 0 };
        fill(&mut self.text, text);
        fits
    }
}

/// A request of the peer that is being worked on. What it holds is the session's.
#[derive(Clone, Copy, Debug)]
pub struct Inbound {
    /// 0 for a vacant slot.
    pub(crate) serial: u32,
    pub(crate) capabilities: Capabilities,
    pub(crate) method: Option<Method>,
    pub(crate) revision: Revision,
    pub(crate) level: Option<LogLevel>,
    /// Of a subscription: what it covers in the low bits, what was asked for in the high.
    pub(crate) filter: u8,
    /// [`OPEN`], [`BATCHED`], [`TASK`], [`ASKS_FOR_TASK`], [`EXTENSION_TASKS`] and [`EXTENSIONS`].
    pub(crate) flags: u8,
    pub(crate) id_len: u8,
    /// Bytes of the progress token, [`SAME`] if it equals the id, 0 if there is none.
    pub(crate) token_len: u8,
    pub(crate) last: Last<20>,
}

/// Of a subscription: it has been acknowledged.
pub(crate) const OPEN: u8 = 1;
/// It came in a batch, and its answer goes into one.
#[cfg(feature = "batch")]
pub(crate) const BATCHED: u8 = 2;

/// It was answered with a task, and only its progress goes on.
#[cfg(feature = "tasks")]
pub(crate) const TASK: u8 = 4;

/// It asks to become a task.
#[cfg(feature = "tasks")]
pub(crate) const ASKS_FOR_TASK: u8 = 32;

/// Its client has declared the extension whose results are tasks.
const EXTENSION_TASKS: u8 = 8;
/// Its client has declared another extension.
const EXTENSIONS: u8 = 16;

/// The progress token is the id.
pub(crate) const SAME: u8 = u8::MAX;

impl Inbound {
    /// Keeps what its client has declared of extensions.
    pub(crate) fn keep(&mut self, extensions: Extensions) {
        if extensions.tasks {
            self.flags |= EXTENSION_TASKS;
        }
        if extensions.others {
            self.flags |= EXTENSIONS;
        }
    }

    /// What its client has declared of extensions.
    pub(crate) fn extensions(&self) -> Extensions {
        Extensions {
            tasks: self.flags & EXTENSION_TASKS != 0,
            others: self.flags & EXTENSIONS != 0,
        }
    }

    /// Frees the slot.
    pub(crate) fn vacate(&mut self) {
        self.serial = 0;
    }

    /// A slot that is free.
    pub const VACANT: Inbound = Inbound {
        serial: 0,
        capabilities: Capabilities::NONE,
        method: None,
        revision: Revision::V2024_11_05,
        level: None,
        filter: 0,
        flags: 0,
        id_len: 0,
        token_len: 0,
        last: Last::NONE,
    };
}

/// What a request of ours is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Await {
    /// The answer.
    Answer,
    /// The answer to `server/discover` that opens the session.
    Probe,
    /// The answer to `initialize`.
    Handshake,
    /// The acknowledgement of a subscription.
    Acknowledgement,
    /// A subscription's notifications, and its end.
    Subscription,
    /// Input that the host gathers, after which the request is sent again.
    Input,
    /// Progress of a task that a request has become.
    #[cfg(feature = "tasks")]
    Task,
}

/// A request of ours that waits for its answer. What it holds is the session's.
#[derive(Clone, Copy, Debug)]
pub struct Outbound {
    /// When it ends if nothing comes; `Millis::MAX` for never.
    pub(crate) soft: Millis,
    /// When it ends whatever comes.
    pub(crate) hard: Millis,
    /// 0 for a vacant slot.
    pub(crate) serial: u32,
    /// The id on the wire, which a repeated request changes.
    pub(crate) id: u32,
    /// Milliseconds that a progress gives.
    pub(crate) extend: u32,
    pub(crate) method: Option<Method>,
    pub(crate) waits: Await,
    pub(crate) rounds: u8,
    /// Of a subscription: what it covers. Of others: bit 0, a progress token was sent; bit
    /// 1, log messages were asked for.
    pub(crate) flags: u8,
    pub(crate) last: Last<15>,
}

impl Outbound {
    /// Whether an answer may still come.
    pub(crate) fn is_on_the_wire(&self) -> bool {
        match self.waits {
            Await::Input => false,
            #[cfg(feature = "tasks")]
            Await::Task => false,
            _ => true,
        }
    }
}

pub(crate) const WANTS_PROGRESS: u8 = 1;
pub(crate) const WANTS_LOG: u8 = 2;
/// The answer may be a task.
#[cfg(feature = "tasks")]
pub(crate) const WANTS_TASK: u8 = 4;

impl Outbound {
    /// A slot that is free.
    pub const VACANT: Outbound = Outbound {
        soft: Millis::MAX,
        hard: Millis::MAX,
        serial: 0,
        id: 0,
        extend: 0,
        method: None,
        waits: Await::Answer,
        rounds: 0,
        flags: 0,
        last: Last::NONE,
    };

    /// Frees the slot.
    pub(crate) fn vacate(&mut self) {
        self.serial = 0;
    }
}

/// A session's tables, borrowed for a call.
#[derive(Debug)]
pub struct Tables<'s> {
    /// Requests of the peer.
    pub inbound: &'s mut [Inbound],
    /// Requests of ours.
    pub outbound: &'s mut [Outbound],
    /// Ids and progress tokens of `inbound`, shared evenly among its slots.
    pub text: &'s mut [u8],
}

/// A session's tables, wherever they live.
///
/// A session without inbound slots refuses every request but those that it answers by
/// itself; one without outbound slots cannot ask. A client needs at least one.
pub trait Slots {
    /// Whether there may be slots for requests of the peer. Where there are none, what only
    /// they need is not linked.
    const INBOUND: bool = true;
    /// Whether there may be slots for requests of ours.
    const OUTBOUND: bool = true;

    /// The tables, to be written.
    fn tables(&mut self) -> Tables<'_>;
    /// Requests of the peer.
    fn inbound(&self) -> &[Inbound];
    /// Requests of ours.
    fn outbound(&self) -> &[Outbound];
    /// The bytes of ids and tokens.
    fn text(&self) -> &[u8];
    /// Where the answers to a batch are gathered: as long as the longest line that is to
    /// leave. Without it, batches are refused.
    #[cfg(feature = "batch")]
    fn gather(&mut self) -> &mut [u8] {
        &mut []
    }
}

/// Tables in place: IN requests of the peer and OUT of ours at a time, TEXT bytes for the
/// ids and progress tokens of the former, shared evenly.
///
/// An inbound slot takes 36 bytes and its share of the text; 60 bytes hold an id of 40 and
/// most tokens. An outbound slot takes 48.
///
/// ```
/// use wireline::session::{Inbound, Memory, Outbound};
/// static TABLES: Memory<4, 1, 240> = Memory::new();
/// assert!(size_of::<Inbound>() <= 36 && size_of::<Outbound>() <= 48);
/// ```
#[derive(Clone, Debug)]
pub struct Memory<const IN: usize, const OUT: usize, const TEXT: usize> {
    outbound: [Outbound; OUT],
    inbound: [Inbound; IN],
    text: [u8; TEXT],
}

impl<const IN: usize, const OUT: usize, const TEXT: usize> Memory<IN, OUT, TEXT> {
    /// Empty tables.
    #[must_use]
    pub const fn new() -> Self {
        Memory {
            outbound: [Outbound::VACANT; OUT],
            inbound: [Inbound::VACANT; IN],
            text: [0; TEXT],
        }
    }
}

impl<const IN: usize, const OUT: usize, const TEXT: usize> Default for Memory<IN, OUT, TEXT> {
    fn default() -> Self {
        Memory::new()
    }
}

impl<const IN: usize, const OUT: usize, const TEXT: usize> Slots for Memory<IN, OUT, TEXT> {
    const INBOUND: bool = IN > 0;
    const OUTBOUND: bool = OUT > 0;

    fn tables(&mut self) -> Tables<'_> {
        Tables {
            inbound: &mut self.inbound,
            outbound: &mut self.outbound,
            text: &mut self.text,
        }
    }

    fn inbound(&self) -> &[Inbound] {
        &self.inbound
    }

    fn outbound(&self) -> &[Outbound] {
        &self.outbound
    }

    fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Tables elsewhere: in an arena, in boxes, in a C program's memory.
impl Slots for Tables<'_> {
    fn tables(&mut self) -> Tables<'_> {
        Tables {
            inbound: self.inbound,
            outbound: self.outbound,
            text: self.text,
        }
    }

    fn inbound(&self) -> &[Inbound] {
        self.inbound
    }

    fn outbound(&self) -> &[Outbound] {
        self.outbound
    }

    fn text(&self) -> &[u8] {
        self.text
    }
}

/// Bytes of the text area that belong to each inbound slot.
pub(crate) fn share(text: usize, slots: usize) -> usize {
    text.checked_div(slots).unwrap_or(0)
}

/// One slot's bytes.
fn text_of(text: &[u8], slots: usize, index: usize) -> &[u8] {
    let share = share(text.len(), slots);
    let from = share.saturating_mul(index);
    crate::text::part(text, from, from.saturating_add(share))
}

/// The id of an inbound slot.
pub(crate) fn id_of<'t>(inbound: &[Inbound], text: &'t [u8], index: usize) -> Option<Id<'t>> {
    let slot = inbound.get(index)?;
    let bytes = text_of(text, inbound.len(), index).get(..usize::from(slot.id_len))?;
    Id::from_token(Text::found(bytes)?)
}

/// The progress token of an inbound slot.
pub(crate) fn token_of<'t>(inbound: &[Inbound], text: &'t [u8], index: usize) -> Option<Id<'t>> {
    let slot = inbound.get(index)?;
    match slot.token_len {
        0 => None,
        SAME => id_of(inbound, text, index),
        len => {
            let from = usize::from(slot.id_len);
            let to = from.saturating_add(usize::from(len));
            let bytes = text_of(text, inbound.len(), index).get(from..to)?;
            Id::from_token(Text::found(bytes)?)
        }
    }
}

/// Copies what fits.
#[inline(never)]
pub(crate) fn fill(to: &mut [u8], from: &[u8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// Why a request found no slot.
pub(crate) enum NoSlot {
    /// So many are in use.
    Full(usize),
    /// The id is longer than this.
    IdTooLong(usize),
}

impl Tables<'_> {
    /// Whether a request of this id is being worked on.
    pub(crate) fn find_inbound(&self, id: Id<'_>) -> Option<usize> {
        (0..self.inbound.len()).find(|&index| {
            self.inbound.get(index).is_some_and(|slot| slot.serial != 0)
                && id_of(self.inbound, self.text, index) == Some(id)
        })
    }

    /// Takes a slot for a request of the peer.
    pub(crate) fn admit(
        &mut self,
        serial: u32,
        id: Id<'_>,
        token: Option<Id<'_>>,
    ) -> Result<usize, NoSlot> {
        let slots = self.inbound.len();
        let share = share(self.text.len(), slots);
        let id = id.as_bytes();
        if slots > 0 && id.len() > share.min(TOKEN) {
            return Err(NoSlot::IdTooLong(share.min(TOKEN)));
        }
        let index = self
            .inbound
            .iter()
            .position(|slot| slot.serial == 0)
            .ok_or(NoSlot::Full(slots))?;
        let from = share.saturating_mul(index);
        let text = self
            .text
            .get_mut(from..from.saturating_add(share))
            .unwrap_or(&mut []);
        let slot = self.inbound.get_mut(index).ok_or(NoSlot::Full(slots))?;
        *slot = Inbound::VACANT;
        slot.serial = serial;
        slot.id_len = id.len() as u8;
        // The id is the shorter one.
        let (front, rest) = text.split_at_mut_checked(id.len()).unwrap_or_default();
        fill(front, id);
        if let Some(token) = token {
            let token = token.as_bytes();
            if token == id {
                slot.token_len = SAME;
            } else if token.len() <= rest.len().min(TOKEN) {
                // One that does not fit is as if there were none: progress is never owed.
                slot.token_len = token.len() as u8;
                fill(rest, token);
            }
        }
        Ok(index)
    }

    /// The place of a request of the peer.
    pub(crate) fn inbound_at(&mut self, handle: Handle) -> Option<&mut Inbound> {
        self.inbound
            .get_mut(handle.index())
            .filter(|slot| slot.serial != 0 && slot.serial == handle.serial())
    }

    /// The revision and the method of a request of the peer that is being worked on.
    pub(crate) fn served(
        &self,
        handle: Handle,
    ) -> Result<(Revision, Option<Method>), SessionError> {
        match self.inbound.get(handle.index()) {
            Some(slot) if slot.serial != 0 && slot.serial == handle.serial() => {
                Ok((slot.revision, slot.method))
            }
            _ => Err(SessionError::StaleHandle),
        }
    }

    /// A copy of the id of a request of the peer.
    pub(crate) fn stored_id<'p>(&self, handle: Handle) -> LineId<'p> {
        LineId::stored(id_of(self.inbound, self.text, handle.index()))
    }

    /// The place of a request of ours.
    pub(crate) fn outbound_at(&mut self, handle: Handle) -> Option<&mut Outbound> {
        self.outbound
            .get_mut(handle.index())
            .filter(|slot| slot.serial != 0 && slot.serial == handle.serial())
    }

    /// The request of ours with this id on the wire.
    pub(crate) fn find_outbound(&self, id: u32) -> Option<usize> {
        // Ids rise by one, so that the place is mostly where the id says.
        let likely = (id as usize).checked_rem(self.outbound.len())?;
        let is_it = |slot: &Outbound| slot.serial != 0 && slot.id == id;
        if self.outbound.get(likely).is_some_and(is_it) {
            return Some(likely);
        }
        self.outbound.iter().position(is_it)
    }

    /// What a request of ours waits for.
    pub(crate) fn waits(&self, index: usize) -> Option<Await> {
        self.outbound.get(index).map(|slot| slot.waits)
    }

    /// Whether a request of ours is a subscription.
    pub(crate) fn is_listening(&self, index: usize) -> bool {
        matches!(
            self.waits(index),
            Some(Await::Acknowledgement | Await::Subscription)
        )
    }

    /// Takes a slot for a request of ours.
    pub(crate) fn depart(&mut self, id: u32) -> Option<(usize, &mut Outbound)> {
        let likely = (id as usize).checked_rem(self.outbound.len())?;
        let index = if self.outbound.get(likely).is_some_and(|it| it.serial == 0) {
            likely
        } else {
            self.outbound.iter().position(|slot| slot.serial == 0)?
        };
        let slot = self.outbound.get_mut(index)?;
        slot.rounds = 0;
        Some((index, slot))
    }
}

/// The id that an answer or a notification means, if it can be one of ours.
pub(crate) fn ours(id: Id<'_>) -> Option<u32> {
    let number = id.as_number()?;
    // Nearly all are plain digits. Others, such as `1.0` or `10e-1`, are found by what they
    // are equal to: slow, but with nothing more to be linked.
    if let Some(plain) = plain(number.as_bytes()) {
        return Some(plain);
    }
    let (mut low, mut high) = (0u32, u32::MAX);
    loop {
        let middle = low.midpoint(high);
        let mut digits = [0; 20];
        let text = Text::found(crate::json::decimal(u64::from(middle), &mut digits))?;
        let order = Number::from_token(text)?.cmp(&number);
        match order {
            Ordering::Equal => return Some(middle),
            _ if low == high => return None,
            Ordering::Less => low = middle.saturating_add(1),
            Ordering::Greater => high = middle,
        }
    }
}

/// The value of up to nine digits.
fn plain(digits: &[u8]) -> Option<u32> {
    if digits.len() > 9 {
        return None;
    }
    digits.iter().try_fold(0u32, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| value.wrapping_mul(10).wrapping_add(u32::from(digit)))
    })
}

/// Whether a string is one of these names.
pub(crate) fn is(text: Option<JsonStr<'_>>, name: &str) -> bool {
    text.is_some_and(|text| text == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_found_however_they_are_written() {
        for (text, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("-1", None),
            ("7", Some(7)),
            ("7.0", Some(7)),
            ("70e-1", Some(7)),
            ("0.7e1", Some(7)),
            ("999999999", Some(999_999_999)),
            ("1000000000", Some(1_000_000_000)),
            ("4294967295", Some(u32::MAX)),
            ("4294967294.0", Some(4_294_967_294)),
            ("4294967296", None),
            ("7.5", None),
            ("1e999999999999", None),
            ("\"7\"", None),
        ] {
            let id = Id::from_token(Text::new(text)).unwrap();
            assert_eq!(ours(id), value, "{text}");
        }
    }
}
