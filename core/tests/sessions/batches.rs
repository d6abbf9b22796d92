//! Batches: the one revision that has them, and all others.

use wireline::mcp::{Capability, Revision, Revisions};
use wireline::session::{Gathering, Handle, Memory, Server, Session};
use wireline::{Limits, LineDecoder};

use crate::harness::{Saw, config, modern, saw};

type Tables = Gathering<Memory<4, 2, 256>, 300>;

struct Peer {
    session: Session<'static, Server, Tables>,
    decoder: LineDecoder<Vec<u8>>,
}

impl Peer {
    fn new(version: &str) -> Self {
        let config = config(Revisions::LEGACY, &[Capability::Tools]);
        let limits = Limits::HOST.with_batches(true);
        let mut peer = Peer {
            session: Session::new(config, Tables::new(Memory::new())),
            decoder: LineDecoder::new(Vec::new(), limits),
        };
        if !version.is_empty() {
            peer.line(&format!(r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#));
            peer.line(crate::harness::INITIALIZED);
        }
        peer
    }

    fn opened() -> Self {
        Peer::new("2025-03-26")
    }

    /// What followed from each element, and the array, if one was due.
    fn line(&mut self, line: &str) -> (Vec<Saw>, Option<String>) {
        let bytes = format!("{line}\n");
        let mut input = bytes.as_bytes();
        let mut all = Vec::new();
        while let Some(item) = self.decoder.next_in(&mut input) {
            all.push(saw(&self.session.receive(&item.result(), 0)));
        }
        (all, self.array())
    }

    fn array(&mut self) -> Option<String> {
        let line = std::str::from_utf8(self.session.take_batch()?).unwrap();
        assert!(line.ends_with("]\n"));
        let text = line.trim_end().to_owned();
        assert!(self.session.take_batch().is_none(), "it is given once");
        wireline::json::RawJson::validate(text.as_bytes()).unwrap();
        Some(text)
    }

    fn respond(&mut self, handle: Handle) -> Option<String> {
        let raw = wireline::json::RawJson::validate(br#"{"tools":[]}"#).unwrap();
        assert!(self.session.respond(handle, raw).unwrap().is_empty());
        self.array()
    }
}

const LIST: &str = r#"{"jsonrpc":"2.0","id":"l","method":"tools/list"}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;

#[test]
fn r6_r29_a22_answers_leave_as_one_array() {
    let mut peer = Peer::opened();
    let (all, array) = peer.line(&format!(
        r#"[{PING},{NOTE},5,{{"jsonrpc":"2.0","id":"1","method":"ping"}}]"#
    ));
    assert!(all.iter().all(|it| it.sent.is_empty()));
    assert_eq!(
        array.unwrap(),
        r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}},{"jsonrpc":"2.0","id":"1","result":{}}]"#
    );
    // Only notifications: nothing at all.
    let (all, array) = peer.line(&format!("[{NOTE},{NOTE}]"));
    assert!(array.is_none() && all.iter().all(|it| it.sent.is_empty()));
    // Empty: one error, and no array.
    let (all, array) = peer.line("[]");
    assert!(array.is_none());
    all[0]
        .sent(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}"#)
        .broke(&[29]);
}

#[test]
fn a_batch_waits_for_its_slowest_answer() {
    let mut peer = Peer::opened();
    let (all, array) = peer.line(&format!("[{LIST},{PING}]"));
    assert!(array.is_none());
    let handle = all[0].event("request tools/list").handle();
    // What comes meanwhile is answered by itself.
    let (all, array) = peer.line(&PING.replace(":1", ":2"));
    all[0].sent(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
    assert!(array.is_none());
    // A second batch is not taken while the first is open, and harms nothing.
    let (all, _) = peer.line(&format!("[{PING},{PING}]"));
    assert_eq!(all.iter().map(|it| it.sent.len()).sum::<usize>(), 1);
    all[0].sent(
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"No batch is taken now"}}"#,
    );
    assert_eq!(
        peer.respond(handle).unwrap(),
        r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"l","result":{"tools":[]}}]"#
    );
    let (_, array) = peer.line(&format!("[{PING}]"));
    assert!(array.is_some(), "the next one is taken");
}

#[test]
fn a_cancelled_element_is_not_waited_for() {
    let mut peer = Peer::opened();
    let (all, _) = peer.line(&format!("[{PING},{LIST}]"));
    let handle = all[1].handle();
    let (all, array) = peer
        .line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}"#);
    all[0].event("cancelled");
    assert_eq!(array.unwrap(), r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#);
    assert!(
        peer.session
            .respond(handle, wireline::json::RawJson::EMPTY_OBJECT)
            .is_err()
    );
    // All of it cancelled: nothing is owed, and the next batch is taken.
    peer.line(&format!("[{LIST}]"));
    let (_, array) = peer
        .line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}"#);
    assert!(array.is_none());
    assert!(peer.line(&format!("[{PING}]")).1.is_some());
}

#[test]
fn an_answer_that_does_not_fit_becomes_an_error_for_its_id() {
    let mut peer = Peer::opened();
    let (all, _) = peer.line(&format!("[{LIST}]"));
    let long = format!(r#"{{"tools":["{}"]}}"#, "x".repeat(300));
    let raw = wireline::json::RawJson::validate(long.as_bytes()).unwrap();
    assert!(
        peer.session
            .respond(all[0].handle(), raw)
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        peer.array().unwrap(),
        r#"[{"jsonrpc":"2.0","id":"l","error":{"code":-32603,"message":"The answer does not fit into the batch"}}]"#
    );
    // Where even that has no room, it leaves by itself: nobody waits for ever.
    let pings: Vec<String> = (0..9)
        .map(|id| PING.replace(":1", &format!(":{id}")))
        .collect();
    let (all, array) = peer.line(&format!("[{}]", pings.join(",")));
    let array = array.unwrap();
    let inside = array.matches("\"id\"").count();
    let outside: usize = all.iter().map(|it| it.sent.len()).sum();
    assert_eq!(inside + outside, 9);
    assert!(array.len() < 300 && outside > 0);
}

#[test]
fn ls4_r30_initialize_in_a_batch_is_refused() {
    let mut peer = Peer::new("");
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    let (all, array) = peer.line(&format!("[{initialize},{PING}]"));
    assert!(array.is_none());
    assert_eq!(all.iter().map(|it| it.sent.len()).sum::<usize>(), 1);
    assert!(all[0].one().contains("-32600"));
    assert_eq!(peer.session.revision(), None);
    let mut peer = Peer::opened();
    let (all, array) = peer.line(&format!("[{initialize}]"));
    all[0].broke(&[30]);
    assert!(array.unwrap().contains(r#""id":1,"error":{"code":-32600"#));
}

#[test]
fn r31_r62_other_revisions_take_none() {
    for revision in Revisions::LEGACY.without(Revision::V2025_03_26).iter() {
        let mut peer = Peer::new(revision.name());
        let (all, array) = peer.line(&format!("[{PING},{LIST}]"));
        assert!(array.is_none());
        // The first revision says nothing of batches.
        let forbidden = revision != Revision::V2024_11_05;
        all[0].broke(if forbidden { &[5, 31] } else { &[] });
        assert!(all[0].one().contains("-32600"));
        all[1].event("ignored fault").nothing_sent();
        // The line after it is as good as ever.
        let (all, _) = peer.line(PING);
        all[0].sent(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    }
}

#[test]
fn r31_nor_does_the_modern_era() {
    let config = config(Revisions::ALL, &[Capability::Tools]);
    let limits = Limits::HOST.with_batches(true);
    let mut peer = Peer {
        session: Session::new(config, Tables::new(Memory::new())),
        decoder: LineDecoder::new(Vec::new(), limits),
    };
    let list = modern("7", "tools/list", "{}", "");
    // Before anything is agreed on it may be one of the revision that has them.
    let (all, _) = peer.line(&format!("[{list}]"));
    all[0].broke(&[]);
    peer.line(&list);
    let (all, array) = peer.line(&format!("[{list},{list}]"));
    assert!(array.is_none());
    assert!(all[0].broke(&[5, 31]).one().contains("-32600"));
    all[1].broke(&[]).nothing_sent();
}

#[test]
fn a23_answers_to_our_requests_may_come_in_a_batch() {
    let mut peer = Peer::opened();
    let (handle, _) = peer.session.ping(0).unwrap();
    let (all, array) =
        peer.line(r#"[{"jsonrpc":"2.0","id":0,"result":{}},{"jsonrpc":"2.0","id":7,"result":{}}]"#);
    assert_eq!(all[0].event("ended result {}").handle(), handle);
    all[1].event("ignored unknownid");
    assert!(array.is_none());
}

#[test]
fn a23_answers_are_taken_from_a_batch_that_is_refused() {
    let mut peer = Peer::opened();
    let (all, _) = peer.line(&format!("[{LIST}]"));
    let open = all[0].handle();
    let (first, _) = peer.session.ping(0).unwrap();
    let (second, _) = peer.session.ping(0).unwrap();
    let (all, array) = peer.line(&format!(
        r#"[{{"jsonrpc":"2.0","id":0,"result":{{}}}},{PING},{NOTE},{{"jsonrpc":"2.0","id":1,"result":{{}}}}]"#
    ));
    assert!(array.is_none());
    assert_eq!(
        all[0].event("ended result {}").nothing_sent().handle(),
        first
    );
    assert!(
        all[1]
            .event("ignored fault")
            .one()
            .contains("No batch is taken now")
    );
    all[2].event("notification unknown").nothing_sent();
    assert_eq!(
        all[3].event("ended result {}").nothing_sent().handle(),
        second
    );
    assert!(peer.respond(open).is_some());
    // Where the revision has no batches nothing in one counts, and responses are not answered.
    let mut other = Peer::new("2025-06-18");
    other.session.ping(0).unwrap();
    for answer in [r#""result":{}"#, r#""result":5"#] {
        let (all, _) = other.line(&format!(r#"[{{"jsonrpc":"2.0","id":0,{answer}}}]"#));
        all[0].event("ignored fault").broke(&[5, 31]).nothing_sent();
    }
}

#[test]
fn r6_r25_what_needs_no_answer_is_taken_from_a_batch_that_is_refused() {
    let mut peer = Peer::opened();
    let (all, _) = peer.line(&format!("[{LIST},{PING}]"));
    let open = all[0].handle();
    // A cancellation, and an answer that is none: neither has anything said about it.
    let (ours, _) = peer.session.ping(0).unwrap();
    let (all, array) = peer.line(
        r#"[{"jsonrpc":"2.0","id":0,"result":5},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}]"#,
    );
    assert_eq!(
        all[0].event("ended bad-response").nothing_sent().handle(),
        ours
    );
    assert_eq!(all[1].event("cancelled").nothing_sent().handle(), open);
    // Nothing else of the first batch is waited for.
    assert_eq!(array.unwrap(), r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#);
}

#[test]
fn without_room_to_gather_no_batch_is_taken() {
    let config = config(Revisions::LEGACY, &[]);
    let mut session: Session<'_, Server, _> = Session::new(config, Memory::<2, 0, 128>::new());
    let limits = Limits::HOST.with_batches(true);
    let mut decoder = LineDecoder::new(Vec::new(), limits);
    let lines = format!(
        "{}\n[{PING}]\n",
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
    );
    let mut input = lines.as_bytes();
    let mut last = None;
    while let Some(item) = decoder.next_in(&mut input) {
        last = Some(saw(&session.receive(&item.result(), 0)));
    }
    assert!(last.unwrap().one().contains("No batch is taken now"));
    assert!(session.take_batch().is_none());
}

#[test]
fn a_batch_over_the_ceiling_is_refused_as_one() {
    let mut peer = Peer::opened();
    peer.decoder = LineDecoder::new(
        Vec::new(),
        Limits::HOST.with_batches(true).with_message(100),
    );
    let (all, array) = peer.line(&format!("[{PING},{PING},{PING}]"));
    assert!(array.is_none());
    all[0]
        .sent(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}"#);
}

/// Reads no more than so many elements of a line, and goes on with another decoder.
fn cut(peer: &mut Peer, line: &str, elements: usize) -> Vec<Saw> {
    let bytes = format!("{line}\n");
    let mut input = bytes.as_bytes();
    let mut all = Vec::new();
    for _ in 0..elements {
        let item = peer.decoder.next_in(&mut input).unwrap();
        all.push(saw(&peer.session.receive(&item.result(), 0)));
    }
    peer.decoder = LineDecoder::new(Vec::new(), Limits::HOST.with_batches(true));
    all
}

#[test]
fn a_batch_whose_rest_never_comes_ends_with_the_next_line() {
    // What it has asked is answered once something else comes.
    let mut peer = Peer::opened();
    cut(&mut peer, &format!("[{PING},{LIST}]"), 1);
    assert!(peer.array().is_none(), "the rest may come yet");
    let (all, array) = peer.line(&PING.replace(":1", ":2"));
    all[0].sent(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
    assert_eq!(array.unwrap(), r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#);
    assert!(peer.line(&format!("[{PING}]")).1.is_some());
    // Where an answer is still to be given, it is waited for, and another batch refused until then.
    let open = cut(&mut peer, &format!("[{LIST},{PING}]"), 1)[0].handle();
    let (all, array) = peer.line(&format!("[{PING}]"));
    assert!(all[0].one().contains("No batch is taken now"));
    assert!(array.is_none());
    assert_eq!(
        peer.respond(open).unwrap(),
        r#"[{"jsonrpc":"2.0","id":"l","result":{"tools":[]}}]"#
    );
    assert!(peer.line(&format!("[{PING}]")).1.is_some());
    // Nothing is owed for one that asked for nothing yet.
    cut(&mut peer, &format!("[{NOTE},{PING}]"), 1);
    assert!(peer.line(&format!("[{PING}]")).1.is_some());
}

#[test]
fn a_batch_that_is_refused_stays_refused_when_the_open_one_is_taken() {
    let mut peer = Peer::opened();
    let (all, _) = peer.line(&format!("[{LIST}]"));
    let handle = all[0].handle();
    let second = format!("[{PING},{PING},{PING}]\n");
    let mut input = second.as_bytes();
    let first = saw(&peer
        .session
        .receive(&peer.decoder.next_in(&mut input).unwrap().result(), 0));
    assert!(first.one().contains("-32600"));
    assert!(peer.respond(handle).is_some());
    while let Some(item) = peer.decoder.next_in(&mut input) {
        saw(&peer.session.receive(&item.result(), 0))
            .event("ignored fault")
            .nothing_sent();
    }
    assert!(peer.array().is_none());
    assert!(peer.line(&format!("[{PING}]")).1.is_some());
}

/// Alone it would be as deep as a line may be; in the array it would be deeper.
#[test]
fn an_answer_too_deep_for_the_array_becomes_an_error() {
    let deep = |arrays: usize| format!(r#"{{"d":{}{}}}"#, "[".repeat(arrays), "]".repeat(arrays));
    for (arrays, fits) in [(124, true), (125, false)] {
        let mut peer = Peer::opened();
        let (saw, _) = peer.line(&format!("[{LIST}]"));
        let text = deep(arrays);
        let raw = wireline::json::RawJson::validate(text.as_bytes()).unwrap();
        peer.session.respond(saw[0].handle(), raw).unwrap();
        let array = peer.array().unwrap();
        let error = r#"[{"jsonrpc":"2.0","id":"l","error":{"code":-32603,"#;
        assert_eq!(array.starts_with(error), !fits, "{array}");
        let mut line = array.into_bytes();
        line.push(b'\n');
        let limits = Limits::HOST.with_batches(true);
        let mut decoder = LineDecoder::new(Vec::new(), limits);
        let mut rest = line.as_slice();
        let item = decoder.next_in(&mut rest).unwrap().result();
        assert_eq!(item.unwrap().id().unwrap().as_raw(), "\"l\"");
    }
}
