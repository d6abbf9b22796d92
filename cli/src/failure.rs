//! What ends the program early: said in plain words, with what to do.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// Exit status for wrong usage and for input or output that failed.
pub(crate) const TROUBLE: u8 = 2;

#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    advice: String,
    status: u8,
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            advice: String::new(),
            status: TROUBLE,
        }
    }

    /// Says what to do, or what else is known: a line of its own, after those that are there.
    pub(crate) fn advice(mut self, advice: impl AsRef<str>) -> Self {
        for line in advice.as_ref().lines() {
            self.advice.push_str(&format!("  {}\n", line.trim_start()));
        }
        self
    }

    /// Whether it is for want of an answer.
    pub(crate) fn is_no_answer(&self) -> bool {
        self.status == crate::call::trouble::NO_ANSWER
    }

    pub(crate) fn status(mut self, status: u8) -> Self {
        self.status = status;
        self
    }

    /// A file or stream that could not be opened, read or written.
    pub(crate) fn io(doing: &str, name: impl Display, error: &io::Error) -> Self {
        let failure = Self::new(format!("cannot {doing} {name}: {}", plain(error)));
        match error.kind() {
            io::ErrorKind::NotFound => failure.advice("check the path"),
            io::ErrorKind::PermissionDenied => {
                failure.advice("check the permissions of the file and its folders")
            }
            io::ErrorKind::IsADirectory => failure.advice("name a file, not a folder"),
            _ => failure,
        }
    }

    pub(crate) fn report(self) -> ExitCode {
        // Standard error may be gone too; there is nobody left to tell then.
        let text = format!("wireline: {}\n{}", self.what, self.advice);
        let _ = io::stderr().write_all(text.as_bytes());
        ExitCode::from(self.status)
    }
}

/// The error without the number that std appends.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}
