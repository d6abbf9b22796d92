//! A session with a server process: what is sent, what comes, and who is told.

use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use wireline::encode::Payload;
use wireline::json::{JsonStr, RawJson};
use wireline::mcp::{Capabilities, Method, Revision};
use wireline::session::{
    Client, Config, Ended, Event, Failure as Unopened, Filter, Handle, Memory, Millis, Options,
    Send, Session, SessionError, State, Step,
};
use wireline::{Limits, LineDecoder, Message, Rejected};

use super::host::{Answer, Host};
use super::interrupt::Interrupts;
use super::process::{PATIENCE, Process, ending};
use super::trace::{self, Trace};
use super::trouble::Trouble;
use super::{Happening, notice};
use crate::failure::Failure;
use crate::stream::Direction;

/// Pieces of the server's output that may wait.
const WAITING: usize = 8;

type Tables = Memory<16, 16, 4096>;

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
    /// Why no session came about.
    failed: Option<Unopened>,
    /// What is waited for, with its parameters.
    current: Option<(Handle, String)>,
    ended: Vec<(Handle, Outcome)>,
    subscribed: Vec<Handle>,
    /// Methods of the notifications that came.
    notified: Vec<Option<Method>>,
    /// The server's output has ended.
    gone: bool,
    trouble: Option<Trouble>,
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
            session: Session::new(config, Tables::new()),
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
            ended: Vec::new(),
            subscribed: Vec::new(),
            notified: Vec::new(),
            gone: false,
            trouble: None,
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
                (Some(Unopened::ClosedWhileProbing), _) if self.generation == 0 => {
                    self.restart()?
                }
                (Some(Unopened::ClosedWhileProbing | Unopened::Closed), _)
                | (None, State::Closed) => return Err(self.closed()),
                (Some(why), _) | (None, State::Failed(why)) => {
                    return Err(Trouble::no_answer(trace::reason(why)));
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
        self.session = Session::new(self.config, Tables::new());
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

    /// Asks, and does not wait.
    pub(crate) fn ask(
        &mut self,
        method: Method,
        params: &str,
        options: Options<'_>,
    ) -> Result<Handle, Trouble> {
        let now = self.now();
        let payload = object(params);
        let (handle, send) = self
            .session
            .request(method.name(), payload, options, now)
            .map_err(Trouble::session)?;
        self.send(&send)?;
        self.current = Some((handle, params.into()));
        Ok(handle)
    }

    /// Waits for what becomes of a request. The first interrupt cancels it.
    pub(crate) fn outcome(&mut self, handle: Handle) -> Result<Outcome, Trouble> {
        let before = self.interrupts.count();
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
            let left = PATIENCE.saturating_sub(begun.elapsed());
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

    /// Waits for one thing to happen, and deals with it.
    fn turn(&mut self) -> Result<(), Trouble> {
        let now = self.now();
        let mut expired = false;
        while let Some(step) = self.session.expire(now) {
            self.step(step)?;
            expired = true;
        }
        if expired {
            return Ok(());
        }
        let happening = match self.session.poll_timeout() {
            Some(due) => {
                let within = Duration::from_millis(due.saturating_sub(self.now()));
                match self.events.recv_timeout(within) {
                    Ok(happening) => happening,
                    Err(RecvTimeoutError::Timeout) => return Ok(()),
                    Err(RecvTimeoutError::Disconnected) => Happening::End(self.generation),
                }
            }
            None => self
                .events
                .recv()
                .unwrap_or(Happening::End(self.generation)),
        };
        self.happened(happening)
    }

    fn happened(&mut self, happening: Happening) -> Result<(), Trouble> {
        match happening {
            Happening::Bytes(generation, bytes) if generation == self.generation => {
                self.bytes(&bytes)?;
            }
            Happening::End(generation) if generation == self.generation => self.end()?,
            // Of a server that is no more, or an interrupt: whoever waits looks at the count.
            _ => {}
        }
        self.trouble.take().map_or(Ok(()), Err)
    }

    fn bytes(&mut self, mut bytes: &[u8]) -> Result<(), Trouble> {
        let Some(mut decoder) = self.decoder.take() else {
            return Ok(());
        };
        let mut outcome = Ok(());
        while let Some(item) = decoder.next_in(&mut bytes) {
            outcome = self.item(&item.result());
            if outcome.is_err() {
                break;
            }
        }
        self.decoder = Some(decoder);
        outcome
    }

    fn end(&mut self) -> Result<(), Trouble> {
        if let Some(mut decoder) = self.decoder.take() {
            while let Some(item) = decoder.finish() {
                self.item(&item)?;
            }
        }
        self.gone = true;
        while let Some(step) = self.session.close() {
            self.step(step)?;
        }
        Ok(())
    }

    fn item(&mut self, item: &Result<Message<'_>, Rejected<'_>>) -> Result<(), Trouble> {
        if let Some(trace) = &mut self.trace {
            match item {
                Ok(message) => trace.line(Direction::ToClient, message.as_bytes()),
                Err(fault) => {
                    trace.line(Direction::ToClient, fault.excerpt());
                    trace.mark(&format!("that is no message: {fault}"));
                }
            }
        }
        let now = self.now();
        let step = self.session.receive(item, now);
        self.step(step)
    }

    fn step(&mut self, step: Step<'_>) -> Result<(), Trouble> {
        self.send(&step.send)?;
        if let Some(trace) = &mut self.trace {
            for rule in step.broken.iter() {
                trace.mark(&format!("the server broke {rule}: {}", rule.text()));
            }
        }
        match step.event {
            Event::State { state, message } => {
                if let Some(result) = message.and_then(|message| message.result()) {
                    self.opened = Some(result.as_str().into());
                }
                if let State::Failed(why) = state {
                    self.failed = Some(why);
                }
                self.tell_state(state);
                Ok(())
            }
            Event::Request(incoming) => {
                let params = incoming.message.params().unwrap_or(RawJson::EMPTY_OBJECT);
                let answer = self.host_answer(incoming.method, params);
                let send = match &answer {
                    Answer::Result(result) => self.session.respond(incoming.handle, object(result)),
                    Answer::Error(code, message) => {
                        self.session
                            .fail(incoming.handle, *code, message, Payload::None)
                    }
                };
                match send {
                    Ok(send) => self.send(&send),
                    // It was cancelled meanwhile.
                    Err(SessionError::StaleHandle) => Ok(()),
                    Err(error) => Err(Trouble::session(error)),
                }
            }
            Event::Notification { method, message } => {
                self.notified.push(method);
                if method == Some(Method::LogMessage) && self.notices {
                    notice::log(message.params());
                }
                Ok(())
            }
            Event::Progress { message, .. } => {
                if self.notices {
                    notice::progress(message.params());
                }
                Ok(())
            }
            Event::Ended { handle, why } => {
                self.ended.push((handle, outcome(&why)));
                Ok(())
            }
            Event::InputRequired {
                handle, message, ..
            } => self.input(handle, message),
            Event::Subscribed { handle, .. } => {
                self.subscribed.push(handle);
                Ok(())
            }
            Event::ConnectionError(message) => {
                if let Some(error) = message.error() {
                    notice::connection_error(&error);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Answers for the user, the model and the roots. The user may take a while.
    fn host_answer(&mut self, method: Option<Method>, params: RawJson<'_>) -> Answer {
        let begun = Instant::now();
        let answer = self.host.answer(method, params);
        self.asking += begun.elapsed();
        answer
    }

    /// A request of ours needs input: it is gathered, and the request sent again.
    fn input(&mut self, handle: Handle, message: Message<'_>) -> Result<(), Trouble> {
        let result = message.result().unwrap_or(RawJson::EMPTY_OBJECT);
        let mut answers = Vec::from(b"{");
        for (key, request) in result
            .get("inputRequests")
            .into_iter()
            .flat_map(|requests| requests.members())
        {
            let method = request
                .get("method")
                .and_then(|method| method.as_json_str())
                .and_then(Method::from_json_str);
            let params = request.get("params").unwrap_or(RawJson::EMPTY_OBJECT);
            match self.host_answer(method, params) {
                Answer::Result(answer) => {
                    if answers.len() > 1 {
                        answers.push(b',');
                    }
                    // The key as it came, escapes and all.
                    answers.push(b'"');
                    answers.extend_from_slice(key.raw_bytes());
                    answers.extend_from_slice(b"\":");
                    answers.extend_from_slice(answer.as_bytes());
                }
                Answer::Error(_, message) => {
                    // There is no way to say no: the request is given up.
                    self.trouble = Some(Trouble::no_answer(&message));
                    return self.cancel(handle, "the input is not to be had");
                }
            }
        }
        answers.push(b'}');
        let params = match &self.current {
            Some((current, params)) if *current == handle => params.clone(),
            _ => "{}".into(),
        };
        let answers = String::from_utf8_lossy(&answers).into_owned();
        let state: Option<JsonStr<'_>> = result.get("requestState").and_then(|it| it.as_json_str());
        let now = self.now();
        let options = Options::new().with_progress();
        let send = self
            .session
            .retry(
                handle,
                object(&params),
                object(&answers),
                state,
                options,
                now,
            )
            .map_err(Trouble::session)?;
        self.send(&send)
    }

    fn send(&mut self, send: &Send<'_>) -> Result<(), Trouble> {
        for line in send.lines() {
            let mut bytes = vec![
                0;
                line.line_len()
                    .map_err(|error| Trouble::session(error.into()))?
            ];
            let length = line
                .write(&mut bytes)
                .map_err(|error| Trouble::session(error.into()))?;
            bytes.truncate(length);
            if let Some(trace) = &mut self.trace {
                trace.line(Direction::ToServer, &bytes);
            }
            self.process.write(bytes);
        }
        Ok(())
    }
}

fn outcome(why: &Ended<'_>) -> Outcome {
    match why {
        Ended::Result(message) => Outcome::Result(
            message
                .result()
                .unwrap_or(RawJson::EMPTY_OBJECT)
                .as_str()
                .into(),
        ),
        Ended::Error(message) => match message.error() {
            Some(error) => Outcome::Error(error.raw().as_str().into()),
            None => Outcome::None("the answer was not a valid one"),
        },
        Ended::BadResponse => Outcome::None("the answer was not a valid one"),
        Ended::TooLong => Outcome::None("the answer was longer than --max-message allows"),
        Ended::TooManyRounds => Outcome::None("the server asked for input too often"),
        Ended::TimedOut => Outcome::None("the answer did not come in time"),
        Ended::Cancelled => Outcome::None("the request was cancelled"),
        Ended::Closed => Outcome::None("the server ended before it answered"),
        _ => Outcome::None("there was no answer"),
    }
}

/// Text that this program made, or that was validated, as an object.
pub(super) fn object(text: &str) -> RawJson<'_> {
    RawJson::validate(text.as_bytes()).unwrap_or(RawJson::EMPTY_OBJECT)
}
