//! Batches of 2025-03-26: their answers leave together, as one array.

use super::body::{Body, Long};
use super::event::{Event, Ignored, Step};
use super::line::{Line, LineId, Send, null_id};
use super::slots::{BATCHED, Handle, Inbound, Outbound, Slots, Tables};
use super::{Core, Role, Session};
use crate::fault::Rejected;
use crate::json::{MAX_DEPTH, walk};
use crate::mcp::{Side, code};
use crate::message::{BatchPlace, Kind, Message};
use crate::rules::Rule;

/// Tables, and N bytes in which the answers to a batch are gathered.
///
/// ```
/// use wireline::session::{Gathering, Memory};
/// static TABLES: Gathering<Memory<4, 0, 240>, 4096> = Gathering::new(Memory::new());
/// ```
#[derive(Clone, Debug)]
pub struct Gathering<S, const N: usize> {
    slots: S,
    gather: [u8; N],
}

impl<S, const N: usize> Gathering<S, N> {
    /// The tables, and room for N bytes beside them.
    pub const fn new(slots: S) -> Self {
        Gathering {
            slots,
            gather: [0; N],
        }
    }
}

impl<S: Slots, const N: usize> Slots for Gathering<S, N> {
    const INBOUND: bool = S::INBOUND;
    const OUTBOUND: bool = S::OUTBOUND;

    fn tables(&mut self) -> Tables<'_> {
        self.slots.tables()
    }

    fn inbound(&self) -> &[Inbound] {
        self.slots.inbound()
    }

    fn outbound(&self) -> &[Outbound] {
        self.slots.outbound()
    }

    fn text(&self) -> &[u8] {
        self.slots.text()
    }

    fn gather(&mut self) -> &mut [u8] {
        &mut self.gather
    }
}

/// The batch that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    /// Bytes gathered, the opening bracket included; 0 for nothing.
    len: usize,
    /// Requests that still wait for their answers.
    pending: u16,
    /// A batch has begun, and its array has not been taken.
    open: bool,
    /// Its last element has come.
    whole: bool,
    /// The batch that comes in is refused, element by element.
    skipping: bool,
    /// It has been told so.
    refused: bool,
}

impl Batch {
    pub(super) const NONE: Batch = Batch {
        len: 0,
        pending: 0,
        open: false,
        whole: false,
        skipping: false,
        refused: false,
    };

    /// Whether the array is complete.
    const fn is_due(&self) -> bool {
        self.open && self.whole && self.pending == 0 && self.len > 0
    }

    /// Another line has come: there is no more of the batch, whether its last element came or
    /// not.
    pub(super) fn cut(&mut self) {
        self.whole |= self.open;
        self.skipping = false;
        self.settle();
    }

    /// Closes a batch that nothing is owed for.
    fn settle(&mut self) {
        if self.open && self.whole && self.pending == 0 && self.len == 0 {
            self.open = false;
        }
    }

    /// Gathers a line; `false` if it does not fit.
    fn put(&mut self, gather: &mut [u8], line: &Line<'_>) -> bool {
        // A bracket or a comma before it; a bracket and LF at the end.
        let end = gather.len().saturating_sub(1);
        let room = gather
            .get_mut(self.len.saturating_add(1)..end)
            .unwrap_or(&mut []);
        let Ok(n) = line.write(room) else {
            return false;
        };
        // The array is one container more.
        if walk::is_deeper(room.get(..n).unwrap_or(&[]), MAX_DEPTH.saturating_sub(1)) {
            return false;
        }
        // The line's LF gives way to what comes next.
        let at = self.len;
        self.len = at.saturating_add(n);
        if let Some(mark) = gather.get_mut(at) {
            *mark = if at == 0 { b'[' } else { b',' };
        }
        true
    }

    /// Gathers an answer. What does not fit becomes an error, and an error that does not fit
    /// leaves by itself.
    fn take<'p>(&mut self, gather: &mut [u8], line: Line<'p>) -> Send<'p> {
        if self.put(gather, &line) {
            return Send::NONE;
        }
        let text = "The answer does not fit into the batch";
        let mut error = Line::new(Kind::Error, line.id, text, line.revision, Body::none());
        error.code = Long::new(code::INTERNAL_ERROR as u64);
        if self.put(gather, &error) {
            Send::NONE
        } else {
            Send::one(error)
        }
    }

    /// The answer to a request of the batch.
    pub(super) fn answer<'p>(&mut self, gather: &mut [u8], line: Line<'p>) -> Send<'p> {
        let send = self.take(gather, line);
        self.pending = self.pending.saturating_sub(1);
        self.settle();
        send
    }
}

/// Where an item stood in a batch.
pub(super) fn place(item: &Result<Message<'_>, Rejected<'_>>) -> Option<BatchPlace> {
    match item {
        Ok(message) => message.batch(),
        Err(rejected) => rejected.batch(),
    }
}

impl<'c> Core<'c> {
    /// Refuses a batch as a whole.
    fn refuse_batch<'m>(&self) -> Send<'m> {
        let revision = self.present();
        let id = LineId::echo(null_id().filter(|_| !revision.omits_unknown_id()));
        let text = "No batch is taken now";
        let mut line = Line::new(Kind::Error, id, text, revision, Body::none());
        line.code = Long::new(code::INVALID_REQUEST as u64);
        Send::one(line)
    }
}

impl<'c, R: Role, S: Slots> Session<'c, R, S> {
    /// An element of a batch.
    pub(super) fn element<'m>(
        &mut self,
        item: &Result<Message<'m>, Rejected<'m>>,
        place: BatchPlace,
        step: &mut Step<'m>,
    ) where
        'c: 'm,
    {
        let agreed = self.core.revision.is_some_and(|it| it.has_batches());
        if place.index == 0 {
            let room = !self.slots.gather().is_empty();
            let batch = &mut self.core.batch;
            batch.skipping = !agreed || !room || batch.open;
            batch.refused = false;
            if !batch.skipping {
                *batch = Batch {
                    open: true,
                    ..Batch::NONE
                };
            }
        }
        if self.core.batch.skipping {
            self.core.batch.skipping = !place.last;
            let forbids = |revision| Rule::R31.revisions().contains(revision);
            if place.index == 0 && self.core.settled().is_some_and(forbids) {
                step.broken.add(Rule::R5);
                step.broken.add(Rule::R31);
            }
            return self.pass_over(item, agreed, step);
        }
        self.take(item, step);
        match step.event {
            Event::Request(incoming) => {
                if let Some(slot) = self.slots.tables().inbound_at(incoming.handle) {
                    slot.flags |= BATCHED;
                    self.core.batch.pending = self.core.batch.pending.saturating_add(1);
                }
            }
            Event::Cancelled { handle, .. } => self.give_up_element(handle),
            _ => {}
        }
        let mut left = Send::NONE;
        for line in step.send.lines() {
            // What answers goes into the array; what does not, leaves as it is.
            if matches!(line.kind(), Kind::Result | Kind::Error) {
                left = self.core.batch.take(self.slots.gather(), line);
            } else {
                left = Send::one(line);
            }
        }
        step.send = left;
        if place.last {
            self.core.batch.whole = true;
            self.core.batch.settle();
        }
    }

    /// An element of a batch whose requests cannot be taken: no revision that has batches is
    /// agreed on, or there is no room for answers. What needs no answer needs no room (A23);
    /// the first request is refused for all of them, and what looks like a response never is.
    fn pass_over<'m>(
        &mut self,
        item: &Result<Message<'m>, Rejected<'m>>,
        agreed: bool,
        step: &mut Step<'m>,
    ) where
        'c: 'm,
    {
        let (response, notification) = match item {
            Ok(message) => (
                message.method().is_none(),
                message.kind() == Kind::Notification,
            ),
            Err(rejected) => {
                let shape = rejected.shape();
                (!shape.method && (shape.result || shape.error), false)
            }
        };
        if agreed && (response || notification) {
            self.take(item, step);
            if let Event::Cancelled { handle, .. } = step.event {
                self.give_up_element(handle);
            }
            return;
        }
        step.event = Event::Ignored(Ignored::Fault);
        if response || self.core.batch.refused {
            return;
        }
        self.core.batch.refused = true;
        let modern = self.core.present().era() == crate::mcp::Era::Modern;
        if R::SIDE == Side::Server || !modern {
            step.send = self.core.refuse_batch();
        }
        if let Ok(message) = item
            && message.method().is_some_and(|it| it == "initialize")
        {
            step.broken.add(Rule::R30);
        }
    }

    /// A request of a batch was cancelled: nothing is owed for it any more.
    pub(super) fn give_up_element(&mut self, handle: Handle) {
        let slot = self.slots.inbound().get(handle.index());
        if slot.is_some_and(|slot| slot.flags & BATCHED != 0) {
            self.core.batch.pending = self.core.batch.pending.saturating_sub(1);
            self.core.batch.settle();
        }
    }

    /// The answers to a batch, once the last has been given: one line, LF included, to be
    /// sent as it is. Call it after every call that may have given one, if batches are
    /// taken: [`receive`](Session::receive), [`respond`](Session::respond),
    /// [`fail`](Session::fail).
    ///
    /// A batch ends with its last element or, if its rest is never given, with the line after
    /// it.
    ///
    /// ```
    /// # use wireline::session::*;
    /// # fn flush<S: Slots>(session: &mut Session<'_, Server, S>, out: &mut Vec<u8>) {
    /// if let Some(line) = session.take_batch() {
    ///     out.extend_from_slice(line);
    /// }
    /// # }
    /// ```
    pub fn take_batch(&mut self) -> Option<&[u8]> {
        if !self.core.batch.is_due() {
            return None;
        }
        let len = self.core.batch.len;
        // Another batch may be coming in, and be refused as a whole.
        self.core.batch = Batch {
            skipping: self.core.batch.skipping,
            refused: self.core.batch.refused,
            ..Batch::NONE
        };
        let gather = self.slots.gather();
        let end = len.saturating_add(2);
        for (to, from) in gather.get_mut(len..end)?.iter_mut().zip(b"]\n") {
            *to = *from;
        }
        gather.get(..end)
    }
}
