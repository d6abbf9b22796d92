//! Where a monitor remembers requests and tasks: memory that its owner lends.

use super::grammar::Print;
use super::memory::{Life, Request, Status, Task};
use crate::id::{Id, IdKind};
use crate::json::Number;
use crate::mcp::{Method, Side};
use crate::text::Text;

/// Memory for a [`Monitor`](super::Monitor): so many requests of both sides together, so
/// many tasks of 2025-11-25, and bytes for their ids, tokens and progress, which all slots
/// share evenly. About 150 bytes a request beside the text.
///
/// ```
/// use wireline::monitor::{Monitor, MonitorSlots};
/// // Eight requests and no task; 48 bytes each for the id, the token and the progress.
/// static SLOTS: MonitorSlots<8, 0, 384> = MonitorSlots::new();
/// let monitor = Monitor::new(MonitorSlots::<8, 0, 384>::new());
/// assert!(!monitor.lost_track());
/// # let _ = &SLOTS;
/// ```
#[derive(Clone)]
pub struct MonitorSlots<const REQUESTS: usize, const TASKS: usize, const TEXT: usize> {
    ids: [u32; REQUESTS],
    tokens: [u32; REQUESTS],
    requests: [Request; REQUESTS],
    tasks: [Task; TASKS],
    text: [u8; TEXT],
}

impl<const REQUESTS: usize, const TASKS: usize, const TEXT: usize>
    MonitorSlots<REQUESTS, TASKS, TEXT>
{
    /// Empty slots.
    #[must_use]
    pub const fn new() -> Self {
        MonitorSlots {
            ids: [0; REQUESTS],
            tokens: [0; REQUESTS],
            requests: [Request::FREE; REQUESTS],
            tasks: [Task::FREE; TASKS],
            text: [0; TEXT],
        }
    }
}

impl<const R: usize, const T: usize, const B: usize> Default for MonitorSlots<R, T, B> {
    fn default() -> Self {
        MonitorSlots::new()
    }
}

impl<const R: usize, const T: usize, const B: usize> core::fmt::Debug for MonitorSlots<R, T, B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("MonitorSlots").finish_non_exhaustive()
    }
}

/// Memory that a [`Monitor`](super::Monitor) works in: [`MonitorSlots`], or a borrow of it.
///
/// ```
/// use wireline::monitor::{Monitor, MonitorSlots};
/// let mut slots = MonitorSlots::<4, 0, 128>::new();
/// let monitor = Monitor::new(&mut slots);
/// # let _ = monitor;
/// ```
pub trait Slots {
    /// The slots.
    fn tables(&mut self) -> Tables<'_>;
}

/// The slots of a [`MonitorSlots`], however many there are.
///
/// ```
/// use wireline::monitor::{MonitorSlots, Slots};
/// assert_eq!(MonitorSlots::<4, 2, 120>::new().tables().room(), 20);
/// ```
pub struct Tables<'a> {
    ids: &'a mut [u32],
    tokens: &'a mut [u32],
    pub(crate) requests: &'a mut [Request],
    pub(crate) tasks: &'a mut [Task],
    text: &'a mut [u8],
}

impl core::fmt::Debug for Tables<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}

impl<const R: usize, const T: usize, const B: usize> Slots for MonitorSlots<R, T, B> {
    fn tables(&mut self) -> Tables<'_> {
        Tables {
            ids: &mut self.ids,
            tokens: &mut self.tokens,
            requests: &mut self.requests,
            tasks: &mut self.tasks,
            text: &mut self.text,
        }
    }
}

impl<S: Slots + ?Sized> Slots for &mut S {
    fn tables(&mut self) -> Tables<'_> {
        (**self).tables()
    }
}

#[cfg(feature = "std")]
impl<S: Slots + ?Sized> Slots for std::boxed::Box<S> {
    fn tables(&mut self) -> Tables<'_> {
        (**self).tables()
    }
}

/// Equal for ids that are equal; never zero.
fn id_print(from: Side, id: Id<'_>) -> u32 {
    let mut print = Print::new();
    print.byte(from as u8);
    match id.kind() {
        IdKind::String => {
            print.byte(b'"');
            if let Some(text) = id.as_json_str() {
                print = print.text(text);
            }
        }
        IdKind::Number => print.number(id.as_i64().unwrap_or(i64::MIN).unsigned_abs()),
        IdKind::Null => {}
    }
    print.get()
}

fn same(id: Id<'_>, kept: &[u8]) -> bool {
    id.as_bytes() == kept
        || Text::found(kept)
            .and_then(Id::from_token)
            .is_some_and(|it| it == id)
}

/// The next slot that a search begins at, so that the oldest of those done goes first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn(usize);

impl Turn {
    pub(crate) const START: Turn = Turn(0);
}

/// What was given up to make room for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Free,
    /// One that was done.
    Done,
    /// One that was cancelled, whose answer may still come.
    Cancelled,
}

impl<'a> Tables<'a> {
    /// Slots in memory of one's own: for each request a place in `ids`, `tokens` and
    /// `requests` (what the shortest of them lacks is not used), zero or
    /// [`FREE`](Request::FREE) at first.
    ///
    /// ```
    /// use wireline::monitor::{Request, Tables};
    /// let (mut ids, mut tokens, mut requests) = ([0; 2], [0; 2], [Request::FREE; 2]);
    /// let mut text = [0; 96];
    /// let tables = Tables::new(&mut ids, &mut tokens, &mut requests, &mut [], &mut text);
    /// assert_eq!(tables.room(), 48);
    /// ```
    #[must_use]
    pub fn new(
        ids: &'a mut [u32],
        tokens: &'a mut [u32],
        requests: &'a mut [Request],
        tasks: &'a mut [Task],
        text: &'a mut [u8],
    ) -> Self {
        let count = ids.len().min(tokens.len()).min(requests.len());
        Tables {
            ids: ids.get_mut(..count).unwrap_or_default(),
            tokens: tokens.get_mut(..count).unwrap_or_default(),
            requests: requests.get_mut(..count).unwrap_or_default(),
            tasks,
            text,
        }
    }
}

impl Tables<'_> {
    /// Bytes of text that each slot has: a request's id, its progress token unless that is
    /// the same, and the last progress.
    #[must_use]
    pub fn room(&self) -> usize {
        let slots = self.requests.len().saturating_add(self.tasks.len());
        self.text.len().checked_div(slots).unwrap_or(0)
    }

    /// All slots are free again.
    pub(crate) fn clear(&mut self) {
        self.ids.fill(0);
        self.tokens.fill(0);
        self.requests.fill(Request::FREE);
        self.tasks.fill(Task::FREE);
    }

    fn text(&self, slot: usize) -> &[u8] {
        let room = self.room();
        let from = slot.saturating_mul(room);
        self.text
            .get(from..from.saturating_add(room))
            .unwrap_or(&[])
    }

    /// Writes `bytes` at a place of a slot's text; `None` if there is no room.
    fn keep(&mut self, slot: usize, at: u16, bytes: &[u8]) -> Option<u16> {
        let room = self.room();
        let end = usize::from(at).checked_add(bytes.len())?;
        if end > room {
            return None;
        }
        let from = slot.saturating_mul(room).saturating_add(usize::from(at));
        let place = self.text.get_mut(from..from.saturating_add(bytes.len()))?;
        place
            .iter_mut()
            .zip(bytes)
            .for_each(|(to, from)| *to = *from);
        u16::try_from(bytes.len()).ok()
    }

    /// Takes a slot for a request with this id and token; `None` if none is left or they
    /// do not fit one.
    pub(crate) fn add(
        &mut self,
        turn: &mut Turn,
        mut request: Request,
        id: Id<'_>,
        token: Option<Id<'_>>,
    ) -> Option<(usize, Room)> {
        let (slot, room) = self.vacancy(turn)?;
        request.id = self.keep(slot, 0, id.as_bytes())?;
        let same = token.is_some_and(|token| token == id);
        request.set(Request::TOKEN_IS_ID, same);
        let written = token
            .filter(|_| !same)
            .map_or(&[][..], |token| token.as_bytes());
        request.token = self.keep(slot, request.id, written)?;
        *self.ids.get_mut(slot)? = id_print(request.from, id);
        *self.tokens.get_mut(slot)? = token.map_or(0, |token| id_print(request.from, token));
        *self.requests.get_mut(slot)? = request;
        turn.0 = slot.wrapping_add(1);
        Some((slot, room))
    }

    fn vacancy(&self, turn: &Turn) -> Option<(usize, Room)> {
        let count = self.requests.len();
        let start = if turn.0 < count { turn.0 } else { 0 };
        let mut cancelled = None;
        for slot in (start..count).chain(0..start) {
            if self.ids.get(slot) == Some(&0) {
                return Some((slot, Room::Free));
            }
            match self.requests.get(slot)?.life {
                Life::Done => return Some((slot, Room::Done)),
                Life::Cancelled => cancelled = cancelled.or(Some((slot, Room::Cancelled))),
                Life::Open => {}
            }
        }
        cancelled
    }

    /// The slots of a side's requests with this id or token: the open one first, then the
    /// one that came last.
    fn best(&self, prints: &[u32], wanted: u32, check: impl Fn(usize) -> bool) -> Option<usize> {
        let mut best: Option<(bool, u64, usize)> = None;
        for (slot, &print) in prints.iter().enumerate() {
            if print != wanted || !check(slot) {
                continue;
            }
            let Some(request) = self.requests.get(slot) else {
                continue;
            };
            let rank = (request.life == Life::Open, request.seq, slot);
            if best.is_none_or(|best| rank > best) {
                best = Some(rank);
            }
        }
        best.map(|best| best.2)
    }

    /// The request of a side with this id.
    pub(crate) fn find(&self, from: Side, id: Id<'_>) -> Option<usize> {
        self.best(self.ids, id_print(from, id), |slot| {
            self.requests.get(slot).is_some_and(|request| {
                let id_bytes = self.text(slot).get(..usize::from(request.id));
                request.from == from && id_bytes.is_some_and(|kept| same(id, kept))
            })
        })
    }

    /// The request of a side with this progress token.
    pub(crate) fn find_token(&self, from: Side, token: Id<'_>) -> Option<usize> {
        self.best(self.tokens, id_print(from, token), |slot| {
            self.requests.get(slot).is_some_and(|request| {
                let (id, length) = (usize::from(request.id), usize::from(request.token));
                let kept = match request.is(Request::TOKEN_IS_ID) {
                    true => self.text(slot).get(..id),
                    false => self.text(slot).get(id..id.saturating_add(length)),
                };
                request.from == from && kept.is_some_and(|kept| same(token, kept))
            })
        })
    }

    /// Whether a slot's id is this one.
    pub(crate) fn has_id(&self, slot: usize, id: Id<'_>) -> bool {
        let length = self
            .requests
            .get(slot)
            .map_or(0, |request| usize::from(request.id));
        self.text(slot)
            .get(..length)
            .is_some_and(|kept| same(id, kept))
    }

    /// Whether progress has risen since it was last told; keeps it.
    pub(crate) fn advance(&mut self, slot: usize, progress: Number<'_>) -> bool {
        let Some(request) = self.requests.get(slot) else {
            return true;
        };
        let before = usize::from(request.id).saturating_add(usize::from(request.token));
        let length = usize::from(request.progress);
        let unknown = request.is(Request::PROGRESS_UNKNOWN);
        let last = self.text(slot).get(before..before.saturating_add(length));
        let last = last.and_then(Text::found).and_then(Number::from_token);
        let risen = unknown || last.is_none_or(|last| progress > last);
        if !risen {
            return false;
        }
        let at = u16::try_from(before).unwrap_or(u16::MAX);
        let kept = self.keep(slot, at, progress.as_bytes());
        if let Some(request) = self.requests.get_mut(slot) {
            request.progress = kept.unwrap_or(0);
            request.marks &= !Request::PROGRESS_UNKNOWN;
            request.set(Request::PROGRESS_UNKNOWN, kept.is_none());
        }
        true
    }

    /// The open requests of a side, as slots.
    pub(crate) fn open(&self, from: Side) -> impl Iterator<Item = (usize, &Request)> {
        self.unanswered(from)
            .filter(|(_, request)| request.life == Life::Open)
    }

    /// The open requests of a side, and those that were cancelled and not answered.
    pub(crate) fn unanswered(&self, from: Side) -> impl Iterator<Item = (usize, &Request)> {
        let slots = self.requests.iter().enumerate().zip(self.ids.iter());
        slots.filter_map(move |((slot, request), &print)| {
            (print != 0 && request.from == from && request.life != Life::Done)
                .then_some((slot, request))
        })
    }

    /// The task with this id that a side runs.
    pub(crate) fn task(&self, side: Side, id: Id<'_>) -> Option<usize> {
        self.tasks.iter().enumerate().position(|(task, kept)| {
            kept.side == side && kept.id != 0 && same(id, self.task_text(task))
        })
    }

    fn task_text(&self, task: usize) -> &[u8] {
        let length = self.tasks.get(task).map_or(0, |task| usize::from(task.id));
        let slot = self.requests.len().saturating_add(task);
        self.text(slot).get(..length).unwrap_or(&[])
    }

    /// Keeps a task, in the place of one that has ended if need be; `false` if that or this
    /// task is lost.
    pub(crate) fn add_task(
        &mut self,
        side: Side,
        id: Id<'_>,
        status: Status,
        of: Option<Method>,
        seq: u64,
    ) -> bool {
        let free = self.tasks.iter().position(|kept| kept.id == 0);
        let ended = || self.tasks.iter().position(|kept| kept.status.has_ended());
        let Some(at) = free.or_else(ended) else {
            return false;
        };
        let slot = self.requests.len().saturating_add(at);
        let kept = self.keep(slot, 0, id.as_bytes());
        if let Some(task) = self.tasks.get_mut(at) {
            let ended = if status.has_ended() { seq } else { u64::MAX };
            *task = Task {
                side,
                status,
                method: of,
                ended,
                id: kept.unwrap_or(0),
            };
        }
        kept.is_some() && free.is_some()
    }
}
