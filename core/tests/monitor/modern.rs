//! What the modern era asks of requests and of their refusal: R7, R8, R45 to R74, R84.

use wireline::Rule;

use super::{D, breaks, clean, discovered, opened};

const LIST: &str = "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{@M}}\n";
const LISTED: &str =
    "< {@J,\"id\":1,\"result\":{\"tools\":[],\"ttlMs\":0,\"cacheScope\":\"public\",@OK}}\n";
const TOOLS: &str = r#"{"tools":{}}"#;

#[test]
fn a_modern_client_responds_r7() {
    breaks(
        &discovered("{}"),
        "> {@J,\"id\":1,\"result\":{}}",
        &[(1, Rule::R7), (1, Rule::R18)],
    );
    clean(
        &opened(D, "{}", "{}"),
        "< {@J,\"id\":1,\"method\":\"ping\"}\n> {@J,\"id\":1,\"result\":{}}",
    );
}

#[test]
fn a_modern_server_requests_r8() {
    breaks(
        &discovered("{}"),
        "< {@J,\"id\":1,\"method\":\"ping\"}",
        &[(1, Rule::R8)],
    );
    // Nobody owes it an answer.
    breaks(
        &discovered("{}"),
        "< {@J,\"id\":1,\"method\":\"roots/list\"}\n+2000\n>.",
        &[(1, Rule::R8)],
    );
    clean(
        &opened(D, "{}", "{}"),
        "< {@J,\"id\":1,\"method\":\"ping\"}",
    );
    // A probe alone does not make the server a modern one.
    clean(
        "",
        "> {@J,\"id\":1,\"method\":\"server/discover\",\"params\":{@M}}\n< {@J,\"id\":1,\"method\":\"ping\"}",
    );
}

/// The same list without capabilities in `_meta`.
const BARE: &str = "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{@m}}}\n";

#[test]
fn a_request_without_meta_is_served_r45() {
    // A later one of the era shows that the server is of it.
    breaks(
        "",
        &format!("{BARE}{LISTED}"),
        &[(1, Rule::R43), (2, Rule::R45)],
    );
    breaks(
        "",
        &format!("{BARE}< {{@J,\"id\":1,\"error\":{{\"code\":-32602,\"message\":\"\"}}}}"),
        &[(1, Rule::R43)],
    );
    let refuse = |code| {
        format!(
            "{}< {{@J,\"id\":1,\"error\":{{\"code\":{code},\"message\":\"\"}}}}",
            BARE
        )
    };
    let server = opened_by_list();
    breaks(&server, &refuse(-32603), &[(1, Rule::R43), (2, Rule::R45)]);
    breaks(&server, &refuse(-32602), &[(1, Rule::R43)]);
    // A legacy server passes over `_meta`.
    breaks(
        "",
        &format!("{BARE}< {{@J,\"id\":1,\"result\":{{\"tools\":[]}}}}"),
        &[(1, Rule::R43)],
    );
}

/// A modern server that was not asked for what it has.
fn opened_by_list() -> String {
    format!("{LIST}{LISTED}").replace("\"id\":1", "\"id\":0")
}

#[test]
fn a_result_that_does_not_name_the_server_r46() {
    let without = LISTED.replace("@OK", "\"resultType\":\"complete\"");
    breaks("", &format!("{LIST}{without}"), &[(2, Rule::R46)]);
    clean("", &format!("{LIST}{LISTED}"));
}

#[test]
fn discovery_is_not_served_r64() {
    let discover = "> {@J,\"id\":1,\"method\":\"server/discover\",\"params\":{@M}}\n";
    let refuse = |code| {
        format!("{discover}< {{@J,\"id\":1,\"error\":{{\"code\":{code},\"message\":\"\"}}}}")
    };
    breaks(&opened_by_list(), &refuse(-32601), &[(2, Rule::R64)]);
    clean(&opened_by_list(), &refuse(-32603));
    // A legacy server does not know the method.
    clean("", &refuse(-32601));
}

#[test]
fn an_unsupported_version_is_not_refused_as_such_r65() {
    let server = discovered(TOOLS);
    let other = LIST.replace("@M", "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2099-01-01\",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},@C{}}");
    breaks(&server, &format!("{other}{LISTED}"), &[(2, Rule::R65)]);
    let refuse = |request: &str, error: &str| {
        format!("{request}< {{@J,\"id\":1,\"error\":{{\"message\":\"\",{error}}}}}")
    };
    breaks(
        &server,
        &refuse(&other, "\"code\":-32603"),
        &[(2, Rule::R65)],
    );
    breaks(
        &server,
        &refuse(&other, "\"code\":-32022"),
        &[(2, Rule::R65)],
    );
    breaks(
        &server,
        &refuse(
            &other,
            r#""code":-32022,"data":{"supported":["2026-07-28"]}"#,
        ),
        &[(2, Rule::R65)],
    );
    clean(
        &server,
        &refuse(
            &other,
            r#""code":-32022,"data":{"supported":["2026-07-28"],"requested":"2099-01-01"}"#,
        ),
    );
    // Refused for the version that it names as supported.
    breaks(
        &server,
        &refuse(
            LIST,
            r#""code":-32022,"data":{"supported":["2026-07-28"],"requested":"2026-07-28"}"#,
        ),
        &[(2, Rule::R65)],
    );
    clean(&server, &format!("{LIST}{LISTED}"));
    // A handshake says nothing of the modern era.
    clean(&opened(D, "{}", TOOLS), &format!("{LIST}{LISTED}"));
}

#[test]
fn a_request_is_served_by_what_an_earlier_one_said_r67() {
    let server = discovered(TOOLS);
    breaks(
        &server,
        &format!("{BARE}{LISTED}"),
        &[(1, Rule::R43), (2, Rule::R45), (2, Rule::R67)],
    );
    clean(&server, &format!("{LIST}{LISTED}"));
}

#[test]
fn a_modern_request_is_answered_as_a_legacy_one_r72() {
    let both = format!("{}\n{}", discovered(TOOLS), opened(D, "{}", TOOLS));
    let legacy =
        "< {@J,\"id\":1,\"result\":{\"tools\":[],\"ttlMs\":0,\"cacheScope\":\"public\",@S}}";
    breaks(
        &both,
        &format!("{LIST}{legacy}"),
        &[(2, Rule::R72), (2, Rule::R88)],
    );
    clean(&both, &format!("{LIST}{LISTED}"));
    clean(
        &both,
        "> {@J,\"id\":1,\"method\":\"tools/list\"}\n< {@J,\"id\":1,\"result\":{\"tools\":[]}}",
    );
}

#[test]
fn a_removed_method_is_served_r74() {
    let server = discovered(TOOLS);
    for (method, rest) in [
        ("ping", ""),
        ("logging/setLevel", "\"level\":\"info\","),
        ("resources/subscribe", "\"uri\":\"a:b\","),
    ] {
        let request =
            format!("> {{@J,\"id\":1,\"method\":\"{method}\",\"params\":{{{rest}@M}}}}\n");
        breaks(
            &server,
            &format!("{request}< {{@J,\"id\":1,\"result\":{{@OK}}}}"),
            &[(2, Rule::R74)],
        );
        clean(
            &server,
            &format!("{request}< {{@J,\"id\":1,\"error\":{{\"code\":-32601,\"message\":\"\"}}}}"),
        );
    }
}

#[test]
fn a_missing_capability_is_not_named_r84() {
    let server = discovered(TOOLS);
    let call = "> {@J,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",@M}}\n";
    let refuse = |data: &str| {
        format!("{call}< {{@J,\"id\":1,\"error\":{{\"code\":-32021,\"message\":\"\"{data}}}}}")
    };
    breaks(&server, &refuse(""), &[(2, Rule::R84)]);
    breaks(
        &server,
        &refuse(r#","data":{"requiredCapabilities":["sampling"]}"#),
        &[(2, Rule::R84)],
    );
    clean(
        &server,
        &refuse(r#","data":{"requiredCapabilities":{"sampling":{}}}"#),
    );
}

#[test]
fn a_log_message_that_nobody_asked_for_r128() {
    let server = discovered(r#"{"tools":{},"logging":{}}"#);
    let call = |level: &str| {
        format!(
            "> {{@J,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"t\",\"_meta\":{{@m,@C{{}}{level}}}}}}}\n"
        )
    };
    let asked = call(",\"io.modelcontextprotocol/logLevel\":\"warning\"");
    let log = |level: &str| {
        format!(
            "< {{@J,\"method\":\"notifications/message\",\"params\":{{\"level\":\"{level}\",\"data\":1}}}}\n"
        )
    };
    breaks(
        &server,
        &format!("{}{}", call(""), log("error")),
        &[(2, Rule::R128)],
    );
    breaks(
        &server,
        &format!("{asked}{}", log("info")),
        &[(2, Rule::R128)],
    );
    clean(&server, &format!("{asked}{}", log("error")));
    let done = "< {@J,\"id\":1,\"result\":{\"content\":[],@OK}}\n";
    breaks(
        &server,
        &format!("{asked}{done}{}", log("error")),
        &[(3, Rule::R128)],
    );
    // A cancellation and a message may cross; what the server had not read binds it not.
    let cancel = "> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
    let crossed = format!("{asked}{cancel}{}", log("error"));
    clean(&server, &crossed);
    breaks(
        &server,
        &format!("{asked}{cancel}{}", log("info")),
        &[(3, Rule::R128)],
    );
    breaks(
        &server,
        &format!("{asked}{cancel}+5000\n{}", log("error")),
        &[(3, Rule::R128)],
    );
    let read = format!(
        "{}{}",
        call("").replace("\"id\":1", "\"id\":2"),
        done.replace("\"id\":1", "\"id\":2")
    );
    breaks(
        &server,
        &format!("{asked}{cancel}{read}{}", log("error")),
        &[(5, Rule::R128)],
    );
    breaks(
        &discovered(TOOLS),
        &format!("{asked}{}", log("error")),
        &[(2, Rule::R126)],
    );
}

#[test]
fn both_eras_on_one_connection() {
    // A dual client's probe fails, or finds nothing, and the handshake follows.
    let probe = "> {@J,\"id\":\"p\",\"method\":\"server/discover\",\"params\":{@M}}\n";
    for answer in [
        "< {@J,\"id\":\"p\",\"error\":{\"code\":-32601,\"message\":\"\"}}",
        "< {@J,\"id\":\"p\",\"error\":{\"code\":-32602,\"message\":\"\",\"data\":\"\"}}",
        "< {@J,\"id\":\"p\",\"error\":{\"code\":0,\"message\":\"\"}}",
        "+10000",
    ] {
        clean(
            "",
            &format!(
                "{probe}{answer}\n{}\n> {{@J,\"id\":1,\"method\":\"ping\"}}\n< {{@J,\"id\":1,\"result\":{{}}}}",
                opened(D, "{}", "{}")
            ),
        );
    }
    // The answer to the probe may be late.
    clean(
        "",
        &format!(
            "{probe}{}\n< {{@J,\"id\":\"p\",\"error\":{{\"code\":-32601,\"message\":\"\"}}}}",
            opened(D, "{}", "{}")
        ),
    );
}

#[test]
fn a_handshake_after_an_error_of_the_modern_era_r70() {
    let probe = "> {@J,\"id\":0,\"method\":\"server/discover\",\"params\":{@M}}";
    let initialize = "> {@J,\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}";
    let refused = |code: i64, data: &str| {
        format!(
            "{probe}\n< {{@J,\"id\":0,\"error\":{{\"code\":{code},\"message\":\"no\",\"data\":{data}}}}}\n{initialize}"
        )
    };
    // What the server lacks is not the era.
    breaks(
        "",
        &refused(-32021, r#"{"requiredCapabilities":{"sampling":{}}}"#),
        &[(3, Rule::R70)],
    );
    // It names a revision that the client has asked for.
    breaks(
        "",
        &refused(
            -32022,
            r#"{"supported":["2026-07-28"],"requested":"2026-07-28"}"#,
        ),
        &[(2, Rule::R65), (3, Rule::R70)],
    );
    // None in common, or no error of that era: then it is right.
    clean(
        "",
        &refused(
            -32022,
            r#"{"supported":["2025-11-25"],"requested":"2026-07-28"}"#,
        ),
    );
    clean("", &refused(-32601, "{}"));
}
