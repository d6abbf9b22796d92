//! Instruction counts: the same on every run, whatever else the machine does.

use crate::sum::Sum;
use std::path::Path;
use std::process::Command;

/// Instructions that one run of a method over a file takes, and what it read.
pub fn count(binary: &Path, method: &str, file: &Path) -> Result<(u64, Sum), String> {
    let out = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--collect-atstart=no",
            "--toggle-collect=counted",
        ])
        .arg(binary)
        .args(["count", method])
        .arg(file)
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let log = String::from_utf8_lossy(&out.stderr);
    if !out.status.success() {
        return Err(format!("valgrind {method}: {}\n{log}", out.status));
    }
    let instructions = log
        .lines()
        .find_map(|line| line.split_once("Collected : "))
        .and_then(|(_, n)| n.trim().parse().ok())
        .filter(|n| *n > 0)
        .ok_or_else(|| format!("valgrind {method}: no count\n{log}"))?;
    let read = String::from_utf8_lossy(&out.stdout);
    let sum = Sum::from_line(read.trim_end())
        .ok_or_else(|| format!("{method}: not understood: {read}"))?;
    Ok((instructions, sum))
}
