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
        let lost = &mut self.lost[piece.direction.index()];
        let before = *lost;
        *lost = 0;
        if before > 0 && !self.offer(Note::Event(piece.at, Event::Lost(piece.direction, before)))
            || !self.offer(Note::Bytes(piece.clone()))
        {
            self.lost[piece.direction.index()] += piece.bytes.len() as u64;
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
    inlets: Mutex<Vec<Inlet>>,
}

impl Hub {
    pub(crate) fn new(inlets: Vec<Inlet>) -> Self {
        Self {
            start: Instant::now(),
            inlets: Mutex::new(inlets),
        }
    }

    pub(crate) fn bytes(&self, direction: Direction, bytes: &[u8]) {
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
