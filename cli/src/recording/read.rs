use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::VERSION;
use crate::failure::Failure;
use crate::stream::{Direction, Event, Exit, Micros};

/// A record longer than this is refused: a recorder writes what it read at once, not more.
const LONGEST: usize = 64 << 20;

pub(crate) enum Record<'a> {
    /// A recording begins here.
    Start,
    Bytes {
        at: Option<Micros>,
        direction: Direction,
        bytes: &'a [u8],
        /// They came together with the bytes before.
        #[cfg_attr(
            not(test),
            expect(dead_code, reason = "kept for what replays recordings")
        )]
        continued: bool,
    },
    Event {
        at: Option<Micros>,
        event: Event,
    },
    /// Of a newer program: passed over.
    Unknown,
}

/// A string that is borrowed from its line where it holds no escape.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    wireline: Option<Text<'a>>,
    version: Option<u64>,
    t: Option<f64>,
    #[serde(borrow)]
    dir: Option<Text<'a>>,
    #[serde(borrow)]
    raw: Option<Text<'a>>,
    #[serde(borrow)]
    b64: Option<Text<'a>>,
    #[serde(default)]
    cont: bool,
    #[serde(borrow)]
    event: Option<Text<'a>>,
    bytes: Option<u64>,
    code: Option<i32>,
    signal: Option<i32>,
}

pub(crate) struct Reader<R> {
    input: R,
    name: String,
    line: Vec<u8>,
    number: u64,
    bytes: Vec<u8>,
}

impl<R: Read> Reader<BufReader<R>> {
    /// Whether the next record is in the buffer, so that `next` has it without reading.
    pub(crate) fn is_ready(&self) -> bool {
        let mut rest = self.input.buffer();
        while let Some(end) = memchr::memchr(b'\n', rest) {
            if !rest[..end].trim_ascii().is_empty() {
                return true;
            }
            rest = &rest[end + 1..];
        }
        false
    }
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn new(input: R, name: impl Into<String>) -> Self {
        Self {
            input,
            name: name.into(),
            line: Vec::new(),
            number: 0,
            bytes: Vec::new(),
        }
    }

    /// The next record; blank lines are passed over.
    pub(crate) fn next(&mut self) -> Result<Option<Record<'_>>, Failure> {
        loop {
            self.line.clear();
            let taken = (&mut self.input)
                .take(LONGEST as u64 + 1)
                .read_until(b'\n', &mut self.line)
                .map_err(|error| Failure::io("read", &self.name, &error))?;
            if taken == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.line.len() > LONGEST {
                return Err(self.bad(
                    "is longer than 64 MiB",
                    "a record holds what one read gave; cut it into several with \"cont\":true",
                ));
            }
            if !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        let whole = self.line.ends_with(b"\n");
        // Borrowed from the line apart from `self`, so that a failure can still name the place.
        let line = match serde_json::from_slice::<Line<'_>>(&self.line) {
            Ok(line) => line,
            Err(_) if !whole => {
                return Err(self.bad(
                    "is cut off",
                    "the recorder was stopped while it wrote; what came before was read",
                ));
            }
            Err(error) => {
                let what = format!("is no record: {error}");
                return Err(self.bad(&what, "if this is a plain stream, say --format plain"));
            }
        };
        if let Some(Text(magic)) = &line.wireline {
            return match (magic.as_ref(), line.version) {
                ("recording", Some(version)) if version <= VERSION => Ok(Some(Record::Start)),
                ("recording", Some(version)) => {
                    let what = format!("begins a recording of version {version}");
                    Err(self.bad(&what, "this program reads version 1: take a newer one"))
                }
                _ => Err(self.bad(
                    "is no heading of a recording",
                    "it must say \"wireline\":\"recording\" and a version",
                )),
            };
        }
        let at = match line.t {
            None => None,
            Some(ms) if (0.0..=1e13).contains(&ms) => Some(Micros((ms * 1000.0).round() as u64)),
            Some(_) => {
                return Err(self.bad(
                    "has a time out of range",
                    "t is milliseconds since the recording began",
                ));
            }
        };
        let direction = match &line.dir {
            None => None,
            Some(Text(name)) => match Direction::from_name(name) {
                Some(direction) => Some(direction),
                None => {
                    return Err(self.bad("has an unknown direction", "dir is \"c2s\" or \"s2c\""));
                }
            },
        };
        if let Some(Text(event)) = &line.event {
            let event = match (
                event.as_ref(),
                direction,
                line.bytes,
                line.code,
                line.signal,
            ) {
                ("eof", Some(direction), ..) => Event::Eof(direction),
                ("closed", Some(direction), ..) => Event::Closed(direction),
                ("lost", Some(direction), Some(bytes), ..) => Event::Lost(direction, bytes),
                ("exit", _, _, Some(code), _) => Event::Exit(Exit::Code(code)),
                ("exit", _, _, _, Some(signal)) => Event::Exit(Exit::Signal(signal)),
                ("eof" | "closed" | "lost" | "exit", ..) => {
                    return Err(self.bad(
                        "is an event that lacks a member",
                        "docs/recording.md lists the members",
                    ));
                }
                _ => return Ok(Some(Record::Unknown)),
            };
            return Ok(Some(Record::Event { at, event }));
        }
        let Some(direction) = direction else {
            return Err(self.bad("has no direction", "dir is \"c2s\" or \"s2c\""));
        };
        self.bytes.clear();
        match (line.raw, line.b64) {
            (Some(Text(raw)), None) => self.bytes.extend_from_slice(raw.as_bytes()),
            (None, Some(Text(b64))) => {
                let decoded = STANDARD.decode_vec(b64.as_bytes(), &mut self.bytes);
                if decoded.is_err() {
                    return Err(self.bad("has bad base64", "b64 is standard base64 with padding"));
                }
            }
            _ => {
                return Err(self.bad(
                    "has not exactly one of raw and b64",
                    "docs/recording.md lists the members",
                ));
            }
        }
        Ok(Some(Record::Bytes {
            at,
            direction,
            bytes: &self.bytes,
            continued: line.cont,
        }))
    }

    fn bad(&self, what: &str, advice: &str) -> Failure {
        Failure::new(format!("{}: line {} {what}", self.name, self.number)).advice(advice)
    }
}
