//! Subscriptions of the modern era, from both sides: SU1 to SU12; and what takes their place
//! in the legacy era.

use wireline::Rule;
use wireline::encode::Payload;
use wireline::json::RawJson;
use wireline::mcp::{Capability, Revision, Revisions};
use wireline::session::{Change, Client, Filter, Handle, Server, SessionError};

use crate::harness::{Peer, modern};

const OURS: &[Capability] = &[
    Capability::ToolsListChanged,
    Capability::ResourcesSubscribe,
    Capability::Logging,
];

fn server() -> Peer<Server> {
    Peer::server(Revisions::ALL, OURS)
}

fn listen(id: &str, wanted: &str) -> String {
    modern(
        id,
        "subscriptions/listen",
        "{}",
        &format!(r#","notifications":{wanted}"#),
    )
}

fn written(send: &wireline::session::Send<'_>) -> String {
    let mut out = vec![0; send.len().unwrap()];
    send.write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const TOOLS: Filter<'static> = Filter {
    tools: true,
    prompts: false,
    resources: false,
    uris: None,
};

#[test]
fn su2_r129_r130_the_acknowledgement_comes_first_and_grants_no_more_than_was_asked() {
    let mut peer = server();
    let it = peer
        .line(&listen(
            "\"L\"",
            r#"{"toolsListChanged":true,"promptsListChanged":true}"#,
        ))
        .handle();
    // Nothing before it.
    assert!(peer.session.changed(Change::Tools, &mut 0).is_none());
    let more = Filter {
        resources: true,
        ..TOOLS
    };
    assert_eq!(
        peer.session.accept(it, more).unwrap_err(),
        SessionError::Gate(Rule::R130)
    );
    let both = Filter {
        prompts: true,
        ..TOOLS
    };
    // What our capabilities do not cover is left out.
    assert_eq!(
        written(&peer.session.accept(it, both).unwrap()),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"L\"},\"notifications\":{\"toolsListChanged\":true}}}\n"
    );
    assert_eq!(
        peer.session.accept(it, TOOLS).unwrap_err(),
        SessionError::Gate(Rule::R129)
    );
    assert_eq!(peer.session.in_flight(), (1, 0));
}

#[test]
fn su3_a_subscription_can_be_refused() {
    let mut peer = server();
    let it = peer.line(&listen("1", "{}")).handle();
    let text = written(
        &peer
            .session
            .fail(it, -32603, "limit", Payload::None)
            .unwrap(),
    );
    assert!(text.contains("\"id\":1,\"error\""));
    assert_eq!(peer.session.in_flight(), (0, 0));
    peer.line(&modern("2", "subscriptions/listen", "{}", ""))
        .refused("2", -32602);
}

#[test]
fn su4_r47_r131_each_subscription_is_told_of_what_it_covers() {
    let mut peer = server();
    let uris = RawJson::validate(br#"["file:///a"]"#).unwrap();
    let a = peer
        .line(&listen("1", r#"{"toolsListChanged":true}"#))
        .handle();
    let b = peer
        .line(&listen(
            "\"1\"",
            r#"{"toolsListChanged":true,"resourceSubscriptions":["file:///a"]}"#,
        ))
        .handle();
    peer.session.accept(a, TOOLS).unwrap();
    peer.session
        .accept(
            b,
            Filter {
                uris: Some(uris),
                ..TOOLS
            },
        )
        .unwrap();
    let mut cursor = 0;
    let mut all = Vec::new();
    while let Some(send) = peer.session.changed(Change::Tools, &mut cursor) {
        all.push(written(&send));
    }
    assert_eq!(
        all,
        ["1", "\"1\""].map(|id| format!(
            "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{{\"_meta\":{{\"io.modelcontextprotocol/subscriptionId\":{id}}}}}}}\n"
        ))
    );
    // Whose URI it is, the session does not know: each is told by its handle.
    let update = Change::Resource("file:///a/b");
    assert!(peer.session.changed(update, &mut 0).is_none());
    assert_eq!(
        peer.session.changed_for(a, update).unwrap_err(),
        SessionError::Gate(Rule::R131)
    );
    assert_eq!(
        written(&peer.session.changed_for(b, update).unwrap()),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"1\"},\"uri\":\"file:///a/b\"}}\n"
    );
}

#[test]
fn su5_r134_neither_progress_nor_log_messages_on_a_subscription() {
    let mut peer = server();
    let line = listen("1", r#"{"toolsListChanged":true}"#).replace(
        r#""_meta":{"#,
        r#""_meta":{"progressToken":5,"io.modelcontextprotocol/logLevel":"debug","#,
    );
    let it = peer.line(&line).handle();
    peer.session.accept(it, TOOLS).unwrap();
    let progress = peer
        .session
        .progress(it, wireline::session::Progress::new("1"))
        .unwrap();
    assert!(progress.is_empty());
    let level = wireline::mcp::LogLevel::Error;
    let log = peer
        .session
        .log(Some(it), level, None, RawJson::EMPTY_OBJECT);
    assert_eq!(log.unwrap_err(), SessionError::Gate(Rule::R134));
}

#[test]
fn su7_r136_nothing_is_sent_after_the_client_cancelled() {
    let mut peer = server();
    let it = peer
        .line(&listen("1", r#"{"toolsListChanged":true}"#))
        .handle();
    peer.session.accept(it, TOOLS).unwrap();
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .event("cancelled")
        .nothing_sent();
    assert!(peer.session.changed(Change::Tools, &mut 0).is_none());
    assert_eq!(
        peer.session.end_subscription(it).unwrap_err(),
        SessionError::StaleHandle
    );
    assert_eq!(
        peer.session.changed_for(it, Change::Tools).unwrap_err(),
        SessionError::StaleHandle
    );
}

#[test]
fn su8_a1_r132_r133_a_subscription_ends_with_its_result_and_a_cancellation() {
    let mut peer = server();
    let it = peer
        .line(&listen("\"L\"", r#"{"toolsListChanged":true}"#))
        .handle();
    peer.session.accept(it, TOOLS).unwrap();
    assert_eq!(
        peer.respond(it, "{}").unwrap_err(),
        SessionError::Gate(Rule::R132)
    );
    assert_eq!(
        written(&peer.session.end_subscription(it).unwrap()),
        "{\"jsonrpc\":\"2.0\",\"id\":\"L\",\"result\":{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"us\",\"version\":\"1\"},\"io.modelcontextprotocol/subscriptionId\":\"L\"}}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"L\"}}\n"
    );
    assert_eq!(peer.session.in_flight(), (0, 0));
}

const THEIRS: &str = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true}}"#;

/// A client's subscription to changes of tools, with id 1.
fn opening() -> (Peer<Client>, Handle) {
    let mut peer = Peer::discovered(&[], THEIRS);
    let (handle, send) = peer.session.listen(TOOLS, peer.now).unwrap();
    let text = written(&send);
    assert!(text.starts_with(r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion""#));
    assert!(text.ends_with("\"notifications\":{\"toolsListChanged\":true}}}\n"));
    (peer, handle)
}

fn tagged(method: &str, id: &str, more: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}{more}}}}}"#
    )
}

fn acknowledged(granted: &str) -> String {
    tagged(
        "subscriptions/acknowledged",
        "1",
        &format!(r#","notifications":{granted}"#),
    )
}

fn open() -> (Peer<Client>, Handle) {
    let (mut peer, handle) = opening();
    peer.line(&acknowledged(r#"{"toolsListChanged":true}"#))
        .event("subscribed")
        .broke(&[]);
    (peer, handle)
}

#[test]
fn su1_r135_the_requests_id_is_the_subscriptions() {
    let (mut peer, handle) = opening();
    let saw = peer.line(&acknowledged(r#"{"toolsListChanged":true}"#));
    assert_eq!(saw.event("subscribed").handle(), handle);
    peer.line(&tagged("tools/list_changed", "1", ""))
        .event("notification notifications/tools/list_changed")
        .broke(&[]);
    // Only the acknowledgement has a time-out.
    assert!(peer.wait(10_000_000).is_empty());
    let (mut late, _) = opening();
    let after = late.wait(60_000);
    after[0].event("ended timed-out");
    assert!(after[0].one().contains(r#""requestId":1"#));
}

#[test]
fn su6_a_client_stops_by_cancelling() {
    let (mut peer, handle) = open();
    peer.cancel(handle)
        .unwrap()
        .event("ended cancelled")
        .sent(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    // What was under way meanwhile is late, and no fault of the server's.
    peer.line(&tagged("tools/list_changed", "1", ""))
        .event("ignored unknowntarget")
        .broke(&[]);
}

#[test]
fn su9_a_result_ends_it() {
    let (mut peer, handle) = open();
    let saw = peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#);
    assert_eq!(saw.handle(), handle);
    assert!(saw.event.starts_with("ended result"));
    // The cancellation that may follow is for nothing any more.
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .event("ignored unknowntarget")
        .broke(&[]);
}

#[test]
fn su10_r113_the_servers_cancellation_ends_it_and_nothing_else() {
    let (mut peer, handle) = open();
    let (call, _) = peer.request("tools/list", "{}").unwrap();
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#)
        .event("ignored unknowntarget")
        .broke(&[113]);
    let saw = peer
        .line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    assert_eq!(saw.event("ended cancelled").handle(), handle);
    saw.nothing_sent();
    assert_eq!(peer.cancel(call).unwrap().event, "ended cancelled");
}

#[test]
fn su11_it_is_lost_with_the_connection() {
    let (mut peer, _) = open();
    assert_eq!(peer.close(), ["ended closed", "state closed"]);
}

#[test]
fn su12_r47_r129_r130_r131_r134_what_a_server_may_not_send() {
    let (mut peer, _) = opening();
    peer.line(&tagged("tools/list_changed", "1", ""))
        .event("ignored wrongstate")
        .broke(&[129]);
    peer.line(&acknowledged(
        r#"{"toolsListChanged":true,"resourceSubscriptions":["a:b"]}"#,
    ))
    .event("subscribed")
    .broke(&[130]);
    peer.line(&acknowledged("{}"))
        .event("ignored wrongstate")
        .broke(&[129]);
    peer.line(&tagged("resources/updated", "1", r#","uri":"a:b""#))
        .event("ignored unknowntarget")
        .broke(&[131]);
    peer.line(&tagged("tools/list_changed", "7", ""))
        .event("ignored unknowntarget")
        .broke(&[47]);
    peer.line(&tagged("tools/list_changed", "\"1\"", ""))
        .event("ignored unknowntarget")
        .broke(&[47]);
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)
        .event("ignored unknowntarget")
        .broke(&[131]);
    let mut logs = Peer::discovered(&[], r#"{"logging":{}}"#);
    logs.line(&tagged("message", "1", r#","level":"info","data":1"#))
        .broke(&[128, 134]);
}

#[test]
fn r81_r82_changes_in_the_legacy_era_need_their_capability() {
    let mut peer = Peer::initialized(Revision::V2025_11_25, OURS, "{}");
    let mut cursor = 0;
    let send = peer.session.changed(Change::Tools, &mut cursor).unwrap();
    assert_eq!(
        written(&send),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n"
    );
    assert!(peer.session.changed(Change::Tools, &mut cursor).is_none());
    assert!(peer.session.changed(Change::Prompts, &mut 0).is_none());
    let send = peer
        .session
        .changed(Change::Resource("file:///a"), &mut 0)
        .unwrap();
    assert_eq!(
        written(&send),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"file:///a\"}}\n"
    );
    let mut client = Peer::opened(Revision::V2025_11_25, &[], r#"{"tools":{}}"#);
    client
        .line(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)
        .event("notification notifications/tools/list_changed")
        .broke(&[81]);
    assert_eq!(
        client.session.listen(TOOLS, 0).unwrap_err(),
        SessionError::Gate(Rule::R62)
    );
}
