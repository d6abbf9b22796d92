//! A toolkit that is served over a session.

use super::answer::Answer;
use super::dispatch::{self, Verdict};
use super::event::{Event, Step};
use super::note::Note;
use super::page::{List, Page};
use super::toolkit::Toolkit;
use crate::encode::Payload;
use crate::fault::Rejected;
use crate::json::{RawJson, ToJson, Writer};
use crate::mcp::{LogLevel, Method, code};
use crate::message::{Kind, Message};
use crate::rules::Rule;
use crate::session::{
    self, Body, Change, Config, Filter, Handle, Incoming, Line, Millis, Progress, Reply, Send,
    Server, Session, SessionError, Slots,
};
use crate::text::Text;

/// What is said of an answer that is over the ceiling.
const TOO_LONG: &str = "The answer is longer than the server may send";

/// The same as the result of a tool.
const TOO_LONG_RESULT: RawJson<'static> = RawJson::from_valid(Text::new(
    r#"{"content":[{"type":"text","text":"The result is longer than the server may send"}],"isError":true}"#,
));

/// What an answer that the service gives by itself is written from.
#[derive(Debug)]
struct Scratch<'c> {
    toolkit: &'c Toolkit<'c>,
    note: Note,
    page: Option<Page>,
}

/// A page of a list, or the result of a tool that failed, with the note as its text.
impl ToJson for Scratch<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match &self.page {
            Some(page) => self.toolkit.write_page(page, w),
            None => super::Failed(self.note.as_str()).write_json(w),
        }
    }
}

/// A [`Toolkit`] that is served over a session: it answers lists and mistakes by itself, and
/// hands to the program what only the program can do.
///
/// ```
/// use wireline::server::{Done, Event, Service, Tool, Toolkit};
/// use wireline::session::{Config, Implementation, Memory};
/// use wireline::{Limits, parse, schema, toolkit};
///
/// static BOARD: Toolkit<'_> = toolkit! {
///     tools: &[Tool::new("led_set", "Switch the board's LED", schema!({ "on": bool }))],
/// };
/// static CONFIG: Config<'_> = Config::new(Implementation::new("board", "1.0"))
///     .with_capabilities(BOARD.capabilities());
/// let mut service = Service::new(&CONFIG, &BOARD, Memory::<2, 0, 128>::new());
///
/// let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{
///     "name":"led_set","arguments":{"on":true},
///     "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
///              "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
/// let step = service.receive(&parse(line, &Limits::HOST), 0);
/// assert!(step.send.is_empty());
/// let Event::Call(call) = step.event else { panic!() };
/// assert_eq!((call.tool.name, call.arguments.get("on").unwrap().as_bool()), ("led_set", Some(true)));
///
/// let mut out = [0; 256];
/// let n = service.finish(call.handle, &Done("on")).unwrap().write(&mut out).unwrap();
/// assert!(out[..n].ends_with(b"\"content\":[{\"type\":\"text\",\"text\":\"on\"}]}}\n"));
/// ```
#[derive(Debug)]
pub struct Service<'c, S> {
    session: Session<'c, Server, S>,
    scratch: Scratch<'c>,
}

impl<'c, S: Slots> Service<'c, S> {
    /// A service that has met no client yet. The capabilities in `config` should be those of
    /// the [`toolkit`](Toolkit::capabilities) and what the program does beside it.
    pub const fn new(config: &'c Config<'c>, toolkit: &'c Toolkit<'c>, slots: S) -> Self {
        Service {
            session: Session::new(config, slots),
            scratch: Scratch {
                toolkit,
                note: Note::new(),
                page: None,
            },
        }
    }

    /// The session beneath.
    #[must_use]
    pub const fn session(&self) -> &Session<'c, Server, S> {
        &self.session
    }

    /// The session beneath, for what has no call here: to [`ask`](Session::ask) for input,
    /// say. Lines are to be given to [`receive`](Service::receive) all the same.
    pub const fn session_mut(&mut self) -> &mut Session<'c, Server, S> {
        &mut self.session
    }

    /// The tables that are served.
    #[must_use]
    pub const fn toolkit(&self) -> &'c Toolkit<'c> {
        self.scratch.toolkit
    }

    /// Serves other tables from now on. Tell the clients with
    /// [`changed`](Service::changed); the cursors of the old tables are invalid.
    pub const fn set_toolkit(&mut self, toolkit: &'c Toolkit<'c>) {
        self.scratch.toolkit = toolkit;
    }

    /// Takes what a decoder gave, and says what follows from it.
    ///
    /// `now` is in milliseconds. Send what is to be sent; then do what the event says.
    pub fn receive<'s, 'm>(
        &'s mut self,
        item: &Result<Message<'m>, Rejected<'m>>,
        now: Millis,
    ) -> Step<'s, 'm>
    where
        'c: 'm,
        'm: 's,
    {
        let step = self.session.receive(item, now);
        let mut ours = Step {
            event: Event::None,
            send: step.send,
            broken: step.broken,
        };
        let mut event = step.event;
        if let Some(line) = &mut ours.send.line
            && bound(line, self.scratch.toolkit.tables.line)
            && matches!(event, session::Event::State { .. })
        {
            // The client was told of an error in place of what opens the session.
            self.session.unopen();
            event = session::Event::None;
        }
        match event {
            session::Event::Request(incoming) => self.request(&incoming, &mut ours),
            session::Event::Cancelled { handle, message } => {
                ours.event = Event::Cancelled { handle, message };
            }
            session::Event::None => {}
            other => ours.event = Event::Session(other),
        }
        ours
    }

    // What the following make is large, and they run with little stack: each puts it where it
    // stays, and is not inlined, so that what it needs itself is given back.

    #[inline(never)]
    fn request<'s, 'm>(&'s mut self, incoming: &Incoming<'m>, step: &mut Step<'s, 'm>)
    where
        'c: 'm,
        'm: 's,
    {
        let handle = incoming.handle;
        let toolkit = self.scratch.toolkit;
        let ours = self.session.config().capabilities;
        self.scratch.note.clear();
        self.scratch.page = None;
        match toolkit.dispatch(incoming, ours, &mut self.scratch.note) {
            Verdict::Event(event) => step.event = event,
            Verdict::Listen(filter) => {
                if self.listen(handle, filter, &mut step.send) {
                    step.event = Event::Listen { handle, filter };
                }
            }
            Verdict::List(list, from) => self.list(incoming, list, from, &mut step.send),
            Verdict::Fail(code) => self.mistake(handle, Some(code), &mut step.send),
            Verdict::Failure => self.mistake(handle, None, &mut step.send),
        }
    }

    /// Acknowledges a subscription; `false`, if it is refused.
    #[inline(never)]
    fn listen<'s, 'm: 's>(
        &mut self,
        handle: Handle,
        filter: Filter<'m>,
        send: &mut Send<'s>,
    ) -> bool
    where
        'c: 'm,
    {
        // It cannot fail: the request has just come, and is answered by what it asks for.
        if let Ok(acknowledgement) = self.session.accept(handle, filter) {
            *send = acknowledgement;
        }
        // It repeats the URIs that the client wrote.
        let max = self.scratch.toolkit.tables.line;
        let Some(line) = send.line.as_mut().filter(|line| over(line, max)) else {
            return true;
        };
        line.put_error(code::INTERNAL_ERROR, TOO_LONG);
        if self.session.finish(handle, send).is_err() {
            *send = Send::NONE;
        }
        false
    }

    /// Answers by what the note says: an error of this code, or the result of a tool that
    /// failed.
    #[inline(never)]
    fn mistake<'s>(&'s mut self, handle: Handle, code: Option<i64>, send: &mut Send<'s>) {
        let max = self.scratch.toolkit.tables.line;
        let session = &mut self.session;
        let line = match code {
            Some(code) => {
                let text = self.scratch.note.as_str();
                session.error_line(handle, code, text, Payload::None, send)
            }
            None => {
                let reply = Reply::new(Payload::Value(&self.scratch));
                session.result_line(handle, reply, send)
            }
        };
        if let Ok(line) = line {
            match code {
                // The note may hold what the client wrote, and escapes make that longer.
                Some(code) if over(line, max) => line.put_error(
                    code,
                    match code {
                        code::METHOD_NOT_FOUND => "Method not found",
                        code::RESOURCE_NOT_FOUND => "Resource not found",
                        _ => "Invalid params",
                    },
                ),
                Some(_) => {}
                None => within(line, max, true),
            }
        }
        if session.finish(handle, send).is_err() {
            *send = Send::NONE;
        }
    }

    /// Answers a list with as many entries as fit.
    #[inline(never)]
    fn list<'s>(&'s mut self, incoming: &Incoming<'_>, list: List, from: u16, send: &mut Send<'s>) {
        let toolkit = self.scratch.toolkit;
        let handle = incoming.handle;
        let reply = Reply::new(list.longest_empty());
        let Ok(line) = self.session.result_line(handle, reply, send) else {
            return;
        };
        let max = toolkit.tables.line;
        let room = match (max, line.line_len()) {
            (0, _) | (_, Err(_)) => usize::MAX,
            (max, Ok(len)) => (max as usize).saturating_sub(len),
        };
        let page = toolkit.page(list, incoming.revision, from, room);
        if page.to == page.from && toolkit.goes_on(&page) {
            line.put_error(code::INTERNAL_ERROR, TOO_LONG);
        } else {
            self.scratch.page = Some(page);
            line.put_result(Payload::Value(&self.scratch));
            within(line, max, false);
        }
        if self.session.finish(handle, send).is_err() {
            *send = Send::NONE;
        }
    }

    /// Answers a request. Its handle is stale from then on.
    ///
    /// An answer that is over the ceiling of [`Tables::line`](super::Tables::line) is
    /// replaced: that of a tool by a result that says that it failed, any other by -32603.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle), if the request was answered or cancelled:
    /// nothing may be sent for it. [`Gate`](SessionError::Gate) with R104, if the answer is
    /// that of another method. [`Write`](SessionError::Write), if the answer cannot be
    /// written; the request still waits then.
    pub fn finish<'p, A: Answer>(
        &mut self,
        handle: Handle,
        answer: &'p A,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        self.finish_method(handle, Some(A::METHOD), Reply::new(answer))
    }

    /// Answers a request with any result: of one's own type, with how long it may be kept,
    /// or with members for `_meta`.
    ///
    /// # Errors
    ///
    /// As [`finish`](Service::finish), but the method is not looked at.
    pub fn finish_with<'p>(
        &mut self,
        handle: Handle,
        reply: impl Into<Reply<'p>>,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        self.finish_method(handle, None, reply.into())
    }

    /// Answers a call of a tool by a text: what the tool says, or, if it `failed`, what went
    /// wrong. As [`finish`](Service::finish) with [`Done`](super::Done) or
    /// [`Failed`](super::Failed), but for whoever cannot keep such a value until what is to be
    /// sent has left: only the text is borrowed.
    ///
    /// # Errors
    ///
    /// As [`finish`](Service::finish).
    pub fn finish_text<'p>(
        &mut self,
        handle: Handle,
        text: &'p str,
        failed: bool,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        let info = self.session.incoming(handle);
        if info.ok_or(SessionError::StaleHandle)?.method != Some(Method::ToolsCall) {
            return Err(SessionError::Gate(Rule::R104));
        }
        let max = self.scratch.toolkit.tables.line;
        let nothing = Reply::new(Payload::None);
        let mut send = Send::NONE;
        let line = self.session.result_line(handle, nothing, &mut send)?;
        line.body = Body::said(text, failed);
        if over(line, max) {
            line.body = Body::result(TOO_LONG_RESULT.into(), false);
            within(line, max, false);
        }
        self.session.finish(handle, &mut send)?;
        Ok(send)
    }

    fn finish_method<'p>(
        &mut self,
        handle: Handle,
        method: Option<Method>,
        reply: Reply<'p>,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        let info = self.session.incoming(handle);
        let asked = info.ok_or(SessionError::StaleHandle)?.method;
        if method.is_some() && method != asked {
            return Err(SessionError::Gate(Rule::R104));
        }
        let mut send = Send::NONE;
        let line = self.session.result_line(handle, reply, &mut send)?;
        let is_call = asked == Some(Method::ToolsCall);
        // What cannot be written at all is the program's to mend.
        line.line_len()?;
        within(line, self.scratch.toolkit.tables.line, is_call);
        self.session.finish(handle, &mut send)?;
        Ok(send)
    }

    /// Answers a request whose result says nothing: `resources/subscribe`,
    /// `resources/unsubscribe`.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle).
    pub fn acknowledge(&mut self, handle: Handle) -> Result<Send<'c>, SessionError> {
        self.session.respond(handle, RawJson::EMPTY_OBJECT)
    }

    /// Answers a request with an error. A tool that fails is answered with
    /// [`Failed`](super::Failed) instead, so that the model learns
    /// of it.
    ///
    /// # Errors
    ///
    /// As [`Session::fail`].
    pub fn fail<'p>(
        &mut self,
        handle: Handle,
        code: i64,
        message: &'p str,
        data: impl Into<Payload<'p>>,
    ) -> Result<Send<'p>, SessionError> {
        let max = self.scratch.toolkit.tables.line;
        let mut send = Send::NONE;
        let line = self
            .session
            .error_line(handle, code, message, data.into(), &mut send)?;
        line.line_len()?;
        within(line, max, false);
        self.session.finish(handle, &mut send)?;
        Ok(send)
    }

    /// Answers a request for a resource that a template matches, but that is not there:
    /// -32002, or -32602 in the modern era.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle).
    pub fn not_found(&mut self, handle: Handle) -> Result<Send<'static>, SessionError> {
        let info = self.session.incoming(handle);
        let revision = info.ok_or(SessionError::StaleHandle)?.revision;
        let code = dispatch::not_found(revision);
        self.session
            .fail(handle, code, "Resource not found", Payload::None)
    }

    /// Tells how a request gets on. Nothing is sent if it did not ask to be told.
    ///
    /// # Errors
    ///
    /// As [`Session::progress`].
    pub fn progress<'p>(
        &mut self,
        handle: Handle,
        progress: Progress<'p>,
    ) -> Result<Send<'p>, SessionError> {
        self.session.progress(handle, progress)
    }

    /// Whether a request is no longer to be worked on: it was cancelled, or answered.
    #[must_use]
    pub fn is_cancelled(&self, handle: Handle) -> bool {
        self.session.incoming(handle).is_none()
    }

    /// Tells of a change: see [`Session::changed`].
    pub fn changed<'p>(&mut self, change: Change<'p>, cursor: &mut usize) -> Option<Send<'p>> {
        self.session.changed(change, cursor)
    }

    /// Tells one subscription of a change: see [`Session::changed_for`].
    ///
    /// # Errors
    ///
    /// As [`Session::changed_for`].
    pub fn changed_for<'p>(
        &mut self,
        handle: Handle,
        change: Change<'p>,
    ) -> Result<Send<'p>, SessionError> {
        self.session.changed_for(handle, change)
    }

    /// Sends a log message: see [`Session::log`].
    ///
    /// # Errors
    ///
    /// As [`Session::log`].
    pub fn log<'p>(
        &mut self,
        handle: Option<Handle>,
        level: LogLevel,
        logger: Option<&'p str>,
        data: impl Into<Payload<'p>>,
    ) -> Result<Send<'p>, SessionError> {
        self.session.log(handle, level, logger, data)
    }

    /// The input has ended: see [`Session::close`].
    pub fn close(&mut self) -> Option<session::Step<'c>> {
        self.session.close()
    }

    /// When [`expire`](Service::expire) is due, in milliseconds; `None` for never.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Millis> {
        self.session.poll_timeout()
    }

    /// Lets time pass: see [`Session::expire`]. Only requests of the server's own time out.
    pub fn expire(&mut self, now: Millis) -> Option<session::Step<'c>> {
        self.session.expire(now)
    }
}

/// Whether it is over the ceiling.
fn over(line: &Line<'_>, max: u32) -> bool {
    max != 0 && line.line_len().is_ok_and(|len| len > max as usize)
}

/// An answer of the session's own that is over the ceiling goes without what makes it long:
/// what the client wrote, the configuration's instructions, an error's data. A result that is
/// over it even so becomes an error, which is told.
#[inline(never)]
fn bound(line: &mut Line<'_>, max: u32) -> bool {
    if !over(line, max) {
        return false;
    }
    line.body.shorten();
    if !over(line, max) {
        return false;
    }
    match line.kind {
        Kind::Error => {
            line.body = Body::none();
            false
        }
        _ => {
            line.put_error(code::INTERNAL_ERROR, TOO_LONG);
            true
        }
    }
}

/// An answer that is over the ceiling is replaced by one that says so.
#[inline(never)]
fn within(line: &mut Line<'_>, max: u32, is_call: bool) {
    if over(line, max) && is_call {
        line.put_result(Payload::Raw(TOO_LONG_RESULT));
    }
    if over(line, max) {
        line.put_error(code::INTERNAL_ERROR, TOO_LONG);
    }
}
