//! A service over a session: literal bytes in, literal bytes out.

#[path = "support/board.rs"]
#[allow(dead_code, unreachable_pub)]
mod board;

use board::Board;
use wireline::encode::Payload;
use wireline::json::RawJson;
use wireline::mcp::Role;
use wireline::mcp::write::{
    BlobResource, CallToolResult, Content, GetPromptResult, ImageContent, PromptMessage,
    ReadResourceResult, TextContent,
};
use wireline::server::{Completions, Done, Failed, Tool, Toolkit};
use wireline::session::{Change, Config, Implementation, Progress, SessionError};
use wireline::{schema, toolkit};

/// What is sent for these lines.
fn says(board: &mut Board, lines: &[&str]) -> String {
    board.feed((lines.join("\n") + "\n").as_bytes())
}

/// One line for each of the expected ones, in their order.
#[track_caller]
fn check(board: &mut Board, lines: &[&str], expected: &[&str]) {
    let sent = says(board, lines);
    let sent: Vec<&str> = sent.split_terminator('\n').collect();
    assert_eq!(sent, expected);
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A request of the modern era.
fn modern(id: u32, method: &str, params: &str) -> String {
    let comma = if params.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{comma}{META}}}}}"#
    )
}

#[test]
fn a_call_is_pulled_and_answered() {
    let mut board = Board::opened();
    check(
        &mut board,
        &[
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"length","arguments":{"t":"h\u00e9\ud83d\ude00"}}}"#,
        ],
        &[r#"{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"3"}]}}"#],
    );
    check(
        &mut board,
        &[r#"{"method":"tools\/call","params":{"name":"f\u0061ils"},"jsonrpc":"2.0","id":2}"#],
        &[
            r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"it broke"}],"isError":true}}"#,
        ],
    );
}

#[test]
fn a_call_of_the_modern_era_says_who_answers() {
    let mut board = Board::fresh();
    check(
        &mut board,
        &[&modern(
            1,
            "tools/call",
            r#""name":"length","arguments":{"t":"ab"}"#,
        )],
        &[
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"board","version":"1.0"}},"content":[{"type":"text","text":"2"}]}}"#,
        ],
    );
}

#[test]
fn an_answer_may_come_later_and_in_another_order() {
    let mut board = Board::opened();
    let call = |id| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"sleep"}}}}"#
        )
    };
    check(&mut board, &[&call(1), &call(2)], &[]);
    check(
        &mut board,
        &[r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#],
        &[r#"{"jsonrpc":"2.0","id":3,"result":{}}"#],
    );
    let [first, second] = board.open[..] else {
        panic!()
    };
    assert!(!board.service.is_cancelled(second));
    let send = board.service.finish(second, &Done("two")).unwrap();
    assert_eq!(
        Board::sent(&send),
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"two\"}]}}\n",
    );
    let send = board.service.finish(first, &Failed("one")).unwrap();
    assert!(Board::sent(&send).contains(r#""id":1,"#));
    assert!(board.service.is_cancelled(first));
    let again = board.service.finish(first, &Done("one")).unwrap_err();
    assert_eq!(again, SessionError::StaleHandle);
}

/// Shows R104.
#[test]
fn an_answer_of_another_method_is_refused_and_changes_nothing() {
    let mut board = Board::opened();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep"}}"#;
    check(&mut board, &[call], &[]);
    let handle = board.open[0];
    let completions = Completions::new(&[]);
    let wrong = board.service.finish(handle, &completions);
    assert!(matches!(wrong, Err(SessionError::Gate(rule)) if rule.number() == 104));
    assert!(board.service.finish(handle, &Done("")).is_ok());
}

/// B161, B055: unknown tools, bad arguments, unknown methods.
#[test]
fn mistakes_have_their_codes() {
    let mut board = Board::opened();
    check(
        &mut board,
        &[
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"no/such"}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"none"}}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":"{\"t\":1}"}}"#,
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo","arguments":5}}"#,
            r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":null}}"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":{}}}"#,
            r#"{"jsonrpc":"2.0","id":8,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":"ping-1","method":"ping"}"#,
        ],
        &[
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: no_such_tool"}}"#,
            r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown prompt: none"}}"#,
            r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"The arguments are not an object"}}"#,
            r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"The arguments are not an object"}}"#,
            r#"{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"{}"}]}}"#,
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Invalid params","data":{"member":"name"}}}"#,
            r#"{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"Invalid params","data":{"member":"name"}}}"#,
            r#"{"jsonrpc":"2.0","id":"ping-1","result":{}}"#,
        ],
    );
}

/// B038: readers differ on which of two counts, so neither does.
#[test]
fn parameters_that_stand_twice_decide_nothing() {
    for (method, params) in [
        (
            "tools/call",
            r#""name":"echo","arguments":{"t":"a"},"arguments":{"t":"b"}"#,
        ),
        (
            "tools/call",
            r#""name":"sleep","n\u0061me":"echo","arguments":{"t":"a"}"#,
        ),
        ("tools/list", r#""cursor":"t0","cursor":"t1""#),
        ("resources/read", r#""uri":"a:1","uri":"a:2""#),
        (
            "completion/complete",
            r#""ref":{"type":"ref/prompt","name":"a","name":"b"},"argument":{"name":"x","value":""}"#,
        ),
        (
            "completion/complete",
            r#""ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"x","value":"","value":"y"}"#,
        ),
    ] {
        let mut board = Board::opened();
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#);
        let said = says(&mut board, &[&line]);
        assert!(
            said.contains(r#""code":-32602"#) && said.contains("stands twice"),
            "{line}: {said}"
        );
        assert!(board.open.is_empty());
    }
}

#[test]
fn arguments_that_do_not_fit_are_told_to_the_model_from_2025_11_25_on() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"length","arguments":{"t":1}}}"#;
    let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid arguments: /t: not of type string"}}"#;
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        check(&mut Board::opened_by(revision), &[call], &[error]);
    }
    let failed = r#""content":[{"type":"text","text":"Invalid arguments: /t: not of type string"}],"isError":true}}"#;
    let sent = says(&mut Board::opened(), &[call]);
    assert_eq!(
        sent,
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{{failed}\n")
    );
    let call = modern(1, "tools/call", r#""name":"length","arguments":{"t":1}"#);
    let sent = says(&mut Board::fresh(), &[&call]);
    assert!(sent.ends_with(&format!("{failed}\n")), "{sent}");
    // The call itself has not come to the program.
    let sent = says(
        &mut Board::opened(),
        &[r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"length"}}"#],
    );
    assert!(sent.contains("Invalid arguments: /t: missing"), "{sent}");
}

#[test]
fn an_answer_over_the_ceiling_becomes_an_error_and_no_torn_line() {
    let call = |n| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"big","arguments":{{"n":{n}}}}}}}"#
        )
    };
    // The line's own bytes, its end included, beside the text's.
    let around =
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""}]}}"#.len() + 1;
    let most = 1024 - around;
    let sent = says(&mut Board::opened(), &[&call(most)]);
    assert_eq!(sent.len(), 1024);
    check(
        &mut Board::opened(),
        &[
            &call(most + 1),
            r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        ],
        &[
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The result is longer than the server may send"}],"isError":true}}"#,
            r#"{"jsonrpc":"2.0","id":2,"result":{}}"#,
        ],
    );
    let mut board = Board::opened();
    let read =
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"board://log"}}"#;
    check(&mut board, &[read], &[]);
    let text = "x".repeat(1024);
    let result = format!(r#"{{"contents":[{{"uri":"board://log","text":"{text}"}}]}}"#);
    let result = RawJson::validate(result.as_bytes()).unwrap();
    let send = board.service.finish_with(board.open[0], result).unwrap();
    assert_eq!(
        Board::sent(&send),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"The answer is longer than the server may send\"}}\n",
    );
}

static NARROW: Toolkit<'_> = toolkit! {
    tools: &[Tool::new("sleep", "", schema!({}))],
    line: 256,
};

static TALKATIVE: Config<'_> = Config::new(Implementation::new("s", "1"))
    .with_capabilities(
        NARROW
            .capabilities()
            .with(wireline::mcp::Capability::ResourcesSubscribe),
    )
    .with_instructions(
        "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\
         0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
    );

#[test]
fn answers_of_the_session_are_within_the_ceiling() {
    let board = || Board::with(&NARROW, &TALKATIVE);
    // The revision that is asked for is not repeated, if it is too long.
    let asks = |version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        )
    };
    let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"]"#;
    let longest = 256 - (error.len() + r#","requested":""}}}"#.len() + 1);
    let version = "9".repeat(longest);
    check(
        &mut board(),
        &[&asks(&version), &asks(&(version.clone() + "9"))],
        &[
            &format!(r#"{error},"requested":"{version}"}}}}}}"#),
            &format!(r#"{error},"requested":""}}}}}}"#),
        ],
    );
    // The instructions are left out where they have no room; what has none even so is an error.
    check(
        &mut board(),
        &[&modern(2, "server/discover", "")],
        &[
            r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"The answer is longer than the server may send"}}"#,
        ],
    );
    check(
        &mut board(),
        &[
            r#"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        ],
        &[
            r#"{"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true},"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
        ],
    );
    // What could not be answered opens nothing: another may.
    let initialize = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
        )
    };
    let id = format!("\"{}\"", "i".repeat(100));
    let mut fresh = board();
    check(
        &mut fresh,
        &[
            &initialize(&id),
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        ],
        &[
            &format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32603,"message":"The answer is longer than the server may send"}}}}"#
            ),
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"The session is not initialized"}}"#,
        ],
    );
    assert_eq!(fresh.told, [""; 0]);
    assert!(
        says(&mut fresh, &[&initialize("2")]).contains(r#""id":2,"result":{"protocolVersion""#)
    );
    // An error goes without its data, and keeps its code.
    let lacking = |id: &str| {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}}}}"#
        );
        says(&mut board(), &[&line])
    };
    let data = r#","data":{"member":"io.modelcontextprotocol/clientCapabilities"}"#;
    let error = |id: &str, data: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32602,\"message\":\"Invalid params\"{data}}}}}\n"
        )
    };
    let id = format!("\"{}\"", "i".repeat(126));
    assert_eq!(lacking("1"), error("1", data));
    assert!(error(&id, data).len() > 256);
    assert_eq!(lacking(&id), error(&id, ""));
    // What a subscription covers is what the client wrote.
    let uris = |n: usize| {
        let uri = "u".repeat(n);
        modern(
            4,
            "subscriptions/listen",
            &format!(r#""notifications":{{"resourceSubscriptions":["x:{uri}"]}}"#),
        )
    };
    let sent = says(&mut board(), &[&uris(8)]);
    assert!(
        sent.contains("notifications/subscriptions/acknowledged"),
        "{sent}"
    );
    check(
        &mut board(),
        &[&uris(256)],
        &[
            r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"The answer is longer than the server may send"}}"#,
        ],
    );
}

#[test]
fn an_error_that_is_shortened_says_what_its_code_means() {
    let mut board = Board::with(&NARROW, &TALKATIVE);
    let id = format!("\"{}\"", "i".repeat(120));
    let uri = "u".repeat(120);
    let read = format!(r#""id":{id},"method":"resources/read","params":{{"uri":"x:{uri}""#);
    let opening = r#"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    says(&mut board, &[opening]);
    check(
        &mut board,
        &[
            &format!(r#"{{"jsonrpc":"2.0",{read}}}}}"#),
            &format!(r#"{{"jsonrpc":"2.0",{read},{META}}}}}"#),
        ],
        &[
            &format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32002,"message":"Resource not found"}}}}"#
            ),
            &format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"Invalid params"}}}}"#
            ),
        ],
    );
}

#[test]
fn a_result_that_is_replaced_is_of_no_extension() {
    let mut board = Board::fresh();
    let ask = modern(1, "tools/call", r#""name":"sleep""#).replace(
        r#"clientCapabilities":{}"#,
        r#"clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#,
    );
    check(&mut board, &[&ask], &[]);
    let text = format!(r#"{{"task":"{}"}}"#, "x".repeat(1024));
    let task = RawJson::validate(text.as_bytes()).unwrap();
    let reply = wireline::session::Reply::new(task).with_result_type("task");
    let send = board.service.finish_with(board.open[0], reply).unwrap();
    let sent = Board::sent(&send);
    assert!(
        sent.contains(r#""result":{"resultType":"complete","#),
        "{sent}"
    );
    assert!(sent.contains(r#""isError":true"#), "{sent}");
}

#[test]
fn a_text_is_an_answer_that_borrows_nothing_else() {
    let call = |id| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"sleep"}}}}"#
        )
    };
    let mut board = Board::opened();
    check(&mut board, &[&call(1), &call(2)], &[]);
    let [first, second] = board.open[..] else {
        panic!()
    };
    let one = board
        .service
        .finish_text(first, "on\u{e9}\n", false)
        .unwrap();
    let two = board.service.finish_text(second, "off", true).unwrap();
    let again = board.service.finish_text(first, "x", true).unwrap_err();
    assert_eq!(again, SessionError::StaleHandle);
    assert_eq!(
        Board::sent(&one),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"on\u{e9}\\n\"}]}}\n",
    );
    assert_eq!(
        Board::sent(&two),
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"off\"}],\"isError\":true}}\n",
    );
    // The same bytes as of `Done` and `Failed`, in the modern era as well, and the same ceiling.
    let mut board = Board::fresh();
    let ask = [1, 2, 3, 4].map(|id| modern(id, "tools/call", r#""name":"sleep""#));
    check(&mut board, &ask.each_ref().map(String::as_str), &[]);
    let open = board.open.clone();
    let done = Board::sent(&board.service.finish(open[0], &Done("t")).unwrap());
    let text = Board::sent(&board.service.finish_text(open[1], "t", false).unwrap());
    assert_eq!(done.replace("\"id\":1", "\"id\":2"), text);
    let long = "x".repeat(1024);
    let failed = Board::sent(&board.service.finish(open[2], &Failed(&*long)).unwrap());
    let text = Board::sent(&board.service.finish_text(open[3], &long, true).unwrap());
    assert_eq!(failed.replace("\"id\":3", "\"id\":4"), text);
    assert!(text.contains("The result is longer"), "{text}");
    let mut board = Board::opened();
    let read =
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"board://log"}}"#;
    check(&mut board, &[read], &[]);
    let wrong = board.service.finish_text(board.open[0], "x", false);
    assert!(matches!(wrong, Err(SessionError::Gate(rule)) if rule.number() == 104));
}

#[test]
fn what_a_client_writes_does_not_lengthen_an_error_over_the_ceiling() {
    // Each of these characters is six in a string.
    let name = "\\u0001".repeat(200);
    let sent = says(
        &mut Board::opened(),
        &[&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}"}}}}"#
        )],
    );
    assert!(
        sent.contains(r#""message":"Unknown tool: \u0001"#),
        "{sent}"
    );
    assert!(sent.contains("\u{2026}\"}}"), "{sent}");
    assert!(sent.len() < 1024, "{sent}");
}

/// Shows R33: the codes are those of the revision.
#[test]
fn resources_are_found_by_their_uri_or_a_template() {
    let read = |uri: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{"uri":"{uri}"}}}}"#
        )
    };
    for (uri, told) in [
        ("board:\\/\\/log", "read board://log: None"),
        ("board://pins/7", "read board://pins/7: Some(\"7\")"),
        (
            "board://pins/\\u0037%20",
            "read board://pins/7%20: Some(\"\\u0037%20\")",
        ),
        (
            "board://pins/7/a.b.json",
            "read board://pins/7/a.b.json: Some(\"7\")",
        ),
    ] {
        let mut board = Board::opened();
        check(&mut board, &[&read(uri)], &[]);
        assert_eq!(board.told, [told]);
    }
    for uri in [
        "board://pins/",
        "board://pins/7/",
        "board://pins/7/.json",
        "board://pins/7/a.jso",
        "board://pins/7/a.jsonx",
        "board://pins/7?",
        "board://Log",
        "",
        "board://pins/\\ud800",
    ] {
        let sent = says(&mut Board::opened(), &[&read(uri)]);
        assert!(
            sent.contains(r#""error":{"code":-32002,"message":"Resource not found"#),
            "{sent}"
        );
    }
    let sent = says(
        &mut Board::fresh(),
        &[&modern(1, "resources/read", r#""uri":"x:y""#)],
    );
    assert_eq!(
        sent,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"Resource not found: x:y\"}}\n",
    );
}

#[test]
fn a_resource_that_a_template_matches_may_still_not_be_there() {
    let mut board = Board::opened();
    let read =
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"board://pins/99"}}"#;
    check(&mut board, &[read], &[]);
    let send = board.service.not_found(board.open[0]).unwrap();
    assert_eq!(
        Board::sent(&send),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32002,\"message\":\"Resource not found\"}}\n",
    );
    let mut board = Board::fresh();
    says(
        &mut board,
        &[&modern(1, "resources/read", r#""uri":"board://pins/99""#)],
    );
    let send = board.service.not_found(board.open[0]).unwrap();
    assert!(Board::sent(&send).contains(r#""code":-32602"#));
}

#[test]
fn a_prompt_gets_strings_and_all_that_it_requires() {
    let get = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{{"name":"explain"{arguments}}}}}"#
        )
    };
    let mut board = Board::opened();
    check(
        &mut board,
        &[&get(r#","arguments":{"pin":"3","else":"x"}"#)],
        &[],
    );
    assert_eq!(board.told, [r#"get explain: Some("3")"#]);
    for (arguments, why) in [
        ("", "/pin: missing"),
        (r#","arguments":{"tone":"dry"}"#, "/pin: missing"),
        (r#","arguments":{"pin":3}"#, "/pin: not of type string"),
        (
            r#","arguments":{"pin":"3","x":[]}"#,
            "/x: not of type string",
        ),
        (
            r#","arguments":{"pin":"3","p\u0069n":"4"}"#,
            "/pin: there twice",
        ),
    ] {
        check(
            &mut Board::opened(),
            &[&get(arguments)],
            &[&format!(
                r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32602,"message":"Invalid arguments: {why}"}}}}"#
            )],
        );
    }
}

#[test]
fn arguments_and_variables_are_completed() {
    let complete = |of: &str, argument: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{{"ref":{of},"argument":{argument}}}}}"#
        )
    };
    let values = r#"{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["high","low"],"total":2,"hasMore":false}}}"#;
    let prompt = r#"{"type":"ref/prompt","name":"explain"}"#;
    let template = r#"{"type":"ref/resource","uri":"board://pins/{pin}"}"#;
    for (of, argument, expected) in [
        (prompt, r#"{"name":"pin","value":"h"}"#, values),
        (template, r#"{"name":"pin","value":""}"#, values),
        (prompt, r#"{"name":"x","value":"h"}"#, "Unknown argument: x"),
        (
            template,
            r#"{"name":"what","value":"h"}"#,
            "Unknown argument: what",
        ),
        (
            prompt,
            r#"{"name":"pin"}"#,
            "The argument lacks its name or its value",
        ),
        (
            r#"{"type":"ref/prompt","name":"p"}"#,
            r#"{"name":"a","value":""}"#,
            "Unknown prompt: p",
        ),
        (
            r#"{"type":"ref/resource","uri":"board://log"}"#,
            r#"{"name":"a","value":""}"#,
            "Unknown resource template: board://log",
        ),
        (
            r#"{"type":"ref/tool"}"#,
            r#"{"name":"a","value":""}"#,
            "The reference is of no known type",
        ),
    ] {
        let error = format!(
            r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32602,"message":"{expected}"}}}}"#
        );
        let expected = if expected == values { values } else { &error };
        check(
            &mut Board::opened(),
            &[&complete(of, argument)],
            &[expected],
        );
    }
}

/// Shows R105.
#[test]
fn no_more_than_a_hundred_values_are_sent() {
    let values = ["v"; 101];
    let mut buffer = [0; 1024];
    let text = wireline::json::write(&Completions::new(&values), &mut buffer).unwrap();
    let text = std::str::from_utf8(text).unwrap();
    assert_eq!(text.matches("\"v\"").count(), 100);
    assert!(
        text.ends_with(r#"],"total":101,"hasMore":true}}"#),
        "{text}"
    );
    let text = wireline::json::write(&Completions::some_of(&["a"], None), &mut buffer).unwrap();
    assert_eq!(text, br#"{"completion":{"values":["a"],"hasMore":true}}"#);
}

#[test]
fn changes_are_told_to_whom_asked() {
    let mut board = Board::opened();
    check(
        &mut board,
        &[
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"board://log"}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"board://no"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"board://log"}}"#,
        ],
        &[
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"Resource not found: board://no"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
        ],
    );
    let listen = |id| {
        modern(
            id,
            "subscriptions/listen",
            r#""notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["board://log"]}"#,
        )
    };
    let acknowledged = |id| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}},"notifications":{{"toolsListChanged":true,"resourceSubscriptions":["board://log"]}}}}}}"#
        )
    };
    check(
        &mut board,
        &[&listen(7), &listen(8)],
        &[&acknowledged(7), &acknowledged(8)],
    );
    let mut tell = |change| {
        let (mut cursor, mut lines) = (0, Vec::new());
        while let Some(send) = board.service.changed(change, &mut cursor) {
            lines.push(Board::sent(&send));
        }
        lines
    };
    assert_eq!(
        tell(Change::Tools),
        [
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":7}}}\n",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":8}}}\n",
        ]
    );
    // Not declared, so not granted.
    assert!(tell(Change::Prompts).is_empty());
    // A resource's URIs are the program's to know: no subscription is told unasked.
    let update = Change::Resource("board://log");
    assert_eq!(
        tell(update),
        [
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"board://log\"}}\n",
        ]
    );
    let handle = board.listening[1];
    assert_eq!(
        Board::sent(&board.service.changed_for(handle, update).unwrap()),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":8},\"uri\":\"board://log\"}}\n"
    );
    check(
        &mut board,
        &[r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#],
        &[],
    );
    assert_eq!(board.told.last().unwrap(), "cancelled None");
}

#[test]
fn other_methods_come_to_the_program_if_it_says_so() {
    use wireline::server::Toolkit;
    use wireline::session::{Config, Implementation};
    static TABLES: Toolkit<'_> = wireline::toolkit! { other_methods: true };
    static CONFIG: Config<'_> = Config::new(Implementation::new("board", "1.0"));
    let mut board = Board::with(&TABLES, &CONFIG);
    says(&mut board, &[board::OPENING]);
    check(
        &mut board,
        &[r#"{"jsonrpc":"2.0","id":1,"method":"led/set"}"#],
        &[],
    );
    assert_eq!(board.told.last().unwrap(), "other Some(\"led/set\")");
    let handle = board.open[0];
    let send = board.service.finish_with(handle, Payload::None).unwrap();
    assert_eq!(
        Board::sent(&send),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
    );
    // What is defined, but needs a capability that is not declared, does not.
    check(
        &mut board,
        &[r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#],
        &[r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}"#],
    );
}

#[test]
fn progress_goes_only_to_whom_asked() {
    let mut board = Board::opened();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep"}}"#;
    check(&mut board, &[call], &[]);
    let half = Progress::new("0.5").of("1").saying("half way");
    let send = board.service.progress(board.open[0], half).unwrap();
    assert!(send.is_empty());
}

/// What is written is checked in pieces of three bytes, too: see `Board::sent`.
#[test]
fn results_of_all_kinds_are_written_from_what_they_borrow() {
    let mut board = Board::opened();
    says(
        &mut board,
        &[
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"board://log"}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"explain","arguments":{"pin":"1"}}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sleep"}}"#,
        ],
    );
    let [read, get, call] = board.open[..] else {
        panic!()
    };
    let service = &mut board.service;
    let bytes: Vec<u8> = (0..=255).collect();
    let blobs = [BlobResource::new("board://log", &bytes[..]).mime_type("x/y")];
    let result = ReadResourceResult::new(&blobs);
    let sent = Board::sent(&service.finish(read, &result).unwrap());
    assert!(sent.starts_with(r#"{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"board://log","blob":"AAECAwQFBgcICQoL"#));
    assert!(
        sent.ends_with("+/w==\",\"mimeType\":\"x/y\"}]}}\n"),
        "{sent}"
    );

    let messages = [PromptMessage::new(Role::User, TextContent::new("why?"))];
    let result = GetPromptResult::new(&messages).description("asks");
    assert_eq!(
        Board::sent(&service.finish(get, &result).unwrap()),
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"why?\"}}],\"description\":\"asks\"}}\n",
    );

    let level = RawJson::validate(br#"{"level":3}"#).unwrap();
    let blocks: [Content<'_>; 2] = [
        TextContent::new("3").into(),
        ImageContent::new(b"GIF", "image/gif").into(),
    ];
    let result = CallToolResult::new(&blocks).structured_content(&level);
    assert_eq!(
        Board::sent(&service.finish(call, &result).unwrap()),
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"3\"},{\"type\":\"image\",\"data\":\"R0lG\",\"mimeType\":\"image/gif\"}],\"structuredContent\":{\"level\":3}}}\n",
    );
}

/// An answer that cannot be written leaves its request open, to be answered otherwise.
#[test]
fn an_answer_that_cannot_be_written_changes_nothing() {
    let mut board = Board::opened();
    says(
        &mut board,
        &[r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep"}}"#],
    );
    let handle = board.open[0];
    let array = RawJson::validate(b"[]").unwrap();
    let error = board.service.finish_with(handle, array).unwrap_err();
    assert!(matches!(error, SessionError::Write(_)), "{error:?}");
    assert!(!board.service.is_cancelled(handle));
    let error = board
        .service
        .fail(handle, -32603, "It broke", Payload::None);
    assert_eq!(
        Board::sent(&error.unwrap()),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"It broke\"}}\n",
    );
}

/// Shows MR1, R92: a tool asks for input, and is called again with it.
#[test]
fn a_call_of_the_modern_era_may_ask_for_input_first() {
    let mut board = Board::fresh();
    let call = modern(1, "tools/call", r#""name":"sleep""#);
    assert_eq!(says(&mut board, &[&call]), "");
    let handle = board.open[0];
    let send = board.service.session_mut().ask(handle, &[], Some("s1"));
    let sent = Board::sent(&send.unwrap());
    assert!(
        sent.contains(r#""result":{"resultType":"input_required","#),
        "{sent}"
    );
    assert!(board.service.is_cancelled(handle));
    let call = modern(2, "tools/call", r#""name":"echo","requestState":"s1""#);
    assert!(says(&mut board, &[&call]).contains(r#""id":2,"result""#));
}
