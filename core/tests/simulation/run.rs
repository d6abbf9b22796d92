//! One run: hosts that do what a seed says.

use std::collections::VecDeque;

use wireline::encode::Payload;
use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Capability, Era, LogLevel, Method, Revision, Revisions, Side};
use wireline::session::{
    Change, Client, Config, Event, Filter, Implementation, InputRequest, Memory, Options, Progress,
    Role, Server, State,
};
use wireline::{Kind, Limits, LineDecoder, parse};

use super::host::{Due, Host, Line, Log, Sight, Sightings, Waits, What, about};
use super::noise::{self, Random};

const CEILING: usize = 4096;

#[cfg(feature = "batch")]
type Big = wireline::session::Gathering<Memory<4, 4, 256>, 4000>;
#[cfg(not(feature = "batch"))]
type Big = Memory<4, 4, 256>;

fn big() -> Big {
    #[cfg(feature = "batch")]
    return Big::new(Memory::new());
    #[cfg(not(feature = "batch"))]
    Big::new()
}

const fn config(side: Side, revisions: Revisions) -> Config<'static> {
    let capabilities = match side {
        Side::Client => Capabilities::NONE
            .with(Capability::Roots)
            .with(Capability::Elicitation),
        Side::Server => Capabilities::NONE
            .with(Capability::ToolsListChanged)
            .with(Capability::ResourcesSubscribe)
            .with(Capability::Logging),
    };
    Config::new(Implementation::new("simulated", "1"))
        .with_revisions(revisions)
        .with_capabilities(capabilities)
        .with_timeouts(1_000, 5_000)
        .with_probe_timeout(3_000)
        .with_rounds(3)
}

/// Legacy, modern, dual, and the one with batches; of clients and of servers.
pub static CONFIGS: [[Config<'static>; 4]; 2] = [
    [
        config(Side::Client, Revisions::LEGACY),
        config(Side::Client, Revisions::MODERN),
        config(Side::Client, Revisions::ALL),
        config(Side::Client, Revisions::only(Revision::V2025_03_26)),
    ],
    [
        config(Side::Server, Revisions::LEGACY),
        config(Side::Server, Revisions::MODERN),
        config(Side::Server, Revisions::ALL),
        config(Side::Server, Revisions::only(Revision::V2025_03_26)),
    ],
];

const INPUT: [InputRequest<'static>; 1] = [InputRequest {
    key: "r",
    method: Method::RootsList,
    params: Payload::None,
}];

/// What came of a run.
pub struct Finished {
    pub trace: Vec<String>,
    pub ready: bool,
    pub noise: usize,
    pub seen: Sightings,
}

/// What came of many.
#[derive(Debug, Default)]
pub struct Outcome {
    events: usize,
    seen: Sightings,
}

impl Outcome {
    pub fn add(&mut self, run: &Finished) {
        self.events += run.trace.len();
        self.seen.join(&run.seen);
    }

    pub fn must_be_varied(&self) {
        use Sight::{
            Cancelled, Error, InputRequired, Late, PeerCancelled, ReadyLegacy, ReadyModern, Result,
            Subscribed, TableFull, TimedOut, UnknownTarget,
        };
        #[cfg(feature = "batch")]
        assert!(self.seen.has(Sight::Batch), "no batch was answered");
        for sight in [
            Result,
            Error,
            TimedOut,
            Cancelled,
            InputRequired,
            Subscribed,
            PeerCancelled,
            Late,
            UnknownTarget,
            ReadyLegacy,
            ReadyModern,
            TableFull,
            Sight::Progress,
        ] {
            assert!(self.seen.has(sight), "{sight:?} never happened");
        }
    }
}

/// One direction: lines on their way, and the decoder at its end.
struct Pipe {
    lines: VecDeque<Line>,
    /// Bytes of the first line that have arrived already.
    fed: usize,
    /// Answers to noise: of no meaning to the other side.
    stray: VecDeque<Line>,
    /// The requests of the last batch.
    batch: Vec<i64>,
    decoder: Box<LineDecoder<[u8; CEILING + 2]>>,
}

impl Pipe {
    fn new() -> Self {
        let limits = Limits::HOST.with_message(CEILING as u32);
        #[cfg(feature = "batch")]
        let limits = limits.with_batches(true);
        Pipe {
            batch: Vec::new(),
            lines: VecDeque::new(),
            fed: 0,
            stray: VecDeque::new(),
            decoder: Box::new(LineDecoder::new([0; CEILING + 2], limits)),
        }
    }
}

pub struct Run {
    client: Host<Client, Big>,
    server: Host<Server, Big>,
    to_client: Pipe,
    to_server: Pipe,
    /// Decides what the hosts do.
    plan: Random,
    /// Decides cuts and noise, and nothing else.
    noise: Option<Random>,
    noise_lines: usize,
    seen: Sightings,
    breach: Option<&'static str>,
    trace: Vec<String>,
    ready: bool,
}

/// Feeds bytes in pieces, and gives what comes out to `take`.
fn feed<R>(
    pipe: &mut Pipe,
    bytes: &[u8],
    cuts: &mut Option<Random>,
    host: &mut R,
    take: &mut dyn FnMut(&mut R, &Result<wireline::Message<'_>, wireline::Rejected<'_>>),
) {
    let mut left = bytes;
    while !left.is_empty() {
        let longest = match cuts {
            Some(random) => [1, 2, 7, 100, 70_000][random.below(5)],
            None => left.len(),
        };
        let (piece, rest) = left.split_at(longest.min(left.len()));
        left = rest;
        let mut piece = piece;
        while let Some(item) = pipe.decoder.next_in(&mut piece) {
            take(host, &item.result());
        }
    }
}

/// A line of noise comes in: nothing may follow but a refusal.
fn disturb<R: Role + Clone + std::fmt::Debug>(
    pipe: &mut Pipe,
    host: &mut Host<R, Big>,
    line: &[u8],
    cuts: &mut Option<Random>,
) -> Vec<Line> {
    let mut answers = Vec::new();
    let before = (host.session.in_flight(), host.session.state());
    let now = host.now;
    feed(pipe, line, cuts, host, &mut |host, item| {
        let step = host.session.receive(item, now);
        let passed = matches!(step.event, Event::Ignored(_) | Event::ConnectionError(_));
        let text = String::from_utf8_lossy(&line[..line.len().min(200)]);
        assert!(passed, "{text} led to {:?}", step.event);
        for line in step.send.lines() {
            assert_eq!(line.kind(), Kind::Error, "an answer to {text}");
            let mut bytes = vec![0; line.line_len().unwrap()];
            line.write(&mut bytes).unwrap();
            answers.push(bytes.into());
        }
    });
    assert_eq!(before, (host.session.in_flight(), host.session.state()));
    answers
}

/// The next line arrives as a whole, noise before it.
fn deliver<R: Role + Clone + std::fmt::Debug>(
    pipe: &mut Pipe,
    host: &mut Host<R, Big>,
    noise: &mut Option<Random>,
    log: &mut Log<'_>,
) -> Vec<Line> {
    let line = pipe.lines.pop_front().unwrap();
    let rest = pipe.fed;
    pipe.fed = 0;
    let mut sent = Vec::new();
    let (mut items, mut elements) = (0, 1);
    feed(pipe, &line[rest..], noise, host, &mut |host, item| {
        items += 1;
        if item
            .as_ref()
            .is_ok_and(|it| it.batch().is_some_and(|it| !it.last))
        {
            elements += 1;
        }
        sent.extend(host.take_item(item, log));
    });
    assert_eq!(items, elements, "{}", String::from_utf8_lossy(&line));
    sent
}

/// Two lines that are to arrive one after the other become one, as a peer may write them that
/// has batches. Not the next one: a part of it may have arrived.
fn join<R>(pipe: &mut Pipe, host: &Host<R, Big>) {
    let waits = |id: &i64| host.work.iter().any(|it| it.id == *id);
    let under_way = pipe.lines.iter().any(|line| line.first() == Some(&b'['));
    // A side takes one batch at a time.
    if pipe.lines.len() < 3 || under_way || pipe.batch.iter().any(waits) {
        return;
    }
    let texts = [1, 2].map(|at| pipe.lines[at].strip_suffix(b"\n").unwrap().to_vec());
    let messages = texts
        .each_ref()
        .map(|text| parse(text, &Limits::HOST).unwrap());
    let asks = |it: &wireline::Message<'_>| matches!(it.kind(), Kind::Request | Kind::Notification);
    let opens = |it: &wireline::Message<'_>| {
        it.method()
            .is_some_and(|it| it == "initialize" || it == "notifications/initialized")
    };
    let mixed = asks(&messages[0]) != asks(&messages[1]);
    if mixed || messages.iter().any(opens) {
        return;
    }
    pipe.batch = messages
        .iter()
        .filter(|it| it.kind() == Kind::Request)
        .filter_map(|it| it.id()?.as_i64())
        .collect();
    let joined = [b"[", &texts[0][..], b" , ", &texts[1], b"]\n"].concat();
    pipe.lines[1] = joined.into();
    pipe.lines.remove(2);
}

impl Run {
    pub fn new(
        client: &'static Config<'static>,
        server: &'static Config<'static>,
        seed: u64,
        noise: Option<u64>,
    ) -> Self {
        Run {
            client: Host::new(client, big()),
            server: Host::new(server, big()),
            to_client: Pipe::new(),
            to_server: Pipe::new(),
            plan: Random::new(seed),
            noise: noise.map(|seed| Random::new(!seed)),
            noise_lines: 0,
            seen: Sightings::default(),
            breach: None,
            trace: Vec::new(),
            ready: false,
        }
    }

    /// Runs it to its end.
    pub fn finish(mut self) -> Finished {
        let send = self.client.session.connect(0).unwrap();
        self.with(|run, log| {
            let sent = run.client.put(&send, log);
            run.to_server.lines.extend(sent);
        });
        let steps = 100 + self.plan.below(500);
        for _ in 0..steps {
            self.disturb();
            self.step();
            self.check();
        }
        self.drain();
        Finished {
            trace: self.trace,
            ready: self.ready,
            noise: self.noise_lines,
            seen: self.seen,
        }
    }

    fn with(&mut self, act: impl FnOnce(&mut Run, &mut Log<'_>)) {
        let seen = std::mem::take(&mut self.seen);
        let mut trace = std::mem::take(&mut self.trace);
        let mut breach = self.breach;
        let mut log = Log {
            seen: &seen,
            breach: &mut breach,
            clean: false,
            trace: Some(&mut trace),
        };
        act(self, &mut log);
        self.breach = breach;
        self.seen = seen;
        self.trace = trace;
    }

    fn check(&mut self) {
        assert_eq!(self.breach, None);
        assert!(self.client.tables_agree() && self.server.tables_agree());
        self.ready |= matches!(self.client.session.state(), State::Ready(_));
        let due = |open: &[super::host::Asked], clock| {
            open.iter()
                .all(|it| it.due.is_none_or(|due| due.at() > clock))
        };
        assert!(due(&self.client.open, self.client.clock), "late time-out");
        assert!(due(&self.server.open, self.server.clock), "late time-out");
    }

    /// Noise, and parts of lines, arrive on either side.
    fn disturb(&mut self) {
        let Some(mut random) = self.noise.take() else {
            return;
        };
        for _ in 0..random.below(3) {
            let to = [Side::Client, Side::Server][random.below(2)];
            let working: Vec<(i64, bool)> = match to {
                Side::Client => self.client.work.iter().map(|it| (it.id, false)).collect(),
                Side::Server => {
                    let calls = self.server.work.iter();
                    calls.map(|it| (it.id, it.modern)).collect()
                }
            };
            let pipe = match to {
                Side::Client => &mut self.to_client,
                Side::Server => &mut self.to_server,
            };
            if pipe.fed == 0 {
                let line = match pipe.stray.pop_front() {
                    Some(line) => line.to_vec(),
                    None => noise::line(&mut random, to, &working),
                };
                self.noise_lines += 1;
                let mut cuts = Some(random.clone());
                let answers = match to {
                    Side::Client => disturb(pipe, &mut self.client, &line, &mut cuts),
                    Side::Server => disturb(pipe, &mut self.server, &line, &mut cuts),
                };
                match to {
                    Side::Client => self.to_server.stray.extend(answers),
                    Side::Server => self.to_client.stray.extend(answers),
                }
            }
            // Some bytes of the next line, which cannot complete it.
            let pipe = match to {
                Side::Client => &mut self.to_client,
                Side::Server => &mut self.to_server,
            };
            if let Some(line) = pipe.lines.front().cloned() {
                let part = random.below(line.len() - pipe.fed);
                let bytes = &line[pipe.fed..][..part];
                let mut cuts = Some(random.clone());
                feed(pipe, bytes, &mut cuts, &mut (), &mut |(), _| {
                    panic!("half a line is none")
                });
                pipe.fed += part;
            }
        }
        self.noise = Some(random);
    }

    fn step(&mut self) {
        let batches = self
            .server
            .session
            .revision()
            .is_some_and(Revision::has_batches);
        if cfg!(feature = "batch") && batches && self.plan.one_in(4) {
            join(&mut self.to_server, &self.server);
            join(&mut self.to_client, &self.client);
        }
        let choice = self.plan.below(16);
        self.with(|run, log| match choice {
            0..=3 => run.deliver(Side::Server, log),
            4..=7 => run.deliver(Side::Client, log),
            8..=10 => run.client_acts(log),
            11..=13 => run.server_acts(log),
            14 => run.client_answers(log),
            _ => run.time(log),
        });
    }

    fn deliver(&mut self, to: Side, log: &mut Log<'_>) {
        match to {
            Side::Client if !self.to_client.lines.is_empty() => {
                let sent = deliver(&mut self.to_client, &mut self.client, &mut self.noise, log);
                self.to_server.lines.extend(sent);
            }
            Side::Server if !self.to_server.lines.is_empty() => {
                let sent = deliver(&mut self.to_server, &mut self.server, &mut self.noise, log);
                self.to_client.lines.extend(sent);
            }
            _ => {}
        }
    }

    fn due(clock: u64, soft: u32, hard: u32) -> Option<Due> {
        let at = |millis: u32| match millis {
            0 => u64::MAX,
            millis => clock + u64::from(millis),
        };
        Some(Due {
            soft: at(soft),
            hard: at(hard),
            extend: u64::from(soft),
        })
    }

    fn client_acts(&mut self, log: &mut Log<'_>) {
        let client = &mut self.client;
        let State::Ready(revision) = client.session.state() else {
            return;
        };
        let before = client.open.len();
        let (mut soft, mut hard) = (1_000, 5_000);
        let sent = match self.plan.below(8) {
            0..=2 => {
                let mut options = Options::new().with_progress();
                if self.plan.one_in(2) {
                    soft = 1 + self.plan.below(3_000) as u32;
                    hard = 1 + self.plan.below(3_000) as u32;
                    options = options.with_timeouts(soft, hard);
                }
                if self.plan.one_in(2) {
                    options = options.with_log_level(LogLevel::Info);
                }
                let params = RawJson::validate(br#"{"name":"t","arguments":{"a":"\n"}}"#).unwrap();
                let made = client
                    .session
                    .request("tools/call", params, options, client.now);
                client.asked(made, What::Call, log)
            }
            3 if revision.era() == Era::Legacy => client.ping(log),
            3 | 4 if revision.era() == Era::Modern => {
                let filter = Filter {
                    tools: true,
                    ..Filter::default()
                };
                let made = client.session.listen(filter, client.now);
                client.asked(made, What::Listen, log)
            }
            5 if !client.open.is_empty() => {
                let index = self.plan.below(client.open.len());
                client.cancel(index, log)
            }
            _ => {
                let waiting = client.open.iter().position(|it| it.waits == Waits::Input);
                let Some(index) = waiting else { return };
                let raw = |text: &'static [u8]| RawJson::validate(text).unwrap();
                let send = client
                    .session
                    .retry(
                        client.open[index].handle,
                        raw(br#"{"name":"t"}"#),
                        raw(br#"{"r":{"roots":[]}}"#),
                        raw(b"\"s\"").as_json_str(),
                        Options::new().with_progress(),
                        client.now,
                    )
                    .unwrap();
                let sent = client.put(&send, log);
                let due = Self::due(client.clock, soft, hard);
                let asked = &mut client.open[index];
                asked.id = about(&sent[0]).unwrap();
                asked.waits = Waits::Answer;
                asked.due = due;
                sent
            }
        };
        if client.open.len() > before {
            let asked = client.open.last_mut().unwrap();
            asked.due = Self::due(client.clock, soft, hard);
        }
        self.to_server.lines.extend(sent);
    }

    fn server_acts(&mut self, log: &mut Log<'_>) {
        let server = &mut self.server;
        let legacy = server.session.revision().is_some();
        let opened = legacy && matches!(server.session.state(), State::Ready(_));
        let before = server.open.len();
        let sent = match self.plan.below(10) {
            0 if legacy => server.ping(log),
            1 if opened => server.request("roots/list", What::Roots, log),
            2 if !server.open.is_empty() => {
                let index = self.plan.below(server.open.len());
                server.cancel(index, log)
            }
            3 => {
                let mut sent = Vec::new();
                let mut cursor = 0;
                while let Some(send) = server.session.changed(Change::Tools, &mut cursor) {
                    sent.extend(server.put(&send, log));
                }
                sent
            }
            _ if server.work.is_empty() => return,
            choice => {
                let index = self.plan.below(server.work.len());
                work_on(server, index, choice, log)
            }
        };
        if server.open.len() > before {
            let due = Self::due(server.clock, 1_000, 5_000);
            server.open.last_mut().unwrap().due = due;
        }
        self.to_client.lines.extend(sent);
    }

    fn client_answers(&mut self, log: &mut Log<'_>) {
        let client = &mut self.client;
        if client.work.is_empty() {
            return;
        }
        let index = self.plan.below(client.work.len());
        let handle = client.work[index].handle;
        let made = match self.plan.below(3) {
            0 => client.session.fail(handle, -32603, "no", None),
            _ => client
                .session
                .respond(handle, client.work[index].what.result()),
        };
        let sent = client.answered(index, made, log);
        self.to_server.lines.extend(sent);
    }

    /// Mostly forwards, and seldom before the session is open.
    fn time(&mut self, log: &mut Log<'_>) {
        let jump = match self.plan.below(20) {
            0..=3 => 0,
            4..=6 => -(self.plan.below(2_000) as i64),
            7 => 2_000,
            _ => self.plan.below(200) as i64,
        };
        let open = matches!(self.client.session.state(), State::Ready(_));
        if !open && !self.plan.one_in(20) {
            return;
        }
        let now = self.client.now.saturating_add_signed(jump);
        self.client.set_time(now);
        self.server.set_time(now);
        while let Some(step) = self.client.session.expire(now) {
            let sent = self.client.settle(step, log);
            self.to_server.lines.extend(sent);
        }
        while let Some(step) = self.server.session.expire(now) {
            let sent = self.server.settle(step, log);
            self.to_client.lines.extend(sent);
        }
    }

    /// Nothing new; what is under way comes to its end.
    fn drain(&mut self) {
        for round in 0.. {
            assert!(round < 1_000, "it never ends");
            self.disturb();
            let mut busy = false;
            self.with(|run, log| {
                while !run.to_server.lines.is_empty() || !run.to_client.lines.is_empty() {
                    run.deliver(Side::Server, log);
                    run.deliver(Side::Client, log);
                    busy = true;
                }
                while !run.server.work.is_empty() {
                    let sent = work_on(&mut run.server, 0, 9, log);
                    run.to_client.lines.extend(sent);
                    busy = true;
                }
                while !run.client.work.is_empty() {
                    run.client_answers(log);
                    busy = true;
                }
                let input = run
                    .client
                    .open
                    .iter()
                    .position(|it| it.waits == Waits::Input);
                if let Some(index) = input {
                    let sent = run.client.cancel(index, log);
                    run.to_server.lines.extend(sent);
                    busy = true;
                }
            });
            self.check();
            if !busy {
                break;
            }
        }
        let (client, server) = (&mut self.client, &mut self.server);
        assert!(client.open.is_empty(), "{:?} were forgotten", client.open);
        assert!(server.open.is_empty(), "{:?} were forgotten", server.open);
        let state = client.session.state();
        assert!(
            matches!(state, State::Ready(_) | State::Failed(_)),
            "{state:?}"
        );
        assert_eq!(client.session.in_flight(), (0, 0));
        assert_eq!(server.session.in_flight(), (0, 0));
        assert_eq!(client.session.poll_timeout(), None);
        self.with(|run, log| {
            run.client.close(log);
            run.server.close(log);
        });
        assert_eq!(self.breach, None);
    }
}

/// The server does something about a request.
fn work_on(
    server: &mut Host<Server, Big>,
    index: usize,
    choice: usize,
    log: &mut Log<'_>,
) -> Vec<Line> {
    let work = server.work[index].clone();
    if work.what == What::Listen {
        if work.open {
            if choice < 8 {
                return Vec::new();
            }
            let made = server.session.end_subscription(work.handle);
            return server.answered(index, made, log);
        }
        if choice == 9 {
            let made = server.session.fail(work.handle, -32603, "no", None);
            return server.answered(index, made, log);
        }
        let filter = Filter {
            tools: true,
            ..Filter::default()
        };
        let send = server.session.accept(work.handle, filter).unwrap();
        let sent = server.put(&send, log);
        server.work[index].open = true;
        return sent;
    }
    match choice {
        4 | 5 => {
            let told = work.told + 1;
            server.work[index].told = told;
            let text = format!("{told}.5");
            let progress = Progress::new(&text).of("1e3").saying("on it");
            let send = server.session.progress(work.handle, progress).unwrap();
            server.put(&send, log)
        }
        6 if work.modern && work.what == What::Call => {
            let made = server.session.ask(work.handle, &INPUT, Some("s"));
            server.answered(index, made, log)
        }
        7 => {
            let made = server.session.fail(work.handle, -32603, "no", None);
            server.answered(index, made, log)
        }
        8 if !work.modern => Vec::new(),
        8 => {
            let data = RawJson::validate(b"\"x\"").unwrap();
            let handle = Some(work.handle);
            let send = server
                .session
                .log(handle, LogLevel::Error, None, data)
                .unwrap();
            server.put(&send, log)
        }
        _ => {
            let made = server.session.respond(work.handle, work.what.result());
            server.answered(index, made, log)
        }
    }
}
