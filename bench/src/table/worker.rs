//! A worker as `table` sees it.

use crate::sum::Sum;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A worker that waits for what to run.
pub struct Worker {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    name: String,
}

impl Worker {
    /// Starts the binary.
    pub fn start(binary: &Path) -> Result<Self, String> {
        let name = binary.display().to_string();
        let mut child = Command::new(binary)
            .arg("serve")
            // What was freed stays with the process: otherwise large buffers, ours and the
            // peers', are handed back and the system has to clear new pages on every run.
            .env("MALLOC_MMAP_MAX_", "0")
            .env("MALLOC_TRIM_THRESHOLD_", "4294967296")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{name}: {e}"))?;
        let to = child.stdin.take().ok_or("no standard input")?;
        let from = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Self {
            child,
            to,
            from,
            name,
        })
    }

    fn ask(&mut self, what: &str) -> Result<String, String> {
        let name = &self.name;
        writeln!(self.to, "{what}")
            .and_then(|()| self.to.flush())
            .map_err(|e| format!("{name}: {what}: {e}"))?;
        let mut answer = String::new();
        self.from
            .read_line(&mut answer)
            .map_err(|e| format!("{name}: {what}: {e}"))?;
        if answer.is_empty() {
            return Err(format!("{name}: no answer to {what}"));
        }
        Ok(answer.trim_end().to_owned())
    }

    /// Reads a file into the worker's memory; gives its size.
    pub fn load(&mut self, file: &Path) -> Result<u64, String> {
        let answer = self.ask(&format!("load {}", file.display()))?;
        answer
            .parse()
            .map_err(|_| format!("{}: not a size: {answer}", self.name))
    }

    /// Runs a method so many times; gives nanoseconds by the clock, nanoseconds on a CPU,
    /// and what it read.
    pub fn run(&mut self, method: &str, times: u32) -> Result<(u64, u64, Sum), String> {
        let answer = self.ask(&format!("run {method} {times}"))?;
        let parts = answer.split_once(' ').and_then(|(clock, rest)| {
            let (cpu, sum) = timed(rest)?;
            Some((clock.parse().ok()?, cpu, sum))
        });
        parts.ok_or_else(|| format!("{}: not understood: {answer}", self.name))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It has nothing to lose, and it is ours.
        if self.child.kill().is_ok() {
            drop(self.child.wait());
        }
    }
}

fn timed(answer: &str) -> Option<(u64, Sum)> {
    let (number, rest) = answer.split_once(' ')?;
    Some((number.parse().ok()?, Sum::from_line(rest)?))
}

/// Runs a command of a worker to its end.
pub fn once(binary: &Path, args: &[&str]) -> Result<String, String> {
    let shown = format!("{} {}", binary.display(), args.join(" "));
    let out = Command::new(binary)
        .args(args)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("{shown}: {e}"))?;
    if !out.status.success() {
        return Err(format!("{shown}: {}", out.status));
    }
    String::from_utf8(out.stdout).map_err(|e| format!("{shown}: {e}"))
}

/// The most memory, in KiB, that reading this file took, and what was read.
pub fn peak(binary: &Path, method: &str, file: &Path) -> Result<(u64, Sum), String> {
    let file = file.display().to_string();
    let answer = once(binary, &["peak", method, &file])?;
    timed(answer.trim_end()).ok_or_else(|| format!("peak {method}: not understood: {answer}"))
}

/// What the reject vectors say of one method.
#[derive(Clone)]
pub struct Verdict {
    pub method: String,
    pub vectors: u64,
    /// Bad lines that it took, good lines that it refused.
    pub wrong: Vec<String>,
}

/// Runs the reject vectors through every method of a worker.
pub fn verdicts(binary: &Path, vectors: &[PathBuf]) -> Result<Vec<Verdict>, String> {
    let files: Vec<String> = vectors.iter().map(|p| p.display().to_string()).collect();
    let mut args = vec!["rejects"];
    args.extend(files.iter().map(String::as_str));
    once(binary, &args)?
        .lines()
        .map(|line| {
            let mut parts = line.split('\t');
            let mut next = || {
                parts
                    .next()
                    .ok_or_else(|| format!("rejects: not understood: {line}"))
            };
            let method = next()?.to_owned();
            let vectors = next()?
                .parse()
                .map_err(|_| format!("rejects: not understood: {line}"))?;
            let wrong = next()?
                .split("; ")
                .filter(|n| !n.is_empty())
                .map(str::to_owned)
                .collect();
            Ok(Verdict {
                method,
                vectors,
                wrong,
            })
        })
        .collect()
}
