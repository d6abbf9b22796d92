//! Framing, envelope, ids, codes: R1 to R37.

use wireline::Rule;

use super::{A, B, C, D, breaks, clean, discovered, opened};

#[test]
fn a_message_over_two_lines_r1() {
    breaks(
        "",
        "> {@J,\"id\":1,\n> \"method\":\"ping\"}",
        &[(1, Rule::R1), (2, Rule::R4)],
    );
    clean("", "> {@J,\"id\":1,\"method\":\"ping\"}");
}

#[test]
fn text_that_is_not_utf8_r2() {
    breaks(
        "",
        "> {@J,\"method\":\"x\",\"params\":{\"t\":\"\u{7f}\"}}",
        &[(1, Rule::R2)],
    );
    clean("", "> {@J,\"method\":\"x\",\"params\":{\"t\":\"é\"}}");
    // 2024-11-05 does not say in which encoding messages are, but what is none is none.
    breaks(
        &opened(A, "{}", "{}"),
        "< {\"t\":\"\u{7f}\"}",
        &[(1, Rule::R3)],
    );
}

#[test]
fn log_text_on_stdout_r3() {
    breaks("", "< Listening on port 3000", &[(1, Rule::R3)]);
    breaks("", "< 5", &[(1, Rule::R3)]);
    breaks("", "< {@J,}", &[(1, Rule::R3)]);
    clean(
        "",
        "< {@J,\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"Listening\"}}",
    );
}

#[test]
fn noise_on_stdin_r4() {
    breaks("", "> quit", &[(1, Rule::R4)]);
    clean("", "> {@J,\"method\":\"quit\"}");
}

#[test]
fn two_messages_on_a_line_r5() {
    let two = "> {@J,\"method\":\"a\"} {@J,\"method\":\"b\"}";
    breaks(&opened(C, "{}", "{}"), two, &[(1, Rule::R4), (1, Rule::R5)]);
    breaks(&opened(B, "{}", "{}"), two, &[(1, Rule::R4)]);
    clean(
        &opened(C, "{}", "{}"),
        "> {@J,\"method\":\"a\"}\n> {@J,\"method\":\"b\"}",
    );
}

#[test]
fn a_jsonrpc_member_r13() {
    breaks("", "> {\"id\":1,\"method\":\"ping\"}", &[(1, Rule::R13)]);
    breaks(
        "",
        "> {\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
        &[(1, Rule::R13)],
    );
    clean("", "> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
}

#[test]
fn an_id_of_another_type_r14() {
    for id in ["1.5", "true", "{}", "[1]"] {
        breaks(
            "",
            &format!("> {{@J,\"id\":{id},\"method\":\"ping\"}}"),
            &[(1, Rule::R14)],
        );
    }
    // The method is one of requests, and there is no id.
    breaks("", "> {@J,\"method\":\"ping\"}", &[(1, Rule::R14)]);
    for id in ["0", "-1", "1.0", "\"\"", "9007199254740993"] {
        clean("", &format!("> {{@J,\"id\":{id},\"method\":\"ping\"}}"));
    }
}

#[test]
fn a_null_id_r15() {
    breaks(
        "",
        "> {@J,\"id\":null,\"method\":\"ping\"}",
        &[(1, Rule::R15)],
    );
    clean("", "> {@J,\"id\":\"null\",\"method\":\"ping\"}");
}

#[test]
fn an_id_used_twice_in_a_session_r16() {
    let open = opened(D, "{}", "{}");
    breaks(
        &open,
        "> {@J,\"id\":1,\"method\":\"ping\"}\n> {@J,\"id\":1.0,\"method\":\"ping\"}",
        &[(2, Rule::R16)],
    );
    // Answered or not.
    let again = "> {@J,\"id\":1,\"method\":\"ping\"}\n< {@J,\"id\":1,\"result\":{}}\n> {@J,\"id\":1,\"method\":\"ping\"}";
    breaks(&open, again, &[(3, Rule::R16)]);
    clean(
        &open,
        "> {@J,\"id\":1,\"method\":\"ping\"}\n> {@J,\"id\":\"1\",\"method\":\"ping\"}",
    );
    // The ids of the two sides are apart.
    clean(
        &open,
        "> {@J,\"id\":1,\"method\":\"ping\"}\n< {@J,\"id\":1,\"method\":\"ping\"}",
    );
    // A probe's id is not one of the session.
    clean(
        "",
        "> {@J,\"id\":0,\"method\":\"server/discover\",\"params\":{@M}}\n< {@J,\"id\":0,\"error\":{\"code\":-32601,\"message\":\"no\"}}\n> {@J,\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
    );
}

#[test]
fn an_id_of_an_open_request_r17() {
    let list = |id| format!("> {{@J,\"id\":{id},\"method\":\"tools/list\",\"params\":{{@M}}}}");
    breaks(
        "",
        &format!("{}\n{}", list("1"), list("1")),
        &[(2, Rule::R17)],
    );
    let answer =
        "< {@J,\"id\":1,\"result\":{\"tools\":[],\"ttlMs\":0,\"cacheScope\":\"public\",@OK}}";
    // Each is owed an answer.
    breaks(
        "",
        &format!("{}\n{}\n{answer}\n{answer}", list("1"), list("1")),
        &[(2, Rule::R17)],
    );
    clean("", &format!("{}\n{answer}\n{}", list("1"), list("1")));
    clean("", &format!("{}\n{}", list("1"), list("\"1\"")));
}

#[test]
fn a_response_to_nothing_r18() {
    let open = opened(D, "{}", "{}");
    let ping = "> {@J,\"id\":1,\"method\":\"ping\"}\n";
    breaks(
        &open,
        &format!("{ping}< {{@J,\"id\":2,\"result\":{{}}}}"),
        &[(2, Rule::R18)],
    );
    breaks(
        &open,
        &format!("{ping}< {{@J,\"id\":\"1\",\"result\":{{}}}}"),
        &[(2, Rule::R18)],
    );
    breaks(
        &open,
        &format!("{ping}< {{@J,\"result\":{{}}}}"),
        &[(2, Rule::R18)],
    );
    clean(&open, &format!("{ping}< {{@J,\"id\":1,\"result\":{{}}}}"));
    clean(&open, &format!("{ping}< {{@J,\"id\":1e0,\"result\":{{}}}}"));
    // Not the responder's own request.
    breaks(
        &open,
        &format!("{ping}> {{@J,\"id\":1,\"result\":{{}}}}"),
        &[(2, Rule::R18)],
    );
    // A line that we refuse, the peer may take.
    breaks(
        &open,
        "> {@J,\"id\":7,\"method\":\"ping\",}\n< {@J,\"id\":7,\"result\":{}}",
        &[(1, Rule::R4)],
    );
    breaks(
        &open,
        "> {\"method\":\"ping\",,\"id\":7}\n< {@J,\"id\":7,\"result\":{}}",
        &[(1, Rule::R4)],
    );
}

#[test]
fn an_error_without_id_r19() {
    let session = "> {@J,\"id\":1,\"method\":\"tools/list\"}\n< {@J,\"id\":null,\"error\":{\"code\":-32603,\"message\":\"no\"}}";
    breaks(
        &opened(C, "{}", r#"{"tools":{}}"#),
        session,
        &[(2, Rule::R19)],
    );
    // Something could not be read, and this tells of it.
    breaks(
        &opened(C, "{}", "{}"),
        "> {@J,\"id\":\n< {@J,\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}",
        &[(1, Rule::R1)],
    );
}

#[test]
fn an_error_without_the_id_it_could_read_r20() {
    let open = opened(D, "{}", r#"{"tools":{}}"#);
    let list = "> {@J,\"id\":1,\"method\":\"tools/list\"}\n";
    breaks(
        &open,
        &format!("{list}< {{@J,\"error\":{{\"code\":-32603,\"message\":\"no\"}}}}"),
        &[(2, Rule::R20)],
    );
    clean(
        &open,
        &format!("{list}< {{@J,\"id\":1,\"error\":{{\"code\":-32603,\"message\":\"no\"}}}}"),
    );
    breaks(
        &open,
        &format!("{list}> {{\"\n< {{@J,\"error\":{{\"code\":-32700,\"message\":\"no\"}}}}"),
        &[(2, Rule::R1)],
    );
}

#[test]
fn result_and_error_r21() {
    let open = opened(D, "{}", "{}");
    let ping = "> {@J,\"id\":1,\"method\":\"ping\"}\n";
    breaks(
        &open,
        &format!(
            "{ping}< {{@J,\"id\":1,\"result\":{{}},\"error\":{{\"code\":1,\"message\":\"\"}}}}"
        ),
        &[(2, Rule::R21)],
    );
    breaks(
        &open,
        &format!("{ping}< {{@J,\"id\":1}}"),
        &[(2, Rule::R21)],
    );
    clean(&open, &format!("{ping}< {{@J,\"id\":1,\"result\":{{}}}}"));
}

#[test]
fn a_result_of_another_type_r22() {
    let open = opened(D, "{}", "{}");
    for result in ["null", "[]", "\"pong\"", "true"] {
        breaks(
            &open,
            &format!(
                "> {{@J,\"id\":1,\"method\":\"ping\"}}\n< {{@J,\"id\":1,\"result\":{result}}}\n>.\n<."
            ),
            &[(2, Rule::R22)],
        );
    }
    clean(
        &open,
        "> {@J,\"id\":1,\"method\":\"ping\"}\n< {@J,\"id\":1,\"result\":{}}\n>.\n<.",
    );
}

#[test]
fn an_error_of_another_shape_r23() {
    let open = opened(D, "{}", "{}");
    for error in [
        "{\"code\":1.5,\"message\":\"\"}",
        "{\"code\":\"-1\",\"message\":\"\"}",
        "{\"code\":1}",
        "\"no\"",
    ] {
        breaks(
            &open,
            &format!("> {{@J,\"id\":1,\"method\":\"x\"}}\n< {{@J,\"id\":1,\"error\":{error}}}"),
            &[(2, Rule::R23)],
        );
    }
    clean(
        &open,
        "> {@J,\"id\":1,\"method\":\"x\"}\n< {@J,\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}",
    );
}

#[test]
fn a_notification_with_an_id_r24() {
    let open = opened(D, "{}", "{}");
    breaks(
        &open,
        "> {@J,\"id\":41,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
        &[(1, Rule::R24)],
    );
    clean(
        &open,
        "> {@J,\"id\":41,\"method\":\"notifications/of_our_own\"}",
    );
}

#[test]
fn an_answer_to_a_notification_r25() {
    let open = opened(D, "{}", "{}");
    breaks(
        &open,
        "> {@J,\"method\":\"notifications/x\"}\n< {@J,\"error\":{\"code\":-32601,\"message\":\"no\"}}",
        &[(2, Rule::R25)],
    );
    clean(&open, "> {@J,\"method\":\"notifications/x\"}");
}

#[test]
fn params_of_another_type_r26() {
    for params in ["[1]", "\"a\"", "null"] {
        breaks(
            "",
            &format!("> {{@J,\"id\":1,\"method\":\"ping\",\"params\":{params}}}"),
            &[(1, Rule::R26)],
        );
    }
    clean("", "> {@J,\"id\":1,\"method\":\"ping\",\"params\":{}}");
}

#[cfg(feature = "batch")]
#[test]
fn a_batch_answered_by_one_error_r6() {
    let batch = "@batches\n> [{@J,\"id\":1,\"method\":\"ping\"},{@J,\"id\":2,\"method\":\"ping\"}]";
    let refused = "< {@J,\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}\n>.\n<.";
    let open = opened(B, "{}", "{}");
    // Its requests are not told again for want of answers of their own.
    breaks(&open, &format!("{batch}\n{refused}"), &[(2, Rule::R6)]);
    // Nor is it taken if nothing comes at all; if something does, the rest is owed as ever.
    breaks(
        &open,
        &format!("{batch}\n>.\n<."),
        &[(3, Rule::R6), (3, Rule::R28), (3, Rule::R28)],
    );
    let one = "< {@J,\"id\":2,\"result\":{}}";
    breaks(&open, &format!("{batch}\n{one}\n>.\n<."), &[(4, Rule::R28)]);
    // Where there are no batches, that is how one is answered.
    breaks(
        &opened(C, "{}", "{}"),
        &format!("{batch}\n{refused}"),
        &[(1, Rule::R5), (1, Rule::R31)],
    );
    // Nor is anything owed for it there.
    breaks(
        &opened(C, "{}", "{}"),
        &format!("{batch}\n>.\n<."),
        &[(1, Rule::R5), (1, Rule::R31)],
    );
    let answers = "< [{@J,\"id\":2,\"result\":{}},{@J,\"id\":1,\"result\":{}}]\n>.\n<.";
    clean(&open, &format!("{batch}\n{answers}"));
    // An element that is no request is answered so.
    let bad = "@batches\n> [{@J,\"id\":1,\"method\":\"ping\"},{@J,\"method\":5}]";
    let answers = "< [{@J,\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}},{@J,\"id\":1,\"result\":{}}]\n>.\n<.";
    breaks(&open, &format!("{bad}\n{answers}"), &[(1, Rule::R4)]);
}

#[cfg(feature = "batch")]
#[test]
fn a_mixed_batch_r29() {
    let open = opened(B, "{}", "{}");
    let ask = "@batches\n< {@J,\"id\":1,\"method\":\"ping\"}\n";
    let mixed = "> [{@J,\"id\":1,\"result\":{}},{@J,\"id\":2,\"method\":\"ping\"}]";
    breaks(&open, &format!("{ask}{mixed}"), &[(2, Rule::R29)]);
    breaks(&open, "@batches\n> []", &[(1, Rule::R29)]);
    clean(&open, &format!("{ask}> [{{@J,\"id\":1,\"result\":{{}}}}]"));
    clean(
        &open,
        "@batches\n> [{@J,\"id\":2,\"method\":\"ping\"},{@J,\"method\":\"x\"}]",
    );
}

#[cfg(feature = "batch")]
#[test]
fn initialize_in_a_batch_r30() {
    let line = "{@J,\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}";
    breaks("", &format!("@batches\n> [{line}]"), &[(1, Rule::R30)]);
    clean("", &format!("@batches\n> {line}"));
}

#[test]
fn a_batch_where_there_are_none_r31() {
    let batch = "> [{@J,\"id\":1,\"method\":\"ping\"},{@J,\"id\":2,\"method\":\"ping\"}]";
    breaks(
        &opened(C, "{}", "{}"),
        batch,
        &[(1, Rule::R5), (1, Rule::R31)],
    );
    clean(&opened(B, "{}", "{}"), batch);
    #[cfg(feature = "batch")]
    breaks(
        &opened(C, "{}", "{}"),
        &format!("@batches\n{batch}"),
        &[(1, Rule::R5), (1, Rule::R31)],
    );
}

#[test]
fn a_code_that_is_not_the_reason_s_r32() {
    let open = opened(D, "{}", "{}");
    let bad = "> {@J,\"id\":1,\"method\":7}\n";
    let refuse = |code: i64| {
        format!("{bad}< {{@J,\"id\":1,\"error\":{{\"code\":{code},\"message\":\"no\"}}}}")
    };
    breaks(&open, &refuse(-32700), &[(1, Rule::R4), (2, Rule::R32)]);
    breaks(&open, &refuse(-32600), &[(1, Rule::R4)]);
    let text = "> {\"\n";
    let refuse =
        |code: i64| format!("{text}< {{@J,\"error\":{{\"code\":{code},\"message\":\"no\"}}}}");
    breaks(&open, &refuse(-32601), &[(1, Rule::R1), (2, Rule::R32)]);
    breaks(&open, &refuse(-32700), &[(1, Rule::R1)]);
}

/// A modern request that is refused with this.
fn refused(error: &str) -> String {
    format!(
        "> {{@J,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"t\",@M}}}}\n< {{@J,\"id\":1,\"error\":{error}}}"
    )
}

#[test]
fn a_reserved_code_without_meaning_r33() {
    let server = discovered(r#"{"tools":{}}"#);
    breaks(
        &server,
        &refused(r#"{"code":-32050,"message":"?"}"#),
        &[(2, Rule::R33)],
    );
    clean(&server, &refused(r#"{"code":-32020,"message":"?"}"#));
    // A server of which it is not known that it is modern is not held to it.
    clean("", &refused(r#"{"code":-32050,"message":"?"}"#));
}

#[test]
fn codes_of_earlier_revisions_r34() {
    let server = discovered(r#"{"tools":{}}"#);
    for code in [-32002, -32042] {
        breaks(
            &server,
            &refused(&format!("{{\"code\":{code},\"message\":\"?\"}}")),
            &[(2, Rule::R34)],
        );
    }
    clean(&server, &refused(r#"{"code":-32602,"message":"?"}"#));
    clean(
        &opened(D, "{}", r#"{"resources":{}}"#),
        "> {@J,\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"a:b\"}}\n< {@J,\"id\":1,\"error\":{\"code\":-32002,\"message\":\"?\"}}",
    );
}

// Shows A21.
#[test]
fn codes_of_the_old_range_r35() {
    let server = discovered(r#"{"tools":{}}"#);
    breaks(
        &server,
        &refused(r#"{"code":-32000,"message":"?"}"#),
        &[(2, Rule::R35)],
    );
    clean(&server, &refused(r#"{"code":-31999,"message":"?"}"#));
}

#[test]
fn a_custom_code_in_the_reserved_range_r37() {
    let server = discovered(r#"{"tools":{}}"#);
    breaks(
        &server,
        &refused(r#"{"code":-32500,"message":"?"}"#),
        &[(2, Rule::R37)],
    );
    clean(&server, &refused(r#"{"code":-32800,"message":"?"}"#));
    clean(&server, &refused(r#"{"code":1,"message":"?"}"#));
}
