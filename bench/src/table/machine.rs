//! What the figures were made on, and with which versions.

use std::process::Command;

/// Where a figure comes from.
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
    pub rustc: String,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let cpu = read("/proc/cpuinfo")
            .lines()
            .find_map(|line| line.strip_prefix("model name"))
            .and_then(|rest| rest.split_once(':'))
            .map_or_else(
                || std::env::consts::ARCH.to_owned(),
                |(_, name)| name.trim().to_owned(),
            );
        let rustc = Command::new("rustc").arg("--version").output();
        Self {
            cpu,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            rustc: rustc.map_or_else(
                |e| e.to_string(),
                |out| String::from_utf8_lossy(&out.stdout).trim().to_owned(),
            ),
        }
    }
}

/// The version of a package in a `Cargo.lock`.
pub fn version<'l>(lock: &'l str, package: &str) -> Option<&'l str> {
    let (_, after) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    after.split_once('"').map(|(version, _)| version)
}
