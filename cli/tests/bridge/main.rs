//! `wireline bridge`, as a host and a device see it.
#![cfg(unix)]
#![allow(missing_docs)]

mod ends;
mod host;
mod reconnect;
mod serial;
mod sockets;
#[path = "../support/mod.rs"]
mod support;

use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use support::live::{LONG, Live};

/// The bridge, and what it says on standard error.
struct Bridge {
    host: Live,
    errors: Receiver<u8>,
    said: Vec<u8>,
}

impl Bridge {
    fn start(args: &[&str]) -> Self {
        let mut host = Live::run(&[&["bridge"], args].concat(), Stdio::piped());
        let mut from = host.child.stderr.take().expect("piped");
        let (sender, errors) = channel();
        thread::spawn(move || {
            let mut byte = [0];
            while from.read_exact(&mut byte).is_ok() {
                if sender.send(byte[0]).is_err() {
                    break;
                }
            }
        });
        Self {
            host,
            errors,
            said: Vec::new(),
        }
    }

    /// Waits until this is said on standard error, after what was waited for before.
    fn says(&mut self, wanted: &str) {
        let until = Instant::now() + LONG;
        while !String::from_utf8_lossy(&self.said).contains(wanted) {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(byte) = self.errors.recv_timeout(left) else {
                panic!(
                    "`{wanted}` is not said, but:\n{}",
                    String::from_utf8_lossy(&self.said)
                );
            };
            self.said.push(byte);
        }
        self.said.clear();
    }

    /// The device gets this line of the host's.
    fn passes_on(&mut self, device: &mut impl Read, line: &str) {
        self.host.send(line);
        assert_eq!(next_line(device), line);
    }
}

/// The next line that the device gets.
fn next_line(device: &mut impl Read) -> String {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        device.read_exact(&mut byte).expect("a byte");
        if byte[0] == b'\n' {
            return String::from_utf8(line).expect("UTF-8");
        }
        line.push(byte[0]);
    }
}

/// A connection begins with an end of what the device may hold.
fn begins(device: &mut impl Read) {
    assert_eq!(next_line(device), "");
}

fn cancelled(id: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"Nobody waits for the answer any more"}}}}"#
    )
}

fn tell(device: &mut impl Write, line: &str) {
    device
        .write_all(format!("{line}\n").as_bytes())
        .expect("it takes it");
}

fn ping(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

fn pong(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

fn failed(id: u32, why: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32000,"message":"{why}"}}}}"#)
}

const LOST: &str = "The connection to the device was lost before it answered";
