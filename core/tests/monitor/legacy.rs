//! The handshake, revisions and capabilities of the legacy era: R51 to R63, R75 to R87.

use wireline::Rule;

use super::{A, B, C, D, breaks, clean, discovered, opened};

const INITIALIZE: &str = r#"> {@J,"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
"#;
const ANSWER: &str = r#"< {@J,"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
"#;

#[test]
fn a_request_before_initialize_r51() {
    breaks(
        "",
        "> {@J,\"id\":1,\"method\":\"tools/list\"}",
        &[(1, Rule::R51)],
    );
    breaks(
        "",
        "> {@J,\"method\":\"notifications/initialized\"}",
        &[(1, Rule::R51)],
    );
    clean(
        "",
        &format!("> {{@J,\"id\":1,\"method\":\"ping\"}}\n{INITIALIZE}"),
    );
    // A probe of the modern era may come first, and its cancellation.
    clean(
        "",
        &format!(
            "> {{@J,\"id\":1,\"method\":\"server/discover\",\"params\":{{@M}}}}\n> {{@J,\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":1}}}}\n{INITIALIZE}"
        ),
    );
}

#[test]
fn a_second_initialize_r51() {
    let open = opened(D, r#"{"roots":{}}"#, r#"{"logging":{}}"#);
    let refused = "< {@J,\"id\":0,\"error\":{\"code\":-32600,\"message\":\"\"}}\n";
    breaks(&open, &format!("{INITIALIZE}{refused}"), &[(1, Rule::R51)]);
    // What it brings, and its answer, change nothing of what was settled.
    let older = ANSWER.replace("2025-11-25", "2024-11-05");
    let roots =
        "< {@J,\"id\":1,\"method\":\"roots/list\"}\n> {@J,\"id\":1,\"result\":{\"roots\":[]}}\n";
    let log =
        "< {@J,\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n";
    breaks(
        &open,
        &format!("{INITIALIZE}{older}\n{roots}{log}"),
        &[(1, Rule::R51)],
    );
    // After a refusal another is right, and before the answer nothing has been settled.
    clean(
        "",
        &format!(
            "{INITIALIZE}{refused}{}",
            INITIALIZE.replace("\"id\":0", "\"id\":1")
        ),
    );
    clean(
        "",
        &format!("{INITIALIZE}{}", INITIALIZE.replace("\"id\":0", "\"id\":1")),
    );
}

#[test]
fn an_initialize_without_its_members_r52() {
    for params in [
        r#"{"capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#,
        r#"{"protocolVersion":"2025-11-25","clientInfo":{"name":"c","version":"1"}}"#,
        r#"{"protocolVersion":"2025-11-25","capabilities":{}}"#,
        r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c"}}"#,
    ] {
        breaks(
            "",
            &format!("> {{@J,\"id\":0,\"method\":\"initialize\",\"params\":{params}}}"),
            &[(1, Rule::R52)],
        );
    }
    clean("", INITIALIZE);
}

#[test]
fn an_answer_to_initialize_without_its_members_r54() {
    for result in [
        r#"{"capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#,
        r#"{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"}}"#,
        r#"{"protocolVersion":"2025-11-25","capabilities":{}}"#,
        r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"version":"1"}}"#,
    ] {
        breaks(
            "",
            &format!("{INITIALIZE}< {{@J,\"id\":0,\"result\":{result}}}"),
            &[(2, Rule::R54)],
        );
    }
    clean("", &format!("{INITIALIZE}{ANSWER}"));
}

#[test]
fn a_version_that_the_server_supports_is_declined_r55() {
    let names = |versions: &str| {
        format!(
            "> {{@J,\"id\":\"d\",\"method\":\"server/discover\",\"params\":{{@M}}}}\n< {{@J,\"id\":\"d\",\"result\":{{\"supportedVersions\":{versions},\"capabilities\":{{}},\"ttlMs\":0,\"cacheScope\":\"public\",@OK}}}}\n"
        )
    };
    let older = ANSWER.replace("2025-11-25", "2025-06-18");
    breaks(
        "",
        &format!(
            "{}{INITIALIZE}{older}",
            names(r#"["2025-11-25","2025-06-18"]"#)
        ),
        &[(4, Rule::R55)],
    );
    clean(
        "",
        &format!("{}{INITIALIZE}{older}", names(r#"["2025-06-18"]"#)),
    );
    clean("", &format!("{INITIALIZE}{older}"));
    // A handshake cannot lead into the modern era.
    let modern = ANSWER.replace("2025-11-25", "2026-07-28");
    breaks("", &format!("{INITIALIZE}{modern}"), &[(2, Rule::R55)]);
}

#[test]
fn initialized_is_never_sent_r57() {
    let call =
        "> {@J,\"id\":1,\"method\":\"tools/list\"}\n< {@J,\"id\":1,\"result\":{\"tools\":[]}}\n";
    breaks(
        "",
        &format!("{INITIALIZE}{ANSWER}{call}>."),
        &[(5, Rule::R57)],
    );
    clean(
        "",
        &format!("{INITIALIZE}{ANSWER}> {{@J,\"method\":\"notifications/initialized\"}}\n{call}>."),
    );
    // A client may leave after the answer.
    clean("", &format!("{INITIALIZE}{ANSWER}>."));
    // What comes before it is not forbidden by that.
    clean(
        "",
        &format!("{INITIALIZE}{ANSWER}{call}> {{@J,\"method\":\"notifications/initialized\"}}\n>."),
    );
}

#[test]
fn a_request_before_the_answer_to_initialize_r58() {
    breaks(
        "",
        &format!("{INITIALIZE}> {{@J,\"id\":1,\"method\":\"tools/list\"}}\n{ANSWER}"),
        &[(2, Rule::R58)],
    );
    clean(
        "",
        &format!("{INITIALIZE}> {{@J,\"id\":1,\"method\":\"ping\"}}\n{ANSWER}"),
    );
    clean(
        "",
        &format!("{INITIALIZE}{ANSWER}> {{@J,\"id\":1,\"method\":\"tools/list\"}}"),
    );
}

#[test]
fn a_request_of_the_server_before_initialized_r59() {
    let initialize = INITIALIZE.replace("\"capabilities\":{}", "\"capabilities\":{\"roots\":{}}");
    let done = "> {@J,\"method\":\"notifications/initialized\"}\n";
    let roots = "< {@J,\"id\":1,\"method\":\"roots/list\"}\n";
    breaks(
        "",
        &format!("{initialize}{ANSWER}{roots}{done}"),
        &[(3, Rule::R59)],
    );
    clean(
        "",
        &format!("{initialize}{ANSWER}< {{@J,\"id\":1,\"method\":\"ping\"}}\n{done}"),
    );
    clean("", &format!("{initialize}{ANSWER}{done}{roots}"));
}

#[test]
fn initialize_is_cancelled_r60() {
    let cancel = "> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":0}}";
    breaks("", &format!("{INITIALIZE}{cancel}"), &[(2, Rule::R60)]);
    breaks(
        "",
        &format!("{INITIALIZE}{ANSWER}{cancel}"),
        &[(3, Rule::R60)],
    );
    let open = opened(D, "{}", "{}");
    clean(
        &open,
        &format!("> {{@J,\"id\":0,\"method\":\"x\"}}\n{cancel}"),
    );
}

#[test]
fn a_ping_answered_with_more_than_nothing_r61() {
    let open = opened(D, "{}", "{}");
    for ping in [
        "> {@J,\"id\":1,\"method\":\"ping\"}\n< {@J,\"id\":1,",
        "< {@J,\"id\":1,\"method\":\"ping\"}\n> {@J,\"id\":1,",
    ] {
        breaks(
            &open,
            &format!("{ping}\"result\":{{\"ok\":true}}}}"),
            &[(2, Rule::R61)],
        );
        breaks(
            &open,
            &format!("{ping}\"error\":{{\"code\":-32601,\"message\":\"\"}}}}"),
            &[(2, Rule::R61)],
        );
        clean(&open, &format!("{ping}\"result\":{{}}}}"));
        clean(&open, &format!("{ping}\"result\":{{\"_meta\":{{}}}}}}"));
    }
}

#[test]
fn a_method_of_another_revision_r62() {
    let elicit = r#"< {@J,"id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}"#;
    breaks(
        &opened(B, r#"{"elicitation":{}}"#, "{}"),
        elicit,
        &[(1, Rule::R62)],
    );
    clean(&opened(C, r#"{"elicitation":{}}"#, "{}"), elicit);
    breaks(
        &opened(C, "{}", "{}"),
        "> {@J,\"id\":1,\"method\":\"tasks/list\"}",
        &[(1, Rule::R62)],
    );
    clean(
        &opened(C, "{}", "{}"),
        "> {@J,\"id\":1,\"method\":\"example/list\"}",
    );
}

#[test]
fn a_capability_that_was_not_agreed_on_r63() {
    let list = "> {@J,\"id\":1,\"method\":\"prompts/list\"}";
    breaks(&opened(D, "{}", r#"{"tools":{}}"#), list, &[(1, Rule::R63)]);
    clean(&opened(D, "{}", r#"{"prompts":{}}"#), list);
    let sample =
        r#"< {@J,"id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}"#;
    breaks(&opened(A, "{}", "{}"), sample, &[(1, Rule::R63)]);
    clean(&opened(A, r#"{"sampling":{}}"#, "{}"), sample);
    // The other side's method.
    breaks(
        &opened(D, "{}", r#"{"tools":{}}"#),
        "< {@J,\"id\":1,\"method\":\"tools/list\"}",
        &[(1, Rule::R62)],
    );
}

#[test]
fn the_level_of_gates_follows_the_revision_r62_r63() {
    use wireline::monitor::{Monitor, MonitorSlots};
    use wireline::{Level, Limits, mcp::Side, parse};
    for (revision, level) in [
        (A, Level::Should),
        (B, Level::Should),
        (C, Level::Must),
        (D, Level::Must),
    ] {
        let mut monitor = Monitor::new(MonitorSlots::<8, 0, 400>::new());
        super::watch(&mut monitor, &opened(revision, "{}", "{}"));
        let list = parse(
            br#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#,
            &Limits::HOST,
        );
        let finding = monitor.line(Side::Client, &list, 0);
        assert!(finding.violations.contains(Rule::R63));
        assert_eq!(
            (finding.worst(), finding.level(Rule::R63)),
            (Some(level), level)
        );
        assert_eq!(finding.revision.unwrap().name(), revision);
        assert_eq!(monitor.tally().broken(level), 1);
    }
}

#[test]
fn a_feature_served_without_being_declared_r75() {
    let list = "> {@J,\"id\":1,\"method\":\"prompts/list\"}\n";
    let open = opened(D, "{}", "{}");
    breaks(
        &open,
        &format!("{list}< {{@J,\"id\":1,\"result\":{{\"prompts\":[]}}}}"),
        &[(1, Rule::R63), (2, Rule::R75)],
    );
    breaks(
        &open,
        &format!("{list}< {{@J,\"id\":1,\"error\":{{\"code\":-32601,\"message\":\"\"}}}}"),
        &[(1, Rule::R63)],
    );
    let modern = "> {@J,\"id\":1,\"method\":\"prompts/list\",\"params\":{@M}}\n< {@J,\"id\":1,\"result\":{\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"public\",@OK}}";
    breaks(&discovered("{}"), modern, &[(2, Rule::R75)]);
    clean(&discovered(r#"{"prompts":{}}"#), modern);
    // Nobody has asked what it has.
    clean("", modern);
}

#[test]
fn a_client_s_feature_served_without_being_declared_r76() {
    let roots = "< {@J,\"id\":1,\"method\":\"roots/list\"}\n";
    let open = opened(D, "{}", "{}");
    breaks(
        &open,
        &format!("{roots}> {{@J,\"id\":1,\"result\":{{\"roots\":[]}}}}"),
        &[(1, Rule::R63), (2, Rule::R76)],
    );
    clean(
        &opened(D, r#"{"roots":{}}"#, "{}"),
        &format!("{roots}> {{@J,\"id\":1,\"result\":{{\"roots\":[]}}}}"),
    );
}

#[test]
fn what_was_not_declared_is_refused_with_another_code_r77() {
    let roots = "< {@J,\"id\":1,\"method\":\"roots/list\"}\n";
    let refuse =
        |code| format!("{roots}> {{@J,\"id\":1,\"error\":{{\"code\":{code},\"message\":\"no\"}}}}");
    let open = opened(D, "{}", "{}");
    breaks(&open, &refuse(-32600), &[(1, Rule::R63), (2, Rule::R77)]);
    breaks(&open, &refuse(-32601), &[(1, Rule::R63)]);
    let url = r#"< {@J,"id":1,"method":"elicitation/create","params":{"mode":"url","message":"?","url":"https://x","elicitationId":"e"}}"#;
    let refuse =
        |code| format!("{url}\n> {{@J,\"id\":1,\"error\":{{\"code\":{code},\"message\":\"no\"}}}}");
    let form = opened(D, r#"{"elicitation":{}}"#, "{}");
    breaks(&form, &refuse(-32601), &[(1, Rule::R78), (2, Rule::R77)]);
    breaks(&form, &refuse(-32602), &[(1, Rule::R78)]);
}

#[test]
fn an_elicitation_in_a_mode_not_declared_r78() {
    let url = r#"< {@J,"id":1,"method":"elicitation/create","params":{"mode":"url","message":"?","url":"https://x","elicitationId":"e"}}"#;
    let form = r#"< {@J,"id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}"#;
    breaks(
        &opened(D, r#"{"elicitation":{}}"#, "{}"),
        url,
        &[(1, Rule::R78)],
    );
    breaks(
        &opened(D, r#"{"elicitation":{"form":{}}}"#, "{}"),
        url,
        &[(1, Rule::R78)],
    );
    clean(&opened(D, r#"{"elicitation":{"url":{}}}"#, "{}"), url);
    clean(&opened(D, r#"{"elicitation":{}}"#, "{}"), form);
    breaks(
        &opened(D, r#"{"elicitation":{"url":{}}}"#, "{}"),
        form,
        &[(1, Rule::R78)],
    );
}

#[test]
fn a_sampling_with_tools_not_declared_r80() {
    let sample = r#"< {@J,"id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}"#;
    let answer = r#"> {@J,"id":1,"result":{"role":"assistant","content":{"type":"text","text":""},"model":"m"}}"#;
    breaks(
        &opened(D, r#"{"sampling":{}}"#, "{}"),
        sample,
        &[(1, Rule::R80)],
    );
    breaks(
        &opened(D, r#"{"sampling":{}}"#, "{}"),
        &format!("{sample}\n{answer}"),
        &[(1, Rule::R80), (2, Rule::R80)],
    );
    clean(
        &opened(D, r#"{"sampling":{"tools":{}}}"#, "{}"),
        &format!("{sample}\n{answer}"),
    );
}

#[test]
fn a_change_told_without_being_declared_r81() {
    let changed = "< {@J,\"method\":\"notifications/tools/list_changed\"}";
    breaks(
        &opened(D, "{}", r#"{"tools":{}}"#),
        changed,
        &[(1, Rule::R81)],
    );
    breaks(
        &opened(D, "{}", r#"{"tools":{"listChanged":false}}"#),
        changed,
        &[(1, Rule::R81)],
    );
    clean(
        &opened(D, "{}", r#"{"tools":{"listChanged":true}}"#),
        changed,
    );
}

#[test]
fn an_update_that_nobody_subscribed_to_r82() {
    let open = opened(D, "{}", r#"{"resources":{"subscribe":true}}"#);
    let updated = r#"< {@J,"method":"notifications/resources/updated","params":{"uri":"a:b"}}"#;
    breaks(&open, updated, &[(1, Rule::R82)]);
    let subscribe = r#"> {@J,"id":1,"method":"resources/subscribe","params":{"uri":"a:b"}}
        < {@J,"id":1,"result":{}}"#;
    clean(&open, &format!("{subscribe}\n{updated}"));
    // The first update may come before the answer, and after a cancellation that crosses it.
    let (ask, answer) = subscribe.split_once('\n').expect("two lines");
    let cancel = "> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}";
    clean(&open, &format!("{ask}\n{updated}\n{answer}\n{updated}"));
    clean(&open, &format!("{ask}\n{cancel}\n{updated}"));
    let refused = "< {@J,\"id\":1,\"error\":{\"code\":-32002,\"message\":\"\"}}";
    breaks(
        &open,
        &format!("{ask}\n{refused}\n{updated}"),
        &[(3, Rule::R82)],
    );
}

#[test]
fn changed_roots_told_without_being_declared_r83() {
    let changed = "> {@J,\"method\":\"notifications/roots/list_changed\"}";
    breaks(
        &opened(D, r#"{"roots":{}}"#, "{}"),
        changed,
        &[(1, Rule::R83)],
    );
    clean(
        &opened(D, r#"{"roots":{"listChanged":true}}"#, "{}"),
        changed,
    );
}

#[test]
fn completions_without_being_declared_r87() {
    let complete = r#"> {@J,"id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}}
        < {@J,"id":1,"result":{"completion":{"values":[]}}}"#;
    breaks(
        &opened(B, "{}", "{}"),
        complete,
        &[(1, Rule::R63), (2, Rule::R87)],
    );
    clean(&opened(B, "{}", r#"{"completions":{}}"#), complete);
    // 2024-11-05 has the method and no capability.
    clean(&opened(A, "{}", "{}"), complete);
}

#[test]
fn logging_without_being_declared_r126() {
    let log = r#"< {@J,"method":"notifications/message","params":{"level":"info","data":1}}"#;
    breaks(&opened(D, "{}", "{}"), log, &[(1, Rule::R126)]);
    clean(&opened(D, "{}", r#"{"logging":{}}"#), log);
}

#[test]
fn a_log_message_below_the_level_that_was_set_r127() {
    let open = opened(D, "{}", r#"{"logging":{}}"#);
    let set = r#"> {@J,"id":1,"method":"logging/setLevel","params":{"level":"warning"}}
        < {@J,"id":1,"result":{}}
        "#;
    let log = |level: &str| {
        format!(
            "{set}< {{@J,\"method\":\"notifications/message\",\"params\":{{\"level\":\"{level}\",\"data\":1}}}}"
        )
    };
    breaks(&open, &log("info"), &[(3, Rule::R127)]);
    clean(&open, &log("warning"));
    // A level that there is not is refused.
    breaks(&open, &set.replace("warning", "loud"), &[(2, Rule::R127)]);
    let refuse = |code: i64| {
        format!(
            "> {{@J,\"id\":1,\"method\":\"logging/setLevel\",\"params\":{{\"level\":\"loud\"}}}}\n< {{@J,\"id\":1,\"error\":{{\"code\":{code},\"message\":\"\"}}}}"
        )
    };
    breaks(&open, &refuse(-32603), &[(2, Rule::R127)]);
    clean(&open, &refuse(-32602));
}

#[test]
fn a_log_message_while_the_level_is_being_set_r127() {
    let open = opened(D, "{}", r#"{"logging":{}}"#);
    let ask = |id: u8, level: &str| {
        format!(
            "> {{@J,\"id\":{id},\"method\":\"logging/setLevel\",\"params\":{{\"level\":\"{level}\"}}}}\n"
        )
    };
    let done = |id: u8| format!("< {{@J,\"id\":{id},\"result\":{{}}}}\n");
    let refused =
        |id: u8| format!("< {{@J,\"id\":{id},\"error\":{{\"code\":-32603,\"message\":\"\"}}}}\n");
    let log = |level: &str| {
        format!(
            "< {{@J,\"method\":\"notifications/message\",\"params\":{{\"level\":\"{level}\",\"data\":1}}}}\n"
        )
    };
    let error = ask(1, "error") + &done(1);
    let lower = error.clone() + &ask(2, "info");
    // The lesser of both holds until the answer.
    clean(&open, &(lower.clone() + &log("info") + &done(2)));
    breaks(&open, &(lower.clone() + &log("debug")), &[(4, Rule::R127)]);
    let higher = ask(1, "info") + &done(1) + &ask(2, "error");
    clean(&open, &(higher.clone() + &log("info") + &done(2)));
    breaks(
        &open,
        &(higher + &done(2) + &log("info")),
        &[(5, Rule::R127)],
    );
    breaks(
        &open,
        &(lower.clone() + &refused(2) + &log("info")),
        &[(5, Rule::R127)],
    );
    // It may have been set although it was cancelled.
    let cancel = "> {@J,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n";
    clean(&open, &(lower.clone() + cancel + &log("info")));
    breaks(&open, &(lower + cancel + &log("debug")), &[(5, Rule::R127)]);
    // Of two under way, which was done last is not known.
    let two = |first: &str, last: &str| ask(1, first) + &ask(2, last) + &done(2);
    clean(&open, &(two("error", "info") + &log("info")));
    clean(&open, &(two("error", "info") + &done(1) + &log("info")));
    clean(&open, &(two("info", "error") + &log("info")));
    clean(&open, &(two("info", "error") + &done(1) + &log("info")));
    breaks(
        &open,
        &(two("info", "error") + &done(1) + &log("debug")),
        &[(5, Rule::R127)],
    );
}
