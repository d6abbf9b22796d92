//! Requests under way: cancellation, progress, deadlines, full tables, handles.

use wireline::mcp::{Capability, Revision, Revisions};
use wireline::rules::Rule;
use wireline::session::{
    Client, Config, Handle, Implementation, Memory, Options, Progress, Server, Session,
    SessionError,
};
use wireline::{Limits, parse};

use crate::harness::{Peer, config, modern, saw};

const D: Revision = Revision::V2025_11_25;

fn server() -> Peer<Server> {
    Peer::initialized(D, &[Capability::Tools], r#"{"roots":{}}"#)
}

fn client() -> Peer<Client> {
    Peer::opened(D, &[Capability::Roots], r#"{"tools":{}}"#)
}

fn call(id: &str, meta: &str) -> String {
    format!(
        r#"{{"method":"tools/call","params":{{"name":"x","arguments":{{}}{meta}}},"jsonrpc":"2.0","id":{id}}}"#
    )
}

fn cancelled(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"r","x":1}}}}"#
    )
}

// Shows S13.
#[test]
fn r107_r108_r110_a_cancelled_request_is_never_answered() {
    for (id, spelled) in [
        ("0", "0"),
        ("\"\"", "\"\""),
        ("7", "7.0"),
        ("\"A\"", "\"\\u0041\""),
        ("1e2", "100"),
    ] {
        let mut peer = server();
        let it = peer.line(&call(id, "")).handle();
        let saw = peer.line(&cancelled(spelled));
        assert_eq!(saw.event("cancelled").handle(), it, "{id}");
        saw.nothing_sent();
        assert_eq!(
            peer.respond(it, "{}").unwrap_err(),
            SessionError::StaleHandle
        );
        assert_eq!(
            peer.session.progress(it, Progress::new("1")).unwrap_err(),
            SessionError::StaleHandle
        );
        assert!(peer.session.incoming(it).is_none());
        // Again, or for one that never was, or in another type: nothing.
        for id in [spelled, "99", "\"7\""] {
            peer.line(&cancelled(id))
                .event("ignored unknowntarget")
                .nothing_sent();
        }
    }
}

#[test]
fn r111_a16_a_cancellation_of_nothing() {
    let mut peer = server();
    let it = peer.line(&call("1", "")).handle();
    for params in [
        "",
        r#","params":{}"#,
        r#","params":{"requestId":null}"#,
        r#","params":{"requestId":1.5}"#,
    ] {
        peer.line(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled"{params}}}"#
        ))
        .event("ignored unknowntarget")
        .broke(&[111])
        .nothing_sent();
    }
    assert!(peer.respond(it, r#"{"content":[]}"#).is_ok());
    // Once it is answered, a cancellation is late.
    peer.line(&cancelled("1"))
        .event("ignored unknowntarget")
        .broke(&[]);
}

#[test]
fn a32_ids_of_ours_are_never_used_again() {
    let mut peer = client();
    let mut last = 0;
    for _ in 0..50 {
        let (handle, line) = peer.request("tools/list", "{}").unwrap();
        let id = parse(line.as_bytes(), &Limits::HOST)
            .unwrap()
            .id()
            .unwrap()
            .as_i64()
            .unwrap();
        assert!(id > last);
        last = id;
        peer.cancel(handle).unwrap();
    }
}

#[test]
fn r117_r118_r119_r120_progress_is_for_who_asked_and_rises() {
    for token in ["0", "\"\"", "\"7\"", "7", "\"\\u00e9\"", "-3"] {
        let mut peer = server();
        let it = peer
            .line(&call(
                "1",
                &format!(r#","_meta":{{"progressToken":{token}}}"#),
            ))
            .handle();
        let tell = |peer: &mut Peer<Server>, text: &'static str| {
            let send = peer
                .session
                .progress(it, Progress::new(text).of("10").saying("m"))?;
            let mut out = vec![0; send.len().unwrap()];
            send.write(&mut out).unwrap();
            Ok::<_, SessionError>(String::from_utf8(out).unwrap())
        };
        assert_eq!(
            tell(&mut peer, "0.5").unwrap(),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":{token},\"progress\":0.5,\"total\":10,\"message\":\"m\"}}}}\n"
            )
        );
        for wrong in ["0.5", "0.50", "5e-1", "0.4", "-1", "NaN", "", "01"] {
            assert_eq!(
                tell(&mut peer, wrong).unwrap_err(),
                SessionError::BadProgress,
                "{wrong}"
            );
        }
        assert!(tell(&mut peer, "0.500001").is_ok());
        assert!(tell(&mut peer, "1e3").is_ok());
        peer.respond(it, r#"{"content":[]}"#).unwrap();
        assert_eq!(
            tell(&mut peer, "2e3").unwrap_err(),
            SessionError::StaleHandle
        );
    }
    // Without a token there is none, and one that is no token is none.
    let mut peer = server();
    for (meta, rules) in [
        ("", &[][..]),
        (r#","_meta":{"progressToken":1.5}"#, &[117]),
        (r#","_meta":{"progressToken":null}"#, &[117]),
    ] {
        let saw = peer.line(&call("1", meta));
        saw.broke(rules);
        assert!(
            peer.session
                .progress(saw.handle(), Progress::new("1"))
                .unwrap()
                .is_empty()
        );
        peer.respond(saw.handle(), r#"{"content":[]}"#).unwrap();
    }
    let old = Peer::initialized(Revision::V2024_11_05, &[Capability::Tools], "{}");
    let mut old = old;
    let it = old
        .line(&call("1", r#","_meta":{"progressToken":5}"#))
        .handle();
    let send = old
        .session
        .progress(it, Progress::new("1").saying("m"))
        .unwrap();
    let mut out = [0; 200];
    let n = send.write(&mut out).unwrap();
    assert!(!std::str::from_utf8(&out[..n]).unwrap().contains("message"));
}

#[test]
fn r119_progress_that_comes_is_delivered_in_order_and_checked() {
    let mut peer = client();
    let raw = wireline::json::RawJson::EMPTY_OBJECT;
    let options = Options::new().with_progress();
    let (handle, _) = peer
        .session
        .request("tools/list", raw, options, peer.now)
        .unwrap();
    let tell = |value: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":1,"progress":{value}}}}}"#
        )
    };
    for (value, rules) in [
        ("1", &[][..]),
        ("2.5", &[]),
        ("2.5", &[119]),
        ("1", &[119]),
        ("1e1", &[]),
    ] {
        let saw = peer.line(&tell(value));
        assert_eq!(saw.event(&format!("progress {value}")).handle(), handle);
        saw.broke(rules);
    }
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#)
        .event(r#"ended result {"tools":[]}"#);
    peer.line(&tell("11"))
        .event("ignored unknowntarget")
        .broke(&[])
        .nothing_sent();
}

#[test]
fn r122_deadlines_progress_extends_the_soft_one_only() {
    let mut peer = client();
    let raw = wireline::json::RawJson::EMPTY_OBJECT;
    let options = Options::new().with_progress().with_timeouts(100, 250);
    let (handle, _) = peer
        .session
        .request("tools/list", raw, options, peer.now)
        .unwrap();
    assert_eq!(peer.session.poll_timeout(), Some(1100));
    for value in 1..=2 {
        assert!(peer.wait(99).is_empty());
        peer.line(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":1,"progress":{value}}}}}"#));
    }
    assert_eq!(peer.session.poll_timeout(), Some(1250));
    let after = peer.wait(52);
    assert_eq!(after.len(), 1);
    assert_eq!(after[0].event("ended timed-out").handle(), handle);
    after[0].sent(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"no answer in time"}}"#);
    assert_eq!(peer.session.poll_timeout(), None);
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#)
        .event("ignored late");
}

#[test]
fn s11_time_outs_where_nothing_else_is_said() {
    let config = Box::leak(Box::new(Config::new(Implementation::new("c", "1"))));
    let mut session: Session<'_, Client, _> = Session::new(config, Memory::<0, 2, 0>::new());
    session.connect(0).unwrap();
    assert_eq!(session.poll_timeout(), Some(10_000), "a probe");
    let mut peer = client();
    let raw = wireline::json::RawJson::EMPTY_OBJECT;
    let begun = peer.now;
    let options = Options::new().with_progress();
    peer.session
        .request("tools/list", raw, options, begun)
        .unwrap();
    assert_eq!(peer.session.poll_timeout(), Some(begun + 60_000));
    for value in 1..=10 {
        assert!(peer.wait(59_999).is_empty());
        peer.line(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":1,"progress":{value}}}}}"#));
    }
    assert_eq!(peer.session.poll_timeout(), Some(begun + 600_000));
}

#[test]
fn a_clock_that_jumps_frees_nothing_twice_and_one_that_goes_back_stands_still() {
    let mut peer = client();
    peer.now = 1_000_000;
    peer.request("tools/list", "{}").unwrap();
    // Back: nothing expires, and nothing lives longer.
    assert!(peer.session.expire(0).is_none());
    let (_, send) = peer
        .session
        .request(
            "tools/list",
            wireline::json::RawJson::EMPTY_OBJECT,
            Options::new(),
            5,
        )
        .unwrap();
    assert!(!send.is_empty());
    assert_eq!(peer.session.poll_timeout(), Some(1_060_000));
    peer.now = u64::MAX - 1;
    assert_eq!(peer.wait(0).len(), 2);
    assert_eq!(peer.session.in_flight(), (0, 0));
    // At the end of time, nothing overflows.
    peer.request("tools/list", "{}").unwrap();
    assert!(peer.session.poll_timeout().is_none());
}

// Shows S6.
#[test]
fn r16_r17_a_duplicate_id_is_answered_once() {
    let mut peer = server();
    let first = peer.line(&call("1", "")).handle();
    peer.line(&call("1.0", ""))
        .event("ignored duplicateid")
        .broke(&[16])
        .nothing_sent();
    // Whatever is asked under it, or fails to be asked.
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":5}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
    ] {
        peer.line(line).nothing_sent();
    }
    // Of another type it is another id.
    let other = peer
        .line(&call("\"1\"", ""))
        .event("request tools/call")
        .handle();
    assert!(
        peer.respond(other, r#"{"content":[]}"#)
            .unwrap()
            .contains("\"id\":\"1\"")
    );
    assert!(
        peer.respond(first, r#"{"content":[]}"#)
            .unwrap()
            .contains("\"id\":1,")
    );
    let mut new = Peer::server(Revisions::MODERN, &[Capability::Tools]);
    new.line(&modern("1", "tools/list", "{}", ""));
    new.line(&modern("1", "tools/list", "{}", ""))
        .event("ignored duplicateid")
        .broke(&[17]);
}

// Shows S10.
#[test]
fn a_full_table_says_so_and_keeps_pings_and_cancellations_going() {
    let mut peer = server();
    let mut handles = Vec::new();
    for id in 0..4 {
        handles.push(peer.line(&call(&id.to_string(), "")).handle());
    }
    let saw = peer.line(&call("\"five\"", ""));
    saw.refused("\"five\"", -32603).event("");
    assert!(saw.one().contains(r#""data":{"limit":4}"#));
    peer.line(r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":9,"result":{}}"#);
    peer.line(&cancelled("2")).event("cancelled");
    peer.line(&call("\"six\"", "")).event("request tools/call");
    for _ in 0..4 {
        peer.request("roots/list", "{}").unwrap();
    }
    assert_eq!(
        peer.request("roots/list", "{}").unwrap_err(),
        SessionError::TableFull
    );
    let refused = peer.request("roots/list", "[]").unwrap_err();
    assert!(matches!(refused, SessionError::Write(_)));
}

#[test]
fn an_id_too_long_for_its_slot_is_refused_by_that_id() {
    let config = config(Revisions::LEGACY, &[Capability::Tools]);
    let mut session: Session<'_, Server, _> = Session::new(config, Memory::<2, 0, 80>::new());
    let mut line = |text: &str| saw(&session.receive(&parse(text.as_bytes(), &Limits::HOST), 0));
    line(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    );
    let long = format!("\"{}\"", "i".repeat(39));
    let refused = line(&call(&long, ""));
    refused.refused(&long, -32600);
    assert!(
        refused
            .one()
            .contains(r#"{"limit":"id-too-long","max":40,"length":41}"#)
    );
    let exact = format!("\"{}\"", "i".repeat(38));
    let it = line(&call(&exact, r#","_meta":{"progressToken":"t"}"#));
    // A token that does not fit is as if there were none.
    let info = session.incoming(it.event("request tools/call").handle());
    assert!(info.is_some_and(|it| !it.wants_progress));
    let mut none: Session<'_, Server, _> = Session::new(config, Memory::<0, 0, 0>::new());
    none.receive(&parse(br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#, &Limits::HOST), 0);
    saw(&none.receive(&parse(call("1", "").as_bytes(), &Limits::HOST), 0)).refused("1", -32603);
}

#[test]
fn handles_go_stale_and_never_mean_another_request() {
    let mut peer = server();
    let first = peer.line(&call("1", "")).handle();
    peer.respond(first, r#"{"content":[]}"#).unwrap();
    let second = peer.line(&call("1", "")).handle();
    assert_ne!(first, second);
    for stale in [first, Handle::from_bits(0), Handle::from_bits(u64::MAX)] {
        assert_eq!(
            peer.respond(stale, "{}").unwrap_err(),
            SessionError::StaleHandle
        );
        assert_eq!(
            peer.session
                .fail(stale, 1, "m", wireline::encode::Payload::None)
                .unwrap_err(),
            SessionError::StaleHandle
        );
        assert_eq!(peer.cancel(stale).unwrap_err(), SessionError::StaleHandle);
    }
    assert_eq!(Handle::from_bits(second.to_bits()), second);
    assert!(peer.respond(second, r#"{"content":[]}"#).is_ok());
}

#[test]
fn a_result_that_cannot_be_written_leaves_the_request_open() {
    let mut peer = server();
    let it = peer.line(&call("1", "")).handle();
    assert!(matches!(
        peer.respond(it, "[1]").unwrap_err(),
        SessionError::Write(_)
    ));
    let nan = wireline::json::from_fn(|w| {
        w.begin_object().key("x").decimal("NaN").end_object();
    });
    assert!(matches!(
        peer.session.respond(it, &nan).unwrap_err(),
        SessionError::Write(_)
    ));
    assert!(peer.respond(it, r#"{"content":[]}"#).is_ok());
}

#[test]
fn r104_a_result_without_what_its_method_asks_for_is_reported() {
    let mut peer = client();
    peer.request("tools/list", "{}").unwrap();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .event("ended result {}")
        .broke(&[104]);
}

#[test]
fn a33_what_no_revision_defines_passes_both_ways() {
    let mut peer = server();
    peer.line(r#"{"jsonrpc":"2.0","method":"acme/told","params":{"a":[1]}}"#)
        .event("notification unknown")
        .broke(&[]);
    let send = peer
        .session
        .notify("acme/tell", wireline::json::RawJson::EMPTY_OBJECT)
        .unwrap();
    assert!(!send.is_empty());
    let gate = |rule| SessionError::Gate(rule);
    let none = wireline::encode::Payload::None;
    for (method, rule) in [
        ("notifications/cancelled", Rule::R107),
        ("notifications/progress", Rule::R118),
        ("notifications/message", Rule::R126),
        ("notifications/initialized", Rule::R57),
        ("tools/call", Rule::R14),
        ("notifications/tools/list_changed", Rule::R81),
        ("notifications/roots/list_changed", Rule::R62),
    ] {
        assert_eq!(
            peer.session.notify(method, none).unwrap_err(),
            gate(rule),
            "{method}"
        );
    }
    assert_eq!(peer.request("notifications/x", "{}").map(drop), Ok(()));
    assert_eq!(
        peer.request("notifications/message", "{}").map(drop),
        Err(gate(Rule::R24))
    );
}

#[test]
fn a_streamed_answer_finds_its_request_before_its_line_ends() {
    use wireline::session::Route;
    use wireline::{StreamDecoder, StreamEvent};
    let mut peer = client();
    let (first, _) = peer.request("tools/list", "{}").unwrap();
    let routes = |peer: &Peer<Client>, line: &str| {
        let mut memory = [0; 512];
        let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED).unwrap();
        let bytes = format!("{line}\n");
        let mut rest = bytes.as_bytes();
        let mut all = Vec::new();
        while !rest.is_empty() {
            let (used, event) = decoder.step(rest);
            match event {
                StreamEvent::Head(head) | StreamEvent::End(head) => {
                    all.push(peer.session.route(&head));
                }
                _ => {}
            }
            rest = &rest[used..];
        }
        all.dedup();
        all
    };
    let early = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#;
    let late = r#"{"result":{"tools":[]},"jsonrpc":"2.0","id":1}"#;
    let other = r#"{"result":{"tools":[]},"jsonrpc":"2.0","id":7}"#;
    assert_eq!(routes(&peer, early), [Route::Known(first)]);
    assert_eq!(
        routes(&peer, late),
        [Route::Only(first), Route::Known(first)]
    );
    assert_eq!(routes(&peer, other), [Route::Only(first), Route::Unknown]);
    assert_eq!(
        routes(
            &peer,
            r#"{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{}}"#
        ),
        [Route::Unknown]
    );
    peer.request("tools/list", "{}").unwrap();
    assert_eq!(routes(&peer, late), [Route::Unknown, Route::Known(first)]);
}

#[test]
fn a_progress_token_too_long_to_be_kept_is_as_if_there_were_none() {
    let config = config(Revisions::LEGACY, &[Capability::Tools]);
    let mut session: Session<'_, Server, _> = Session::new(config, Memory::<1, 0, 300>::new());
    let mut line = |text: &str| saw(&session.receive(&parse(text.as_bytes(), &Limits::HOST), 0));
    line(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    );
    let token = format!(r#","_meta":{{"progressToken":"{}"}}"#, "t".repeat(140));
    let it = line(&call("1", &token)).handle();
    assert!(session.progress(it, Progress::new("1")).unwrap().is_empty());
}
