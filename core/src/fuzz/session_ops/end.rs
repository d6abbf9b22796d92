//! One side, and what must be true of it after every call.

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::super::grammar::Source;
use crate::decode::{LineDecoder, parse};
use crate::fault::Rejected;
use crate::id::Id;
use crate::json::RawJson;
use crate::limits::Limits;
use crate::mcp::{LogLevel, Method, Revision, Side};
use crate::message::{Kind, Message};
use crate::session::{
    Config, Event, Gathering, Handle, Memory, Millis, Options, Progress, Role, Send, Session,
    SessionError, State, Step,
};

/// Parameters and results, good for some methods and bad for others.
pub(super) const PARAMS: &[&[u8]] = &[
    b"{}",
    br#"{"name":"t"}"#,
    br#"{ "uri" : "file:///x" , "name" : 7 }"#,
    br#"{"content":[],"level":"info"}"#,
    br#"{"_meta":{"progressToken":1}}"#,
    br#"{"resultType":"complete","ttlMs":1}"#,
    br#"{"message":"m","mode":"url","requestedSchema":{}}"#,
    b"[1]",
    b"null",
    b"\"s\\u0000\"",
];

/// With room for some answers to a batch, and not for all.
type Tables = Gathering<Memory<2, 2, 40>, 200>;

/// A batch under an id that no other line has.
const FRESH: &str = r#"[{"jsonrpc":"2.0","id":"fresh","method":"ping"}]"#;

#[derive(Clone)]
pub(super) struct End<R> {
    pub(super) session: Session<'static, R, Tables>,
    pub(super) now: Millis,
    open: Vec<Handle>,
    pub(super) input: Vec<Handle>,
    work: Vec<Handle>,
    dead: Vec<Handle>,
    /// Ids of requests that came in, and how often each may still be answered.
    owed: Vec<(Vec<u8>, i32)>,
    closed: bool,
}

impl<R: Role + Clone> End<R> {
    pub(super) fn new(config: &'static Config<'static>) -> Self {
        End {
            session: Session::new(config, Tables::new(Memory::new())),
            now: 0,
            open: Vec::new(),
            input: Vec::new(),
            work: Vec::new(),
            dead: Vec::new(),
            owed: Vec::new(),
            closed: false,
        }
    }

    /// Ids that this side has probably given out lately.
    pub(super) fn ids(&self) -> usize {
        self.open.len() + self.dead.len()
    }

    /// How many requests of the other side came in.
    pub(super) fn theirs(&self) -> usize {
        self.owed.len()
    }

    fn some(among: &[Handle], source: &mut Source<'_>) -> Handle {
        let byte = source.byte();
        match among.get(usize::from(byte) % (among.len() + 1)) {
            Some(handle) => *handle,
            None => Handle::from_bits(u64::from(byte) << 32 | u64::from(source.byte())),
        }
    }

    pub(super) fn some_open(&self, source: &mut Source<'_>) -> Handle {
        match source.below(8) {
            0 => Self::some(&self.dead, source),
            1 => Self::some(&self.work, source),
            _ => Self::some(&self.open, source),
        }
    }

    pub(super) fn some_work(&self, source: &mut Source<'_>) -> Handle {
        match source.below(8) {
            0 => Self::some(&self.dead, source),
            1 => Self::some(&self.open, source),
            _ => Self::some(&self.work, source),
        }
    }

    pub(super) fn waits_for_input(&self, handle: Handle) -> bool {
        self.input.contains(&handle)
    }

    /// A line comes in.
    pub(super) fn take(&mut self, line: &[u8]) -> Vec<Vec<u8>> {
        self.take_some(line, usize::MAX)
    }

    /// The same, but of a batch no more than so many elements.
    pub(super) fn take_some(&mut self, line: &[u8], most: usize) -> Vec<Vec<u8>> {
        let limits = Limits::EMBEDDED.with_message(4096).with_batches(true);
        let mut decoder = LineDecoder::new(Vec::new(), limits);
        let mut sent = Vec::new();
        let whole = [line, b"\n"].concat();
        let mut input = &whole[..];
        for _ in 0..most {
            let Some(item) = decoder.next_in(&mut input) else {
                break;
            };
            sent.extend(self.item(&item.result()));
            sent.extend(self.array());
        }
        sent
    }

    /// The answers to a batch, if the last has been given.
    fn array(&mut self) -> Option<Vec<u8>> {
        let mut line = self.session.take_batch()?.to_vec();
        assert_eq!(line.pop(), Some(b'\n'));
        assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
        assert!(self.session.take_batch().is_none(), "it is given once");
        let array = RawJson::validate(&line).expect("an array");
        for answer in array.elements() {
            let message = parse(answer.as_bytes(), &Limits::HOST).expect("a message");
            assert!(matches!(message.kind(), Kind::Result | Kind::Error));
            self.pay(message.id());
        }
        Some(line)
    }

    /// An answer leaves: it was owed.
    fn pay(&mut self, id: Option<Id<'_>>) {
        let Some(id) = id else { return };
        let same = |kept: &[u8]| Id::parse(kept).is_some_and(|kept| kept == id);
        let owed = self.owed.iter_mut();
        let owed = owed
            .into_iter()
            .find(|(kept, left)| *left > 0 && same(kept));
        owed.expect("an answer that nobody is owed").1 -= 1;
    }

    /// Whatever came before, once all is answered a batch is taken, where there are any.
    pub(super) fn takes_a_batch(&mut self) {
        while let Some(&handle) = self.work.first() {
            let made = self.session.fail(handle, -32603, "no", None);
            self.ended_theirs(handle, made);
        }
        if self.closed || self.session.revision() != Some(Revision::V2025_03_26) {
            return;
        }
        // A batch whose rest never came ends here.
        self.take(br#"{"jsonrpc":"2.0","method":"x"}"#);
        let sent = self.take(FRESH.as_bytes());
        let answered = br#"[{"jsonrpc":"2.0","id":"fresh","result":{}}]"#;
        let texts = sent.iter().map(|it| String::from_utf8_lossy(it));
        let state = self.session.state();
        assert!(
            matches!(state, State::Failed(_)) || sent == [answered.to_vec()],
            "a batch was not taken, but {:?} said in {state:?}",
            texts.collect::<Vec<_>>()
        );
    }

    fn item(&mut self, item: &Result<Message<'_>, Rejected<'_>>) -> Vec<Vec<u8>> {
        let (id, response) = match item {
            Ok(message) => {
                let request = message.kind() == Kind::Request;
                let response = matches!(message.kind(), Kind::Result | Kind::Error);
                (message.id().filter(|_| request), response)
            }
            Err(rejected) => {
                let shape = rejected.shape();
                let response = (shape.result || shape.error) && !shape.method;
                (rejected.id().filter(|_| shape.method), response)
            }
        };
        if let Some(id) = id {
            self.owed.push((id.as_bytes().to_vec(), 1));
        }
        let step = self.session.receive(item, self.now);
        if response && !self.session.config().policy.answer_unparsable {
            for line in step.send.lines() {
                let answer = matches!(line.kind(), Kind::Result | Kind::Error);
                assert!(!answer, "what looks like a response was answered");
            }
        }
        self.settle(step)
    }

    pub(super) fn settle(&mut self, step: Step<'_>) -> Vec<Vec<u8>> {
        let sent = self.written(&step.send);
        match step.event {
            Event::Request(incoming) => {
                assert!(self.session.incoming(incoming.handle).is_some());
                assert!(!self.work.contains(&incoming.handle));
                assert!(!self.dead.contains(&incoming.handle));
                self.work.push(incoming.handle);
            }
            Event::Ended { handle, .. } => {
                let index = self.open.iter().position(|it| *it == handle);
                self.open.remove(index.expect("ended twice, or never made"));
                self.input.retain(|it| *it != handle);
                self.dead.push(handle);
            }
            Event::Cancelled { handle, .. } => {
                let index = self.work.iter().position(|it| *it == handle);
                self.work
                    .remove(index.expect("cancelled what is not being worked on"));
                self.dead.push(handle);
            }
            Event::InputRequired { handle, .. } => {
                assert!(self.open.contains(&handle) && !self.input.contains(&handle));
                self.input.push(handle);
            }
            Event::Progress { handle, .. } => {
                assert!(self.open.contains(&handle) && !self.input.contains(&handle));
            }
            Event::Subscribed { handle, .. } => assert!(self.open.contains(&handle)),
            _ => {}
        }
        sent
    }

    /// Lines, the same in every way of writing them, that can be read and are allowed.
    fn written(&mut self, send: &Send<'_>) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        let mut all = Vec::new();
        for line in send.lines() {
            let mut bytes = vec![0; line.line_len().expect("a length")];
            assert_eq!(line.write(&mut bytes), Ok(bytes.len()));
            let mut pieces = line.pieces().expect("pieces");
            let mut pieced = Vec::new();
            while !pieces.is_done() {
                let mut window = [0; 7];
                let filled = pieces.fill(&mut window).expect("a piece");
                pieced.extend_from_slice(&window[..filled]);
            }
            assert_eq!(pieced, bytes);
            all.extend_from_slice(&bytes);
            assert_eq!(bytes.pop(), Some(b'\n'));
            assert!(!bytes.contains(&b'\n') && !bytes.contains(&b'\r'));
            // (As raw text: an id that is echoed may be greater than any number of its own.)
            serde_json::from_slice::<&serde_json::value::RawValue>(&bytes).expect("JSON");
            let message = parse(&bytes, &Limits::HOST).expect("a message");
            assert_eq!(message.kind(), line.kind());
            if let Kind::Result | Kind::Error = message.kind() {
                self.pay(message.id());
            }
            lines.push(bytes);
        }
        let mut once = vec![0; all.len()];
        assert_eq!(send.len(), Ok(all.len()));
        assert_eq!(send.write(&mut once), Ok(all.len()));
        assert_eq!(once, all);
        if let Some(short) = once.len().checked_sub(1) {
            assert!(send.write(&mut once[..short]).is_err());
        }
        lines
    }

    pub(super) fn sent(&mut self, made: Result<Send<'_>, SessionError>) -> Vec<Vec<u8>> {
        made.map_or_else(|_| Vec::new(), |send| self.written(&send))
    }

    /// A request of ours was made, or not.
    pub(super) fn asked(&mut self, made: Result<(Handle, Send<'_>), SessionError>) -> Vec<Vec<u8>> {
        let Ok((handle, send)) = made else {
            return Vec::new();
        };
        assert!(!self.closed, "a request after the end");
        assert!(!self.open.contains(&handle) && !self.dead.contains(&handle));
        self.open.push(handle);
        self.written(&send)
    }

    /// A request of theirs was answered, or not.
    pub(super) fn ended_theirs(
        &mut self,
        handle: Handle,
        made: Result<Send<'_>, SessionError>,
    ) -> Vec<Vec<u8>> {
        let index = self.work.iter().position(|it| *it == handle);
        let Ok(send) = made else {
            let alive = self.session.incoming(handle).is_some();
            assert_eq!(alive, index.is_some(), "an error that changed something");
            return Vec::new();
        };
        self.work.remove(index.expect("answered what is over"));
        self.dead.push(handle);
        let mut sent = self.written(&send);
        sent.extend(self.array());
        sent
    }

    /// Asks, tells or cancels.
    pub(super) fn call(&mut self, source: &mut Source<'_>) -> Vec<Vec<u8>> {
        let params = RawJson::validate(source.pick(PARAMS)).unwrap();
        let params = Some(params).filter(|_| source.below(4) > 0);
        let method = match source.byte() {
            255 => "custom/method",
            byte => Method::ALL[usize::from(byte) % Method::ALL.len()].name(),
        };
        match source.below(8) {
            0 => {
                let made = self.session.ping(self.now);
                self.asked(made)
            }
            1 => {
                let made = self.session.notify(method, params);
                self.sent(made)
            }
            2 | 3 => {
                let handle = self.some_open(source);
                match self
                    .session
                    .cancel(handle, source.pick(&[None, Some("no\n")]))
                {
                    Ok(step) => self.settle(step),
                    Err(_) => Vec::new(),
                }
            }
            _ => {
                let mut options = Options::new();
                let bits = source.byte();
                if bits & 1 != 0 {
                    options = options.with_progress();
                }
                if bits & 2 != 0 {
                    options = options.with_log_level(LogLevel::Info);
                }
                if bits & 4 != 0 {
                    options = options.with_timeouts(u32::from(bits), u32::from(source.byte()));
                }
                if bits & 8 != 0 {
                    options = options.with_meta(RawJson::validate(source.pick(PARAMS)).unwrap());
                }
                let made = self.session.request(method, params, options, self.now);
                self.asked(made)
            }
        }
    }

    /// Answers, or says how it gets on.
    pub(super) fn answer(&mut self, source: &mut Source<'_>) -> Vec<Vec<u8>> {
        let handle = self.some_work(source);
        let payload = RawJson::validate(source.pick(PARAMS)).unwrap();
        match source.below(4) {
            0 => {
                let codes = [-32603, 0, i64::MIN, -32042, -32002, -32021];
                let made = self
                    .session
                    .fail(handle, source.pick(&codes), "no\u{1}", payload);
                self.ended_theirs(handle, made)
            }
            1 => {
                let numbers = [
                    "1",
                    "2.5",
                    "1e3",
                    "-1",
                    "x",
                    "",
                    "123456789012345678901",
                    "1E2",
                ];
                let progress = Progress::new(source.pick(&numbers)).of(source.pick(&numbers));
                let made = self.session.progress(handle, progress.saying("w\"w"));
                self.sent(made)
            }
            _ => {
                let made = self.session.respond(handle, payload);
                self.ended_theirs(handle, made)
            }
        }
    }

    /// Time passes, or seems to go back.
    pub(super) fn expire(&mut self, now: Millis) -> Vec<Vec<u8>> {
        self.now = now;
        let mut sent = Vec::new();
        let mut calls = 0;
        while let Some(step) = self.session.expire(now) {
            sent.extend(self.settle(step));
            calls += 1;
            assert!(calls < 10, "time never ends");
        }
        let due = self.session.poll_timeout();
        assert!(due.is_none_or(|due| due > now), "due, and not expired");
        sent
    }

    pub(super) fn close(&mut self) {
        let mut calls = 0;
        while let Some(step) = self.session.close() {
            assert!(self.settle(step).is_empty(), "a line after the end");
            calls += 1;
            assert!(calls < 10, "the end never ends");
        }
        self.closed = true;
        self.is_drained();
    }

    pub(super) fn is_drained(&self) {
        assert!(self.open.is_empty(), "a request outlived its connection");
        assert_eq!(self.session.in_flight().1, 0, "a slot is lost");
    }

    /// What is true at any time.
    pub(super) fn check(&self) {
        let opens = R::SIDE == Side::Client
            && matches!(self.session.state(), State::Probing | State::Opening);
        let expected = (self.work.len(), self.open.len() + usize::from(opens));
        assert_eq!(self.session.in_flight(), expected, "slots leak");
        let mut copy = self.session.clone();
        if let Some(due) = copy.poll_timeout() {
            assert!(copy.expire(due).is_some(), "nothing is due when it is");
        } else {
            assert!(copy.expire(Millis::MAX - 1).is_none(), "due, and not said");
        }
        let mut copy = self.session.clone();
        for &handle in &self.dead {
            assert!(copy.incoming(handle).is_none());
            assert_eq!(
                copy.respond(handle, None).err(),
                Some(SessionError::StaleHandle)
            );
            assert_eq!(
                copy.cancel(handle, None).err(),
                Some(SessionError::StaleHandle)
            );
        }
    }
}
