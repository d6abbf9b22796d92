//! Bytes of both directions in, messages and faults out, each with its place in the stream.

use std::io::{self, Write};

use wireline::{Limits, LineDecoder, Message, Rejected};

use crate::report::Reporter;
use crate::stream::{Direction, Event, Exit, Micros};
use crate::summary::Summary;
use crate::watch::Watch;

/// Where a line lies in its direction's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Counted from 1.
    pub(crate) line: u64,
    /// Of the line's first byte, counted from 0.
    pub(crate) position: u64,
}

/// A line's place, and what is known of the stream that it came in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) at: Option<Micros>,
    pub(crate) direction: Option<Direction>,
    pub(crate) place: Place,
}

/// Checks one or both directions and reports what it sees.
pub(crate) struct Inspector<W> {
    limits: Limits,
    tracks: [Track; 2],
    plain: bool,
    /// Of the recording in hand.
    last: Option<Micros>,
    /// How long the recordings before it took.
    before: Option<Micros>,
    /// The server has closed its end; what it owes is told when it is known how it ended.
    server_closed: bool,
    /// The client closed its end after that.
    client_closed_later: bool,
    output: Output<W>,
}

/// Where items go: each is reported, and held against the rules.
struct Output<W> {
    watch: Watch,
    reporter: Reporter<W>,
}

impl<W: Write> Output<W> {
    fn item(
        &mut self,
        context: Context,
        item: &Result<Message<'_>, Rejected<'_>>,
    ) -> io::Result<()> {
        self.reporter.item(context, item)?;
        let (finding, lost) = self.watch.item(context, item);
        if !finding.violations.is_empty() {
            self.reporter
                .broken(context.at, context.direction, Some(context.place), &finding)?;
        }
        match lost {
            true => self.reporter.lost_track(context),
            false => Ok(()),
        }
    }

    /// A side has ended: what it still owed.
    fn end(&mut self, direction: Direction, at: Option<Micros>) -> io::Result<()> {
        while let Some(finding) = self.watch.end(direction, at) {
            self.reporter.broken(at, Some(direction), None, &finding)?;
        }
        Ok(())
    }
}

impl<W: Write> Inspector<W> {
    /// `plain`: the bytes are of one direction, and it is not known which.
    pub(crate) fn new(limits: Limits, plain: bool, mut reporter: Reporter<W>) -> Self {
        let watch = Watch::new(plain, limits);
        reporter.summary.judged = watch.judges();
        Self {
            limits,
            tracks: [Track::new(limits), Track::new(limits)],
            plain,
            last: None,
            before: None,
            server_closed: false,
            client_closed_later: false,
            output: Output { watch, reporter },
        }
    }

    pub(crate) fn bytes(
        &mut self,
        direction: Direction,
        at: Option<Micros>,
        bytes: &[u8],
    ) -> io::Result<()> {
        self.last = at.or(self.last);
        let known = (!self.plain).then_some(direction);
        self.output.reporter.summary.bytes(direction, bytes.len());
        self.tracks[direction.index()].feed(bytes, at, known, &mut self.output)
    }

    pub(crate) fn event(&mut self, at: Option<Micros>, event: Event) -> io::Result<()> {
        self.last = at.or(self.last);
        match event {
            Event::Eof(direction) => self.end(direction, at)?,
            Event::Lost(direction, bytes) => {
                self.tracks[direction.index()].gap(bytes, self.limits);
                self.output.watch.gap(direction);
                self.output.reporter.summary.lost(direction, bytes);
            }
            Event::Closed(_) | Event::Exit(_) => {}
        }
        self.output.reporter.event(at, event)?;
        match event {
            Event::Eof(Direction::ToServer) if self.server_closed => {
                self.client_closed_later = true;
                Ok(())
            }
            Event::Eof(Direction::ToServer) => self.output.end(Direction::ToServer, at),
            Event::Eof(Direction::ToClient) => {
                self.server_closed = true;
                Ok(())
            }
            Event::Exit(Exit::Code(_)) => {
                // What is on its way comes after the exit: it is waited for.
                self.server_closed = true;
                Ok(())
            }
            Event::Exit(Exit::Signal(_)) => {
                // It was ended before it could answer.
                self.output.watch.server_was_killed();
                Ok(())
            }
            Event::Closed(_) | Event::Lost(..) => Ok(()),
        }
    }

    /// Another recording follows: both directions begin anew.
    pub(crate) fn restart(&mut self) -> io::Result<()> {
        self.end_all()?;
        self.output.watch.restart();
        self.before = self.duration();
        self.last = None;
        Ok(())
    }

    /// Ends both directions, and hands the reporter back for its summary.
    pub(crate) fn finish(mut self) -> io::Result<Reporter<W>> {
        self.end_all()?;
        let duration = self.duration();
        self.output.reporter.summary.close(duration, self.plain);
        Ok(self.output.reporter)
    }

    /// How long all recordings so far took; each counts its time from its own beginning.
    fn duration(&self) -> Option<Micros> {
        match (self.before, self.last) {
            (Some(Micros(before)), Some(Micros(last))) => Some(Micros(before.saturating_add(last))),
            (before, last) => before.or(last),
        }
    }

    pub(crate) fn summary(&self) -> &Summary {
        &self.output.reporter.summary
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.output.reporter.flush()
    }

    fn end_all(&mut self) -> io::Result<()> {
        let last = self.last;
        Direction::BOTH
            .into_iter()
            .try_for_each(|direction| self.end(direction, last))?;
        if std::mem::take(&mut self.server_closed) {
            self.output.end(Direction::ToClient, last)?;
        }
        if std::mem::take(&mut self.client_closed_later) {
            self.output.end(Direction::ToServer, last)?;
        }
        Ok(())
    }

    fn end(&mut self, direction: Direction, at: Option<Micros>) -> io::Result<()> {
        let known = (!self.plain).then_some(direction);
        let track = &mut self.tracks[direction.index()];
        track.finish(at, known, &mut self.output)?;
        self.output.reporter.summary.lines(direction, track.lines());
        *track = Track::new(self.limits);
        Ok(())
    }
}

struct Track {
    decoder: LineDecoder<Vec<u8>>,
    /// The line that the next byte belongs to.
    current: Place,
    /// The line that the last item came from: the elements of a batch share it.
    last: Place,
    /// Of the next byte.
    position: u64,
    /// Nothing but white space has come in the current line.
    blank: bool,
    /// Bytes are missing: what comes up to the next line end belongs to a line of unknown beginning.
    skipping: bool,
    /// Bytes were missing, so the decoder's own count is not that of the stream.
    broken: bool,
}

/// Where the position stays when a recording tells of more lost bytes than there can be: the bytes
/// that do come can be added to it without overflow.
const FARTHEST: u64 = u64::MAX / 2;

const START: Place = Place {
    line: 1,
    position: 0,
};

impl Track {
    fn new(limits: Limits) -> Self {
        Self {
            decoder: LineDecoder::new(Vec::new(), limits),
            current: START,
            last: START,
            position: 0,
            blank: true,
            skipping: false,
            broken: false,
        }
    }

    fn lines(&self) -> u64 {
        // A last line without its end counts as one.
        self.current.line - u64::from(self.position == self.current.position)
    }

    fn feed<W: Write>(
        &mut self,
        mut input: &[u8],
        at: Option<Micros>,
        direction: Option<Direction>,
        output: &mut Output<W>,
    ) -> io::Result<()> {
        if self.skipping {
            let Some(end) = memchr::memchr(b'\n', input) else {
                self.position += input.len() as u64;
                return Ok(());
            };
            self.position += end as u64 + 1;
            self.next_line();
            self.skipping = false;
            input = &input[end + 1..];
        }
        while !self.decoder.is_closed() {
            let before = input;
            let Some(item) = self.decoder.next_in(&mut input) else {
                self.passed(before);
                return Ok(());
            };
            let used = &before[..before.len() - input.len()];
            let item = item.result();
            // The borrow of the decoder ends with the item: what is kept of the place lies beside it.
            let place = Self::place(
                &mut self.current,
                &mut self.last,
                &mut self.position,
                &mut self.blank,
                used,
            );
            output.item(
                Context {
                    at,
                    direction,
                    place,
                },
                &item,
            )?;
            debug_assert!(
                self.broken
                    || (self.decoder.line(), self.decoder.position())
                        == (place.line, place.position),
                "line {} at {}, not {place:?}",
                self.decoder.line(),
                self.decoder.position()
            );
        }
        self.position += input.len() as u64;
        Ok(())
    }

    fn finish<W: Write>(
        &mut self,
        at: Option<Micros>,
        direction: Option<Direction>,
        output: &mut Output<W>,
    ) -> io::Result<()> {
        let place = self.current;
        while let Some(item) = self.decoder.finish() {
            output.item(
                Context {
                    at,
                    direction,
                    place,
                },
                &item,
            )?;
        }
        Ok(())
    }

    /// `bytes` of this direction are missing here.
    fn gap(&mut self, bytes: u64, limits: Limits) {
        self.decoder = LineDecoder::new(Vec::new(), limits);
        self.position += bytes.min(FARTHEST.saturating_sub(self.position));
        self.skipping = true;
        self.broken = true;
    }

    fn next_line(&mut self) {
        self.current = Place {
            line: self.current.line + 1,
            position: self.position,
        };
        self.blank = true;
    }

    /// Bytes that made no item: white space, blank lines, the beginning of a line.
    fn passed(&mut self, used: &[u8]) {
        if self.blank {
            let rest = skip_blank(&mut self.current, self.position, used).0;
            self.blank = rest == used.len();
        }
        self.position += used.len() as u64;
    }

    /// The place of the line whose item came when `used` was taken in.
    fn place(
        current: &mut Place,
        last: &mut Place,
        position: &mut u64,
        blank: &mut bool,
        used: &[u8],
    ) -> Place {
        if used.is_empty() {
            return *last;
        }
        if *blank {
            let (rest, before) = skip_blank(current, *position, used);
            *position += used.len() as u64;
            if rest == used.len() {
                // An item for a line of white space only.
                *last = before;
                return before;
            }
        } else {
            *position += used.len() as u64;
        }
        *last = *current;
        if used.ends_with(b"\n") {
            *current = Place {
                line: last.line + 1,
                position: *position,
            };
            *blank = true;
        } else {
            *blank = false;
        }
        *last
    }
}

/// The byte order mark in UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Steps over leading white space, and a byte order mark at the start of the stream. Gives how many bytes it was, and the place before its last line end.
fn skip_blank(current: &mut Place, position: u64, used: &[u8]) -> (usize, Place) {
    let mut before = *current;
    let mut taken = 0;
    for (&b, at) in used.iter().zip(position..) {
        match b {
            b' ' | b'\t' | b'\r' => taken += 1,
            // Cut or not: what only begins like one is no white space to whoever comes after it.
            0xef | 0xbb | 0xbf if at < 3 && BOM.get(at as usize) == Some(&b) => taken += 1,
            b'\n' => {
                taken += 1;
                before = *current;
                *current = Place {
                    line: current.line + 1,
                    position: position + taken as u64,
                };
            }
            _ => break,
        }
    }
    (taken, before)
}
