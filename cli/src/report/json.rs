//! The report for programs: the members are described in `docs/cli.md`.

use std::io::Write;

use wireline::json::JsonStr;
use wireline::monitor::Finding;
use wireline::{FaultClass, FaultKind, Message, Rejected, Rule};

use super::{Reporter, notes, push_id};
use crate::advice;
use crate::escape;
use crate::inspect::{Context, Place};
use crate::stream::{Direction, Event, Exit, Micros};

impl<W: Write> Reporter<W> {
    pub(super) fn message_json(&mut self, context: Context, message: &Message<'_>) {
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
                self.line
                    .extend_from_slice(if first { b",\"notes\":[\"" } else { b",\"" });
                self.line.extend_from_slice(note.as_bytes());
                self.line.push(b'"');
                first = false;
            }
        }
        self.line
            .extend_from_slice(if first { b"}" } else { b"]}" });
    }

    pub(super) fn fault_json(&mut self, context: Context, fault: &Rejected<'_>) {
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

    pub(super) fn broken_json(
        &mut self,
        at: Option<Micros>,
        direction: Option<Direction>,
        place: Option<Place>,
        finding: &Finding,
        rule: Rule,
    ) {
        self.open_json("violation", at, direction);
        if let Some(place) = place {
            let _ = write!(
                self.line,
                ",\"line\":{},\"position\":{}",
                place.line, place.position
            );
        }
        let _ = write!(
            self.line,
            ",\"rule\":\"{rule}\",\"level\":\"{}\",\"text\":",
            finding.level(rule).name()
        );
        escape::push_json(&mut self.line, rule.text());
        if let Some(revision) = finding.revision {
            let _ = write!(self.line, ",\"revision\":\"{revision}\"");
        }
        if let Some(method) = finding.method {
            let _ = write!(self.line, ",\"method\":\"{}\"", method.name());
        }
        if let Some(request) = finding.request {
            let _ = write!(
                self.line,
                ",\"request\":{{\"dir\":\"{}\",\"line\":{}}}",
                crate::watch::direction(request.from).name(),
                request.at
            );
        }
        self.line.push(b'}');
    }

    pub(super) fn lost_track_json(&mut self, context: Context) {
        self.open_json("event", context.at, context.direction);
        self.place_json(context);
        self.line.extend_from_slice(b",\"event\":\"lost_track\"}");
    }

    pub(super) fn event_json(&mut self, at: Option<Micros>, event: Event) {
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
                    Exit::Signal(signal) => {
                        write!(self.line, ",\"event\":\"exit\",\"signal\":{signal}")
                    }
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
        let _ = write!(
            self.line,
            ",\"line\":{},\"position\":{}",
            context.place.line, context.place.position
        );
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
