//! One side of a session, without I/O and without a clock.

/// Does the same with a session of either role.
macro_rules! both {
    ($sides:expr, $session:ident => $do:expr) => {
        match $sides {
            Sides::Client($session) => $do,
            Sides::Server($session) => $do,
        }
    };
}

mod arguments;
mod client;
mod config;
mod event;
mod out;
mod send;
mod server;
mod waiting;

use std::sync::{Mutex, MutexGuard};

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList};
use wireline::LineDecoder;
use wireline::json::RawJson;
use wireline::mcp::Side;
use wireline::session::{Cache, Client, Handle, HeapMemory, Server, Session, SessionError, Step};

use crate::encode;
use crate::errors;
use crate::fault::Fault;
use crate::limits::Given;
use crate::message::{Held, Line};
use crate::value;
use config::{Owned, Settings, Texts};
use event::Facts;
use out::Out;
use waiting::Waiting;

pub(crate) use event::{
    ErrorReceived, Event, Handled, Ignored_, InputRequired, NotificationReceived, ProgressReceived,
    RequestCancelled, RequestEnded, RequestReceived, StateChanged, Subscribed,
};

/// Bytes of an id and a progress token that a slot has room for.
const TOKENS: usize = 256;

/// The most bytes that the answers to a batch may take: what one message may.
const MOST_GATHERED: usize = u32::MAX as usize - 1;

/// A session of either role.
enum Sides {
    Client(Session<'static, Client, HeapMemory>),
    Server(Session<'static, Server, HeapMemory>),
}

impl Sides {
    /// How many of the slots for requests of the peer are taken.
    fn taken(&self) -> usize {
        both!(self, session => session.in_flight()).0
    }
}

/// What the lock protects. Fields go in their order, the session before what it borrows.
struct State {
    sides: Sides,
    decoder: LineDecoder<Vec<u8>>,
    out: Out,
    waiting: Waiting,
    _config: Owned,
}

// As with `Decoder`, no Python code runs while the lock is held: hooks are called before, events and
// exceptions are made afterwards.
/// One side of a session, of either role and every revision, without I/O and without a clock: bytes in,
/// events out, bytes to be sent.
///
/// >>> import wireline
/// >>> client = wireline.Connection("client", name="example", revisions=["2025-11-25"])
/// >>> server = wireline.Connection("server", capabilities={"tools": {}})
/// >>> client.connect(now=0.0)
/// >>> for _ in range(2):
/// ...     _ = server.receive_data(client.data_to_send(), now=0.0)
/// ...     _ = client.receive_data(server.data_to_send(), now=0.0)
/// >>> client.state, client.revision, client.peer_capabilities
/// ('ready', '2025-11-25', {'tools': {}})
/// >>> handle = client.send_request("tools/call", {"name": "led"}, now=1.0)
/// >>> for event in server.receive_data(client.data_to_send(), now=1.0):
/// ...     match event:
/// ...         case wireline.RequestReceived("tools/call", {"name": name}, request):
/// ...             server.send_result(request, {"content": []})
/// >>> [ended] = client.receive_data(server.data_to_send(), now=1.0)
/// >>> ended.handle == handle, ended.outcome, ended.result
/// (True, 'result', {'content': []})
///
/// Requests are named by handles: integers that are given out once. What may not be done raises
/// `LocalProtocolError`, and changes nothing; what the peer does wrong is in the events.
///
/// `revisions` are those that are spoken, all if none are given. `request_timeout`, `hard_timeout` and
/// `probe_timeout` are in seconds. `max_incoming` and `max_outgoing` are how many requests there may be
/// at once; what the peer asks beyond that waits in `max_held_back` bytes of memory, and is refused
/// where they are full. `max_batch_answer` is how many bytes the answers to a batch may take. The ceilings and hooks are those of `Decoder`; `dumps` writes JSON, as `str` or `bytes`.
#[pyclass(frozen, module = "wireline")]
pub(crate) struct Connection {
    inner: Mutex<State>,
    loads: Option<Py<PyAny>>,
    dumps: Option<Py<PyAny>>,
}

/// Seconds of the caller's clock as milliseconds. A due time that was given out in seconds comes back
/// as no less than it was.
fn clock(now: f64) -> PyResult<u64> {
    if (0.0..=9.0e15).contains(&now) {
        return Ok((now * 1000.0 + 0.001) as u64);
    }
    Err(PyValueError::new_err(format!(
        "now is {now}; it is in seconds, from 0 on"
    )))
}

/// Why a call may not be made, before it is an exception.
enum Refused {
    Session(SessionError),
    /// Only this role does it.
    Role(&'static str),
    /// The decoder is closed.
    Closed,
}

impl From<SessionError> for Refused {
    fn from(error: SessionError) -> Refused {
        Refused::Session(error)
    }
}

impl Refused {
    fn exception(self, py: Python<'_>) -> PyErr {
        let error = match self {
            Refused::Session(error) => error,
            Refused::Role(role) => {
                let text = format!("only a {role} does this");
                return errors::local(py, "wrong-role", text, None);
            }
            Refused::Closed => {
                let text = "the peer sent a line without an end, beyond max_discard; close()";
                return errors::local(py, "closed", text.to_owned(), None);
            }
        };
        let (kind, rule) = match error {
            SessionError::StaleHandle => ("stale-handle", None),
            SessionError::NotReady => ("not-ready", None),
            SessionError::Gate(rule) => ("gate", Some(rule)),
            SessionError::TableFull => ("table-full", None),
            SessionError::BadProgress => ("bad-progress", None),
            SessionError::Write(_) => ("bad-value", None),
            _ => ("misuse", None),
        };
        let text = match rule {
            Some(rule) => format!("not allowed by {rule}: {}", rule.text()),
            None => error.to_string(),
        };
        errors::local(py, kind, text, rule.map(wireline::Rule::number))
    }
}

impl Connection {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.inner
            .lock_py_attached(py)
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Does something under the lock. What is refused becomes an exception once it is let go.
    fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> Result<T, Refused>,
    ) -> PyResult<T> {
        let done = work(&mut self.lock(py));
        done.map_err(|refused| refused.exception(py))
    }

    /// The same with a client's session.
    fn with_client<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Session<'static, Client, HeapMemory>, &mut Out) -> Result<T, Refused>,
    ) -> PyResult<T> {
        self.with(py, |state| match &mut state.sides {
            Sides::Client(session) => work(session, &mut state.out),
            Sides::Server(_) => Err(Refused::Role("client")),
        })
    }

    /// The same with a server's session.
    fn with_server<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Session<'static, Server, HeapMemory>, &mut Out) -> Result<T, Refused>,
    ) -> PyResult<T> {
        self.with(py, |state| match &mut state.sides {
            Sides::Server(session) => work(session, &mut state.out),
            Sides::Client(_) => Err(Refused::Role("server")),
        })
    }

    /// The events of what was found.
    fn events<'py>(&self, py: Python<'py>, found: Vec<Found>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for it in found {
            list.append(it.object(py, self.loads.as_ref())?)?;
        }
        Ok(list)
    }
}

impl State {
    /// What a decoder gave: events, and answers.
    fn receive(
        &mut self,
        py: Python<'_>,
        chunk: &Bound<'_, PyBytes>,
        now: u64,
    ) -> Result<Vec<Found>, Refused> {
        let mut all = Vec::new();
        self.go_on(py, now, &mut all)?;
        let mut rest = chunk.as_bytes();
        while let Some(item) = self.decoder.next_in(&mut rest) {
            let in_chunk = matches!(item, wireline::Item::InChunk(_));
            let item = item.result();
            if let Ok(message) = &item {
                let sides = &self.sides;
                if self.waiting.takes(message, || sides.taken()) {
                    // Not in its chunk, which it would keep whole.
                    let held = Held::copy(py, message);
                    let place = (self.decoder.position(), self.decoder.line());
                    self.waiting.push(waiting::Request { held, place });
                    continue;
                }
                if self.waiting.cancelled(message) {
                    continue;
                }
            }
            let found = take(py, &mut self.sides, &mut self.out, &item, now, |message| {
                if in_chunk {
                    Held::new(chunk, *message)
                } else {
                    Held::copy(py, message)
                }
            })?;
            let place = (self.decoder.position(), self.decoder.line());
            all.extend(found.map(|found| found.at(place)));
        }
        self.go_on(py, now, &mut all)?;
        Ok(all)
    }

    /// Requests that waited, as far as slots are free for them.
    fn go_on(&mut self, py: Python<'_>, now: u64, all: &mut Vec<Found>) -> Result<(), Refused> {
        loop {
            let sides = &self.sides;
            let Some(request) = self.waiting.next(|| sides.taken()) else {
                return Ok(());
            };
            let item = Ok(*request.held.get());
            let hold = |_: &wireline::Message<'_>| request.held.clone_ref(py);
            let found = take(py, &mut self.sides, &mut self.out, &item, now, hold)?;
            all.extend(found.map(|found| found.at(request.place)));
        }
    }

    fn finish(&mut self, py: Python<'_>) -> Result<Vec<Found>, Refused> {
        let mut all = Vec::new();
        while let Some(item) = self.decoder.finish() {
            // The clock stands still: nothing is waited for any more.
            let copy = |message: &wireline::Message<'_>| Held::copy(py, message);
            let found = take(py, &mut self.sides, &mut self.out, &item, 0, copy)?;
            let place = (self.decoder.position(), self.decoder.line());
            all.extend(found.map(|found| found.at(place)));
        }
        Ok(all)
    }
}

/// An event and what brought it, before they are objects: what the lock is let go with.
struct Found {
    facts: Facts,
    source: Option<Line>,
}

impl Found {
    /// The event of a step that no message has brought; what is to be sent is put out.
    fn of_step(out: &mut Out, step: &Step<'_>) -> Result<Option<Found>, Refused> {
        out.put(&step.send, 0)?;
        let facts = Facts::new(&step.event, step.broken);
        Ok(facts.map(|facts| Found {
            facts,
            source: None,
        }))
    }

    /// The same, of a line at this place of the stream.
    fn at(mut self, (position, line): (u64, u64)) -> Found {
        if let Some(source) = &mut self.source {
            (source.position, source.line) = (position, line);
        }
        self
    }

    fn object<'py>(
        self,
        py: Python<'py>,
        loads: Option<&Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let source = self.source.map(|line| line.object(py, loads)).transpose()?;
        self.facts.object(py, source)
    }
}

/// Gives a session what a decoder gave.
fn take<'m>(
    py: Python<'_>,
    sides: &mut Sides,
    out: &mut Out,
    item: &Result<wireline::Message<'m>, wireline::Rejected<'m>>,
    now: u64,
    hold: impl FnOnce(&wireline::Message<'m>) -> Held,
) -> Result<Option<Found>, Refused> {
    let step = both!(sides, session => session.receive(item, now));
    out.put(&step.send, 0)?;
    both!(sides, session => {
        if let Some(line) = session.take_batch() {
            out.put_line(line);
        }
    });
    let Some(facts) = Facts::new(&step.event, step.broken) else {
        return Ok(None);
    };
    let source = facts.with_message.then(|| Line {
        what: match item {
            Ok(message) => Ok(hold(message)),
            Err(rejected) => Err(Fault::new(py, rejected, 0, 0)),
        },
        position: 0,
        line: 0,
    });
    Ok(Some(Found { facts, source }))
}

#[pymethods]
impl Connection {
    // There is no `__clear__`: see `Message`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.loads)?;
        visit.call(&self.dumps)
    }

    #[new]
    #[pyo3(signature = (role, *, name="wireline-python", version=env!("CARGO_PKG_VERSION"),
        title=None, revisions=None, capabilities=None, instructions=None, request_timeout=60.0,
        hard_timeout=600.0, probe_timeout=10.0, max_rounds=10, max_incoming=256,
        max_outgoing=256, max_held_back=0, max_batch_answer=1048576, one_era=false, answer_unparsable=false,
        cache_ttl=0.0, cache_scope="private", max_message=16777216, max_depth=127, max_id=128,
        max_method=128, max_discard=None, loads=None, dumps=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python's")]
    fn new(
        py: Python<'_>,
        role: &str,
        name: &str,
        version: &str,
        title: Option<String>,
        revisions: Option<Vec<String>>,
        capabilities: Option<Bound<'_, PyAny>>,
        instructions: Option<String>,
        request_timeout: Option<f64>,
        hard_timeout: Option<f64>,
        probe_timeout: f64,
        max_rounds: u8,
        max_incoming: usize,
        max_outgoing: usize,
        max_held_back: usize,
        max_batch_answer: usize,
        one_era: bool,
        answer_unparsable: bool,
        cache_ttl: f64,
        cache_scope: &str,
        max_message: u64,
        max_depth: u64,
        max_id: u64,
        max_method: u64,
        max_discard: Option<u64>,
        loads: Option<Bound<'_, PyAny>>,
        dumps: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let side = match role {
            "client" => Side::Client,
            "server" => Side::Server,
            other => {
                return Err(PyValueError::new_err(format!(
                    "role is {other:?}; it must be \"client\" or \"server\""
                )));
            }
        };
        let max_message = Some(max_message);
        let given = Given {
            max_message,
            max_depth,
            max_id,
            max_method,
            max_discard,
            profile: "mcp",
        };
        let limits = given.limits()?.with_batches(true);
        let loads = value::hook("loads", loads)?;
        let dumps = value::hook("dumps", dumps)?;
        for (name, slots) in [
            ("max_incoming", max_incoming),
            ("max_outgoing", max_outgoing),
        ] {
            if slots > usize::from(u16::MAX) {
                return Err(PyValueError::new_err(format!(
                    "{name} is {slots}; at most 65535"
                )));
            }
        }
        if max_batch_answer > MOST_GATHERED {
            return Err(PyValueError::new_err(format!(
                "max_batch_answer is {max_batch_answer}; at most {MOST_GATHERED}"
            )));
        }
        if side == Side::Client && max_outgoing == 0 {
            return Err(PyValueError::new_err(
                "max_outgoing is 0; a client needs at least 1",
            ));
        }
        if !(0.0..=4_294_967.0).contains(&cache_ttl) {
            return Err(PyValueError::new_err(
                "cache_ttl is in seconds, from 0 to 4294967",
            ));
        }
        let text = encode::dump_maybe(capabilities.as_ref(), dumps.as_ref(), "capabilities")?;
        let declared = text
            .as_ref()
            .map(|text| text.raw(py, "capabilities"))
            .transpose()?;
        let declared = declared.unwrap_or(RawJson::EMPTY_OBJECT);
        let (capabilities, extra) = config::capabilities(side, declared)?;
        let settings = Settings {
            revisions: config::revisions(revisions)?,
            capabilities,
            timeouts: (
                config::millis("request_timeout", request_timeout)?,
                config::millis("hard_timeout", hard_timeout)?,
                config::millis("probe_timeout", Some(probe_timeout))?,
            ),
            rounds: max_rounds,
            one_era,
            answer_unparsable,
            cache: Cache {
                ttl_ms: (cache_ttl * 1000.0).round() as u32,
                scope: config::scope(cache_scope)?,
            },
        };
        let (name, version) = (name.to_owned(), version.to_owned());
        let texts = Texts {
            name,
            version,
            title,
            instructions,
            extra,
        };
        let config = Owned::new(texts, &settings);
        // SAFETY: the session is dropped before `config`: it stands above it in `State`.
        let lent = unsafe { config.lend() };
        let batches = settings
            .revisions
            .iter()
            .any(wireline::mcp::Revision::has_batches);
        let gather = if batches { max_batch_answer } else { 0 };
        let memory = HeapMemory::new(max_incoming, max_outgoing, TOKENS)
            .and_then(|memory| memory.with_gather(gather))
            .map_err(|_| {
                PyMemoryError::new_err(format!(
                    "no memory for {max_incoming} incoming and {max_outgoing} outgoing requests \
                     and a max_batch_answer of {gather} bytes"
                ))
            })?;
        let sides = match side {
            Side::Client => Sides::Client(Session::new(lent, memory)),
            Side::Server => Sides::Server(Session::new(lent, memory)),
        };
        let decoder = LineDecoder::new(Vec::new(), limits);
        let state = State {
            sides,
            decoder,
            out: Out::new(),
            waiting: Waiting::new(max_incoming, max_held_back),
            _config: config,
        };
        Ok(Connection {
            inner: Mutex::new(state),
            loads,
            dumps,
        })
    }

    /// Takes bytes as they came, cut anywhere, and returns what happened. `now` is the time in seconds, of
    /// any clock that only goes forward, as everywhere here. Answers that the session gives by itself, to
    /// pings for one, are in `data_to_send()` afterwards.
    fn receive_data<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        now: f64,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = data.py();
        let chunk = value::bytes(data, "receive_data()")?;
        let now = clock(now)?;
        let found = self.with(py, |state| {
            if state.decoder.is_closed() {
                return Err(Refused::Closed);
            }
            state.receive(py, &chunk, now)
        })?;
        self.events(py, found)
    }

    /// Takes all that is to be sent, as whole lines; to be written in this order.
    fn data_to_send<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.lock(py).out.take(py)
    }

    /// How many bytes `data_to_send()` would return.
    #[getter]
    fn bytes_to_send(&self, py: Python<'_>) -> usize {
        self.lock(py).out.len()
    }

    /// When `expire()` is due, by the clock of `now`; `None` for never.
    fn next_timeout(&self, py: Python<'_>) -> Option<f64> {
        let state = self.lock(py);
        both!(&state.sides, session => session.poll_timeout()).map(|millis| millis as f64 / 1000.0)
    }

    /// Lets time pass; returns the ends of requests that took too long.
    fn expire<'py>(&self, py: Python<'py>, now: f64) -> PyResult<Bound<'py, PyList>> {
        let now = clock(now)?;
        let found = self.with(py, |State { sides, out, .. }| {
            let mut found = Vec::new();
            while let Some(step) = both!(sides, session => session.expire(now)) {
                found.extend(Found::of_step(out, &step)?);
            }
            Ok(found)
        })?;
        self.events(py, found)
    }

    /// The input has ended: returns the ends of all requests of ours, and the last state. What the peer asked
    /// for may still be answered. A line without an end is no message, even if it is a whole one: it is
    /// `Ignored` as a fault.
    fn close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found = self.with(py, |state| {
            state.waiting.clear();
            let mut found = state.finish(py)?;
            let State { sides, out, .. } = state;
            while let Some(step) = both!(sides, session => session.close()) {
                found.extend(Found::of_step(out, &step)?);
            }
            Ok(found)
        })?;
        self.events(py, found)
    }

    /// `"client"` or `"server"`.
    #[getter]
    fn role(&self, py: Python<'_>) -> &'static str {
        match self.lock(py).sides {
            Sides::Client(_) => "client",
            Sides::Server(_) => "server",
        }
    }

    /// Where the session is: `idle`, `probing`, `opening`, `ready`, `failed` or `closed`.
    #[getter]
    fn state(&self, py: Python<'_>) -> &'static str {
        let state = self.lock(py);
        event::state(both!(&state.sides, session => session.state()))
    }

    /// The revision that was agreed on. A server agrees on none in the modern era, where each request
    /// has its own.
    #[getter]
    fn revision(&self, py: Python<'_>) -> Option<&'static str> {
        let state = self.lock(py);
        both!(&state.sides, session => session.revision()).map(|it| it.name())
    }

    /// What the peer has declared that it can do, as far as the protocol has names for it.
    #[getter]
    fn peer_capabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let capabilities = {
            let state = self.lock(py);
            both!(&state.sides, session => session.peer_capabilities())
        };
        out::capabilities(py, capabilities)
    }

    /// How many requests of the peer are being worked on, and how many of ours wait.
    #[getter]
    fn in_flight(&self, py: Python<'_>) -> (usize, usize) {
        let state = self.lock(py);
        both!(&state.sides, session => session.in_flight())
    }

    /// How many requests of the peer wait for a free slot: with `max_held_back`. They are told of by a later
    /// `receive_data()`, which may be given no bytes; `close()` drops them.
    #[getter]
    fn held_back(&self, py: Python<'_>) -> usize {
        self.lock(py).waiting.len()
    }

    /// What is known of a request that is being worked on; `None` once it was answered or cancelled.
    fn incoming(&self, py: Python<'_>, handle: u64) -> Option<Incoming> {
        let state = self.lock(py);
        let info = both!(&state.sides, session => session.incoming(Handle::from_bits(handle)))?;
        Some(Incoming { info })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (role, at) = (self.role(py), self.state(py));
        let (incoming, outgoing) = self.in_flight(py);
        format!("<wireline.Connection {role}, {at}, {incoming} incoming, {outgoing} outgoing>")
    }
}

/// What is known of a request that is being worked on.
#[pyclass(frozen, module = "wireline")]
pub(crate) struct Incoming {
    info: wireline::session::IncomingInfo,
}

#[pymethods]
impl Incoming {
    /// Its method; `None` for one that no revision has.
    #[getter]
    fn method(&self) -> Option<&'static str> {
        self.info.method.map(|it| it.name())
    }

    /// The revision that was agreed on. A server agrees on none in the modern era, where each request
    /// has its own.
    #[getter]
    fn revision(&self) -> &'static str {
        self.info.revision.name()
    }

    /// What its client can do.
    #[getter]
    fn capabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        out::capabilities(py, self.info.capabilities)
    }

    /// Whether its client asked to be told how it gets on.
    #[getter]
    fn wants_progress(&self) -> bool {
        self.info.wants_progress
    }

    /// From which level on log messages may be sent for it; `None` for none at all.
    #[getter]
    fn log_level(&self) -> Option<&'static str> {
        self.info.log_level.map(|it| it.name())
    }

    fn __repr__(&self) -> String {
        format!(
            "Incoming(method={:?}, revision='{}', wants_progress={})",
            self.method().unwrap_or("none"),
            self.revision(),
            if self.info.wants_progress {
                "True"
            } else {
                "False"
            }
        )
    }
}
