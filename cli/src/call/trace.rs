//! What passes, shown as it passes: lines with arrows, and the states of the session.

use std::io::{self, Write};
use std::time::Instant;

use wireline::session::{Failure, State};

use crate::escape;
use crate::stream::Direction;

const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";
const BLUE: &str = "\x1b[34m";
const GREEN: &str = "\x1b[32m";
const RESET: &str = "\x1b[0m";

/// How much of a line is shown, and how much of that is its beginning.
const SHOWN: usize = 150;
const HEAD: usize = 60;

pub(crate) struct Trace {
    out: Box<dyn Write>,
    colour: bool,
    whole: bool,
    started: Instant,
}

impl Trace {
    pub(crate) fn new(out: Box<dyn Write>, colour: bool, whole: bool) -> Self {
        Self {
            out,
            colour,
            whole,
            started: Instant::now(),
        }
    }

    fn paint(&self, code: &'static str) -> &'static str {
        if self.colour { code } else { "" }
    }

    fn put(&mut self, line: &[u8]) {
        // Nobody may be looking any more; the session goes on.
        let _ = self.out.write_all(line).and_then(|()| self.out.flush());
    }

    fn time(&self, line: &mut Vec<u8>) {
        let _ = write!(
            line,
            "{}{:>8.3}{} ",
            self.paint(DIM),
            self.started.elapsed().as_secs_f64(),
            self.paint(RESET)
        );
    }

    pub(crate) fn line(&mut self, direction: Direction, bytes: &[u8]) {
        let bytes = bytes.trim_ascii_end();
        let mut shown = Vec::new();
        escape::push_text(&mut shown, bytes);
        if !self.whole && shown.len() > SHOWN {
            // The beginning says what it is, the end what is in it.
            let boundary = |mut at: usize| {
                while shown.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
                    at -= 1;
                }
                at
            };
            let (head, tail) = (boundary(HEAD), boundary(shown.len() - (SHOWN - HEAD)));
            shown.splice(head..tail, " … ".bytes());
        }
        let colour = match direction {
            Direction::ToServer => BLUE,
            Direction::ToClient => GREEN,
        };
        let mut line = Vec::new();
        self.time(&mut line);
        let _ = write!(
            line,
            "{}{}{} ",
            self.paint(colour),
            direction.arrow(),
            self.paint(RESET)
        );
        line.append(&mut shown);
        line.push(b'\n');
        self.put(&line);
    }

    pub(crate) fn state(&mut self, state: State) {
        self.mark(&format!("state: {}", words(state)));
    }

    /// Something that happened to the session.
    pub(crate) fn mark(&mut self, text: &str) {
        let mut line = Vec::new();
        self.time(&mut line);
        let _ = writeln!(line, " *  {}{text}{}", self.paint(BOLD), self.paint(RESET));
        self.put(&line);
    }

    /// A remark between the lines.
    pub(crate) fn say(&mut self, text: &str) {
        let line = format!("{}{text}{}\n", self.paint(BOLD), self.paint(RESET));
        self.put(line.as_bytes());
    }
}

/// A state in plain words.
pub(crate) fn words(state: State) -> String {
    match state {
        State::Idle => "nothing agreed on".into(),
        State::Probing => "asking what the server speaks".into(),
        State::Opening => "opening a session".into(),
        State::Ready(revision) => format!("ready, revision {revision}"),
        State::Failed(why) => format!("failed: {}", reason(why)),
        State::Closed => "closed".into(),
        _ => "unknown".into(),
    }
}

/// Why no session came about, in plain words.
pub(crate) fn reason(why: Failure) -> &'static str {
    match why {
        Failure::NoCommonRevision => "the server speaks no revision that was asked for",
        Failure::Refused => "the server refused to open a session",
        Failure::BadResponse => "the server's answer was not a valid one",
        Failure::TooLong => "the server's answer was too long",
        Failure::TimedOut => "the server did not answer in time",
        Failure::ClosedWhileProbing => "the server ended when it was asked what it speaks",
        Failure::Closed => "the server ended before a session was open",
        _ => "no session came about",
    }
}

/// Standard error, not buffered.
pub(crate) fn to_errors() -> Box<dyn Write> {
    Box::new(io::stderr())
}
