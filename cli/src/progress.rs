//! How far a long file has been read, on standard error if that is a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

const FIRST: Duration = Duration::from_millis(500);
const EVERY: Duration = Duration::from_millis(200);

pub(crate) struct Progress {
    on: bool,
    shown: bool,
    total: Option<u64>,
    start: Instant,
    next: Instant,
}

impl Progress {
    /// Off unless standard error is a terminal that the report is not written to as well.
    pub(crate) fn new(total: Option<u64>, silent: bool) -> Self {
        let start = Instant::now();
        Self {
            on: io::stderr().is_terminal() && (silent || !io::stdout().is_terminal()),
            shown: false,
            total,
            start,
            next: start + FIRST,
        }
    }

    pub(crate) fn at(&mut self, bytes: u64) {
        if !self.on {
            return;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + EVERY;
        self.shown = true;
        let _ = write!(
            io::stderr(),
            "\r{}\x1b[K",
            line(bytes, self.total, now - self.start)
        );
    }

    /// Takes the line away again.
    pub(crate) fn clear(&mut self) {
        if self.shown {
            self.shown = false;
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(bytes: u64, total: Option<u64>, time: Duration) -> String {
    let mb = bytes as f64 / 1e6;
    let rate = mb / time.as_secs_f64().max(1e-9);
    match total {
        Some(total) if total > 0 => {
            let percent = (bytes as f64 * 100.0 / total as f64).min(100.0);
            format!(
                "{percent:.0} %  {mb:.0} of {:.0} MB  {rate:.0} MB/s",
                total as f64 / 1e6
            )
        }
        _ => format!("{mb:.0} MB  {rate:.0} MB/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let second = Duration::from_secs(1);
        assert_eq!(
            line(250_000_000, Some(1_000_000_000), second),
            "25 %  250 of 1000 MB  250 MB/s"
        );
        assert_eq!(line(250_000_000, None, second * 2), "250 MB  125 MB/s");
        assert_eq!(line(5, Some(0), second), "0 MB  0 MB/s");
    }
}
