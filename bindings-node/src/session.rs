//! Sessions of either role, with the decoder of what they receive.

mod calls;
mod client;
mod record;
mod server;
mod setup;

use crate::decoder::{MUCH, taken, writable};
use crate::encode::{Coded, copied, error, unwritable, zeroed};
use crate::glue::{
    BufferSlice, Env, Error, ObjectFinalize, Result as NapiResult, Uint32ArraySlice,
};
use crate::names::Names;
use crate::record::HEADER;
use crate::storage::{self, Growing};
use memchr::memrchr;
use napi_derive::napi;
use record::{Place, STEP, put};
use setup::{Setup, memory};
use wireline::encode::WriteError;
use wireline::json::{JsonKind, RawJson};
use wireline::mcp::{Capabilities, LogLevel, Revision, Side};
use wireline::session::{
    self, Client, Filter, Handle, HeapMemory, Options, Send, Server, SessionError, Step,
};
use wireline::{Item, LineDecoder};

/// Words of the longest record of a step.
pub(crate) const LONGEST: usize = STEP + crate::record::FAULT;

/// A session of either role.
enum Either {
    Client(session::Session<'static, Client, HeapMemory>),
    Server(session::Session<'static, Server, HeapMemory>),
}

/// The same call, whichever the role.
macro_rules! each {
    ($session:expr, $it:ident => $call:expr) => {
        match $session {
            Either::Client($it) => $call,
            Either::Server($it) => $call,
        }
    };
}

use each;

/// A session, and what it borrows.
#[napi(js_name = "Session", custom_finalize)]
pub struct Session {
    // Before what it borrows: fields are dropped in their order.
    session: Either,
    setup: Setup,
    decoder: LineDecoder<Growing>,
    names: Names,
    /// What is kept of refused lines, and lines that came in several chunks.
    extra: Vec<u8>,
    /// Lines to be sent; the first `sent` bytes count.
    out: Vec<u8>,
    sent: usize,
    /// Bytes since the last item.
    since: usize,
    /// What it takes outside of JavaScript's memory.
    weight: i64,
}

impl ObjectFinalize for Session {
    fn finalize(self, env: Env) -> NapiResult<()> {
        env.adjust_external_memory(-self.weight).map(drop)
    }
}

/// A result of a call that sends something.
type Sent<'env> = Result<BufferSlice<'env>, Error<String>>;

/// Why a session refuses, with a code that JavaScript knows. What broke a rule says so in
/// its text, as `R62: …`.
fn refused<T>(why: SessionError) -> Coded<T> {
    match why {
        SessionError::StaleHandle => error("STALE_HANDLE", why),
        SessionError::NotReady => error("NOT_READY", why),
        SessionError::Gate(rule) => error("RULE", format!("{rule}: {}", rule.text())),
        SessionError::TableFull => error("TABLE_FULL", why),
        SessionError::BadProgress => error("BAD_PROGRESS", why),
        SessionError::Write(bad) => unwritable(bad),
        other => error("SESSION", other),
    }
}

/// A moment in milliseconds.
fn millis(now: f64) -> u64 {
    // Saturates, and what is no number is 0.
    now as u64
}

fn handle(number: f64) -> Handle {
    Handle::from_bits(number as u64)
}

fn level(name: &str) -> Coded<Option<LogLevel>> {
    if name.is_empty() {
        return Ok(None);
    }
    match LogLevel::parse(name) {
        Some(level) => Ok(Some(level)),
        None => error("BAD_LEVEL", format!("'{name}' is no log level")),
    }
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn filter<'p>(flags: u32, uris: Option<RawJson<'p>>) -> Filter<'p> {
    Filter {
        tools: flags & 1 != 0,
        prompts: flags & 2 != 0,
        resources: flags & 4 != 0,
        uris,
    }
}

/// The options of a request: soft and hard time-out (negative for as configured), whether
/// it wants progress.
fn options<'p>(numbers: &[f64], log_level: &str, meta: Option<RawJson<'p>>) -> Coded<Options<'p>> {
    let at = |index: usize| numbers.get(index).copied().unwrap_or(-1.0);
    let time = |index| (at(index) >= 0.0).then(|| at(index) as u32);
    let mut options = Options::new();
    options.soft = time(0);
    options.hard = time(1);
    options.progress = at(2) > 0.0;
    options.log_level = level(log_level)?;
    if let Some(meta) = meta {
        options = options.with_meta(meta);
    }
    Ok(options)
}

/// Writes what is to be sent behind what already is.
fn append(out: &mut Vec<u8>, sent: &mut usize, send: &Send<'_>) -> Result<(), WriteError> {
    if send.is_empty() {
        return Ok(());
    }
    loop {
        let room = out.get_mut(*sent..).unwrap_or(&mut []);
        match send.write(room) {
            Ok(written) => {
                *sent += written;
                return Ok(());
            }
            Err(WriteError::TooSmall { needed }) => {
                let length = (*sent + needed).max(2 * out.len()).max(1024);
                if out.try_reserve_exact(length - out.len()).is_err() {
                    return Err(WriteError::TooSmall { needed });
                }
                out.resize(length, 0);
            }
            Err(bad) => return Err(bad),
        }
    }
}

/// One call's lines.
fn written(send: Result<Send<'_>, SessionError>) -> Coded<Vec<u8>> {
    let send = send.or_else(refused)?;
    let mut lines = zeroed(send.len().or_else(unwritable)?)?;
    send.write(&mut lines).or_else(unwritable)?;
    Ok(lines)
}

/// One call's lines as an array of its own.
fn line<'env>(env: &'env Env, send: Result<Send<'_>, SessionError>) -> Sent<'env> {
    copied(env, &written(send)?)
}

#[napi]
impl Session {
    /// A session that has agreed on nothing yet. See `js/session.mts` for what the arguments
    /// are.
    ///
    /// # Errors
    ///
    /// When the capabilities are no object, and when there is no memory for the tables.
    #[napi(constructor)]
    pub fn new(
        env: Env,
        texts: Vec<String>,
        capabilities: &[u8],
        more: &[u8],
        numbers: &[f64],
        limits: &[u32],
    ) -> Result<Self, Error<String>> {
        let setup = Setup::new(texts, capabilities, more, numbers)?;
        let (tables, weight) = memory(numbers).or_else(|bad| error("OUT_OF_MEMORY", bad))?;
        env.adjust_external_memory(weight)
            .or_else(|bad| error("OUT_OF_MEMORY", bad))?;
        let session = match setup.side() {
            Side::Client => Either::Client(session::Session::new(setup.config(), tables)),
            Side::Server => Either::Server(session::Session::new(setup.config(), tables)),
        };
        let batches = setup.config().revisions.iter().any(Revision::has_batches);
        let limits = crate::limits::limits(limits).with_batches(batches);
        Ok(Session {
            session,
            setup,
            decoder: LineDecoder::new(Growing::default(), limits),
            names: Names::new(),
            extra: Vec::new(),
            out: Vec::new(),
            sent: 0,
            since: 0,
            weight,
        })
    }

    /// Takes what the peer sent, as `Decoder.decode` does: events as records, and what is to
    /// be sent in `takeSent`.
    ///
    /// Header: how far it came, extra bytes, whether the decoder is closed, whether the chunk
    /// is done with, bytes to be sent.
    ///
    /// # Errors
    ///
    /// When there is no memory for what it has found or is to send, which is lost then.
    #[napi]
    pub fn receive(
        &mut self,
        chunk: &[u8],
        at: u32,
        leave: bool,
        now: f64,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<u32, Error<String>> {
        let words = writable(&mut words);
        let now = millis(now);
        let from = self.setup.side().other();
        let mut input = chunk.get(at as usize..).unwrap_or(&[]);
        let mut left: &[u8] = &[];
        if leave && let Some(last) = memrchr(b'\n', input) {
            (input, left) = input.split_at(last + 1);
        }
        self.extra.clear();
        self.sent = 0;
        let mut used = HEADER + 1;
        let mut done = false;
        while words.len() - used >= LONGEST && self.extra.len() < MUCH && self.sent < MUCH {
            let before = input.len();
            let Some(item) = self.decoder.next_in(&mut input) else {
                self.since = self.since.saturating_add(before);
                done = true;
                break;
            };
            self.since = 0;
            let (result, place) = match item {
                Item::InChunk(result) => (result, Place::Chunk(chunk)),
                Item::InBuffer(result) => (result, Place::Elsewhere),
            };
            let step = each!(&mut self.session, it => it.receive(&result, now));
            append(&mut self.out, &mut self.sent, &step.send).or_else(unwritable)?;
            if let Some(batch) = each!(&mut self.session, it => it.take_batch()) {
                self.out.truncate(self.sent);
                storage::append(&mut self.out, batch)?;
                self.sent = self.out.len();
            }
            used += put(
                &mut words[used..],
                &step,
                Some(&result),
                place,
                Some(from),
                &mut self.extra,
                &mut self.names,
            )?;
        }
        if self.since > crate::decoder::LONG {
            self.decoder.pending();
        }
        words[0] = (chunk.len() - input.len() - left.len()) as u32;
        self.head(words, done);
        Ok(used as u32)
    }

    /// What of the header follows from the session.
    fn head(&self, words: &mut [u32], done: bool) {
        words[1] = self.extra.len() as u32;
        words[2] = self.decoder.is_closed().into();
        words[3] = done.into();
        words[4] = self.sent as u32;
    }

    /// Records a step that no message brought about.
    fn aside(&mut self, words: &mut [u32], used: usize, step: &Step<'_>) -> Coded<usize> {
        append(&mut self.out, &mut self.sent, &step.send).or_else(unwritable)?;
        let taken = put(
            &mut words[used..],
            step,
            None,
            Place::Elsewhere,
            None,
            &mut self.extra,
            &mut self.names,
        )?;
        Ok(taken)
    }

    /// Ends requests whose time is over; to be called until it records nothing.
    ///
    /// # Errors
    ///
    /// As `receive`.
    #[napi]
    pub fn expire(
        &mut self,
        now: f64,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<u32, Error<String>> {
        let words = writable(&mut words);
        self.extra.clear();
        self.sent = 0;
        let mut used = HEADER + 1;
        while words.len() - used >= LONGEST {
            let Some(step) = each!(&mut self.session, it => it.expire(millis(now))) else {
                break;
            };
            used += self.aside(words, used, &step)?;
        }
        self.head(words, true);
        Ok(used as u32)
    }

    /// The input has ended: what is left of a line first, then all that waits; to be called
    /// until it records nothing.
    ///
    /// # Errors
    ///
    /// As `receive`.
    #[napi]
    pub fn close(
        &mut self,
        now: f64,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<u32, Error<String>> {
        let words = writable(&mut words);
        let from = self.setup.side().other();
        self.extra.clear();
        self.sent = 0;
        let mut used = HEADER + 1;
        while words.len() - used >= LONGEST
            && let Some(result) = self.decoder.finish()
        {
            let step = each!(&mut self.session, it => it.receive(&result, millis(now)));
            append(&mut self.out, &mut self.sent, &step.send).or_else(unwritable)?;
            used += put(
                &mut words[used..],
                &step,
                Some(&result),
                Place::Elsewhere,
                Some(from),
                &mut self.extra,
                &mut self.names,
            )?;
        }
        while words.len() - used >= LONGEST {
            let Some(step) = each!(&mut self.session, it => it.close()) else {
                break;
            };
            used += self.aside(words, used, &step)?;
        }
        self.head(words, true);
        Ok(used as u32)
    }

    /// What the last call kept in bytes of its own.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    #[napi]
    pub fn take_extra<'env>(&mut self, env: &'env Env) -> Result<BufferSlice<'env>, Error<String>> {
        taken(env, &mut self.extra)
    }

    /// What the last call wants to be sent.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    #[napi]
    pub fn take_sent<'env>(&mut self, env: &'env Env) -> Result<BufferSlice<'env>, Error<String>> {
        let lines = self.out.get(..self.sent).unwrap_or(&[]);
        let copy = copied(env, lines);
        if self.out.len() > MUCH {
            self.out = Vec::new();
        }
        self.sent = 0;
        copy
    }

    /// When `expire` is due; negative for never.
    #[napi]
    pub fn next_timeout(&self) -> f64 {
        each!(&self.session, it => it.poll_timeout()).map_or(-1.0, |due| due as f64)
    }

    /// State, what goes with it, revision, era in use: see `js/session.mts`.
    #[napi]
    pub fn state(&self) -> Vec<u32> {
        let (state, more) = record::state(each!(&self.session, it => it.state()));
        let revision = each!(&self.session, it => it.revision());
        let (inbound, outbound) = each!(&self.session, it => it.in_flight());
        vec![
            state,
            more,
            revision.map_or(0, |it| it as u32 + 1),
            inbound as u32,
            outbound as u32,
        ]
    }

    /// The unfinished line's bytes.
    #[napi]
    pub fn pending(&mut self) -> f64 {
        self.decoder.pending().bytes as f64
    }

    /// What is known of a request of the peer: revision, whether it wants progress, its log
    /// level (0 for none); empty if it is over.
    #[napi]
    pub fn incoming(&self, number: f64) -> Vec<u32> {
        let info = each!(&self.session, it => it.incoming(handle(number)));
        info.map_or_else(Vec::new, |info| {
            vec![
                info.revision as u32 + 1,
                info.wants_progress.into(),
                info.log_level.map_or(0, |level| level as u32 + 1),
            ]
        })
    }

    /// Whether the peer of a request of its, or of the session where there is none, declared
    /// a capability, named by its path.
    #[napi]
    pub fn peer_has(&self, number: f64, path: String) -> bool {
        let declared = if number < 0.0 {
            each!(&self.session, it => it.peer_capabilities())
        } else {
            let info = each!(&self.session, it => it.incoming(handle(number)));
            info.map_or(Capabilities::NONE, |info| info.capabilities)
        };
        let side = self.setup.side().other();
        wireline::mcp::Capability::ALL
            .iter()
            .filter(|it| it.side() == side && declared.has(**it))
            .any(|it| {
                let names = it.path().into_iter().filter(|name| !name.is_empty());
                names.eq(path.split('.'))
            })
    }
}

/// Whether a text is one JSON object.
pub(crate) fn is_object(raw: &RawJson<'_>) -> bool {
    raw.kind() == JsonKind::Object
}
