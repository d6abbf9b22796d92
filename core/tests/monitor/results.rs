//! Results, input that they ask for, and retries: R88 to R106, R178, R179.

use wireline::Rule;

use super::{A, C, D, breaks, clean, discovered, opened};

const TOOLS: &str = r#"{"tools":{},"resources":{},"prompts":{},"completions":{}}"#;
const CALL: &str = "> {@J,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"a\":1},@M<{\"elicitation\":{},\"sampling\":{}}>}}\n";

fn called(result: &str) -> String {
    format!("{CALL}< {{@J,\"id\":1,\"result\":{{{result}}}}}\n")
}

fn asked(more: &str) -> String {
    called(&format!("\"resultType\":\"input_required\",@S{more}"))
}

#[test]
fn a_result_without_its_type_r88() {
    let server = discovered(TOOLS);
    breaks(&server, &called("\"content\":[],@S"), &[(2, Rule::R88)]);
    breaks(
        &server,
        &called("\"content\":[],\"resultType\":1,@S"),
        &[(2, Rule::R88)],
    );
    clean(&server, &called("\"content\":[],@OK"));
    // A server of the legacy era has none.
    clean("", &called("\"content\":[]"));
}

#[test]
fn a_result_type_that_is_not_known_r91() {
    let server = discovered(TOOLS);
    breaks(
        &server,
        &called("\"content\":[],\"resultType\":\"partial\",@S"),
        &[(2, Rule::R91)],
    );
    clean(
        &server,
        &called("\"content\":[],\"resultType\":\"complete\",@S"),
    );
}

#[test]
fn an_extension_s_result_type_r91_r144() {
    let server = discovered(TOOLS);
    let task = "\"taskId\":\"1\",\"resultType\":\"task\",@S";
    breaks(&server, &called(task), &[(2, Rule::R91)]);
    let declared = called(task).replace(
        "\"sampling\":{}",
        "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}",
    );
    clean(&server, &declared);
    let list = "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{@M<{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}>}}\n";
    breaks(
        &server,
        &format!("{list}< {{@J,\"id\":1,\"result\":{{{task}}}}}"),
        &[(2, Rule::R144)],
    );
}

#[test]
fn input_is_asked_for_by_another_method_r92() {
    let server = discovered(TOOLS);
    let list = "> {@J,\"id\":1,\"method\":\"tools/list\",\"params\":{@M}}\n< {@J,\"id\":1,\"result\":{\"resultType\":\"input_required\",@S,\"requestState\":\"s\"}}";
    breaks(&server, list, &[(2, Rule::R92)]);
    clean(&server, &asked(",\"requestState\":\"s\""));
}

#[test]
fn input_is_asked_for_without_saying_which_r93() {
    let server = discovered(TOOLS);
    breaks(&server, &asked(""), &[(2, Rule::R93)]);
    clean(
        &server,
        &asked(
            ",\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\",\"requestedSchema\":{}}}}",
        ),
    );
}

#[test]
fn a_required_input_of_another_kind_r94() {
    let server = discovered(TOOLS);
    let with = |input: &str| asked(&format!(",\"inputRequests\":{{\"k\":{input}}}"));
    breaks(&server, &with("{\"method\":\"ping\"}"), &[(2, Rule::R94)]);
    breaks(
        &server,
        &with("{\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\"}}"),
        &[(2, Rule::R94)],
    );
    clean(
        &server,
        &with("{\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\"}}"),
    );
}

#[test]
fn a_required_input_that_was_not_declared_r95() {
    let server = discovered(TOOLS);
    let with = |input: &str| asked(&format!(",\"inputRequests\":{{\"k\":{input}}}"));
    breaks(
        &server,
        &with("{\"method\":\"roots/list\"}"),
        &[(2, Rule::R95)],
    );
    breaks(
        &server,
        &with(
            "{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"?\"}}",
        ),
        &[(2, Rule::R78), (2, Rule::R95)],
    );
    breaks(
        &server,
        &with("{\"method\":\"sampling/createMessage\",\"params\":{\"tools\":[]}}"),
        &[(2, Rule::R80), (2, Rule::R95)],
    );
    clean(
        &server,
        &with("{\"method\":\"sampling/createMessage\",\"params\":{}}"),
    );
}

const ASK: &str = ",\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\"}}},\"requestState\":\"s\\u0031\"";

fn retry(id: u8, arguments: &str, rest: &str) -> String {
    format!(
        "{}> {{@J,\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"arguments\":{{\"a\": {arguments}}},\"name\":\"t\",{rest},@M}}}}",
        asked(ASK)
    )
}

const ANSWERS: &str = "\"inputResponses\":{\"k\":{\"action\":\"accept\",\"content\":{}}}";

#[test]
fn a_retry_of_something_else_r96() {
    let server = discovered(TOOLS);
    clean(
        &server,
        &retry(2, "1", &format!("{ANSWERS},\"requestState\":\"s1\"")),
    );
    breaks(
        &server,
        &retry(
            2,
            "\"other\"",
            &format!("{ANSWERS},\"requestState\":\"s1\""),
        ),
        &[(3, Rule::R96)],
    );
    breaks(
        &server,
        &retry(2, "1", "\"inputResponses\":{},\"requestState\":\"s1\""),
        &[(3, Rule::R96)],
    );
    breaks(
        &server,
        &retry(
            2,
            "1",
            "\"inputResponses\":{\"k\":{},\"j\":{}},\"requestState\":\"s1\"",
        ),
        &[(3, Rule::R96)],
    );
    breaks(
        &server,
        &retry(2, "1", "\"requestState\":\"s1\""),
        &[(3, Rule::R96)],
    );
    // A call that begins anew is none.
    clean(&server, &retry(2, "\"other\"", "\"x\":1"));
}

#[test]
fn a_state_that_was_not_given_r97() {
    let server = discovered(TOOLS);
    breaks(
        &server,
        &retry(2, "1", &format!("{ANSWERS},\"requestState\":\"s2\"")),
        &[(3, Rule::R97)],
    );
    breaks(&server, &retry(2, "1", ANSWERS), &[(3, Rule::R97)]);
    // Of two that asked, the one whose state it is.
    let first = asked(",\"requestState\":\"s1\"");
    let second = first.replace("s1", "s2").replace("\"id\":1", "\"id\":2");
    let again = "> {@J,\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"a\":1},\"requestState\":\"s1\",@M}}";
    clean(&server, &format!("{first}{second}{again}"));
    // Invented altogether.
    breaks(
        &server,
        "> {@J,\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"requestState\":\"s\",@M}}",
        &[(1, Rule::R97)],
    );
    clean(
        &server,
        &retry(2, "1", &format!("{ANSWERS},\"requestState\":\"\\u00731\"")),
    );
}

#[test]
fn a_retry_with_the_same_id_r98() {
    let server = discovered(TOOLS);
    breaks(
        &server,
        &retry(1, "1", &format!("{ANSWERS},\"requestState\":\"s1\"")),
        &[(3, Rule::R98)],
    );
    clean(
        &server,
        &retry(2, "1", &format!("{ANSWERS},\"requestState\":\"s1\"")),
    );
}

fn page(id: u8, cursor: &str, hints: &str) -> String {
    format!(
        "> {{@J,\"id\":{id},\"method\":\"tools/list\",\"params\":{{{cursor}@M}}}}\n< {{@J,\"id\":{id},\"result\":{{\"tools\":[],{hints}@OK}}}}\n"
    )
}

#[test]
fn a_result_without_cache_hints_r101() {
    let server = discovered(TOOLS);
    for hints in [
        "",
        "\"ttlMs\":0,",
        "\"cacheScope\":\"public\",",
        "\"ttlMs\":-1,\"cacheScope\":\"public\",",
        "\"ttlMs\":0.5,\"cacheScope\":\"public\",",
        "\"ttlMs\":\"0\",\"cacheScope\":\"public\",",
        "\"ttlMs\":0,\"cacheScope\":\"all\",",
    ] {
        breaks(&server, &page(1, "", hints), &[(2, Rule::R101)]);
    }
    clean(
        &server,
        &page(1, "", "\"ttlMs\":60000,\"cacheScope\":\"private\","),
    );
    // None on a result that asks for input, and none needed where nothing is cached.
    breaks(
        &server,
        &asked(",\"requestState\":\"s\",\"ttlMs\":0"),
        &[(2, Rule::R101)],
    );
    clean(&server, &called("\"content\":[],@OK"));
}

#[test]
fn pages_of_different_scope_r102() {
    let server = discovered(TOOLS);
    let first = page(
        1,
        "",
        "\"nextCursor\":\"2\",\"ttlMs\":0,\"cacheScope\":\"private\",",
    );
    let second = |scope: &str| {
        page(
            2,
            "\"cursor\":\"2\",",
            &format!("\"ttlMs\":0,\"cacheScope\":\"{scope}\","),
        )
    };
    breaks(
        &server,
        &format!("{first}{}", second("public")),
        &[(4, Rule::R102)],
    );
    clean(&server, &format!("{first}{}", second("private")));
    // Another listing may have another.
    clean(
        &server,
        &format!(
            "{first}{}",
            page(2, "", "\"ttlMs\":0,\"cacheScope\":\"public\",")
        ),
    );
}

fn legacy(method: &str, params: &str, result: &str) -> String {
    format!(
        "> {{@J,\"id\":1,\"method\":\"{method}\",\"params\":{params}}}\n< {{@J,\"id\":1,\"result\":{result}}}"
    )
}

#[test]
fn a_result_without_its_members_r104() {
    let open = opened(C, "{}", TOOLS);
    for (method, params, good) in [
        ("tools/list", "{}", "{\"tools\":[]}"),
        ("tools/call", "{\"name\":\"t\"}", "{\"content\":[]}"),
        ("resources/list", "{}", "{\"resources\":[]}"),
        (
            "resources/templates/list",
            "{}",
            "{\"resourceTemplates\":[]}",
        ),
        ("resources/read", "{\"uri\":\"a:b\"}", "{\"contents\":[]}"),
        ("prompts/list", "{}", "{\"prompts\":[]}"),
        ("prompts/get", "{\"name\":\"p\"}", "{\"messages\":[]}"),
        (
            "completion/complete",
            "{\"ref\":{},\"argument\":{}}",
            "{\"completion\":{\"values\":[]}}",
        ),
    ] {
        clean(&open, &legacy(method, params, good));
        breaks(&open, &legacy(method, params, "{}"), &[(2, Rule::R104)]);
        breaks(
            &open,
            &legacy(method, params, &good.replace("[]", "7")),
            &[(2, Rule::R104)],
        );
    }
    let server = discovered(TOOLS);
    breaks(&server, &called("@OK"), &[(2, Rule::R104)]);
    let sampled = opened(C, r#"{"sampling":{}}"#, "{}");
    let ask = "< {@J,\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}\n";
    breaks(
        &sampled,
        &format!("{ask}> {{@J,\"id\":1,\"result\":{{\"role\":\"assistant\",\"model\":\"m\"}}}}"),
        &[(2, Rule::R104)],
    );
}

#[test]
fn a_hundred_and_one_completions_r105() {
    let open = opened(A, "{}", "{}");
    let with = |count: usize| {
        let values = vec!["\"v\""; count].join(",");
        legacy(
            "completion/complete",
            "{\"ref\":{},\"argument\":{}}",
            &format!("{{\"completion\":{{\"values\":[{values}]}}}}"),
        )
    };
    breaks(&open, &with(101), &[(2, Rule::R105)]);
    clean(&open, &with(100));
}

#[test]
fn an_elicitation_answered_with_another_action_r106() {
    let open = opened(C, r#"{"elicitation":{}}"#, "{}");
    let ask = r#"< {@J,"id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}"#;
    let answer = |result: &str| format!("{ask}\n> {{@J,\"id\":1,\"result\":{result}}}");
    breaks(&open, &answer(r#"{"action":"reject"}"#), &[(2, Rule::R106)]);
    breaks(
        &open,
        &answer(r#"{"action":"decline","content":{}}"#),
        &[(2, Rule::R106)],
    );
    clean(&open, &answer(r#"{"action":"accept","content":{}}"#));
    clean(&open, &answer(r#"{"action":"decline"}"#));
    let url = opened(D, r#"{"elicitation":{"url":{}}}"#, "{}");
    let ask = r#"< {@J,"id":1,"method":"elicitation/create","params":{"mode":"url","message":"?","url":"https://x","elicitationId":"e"}}"#;
    let answer = |result: &str| format!("{ask}\n> {{@J,\"id\":1,\"result\":{result}}}");
    breaks(
        &url,
        &answer(r#"{"action":"accept","content":{}}"#),
        &[(2, Rule::R106)],
    );
    clean(&url, &answer(r#"{"action":"accept"}"#));
    let server = discovered(TOOLS);
    breaks(
        &server,
        &retry(
            2,
            "1",
            "\"inputResponses\":{\"k\":{\"action\":\"maybe\"}},\"requestState\":\"s1\"",
        ),
        &[(3, Rule::R106)],
    );
}

#[test]
fn a_root_that_is_no_file_r178() {
    let open = opened(D, r#"{"roots":{}}"#, "{}");
    let ask = "< {@J,\"id\":1,\"method\":\"roots/list\"}\n";
    let answer = |uri: &str| {
        format!("{ask}> {{@J,\"id\":1,\"result\":{{\"roots\":[{{\"uri\":\"{uri}\"}}]}}}}")
    };
    breaks(&open, &answer("https://example.com"), &[(2, Rule::R178)]);
    clean(&open, &answer("file:///home"));
    clean(&open, &answer("file:\\/\\/\\/home"));
}

#[test]
fn base64_that_is_none_r179() {
    let open = opened(D, "{}", TOOLS);
    let image = |data: &str| {
        legacy(
            "tools/call",
            "{\"name\":\"t\"}",
            &format!(
                "{{\"content\":[{{\"type\":\"image\",\"mimeType\":\"a/b\",\"data\":\"{data}\"}}]}}"
            ),
        )
    };
    breaks(&open, &image("a b"), &[(2, Rule::R179)]);
    clean(&open, &image("QUI="));
    let blob = |data: &str| {
        legacy(
            "resources/read",
            "{\"uri\":\"a:b\"}",
            &format!("{{\"contents\":[{{\"uri\":\"a:b\",\"blob\":\"{data}\"}}]}}"),
        )
    };
    breaks(&open, &blob("QQ"), &[(2, Rule::R179)]);
    clean(&open, &blob("QQ=="));
}
