//! What our own sessions say to one another breaks nothing.

use std::collections::VecDeque;

use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Capability, Revision, Revisions, Side};
use wireline::monitor::{Monitor, MonitorSlots};
use wireline::session::{
    Change, Client, Config, Event, Filter, Handle, Implementation, Memory, Options, Progress, Send,
    Server, Session,
};
use wireline::{Limits, parse};

type Slots = Memory<8, 8, 512>;

struct Pair<'c> {
    client: Session<'c, Client, Slots>,
    server: Session<'c, Server, Slots>,
    monitor: Monitor<MonitorSlots<32, 0, 2048>>,
    queue: VecDeque<(Side, String)>,
    /// Requests that the server has not answered.
    held: Vec<Handle>,
    log: Vec<String>,
}

fn lines(send: &Send<'_>) -> Vec<String> {
    let mut buffer = vec![0; send.len().unwrap()];
    send.write(&mut buffer).unwrap();
    String::from_utf8(buffer)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

const TEXT: &[u8] = br#"{"content":[{"type":"text","text":""}],"tools":[],"resources":[]}"#;

impl Pair<'_> {
    /// Until nobody has anything to say. With `hold`, calls of tools stay unanswered.
    fn settle(&mut self, hold: bool) {
        while let Some((from, line)) = self.queue.pop_front() {
            self.log.push(format!("{} {line}", from.name()));
            let item = parse(line.as_bytes(), &Limits::HOST);
            let finding = self.monitor.line(from, &item, 0);
            assert!(
                finding.violations.is_empty(),
                "{finding:?}\n{}",
                self.log.join("\n")
            );
            let (sent, asked) = match from {
                Side::Server => {
                    let step = self.client.receive(&item, 0);
                    assert!(step.broken.is_empty());
                    (lines(&step.send), None)
                }
                Side::Client => {
                    let step = self.server.receive(&item, 0);
                    assert!(step.broken.is_empty());
                    let asked = match step.event {
                        Event::Request(call) => {
                            let name = call.message.method().unwrap().as_str().unwrap();
                            Some((call.handle, name.to_owned()))
                        }
                        _ => None,
                    };
                    (lines(&step.send), asked)
                }
            };
            self.queue
                .extend(sent.into_iter().map(|line| (from.other(), line)));
            match asked {
                Some((handle, name)) if name == "subscriptions/listen" => {
                    let filter = RawJson::validate(br#"{"toolsListChanged":true}"#).unwrap();
                    let send = lines(&self.server.accept(handle, Filter::read(filter)).unwrap());
                    self.queue
                        .extend(send.into_iter().map(|line| (Side::Server, line)));
                    self.held.push(handle);
                }
                Some((handle, name)) if hold && name == "tools/call" => self.held.push(handle),
                Some((handle, _)) => {
                    let send = lines(
                        &self
                            .server
                            .respond(handle, RawJson::validate(TEXT).unwrap())
                            .unwrap(),
                    );
                    self.queue
                        .extend(send.into_iter().map(|line| (Side::Server, line)));
                }
                None => {}
            }
        }
    }

    fn ask(&mut self, method: &str, params: &[u8], options: Options<'_>) -> Handle {
        let params = RawJson::validate(params).unwrap();
        let (handle, send) = self.client.request(method, params, options, 0).unwrap();
        let sent = lines(&send);
        self.queue
            .extend(sent.into_iter().map(|line| (Side::Client, line)));
        handle
    }
}

fn talk(client: Revisions, server: Revisions) -> (Option<Revision>, u64) {
    let can = Capabilities::NONE
        .with(Capability::Tools)
        .with(Capability::ToolsListChanged)
        .with(Capability::Resources)
        .with(Capability::Logging);
    let of_client = Config::new(Implementation::new("c", "1")).with_revisions(client);
    let of_server = Config::new(Implementation::new("s", "1"))
        .with_revisions(server)
        .with_capabilities(can);
    let mut pair = Pair {
        client: Session::new(&of_client, Slots::new()),
        server: Session::new(&of_server, Slots::new()),
        monitor: Monitor::new(MonitorSlots::new()),
        queue: VecDeque::new(),
        held: Vec::new(),
        log: Vec::new(),
    };
    let opening = lines(&pair.client.connect(0).unwrap());
    pair.queue
        .extend(opening.into_iter().map(|line| (Side::Client, line)));
    pair.settle(false);
    let revision = pair.client.revision();
    pair.ask("tools/list", b"{}", Options::new());
    pair.ask("resources/list", b"{}", Options::new());
    pair.settle(false);

    // A call with progress, and one that is cancelled.
    pair.ask(
        "tools/call",
        br#"{"name":"t"}"#,
        Options::new().with_progress(),
    );
    pair.settle(true);
    let call = pair.held.pop().unwrap();
    for done in ["1", "2.5"] {
        let send = lines(&pair.server.progress(call, Progress::new(done)).unwrap());
        pair.queue
            .extend(send.into_iter().map(|line| (Side::Server, line)));
    }
    pair.settle(true);
    let send = lines(
        &pair
            .server
            .respond(call, RawJson::validate(TEXT).unwrap())
            .unwrap(),
    );
    pair.queue
        .extend(send.into_iter().map(|line| (Side::Server, line)));
    let call = pair.ask("tools/call", br#"{"name":"t"}"#, Options::new());
    pair.settle(true);
    let step = pair.client.cancel(call, Some("enough")).unwrap();
    let sent = lines(&step.send);
    pair.queue
        .extend(sent.into_iter().map(|line| (Side::Client, line)));
    pair.settle(true);

    // A change of the list: in the modern era, on a subscription.
    if revision == Some(Revision::V2026_07_28) {
        let filter = RawJson::validate(br#"{"toolsListChanged":true}"#).unwrap();
        let send = lines(&pair.client.listen(Filter::read(filter), 0).unwrap().1);
        pair.queue
            .extend(send.into_iter().map(|line| (Side::Client, line)));
        pair.settle(true);
    }
    let (mut cursor, mut told) = (0, 0);
    while let Some(send) = pair.server.changed(Change::Tools, &mut cursor) {
        let sent = lines(&send);
        pair.queue
            .extend(sent.into_iter().map(|line| (Side::Server, line)));
        told += 1;
    }
    assert_eq!(told, 1);
    pair.settle(true);
    (revision, pair.monitor.tally().messages)
}

#[test]
fn our_own_sessions_break_nothing() {
    for &revision in Revision::ALL {
        let only = Revisions::only(revision);
        let (agreed, messages) = talk(only, only);
        assert_eq!(agreed, Some(revision));
        assert!(messages > 10, "{messages}");
    }
    // A client of both eras, and a server of one.
    let legacy = talk(Revisions::ALL, Revisions::LEGACY);
    assert_eq!(legacy.0, Some(Revision::V2025_11_25));
    let modern = talk(Revisions::ALL, Revisions::MODERN);
    assert_eq!(modern.0, Some(Revision::V2026_07_28));
}
