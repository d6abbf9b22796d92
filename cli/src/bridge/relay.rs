//! What passes and what does not, without any input or output: bytes come in, and what is to be
//! written lies ready.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use wireline::encode::{Outgoing, Payload};
use wireline::json::{self, RawJson};
use wireline::{FaultKind, Id, Kind, Limits, LineDecoder, Message, Rejected, parse};

use super::echo::{Echo, Heard};
use super::handshake::{Handshake, Repeat};
use super::ids::{self, Ids, Nature, Request};
use super::lines::{Line, Lines};
use super::notes::Notes;

/// No more is read from one side while so many bytes wait to be written to the other.
const HIGH: usize = 64 << 10;

/// A handshake that is longer is not repeated.
const HANDSHAKE: usize = 64 << 10;

/// Longest id that is followed, in bytes as written.
const ID: u16 = 1024;

/// Bytes of a noisy line that are shown.
const SHOWN: usize = 200;

/// What completes a handshake that the bridge repeats.
const INITIALIZED: &[u8] = b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

/// JSON-RPC leaves this range to servers; SDKs use it for a connection that is closed.
const GONE: i64 = -32000;

/// A line on its way to the device.
#[derive(Debug)]
struct Entry {
    line: Box<[u8]>,
    what: What,
    /// The bridge's own, not the client's.
    own: bool,
}

#[derive(Debug)]
enum What {
    /// A request, or those of a batch.
    Requests(Vec<Request>),
    /// A request's cancellation, with its id.
    Cancel(Box<[u8]>),
    /// `notifications/initialized`.
    Initialized,
    /// An answer to the device.
    Answer,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Up,
    /// Away, since when; what comes is kept.
    Away(Instant),
    /// Away for too long: what comes is answered.
    Refusing,
}

/// How the relay is to behave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) max_message: u32,
    pub(super) max_waiting: usize,
    pub(super) hold: Duration,
    pub(super) repeat_handshake: bool,
}

#[derive(Debug)]
pub(super) struct Relay {
    rules: Rules,
    limits: Limits,
    state: State,
    from_client: Lines,
    from_device: Lines,
    /// Lines to the device; of the first, `sent` bytes have left.
    queue: VecDeque<Entry>,
    queued: usize,
    requests: usize,
    sent: usize,
    /// The bridge's own lines, which go to the device before all others; of the first of them,
    /// `first_sent` bytes have left.
    first: VecDeque<Box<[u8]>>,
    first_sent: usize,
    to_client: Vec<u8>,
    /// Requests that the device has and has not answered.
    waiting: Ids,
    /// The device's own requests.
    asked: Ids,
    /// Requests that the device has, and that nobody waits for any more: to be cancelled as soon as
    /// the device can be told.
    dropped: Vec<Box<[u8]>>,
    echo: Echo,
    handshake: Option<Handshake>,
    repeat: Option<Repeat>,
    /// As of the last [`tick`](Self::tick).
    now: Instant,
    pub(super) notes: Notes,
}

impl Relay {
    pub(super) fn new(rules: Rules, notes: Notes, now: Instant) -> Self {
        let limits = Limits::HOST.with_message(rules.max_message).with_id(ID);
        Self {
            rules,
            limits,
            state: State::Away(now),
            from_client: Lines::new(limits),
            from_device: Lines::new(limits),
            queue: VecDeque::new(),
            queued: 0,
            requests: 0,
            sent: 0,
            first: VecDeque::new(),
            first_sent: 0,
            to_client: Vec::new(),
            waiting: Ids::new(rules.max_waiting),
            asked: Ids::new(rules.max_waiting),
            dropped: Vec::new(),
            echo: Echo::default(),
            handshake: None,
            repeat: None,
            now,
            notes,
        }
    }

    /// Whether more is to be read from the client.
    pub(super) fn wants_client(&self) -> bool {
        self.queued < HIGH && self.to_client.len() < HIGH
    }

    /// Whether more is to be read from the device.
    pub(super) fn wants_device(&self) -> bool {
        self.to_client.len() < HIGH
    }

    pub(super) fn to_client(&self) -> &[u8] {
        &self.to_client
    }

    pub(super) fn client_took(&mut self, bytes: usize) {
        self.to_client.drain(..bytes);
        self.to_client.shrink_to(HIGH);
    }

    /// What is to be written to the device next.
    pub(super) fn to_device(&self) -> &[u8] {
        // A line that has begun to leave comes to its end.
        if let (0, Some(line)) = (self.sent, self.first.front()) {
            return &line[self.first_sent..];
        }
        match self.queue.front() {
            Some(entry) if !self.is_held() => &entry.line[self.sent..],
            _ => &[],
        }
    }

    /// Whether the handshake is being repeated, and nothing else is sent meanwhile.
    fn is_held(&self) -> bool {
        self.repeat.as_ref().is_some_and(Repeat::holds)
    }

    pub(super) fn device_took(&mut self, bytes: usize) {
        if let (0, Some(line)) = (self.sent, self.first.front()) {
            self.first_sent += bytes;
            if line.len() <= self.first_sent
                && let Some(line) = self.first.pop_front()
            {
                self.first_sent = 0;
                self.echo.sent(&line, true);
                if self.first.is_empty() {
                    self.first_left();
                }
            }
            return;
        }
        self.sent += bytes;
        let whole = self
            .queue
            .front()
            .is_some_and(|it| it.line.len() <= self.sent);
        if whole && let Some(entry) = self.pop() {
            self.echo.sent(&entry.line, entry.own);
            match entry.what {
                What::Requests(requests) => {
                    for request in requests {
                        self.waiting.insert(request, self.now);
                    }
                }
                What::Cancel(id) => {
                    if let Some(id) = Id::parse(&id) {
                        self.waiting.remove(id);
                    }
                }
                What::Initialized => self.initialized(),
                What::Answer | What::Other => {}
            }
        }
    }

    fn first_left(&mut self) {
        if !self.is_held() {
            self.dropped.clear();
        }
        if let Some(repeat) = &mut self.repeat {
            repeat.left(self.now);
        }
    }

    fn initialized(&mut self) {
        if let Some(handshake) = &mut self.handshake {
            handshake.done = true;
        }
    }

    /// Nothing is under way any more.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.waiting.len() == 0 && self.to_client.is_empty()
    }

    /// When [`tick`](Self::tick) is due.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Up => self.repeat.as_ref().and_then(Repeat::deadline),
            State::Away(since) => Some(since + self.rules.hold),
            State::Refusing => None,
        }
    }

    pub(super) fn tick(&mut self, now: Instant) {
        self.now = now;
        match self.state {
            State::Up => {
                if self.repeat.as_mut().is_some_and(|it| it.runs_out(now)) {
                    self.notes
                        .say("the device did not answer the repeated handshake");
                    self.cancel_dropped();
                }
            }
            State::Away(since) => {
                if now >= since + self.rules.hold {
                    self.state = State::Refusing;
                    self.refuse("The device is not connected");
                }
            }
            State::Refusing => {}
        }
    }

    /// The line to the device is open. It may begin inside a line, also over a socket, behind which
    /// there may be a serial line.
    pub(super) fn up(&mut self, now: Instant) {
        self.now = now;
        self.state = State::Up;
        // Whatever half a line the device holds ends here.
        self.first.push_back(b"\n"[..].into());
        if self.rules.repeat_handshake
            && let Some(handshake) = &self.handshake
            && handshake.answered
        {
            self.first.push_back(handshake.line.as_slice().into());
            self.repeat = Some(Repeat::new(handshake));
            self.notes.say("the session's handshake is repeated");
        } else {
            self.cancel_dropped();
        }
    }

    /// The line to the device is gone.
    pub(super) fn down(&mut self, now: Instant) {
        self.state = State::Away(now);
        self.first.clear();
        self.first_sent = 0;
        self.repeat = None;
        self.echo.clear();
        if let Some(part) = self.from_device.cut() {
            let shown = &part[..part.len().min(SHOWN)];
            self.notes.noise("cut off", shown, part.len() as u64);
        }
        let why = "The connection to the device was lost before it answered";
        self.fail_waiting(why);
        if self.sent > 0
            && let Some(entry) = self.pop()
        {
            match entry.what {
                // The device has had its beginning alone.
                What::Requests(requests) => self.fail_each(&requests, why),
                What::Initialized => self.initialized(),
                What::Cancel(_) | What::Answer | What::Other => {}
            }
        }
        for request in self.asked.take() {
            self.cancel(&request.id, "The connection to the device was lost");
        }
        // Answers to a device that has restarted would be to other requests.
        self.queue
            .retain(|entry| !matches!(entry.what, What::Answer));
        self.queued = self.queue.iter().map(|entry| entry.line.len()).sum();
    }

    /// All that waits is answered with an error.
    pub(super) fn refuse(&mut self, why: &str) {
        self.fail_waiting(why);
        while let Some(entry) = self.pop() {
            match entry.what {
                What::Requests(requests) => self.fail_each(&requests, why),
                What::Initialized => self.initialized(),
                What::Cancel(_) | What::Answer | What::Other => {}
            }
        }
    }

    /// The bridge ends: as [`refuse`](Self::refuse), and the device is told. It would go on
    /// otherwise, and its answers would meet the requests of the next host, whose ids may be the same.
    pub(super) fn close(&mut self, why: &str) {
        let torn = self.sent > 0;
        self.refuse(why);
        if self.state == State::Up {
            if torn {
                self.first.push_back(b"\n"[..].into());
            }
            self.repeat = None;
            self.cancel_dropped();
        }
    }

    /// Requests that the device has are answered here.
    fn fail_waiting(&mut self, why: &str) {
        for request in self.waiting.take() {
            self.fail(&request.id, GONE, why);
            self.drop_request(request);
        }
    }

    fn fail_each(&mut self, requests: &[Request], why: &str) {
        for request in requests {
            self.fail(&request.id, GONE, why);
        }
    }

    /// The device is to be told that nobody waits for this any more.
    fn drop_request(&mut self, request: Request) {
        if request.nature != Nature::Kept && self.dropped.len() < self.rules.max_waiting {
            self.dropped.push(request.id);
        }
    }

    fn cancel_dropped(&mut self) {
        for id in &self.dropped {
            if let Some(line) = cancellation(id, "Nobody waits for the answer any more") {
                self.first.push_back(line.into());
            }
        }
    }

    pub(super) fn client(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::replace(&mut self.from_client, Lines::new(self.limits));
        lines.push(bytes, |line| match line {
            Line::Whole(text) => self.client_line(text),
            Line::TooLong(rejected) => self.client_too_long(&rejected),
        });
        self.from_client = lines;
    }

    /// The client will send no more.
    pub(super) fn client_ended(&mut self) {
        if self.from_client.cut().is_some() {
            self.notes
                .say("the last line of standard input has no end, and is not passed on");
        }
    }

    fn client_line(&mut self, text: &[u8]) {
        if text.trim_ascii().is_empty() {
            return;
        }
        let what = match parse(text, &self.limits) {
            Ok(message) => self.client_message(&message, text),
            Err(rejected) if rejected.kind() == FaultKind::Batch => self.client_batch(text),
            // What is wrong is the device's to say; it may answer if there is an id.
            Err(rejected) => match request_id(&rejected) {
                Some(id) => self.request(vec![Request::new(id, None)]),
                None => Some(What::Other),
            },
        };
        if let Some(what) = what
            && self.state != State::Refusing
        {
            self.queue([text, b"\n"].concat().into(), what, false);
        }
    }

    /// What a client's message is, if it is passed on.
    fn client_message(&mut self, message: &Message<'_>, text: &[u8]) -> Option<What> {
        match (message.kind(), message.id()) {
            (Kind::Request, Some(id)) => {
                let what = self.request(vec![Request::new(id, Some(message))]);
                if message.method().is_some_and(|it| it == "initialize") {
                    // The client begins anew, with or without the device.
                    let kept = what.is_some() && text.len() <= HANDSHAKE;
                    self.handshake = kept.then(|| Handshake {
                        line: [text, b"\n"].concat(),
                        id: id.as_bytes().into(),
                        answered: false,
                        done: false,
                    });
                }
                what
            }
            (Kind::Notification, _) => {
                if message
                    .method()
                    .is_some_and(|it| it == "notifications/initialized")
                {
                    if self.state == State::Refusing {
                        self.initialized();
                    }
                    return Some(What::Initialized);
                }
                Some(match cancelled(message) {
                    Some(id) => What::Cancel(id.as_bytes().into()),
                    None => What::Other,
                })
            }
            (Kind::Result | Kind::Error, Some(id)) => {
                if self.asked.remove(id) {
                    return Some(What::Answer);
                }
                self.notes
                    .say(&format!("an answer to no request of the device's: id {id}"));
                None
            }
            _ => Some(What::Other),
        }
    }

    /// A batch of 2025-03-26: its requests are followed as others are.
    fn client_batch(&mut self, text: &[u8]) -> Option<What> {
        let mut requests = Vec::new();
        let mut answers = false;
        elements(text, self.limits, |element| match element {
            Ok(message) => match (message.kind(), message.id()) {
                (Kind::Request, Some(id)) => requests.push(Request::new(id, Some(message))),
                (Kind::Result | Kind::Error, Some(id)) => answers |= self.asked.remove(id),
                _ => {}
            },
            Err(rejected) => {
                requests.extend(request_id(rejected).map(|id| Request::new(id, None)));
            }
        });
        if !requests.is_empty() {
            return self.request(requests);
        }
        Some(if answers { What::Answer } else { What::Other })
    }

    /// Requests are passed on, or answered here.
    fn request(&mut self, requests: Vec<Request>) -> Option<What> {
        if self.state == State::Refusing {
            self.fail_each(&requests, "The device is not connected");
            return None;
        }
        let more = self.requests + requests.len();
        while !self.waiting.has_room(more) {
            let Some(old) = self.waiting.give_up(self.now) else {
                self.fail_each(&requests, "Too many requests wait for the device");
                return None;
            };
            self.fail(&old.id, GONE, "The device has not answered for too long");
            if old.nature != Nature::Kept
                && let Some(line) = cancellation(&old.id, "It was waited for too long")
            {
                self.queue(line.into(), What::Other, true);
            }
        }
        Some(What::Requests(requests))
    }

    fn client_too_long(&mut self, rejected: &Rejected<'_>) {
        let why = "The message is longer than the bridge passes on";
        let shape = rejected.shape();
        if let Some(id) = rejected.id() {
            if !shape.result && !shape.error {
                self.fail(id.as_bytes(), -32600, why);
            } else if self.asked.remove(id) {
                self.answer_device(id, why);
            }
        }
        self.dropped("standard input", rejected);
    }

    pub(super) fn device(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::replace(&mut self.from_device, Lines::new(self.limits));
        lines.push(bytes, |line| match line {
            Line::Whole(text) => self.device_line(text),
            Line::TooLong(rejected) => {
                self.device_unusable(&rejected);
                self.dropped("the device", &rejected);
            }
        });
        self.from_device = lines;
    }

    fn device_line(&mut self, text: &[u8]) {
        if text.trim_ascii().is_empty() {
            return;
        }
        let passes = match parse(text, &self.limits) {
            Ok(message) => !self.is_echo(&message) && self.device_message(&message),
            Err(rejected) if rejected.kind() == FaultKind::Batch => {
                self.device_batch(text);
                false
            }
            Err(rejected) => {
                self.device_fault(&rejected, text);
                false
            }
        };
        if passes {
            self.pass(text);
        }
    }

    fn pass(&mut self, text: &[u8]) {
        self.to_client.extend_from_slice(text);
        self.to_client.push(b'\n');
    }

    /// A device's line, or a batch's element, that is no message.
    fn device_fault(&mut self, rejected: &Rejected<'_>, text: &[u8]) {
        self.device_unusable(rejected);
        let why = match rejected.kind() {
            FaultKind::NotJson => "noise".to_owned(),
            kind => format!(
                "not passed on, {} at byte {}",
                kind.name(),
                rejected.offset()
            ),
        };
        let shown = &text[..text.len().min(SHOWN)];
        self.notes.noise(&why, shown, text.len() as u64);
    }

    /// A batch of 2025-03-26: what would pass alone passes, as it was written if that is all.
    fn device_batch(&mut self, text: &[u8]) {
        let mut passing: Vec<Box<[u8]>> = Vec::new();
        let mut all = true;
        elements(text, self.limits, |element| match element {
            Ok(message) if self.device_message(message) => {
                passing.push(message.as_bytes().into());
            }
            Ok(_) => all = false,
            Err(rejected) => {
                all = false;
                self.device_fault(rejected, rejected.excerpt());
            }
        });
        if all {
            self.pass(text);
        } else if !passing.is_empty() {
            let line = [&b"["[..], &passing.join(&b","[..]), b"]"].concat();
            self.pass(&line);
        }
    }

    /// Whether the device has sent back what it was sent.
    fn is_echo(&mut self, message: &Message<'_>) -> bool {
        match self.echo.is(message) {
            Heard::No => return false,
            Heard::First => self.notes.say(
                "the device sends back what it is sent, which is not passed on: turn its echo off",
            ),
            Heard::Again => {}
        }
        true
    }

    /// Whether a device's message is passed on.
    fn device_message(&mut self, message: &Message<'_>) -> bool {
        match (message.kind(), message.id()) {
            (Kind::Request, Some(id)) => {
                if !self.asked.has_room(1) {
                    let Some(old) = self.asked.give_up(self.now) else {
                        self.answer_device(id, "Too many requests wait for the client");
                        return false;
                    };
                    if let Some(old) = Id::parse(&old.id) {
                        self.answer_device(old, "The client has not answered for too long");
                    }
                    self.cancel(&old.id, "It was waited for too long");
                }
                self.asked.insert(Request::new(id, Some(message)), self.now);
                true
            }
            (Kind::Notification, _) => {
                // The device takes its own request back, which the client then does not answer, or
                // ends a subscription of the client's.
                if let Some(id) = cancelled(message).and_then(|id| Id::parse(id.as_bytes()))
                    && !self.asked.remove(id)
                {
                    self.waiting.ended_by_server(id);
                }
                true
            }
            (Kind::Result | Kind::Error, Some(id)) => {
                if let Some(repeat) = self.repeat.take_if(|it| it.is_answered_by(id)) {
                    self.handshake_answered(&repeat, message);
                    return false;
                }
                if self.waiting.remove(id) {
                    if message.kind() == Kind::Result
                        && let Some(handshake) = &mut self.handshake
                        && ids::is(&handshake.id, id)
                    {
                        handshake.answered = true;
                    }
                    return true;
                }
                self.notes.say(&format!(
                    "an answer to no request that waits, not passed on: id {id}"
                ));
                false
            }
            (Kind::Error, None) => {
                // Which of the client's requests it was, if any, nobody can say.
                let error = message.error().map(|error| error.raw());
                let shown = error.map_or(&b""[..], |error| error.as_bytes());
                let length = shown.len();
                let shown = &shown[..length.min(SHOWN)];
                self.notes
                    .noise("the device could not read a line", shown, length as u64);
                false
            }
            _ => true,
        }
    }

    fn handshake_answered(&mut self, repeat: &Repeat, answer: &Message<'_>) {
        if repeat.completes(answer) {
            self.first.push_back(INITIALIZED[..].into());
        } else if answer.kind() == Kind::Error {
            self.notes.say("the device refused the repeated handshake");
        }
        if repeat.holds() {
            self.cancel_dropped();
        }
    }

    /// A device's line that is no message: whoever waits for it is told, as far as it says who.
    fn device_unusable(&mut self, rejected: &Rejected<'_>) {
        let shape = rejected.shape();
        let Some(id) = rejected.id() else { return };
        if !shape.result && !shape.error {
            if shape.method {
                self.answer_device(id, "The request is not one that the bridge passes on");
            }
        } else if self.waiting.remove(id) {
            let why = match rejected.kind() {
                FaultKind::TooLong => "The device's answer is longer than the bridge passes on",
                _ => "The device's answer is not a valid one",
            };
            self.fail(id.as_bytes(), -32603, why);
        }
    }

    fn dropped(&mut self, from: &str, rejected: &Rejected<'_>) {
        self.notes.noise(
            &format!("too long, not passed on, from {from}"),
            rejected.excerpt(),
            rejected.length(),
        );
    }

    fn queue(&mut self, line: Box<[u8]>, what: What, own: bool) {
        self.queued += line.len();
        self.requests += what.requests();
        self.queue.push_back(Entry { line, what, own });
    }

    /// The first of the queue leaves it, sent or not.
    fn pop(&mut self) -> Option<Entry> {
        self.sent = 0;
        let entry = self.queue.pop_front()?;
        self.queued -= entry.line.len();
        self.requests -= entry.what.requests();
        Some(entry)
    }

    fn answer_device(&mut self, id: Id<'_>, why: &str) {
        if let Some(line) = line(&Outgoing::error(id, -32600, why)) {
            self.queue(line.into(), What::Answer, true);
        }
    }

    /// Answers a request of the client's.
    fn fail(&mut self, id: &[u8], code: i64, why: &str) {
        if let Some(id) = Id::parse(id)
            && let Some(line) = line(&Outgoing::error(id, code, why))
        {
            self.to_client.extend_from_slice(&line);
        }
    }

    /// Takes a request of the device's back.
    fn cancel(&mut self, id: &[u8], why: &str) {
        if let Some(line) = cancellation(id, why) {
            self.to_client.extend_from_slice(&line);
        }
    }
}

impl What {
    /// How many requests there are in it.
    fn requests(&self) -> usize {
        match self {
            What::Requests(requests) => requests.len(),
            _ => 0,
        }
    }
}

/// What a batch holds, one after the other.
fn elements(
    text: &[u8],
    limits: Limits,
    mut each: impl FnMut(Result<&Message<'_>, &Rejected<'_>>),
) {
    let line = [text, b"\n"].concat();
    let mut rest = &line[..];
    let mut decoder = LineDecoder::new(vec![0; line.len() + 1], limits.with_batches(true));
    while let Some(item) = decoder.next_in(&mut rest) {
        match item.result() {
            Ok(message) => each(Ok(&message)),
            Err(rejected) => each(Err(&rejected)),
        }
    }
}

/// The request that a `notifications/cancelled` speaks of.
fn cancelled<'a>(message: &Message<'a>) -> Option<RawJson<'a>> {
    message
        .method()
        .filter(|it| *it == "notifications/cancelled")
        .and_then(|_| message.params()?.get("requestId"))
}

fn cancellation(id: &[u8], why: &str) -> Option<Vec<u8>> {
    let id = RawJson::validate(id).ok()?;
    let params = json::from_fn(|w| {
        w.begin_object()
            .key("requestId")
            .raw(id)
            .member("reason", &why)
            .end_object();
    });
    let params = Payload::from(&params);
    line(&Outgoing::notification("notifications/cancelled").params(params))
}

/// The id of a faulty line that asks for an answer.
fn request_id<'a>(rejected: &Rejected<'a>) -> Option<Id<'a>> {
    let shape = rejected.shape();
    rejected.id().filter(|_| !shape.result && !shape.error)
}

fn line(message: &Outgoing<'_>) -> Option<Vec<u8>> {
    let mut line = vec![0; message.line_len().ok()?];
    let written = message.write(&mut line).ok()?;
    line.truncate(written);
    Some(line)
}

#[cfg(test)]
#[path = "relay_tests.rs"]
mod tests;
