//! One line per message, fault or event, as text or as JSON, and the summary.

use std::io::{self, Write};

use wireline::json::JsonStr;
use wireline::{FaultClass, FaultKind, Flags, Id, Kind, Message, Rejected};

use crate::advice;
use crate::escape;
use crate::inspect::Context;
use crate::stream::{Direction, Event, Exit, Micros};
use crate::summary::{Summary, grouped};

/// How the report looks.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) json: bool,
    pub(crate) colour: bool,
}

/// What the report holds.
#[derive(Clone, Copy)]
pub(crate) struct Contents {
    pub(crate) messages: bool,
    pub(crate) faults: bool,
    pub(crate) summary: bool,
}

pub(crate) struct Reporter<W> {
    out: W,
    style: Style,
    contents: Contents,
    pub(crate) summary: Summary,
    line: Vec<u8>,
}

// What a terminal shows of an id or a method; JSON has them whole.
const SHOWN: usize = 80;

const RED: &str = "\x1b[1;31m";
const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

const fn colour_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Request => "\x1b[36m",
        Kind::Notification => "\x1b[35m",
        Kind::Result => "\x1b[32m",
        Kind::Error => "\x1b[33m",
    }
}

impl<W: Write> Reporter<W> {
    pub(crate) fn new(out: W, style: Style, contents: Contents) -> Self {
        Self { out, style, contents, summary: Summary::new(), line: Vec::with_capacity(512) }
    }

    pub(crate) fn item(
        &mut self,
        context: Context,
        item: &Result<Message<'_>, Rejected<'_>>,
    ) -> io::Result<()> {
        // A plain stream is counted as the first direction.
        let side = context.direction.unwrap_or(Direction::ToServer);
        match item {
            Ok(message) => {
                self.summary.message(side, message.kind(), message.as_bytes().len());
                if !self.contents.messages {
                    return Ok(());
                }
                if self.style.json {
                    self.message_json(context, message);
                } else {
                    self.message_text(context, message);
                }
            }
            Err(rejected) => {
                self.summary.fault(side, rejected.kind());
                if !self.contents.faults {
                    return Ok(());
                }
                if self.style.json {
                    self.fault_json(context, rejected);
                } else {
                    self.fault_text(context, rejected);
                }
            }
        }
        self.write_line()
    }

    pub(crate) fn event(&mut self, at: Option<Micros>, event: Event) -> io::Result<()> {
        // What is missing must be said even where only faults are asked for.
        if !(self.contents.messages || self.contents.faults && matches!(event, Event::Lost(..))) {
            return Ok(());
        }
        if self.style.json {
            self.event_json(at, event);
        } else {
            self.event_text(at, event);
        }
        self.write_line()
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Writes the summary, if it is wanted.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.contents.summary {
            self.line.clear();
            if self.style.json {
                self.summary.json(&mut self.line);
                self.line.push(b'\n');
            } else {
                if self.contents.messages || self.contents.faults {
                    self.line.push(b'\n');
                }
                self.paint(DIM);
                self.summary.heading(&mut self.line);
                self.paint(RESET);
                self.line.push(b'\n');
                self.summary.text(&mut self.line);
            }
            self.out.write_all(&self.line)?;
        }
        self.out.flush()
    }

    fn write_line(&mut self) -> io::Result<()> {
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    fn paint(&mut self, code: &str) {
        if self.style.colour {
            self.line.extend_from_slice(code.as_bytes());
        }
    }

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

    fn message_text(&mut self, context: Context, message: &Message<'_>) {
        self.columns(context.at, context.direction, Some(context.place.line));
        self.paint(colour_of(message.kind()));
        let _ = write!(self.line, "{:<12}", message.kind().name());
        self.paint(RESET);
        let _ = write!(self.line, " {:>8} B  ", message.as_bytes().len());
        let mut id = Vec::new();
        if let Some(of) = message.id() {
            push_id(&mut id, of);
        } else {
            id.push(b'-');
        }
        self.push_cut(&id);
        if let Some(method) = message.method() {
            self.pad(id.len());
            let mut text = Vec::new();
            push_str_text(&mut text, method);
            self.push_cut(&text);
        }
        if let Some(error) = message.error() {
            self.pad(id.len());
            let _ = write!(self.line, "code ");
            let code = error.code();
            self.push_cut(code.as_str().as_bytes());
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

    fn fault_text(&mut self, context: Context, fault: &Rejected<'_>) {
        self.columns(context.at, context.direction, Some(context.place.line));
        self.paint(RED);
        let _ = write!(self.line, "{:<12}", "FAULT");
        self.paint(RESET);
        let _ = write!(self.line, " {:>8} B  ", fault.length());
        self.paint(RED);
        self.line.extend_from_slice(fault.kind().name().as_bytes());
        self.paint(RESET);
        let _ = write!(self.line, " at byte {} of line {}: {}", fault.offset(), context.place.line, fault.kind().reason());
        self.line.extend_from_slice(b"; ");
        self.line.extend_from_slice(advice::advice(fault.kind()).as_bytes());
        if let (Some(limit), Some(option)) = (fault.limit(), advice::option(fault.kind())) {
            let _ = write!(self.line, " ({option} {limit})");
        }
        if let Some(id) = fault.id() {
            self.line.extend_from_slice(b" [id ");
            self.push_id_cut(id);
            self.line.push(b']');
        } else if let Some(id) = fault.id_hint() {
            self.line.extend_from_slice(b" [perhaps id ");
            self.push_id_cut(id);
            self.line.push(b']');
        }
        if let Some(method) = fault.method() {
            let mut text = Vec::new();
            push_str_text(&mut text, method);
            self.line.extend_from_slice(b" [method ");
            self.push_cut(&text);
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

    fn event_text(&mut self, at: Option<Micros>, event: Event) {
        let direction = match event {
            Event::Eof(direction) | Event::Closed(direction) | Event::Lost(direction, _) => Some(direction),
            Event::Exit(_) => None,
        };
        self.columns(at, direction, None);
        if direction.is_none() {
            self.line.extend_from_slice(b"    ");
        }
        match event {
            Event::Eof(direction) => {
                let _ = write!(self.line, "{:<12} the {} closed its end", "end", direction.sender());
            }
            Event::Closed(direction) => {
                let _ = write!(self.line, "{:<12} the {} stopped reading", "closed", direction.receiver());
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
                let _ = write!(self.line, "{:<12} the server ended with status {code}", "exit");
            }
            Event::Exit(Exit::Signal(signal)) => {
                let _ = write!(self.line, "{:<12} signal {signal} ended the server", "exit");
            }
        }
    }

    fn message_json(&mut self, context: Context, message: &Message<'_>) {
        self.open_json("message", context.at, context.direction);
        self.place_json(context);
        let _ = write!(self.line, ",\"kind\":\"{}\"", message.kind().name());
        if let Some(id) = message.id() {
            self.line.extend_from_slice(b",\"id\":");
            push_id(&mut self.line, id);
        }
        if let Some(method) = message.method() {
            self.line.extend_from_slice(b",\"method\":");
            push_str_json(&mut self.line, method);
        }
        if let Some(error) = message.error() {
            let code = error.code();
            let _ = write!(self.line, ",\"code\":{}", code.as_str());
        }
        let _ = write!(self.line, ",\"bytes\":{}", message.as_bytes().len());
        if let Some(place) = message.batch() {
            let _ = write!(self.line, ",\"batch_index\":{}", place.index);
        }
        let mut first = true;
        for (set, note) in notes(message.flags()) {
            if set {
                self.line.extend_from_slice(if first { b",\"notes\":[\"" } else { b",\"" });
                self.line.extend_from_slice(note.as_bytes());
                self.line.push(b'"');
                first = false;
            }
        }
        self.line.extend_from_slice(if first { b"}" } else { b"]}" });
    }

    fn fault_json(&mut self, context: Context, fault: &Rejected<'_>) {
        self.open_json("fault", context.at, context.direction);
        self.place_json(context);
        let _ = write!(
            self.line,
            ",\"kind\":\"{}\",\"class\":\"{}\",\"offset\":{},\"bytes\":{}",
            fault.kind().name(),
            class_name(fault.kind()),
            fault.offset(),
            fault.length()
        );
        self.line.extend_from_slice(b",\"reason\":");
        escape::push_json(&mut self.line, fault.kind().reason());
        self.line.extend_from_slice(b",\"advice\":");
        escape::push_json(&mut self.line, advice::advice(fault.kind()));
        if let Some(limit) = fault.limit() {
            let _ = write!(self.line, ",\"limit\":{limit}");
            if let Some(option) = advice::option(fault.kind()) {
                let _ = write!(self.line, ",\"option\":\"{option}\"");
            }
        }
        if let Some(id) = fault.id() {
            self.line.extend_from_slice(b",\"id\":");
            push_id(&mut self.line, id);
        }
        if let Some(id) = fault.id_hint() {
            self.line.extend_from_slice(b",\"id_hint\":");
            push_id(&mut self.line, id);
        }
        if let Some(method) = fault.method() {
            self.line.extend_from_slice(b",\"method_hint\":");
            push_str_json(&mut self.line, method);
        }
        if let Some(place) = fault.batch() {
            let _ = write!(self.line, ",\"batch_index\":{}", place.index);
        }
        if !fault.excerpt().is_empty() {
            let mut text = Vec::new();
            escape::push_text(&mut text, fault.excerpt());
            self.line.extend_from_slice(b",\"excerpt\":");
            escape::push_json(&mut self.line, &String::from_utf8_lossy(&text));
        }
        self.line.push(b'}');
    }

    fn event_json(&mut self, at: Option<Micros>, event: Event) {
        match event {
            Event::Eof(direction) => {
                self.open_json("event", at, Some(direction));
                self.line.extend_from_slice(b",\"event\":\"eof\"");
            }
            Event::Closed(direction) => {
                self.open_json("event", at, Some(direction));
                self.line.extend_from_slice(b",\"event\":\"closed\"");
            }
            Event::Lost(direction, bytes) => {
                self.open_json("event", at, Some(direction));
                let _ = write!(self.line, ",\"event\":\"lost\",\"bytes\":{bytes}");
            }
            Event::Exit(exit) => {
                self.open_json("event", at, None);
                let _ = match exit {
                    Exit::Code(code) => write!(self.line, ",\"event\":\"exit\",\"code\":{code}"),
                    Exit::Signal(signal) => write!(self.line, ",\"event\":\"exit\",\"signal\":{signal}"),
                };
            }
        }
        self.line.push(b'}');
    }

    fn open_json(&mut self, kind: &str, at: Option<Micros>, direction: Option<Direction>) {
        self.line.clear();
        let _ = write!(self.line, "{{\"type\":\"{kind}\"");
        if let Some(Micros(us)) = at {
            let _ = write!(self.line, ",\"t\":{}.{:03}", us / 1000, us % 1000);
        }
        if let Some(direction) = direction {
            let _ = write!(self.line, ",\"dir\":\"{}\"", direction.name());
        }
    }

    fn place_json(&mut self, context: Context) {
        let _ = write!(self.line, ",\"line\":{},\"position\":{}", context.place.line, context.place.position);
    }

    /// Ids are short: what follows them lines up if they are.
    fn pad(&mut self, length: usize) {
        let _ = write!(self.line, "{:width$}", "", width = 6_usize.saturating_sub(length) + 1);
    }

    fn push_id_cut(&mut self, id: Id<'_>) {
        let mut text = Vec::new();
        push_id(&mut text, id);
        self.push_cut(&text);
    }

    /// Escaped text, cut at a character if it is long.
    fn push_cut(&mut self, text: &[u8]) {
        if text.len() <= SHOWN {
            self.line.extend_from_slice(text);
            return;
        }
        let text = String::from_utf8_lossy(text);
        let end = text.floor_char_boundary(SHOWN);
        self.line.extend_from_slice(text[..end].as_bytes());
        self.line.extend_from_slice("…".as_bytes());
    }
}

/// What was tolerated.
fn notes(flags: Flags) -> [(bool, &'static str); 2] {
    [(flags.null_params, "params is null"), (flags.bom, "byte order mark")]
}

fn push_id(out: &mut Vec<u8>, id: Id<'_>) {
    escape::push_token(out, id.as_raw());
}

fn push_str_text(out: &mut Vec<u8>, text: JsonStr<'_>) {
    match text.as_str() {
        Some(plain) => escape::push_text(out, plain.as_bytes()),
        None => {
            for c in text.chars() {
                match c {
                    Ok(c) => escape::push_char(out, c),
                    Err(lone) => out.extend_from_slice(format!("\\u{:04x}", lone.0).as_bytes()),
                }
            }
        }
    }
}

fn push_str_json(out: &mut Vec<u8>, text: JsonStr<'_>) {
    // The raw text would do, but for an unpaired surrogate, which many readers of JSON refuse.
    let mut plain = String::new();
    let text = match text.as_str() {
        Some(text) => text,
        None => {
            for c in text.chars() {
                match c {
                    Ok(c) => plain.push(c),
                    Err(lone) => plain.push_str(&format!("\\u{:04x}", lone.0)),
                }
            }
            &plain
        }
    };
    escape::push_json(out, text);
}

fn class_name(kind: FaultKind) -> &'static str {
    match kind.class() {
        FaultClass::Noise => "noise",
        FaultClass::Text => "text",
        FaultClass::Limit => "limit",
        FaultClass::Envelope => "envelope",
        FaultClass::Stream => "stream",
        _ => "other",
    }
}
