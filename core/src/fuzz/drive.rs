//! The ways in which a line decoder can be fed.

use std::vec::Vec;

use super::seen::Seen;
use super::{Random, piece};
use crate::decode::{Item, LineDecoder, Storage};
use crate::fault::{FaultKind, Rejected};
use crate::limits::Limits;
use crate::message::Message;

/// More items than any stream can have; a decoder that gives more goes round in circles.
const TOO_MANY: usize = 100_000;

/// How a stream is fed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// Over chunks of the caller's.
    Chunks,
    /// Into the decoder's own buffer.
    InPlace,
    /// Now so, now so.
    Mixed,
}

pub(super) struct Driver<B> {
    pub(super) decoder: LineDecoder<B>,
    pub(super) items: Vec<Seen>,
    /// The unfinished line's fault, once there was one, and the line's number.
    pending: Option<(u64, FaultKind, u64)>,
}

impl<B: Storage> Driver<B> {
    pub(super) fn new(storage: B, limits: Limits) -> Self {
        Driver {
            decoder: LineDecoder::new(storage, limits),
            items: Vec::new(),
            pending: None,
        }
    }

    fn note(&mut self, mut seen: Seen) {
        seen.line = self.decoder.line();
        seen.position = self.decoder.position();
        assert!(self.items.len() < TOO_MANY, "the decoder never ends");
        if let Some((line, kind, at)) = self.pending.take() {
            if line == seen.line {
                let stream = matches!(seen.what, Err(FaultKind::Runaway | FaultKind::Overrun));
                // At one offset the rest of the line may tell which fault it is.
                let same = seen.offset <= at;
                assert!(
                    stream || seen.what.is_err() && same,
                    "pending() told of {kind:?} at {at}, but the line came to {seen:?}"
                );
            } else if line > seen.line {
                self.pending = Some((line, kind, at));
            }
        }
        self.items.push(seen);
    }

    /// Takes out what the bytes in the buffer come to.
    pub(super) fn drain(&mut self) {
        loop {
            let seen = match self.decoder.next() {
                Some(item) => Seen::of(&item),
                None => return,
            };
            self.note(seen);
        }
    }

    pub(super) fn chunk(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        loop {
            let before = rest.len();
            let seen = match self.decoder.next_in(&mut rest) {
                Some(item) => seen_in(item, bytes),
                None => {
                    assert!(
                        rest.is_empty(),
                        "next_in said None and left {} bytes",
                        rest.len()
                    );
                    return;
                }
            };
            assert!(rest.len() <= before);
            self.note(seen);
        }
    }

    pub(super) fn in_place(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let spare = self.decoder.spare();
            assert!(
                !spare.is_empty(),
                "no room, though all lines were taken out"
            );
            let count = spare.len().min(rest.len());
            spare[..count].copy_from_slice(&rest[..count]);
            self.decoder.commit(count);
            rest = &rest[count..];
            self.drain();
        }
    }

    /// Asks after the unfinished line.
    pub(super) fn ask(&mut self) {
        let pending = self.decoder.pending();
        let again = self.decoder.pending();
        assert_eq!(pending, again, "pending() changed what it tells of");
        if let Some((kind, at)) = pending.fault {
            assert!(at <= pending.bytes, "{pending:?}");
            let line = self.decoder.line() + 1;
            self.pending = Some((line, kind, at));
        }
    }

    pub(super) fn end(&mut self) {
        while let Some(item) = self.decoder.finish() {
            let seen = Seen::of(&item);
            self.note(seen);
        }
    }

    /// Feeds a whole stream, cut and asked after as `random` has it.
    pub(super) fn feed(&mut self, stream: &[u8], way: Way, ask: bool, random: &mut Random) {
        let mut rest = stream;
        while !rest.is_empty() {
            let bytes = piece(&mut rest, random);
            match way {
                Way::Chunks => self.chunk(bytes),
                Way::InPlace => self.in_place(bytes),
                Way::Mixed if random.below(2) == 0 => self.chunk(bytes),
                Way::Mixed => self.in_place(bytes),
            }
            if ask && random.below(2) == 0 {
                self.ask();
            }
        }
        self.end();
    }
}

/// What lies in the caller's chunk must do so indeed.
fn seen_in(item: Item<'_, '_>, chunk: &[u8]) -> Seen {
    if let Item::InChunk(result) = &item {
        let part = match result {
            Ok(message) => message.as_bytes(),
            Err(rejected) => rejected.excerpt(),
        };
        let range = chunk.as_ptr_range();
        assert!(
            part.is_empty() || range.contains(&part.as_ptr()),
            "an item that is not in the chunk that it says it is in"
        );
    }
    let result: Result<Message<'_>, Rejected<'_>> = item.result();
    Seen::of(&result)
}

/// The whole stream as one chunk: what every other way is held against.
pub(super) fn whole(stream: &[u8], limits: Limits) -> Vec<Seen> {
    let mut driver = Driver::new(Vec::new(), limits);
    driver.chunk(stream);
    driver.end();
    driver.items
}
