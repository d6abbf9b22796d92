//! One line per message, fault or event, as text or as JSON, and the summary.

mod json;
mod text;

use std::io::{self, Write};

use wireline::monitor::Finding;
use wireline::{Flags, Id, Message, Rejected};

use crate::escape;
use crate::inspect::{Context, Place};
use crate::stream::{Direction, Event, Micros};
use crate::summary::Summary;

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

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[33m";
const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

impl<W: Write> Reporter<W> {
    pub(crate) fn new(out: W, style: Style, contents: Contents) -> Self {
        Self {
            out,
            style,
            contents,
            summary: Summary::new(),
            line: Vec::with_capacity(512),
        }
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
                self.summary
                    .message(side, message.kind(), message.as_bytes().len());
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

    /// Rules that a line breaks, one line each; no place: at the end of the direction.
    pub(crate) fn broken(
        &mut self,
        at: Option<Micros>,
        direction: Option<Direction>,
        place: Option<Place>,
        finding: &Finding,
    ) -> io::Result<()> {
        let side = direction.unwrap_or(Direction::ToServer);
        for rule in finding.violations.iter() {
            self.summary.broken(side, rule, finding.level(rule));
            if !self.contents.faults {
                continue;
            }
            if self.style.json {
                self.broken_json(at, direction, place, finding, rule);
            } else {
                self.broken_text(at, direction, place, finding, rule);
            }
            self.write_line()?;
        }
        Ok(())
    }

    /// From this line on, nothing is held against a message for naming what is not known.
    pub(crate) fn lost_track(&mut self, context: Context) -> io::Result<()> {
        if !self.contents.faults {
            return Ok(());
        }
        if self.style.json {
            self.lost_track_json(context);
        } else {
            self.lost_track_text(context);
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
}

/// What was tolerated.
fn notes(flags: Flags) -> [(bool, &'static str); 2] {
    [
        (flags.null_params, "params is null"),
        (flags.bom, "byte order mark"),
    ]
}

fn push_id(out: &mut Vec<u8>, id: Id<'_>) {
    escape::push_token(out, id.as_raw());
}
