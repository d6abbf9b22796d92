//! Where copies of what passes are handed to the sinks, without ever waiting for one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::stream::{Direction, Event, Micros};

/// What a sink is told.
pub(crate) enum Note {
    Bytes(Arc<Piece>),
    Event(Micros, Event),
}

/// What one read gave.
pub(crate) struct Piece {
    pub(crate) at: Micros,
    pub(crate) direction: Direction,
    pub(crate) bytes: Box<[u8]>,
}

// What a note takes beside its bytes: the queue must be bounded for many small ones too.
const OVERHEAD: usize = 128;

impl Note {
    pub(crate) fn cost(&self) -> usize {
        match self {
            Self::Bytes(piece) => piece.bytes.len() + OVERHEAD,
            Self::Event(..) => OVERHEAD,
        }
    }
}

/// The way into a sink's queue.
pub(crate) struct Inlet {
    pub(crate) queue: Sender<Note>,
    /// Bytes waiting in the queue.
    pub(crate) waiting: Arc<AtomicUsize>,
    pub(crate) most: usize,
    /// Bytes that found no room, for each direction, and have not been told of yet.
    lost: [u64; 2],
}

impl Inlet {
    pub(crate) fn new(queue: Sender<Note>, waiting: Arc<AtomicUsize>, most: usize) -> Self {
        Self {
            queue,
            waiting,
            most,
            lost: [0; 2],
        }
    }

    fn offer(&mut self, note: Note) -> bool {
        let cost = note.cost();
        // An empty queue takes any one note: a piece is never larger than one read.
        let waiting = self.waiting.load(Ordering::Acquire);
        if waiting > 0 && waiting.saturating_add(cost) > self.most {
            return false;
        }
        self.force(note)
    }

    /// For what is small and comes seldom.
    fn force(&mut self, note: Note) -> bool {
        self.waiting.fetch_add(note.cost(), Ordering::AcqRel);
        self.queue.send(note).is_ok()
    }

    fn bytes(&mut self, piece: &Arc<Piece>) {
        let side = piece.direction.index();
        let before = self.lost[side];
        // What is missing is told first, where it is missing.
        if before > 0 && self.offer(Note::Event(piece.at, Event::Lost(piece.direction, before))) {
            self.lost[side] = 0;
        }
        if self.lost[side] > 0 || !self.offer(Note::Bytes(piece.clone())) {
            self.lost[side] += piece.bytes.len() as u64;
        }
    }

    fn tell_lost(&mut self, at: Micros) {
        for direction in Direction::BOTH {
            let lost = std::mem::take(&mut self.lost[direction.index()]);
            if lost > 0 {
                self.force(Note::Event(at, Event::Lost(direction, lost)));
            }
        }
    }
}

/// Hands out what passes. One lock for all sinks, held for as long as a send to a queue takes:
/// every sink sees the same order, times rise, and a request is seen before its answer.
pub(crate) struct Hub {
    start: Instant,
    /// There never was a sink.
    silent: bool,
    inlets: Mutex<Vec<Inlet>>,
}

impl Hub {
    pub(crate) fn new(inlets: Vec<Inlet>) -> Self {
        Self {
            start: Instant::now(),
            silent: inlets.is_empty(),
            inlets: Mutex::new(inlets),
        }
    }

    pub(crate) fn bytes(&self, direction: Direction, bytes: &[u8]) {
        if self.silent {
            return;
        }
        // Copied before the lock is taken.
        let bytes: Box<[u8]> = bytes.into();
        let mut inlets = self.lock();
        if inlets.is_empty() {
            return;
        }
        let piece = Arc::new(Piece {
            at: self.now(),
            direction,
            bytes,
        });
        inlets.iter_mut().for_each(|inlet| inlet.bytes(&piece));
    }

    pub(crate) fn event(&self, event: Event) {
        let mut inlets = self.lock();
        let at = self.now();
        for inlet in inlets.iter_mut() {
            inlet.tell_lost(at);
            inlet.force(Note::Event(at, event));
        }
    }

    /// Lets go of the sinks: their queues end here.
    pub(crate) fn close(&self) {
        let mut inlets = self.lock();
        let at = self.now();
        inlets.iter_mut().for_each(|inlet| inlet.tell_lost(at));
        inlets.clear();
    }

    fn now(&self) -> Micros {
        Micros(u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Inlet>> {
        // A panic elsewhere must not stop the bytes.
        self.inlets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// Takes up to so many notes; counts the bytes that came, and those told to be missing.
    fn take(notes: &Receiver<Note>, waiting: &AtomicUsize, most: usize) -> (u64, u64) {
        let (mut came, mut missing) = (0, 0);
        for note in notes.try_iter().take(most) {
            waiting.fetch_sub(note.cost(), Ordering::AcqRel);
            match note {
                Note::Bytes(piece) => came += piece.bytes.len() as u64,
                Note::Event(_, Event::Lost(_, bytes)) => missing += bytes,
                Note::Event(..) => {}
            }
        }
        (came, missing)
    }

    #[test]
    fn what_does_not_come_is_told_to_the_byte() {
        let (queue, notes) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let hub = Hub::new(vec![Inlet::new(queue, waiting.clone(), 2000)]);
        let (mut passed, mut came, mut missing) = (0, 0, 0);
        let mut random = 1_u32;
        for _ in 0..10_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let size = (random >> 8) as usize % 900;
            let direction = Direction::BOTH[(random >> 20) as usize % 2];
            hub.bytes(direction, &vec![b'x'; size]);
            passed += size as u64;
            assert!(waiting.load(Ordering::Acquire) <= 2000);
            let (some, others) = take(&notes, &waiting, (random >> 28) as usize % 3);
            came += some;
            missing += others;
        }
        hub.close();
        let (some, others) = take(&notes, &waiting, usize::MAX);
        came += some;
        missing += others;
        assert_eq!(came + missing, passed);
        assert!(came > 0 && missing > 0);
        assert!(notes.recv().is_err(), "the queue has ended");
    }

    #[test]
    fn a_note_larger_than_the_queue_passes_when_nothing_waits() {
        let (queue, notes) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let hub = Hub::new(vec![Inlet::new(queue, waiting.clone(), 0)]);
        hub.bytes(Direction::ToServer, &[b'x'; 1000]);
        hub.bytes(Direction::ToServer, &[b'x'; 1000]);
        hub.close();
        assert_eq!(take(&notes, &waiting, usize::MAX), (1000, 1000));
    }
}
