//! The life of a request: answers, cancellation, progress: R28, R107 to R121.

use wireline::Rule;

use super::{A, B, D, breaks, clean, discovered, opened};

const PING: &str = "> {@J,\"id\":1,\"method\":\"ping\"}\n";
const PONG: &str = "< {@J,\"id\":1,\"result\":{}}\n";

#[test]
fn a_second_answer_r28() {
    let open = opened(D, "{}", "{}");
    breaks(&open, &format!("{PING}{PONG}{PONG}"), &[(3, Rule::R28)]);
    breaks(
        &open,
        &format!("{PING}{PONG}< {{@J,\"id\":1,\"error\":{{\"code\":1,\"message\":\"\"}}}}"),
        &[(3, Rule::R28)],
    );
    clean(&open, &format!("{PING}{PONG}"));
}

#[test]
fn an_answer_that_never_comes_r28() {
    let open = opened(D, "{}", "{}");
    breaks(&open, &format!("{PING}>.\n<."), &[(3, Rule::R28)]);
    clean(&open, &format!("{PING}{PONG}>.\n<."));
    // A server that ends by itself may not have read what came just before.
    breaks(&open, &format!("{PING}+1001\n<."), &[(2, Rule::R28)]);
    clean(&open, &format!("{PING}<."));
    // Of the server's requests, those sent when the client was about to end are owed nothing.
    breaks(
        &open,
        "< {@J,\"id\":1,\"method\":\"ping\"}\n+1001\n>.\n<.",
        &[(2, Rule::R28)],
    );
    clean(&open, "< {@J,\"id\":1,\"method\":\"ping\"}\n>.\n<.");
    clean(&open, ">.\n< {@J,\"id\":1,\"method\":\"ping\"}\n+2000\n<.");
    // Nor are those that were cancelled.
    clean(
        &open,
        &format!(
            "{PING}> {{@J,\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":1}}}}\n>.\n<."
        ),
    );
    // A line that could not be read may have been the answer.
    breaks(
        &open,
        &format!("{PING}< {{\"result\":{{}},\"id\":\n>.\n<."),
        &[(2, Rule::R1)],
    );
}

const CALL: &str = "> {@J,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\n";
const DONE: &str = "< {@J,\"id\":1,\"result\":{\"content\":[]}}\n";
const CANCEL: &str = "> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
const TOOLS: &str = r#"{"tools":{}}"#;

#[test]
fn a_cancellation_of_what_is_not_open_r107() {
    let open = opened(D, "{}", TOOLS);
    // Never asked.
    breaks(&open, CANCEL, &[(1, Rule::R107)]);
    // The other side's.
    breaks(
        &open,
        "< {@J,\"id\":1,\"method\":\"ping\"}\n> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
        &[(2, Rule::R107)],
    );
    // Answered long ago; an answer and a cancellation may cross, though.
    breaks(
        &open,
        &format!("{CALL}{DONE}+1001\n{CANCEL}"),
        &[(3, Rule::R107)],
    );
    clean(&open, &format!("{CALL}{DONE}+999\n{CANCEL}"));
    clean(&open, &format!("{CALL}{CANCEL}"));
    clean(&open, &format!("{CALL}{CANCEL}{CANCEL}"));
    // Another type of id is another id.
    breaks(
        &open,
        &format!(
            "{CALL}> {{@J,\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":\"1\"}}}}"
        ),
        &[(2, Rule::R107)],
    );
}

#[test]
fn an_answer_after_the_cancellation_r108() {
    let open = opened(D, "{}", TOOLS);
    let error = "< {@J,\"id\":1,\"error\":{\"code\":0,\"message\":\"Request cancelled\"}}\n";
    breaks(&open, &format!("{CALL}{CANCEL}{error}"), &[(3, Rule::R108)]);
    // The answer may have been under way, until the server shows that it has read on.
    clean(&open, &format!("{CALL}{CANCEL}{DONE}"));
    let ping = "> {@J,\"id\":2,\"method\":\"ping\"}\n< {@J,\"id\":2,\"result\":{}}\n";
    breaks(
        &open,
        &format!("{CALL}{CANCEL}{ping}{DONE}"),
        &[(5, Rule::R108)],
    );
    breaks(
        &open,
        &format!("{CALL}{CANCEL}+1001\n{DONE}"),
        &[(3, Rule::R108)],
    );
    // Once cancelled and answered, it is answered.
    clean(&open, &format!("{CALL}{DONE}{CANCEL}"));
    let modern = discovered(TOOLS);
    let call = "> {@J,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",@M}}\n";
    let done = "< {@J,\"id\":1,\"result\":{\"content\":[],@OK}}\n";
    breaks(
        &modern,
        &format!("{call}{CANCEL}+2000\n{done}"),
        &[(3, Rule::R108)],
    );
    clean(&modern, &format!("{call}{CANCEL}{done}"));
    clean(&modern, &format!("{call}{CANCEL}{error}"));
    breaks(
        &modern,
        &format!("{call}{CANCEL}< {{@J,\"id\":1,\"error\":{{\"code\":-32800,\"message\":\"\"}}}}"),
        &[(3, Rule::R108)],
    );
}

#[test]
fn a_cancellation_of_nothing_r111() {
    let cancel = "> {@J,\"method\":\"notifications/cancelled\",\"params\":{}}";
    breaks(&opened(A, "{}", "{}"), cancel, &[(1, Rule::R111)]);
    breaks(&discovered("{}"), cancel, &[(1, Rule::R111)]);
    // 2025-11-25 leaves it out for tasks.
    clean(&opened(D, "{}", "{}"), cancel);
    breaks(
        &opened(D, "{}", "{}"),
        "> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{}}}",
        &[(1, Rule::R111)],
    );
}

#[test]
fn the_server_cancels_what_is_no_subscription_r113() {
    let modern = discovered(TOOLS);
    let cancel = "< {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
    breaks(
        &modern,
        &format!(
            "> {{@J,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"t\",@M}}}}\n{cancel}"
        ),
        &[(2, Rule::R113)],
    );
    breaks(&modern, cancel, &[(1, Rule::R113)]);
    clean(
        &modern,
        &format!(
            "> {{@J,\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{{\"notifications\":{{}},@M}}}}\n{cancel}"
        ),
    );
}

fn call(id: &str, token: &str) -> String {
    format!(
        "> {{@J,\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"t\",\"_meta\":{{\"progressToken\":{token}}}}}}}\n"
    )
}

fn progress(token: &str, value: &str) -> String {
    format!(
        "< {{@J,\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":{token},\"progress\":{value}}}}}\n"
    )
}

#[test]
fn a_token_that_is_none_or_is_in_use_r117() {
    let open = opened(D, "{}", TOOLS);
    for token in ["1.5", "true", "null", "{}"] {
        breaks(&open, &call("1", token), &[(1, Rule::R117)]);
    }
    breaks(
        &open,
        &format!("{}{}", call("1", "7"), call("2", "7")),
        &[(2, Rule::R117)],
    );
    clean(&open, &format!("{}{}", call("1", "7"), call("2", "\"7\"")));
    clean(
        &open,
        &format!("{}{DONE}{}", call("1", "7"), call("2", "7")),
    );
}

#[test]
fn progress_of_nothing_r118() {
    let open = opened(D, "{}", TOOLS);
    breaks(
        &open,
        &format!("{}{}", call("1", "7"), progress("8", "1")),
        &[(2, Rule::R118)],
    );
    breaks(
        &open,
        &format!("{}{}", call("1", "7"), progress("\"7\"", "1")),
        &[(2, Rule::R118)],
    );
    breaks(
        &open,
        "< {@J,\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}",
        &[(1, Rule::R118)],
    );
    // The request asked for none.
    breaks(
        &open,
        &format!("{CALL}{}", progress("1", "1")),
        &[(2, Rule::R118)],
    );
    clean(&open, &format!("{}{}", call("1", "7"), progress("7", "1")));
    clean(&open, &format!("{}{}", call("1", "0"), progress("0", "1")));
    clean(
        &open,
        &format!("{}{}", call("1", "\"\""), progress("\"\"", "1")),
    );
}

#[test]
fn progress_that_does_not_rise_r119() {
    let open = opened(D, "{}", TOOLS);
    let told = |values: [&str; 3]| {
        let lines: String = values.iter().map(|value| progress("7", value)).collect();
        format!("{}{lines}", call("1", "7"))
    };
    breaks(&open, &told(["1", "1.0", "2"]), &[(3, Rule::R119)]);
    breaks(
        &open,
        &told(["1", "0.5", "0.7"]),
        &[(3, Rule::R119), (4, Rule::R119)],
    );
    breaks(&open, &told(["1e3", "999", "1001"]), &[(3, Rule::R119)]);
    clean(&open, &told(["0", "0.0000000000000000000000001", "0.1"]));
    clean(&open, &told(["-1", "9007199254740992", "9007199254740993"]));
    breaks(
        &open,
        &format!(
            "{}< {{@J,\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":7}}}}",
            call("1", "7")
        ),
        &[(2, Rule::R119)],
    );
}

#[test]
fn progress_after_the_answer_r120() {
    let open = opened(B, "{}", TOOLS);
    breaks(
        &open,
        &format!("{}{DONE}{}", call("1", "7"), progress("7", "1")),
        &[(3, Rule::R120)],
    );
    clean(
        &open,
        &format!("{}{}{DONE}", call("1", "7"), progress("7", "1")),
    );
    // The token is the next request's by then.
    clean(
        &open,
        &format!(
            "{}{DONE}{}{}",
            call("1", "7"),
            call("2", "7"),
            progress("7", "1")
        ),
    );
}

#[test]
fn progress_of_a_modern_client_r121() {
    let told = "> {@J,\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}";
    breaks(&discovered("{}"), told, &[(1, Rule::R121)]);
    let ask = "< {@J,\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1,\"_meta\":{\"progressToken\":1}}}";
    clean(
        &opened(D, r#"{"sampling":{}}"#, "{}"),
        &format!("{ask}\n{told}"),
    );
}
