//! Tasks of 2025-11-25, as far as a session has to do with them.

use wireline::Rule;
use wireline::json::RawJson;
use wireline::mcp::{Capability, Revision};
use wireline::session::{Options, Progress, SessionError};

use crate::harness::Peer;

const D: Revision = Revision::V2025_11_25;
const TASK: &str = r#"{"task":{"taskId":"t","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":null}}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x","task":{},"_meta":{"progressToken":"p"}}}"#;

#[test]
fn r112_r120_a_servers_task_keeps_its_progress_token_until_it_ends() {
    let mut peer = Peer::initialized(D, &[Capability::Tools, Capability::ServerTasksTools], "{}");
    let call = peer.line(CALL).handle();
    let raw = RawJson::validate(TASK.as_bytes()).unwrap();
    assert!(
        !peer
            .session
            .respond_with_task(call, raw)
            .unwrap()
            .is_empty()
    );
    assert!(
        !peer
            .session
            .progress(call, Progress::new("1"))
            .unwrap()
            .is_empty()
    );
    // It was answered: no second answer, and no cancellation by notification.
    assert_eq!(
        peer.respond(call, TASK).unwrap_err(),
        SessionError::StaleHandle
    );
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#)
        .event("ignored unknowntarget");
    assert!(
        !peer
            .session
            .progress(call, Progress::new("2"))
            .unwrap()
            .is_empty()
    );
    peer.session.end_task(call);
    assert_eq!(
        peer.session.progress(call, Progress::new("3")).unwrap_err(),
        SessionError::StaleHandle
    );
    assert_eq!(peer.session.in_flight(), (0, 0));
}

#[test]
fn r143_a_request_that_asks_for_no_task_becomes_none() {
    let mut peer = Peer::initialized(D, &[Capability::Tools, Capability::ServerTasksTools], "{}");
    let call = peer.line(&CALL.replace(r#""task":{},"#, "")).handle();
    let raw = RawJson::validate(TASK.as_bytes()).unwrap();
    assert_eq!(
        peer.session.respond_with_task(call, raw).unwrap_err(),
        SessionError::Gate(Rule::R143)
    );
    // It can still be answered.
    assert!(peer.respond(call, r#"{"content":[]}"#).is_ok());
}

#[test]
fn r143_no_task_where_none_was_declared() {
    let mut peer = Peer::initialized(D, &[Capability::Tools], "{}");
    let call = peer.line(CALL).handle();
    let raw = RawJson::validate(TASK.as_bytes()).unwrap();
    assert_eq!(
        peer.session.respond_with_task(call, raw).unwrap_err(),
        SessionError::Gate(Rule::R143)
    );
    assert!(
        peer.respond(call, r#"{"content":[]}"#).is_ok(),
        "it is processed normally"
    );
}

#[test]
fn r112_a_clients_task_gets_its_progress_and_is_not_cancelled_by_notification() {
    let mut peer = Peer::opened(
        D,
        &[],
        r#"{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}"#,
    );
    let params = RawJson::validate(br#"{"name":"x","task":{}}"#).unwrap();
    let options = Options::new().with_progress();
    let (handle, _) = peer
        .session
        .request("tools/call", params, options, peer.now)
        .unwrap();
    peer.line(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{TASK}}}"#))
        .event(&format!("ended result {TASK}"))
        .broke(&[]);
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
    assert_eq!(peer.line(progress).event("progress 1").handle(), handle);
    assert_eq!(
        peer.cancel(handle).unwrap_err(),
        SessionError::Gate(Rule::R112)
    );
    assert!(peer.wait(100_000_000).is_empty());
    // A second answer is late, as for any request that has ended.
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#)
        .event("ignored late");
    peer.session.end_task(handle);
    peer.line(progress)
        .event("ignored unknowntarget")
        .broke(&[]);
    assert_eq!(peer.close(), ["state closed"]);
}

#[test]
fn r143_a_task_that_was_not_asked_for_keeps_no_slot() {
    let tasks = r#"{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}"#;
    let plain = r#"{"name":"x"}"#;
    let asking = r#"{"name":"x","task":{}}"#;
    for (capabilities, params, kept) in [
        (r#"{"tools":{}}"#, plain, 0),
        (r#"{"tools":{}}"#, asking, 0),
        (tasks, plain, 0),
        (tasks, asking, 1),
    ] {
        let mut peer = Peer::opened(D, &[], capabilities);
        let params = RawJson::validate(params.as_bytes()).unwrap();
        let options = Options::new().with_progress();
        peer.session
            .request("tools/call", params, options, peer.now)
            .unwrap();
        peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"task":{"taskId":"t1"}}}"#);
        assert_eq!(
            peer.session.in_flight(),
            (0, kept),
            "{capabilities} {params:?}"
        );
    }
}
