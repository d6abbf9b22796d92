//! Questions to whoever sits at the terminal.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::interrupt::Interrupts;

/// How often an interrupt is looked for while somebody types.
const GLANCE: Duration = Duration::from_millis(50);

/// What was typed.
pub(super) enum Typed {
    Line(String),
    /// The terminal was closed, or Ctrl-C pressed.
    Nothing,
}

/// Standard input and standard error, if both are a terminal.
pub(crate) struct Terminal {
    there: bool,
    interrupts: Interrupts,
    lines: Option<Receiver<String>>,
}

impl Terminal {
    pub(crate) fn new(interrupts: Interrupts) -> Self {
        Self {
            there: io::stdin().is_terminal() && io::stderr().is_terminal(),
            interrupts,
            lines: None,
        }
    }

    /// No terminal, whatever there is.
    pub(crate) fn none() -> Self {
        Self {
            there: false,
            interrupts: Interrupts::default(),
            lines: None,
        }
    }

    pub(super) fn is_there(&self) -> bool {
        self.there
    }

    /// Shows text. What comes from a server must have been escaped.
    pub(super) fn show(&self, text: &str) {
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Asks for one line.
    pub(super) fn ask(&mut self, question: &str) -> Typed {
        self.show(question);
        let _ = io::stderr().flush();
        let seen = self.interrupts.count();
        let lines = self.lines.get_or_insert_with(read_lines);
        loop {
            match lines.recv_timeout(GLANCE) {
                Ok(line) => return Typed::Line(line),
                Err(RecvTimeoutError::Timeout) if self.interrupts.count() == seen => {}
                Err(_) => {
                    self.show("\n");
                    return Typed::Nothing;
                }
            }
        }
    }

    /// Asks for yes or no; nothing typed is no.
    pub(super) fn agrees(&mut self, question: &str) -> bool {
        match self.ask(&format!("{question} [y/N] ")) {
            Typed::Line(line) => matches!(line.trim(), "y" | "Y" | "yes"),
            Typed::Nothing => false,
        }
    }
}

/// On a thread of its own: a read cannot be given up.
fn read_lines() -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}
