//! The report for people.

use std::io::Write;

use wireline::json::JsonStr;
use wireline::monitor::Finding;
use wireline::{Id, Kind, Level, Message, Rejected, Rule};

use super::{DIM, RED, RESET, Reporter, YELLOW, notes, push_id};
use crate::advice;
use crate::escape;
use crate::inspect::{Context, Place};
use crate::stream::{Direction, Event, Exit, Micros};
use crate::summary::grouped;

// What is shown of an id or a method; JSON has them whole.
const SHOWN: usize = 80;

const fn colour_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Request => "\x1b[36m",
        Kind::Notification => "\x1b[35m",
        Kind::Result => "\x1b[32m",
        Kind::Error => "\x1b[33m",
    }
}

impl<W: Write> Reporter<W> {
    /// The first columns: the time and the arrow, or, where neither is known, the line's number.
    fn columns(&mut self, at: Option<Micros>, direction: Option<Direction>, line: Option<u64>) {
        self.line.clear();
        self.paint(DIM);
        let _ = match (at, line) {
            (Some(Micros(us)), _) => {
                write!(self.line, "{:>6}.{:03}", us / 1_000_000, us / 1000 % 1000)
            }
            (None, Some(line)) if direction.is_none() => write!(self.line, "{line:>8}:"),
            (None, _) => write!(self.line, "{:>10}", "-"),
        };
        self.paint(RESET);
        self.line.push(b' ');
        if let Some(direction) = direction {
            self.line.extend_from_slice(direction.arrow().as_bytes());
            self.line.push(b' ');
        }
    }

    pub(super) fn message_text(&mut self, context: Context, message: &Message<'_>) {
        self.columns(context.at, context.direction, Some(context.place.line));
        self.paint(colour_of(message.kind()));
        let _ = write!(self.line, "{:<12}", message.kind().name());
        self.paint(RESET);
        let _ = write!(self.line, " {:>8} B  ", message.as_bytes().len());
        let from = self.line.len();
        match message.id() {
            Some(id) => self.push_id(id),
            None => self.line.push(b'-'),
        }
        let length = self.line.len() - from;
        if let Some(method) = message.method() {
            self.pad(length);
            self.push_str(method);
        }
        if let Some(error) = message.error() {
            self.pad(length);
            self.line.extend_from_slice(b"code ");
            let from = self.line.len();
            self.line
                .extend_from_slice(error.code().as_str().as_bytes());
            self.cut(from);
        }
        if let Some(place) = message.batch() {
            let _ = write!(self.line, " [batch element {}]", place.index);
        }
        for (set, note) in notes(message.flags()) {
            if set {
                let _ = write!(self.line, " [{note}]");
            }
        }
    }

    pub(super) fn fault_text(&mut self, context: Context, fault: &Rejected<'_>) {
        self.columns(context.at, context.direction, Some(context.place.line));
        self.paint(RED);
        let _ = write!(self.line, "{:<12}", "FAULT");
        self.paint(RESET);
        let _ = write!(self.line, " {:>8} B  ", fault.length());
        self.paint(RED);
        self.line.extend_from_slice(fault.kind().name().as_bytes());
        self.paint(RESET);
        let _ = write!(
            self.line,
            " at byte {} of line {}: {}",
            fault.offset(),
            context.place.line,
            fault.kind().reason()
        );
        self.line.extend_from_slice(b"; ");
        self.line
            .extend_from_slice(advice::advice(fault.kind()).as_bytes());
        if let (Some(limit), Some(option)) = (fault.limit(), advice::option(fault.kind())) {
            let _ = write!(self.line, " ({option} {limit})");
        }
        if let Some(id) = fault.id() {
            self.line.extend_from_slice(b" [id ");
            self.push_id(id);
            self.line.push(b']');
        } else if let Some(id) = fault.id_hint() {
            self.line.extend_from_slice(b" [perhaps id ");
            self.push_id(id);
            self.line.push(b']');
        }
        if let Some(method) = fault.method() {
            self.line.extend_from_slice(b" [method ");
            self.push_str(method);
            self.line.push(b']');
        }
        if let Some(place) = fault.batch() {
            let _ = write!(self.line, " [batch element {}]", place.index);
        }
        if !fault.excerpt().is_empty() {
            self.paint(DIM);
            self.line.extend_from_slice(b" | ");
            escape::push_text(&mut self.line, fault.excerpt());
            if (fault.excerpt().len() as u64) < fault.length() {
                self.line.extend_from_slice("…".as_bytes());
            }
            self.paint(RESET);
        }
    }

    pub(super) fn broken_text(
        &mut self,
        at: Option<Micros>,
        direction: Option<Direction>,
        place: Option<Place>,
        finding: &Finding,
        rule: Rule,
    ) {
        self.columns(at, direction, place.map(|place| place.line));
        let level = finding.level(rule);
        let colour = if level == Level::Must { RED } else { YELLOW };
        self.paint(colour);
        let _ = write!(self.line, "{:<12}", "BROKEN");
        self.paint(RESET);
        self.line.push(b' ');
        self.paint(colour);
        let _ = write!(self.line, "{rule}");
        self.paint(RESET);
        let _ = match place {
            Some(place) => write!(self.line, " ({}) by line {}", level.name(), place.line),
            None => write!(self.line, " ({}) at the end", level.name()),
        };
        let _ = write!(self.line, ": {}", rule.text());
        if let Some(method) = finding.method {
            let _ = write!(self.line, " [{}]", method.name());
        }
        if let Some(request) = finding.request {
            let to = crate::watch::direction(request.from);
            let _ = write!(self.line, " [request: {} line {}]", to.arrow(), request.at);
        }
    }

    pub(super) fn lost_track_text(&mut self, context: Context) {
        self.columns(context.at, context.direction, Some(context.place.line));
        self.paint(YELLOW);
        let _ = write!(self.line, "{:<12}", "lost track");
        self.paint(RESET);
        self.line.extend_from_slice(
            b" from here on no message is blamed for naming a request that is not known",
        );
    }

    pub(super) fn event_text(&mut self, at: Option<Micros>, event: Event) {
        let direction = match event {
            Event::Eof(direction) | Event::Closed(direction) | Event::Lost(direction, _) => {
                Some(direction)
            }
            Event::Exit(_) => None,
        };
        self.columns(at, direction, None);
        if direction.is_none() {
            self.line.extend_from_slice(b"    ");
        }
        match event {
            Event::Eof(direction) => {
                let _ = write!(
                    self.line,
                    "{:<12} the {} closed its end",
                    "end",
                    direction.sender()
                );
            }
            Event::Closed(direction) => {
                let _ = write!(
                    self.line,
                    "{:<12} the {} stopped reading",
                    "closed",
                    direction.receiver()
                );
            }
            Event::Lost(_, bytes) => {
                self.paint(RED);
                let _ = write!(self.line, "{:<12}", "not reported");
                self.paint(RESET);
                let _ = write!(
                    self.line,
                    " {} bytes passed unseen here, because the log was slower than the stream",
                    grouped(bytes)
                );
            }
            Event::Exit(Exit::Code(code)) => {
                let _ = write!(
                    self.line,
                    "{:<12} the server ended with status {code}",
                    "exit"
                );
            }
            Event::Exit(Exit::Signal(signal)) => {
                let _ = write!(self.line, "{:<12} signal {signal} ended the server", "exit");
            }
        }
    }

    /// Ids are short: what follows them lines up if they are.
    fn pad(&mut self, length: usize) {
        let _ = write!(
            self.line,
            "{:width$}",
            "",
            width = 6_usize.saturating_sub(length) + 1
        );
    }

    fn push_id(&mut self, id: Id<'_>) {
        let from = self.line.len();
        push_id(&mut self.line, id);
        self.cut(from);
    }

    fn push_str(&mut self, text: JsonStr<'_>) {
        let from = self.line.len();
        match text.as_str() {
            Some(plain) => escape::push_text(&mut self.line, plain.as_bytes()),
            None => {
                for c in text.chars() {
                    match c {
                        Ok(c) => escape::push_char(&mut self.line, c),
                        Err(lone) => {
                            let _ = write!(self.line, "\\u{:04x}", lone.0);
                        }
                    }
                }
            }
        }
        self.cut(from);
    }

    /// Shortens what was written last, if it is long.
    fn cut(&mut self, from: usize) {
        let text = &self.line[from..];
        if text.len() <= SHOWN {
            return;
        }
        // All that is written here is UTF-8: a character does not begin with 10.
        let end = (0..=SHOWN)
            .rfind(|&at| text[at] & 0xc0 != 0x80)
            .unwrap_or(0);
        self.line.truncate(from + end);
        self.line.extend_from_slice("…".as_bytes());
    }
}
