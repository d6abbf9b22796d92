//! `wireline bridge`: joins standard input and output to a device's line.
//!
//! One thread waits for whatever can be read or written; what passes is the [`relay`]'s to say. Only
//! opening the line, which may take its time, has a thread of its own.

mod address;
mod echo;
mod handshake;
mod ids;
mod lines;
mod link;
mod notes;
mod relay;

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

pub(crate) use address::Address;

use crate::args::Bridge as Options;
use crate::failure::{Failure, plain};
use crate::patient::Patient;
use crate::signals;
use crate::stdio;
use link::{Link, Moved};
use notes::Notes;
use relay::{Relay, Rules};

/// Between two attempts to open the line: doubled from one to the next.
const FIRST_DELAY: Duration = Duration::from_millis(100);
const LAST_DELAY: Duration = Duration::from_secs(3);

/// A line that was open for so long counts as good: the next attempt comes soon.
const STEADY: Duration = Duration::from_secs(1);

/// A pipe that can be written to takes so much without waiting.
const PIECE: usize = 4096;

/// A device that never stops is left alone after so many pieces, for the others' sake.
const READS: usize = 16;

/// What is still written when all is over waits so long at most, if standard input has left no more.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The other end of a socket is closed for writing, which a pipe tells by `HUP` unasked.
#[cfg(target_os = "linux")]
const PEER_CLOSED: PollFlags = PollFlags::RDHUP;
#[cfg(not(target_os = "linux"))]
const PEER_CLOSED: PollFlags = PollFlags::empty();

/// Exit status when the device is gone.
const GONE: u8 = 1;

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let mut bridge = Bridge::new(options)?;
    let outcome = bridge.run();
    bridge.relay.close(match &outcome {
        Ok(End::Signal(_)) => "The bridge was ended before the device answered",
        _ => "The bridge ended before the device answered",
    });
    bridge.last_words();
    if let Ok(End::Signal(signal)) = outcome {
        // Not an `ExitCode`: the port is to be given back first.
        drop(bridge);
        std::process::exit(128 + signal);
    }
    match outcome? {
        End::Device(why) => Err(Failure::new(why).status(GONE)),
        End::Input | End::Output | End::Signal(_) => Ok(ExitCode::SUCCESS),
    }
}

/// Why the bridge ends.
enum End {
    /// Standard input has ended, and what was asked is answered.
    Input,
    /// Nobody reads standard output.
    Output,
    /// The device is not waited for any longer.
    Device(String),
    Signal(i32),
}

/// The line to the device.
enum Line {
    /// To be opened at this time.
    Due(Instant),
    /// Being opened by another thread.
    Opening(Receiver<io::Result<Link>>),
    Open(Link, Instant),
}

struct Bridge<'o> {
    options: &'o Options,
    relay: Relay,
    line: Line,
    delay: Duration,
    /// Since when there is no line, and what was said of it last.
    away: Option<Instant>,
    said: String,
    input: Option<File>,
    /// When standard input has ended, or nobody writes to it any more: until when answers are waited for.
    until: Option<Instant>,
    output: Option<File>,
    errors: Option<File>,
    /// Wakes the main thread: signals, and the thread that opens the line.
    waker: UnixStream,
    woken: UnixStream,
    signal: Arc<AtomicUsize>,
    buffer: Box<[u8]>,
}

impl<'o> Bridge<'o> {
    fn new(options: &'o Options) -> Result<Self, Failure> {
        let now = Instant::now();
        let rules = Rules {
            max_message: options.max_message,
            max_waiting: usize::from(options.max_waiting),
            hold: options.hold,
            repeat_handshake: !options.no_handshake,
        };
        let (waker, woken) = UnixStream::pair()
            .and_then(|pair| {
                pair.0.set_nonblocking(true)?;
                pair.1.set_nonblocking(true)?;
                Ok(pair)
            })
            .map_err(|error| Failure::io("make", "a pair of sockets", &error))?;
        let signal = Arc::new(AtomicUsize::new(0));
        let hangup = (!signals::is_ignored(SIGHUP)).then_some(SIGHUP);
        for number in [SIGINT, SIGTERM].into_iter().chain(hangup) {
            // The flag first: who is woken finds it.
            signal_hook::flag::register_usize(
                number,
                signal.clone(),
                number.unsigned_abs() as usize,
            )
            .and_then(|_| signal_hook::low_level::pipe::register(number, waker.try_clone()?))
            .map_err(|error| Failure::io("catch", "signals", &error))?;
        }
        let stream =
            |name, file: io::Result<File>| file.map_err(|error| Failure::io("use", name, &error));
        Ok(Self {
            options,
            relay: Relay::new(rules, Notes::new(options.quiet), now),
            line: Line::Due(now),
            delay: FIRST_DELAY,
            away: Some(now),
            said: String::new(),
            input: Some(stream("standard input", stdio::input())?),
            until: None,
            output: Some(stream("standard output", stdio::output())?),
            errors: stdio::errors().ok(),
            waker,
            woken,
            signal,
            buffer: vec![0; 16 << 10].into(),
        })
    }

    fn run(&mut self) -> Result<End, Failure> {
        loop {
            let now = Instant::now();
            if let Some(end) = self.due(now)? {
                return Ok(end);
            }
            let ready = self.wait(now)?;
            if ready.woken {
                let mut bytes = [0; 64];
                while self.woken.read(&mut bytes).is_ok_and(|n| n > 0) {}
            }
            let signal = self.signal.load(Ordering::Relaxed);
            if signal != 0 {
                return Ok(End::Signal(i32::try_from(signal).unwrap_or(0)));
            }
            if ready.output_gone {
                self.output = None;
                return Ok(End::Output);
            }
            if ready.output && !self.write_output()? {
                return Ok(End::Output);
            }
            if ready.errors {
                self.write_errors();
            }
            if let Some(end) = self.opened(Instant::now()) {
                return Ok(end);
            }
            if ready.line
                && let Err(error) = self.exchange()
                && let Some(end) = self.lost(&error, Instant::now())
            {
                return Ok(end);
            }
            if ready.input_ends {
                self.input_ends();
            }
            if ready.input {
                self.read_input()?;
            }
        }
    }

    /// What time brings.
    fn due(&mut self, now: Instant) -> Result<Option<End>, Failure> {
        self.relay.tick(now);
        if self
            .until
            .is_some_and(|it| it <= now || self.input.is_none() && self.relay.is_idle())
        {
            return Ok(Some(End::Input));
        }
        if let (Some(since), Some(most)) = (self.away, self.options.give_up)
            && now >= since + most
        {
            return Ok(Some(self.give_up(format!(
                "{} has been away for {} s",
                self.options.device,
                most.as_secs_f64()
            ))));
        }
        if let Line::Due(at) = self.line
            && at <= now
        {
            let (sender, receiver) = channel();
            let device = self.options.device.clone();
            let mut waker = self
                .waker
                .try_clone()
                .map_err(|error| Failure::io("copy", "a socket", &error))?;
            thread::Builder::new()
                .stack_size(128 << 10)
                .spawn(move || {
                    // Nobody waits for it any more, if this fails.
                    let _ = sender.send(Link::open(&device));
                    let _ = waker.write(&[0]);
                })
                .map_err(|error| Failure::io("start", "a thread", &error))?;
            self.line = Line::Opening(receiver);
        }
        Ok(None)
    }

    /// Whether the other thread has opened the line, or could not.
    fn opened(&mut self, now: Instant) -> Option<End> {
        let Line::Opening(opening) = &self.line else {
            return None;
        };
        match opening.try_recv().ok()? {
            Ok(link) => {
                self.relay
                    .notes
                    .say(&format!("connected to {}", self.options.device));
                self.said.clear();
                self.away = None;
                self.relay.up(now);
                self.line = Line::Open(link, now);
                None
            }
            Err(error) => {
                let why = format!("cannot open {}: {}", self.options.device, plain(&error));
                self.again(why, now)
            }
        }
    }

    /// The line broke.
    fn lost(&mut self, error: &io::Error, now: Instant) -> Option<End> {
        if let Line::Open(_, since) = self.line
            && now.duration_since(since) >= STEADY
        {
            self.delay = FIRST_DELAY;
        }
        self.away = Some(now);
        self.relay.down(now);
        self.again(
            format!("lost {}: {}", self.options.device, plain(error)),
            now,
        )
    }

    /// Tries again in a while, or gives up.
    fn again(&mut self, why: String, now: Instant) -> Option<End> {
        self.line = Line::Due(now + self.delay);
        self.delay = (self.delay * 2).min(LAST_DELAY);
        if self.options.no_retry {
            return Some(self.give_up(why));
        }
        if self.said != why {
            self.relay.notes.say(&format!("{why}; trying again"));
            self.said = why;
        }
        None
    }

    fn give_up(&mut self, why: String) -> End {
        self.relay.refuse("The device is not connected");
        End::Device(why)
    }

    /// Moves what can be moved over the line.
    fn exchange(&mut self) -> io::Result<()> {
        let Line::Open(link, _) = &self.line else {
            return Ok(());
        };
        let mut wrote = Ok(());
        loop {
            let bytes = self.relay.to_device();
            if bytes.is_empty() {
                break;
            }
            match link.write(bytes) {
                Ok(Moved::Bytes(taken)) => self.relay.device_took(taken),
                Ok(Moved::Nothing) => break,
                Err(error) => {
                    wrote = Err(error);
                    break;
                }
            }
        }
        // Also after a failure: what the device said before it went is still there.
        for _ in 0..READS {
            if !self.relay.wants_device() {
                break;
            }
            match link.read(&mut self.buffer)? {
                Moved::Bytes(came) => self.relay.device(&self.buffer[..came]),
                Moved::Nothing => break,
            }
        }
        wrote
    }

    fn read_input(&mut self) -> Result<(), Failure> {
        let Some(input) = &self.input else {
            return Ok(());
        };
        let read = Patient(input).read(&mut self.buffer);
        match read {
            Ok(0) => {
                self.input = None;
                self.input_ends();
                self.relay.client_ended();
            }
            Ok(came) => self.relay.client(&self.buffer[..came]),
            Err(error) => return Err(Failure::io("read", "standard input", &error)),
        }
        Ok(())
    }

    /// Nothing more is written to standard input.
    fn input_ends(&mut self) {
        let until = Instant::now() + self.options.drain;
        self.until.get_or_insert(until);
    }

    /// `false` if nobody reads it.
    fn write_output(&mut self) -> Result<bool, Failure> {
        let (Some(output), bytes) = (&self.output, self.relay.to_client()) else {
            return Ok(false);
        };
        let piece = &bytes[..bytes.len().min(PIECE)];
        match Patient(output).write(piece) {
            Ok(taken) => self.relay.client_took(taken),
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::BrokenPipe | ErrorKind::ConnectionReset
                ) =>
            {
                return Ok(false);
            }
            Err(error) => return Err(Failure::io("write", "standard output", &error)),
        }
        Ok(true)
    }

    fn write_errors(&mut self) {
        let bytes = self.relay.notes.waiting();
        let piece = &bytes[..bytes.len().min(PIECE)];
        let written = self.errors.as_ref().map(|file| Patient(file).write(piece));
        match written {
            Some(Ok(taken)) => self.relay.notes.written(taken),
            _ => self.relay.notes.close(),
        }
    }

    /// What is ready to be written when all is over.
    fn last_words(&mut self) {
        let until = (Instant::now() + LAST_WORDS).max(self.until.unwrap_or_else(Instant::now));
        loop {
            let now = Instant::now();
            let output = self.output.is_some() && !self.relay.to_client().is_empty();
            let errors = self.errors.is_some() && !self.relay.notes.waiting().is_empty();
            let line = matches!(self.line, Line::Open(..)) && !self.relay.to_device().is_empty();
            if !(output || errors || line) || now >= until {
                break;
            }
            let mut fds = Vec::new();
            if let Line::Open(link, _) = &self.line
                && line
            {
                fds.push(PollFd::new(link, PollFlags::OUT));
            }
            fds.extend(
                self.output
                    .iter()
                    .filter(|_| output)
                    .map(|it| PollFd::new(it, PollFlags::OUT)),
            );
            fds.extend(
                self.errors
                    .iter()
                    .filter(|_| errors)
                    .map(|it| PollFd::new(it, PollFlags::OUT)),
            );
            if poll_until(&mut fds, Some(until), now).is_err() {
                break;
            }
            let ready: Vec<bool> = fds.iter().map(|it| !it.revents().is_empty()).collect();
            let mut ready = ready.into_iter();
            if line && ready.next() == Some(true) && !self.write_line() {
                self.line = Line::Due(until);
            }
            if output && ready.next() == Some(true) && !matches!(self.write_output(), Ok(true)) {
                self.output = None;
            }
            if errors && ready.next() == Some(true) {
                self.write_errors();
            }
        }
        if let Line::Open(link, _) = &mut self.line {
            link.drain(until);
        }
    }

    /// Writes to the device what it takes; `false` if it is gone.
    fn write_line(&mut self) -> bool {
        let Line::Open(link, _) = &self.line else {
            return false;
        };
        match link.write(self.relay.to_device()) {
            Ok(Moved::Bytes(taken)) => self.relay.device_took(taken),
            Ok(Moved::Nothing) => {}
            Err(_) => return false,
        }
        true
    }

    /// Waits until something can be done.
    fn wait(&self, now: Instant) -> Result<Ready, Failure> {
        let times = [
            self.relay.deadline(),
            self.until,
            self.away
                .zip(self.options.give_up)
                .map(|(since, most)| since + most),
            match self.line {
                Line::Due(at) => Some(at),
                _ => None,
            },
        ];
        let relay = &self.relay;
        let when = |yes: bool, flags: PollFlags| if yes { flags } else { PollFlags::empty() };
        let writes = |bytes: &[u8]| when(!bytes.is_empty(), PollFlags::OUT);
        let link = match &self.line {
            Line::Open(link, _) => {
                let flags = when(relay.wants_device(), PollFlags::IN) | writes(relay.to_device());
                Some((link.as_fd(), flags))
            }
            _ => None,
        };
        // What is not wanted is left out: its hang-up would wake us over and over.
        let link = link.filter(|(_, flags)| !flags.is_empty());
        // Also what is not read now is watched for its end, once.
        let reads = relay.wants_client();
        let input = self
            .input
            .as_ref()
            .filter(|_| reads || self.until.is_none());
        let errors = self
            .errors
            .as_ref()
            .filter(|_| !relay.notes.waiting().is_empty());
        let mut fds = vec![PollFd::new(&self.woken, PollFlags::IN)];
        fds.extend(
            self.output
                .iter()
                .map(|it| PollFd::new(it, writes(relay.to_client()))),
        );
        fds.extend(input.map(|it| PollFd::new(it, when(reads, PollFlags::IN) | PEER_CLOSED)));
        fds.extend(errors.map(|it| PollFd::new(it, PollFlags::OUT)));
        fds.extend(link.as_ref().map(|(fd, flags)| PollFd::new(fd, *flags)));
        poll_until(&mut fds, times.into_iter().flatten().min(), now)
            .map_err(|error| Failure::io("wait for", "input", &error))?;
        let mut found = fds.iter().map(PollFd::revents);
        let mut next = |there: bool| {
            if there {
                found.next().unwrap_or(PollFlags::empty())
            } else {
                PollFlags::empty()
            }
        };
        let woken = !next(true).is_empty();
        let output = next(self.output.is_some());
        let input = next(input.is_some());
        Ok(Ready {
            woken,
            output: output.contains(PollFlags::OUT),
            output_gone: output.intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL),
            input: reads && !input.is_empty(),
            input_ends: !reads && !input.is_empty(),
            errors: !next(errors.is_some()).is_empty(),
            line: !next(link.is_some()).is_empty(),
        })
    }
}

/// What can be done.
struct Ready {
    woken: bool,
    output: bool,
    output_gone: bool,
    input: bool,
    input_ends: bool,
    errors: bool,
    line: bool,
}

fn poll_until(fds: &mut [PollFd<'_>], until: Option<Instant>, now: Instant) -> io::Result<()> {
    let timeout = until
        .map(|until| until.saturating_duration_since(now))
        .and_then(|left| Timespec::try_from(left).ok());
    match poll(fds, timeout.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
