//! Tools that ask the client for something.

use crate::support::live::Live;
use crate::{PING, PONG, call, modern, says};

#[test]
fn the_legacy_era_asks_by_itself() {
    let mut live = Live::legacy(&[], r#"{"elicitation":{},"sampling":{},"roots":{}}"#);
    live.exchange(
        &call("1", "ask", r#"{"message":"Who?"}"#),
        r#"{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","description":"What to call you"}},"required":["name"]}}}"#,
    );
    // It goes on listening meanwhile.
    live.exchange(PING, PONG);
    live.exchange(
        r#"{"jsonrpc":"2.0","id":0,"result":{"action":"accept","content":{"name":"Ada"}}}"#,
        &says("1", r#"the user said {\"name\":\"Ada\"}"#),
    );
    live.exchange(
        &call("2", "sample", r#"{"prompt":"Hi"}"#),
        r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":100}}"#,
    );
    live.exchange(
        r#"{"jsonrpc":"2.0","id":1,"result":{"role":"assistant","content":{"type":"text","text":"Ho"},"model":"m"}}"#,
        &says("2", "the model said Ho"),
    );
    live.exchange(
        &call("3", "roots", "{}"),
        r#"{"jsonrpc":"2.0","id":2,"method":"roots/list","params":{}}"#,
    );
    live.exchange(
        r#"{"jsonrpc":"2.0","id":2,"result":{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}}"#,
        &says("3", r"file:///a\nfile:///b"),
    );
    live.send(&call("4", "ask", "{}"));
    assert!(live.line().contains(r#""id":3"#));
    let refused = live.ask(r#"{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"not now"}}"#);
    assert_eq!(refused["result"]["isError"], true);
    live.finish(&[]);
}

#[test]
fn a_question_is_taken_back_when_its_request_is_cancelled() {
    let mut live = Live::legacy(&[], r#"{"elicitation":{}}"#);
    live.send(&call("1", "ask", "{}"));
    assert!(
        live.line()
            .contains(r#""id":0,"method":"elicitation/create""#)
    );
    live.exchange(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}"#,
    );
    // A late answer changes nothing.
    live.send(r#"{"jsonrpc":"2.0","id":0,"result":{"action":"cancel"}}"#);
    live.exchange(PING, PONG);
    live.finish(&[]);
}

#[test]
fn the_modern_era_is_asked_to_come_again() {
    let mut live = Live::serve(&[]);
    let able = r#"{"elicitation":{}}"#;
    live.exchange(
        &modern("1", "tools/call", able, r#""name":"ask""#),
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"wireline-serve","version":"0.1.0"}},"inputRequests":{"answer":{"method":"elicitation/create","params":{"message":"What is your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","description":"What to call you"}},"required":["name"]}}}}}}"#,
    );
    live.exchange(
        &modern("2", "tools/call", able, r#""name":"ask","inputResponses":{"answer":{"action":"decline"},"more":1}"#),
        r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"wireline-serve","version":"0.1.0"}},"content":[{"type":"text","text":"the user's answer: decline"}]}}"#,
    );
    let again = live.ask(&modern(
        "3",
        "tools/call",
        able,
        r#""name":"ask","inputResponses":{"other":{}}"#,
    ));
    assert_eq!(again["result"]["resultType"], "input_required");
    live.finish(&[]);
}

#[test]
fn who_cannot_be_asked_is_not() {
    let mut live = Live::legacy(&[], "{}");
    for tool in ["ask", "sample", "roots"] {
        let refused = live.ask(&call("1", tool, "{}"));
        assert_eq!(refused["result"]["isError"], true, "{tool}");
    }
    for (tool, capability) in [
        ("ask", "elicitation"),
        ("sample", "sampling"),
        ("roots", "roots"),
    ] {
        let refused = live.ask(&modern(
            "1",
            "tools/call",
            "{}",
            &format!(r#""name":"{tool}""#),
        ));
        assert_eq!(refused["error"]["code"], -32021, "{tool}");
        let required = &refused["error"]["data"]["requiredCapabilities"];
        assert!(required[capability].is_object(), "{tool}: {refused}");
    }
    live.finish(&[]);
}
