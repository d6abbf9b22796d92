//! Sessions, and the tables that they stand on.

use super::*;
use wireline::mcp::{Capabilities, Capability, LogLevel, Method, Revision, Revisions, Side, code};
use wireline::session::{
    Cache, CacheScope, Change, Client, Config, Ended, Event, Filter, Handle, Implementation,
    InputRequest, Memory, Options, Policy, Progress, Reply, Send, Server, Session, Step,
};

fn tables() {
    let revision = free!("mcp/revision.rs" parse: Revision::parse("2025-03-26")).unwrap();
    let name = RawJson::validate(b"\"2026-07-28\"").unwrap();
    let name = name.as_json_str().unwrap();
    free!("mcp/revision.rs" from_json_str: Revision::from_json_str(name)).unwrap();
    free!("mcp/revision.rs" name: revision.name());
    free!("mcp/revision.rs" era: revision.era());
    free!("mcp/revision.rs" has_batches: revision.has_batches());
    free!("mcp/revision.rs" omits_unknown_id: revision.omits_unknown_id());
    free!("mcp/revision.rs" gates_are_musts: revision.gates_are_musts());
    let set = free!("mcp/revision.rs" from: Revisions::from(0, 2));
    let set = free!("mcp/revision.rs" with: set.with(Revision::V2026_07_28));
    let set = free!("mcp/revision.rs" without: set.without(revision));
    let set = free!("mcp/revision.rs" and: set.and(Revisions::ALL));
    let one = free!("mcp/revision.rs" only: Revisions::only(revision));
    let set = free!("mcp/revision.rs" or: set.or(one));
    free!("mcp/revision.rs" contains: set.contains(revision));
    free!("mcp/revision.rs" is_empty: set.is_empty());
    free!("mcp/revision.rs" latest: set.latest());
    free!("mcp/revision.rs" latest_legacy: set.latest_legacy());
    free!("mcp/revision.rs" latest_modern: set.latest_modern());
    assert_eq!(free!("mcp/revision.rs" iter: set.iter().count()), 4);

    let method = free!("mcp/method.rs" parse: Method::parse("tools/call")).unwrap();
    let name = RawJson::validate(b"\"tools\\/list\"").unwrap();
    let name = name.as_json_str().unwrap();
    free!("mcp/method.rs" from_json_str: Method::from_json_str(name)).unwrap();
    free!("mcp/method.rs" name: method.name());
    free!("mcp/method.rs" kind: method.kind());
    free!("mcp/method.rs" revisions: method.revisions());
    free!("mcp/method.rs" may_send: method.may_send(Side::Client, revision));
    free!("mcp/method.rs" capability: method.capability(Side::Client, revision));
    free!("mcp/method.rs" required: method.required());
    free!("mcp/method.rs" required_result: method.required_result());
    free!("mcp/method.rs" is_paginated: method.is_paginated());
    free!("mcp/method.rs" is_cacheable: method.is_cacheable());
    free!("mcp/method.rs" may_ask_input: method.may_ask_input());
    free!("mcp/method.rs" deprecated: method.deprecated());

    let capability = Capability::ToolsListChanged;
    free!("mcp/capability.rs" side: capability.side());
    free!("mcp/capability.rs" path: capability.path());
    free!("mcp/capability.rs" revisions: capability.revisions());
    let set = free!("mcp/capability.rs" with: Capabilities::NONE.with(capability));
    free!("mcp/capability.rs" has: set.has(capability));
    free!("mcp/capability.rs" is_empty: set.is_empty());
    free!("mcp/capability.rs" in_revision: set.in_revision(revision));
    let declared = RawJson::validate(br#"{"tools":{"listChanged":true}}"#).unwrap();
    free!("mcp/capability.rs" read: Capabilities::read(Side::Server, declared));
    free!("mcp/code.rs" name: code::name(-32601));
    free!("mcp/code.rs" revisions: code::revisions(-32022));
    free!("mcp/code.rs" is_modern: code::is_modern(-32022));
    let side = free!("mcp/mod.rs" other: Side::Client.other());
    free!("mcp/mod.rs" name: side.name());
}

const CAPABILITIES: Capabilities = Capabilities::NONE
    .with(Capability::ToolsListChanged)
    .with(Capability::Logging)
    .with(Capability::Roots)
    .with(Capability::ServerTasksTools)
    .with(Capability::ServerTasks);

fn config() -> Config<'static> {
    let extra = RawJson::validate(br#"{"experimental":{"x":{}}}"#).unwrap();
    let cache = Cache {
        ttl_ms: 5,
        scope: CacheScope::Public,
    };
    let info = free!("session/config.rs" new: Implementation::new("n", "1"));
    let config = free!("session/config.rs" new: Config::new(info));
    let config = free!("session/config.rs" with_revisions: config.with_revisions(Revisions::ALL));
    let config =
        free!("session/config.rs" with_capabilities: config.with_capabilities(CAPABILITIES));
    let config =
        free!("session/config.rs" with_extra_capabilities: config.with_extra_capabilities(extra));
    let config = free!("session/config.rs" with_instructions: config.with_instructions("text"));
    let config = free!("session/config.rs" with_cache: config.with_cache(cache));
    let config = free!("session/config.rs" with_policy: config.with_policy(Policy::DEFAULT));
    let config = free!("session/config.rs" with_timeouts: config.with_timeouts(100, 200));
    let config = free!("session/config.rs" with_probe_timeout: config.with_probe_timeout(50));
    free!("session/config.rs" with_rounds: config.with_rounds(2))
}

/// Writes lines in every way.
fn written(send: &Send<'_>, out: &mut [u8]) -> usize {
    free!("session/line.rs" is_empty: send.is_empty());
    free!("session/line.rs" len: send.len()).unwrap();
    let mut lines = free!("session/line.rs" lines: send.lines());
    while let Some(line) = free!("session/line.rs" lines: lines.next()) {
        free!("session/line.rs" kind: line.kind());
        free!("session/line.rs" line_len: line.line_len()).unwrap();
        free!("session/line.rs" write: line.write(out)).unwrap();
        drained(free!("session/line.rs" pieces: line.pieces()).unwrap());
    }
    free!("session/line.rs" write: send.write(out)).unwrap()
}

#[cfg(feature = "batch")]
type Slots = wireline::session::Gathering<Memory<4, 4, 160>, 256>;
#[cfg(not(feature = "batch"))]
type Slots = Memory<4, 4, 160>;

/// Gives a session a line, and what happened to `then`.
fn take<R: wireline::session::Role, T>(
    session: &mut Session<'_, R, Slots>,
    line: &[u8],
    then: impl FnOnce(&Step<'_>) -> T,
) -> T {
    let line = line.trim_ascii_end();
    let item = parse(line, &Limits::HOST);
    let step = free!("session/mod.rs" receive: session.receive(&item, 1));
    let mut out = [0; 1024];
    written(&step.send, &mut out);
    then(&step)
}

fn call(step: &Step<'_>) -> Handle {
    match step.event {
        Event::Request(incoming) => incoming.handle,
        _ => panic!("{:?}", step.event),
    }
}

fn raw(text: &[u8]) -> RawJson<'_> {
    RawJson::validate(text).unwrap()
}

fn slots() -> Slots {
    let memory = free!("session/slots.rs" new: Memory::new());
    #[cfg(feature = "batch")]
    let memory = free!("session/gather.rs" new: Slots::new(memory));
    memory
}

fn server() {
    let config = config();
    let mut out = [0; 1024];
    let mut session: Session<'_, Server, Slots> =
        free!("session/mod.rs" new: Session::new(&config, slots()));
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}},"io.modelcontextprotocol/logLevel":"debug","progressToken":"p"}"#;
    let mut id = 0;
    let mut next = |session: &mut Session<'_, Server, Slots>, method: &str, params: &str| {
        id += 1;
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":"call-{id}","method":"{method}","params":{{{meta}{params}}}}}"#
        );
        take(session, line.as_bytes(), call)
    };
    let tools = raw(br#"{"tools":[]}"#);

    let handle = next(&mut session, "tools/list", "");
    let bits = free!("session/slots.rs" to_bits: handle.to_bits());
    let handle = free!("session/slots.rs" from_bits: Handle::from_bits(bits));
    free!("session/mod.rs" incoming: session.incoming(handle)).unwrap();
    let progress = free!("session/line.rs" new: Progress::new("1.5"));
    let progress = free!("session/line.rs" of: progress.of("2"));
    let progress = free!("session/line.rs" saying: progress.saying("half"));
    let send = free!("session/outbox.rs" progress: session.progress(handle, progress)).unwrap();
    written(&send, &mut out);
    let data = raw(b"\"x\"");
    let send =
        free!("session/server.rs" log: session.log(Some(handle), LogLevel::Error, None, data));
    written(&send.unwrap(), &mut out);
    let reply = free!("session/line.rs" new: Reply::new(tools));
    let reply = free!("session/line.rs" with_cache: reply.with_cache(config.cache));
    let _ = free!("session/line.rs" with_result_type: reply.with_result_type("task"));
    let reply = free!("session/line.rs" with_meta: reply.with_meta(RawJson::EMPTY_OBJECT));
    let send = free!("session/outbox.rs" respond: session.respond(handle, reply)).unwrap();
    written(&send, &mut out);

    let handle = next(&mut session, "tools/call", r#","name":"t""#);
    let input = [InputRequest {
        key: "k",
        method: Method::RootsList,
        params: Payload::None,
    }];
    let send = free!("session/server.rs" ask: session.ask(handle, &input, Some("s"))).unwrap();
    written(&send, &mut out);
    let handle = next(&mut session, "tools/call", r#","name":"t""#);
    let send = free!("session/outbox.rs" fail: session.fail(handle, -32603, "no", None)).unwrap();
    written(&send, &mut out);
    let handle = next(&mut session, "tools/call", r#","name":"t""#);
    let send = free!("session/server.rs" fail_for_capability: session.fail_for_capability(handle, CAPABILITIES));
    written(&send.unwrap(), &mut out);

    let listen = r#","notifications":{"toolsListChanged":true}"#;
    let handle = next(&mut session, "subscriptions/listen", listen);
    let wanted = raw(br#"{"toolsListChanged":true}"#);
    let filter = free!("session/line.rs" read: Filter::read(wanted));
    let send = free!("session/server.rs" accept: session.accept(handle, filter)).unwrap();
    written(&send, &mut out);
    let send = free!("session/server.rs" changed_for: session.changed_for(handle, Change::Tools));
    written(&send.unwrap(), &mut out);
    let mut cursor = 0;
    while let Some(send) =
        free!("session/server.rs" changed: session.changed(Change::Tools, &mut cursor))
    {
        written(&send, &mut out);
    }
    let send = free!("session/server.rs" end_subscription: session.end_subscription(handle));
    written(&send.unwrap(), &mut out);
    let handle = next(&mut session, "tools/call", r#","name":"t""#);
    #[cfg(not(feature = "tasks"))]
    let _ = handle;
    #[cfg(feature = "tasks")]
    {
        let answer =
            free!("session/tasks.rs" respond_with_task: session.respond_with_task(handle, tools));
        assert!(answer.is_err());
        free!("session/tasks.rs" end_task: session.end_task(handle));
    }
    #[cfg(feature = "batch")]
    free!("session/gather.rs" take_batch: session.take_batch().is_some());
    let send = free!("session/outbox.rs" notify: session.notify("custom/x", None)).unwrap();
    written(&send, &mut out);
    free!("session/mod.rs" state: session.state());
    free!("session/mod.rs" revision: session.revision());
    free!("session/mod.rs" peer_capabilities: session.peer_capabilities());
    free!("session/mod.rs" config: session.config());
    assert_eq!(
        free!("session/mod.rs" in_flight: session.in_flight()),
        (1, 0)
    );
}

fn client() {
    let config = config();
    let mut out = [0; 1024];
    let mut session: Session<'_, Client, Slots> = Session::new(&config, slots());
    let send = free!("session/client.rs" connect: session.connect(0)).unwrap();
    written(&send, &mut out);
    free!("session/outbox.rs" poll_timeout: session.poll_timeout()).unwrap();
    // The probe times out, and `initialize` after it.
    while let Some(step) = free!("session/outbox.rs" expire: session.expire(60)) {
        written(&step.send, &mut out);
    }
    while free!("session/outbox.rs" close: session.close()).is_some() {}

    let mut session: Session<'_, Client, Slots> = Session::new(&config, slots());
    let send = free!("session/client.rs" connect_legacy: session.connect_legacy(0)).unwrap();
    written(&send, &mut out);
    let line = br#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
    take(&mut session, line, |_| ());
    let (_, send) = free!("session/outbox.rs" ping: session.ping(2)).unwrap();
    written(&send, &mut out);
    let line = br#"{"jsonrpc":"2.0","id":7,"method":"roots/list"}"#;
    let handle = take(&mut session, line, call);
    session.respond(handle, raw(br#"{"roots":[]}"#)).unwrap();

    let mut session: Session<'_, Client, Slots> = Session::new(&config, slots());
    free!("session/client.rs" assume: session.assume(Revision::V2026_07_28, CAPABILITIES)).unwrap();
    let options = free!("session/outbox.rs" new: Options::new());
    let options = free!("session/outbox.rs" with_progress: options.with_progress());
    let options = free!("session/outbox.rs" with_timeouts: options.with_timeouts(10, 20));
    let options = free!("session/outbox.rs" with_log_level: options.with_log_level(LogLevel::Info));
    let options = free!("session/outbox.rs" with_meta: options.with_meta(RawJson::EMPTY_OBJECT));
    let params = raw(br#"{"name":"t"}"#);
    let made =
        free!("session/outbox.rs" request: session.request("tools/call", params, options, 0));
    let (handle, send) = made.unwrap();
    written(&send, &mut out);
    let line = br#"{"jsonrpc":"2.0","id":0,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}},"requestState":"s"}}"#;
    take(&mut session, line, |step| {
        assert!(matches!(step.event, Event::InputRequired { .. }));
    });
    let answers = raw(br#"{"k":{"roots":[]}}"#);
    let state = raw(b"\"s\"").as_json_str();
    let made =
        free!("session/client.rs" retry: session.retry(handle, params, answers, state, options, 0));
    written(&made.unwrap(), &mut out);
    let filter = Filter::read(raw(br#"{"toolsListChanged":true}"#));
    let (listening, send) = free!("session/client.rs" listen: session.listen(filter, 0)).unwrap();
    written(&send, &mut out);
    let step = free!("session/outbox.rs" cancel: session.cancel(listening, Some("why"))).unwrap();
    written(&step.send, &mut out);
    let Event::Ended { why, .. } = step.event else {
        panic!("{:?}", step.event)
    };
    let _: Ended<'_> = why;
    free!("session/event.rs" name: why.name());
    routed(&session);
}

/// The head of a response that comes in pieces.
fn routed(session: &Session<'_, Client, Slots>) {
    let mut memory = [0; 256];
    let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED.with_id(40)).unwrap();
    let mut rest: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\n";
    let mut heads = 0;
    loop {
        let (used, event) = decoder.step(rest);
        rest = &rest[used..];
        match event {
            StreamEvent::NeedInput => break,
            StreamEvent::Head(head) => {
                free!("session/mod.rs" route: session.route(&head));
                heads += 1;
            }
            _ => {}
        }
    }
    assert_eq!(heads, 1);
}

pub fn sessions() {
    tables();
    server();
    client();
}
