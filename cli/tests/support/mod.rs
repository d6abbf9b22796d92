//! What the tests of the program share.
#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod live;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub fn wireline(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wireline"));
    command
        .args(args)
        .env_remove("NO_COLOR")
        .env("TERM", "xterm");
    command
}

/// Runs to the end with this input.
pub fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = wireline(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        // The program may end before it has read all.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    output
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

pub fn objects(bytes: &[u8]) -> Vec<serde_json::Value> {
    text(bytes)
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

/// Compares with a file in `tests/data`; with WIRELINE_BLESS set, writes that file instead.
pub fn golden(name: &str, found: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    if std::env::var_os("WIRELINE_BLESS").is_some() {
        std::fs::write(&path, found).expect("the file can be written");
    }
    let wanted = std::fs::read(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "{name} differs; WIRELINE_BLESS=1 writes it anew.\n--- found\n{}\n--- wanted\n{}",
        String::from_utf8_lossy(found),
        String::from_utf8_lossy(&wanted)
    );
}

pub fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

pub fn path(directory: &tempfile::TempDir, name: &str) -> (PathBuf, String) {
    let path = directory.path().join(name);
    let text = path.to_str().expect("UTF-8").to_string();
    (path, text)
}

/// Peak resident memory, in KiB.
#[cfg(target_os = "linux")]
pub fn peak(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .expect("VmHWM");
    line.split_whitespace()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .expect("a number")
}

/// Waits for an end, but not for ever.
pub fn ends_within(child: &mut Child, limit: Duration) -> std::process::ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status;
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            panic!("still running after {limit:?}");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Reads this many bytes on a thread of its own, so that a stall fails and does not hang.
pub fn read_within(from: impl Read + Send + 'static, bytes: usize, limit: Duration) -> Vec<u8> {
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let mut from = from;
        let mut buffer = vec![0; bytes];
        let outcome = from.read_exact(&mut buffer);
        let _ = sender.send(outcome.map(|()| buffer));
        // Keeps the stream open: closing it would be an event of its own.
        thread::sleep(Duration::from_secs(300));
    });
    receiver
        .recv_timeout(limit)
        .expect("the bytes come in time")
        .expect("all of them")
}

/// A small generator with a fixed seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// A stream with messages of every kind, faults of many, noise, and odd line ends.
pub fn mixed(random: &mut Random, lines: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for n in 0..lines {
        let line: Vec<u8> = match random.below(14) {
            0 | 1 => format!("{{\"jsonrpc\":\"2.0\",\"id\":{n},\"method\":\"tools/call\",\"params\":{{\"text\":\"é😀 {n}\"}}}}").into(),
            2 => format!("{{\"result\":{{\"pad\":\"{}\"}},\"jsonrpc\":\"2.0\",\"id\":\"k{n}\"}}", "x".repeat(random.below(3000))).into(),
            3 => b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}".to_vec(),
            4 => format!("{{\"jsonrpc\":\"2.0\",\"id\":{n},\"error\":{{\"code\":-32601,\"message\":\"no\"}}}}").into(),
            5 => b"\x1b[32mINFO\x1b[0m starting\xff".to_vec(),
            6 => b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",}".to_vec(),
            7 => b"{\"jsonrpc\":\"2.0\",\"id\":1,\"met".to_vec(),
            8 => b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"a\"}".to_vec(),
            9 => Vec::new(),
            10 => b"  \t".to_vec(),
            11 => (0..random.below(300)).map(|_| random.next() as u8).filter(|&b| b != b'\n').collect(),
            12 => b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"a\",\"params\":{\"s\":\"\xc3\x28\"}}".to_vec(),
            _ => b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}} {}".to_vec(),
        };
        out.extend_from_slice(&line);
        out.extend_from_slice(if random.below(5) == 0 { b"\r\n" } else { b"\n" });
    }
    out
}
