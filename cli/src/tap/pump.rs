//! One direction: read, tell the hub, write on at once.

use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::hub::Hub;
use crate::stream::{Direction, Event};

const CHUNK: usize = 64 * 1024;

/// After the server's end: how long its output may be silent, while something else holds it open.
const SILENCE: Duration = Duration::from_millis(250);

pub(crate) struct Pump {
    done: Receiver<()>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// A write is under way, or the other side has stopped reading.
    writing: AtomicBool,
    /// Pieces read.
    read: AtomicU64,
}

impl Pump {
    /// Passes bytes until either side is closed, then closes the other: `close` gives up the
    /// process's own standard stream.
    pub(crate) fn start(
        direction: Direction,
        mut from: impl Read + Send + 'static,
        mut to: impl Write + Send + 'static,
        hub: &Arc<Hub>,
        close: fn(),
    ) -> Self {
        let (finished, done) = channel();
        let state = Arc::new(State::default());
        let hub = hub.clone();
        let shared = state.clone();
        thread::spawn(move || {
            let event = pass(direction, &mut from, &mut to, &hub, &shared);
            // Told first: the other side may act on the end as soon as it sees it.
            hub.event(event);
            drop(from);
            drop(to);
            // At the end of the input, the side written to is the server's (dropped) or our
            // standard output; when nobody reads, the side read from is our standard input.
            match (direction, event) {
                (Direction::ToServer, Event::Closed(_)) | (Direction::ToClient, Event::Eof(_)) => {
                    close()
                }
                _ => {}
            }
            let _ = finished.send(());
        });
        Self { done, state }
    }

    /// Waits until all that the server left in the pipe has been passed on. A process that the
    /// server left behind may hold the pipe open; it is not waited for once it is silent, nor
    /// once `hurry` is set.
    pub(crate) fn drain(&self, hurry: &AtomicBool) {
        let mut seen = self.state.read.load(Ordering::Acquire);
        loop {
            match self.done.recv_timeout(SILENCE) {
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = self.state.read.load(Ordering::Acquire);
            let silent = now == seen && !self.state.writing.load(Ordering::Acquire);
            if silent || hurry.load(Ordering::Acquire) {
                return;
            }
            seen = now;
        }
    }
}

fn pass(
    direction: Direction,
    from: &mut impl Read,
    to: &mut impl Write,
    hub: &Hub,
    state: &State,
) -> Event {
    let mut chunk = vec![0; CHUNK];
    loop {
        let taken = match from.read(&mut chunk) {
            Ok(0) => return Event::Eof(direction),
            Ok(taken) => taken,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // A terminal or a socket that went away ends the input like any other end.
            Err(_) => return Event::Eof(direction),
        };
        state.writing.store(true, Ordering::Release);
        state.read.fetch_add(1, Ordering::AcqRel);
        let bytes = &chunk[..taken];
        hub.bytes(direction, bytes);
        if to.write_all(bytes).and_then(|()| to.flush()).is_err() {
            return Event::Closed(direction);
        }
        state.writing.store(false, Ordering::Release);
    }
}
