use super::*;

const RULES: Rules = Rules {
    max_message: 1000,
    max_waiting: 4,
    hold: Duration::from_secs(10),
    repeat_handshake: true,
};

struct Bench {
    relay: Relay,
    now: Instant,
}

/// Takes what lies ready, as text.
impl Bench {
    fn new(rules: Rules) -> Self {
        let now = Instant::now();
        Self {
            relay: Relay::new(rules, Notes::new(false), now),
            now,
        }
    }

    fn up() -> Self {
        let mut bench = Self::new(RULES);
        bench.relay.up(bench.now);
        assert_eq!(bench.device_gets(), "\n");
        bench
    }

    fn client(&mut self, line: &str) {
        self.relay.client(format!("{line}\n").as_bytes());
    }

    fn device(&mut self, line: &str) {
        self.relay.device(format!("{line}\n").as_bytes());
    }

    fn device_gets(&mut self) -> String {
        let mut all = Vec::new();
        while !self.relay.to_device().is_empty() {
            let bytes = self.relay.to_device();
            let piece = &bytes[..bytes.len().min(7)];
            all.extend_from_slice(piece);
            let taken = piece.len();
            self.relay.device_took(taken);
        }
        String::from_utf8(all).expect("UTF-8")
    }

    fn client_gets(&mut self) -> String {
        let text = String::from_utf8(self.relay.to_client().to_vec()).expect("UTF-8");
        self.relay.client_took(text.len());
        text
    }

    fn notes(&mut self) -> String {
        let text = String::from_utf8(self.relay.notes.waiting().to_vec()).expect("UTF-8");
        self.relay.notes.written(text.len());
        text
    }

    fn later(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
        self.relay.tick(self.now);
    }

    /// A session of the legacy era is open.
    fn open(&mut self) {
        self.client(INITIALIZE);
        assert_eq!(self.device_gets(), format!("{INITIALIZE}\n"));
        self.device(r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}"#);
        self.client(INITIALIZED);
        assert_eq!(self.device_gets(), format!("{INITIALIZED}\n"));
        assert!(self.client_gets().contains("2025-11-25"));
    }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn ping(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

fn pong(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

fn cancelled(id: &str, why: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":{id},\"reason\":\"{why}\"}}}}\n"
    )
}

fn lost(id: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32000,\"message\":\"The connection to the device was lost before it answered\"}}}}\n"
    )
}

#[test]
fn messages_pass_as_they_were_written() {
    let mut it = Bench::up();
    let odd = r#"  {"id":"\u0061", "jsonrpc":"2.0","method":"ping"}  "#;
    it.client(&format!("{odd}\r"));
    assert_eq!(it.device_gets(), format!("{odd}\n"));
    // The same id, written otherwise.
    it.device(&pong("\"a\""));
    assert_eq!(it.client_gets(), format!("{}\n", pong("\"a\"")));
    it.device(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#);
    assert!(it.client_gets().contains("progress"));
    assert_eq!(it.notes(), "");
}

#[test]
fn what_is_no_message_never_reaches_the_client() {
    let mut it = Bench::up();
    it.client(&ping("1"));
    it.device_gets();
    it.device("boot ok \x1b[0m");
    it.device("");
    it.device(r#"{"jsonrpc":"2.0","id":1,"res"#);
    it.device(r#"rx {"jsonrpc":"2.0","id":1,"result":{}}"#);
    it.device(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#);
    it.relay.device(b"\xff\xfe\x00\n");
    assert_eq!(it.client_gets(), "");
    let notes = it.notes();
    for wanted in [
        "wireline bridge: noise: boot ok \\x1b[0m\n",
        "not passed on, cut at byte",
        "noise: rx {",
        "could not read a line: {\"code\":-32700",
        "noise: \\xff\\xfe\\x00\n",
    ] {
        assert!(notes.contains(wanted), "{wanted}: {notes}");
    }
    it.device(&pong("1"));
    assert_eq!(it.client_gets(), format!("{}\n", pong("1")));
}

#[test]
fn requests_that_the_device_had_are_answered_when_it_goes() {
    let mut it = Bench::up();
    it.client(&ping("1"));
    it.client(&ping("\"b\""));
    it.device_gets();
    it.device(&pong("1"));
    it.client_gets();
    // Torn in the middle: the device has not had it, but perhaps its beginning.
    it.client(&ping("3"));
    it.relay.device_took(5);
    // Not begun: still to be sent.
    it.client(&ping("4"));
    it.relay.device(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"resu");
    it.relay.down(it.now);
    assert_eq!(it.client_gets(), lost("\"b\"") + &lost("3"));
    assert!(
        it.notes()
            .contains("cut off: {\"jsonrpc\":\"2.0\",\"id\":3")
    );
    it.relay.up(it.now);
    // What the device has had is cancelled; it may not have restarted.
    let dropped = cancelled("\"b\"", "Nobody waits for the answer any more");
    assert_eq!(it.device_gets(), format!("\n{dropped}{}\n", ping("4")));
    // The rest of the torn answer begins no line of the new connection.
    it.device(&pong("4"));
    assert_eq!(it.client_gets(), format!("{}\n", pong("4")));
    // A late answer to what has been answered.
    it.device(&pong("3"));
    assert_eq!(it.client_gets(), "");
    assert!(
        it.notes()
            .contains("an answer to no request that waits, not passed on: id 3")
    );
}

#[test]
fn requests_are_kept_for_a_while_and_then_refused() {
    let mut it = Bench::new(RULES);
    it.client(&ping("1"));
    it.later(9);
    assert_eq!(it.client_gets(), "");
    it.later(1);
    assert!(it.client_gets().contains(
        "\"id\":1,\"error\":{\"code\":-32000,\"message\":\"The device is not connected\""
    ));
    it.client(&ping("2"));
    assert!(it.client_gets().contains("\"id\":2,\"error\""));
    it.client(INITIALIZED);
    it.relay.up(it.now);
    assert_eq!(it.device_gets(), "\n");
    it.client(&ping("3"));
    assert_eq!(it.device_gets(), format!("{}\n", ping("3")));
}

#[test]
fn the_handshake_is_repeated_before_anything_else() {
    let mut it = Bench::up();
    it.open();
    it.relay.down(it.now);
    it.client(&ping("7"));
    it.relay.up(it.now);
    assert_eq!(it.device_gets(), format!("\n{INITIALIZE}\n"));
    it.device(r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}"#);
    assert_eq!(it.client_gets(), "", "the client has had its answer");
    assert_eq!(it.device_gets(), format!("{INITIALIZED}\n{}\n", ping("7")));
    it.device(&pong("7"));
    assert_eq!(it.client_gets(), format!("{}\n", pong("7")));

    // A device that kept its session refuses; one that says nothing is not waited for.
    for refused in [true, false] {
        it.relay.down(it.now);
        it.client(&ping("8"));
        it.relay.up(it.now);
        assert_eq!(it.device_gets(), format!("\n{INITIALIZE}\n"));
        if refused {
            it.device(r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"no"}}"#);
        } else {
            it.later(5);
        }
        assert_eq!(it.device_gets(), format!("{}\n", ping("8")));
        it.device(&pong("8"));
        assert_eq!(it.client_gets(), format!("{}\n", pong("8")));
    }

    let mut it = Bench::new(Rules {
        repeat_handshake: false,
        ..RULES
    });
    it.relay.up(it.now);
    assert_eq!(it.device_gets(), "\n");
    it.open();
    it.relay.down(it.now);
    it.relay.up(it.now);
    assert_eq!(it.device_gets(), "\n");
}

const ANSWER: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}"#;

#[test]
fn a_handshake_that_is_answered_late_is_still_completed() {
    let mut it = Bench::up();
    it.open();
    it.relay.down(it.now);
    it.client(&ping("7"));
    it.client(&ping("8"));
    it.relay.up(it.now);
    assert_eq!(it.device_gets(), format!("\n{INITIALIZE}\n"));
    it.later(5);
    // What waited goes on, and the answer comes while a line of it is under way.
    it.relay.device_took(5);
    it.device(ANSWER);
    assert_eq!(it.client_gets(), "", "the client has had its answer");
    let rest = ping("7").split_off(5);
    assert_eq!(
        it.device_gets(),
        format!("{rest}\n{INITIALIZED}\n{}\n", ping("8"))
    );
    assert!(it.notes().contains("did not answer the repeated handshake"));
    // Once.
    it.device(ANSWER);
    assert_eq!(it.client_gets() + &it.device_gets(), "");
    assert!(it.notes().contains("an answer to no request that waits"));

    // The client's own notification has left meanwhile: no second one.
    let mut it = Bench::up();
    it.client(INITIALIZE);
    it.device_gets();
    it.device(ANSWER);
    it.client_gets();
    it.relay.down(it.now);
    it.client(INITIALIZED);
    it.relay.up(it.now);
    assert_eq!(it.device_gets(), format!("\n{INITIALIZE}\n"));
    it.later(5);
    assert_eq!(it.device_gets(), format!("{INITIALIZED}\n"));
    it.device(ANSWER);
    assert_eq!(it.client_gets() + &it.device_gets(), "");
}

#[test]
fn a_slow_line_has_taken_the_handshake_before_its_answer_is_waited_for() {
    let mut it = Bench::up();
    it.open();
    it.relay.down(it.now);
    it.client(&ping("7"));
    it.relay.up(it.now);
    let whole = format!("\n{INITIALIZE}\n");
    let mut got = String::new();
    while got.len() < whole.len() {
        let bytes = it.relay.to_device();
        got.push(bytes[0].into());
        it.relay.device_took(1);
        it.later(1);
    }
    assert_eq!(got, whole, "nothing else comes before the answer");
    it.later(3);
    assert_eq!(it.device_gets(), "");
    it.later(1);
    assert_eq!(it.device_gets(), format!("{}\n", ping("7")));
}

#[test]
fn initialized_is_not_forgotten_while_the_device_is_away() {
    // It waited until the hold ran out, or came after that.
    for late in [false, true] {
        let mut it = Bench::up();
        it.client(INITIALIZE);
        it.device_gets();
        it.device(ANSWER);
        it.client_gets();
        it.relay.down(it.now);
        if !late {
            it.client(INITIALIZED);
        }
        it.later(10);
        if late {
            it.client(INITIALIZED);
        }
        it.relay.up(it.now);
        assert_eq!(it.device_gets(), format!("\n{INITIALIZE}\n"));
        it.device(ANSWER);
        assert_eq!(it.device_gets(), format!("{INITIALIZED}\n"), "{late}");
        assert_eq!(it.client_gets(), "");
    }
}

#[test]
fn a_client_that_begins_anew_has_its_old_handshake_repeated_no_more() {
    let mut it = Bench::up();
    it.open();
    it.relay.down(it.now);
    it.later(10);
    it.client(&INITIALIZE.replace("\"id\":0", "\"id\":1"));
    assert!(it.client_gets().contains("\"id\":1,\"error\""));
    it.relay.up(it.now);
    assert_eq!(it.device_gets(), "\n");
    // The same while the handshake is under way: both are answered, each to whom it concerns.
    let mut it = Bench::up();
    it.open();
    it.relay.down(it.now);
    it.relay.up(it.now);
    assert_eq!(it.device_gets(), format!("\n{INITIALIZE}\n"));
    let anew = INITIALIZE.replace("\"id\":0", "\"id\":1");
    it.client(&anew);
    it.device(ANSWER);
    assert_eq!(it.client_gets(), "");
    assert_eq!(it.device_gets(), format!("{INITIALIZED}\n{anew}\n"));
    it.device(&ANSWER.replace("\"id\":0", "\"id\":1"));
    assert!(it.client_gets().contains("\"id\":1,\"result\""));
}

#[test]
fn the_echo_of_the_bridges_own_lines_reaches_nobody() {
    let mut it = Bench::up();
    it.open();
    it.client(&ping("5"));
    it.device_gets();
    it.relay.down(it.now);
    assert_eq!(it.client_gets(), lost("5"));
    it.relay.up(it.now);
    let sent = it.device_gets();
    // The line comes back, and then the answer.
    it.device(sent.trim());
    it.device(ANSWER);
    let sent = it.device_gets();
    let gone = cancelled("5", "Nobody waits for the answer any more");
    assert_eq!(sent, format!("{INITIALIZED}\n{gone}"));
    it.relay.device(sent.as_bytes());
    assert_eq!(it.client_gets(), "");

    // In the modern era the cancellations come first, and there may be many of them.
    let mut it = Bench::new(Rules {
        max_waiting: 100,
        ..RULES
    });
    it.relay.up(it.now);
    for n in 0..100 {
        it.client(&ping(&n.to_string()));
    }
    it.device_gets();
    it.relay.down(it.now);
    assert_eq!(it.client_gets().lines().count(), 100);
    it.relay.up(it.now);
    loop {
        let sent = it.relay.to_device().to_vec();
        if sent.is_empty() {
            break;
        }
        it.relay.device_took(sent.len());
        it.relay.device(&sent);
    }
    assert_eq!(it.client_gets(), "");

    // What the bridge cancels because it was waited for too long.
    let mut it = Bench::up();
    for n in 0..4 {
        it.client(&ping(&n.to_string()));
    }
    it.device_gets();
    it.later(300);
    it.client(&ping("4"));
    it.client_gets();
    let sent = it.device_gets();
    assert!(sent.contains("It was waited for too long"));
    it.relay.device(
        sent.split_inclusive('\n')
            .next()
            .unwrap_or_default()
            .as_bytes(),
    );
    assert_eq!(it.client_gets(), "");
}

#[test]
fn the_devices_own_requests_end_with_the_line() {
    let mut it = Bench::up();
    it.device(&ping("\"d1\""));
    it.device(&ping("\"d2\""));
    assert_eq!(
        it.client_gets(),
        format!("{}\n{}\n", ping("\"d1\""), ping("\"d2\""))
    );
    it.client(&pong("\"d1\""));
    assert_eq!(it.device_gets(), format!("{}\n", pong("\"d1\"")));
    it.relay.down(it.now);
    assert_eq!(
        it.client_gets(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"d2\",\"reason\":\"The connection to the device was lost\"}}\n"
    );
    it.relay.up(it.now);
    // Answers to the device that was there before.
    it.client(&pong("\"d2\""));
    assert_eq!(it.device_gets(), "\n");
    assert!(
        it.notes()
            .contains("an answer to no request of the device's: id \"d2\"")
    );
    // No more of them than the client's own.
    for n in 0..5 {
        it.device(&ping(&n.to_string()));
    }
    assert_eq!(it.client_gets().lines().count(), 4);
    assert!(it.device_gets().contains("\"id\":4,\"error\""));
}

#[test]
fn no_more_requests_wait_than_may() {
    let mut it = Bench::up();
    for n in 0..4 {
        it.client(&ping(&n.to_string()));
    }
    it.device_gets();
    it.client(&ping("4"));
    assert!(it.client_gets().contains(
        "\"id\":4,\"error\":{\"code\":-32000,\"message\":\"Too many requests wait for the device\""
    ));
    // One that is cancelled is not waited for.
    it.client(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#);
    it.client(&ping("5"));
    assert!(
        it.client_gets().contains("\"id\":5,\"error\""),
        "not cancelled before that has left"
    );
    assert!(it.device_gets().contains("cancelled"));
    it.client(&ping("6"));
    assert_eq!(it.device_gets(), format!("{}\n", ping("6")));
    it.relay.down(it.now);
    assert_eq!(
        it.client_gets(),
        lost("0") + &lost("1") + &lost("3") + &lost("6")
    );
}

#[test]
fn messages_over_the_ceiling_are_answered_by_their_ids() {
    let mut it = Bench::up();
    let long = "x".repeat(1000);
    it.client(&format!(
        r#"{{"jsonrpc":"2.0","method":"m","params":{{"a":"{long}"}},"id":"late"}}"#
    ));
    assert!(
        it.client_gets()
            .contains("\"id\":\"late\",\"error\":{\"code\":-32600")
    );
    assert_eq!(it.device_gets(), "");
    it.client(&ping("1"));
    it.device_gets();
    it.device(&format!(
        r#"{{"jsonrpc":"2.0","result":{{"a":"{long}"}},"id":1}}"#
    ));
    assert!(it.client_gets().contains(
        "\"id\":1,\"error\":{\"code\":-32603,\"message\":\"The device's answer is longer"
    ));
    it.device(&format!(
        r#"{{"jsonrpc":"2.0","method":"roots/list","params":{{"a":"{long}"}},"id":9}}"#
    ));
    assert_eq!(it.client_gets(), "");
    assert!(it.device_gets().contains("\"id\":9,\"error\""));
    it.client(&ping("2"));
    it.device_gets();
    // Valid JSON, a known id, and no valid answer.
    it.device(r#"{"jsonrpc":"1.0","result":{},"id":2}"#);
    assert!(it.client_gets().contains(
        "\"id\":2,\"error\":{\"code\":-32603,\"message\":\"The device's answer is not a valid one"
    ));
    it.device(&pong("2"));
    assert_eq!(it.client_gets(), "");
}

#[test]
fn what_the_client_says_wrong_is_the_devices_to_answer() {
    let mut it = Bench::up();
    let wrong = r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#;
    it.client(wrong);
    it.client("not json");
    let batch = format!("[{},{}]", ping("8"), ping("9"));
    it.client(&batch);
    assert_eq!(it.device_gets(), format!("{wrong}\nnot json\n{batch}\n"));
    it.device(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid Request"}}"#);
    assert!(it.client_gets().contains("Invalid Request"));
    let batch = format!("[{},{}]", pong("8"), pong("9"));
    it.device(&batch);
    assert_eq!(it.client_gets(), format!("{batch}\n"));
}

#[test]
fn a_request_that_is_never_answered_makes_room_in_the_end() {
    let mut it = Bench::up();
    it.client(&ping("\"s\"").replace("ping", "subscriptions/listen"));
    for n in 0..3 {
        it.client(&ping(&n.to_string()));
    }
    it.device_gets();
    it.later(299);
    it.client(&ping("4"));
    assert!(it.client_gets().contains("Too many requests wait"));
    it.later(1);
    it.client(&ping("5"));
    assert!(it.client_gets().contains(
        "\"id\":0,\"error\":{\"code\":-32000,\"message\":\"The device has not answered for too long"
    ));
    let old = cancelled("0", "It was waited for too long");
    assert_eq!(it.device_gets(), format!("{old}{}\n", ping("5")));
    it.device(&pong("0"));
    assert_eq!(it.client_gets(), "");
    // A subscription lasts, until the server ends it.
    it.client(&ping("6"));
    it.client(&ping("7"));
    assert_eq!(it.client_gets().lines().count(), 2);
    it.device_gets();
    it.client(&ping("8"));
    assert!(it.client_gets().contains("\"id\":8,\"error\""));
    it.device(cancelled("\"s\"", "over").trim_end());
    it.client_gets();
    it.client(&ping("9"));
    assert_eq!(it.device_gets(), format!("{}\n", ping("9")));
}

#[test]
fn the_devices_own_requests_make_room_too() {
    let mut it = Bench::up();
    // One that it takes back is not answered.
    for n in 0..20 {
        let n = n.to_string();
        it.device(&ping(&n));
        it.device(cancelled(&n, "never mind").trim_end());
    }
    assert_eq!(it.client_gets().lines().count(), 40);
    assert_eq!(it.device_gets(), "");
    for n in 20..24 {
        it.device(&ping(&n.to_string()));
    }
    it.client_gets();
    it.later(300);
    it.device(&ping("24"));
    assert_eq!(
        it.client_gets(),
        format!(
            "{}{}\n",
            cancelled("20", "It was waited for too long"),
            ping("24")
        )
    );
    assert!(it.device_gets().contains("\"id\":20,\"error\""));
    it.client(&pong("20"));
    assert_eq!(it.device_gets(), "");
}

#[test]
fn neither_side_runs_ahead_of_the_other() {
    let mut it = Bench::up();
    let line = format!(
        r#"{{"jsonrpc":"2.0","method":"m","params":{{"a":"{}"}}}}"#,
        "x".repeat(900)
    );
    let mut lines = 0;
    while it.relay.wants_client() {
        it.client(&line);
        lines += 1;
    }
    assert!(lines < 80, "{lines}");
    it.device_gets();
    assert!(it.relay.wants_client());
    let mut lines = 0;
    let line = line.replace("\"m\"", "\"n\"");
    while it.relay.wants_device() {
        it.device(&line);
        lines += 1;
    }
    assert!(lines < 80, "{lines}");
    assert!(!it.relay.wants_client(), "its answers would have no room");
    it.client_gets();
    assert!(it.relay.wants_device() && it.relay.wants_client());
}
