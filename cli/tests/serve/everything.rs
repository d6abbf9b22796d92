//! What the official conformance suite looks for, over pipes.

use serde_json::{Value, json};

use crate::support::live::Live;
use crate::{call, modern};

const ALL: &str = r#"{"elicitation":{},"sampling":{},"roots":{}}"#;

fn tool(live: &mut Live, name: &str, more: &str) -> Value {
    let answer = live.ask(&modern(
        "1",
        "tools/call",
        ALL,
        &format!(r#""name":"{name}"{more}"#),
    ));
    answer["result"].clone()
}

/// The text that a tool answers with, at last.
fn text_of(result: &Value) -> &str {
    assert_eq!(result["resultType"], "complete", "{result}");
    result["content"][0]["text"].as_str().expect("text")
}

#[test]
fn contents() {
    let mut live = Live::serve(&["--everything"]);
    assert_eq!(
        text_of(&tool(&mut live, "test_simple_text", "")),
        "This is a simple text response for testing."
    );
    let image = tool(&mut live, "test_image_content", "");
    assert_eq!(image["content"][0]["mimeType"], "image/png");
    let audio = tool(&mut live, "test_audio_content", "");
    assert_eq!(audio["content"][0]["mimeType"], "audio/wav");
    let resource = tool(&mut live, "test_embedded_resource", "");
    assert_eq!(
        resource["content"],
        json!([{"type":"resource","resource":{"uri":"test://embedded-resource","mimeType":"text/plain","text":"This is an embedded resource content."}}])
    );
    let mixed = tool(&mut live, "test_multiple_content_types", "");
    let kinds: Vec<_> = mixed["content"]
        .as_array()
        .expect("blocks")
        .iter()
        .map(|it| it["type"].clone())
        .collect();
    assert_eq!(kinds, ["text", "image", "resource"]);
    let failed = tool(&mut live, "test_error_handling", "");
    assert_eq!(failed["isError"], true);
    let missing = live.ask(&modern(
        "1",
        "tools/call",
        "{}",
        r#""name":"test_missing_capability""#,
    ));
    assert_eq!(
        missing["error"]["data"]["requiredCapabilities"],
        json!({"sampling":{}})
    );
    live.finish(&[]);
}

#[test]
fn resources_and_prompts() {
    let mut live = Live::serve(&["--everything"]);
    let mut read = |uri: &str| {
        live.ask(&modern(
            "1",
            "resources/read",
            "{}",
            &format!(r#""uri":"{uri}""#),
        ))
    };
    let text = read("test://static-text");
    assert_eq!(
        text["result"]["contents"][0]["text"],
        "This is the content of the static text resource."
    );
    let binary = read("test://static-binary");
    assert!(
        binary["result"]["contents"][0]["blob"]
            .as_str()
            .expect("base64")
            .starts_with("iVBOR")
    );
    let template = read("test://template/123/data");
    assert_eq!(
        template["result"]["contents"][0],
        json!({"uri":"test://template/123/data","mimeType":"application/json","text":r#"{"id":"123","templateTest":true,"data":"Data for ID: 123"}"#})
    );
    for unknown in [
        "test://nothing",
        "test://template//data",
        r#"test://template/\"/data"#,
    ] {
        let answer = read(unknown);
        assert_eq!(answer["error"]["code"], -32602, "{unknown}");
        assert!(answer["error"]["data"]["uri"].is_string());
    }
    let mut get =
        |params: &str| live.ask(&modern("1", "prompts/get", ALL, params))["result"].clone();
    let prompt =
        get(r#""name":"test_prompt_with_arguments","arguments":{"arg1":"hello","arg2":"world"}"#);
    assert_eq!(
        prompt["messages"][0]["content"]["text"],
        "Prompt with arguments: arg1='hello', arg2='world'"
    );
    let prompt = get(
        r#""name":"test_prompt_with_embedded_resource","arguments":{"resourceUri":"test://example-resource"}"#,
    );
    assert_eq!(
        prompt["messages"][0]["content"]["resource"]["uri"],
        "test://example-resource"
    );
    let prompt = get(r#""name":"test_prompt_with_image""#);
    assert_eq!(prompt["messages"][0]["content"]["type"], "image");
    let prompt = get(r#""name":"test_input_required_result_prompt""#);
    assert_eq!(
        prompt["inputRequests"]["user_context"]["method"],
        "elicitation/create"
    );
    let prompt = get(
        r#""name":"test_input_required_result_prompt","inputResponses":{"user_context":{"action":"accept","content":{"context":"c"}}}"#,
    );
    assert_eq!(
        prompt["messages"][0]["content"]["text"],
        "Use this context: c"
    );
    live.finish(&[]);
}

#[test]
fn input_in_rounds() {
    let mut live = Live::serve(&["--everything"]);
    let name = "test_input_required_result_elicitation";
    let asked = tool(&mut live, name, "");
    assert_eq!(
        asked["inputRequests"],
        json!({"user_name":{"method":"elicitation/create","params":{"message":"What is your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}})
    );
    let ada = r#"{"action":"accept","content":{"name":"Ada"}}"#;
    let done = tool(
        &mut live,
        name,
        &format!(r#","inputResponses":{{"user_name":{ada},"extra":{{}}}}"#),
    );
    assert_eq!(text_of(&done), "Hello, Ada!");
    for bad in [
        r#"{"wrong":{}}"#,
        r#"{"user_name":7}"#,
        r#"{"user_name":{"action":"accept"}}"#,
        "[]",
        "7",
    ] {
        let again = tool(&mut live, name, &format!(r#","inputResponses":{bad}"#));
        assert_eq!(again["resultType"], "input_required", "{bad}");
    }

    let name = "test_input_required_result_multi_round";
    let first = tool(&mut live, name, "");
    let state = |result: &Value| {
        result["requestState"]
            .as_str()
            .expect("a state")
            .to_string()
    };
    let second = tool(
        &mut live,
        name,
        &format!(
            r#","requestState":"{}","inputResponses":{{"step1":{ada}}}"#,
            state(&first)
        ),
    );
    assert!(second["inputRequests"]["step2"].is_object(), "{second}");
    assert_ne!(state(&first), state(&second));
    let color = r#"{"step2":{"action":"accept","content":{"color":"red"}}}"#;
    let third = tool(
        &mut live,
        name,
        &format!(
            r#","requestState":"{}","inputResponses":{color}"#,
            state(&second)
        ),
    );
    assert_eq!(text_of(&third), "Ada likes red");

    let name = "test_input_required_result_tampered_state";
    let kept = state(&tool(&mut live, name, ""));
    let yes = r#""inputResponses":{"confirm":{"action":"accept","content":{"ok":true}}}"#;
    let done = tool(
        &mut live,
        name,
        &format!(r#","requestState":"{kept}",{yes}"#),
    );
    assert_eq!(text_of(&done), "state-ok");
    for changed in [
        format!("{kept}x"),
        format!("0{}", &kept[1..]),
        String::new(),
        "confirm".into(),
    ] {
        if changed == kept {
            continue;
        }
        let refused = live.ask(&modern(
            "1",
            "tools/call",
            ALL,
            &format!(r#""name":"{name}","requestState":"{changed}",{yes}"#),
        ));
        assert_eq!(refused["error"]["code"], -32602, "{changed}");
    }

    let several = tool(&mut live, "test_input_required_result_multiple_inputs", "");
    let keys: Vec<_> = several["inputRequests"]
        .as_object()
        .expect("requests")
        .keys()
        .cloned()
        .collect();
    assert_eq!(keys, ["client_roots", "greeting", "user_name"]);

    let able = modern(
        "1",
        "tools/call",
        r#"{"sampling":{}}"#,
        r#""name":"test_input_required_result_capabilities""#,
    );
    let able = live.ask(&able)["result"].clone();
    let keys: Vec<_> = able["inputRequests"]
        .as_object()
        .expect("requests")
        .keys()
        .cloned()
        .collect();
    assert_eq!(keys, ["greeting"]);
    live.finish(&[]);
}

#[test]
fn changes_reach_who_listens_and_nobody_else() {
    let mut live = Live::serve(&["--everything"]);
    live.send(&modern(
        "7",
        "subscriptions/listen",
        "{}",
        r#""notifications":{"toolsListChanged":true}"#,
    ));
    assert!(live.line().contains("acknowledged"));
    live.exchange(
        &modern("1", "tools/call", "{}", r#""name":"test_trigger_tool_change""#),
        r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}"#,
    );
    assert!(live.line().contains(r#""id":1,"#));
    let answer = live.ask(&modern(
        "2",
        "tools/call",
        "{}",
        r#""name":"test_trigger_prompt_change""#,
    ));
    assert_eq!(answer["id"], 2, "nobody listens for prompts");
    // Once cancelled, nothing more comes of it.
    live.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#);
    let answer = live.ask(&modern(
        "3",
        "tools/call",
        "{}",
        r#""name":"test_trigger_tool_change""#,
    ));
    assert_eq!(answer["id"], 3);
    live.finish(&[]);
}

#[test]
fn the_legacy_eras_tools() {
    let mut live = Live::legacy(&["--everything"], ALL);
    live.send(&call("1", "test_tool_with_logging", "{}"));
    for said in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        assert_eq!(
            live.line(),
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","logger":"wireline","data":"{said}"}}}}"#
            )
        );
    }
    assert!(live.line().contains(r#""id":1,"#));
    live.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_tool_with_progress","_meta":{"progressToken":"t"}}}"#);
    for done in [0, 50, 100] {
        assert!(live.line().contains(&format!(
            r#""progressToken":"t","progress":{done},"total":100"#
        )));
    }
    assert!(live.line().contains(r#""id":2,"#));
    live.send(&call("3", "test_elicitation", r#"{"message":"m"}"#));
    let asked: Value = serde_json::from_str(&live.line()).expect("JSON");
    assert_eq!(
        asked["params"]["requestedSchema"]["required"],
        json!(["username", "email"])
    );
    let answer = live.ask(r#"{"jsonrpc":"2.0","id":0,"result":{"action":"accept","content":{"username":"u","email":"e"}}}"#);
    assert!(
        answer["result"]["content"][0]["text"]
            .as_str()
            .expect("text")
            .starts_with("User response: ")
    );
    let listed = live.ask(r#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#);
    let names: Vec<_> = listed["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|it| it["name"].as_str().expect("a name"))
        .collect();
    assert!(names.contains(&"json_schema_2020_12_tool") && names.contains(&"test_reconnection"));
    let completed = live.ask(r#"{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},"argument":{"name":"arg1","value":"par"}}}"#);
    assert_eq!(
        completed["result"]["completion"]["values"],
        json!(["paris", "park", "party"])
    );
    live.finish(&[]);
}
