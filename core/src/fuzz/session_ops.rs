//! A client's session and a server's, with calls and lines in any order.

mod end;
mod lines;

use std::collections::VecDeque;
use std::vec::Vec;

use super::grammar::Source;
use crate::json::RawJson;
use crate::mcp::{Capabilities, Capability, LogLevel, Method, Revision, Revisions, Side};
use crate::session::{
    Change, Client, Config, Filter, Implementation, InputRequest, Options, Policy, Server,
};
use end::{End, PARAMS};

/// Most calls and lines of one input.
const MOST: usize = 400;

const fn config(side: Side, revisions: Revisions, strict: bool) -> Config<'static> {
    let capabilities = match side {
        Side::Client => Capabilities::NONE
            .with(Capability::Roots)
            .with(Capability::Elicitation),
        Side::Server => Capabilities::NONE
            .with(Capability::ToolsListChanged)
            .with(Capability::ResourcesSubscribe)
            .with(Capability::Logging),
    };
    let mut policy = Policy::DEFAULT;
    policy.one_era = strict;
    policy.answer_unparsable = strict;
    Config::new(Implementation::new("f", "1"))
        .with_revisions(revisions)
        .with_capabilities(capabilities)
        .with_policy(policy)
        .with_timeouts(100, 300)
        .with_probe_timeout(50)
        .with_rounds(2)
}

const fn configs(side: Side) -> [Config<'static>; 6] {
    [
        config(side, Revisions::ALL, false),
        config(side, Revisions::LEGACY, false),
        config(side, Revisions::MODERN, false),
        config(side, Revisions::ALL, true),
        config(side, Revisions::LEGACY, true),
        config(side, Revisions::only(Revision::V2025_03_26), false),
    ]
}

static CLIENTS: [Config<'static>; 6] = configs(Side::Client);
static SERVERS: [Config<'static>; 6] = configs(Side::Server);

/// Takes calls and lines from the input, and looks at both sessions after each.
pub fn session_ops(data: &[u8]) {
    let mut source = Source::new(data);
    let mut pair = Pair {
        client: End::new(&CLIENTS[source.below(CLIENTS.len())]),
        server: End::new(&SERVERS[source.below(SERVERS.len())]),
        to_client: VecDeque::new(),
        to_server: VecDeque::new(),
    };
    for _ in 0..MOST {
        if source.is_empty() {
            break;
        }
        pair.step(&mut source);
        pair.client.check();
        pair.server.check();
    }
    pair.client.takes_a_batch();
    pair.server.takes_a_batch();
    pair.client.close();
    pair.server.close();
    pair.client.check();
    pair.server.check();
    pair.client.is_drained();
    pair.server.is_drained();
}

struct Pair {
    client: End<Client>,
    server: End<Server>,
    to_client: VecDeque<Vec<u8>>,
    to_server: VecDeque<Vec<u8>>,
}

impl Pair {
    fn step(&mut self, source: &mut Source<'_>) {
        let op = source.below(32);
        let to_server = match op {
            0..=3 => {
                let line = self.to_client.pop_front();
                line.map(|line| self.client.take(&line))
            }
            4 => {
                // The same line once more.
                let line = self.to_client.front();
                line.map(|line| self.client.take(line))
            }
            5 | 6 => {
                let line = lines::line(source, self.client.ids(), self.client.theirs());
                Some(self.client.take(&line))
            }
            7 => Some(self.client.call(source)),
            8 => Some(self.open(source)),
            9 => {
                let filter = filter(source);
                let made = self.client.session.listen(filter, self.client.now);
                Some(self.client.asked(made))
            }
            10 => Some(self.retry(source)),
            11 => Some(self.client.answer(source)),
            30 if source.below(2) == 0 => {
                let line = lines::batch(source, self.client.ids(), self.client.theirs());
                let most = 1 + source.below(6);
                Some(self.client.take_some(&line, most))
            }
            _ => None,
        };
        self.to_server.extend(to_server.into_iter().flatten());
        let to_client = match op {
            12..=15 => {
                let line = self.to_server.pop_front();
                line.map(|line| self.server.take(&line))
            }
            16 => {
                let line = self.to_server.front();
                line.map(|line| self.server.take(line))
            }
            17..=19 => {
                let line = lines::line(source, self.server.ids(), self.server.theirs());
                Some(self.server.take(&line))
            }
            20 => Some(self.server.call(source)),
            21..=24 => Some(self.server.answer(source)),
            25..=27 => Some(self.serve(source)),
            28 => {
                let line = lines::line(source, self.client.theirs(), self.client.ids());
                self.to_server.push_back(line);
                None
            }
            29 => Some(self.time(source)),
            30 if source.one_in(8) => {
                self.client.close();
                None
            }
            31 if source.one_in(8) => {
                self.server.close();
                None
            }
            31 => {
                let line = lines::batch(source, self.server.ids(), self.server.theirs());
                let most = 1 + source.below(6);
                Some(self.server.take_some(&line, most))
            }
            _ => None,
        };
        self.to_client.extend(to_client.into_iter().flatten());
    }

    fn open(&mut self, source: &mut Source<'_>) -> Vec<Vec<u8>> {
        let client = &mut self.client;
        let now = client.now;
        let made = match source.below(8) {
            0 => {
                let peer = Capabilities::NONE.with(Capability::Tools);
                let _ = client.session.assume(Revision::V2026_07_28, peer);
                return Vec::new();
            }
            1 | 2 => client.session.connect_legacy(now),
            _ => client.session.connect(now),
        };
        client.sent(made)
    }

    fn retry(&mut self, source: &mut Source<'_>) -> Vec<Vec<u8>> {
        let client = &mut self.client;
        let handle = client.some_open(source);
        let params = RawJson::validate(source.pick(PARAMS)).unwrap();
        let answers = RawJson::validate(source.pick(PARAMS)).unwrap();
        let text = RawJson::validate(b"\"\\u0073\"").unwrap();
        let state = text.as_json_str().filter(|_| source.below(2) == 0);
        let before = client.waits_for_input(handle);
        let made = client
            .session
            .retry(handle, params, answers, state, Options::new(), client.now);
        assert!(made.is_err() || before, "repeated what asked for nothing");
        if made.is_ok() {
            client.input.retain(|it| *it != handle);
        }
        client.sent(made)
    }

    fn time(&mut self, source: &mut Source<'_>) -> Vec<Vec<u8>> {
        let now = match source.below(8) {
            0 => 0,
            1 => u64::MAX - u64::from(source.byte()),
            _ => self.client.now.saturating_add(4 * u64::from(source.byte())),
        };
        let mut to_client = Vec::new();
        if source.below(2) == 0 {
            let sent = self.client.expire(now);
            self.to_server.extend(sent);
        } else {
            to_client = self.server.expire(now);
        }
        to_client
    }

    /// What only a server does.
    fn serve(&mut self, source: &mut Source<'_>) -> Vec<Vec<u8>> {
        let server = &mut self.server;
        let handle = server.some_work(source);
        match source.below(7) {
            0 => {
                let method = source.pick(&[Method::RootsList, Method::Elicit, Method::ToolsCall]);
                let requests = [InputRequest {
                    key: "k",
                    method,
                    params: RawJson::validate(source.pick(PARAMS)).unwrap().into(),
                }];
                let state = source.pick(&[None, Some("s\n")]);
                let count = source.below(2);
                let made = server.session.ask(handle, &requests[..count], state);
                server.ended_theirs(handle, made)
            }
            1 => {
                let needs = Capabilities::NONE.with(Capability::Sampling);
                let made = server.session.fail_for_capability(handle, needs);
                server.ended_theirs(handle, made)
            }
            2 => {
                let made = server.session.end_subscription(handle);
                server.ended_theirs(handle, made)
            }
            3 => {
                let filter = filter(source);
                let made = server.session.accept(handle, filter);
                server.sent(made)
            }
            4 => {
                let changes = [
                    Change::Tools,
                    Change::Prompts,
                    Change::Resources,
                    Change::Resource("file:///x"),
                ];
                let change = source.pick(&changes);
                let mut cursor = 0;
                let mut sent = Vec::new();
                while let Some(send) = server.session.changed(change, &mut cursor) {
                    sent.extend(server.sent(Ok(send)));
                }
                sent
            }
            5 => {
                let made = server.session.changed_for(handle, Change::Tools);
                server.sent(made)
            }
            _ => {
                let level = source.pick(&[LogLevel::Debug, LogLevel::Info, LogLevel::Emergency]);
                let to = source.pick(&[None, Some(handle)]);
                let data = RawJson::validate(source.pick(PARAMS)).unwrap();
                let made = server.session.log(to, level, Some("l"), data);
                server.sent(made)
            }
        }
    }
}

fn filter(source: &mut Source<'_>) -> Filter<'static> {
    let bits = source.byte();
    let uris = RawJson::validate(b"[ \"file:///x\" ]").ok();
    Filter {
        tools: bits & 1 != 0,
        prompts: bits & 2 != 0,
        resources: bits & 4 != 0,
        uris: uris.filter(|_| bits & 8 != 0),
    }
}
