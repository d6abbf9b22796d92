//! The server's process: started, written to, drained, and ended in the order that the
//! specification gives.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Happening;
use super::interrupt::Interrupts;
use crate::failure::{Failure, plain};

const CHUNK: usize = 64 * 1024;

/// How much of standard error is kept, from its end.
const KEPT: usize = 16 * 1024;

/// How long each step of the end may take before the next one is taken.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) struct Process {
    child: Child,
    /// Lines to be written; dropping it closes the server's standard input.
    to: Option<Sender<Vec<u8>>>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    errors_done: std::sync::mpsc::Receiver<()>,
}

impl Process {
    /// Starts the server. What it says comes through `events`, with `generation`.
    pub(crate) fn start(
        command: &[OsString],
        generation: u32,
        events: &SyncSender<Happening>,
    ) -> Result<Self, Failure> {
        let Some((program, rest)) = command.split_first() else {
            return Err(Failure::new("no command given"));
        };
        let mut command = Command::new(program);
        command
            .args(rest)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A group of its own: Ctrl-C is for us, who cancel first, and what the server starts ends
        // with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            let name = Path::new(program).display();
            let failure = Failure::new(format!("cannot run {name}: {}", plain(&error)));
            match error.kind() {
                ErrorKind::NotFound => {
                    failure.advice("check the command after `--`: its spelling, and PATH")
                }
                _ => failure.advice("check that the file is a program and may be executed"),
            }
        })?;
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Failure::new("the server has no standard streams"));
        };
        let (to, lines) = channel::<Vec<u8>>();
        thread::spawn(move || {
            for line in lines {
                // A server that no longer reads will end, or be given up in time.
                if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let events = events.clone();
        thread::spawn(move || {
            drain(stdout, |bytes| {
                let _ = events.send(match bytes {
                    Some(bytes) => Happening::Bytes(generation, bytes.to_vec()),
                    None => Happening::End(generation),
                });
            })
        });
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let kept = errors.clone();
        let (finished, errors_done) = channel();
        thread::spawn(move || {
            drain(stderr, |bytes| {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(bytes.unwrap_or(&[]));
                let excess = kept.len().saturating_sub(KEPT);
                kept.drain(..excess);
            });
            let _ = finished.send(());
        });
        Ok(Self {
            child,
            to: Some(to),
            errors,
            errors_done,
        })
    }

    /// Hands bytes to the thread that writes.
    pub(crate) fn write(&self, bytes: Vec<u8>) {
        if let Some(to) = &self.to {
            let _ = to.send(bytes);
        }
    }

    /// The end of what the server wrote to standard error. Of a server that has ended it is
    /// complete, unless something that it left behind writes on.
    pub(crate) fn errors(&self) -> Vec<u8> {
        let _ = self.errors_done.recv_timeout(Duration::from_millis(100));
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().copied().collect()
    }

    /// Closes the server's standard input, once all is written.
    pub(crate) fn close_input(&mut self) {
        self.to = None;
    }

    /// Ends the server: its input is closed; if it stays, it is told to end; if it still stays, it
    /// is ended. A new interrupt makes the last step the next.
    pub(crate) fn end(&mut self, interrupts: &Interrupts) -> io::Result<ExitStatus> {
        self.to = None;
        let seen = interrupts.count();
        if let Some(status) = self.wait(PATIENCE, interrupts, seen)? {
            return Ok(status);
        }
        if interrupts.count() == seen {
            self.terminate();
            if let Some(status) = self.wait(PATIENCE, interrupts, seen)? {
                return Ok(status);
            }
        }
        self.kill();
        self.child.wait()
    }

    /// Ends the server at once.
    pub(crate) fn kill(&mut self) {
        #[cfg(unix)]
        {
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }

    /// Asks the server to end, where systems have a way to ask.
    fn terminate(&mut self) {
        #[cfg(unix)]
        {
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
        }
        #[cfg(not(unix))]
        let _ = self.child.kill();
    }

    fn wait(
        &mut self,
        patience: Duration,
        interrupts: &Interrupts,
        seen: usize,
    ) -> io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            if begun.elapsed() >= patience || interrupts.count() != seen {
                return Ok(None);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// Whoever gives up on the way leaves no server behind.
impl Drop for Process {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads to the end, so that the server is never held up, and tells of each piece and of the end.
fn drain(mut from: impl Read, mut tell: impl FnMut(Option<&[u8]>)) {
    let mut chunk = vec![0; CHUNK];
    loop {
        match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(taken) => tell(chunk.get(..taken)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    tell(None);
}

/// How a server ended, in words.
pub(crate) fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("the server was ended by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("the server ended with status {code}"),
        None => "the server ended".into(),
    }
}
