//! `_meta`: R27, R38 to R49.

use wireline::Rule;

use super::{B, C, D, breaks, clean, discovered, opened};

#[test]
fn a_meta_of_another_type_r27() {
    breaks(
        "",
        "> {@J,\"id\":1,\"method\":\"ping\",\"params\":{\"_meta\":null}}",
        &[(1, Rule::R27)],
    );
    let open = opened(D, "{}", "{}");
    let ping = "> {@J,\"id\":1,\"method\":\"ping\"}\n";
    breaks(
        &open,
        &format!("{ping}< {{@J,\"id\":1,\"result\":{{\"_meta\":[]}}}}"),
        &[(2, Rule::R27)],
    );
    clean(
        &open,
        &format!("{ping}< {{@J,\"id\":1,\"result\":{{\"_meta\":{{}}}}}}"),
    );
}

fn with_meta(key: &str) -> String {
    format!("> {{@J,\"method\":\"notifications/x\",\"params\":{{\"_meta\":{{\"{key}\":1}}}}}}")
}

#[test]
fn a_key_against_the_grammar_r38() {
    for key in ["-x/y", "1foo/bar", "a b", "x-"] {
        breaks(&opened(C, "{}", "{}"), &with_meta(key), &[(1, Rule::R38)]);
        breaks(&discovered("{}"), &with_meta(key), &[(1, Rule::R38)]);
        clean(&opened(B, "{}", "{}"), &with_meta(key));
    }
    clean(&opened(C, "{}", "{}"), &with_meta("com.example/a_b.c"));
    // In results too.
    let ping = "> {@J,\"id\":1,\"method\":\"ping\"}\n";
    let answer = "< {@J,\"id\":1,\"result\":{\"_meta\":{\"no/t/good\":1}}}";
    breaks(
        &opened(D, "{}", "{}"),
        &format!("{ping}{answer}"),
        &[(2, Rule::R38)],
    );
}

// Shows A19.
#[test]
fn a_key_left_to_the_protocol_in_2025_06_18_r39() {
    breaks(
        &opened(C, "{}", "{}"),
        &with_meta("mcp.dev/x"),
        &[(1, Rule::R39)],
    );
    clean(
        &opened(C, "{}", "{}"),
        &with_meta("io.modelcontextprotocol/x"),
    );
    clean(&opened(D, "{}", "{}"), &with_meta("mcp.dev/x"));
}

#[test]
fn a_key_left_to_the_protocol_r40() {
    breaks(
        &opened(D, "{}", "{}"),
        &with_meta("com.mcp.tools/x"),
        &[(1, Rule::R40)],
    );
    breaks(
        &discovered("{}"),
        &with_meta("dev.mcp/x"),
        &[(1, Rule::R40)],
    );
    clean(&opened(D, "{}", "{}"), &with_meta("com.example.mcp/x"));
}

#[test]
fn the_name_of_the_server_is_a_key_of_the_protocols_a20() {
    let ping = "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{@M}}\n";
    let answer = |key: &str| {
        format!(
            "{ping}< {{@J,\"id\":1,\"result\":{{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"public\",\"tools\":[],\"_meta\":{{\"io.modelcontextprotocol/serverInfo\":{{\"name\":\"s\",\"version\":\"1\"}}{key}}}}}}}"
        )
    };
    let open = discovered(r#"{"tools":{}}"#);
    clean(&open, &answer(""));
    breaks(
        &open,
        &answer(r#","io.mcp/serverInfo":{"name":"s","version":"1"}"#),
        &[(2, Rule::R40)],
    );
}

#[test]
fn a_request_without_its_revision_r42() {
    let full = "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{@M}}\n";
    clean("", full);
    let without = "> {@J,\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    breaks("", &format!("{full}{without}"), &[(2, Rule::R42)]);
    let number = "> {@J,\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":20260728,\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    breaks("", number, &[(1, Rule::R42)]);
}

#[test]
fn a_request_without_capabilities_r43() {
    breaks(
        "",
        "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{@m}}}",
        &[(1, Rule::R43)],
    );
    breaks(
        "",
        "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{@m,\"io.modelcontextprotocol/clientCapabilities\":null}}}",
        &[(1, Rule::R43)],
    );
    clean(
        "",
        "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{@m,\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
    );
}

#[test]
fn a_request_that_does_not_name_its_client_r44() {
    let with = |info: &str| {
        format!(
            "> {{@J,\"id\":1,\"method\":\"tools/list\",\"params\":{{\"_meta\":{{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",{info}\"io.modelcontextprotocol/clientCapabilities\":{{}}}}}}}}"
        )
    };
    breaks("", &with(""), &[(1, Rule::R44)]);
    breaks(
        "",
        &with("\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\"},"),
        &[(1, Rule::R44)],
    );
    clean(
        "",
        &with("\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"),
    );
}

#[test]
fn trace_headers_of_another_form_r48() {
    let with = |key: &str, value: &str| {
        format!(
            "> {{@J,\"id\":1,\"method\":\"tools/list\",\"params\":{{\"_meta\":{{@m,@C{{}},\"{key}\":{value}}}}}}}"
        )
    };
    breaks("", &with("traceparent", "\"00-1-2-3\""), &[(1, Rule::R48)]);
    breaks("", &with("traceparent", "7"), &[(1, Rule::R48)]);
    breaks("", &with("tracestate", "\"x\""), &[(1, Rule::R48)]);
    clean(
        "",
        &with(
            "traceparent",
            "\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\"",
        ),
    );
    clean("", &with("baggage", "\"user=1,region=eu\""));
}

#[test]
fn an_extension_without_prefix_r49() {
    breaks(
        "",
        r#"> {@J,"id":1,"method":"tools/list","params":{@M<{"extensions":{"tasks":{}}}>}}"#,
        &[(1, Rule::R49)],
    );
    clean(
        "",
        r#"> {@J,"id":1,"method":"tools/list","params":{@M<{"extensions":{"com.example/tasks":{}}}>}}"#,
    );
    let discover = "> {@J,\"id\":1,\"method\":\"server/discover\",\"params\":{@M}}\n";
    let answer = |name: &str| {
        format!(
            "{discover}< {{@J,\"id\":1,\"result\":{{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{{\"extensions\":{{\"{name}\":{{}}}}}},\"ttlMs\":0,\"cacheScope\":\"public\",@OK}}}}"
        )
    };
    breaks("", &answer("tasks"), &[(2, Rule::R49)]);
    clean("", &answer("io.modelcontextprotocol/tasks"));
}
