//! A session with a server process: what is asked, and what is waited for.

mod flow;

use std::ffi::OsString;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Capability, Era, LogLevel, Method, Revision, Side};
use wireline::session::{
    Client, Config, Failure as Unopened, Filter, Gathering, Handle, Memory, Millis, Options,
    Session, State,
};
use wireline::{Limits, LineDecoder};

use super::Happening;
use super::host::{Host, shown};
use super::interrupt::Interrupts;
use super::process::{PATIENCE, Process, ending};
use super::trace::Trace;
use super::trouble::{self, ERROR, Trouble};
use crate::failure::Failure;

/// Pieces of the server's output that may wait.
const WAITING: usize = 8;

type Tables = Gathering<Memory<16, 16, 4096>, GATHERED>;

/// Bytes of the answers to a batch.
const GATHERED: usize = 64 * 1024;

/// What became of a request.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The result, as it came.
    Result(String),
    /// The error object, as it came.
    Error(String),
    /// There was no answer that could be used.
    None(&'static str),
}

/// How the server was met.
pub(crate) struct Opened {
    pub(crate) revision: Revision,
    /// The result of `initialize` or `server/discover`.
    pub(crate) result: String,
}

pub(crate) struct Peer<'c> {
    command: Vec<OsString>,
    config: &'c Config<'c>,
    limits: Limits,
    session: Session<'c, Client, Tables>,
    decoder: Option<LineDecoder<Vec<u8>>>,
    process: Process,
    generation: u32,
    events: Receiver<Happening>,
    sender: SyncSender<Happening>,
    interrupts: Interrupts,
    host: Host,
    trace: Option<Trace>,
    /// Whether log messages and progress are shown.
    notices: bool,
    started: Instant,
    /// Spent on questions to the user, who takes no part in time-outs.
    asking: Duration,
    state: State,
    opened: Option<String>,
    /// Why no session came about, and what is told of it.
    failed: Option<(Unopened, Failure)>,
    /// What is waited for, with its parameters.
    current: Option<(Handle, String)>,
    /// Interrupts before that was asked: one that comes while it is sent counts.
    interrupted: usize,
    ended: Vec<(Handle, Outcome)>,
    subscribed: Vec<Handle>,
    /// Methods of the notifications that came.
    notified: Vec<Option<Method>>,
    /// The server's output has ended.
    gone: bool,
    trouble: Option<Trouble>,
    /// Lines of the server's output that were no messages, and what the first was.
    noise: (u64, String),
    /// The least severe log messages that are asked for.
    level: Option<LogLevel>,
}

impl<'c> Peer<'c> {
    pub(crate) fn start(
        command: &[OsString],
        config: &'c Config<'c>,
        limits: Limits,
        host: impl FnOnce(Interrupts) -> Host,
        trace: Option<Trace>,
    ) -> Result<Self, Failure> {
        let (sender, events) = sync_channel(WAITING);
        let interrupts =
            Interrupts::catch(&sender).map_err(|error| Failure::io("catch", "signals", &error))?;
        Ok(Self {
            command: command.to_vec(),
            config,
            limits,
            session: Session::new(config, Tables::new(Memory::new())),
            decoder: Some(LineDecoder::new(Vec::new(), limits)),
            process: Process::start(command, 0, &sender)?,
            generation: 0,
            events,
            sender,
            host: host(interrupts.clone()),
            interrupts,
            notices: trace.is_none(),
            trace,
            started: Instant::now(),
            asking: Duration::ZERO,
            state: State::Idle,
            opened: None,
            failed: None,
            current: None,
            interrupted: 0,
            ended: Vec::new(),
            subscribed: Vec::new(),
            notified: Vec::new(),
            gone: false,
            trouble: None,
            noise: (0, String::new()),
            level: None,
        })
    }

    pub(crate) fn trace(&mut self) -> Option<&mut Trace> {
        self.trace.as_mut()
    }

    /// What the server can do.
    pub(crate) fn capabilities(&self) -> Capabilities {
        self.session.peer_capabilities()
    }

    /// Asks whoever sits at the terminal; `None` where there is none.
    pub(super) fn agrees(&mut self, question: &str) -> Option<bool> {
        let terminal = self.host.terminal();
        if !terminal.is_there() {
            return None;
        }
        let begun = Instant::now();
        let agreed = terminal.agrees(question);
        self.asking += begun.elapsed();
        Some(agreed)
    }

    /// Asks for log messages of this level and above: in the legacy era now, in the modern one
    /// with each request.
    pub(crate) fn log_from(&mut self, level: LogLevel) -> Result<(), Trouble> {
        if !self.capabilities().has(Capability::Logging) {
            return Err(Trouble::Failure(
                Failure::new("the server does not declare `logging`")
                    .advice("leave out --log-level")
                    .status(ERROR),
            ));
        }
        if self.session.revision().map(Revision::era) == Some(Era::Modern) {
            self.level = Some(level);
            return Ok(());
        }
        let params = format!(r#"{{"level":"{}"}}"#, level.name());
        match self.request(Method::SetLevel, &params, Options::new())? {
            Outcome::Result(_) => Ok(()),
            Outcome::Error(error) => Err(Trouble::Failure(
                Failure::new(format!(
                    "the server refused the level: {}",
                    shown(object(&error).as_str())
                ))
                .status(ERROR),
            )),
            Outcome::None(why) => Err(Trouble::no_answer(why)),
        }
    }

    /// The lines of the server's output that were no messages, in words, if there were any.
    pub(crate) fn noise(&self) -> Option<String> {
        let (count, first) = &self.noise;
        (*count > 0).then(|| {
            let lines = if *count == 1 { "line" } else { "lines" };
            format!(
                "{count} {lines} of its standard output were no messages, the first: {first}\n  \
                 only MCP messages may go there; other text belongs on standard error"
            )
        })
    }

    /// The end of what the server wrote to standard error.
    pub(crate) fn errors(&self) -> Vec<u8> {
        self.process.errors()
    }

    fn now(&self) -> Millis {
        let elapsed = self.started.elapsed().saturating_sub(self.asking);
        u64::try_from(elapsed.as_millis()).unwrap_or(Millis::MAX)
    }

    /// Opens the session, in whichever era the server speaks.
    pub(crate) fn open(&mut self) -> Result<Opened, Trouble> {
        let now = self.now();
        let send = self.session.connect(now).map_err(Trouble::session)?;
        self.send(&send)?;
        loop {
            let state = self.session.state();
            self.tell_state(state);
            match (self.failed.take(), state) {
                (Some((Unopened::ClosedWhileProbing, _)), _) if self.generation == 0 => {
                    self.restart()?
                }
                (Some((Unopened::ClosedWhileProbing | Unopened::Closed, _)), _)
                | (None, State::Closed) => return Err(self.closed()),
                (Some((_, failure)), _) => return Err(Trouble::Failure(failure)),
                (None, State::Failed(why)) => {
                    return Err(Trouble::Failure(trouble::unopened(why, None)));
                }
                (None, State::Ready(revision)) => {
                    let result = self.opened.take().unwrap_or_else(|| "{}".into());
                    return Ok(Opened { revision, result });
                }
                (None, _) => self.turn()?,
            }
            if self.interrupts.count() > 0 {
                return Err(Trouble::Interrupted);
            }
        }
    }

    fn tell_state(&mut self, state: State) {
        if let Some(trace) = &mut self.trace
            && self.state != state
        {
            trace.state(state);
        }
        self.state = state;
    }

    /// Some servers of the legacy era end when they are asked something before `initialize`. Such
    /// a one is started again, and not asked.
    fn restart(&mut self) -> Result<(), Trouble> {
        if let Some(trace) = &mut self.trace {
            trace.mark("the server ended when it was probed: it is started again, as one of the legacy era");
        }
        let _ = self.process.end(&self.interrupts);
        self.generation += 1;
        self.process = Process::start(&self.command, self.generation, &self.sender)
            .map_err(Trouble::Failure)?;
        self.session = Session::new(self.config, Tables::new(Memory::new()));
        self.decoder = Some(LineDecoder::new(Vec::new(), self.limits));
        self.gone = false;
        let now = self.now();
        let send = self.session.connect_legacy(now).map_err(Trouble::session)?;
        self.send(&send)
    }

    /// Asks, and waits for what becomes of it.
    pub(crate) fn request(
        &mut self,
        method: Method,
        params: &str,
        options: Options<'_>,
    ) -> Result<Outcome, Trouble> {
        let handle = self.ask(method, params, options)?;
        self.outcome(handle)
    }

    /// The capability that a request needs and that the server does not declare.
    fn missing(&self, method: Method) -> Option<String> {
        let revision = self.session.revision()?;
        let needed = method.capability(Side::Client, revision)?;
        let path: Vec<_> = needed
            .path()
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect();
        (!self.capabilities().has(needed)).then(|| path.join("."))
    }

    /// Asks, and does not wait.
    pub(crate) fn ask(
        &mut self,
        method: Method,
        params: &str,
        options: Options<'_>,
    ) -> Result<Handle, Trouble> {
        self.interrupted = self.interrupts.count();
        let now = self.now();
        let payload = object(params);
        let options = match self.level {
            Some(level) => options.with_log_level(level),
            None => options,
        };
        let (handle, send) = self
            .session
            .request(method.name(), payload, options, now)
            .map_err(|error| match self.missing(method) {
                Some(what) => Trouble::Failure(
                    Failure::new(format!(
                        "the server does not declare `{what}`, which {} needs",
                        method.name()
                    ))
                    .advice("without --list, --tool and the like you see what it declares")
                    .status(ERROR),
                ),
                None => Trouble::session(error),
            })?;
        self.send(&send)?;
        self.current = Some((handle, params.into()));
        Ok(handle)
    }

    /// Waits for what becomes of a request. The first interrupt cancels it.
    pub(crate) fn outcome(&mut self, handle: Handle) -> Result<Outcome, Trouble> {
        let before = self.interrupted;
        loop {
            if let Some(at) = self.ended.iter().position(|(it, _)| *it == handle) {
                let (_, outcome) = self.ended.swap_remove(at);
                self.current = None;
                if self.interrupts.count() != before {
                    return Err(Trouble::Interrupted);
                }
                return Ok(outcome);
            }
            if self.interrupts.count() != before {
                self.cancel(handle, "interrupted by the user")?;
                continue;
            }
            if self.gone {
                return Err(self.closed());
            }
            self.turn()?;
        }
    }

    pub(crate) fn cancel(&mut self, handle: Handle, reason: &str) -> Result<(), Trouble> {
        match self.session.cancel(handle, Some(reason)) {
            Ok(step) => self.step(step),
            // It has ended meanwhile.
            Err(_) => Ok(()),
        }
    }

    /// Asks to be told of changes, and waits until the server does so.
    pub(crate) fn listen(&mut self, filter: Filter<'_>) -> Result<Handle, Trouble> {
        let now = self.now();
        let (handle, send) = self.session.listen(filter, now).map_err(Trouble::session)?;
        self.send(&send)?;
        while !self.subscribed.contains(&handle) {
            if self.ended.iter().any(|(it, _)| *it == handle) {
                return Err(Trouble::no_answer("the subscription was refused"));
            }
            if self.gone {
                return Err(self.closed());
            }
            self.turn()?;
        }
        Ok(handle)
    }

    /// Waits for a notification of this method.
    pub(crate) fn notification(&mut self, method: Method) -> Result<(), Trouble> {
        loop {
            if let Some(at) = self.notified.iter().position(|it| *it == Some(method)) {
                self.notified.swap_remove(at);
                return Ok(());
            }
            if self.gone {
                return Err(self.closed());
            }
            self.turn()?;
        }
    }

    /// Ends the session and the server, and tells how the server ended.
    pub(crate) fn close(mut self) -> Result<String, Trouble> {
        if let Some(trace) = &mut self.trace {
            trace.mark("the server's input is closed");
        }
        self.process.close_input();
        self.last_words();
        // Whatever else it says has no reader, but is read.
        let (_, nothing) = sync_channel(0);
        drop(std::mem::replace(&mut self.events, nothing));
        let status = self
            .process
            .end(&self.interrupts)
            .map_err(|error| Trouble::Failure(Failure::io("wait for", "the server", &error)))?;
        let ending = ending(status);
        if let Some(trace) = &mut self.trace {
            trace.mark(&ending);
        }
        Ok(ending)
    }

    /// What a server says when its input has ended: answers, and the ends of subscriptions.
    fn last_words(&mut self) {
        let begun = Instant::now();
        let seen = self.interrupts.count();
        while !self.gone && self.interrupts.count() == seen {
            // What waits already comes even of a patience of zero: a server that never stops
            // talking would be listened to for ever.
            let left = PATIENCE.saturating_sub(begun.elapsed());
            if left.is_zero() {
                break;
            }
            let Ok(happening) = self.events.recv_timeout(left) else {
                break;
            };
            if self.happened(happening).is_err() {
                break;
            }
        }
    }

    /// The server is gone: why, if that can be told.
    fn closed(&mut self) -> Trouble {
        let how = self
            .process
            .end(&self.interrupts)
            .map_or_else(|_| "the server ended".into(), ending);
        Trouble::no_answer(&format!("{how} before it answered"))
    }
}

/// Text that this program made, or that was validated, as an object.
pub(super) fn object(text: &str) -> RawJson<'_> {
    RawJson::validate(text.as_bytes()).unwrap_or(RawJson::EMPTY_OBJECT)
}
