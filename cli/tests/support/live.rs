//! A server process that is talked to line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::{ends_within, wireline};

/// Far more than anything here takes, even on a busy machine.
pub const LONG: Duration = Duration::from_secs(20);

pub struct Live {
    pub child: Child,
    to: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Live {
    /// `wireline serve` with these arguments; standard error is not looked at.
    pub fn serve(args: &[&str]) -> Self {
        Self::start(args, Stdio::null())
    }

    pub fn start(args: &[&str], errors: Stdio) -> Self {
        Self::run(&[&["serve"], args].concat(), errors)
    }

    /// Any command of the program's that is talked to line by line.
    pub fn run(args: &[&str], errors: Stdio) -> Self {
        let mut child = wireline(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("it starts");
        let from = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in from.split(b'\n') {
                let line = String::from_utf8(line.expect("it reads")).expect("UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let to = child.stdin.take();
        Self { child, to, lines }
    }

    /// A session of the legacy era whose client declares these capabilities.
    pub fn legacy(args: &[&str], capabilities: &str) -> Self {
        let mut live = Self::serve(args);
        live.handshake(capabilities);
        live
    }

    pub fn handshake(&mut self, capabilities: &str) {
        self.send(&format!(r#"{{"jsonrpc":"2.0","id":"open","method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"clientInfo":{{"name":"test","version":"1"}}}}}}"#));
        let answer = self.line();
        assert!(
            answer.contains(r#""protocolVersion":"2025-11-25""#),
            "{answer}"
        );
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    pub fn send(&mut self, line: &str) {
        let to = self.to.as_mut().expect("open");
        to.write_all(format!("{line}\n").as_bytes())
            .expect("it reads");
        to.flush().expect("it reads");
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.to
            .as_mut()
            .expect("open")
            .write_all(bytes)
            .expect("it reads");
    }

    /// The next line, which comes in time.
    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(LONG).expect("a line in time")
    }

    /// Sends a line, and what comes next is this.
    pub fn exchange(&mut self, line: &str, wanted: &str) {
        self.send(line);
        assert_eq!(self.line(), wanted, "in answer to {line}");
    }

    /// Sends a line and gives back what comes next, as JSON.
    pub fn ask(&mut self, line: &str) -> serde_json::Value {
        self.send(line);
        let answer = self.line();
        serde_json::from_str(&answer).expect("JSON")
    }

    pub fn close_input(&mut self) {
        self.to = None;
    }

    /// No more lines are read.
    pub fn close_output(&mut self) {
        let (_, nothing) = channel();
        self.lines = nothing;
    }

    /// What comes before the output ends.
    pub fn rest(&mut self) -> Vec<String> {
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(LONG) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => return rest,
                Err(RecvTimeoutError::Timeout) => panic!("the output does not end"),
            }
        }
    }

    pub fn ends(&mut self) -> ExitStatus {
        ends_within(&mut self.child, LONG)
    }

    /// The input ends; then the output does, with these lines at last, and all is well.
    pub fn finish(&mut self, wanted: &[&str]) {
        self.close_input();
        assert_eq!(self.rest(), wanted);
        assert_eq!(self.ends().code(), Some(0));
    }
}

/// A failing test leaves no process behind.
impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
