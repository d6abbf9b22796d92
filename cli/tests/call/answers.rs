//! What is asked, and what is shown of the answers.

use std::process::Output;

use serde_json::{Value, json};

use crate::support::{golden, objects, run, text};
use crate::{call, script};

fn shows(output: &Output, status: i32, stdout: &str, stderr: &str) {
    assert_eq!(
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr)
        ),
        (Some(status), stdout, stderr)
    );
}

#[test]
fn who_the_server_is() {
    let output = call(&["--era", "legacy"], &["--page-size", "4"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    golden("call-info.txt", &output.stdout);
    let output = call(&["--json"], &["--everything"]);
    let [info] = &objects(&output.stdout)[..] else {
        panic!("one line");
    };
    assert_eq!(info["era"], "modern");
    assert_eq!(info["revision"], "2026-07-28");
    assert_eq!(
        info["serverInfo"],
        json!({"name":"wireline-serve","version":"0.1.0"})
    );
    assert_eq!(info["capabilities"]["tools"], json!({"listChanged":true}));
    assert_eq!(
        info["resourceTemplates"][0]["uriTemplate"],
        "test://template/{id}/data"
    );
    for list in ["tools", "resources", "prompts"] {
        assert!(
            info[list].as_array().is_some_and(|list| !list.is_empty()),
            "{list}"
        );
    }
}

#[test]
fn every_page_of_a_list() {
    let output = call(&["--list", "prompts"], &["--page-size", "1"]);
    shows(
        &output,
        0,
        "  greet(name, tone?)  - Greets somebody\n  summarize(uri)  - Summarizes a file of the folder that is served\n",
        "",
    );
    let output = call(&["--list", "tools", "--json"], &["--page-size", "1"]);
    let tools = objects(&output.stdout)[0]["tools"]
        .as_array()
        .expect("a list")
        .len();
    assert_eq!(tools, 18);
    // The server does not declare resources.
    let output = call(&["--list", "resources"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("the server does not declare `resources`"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn tools_take_what_their_schema_says() {
    let output = call(
        &[
            "--tool",
            "add",
            "--args",
            "a=9007199254740993",
            "--args",
            "b=1",
        ],
        &[],
    );
    shows(&output, 0, "9007199254740994\n", "");
    let output = call(&["--tool", "echo", "--args", "text=5"], &[]);
    shows(&output, 0, "5\n", "");
    let output = call(
        &[
            "--tool",
            "echo",
            "--args",
            r#"{"text":"\u001b[31mred\u202e\nnext"}"#,
        ],
        &[],
    );
    shows(&output, 0, "\\x1b[31mred\\u{202e}\nnext\n", "");
    let output = call(&["--tool", "add", "--args", "a=one"], &[]);
    shows(
        &output,
        2,
        "",
        "wireline: the argument `a` has to be of type integer\n",
    );
    let output = call(&["--tool", "add", "--args", "{"], &[]);
    assert_eq!(output.status.code(), Some(2));
    let output = call(&["--tool", "blob", "--args", "bytes=300"], &[]);
    shows(
        &output,
        0,
        "[wireline:blob]\n[application/octet-stream, 300 bytes]\n",
        "",
    );
    let output = call(&["--tool", "structured", "--json", "--era", "legacy"], &[]);
    assert_eq!(
        objects(&output.stdout)[0]["structuredContent"]["unit"],
        "celsius"
    );
}

#[test]
fn json_is_the_answer_as_it_came() {
    let output = call(&["--tool", "bad_values", "--json", "--era", "legacy"], &[]);
    let shown = text(&output.stdout);
    assert!(shown.contains(r#""big":123456789012345678901234567890,"small":1e-400"#));
    assert!(!shown.trim_end().chars().any(char::is_control), "{shown}");
    let answer: Value = serde_json::from_str(shown).expect("JSON");
    assert_eq!(
        answer["content"][1]["text"],
        "\u{7f}\u{85}\u{2028}\u{2029}\u{202e}\u{feff}\u{fffe}\u{10ffff}"
    );
}

#[test]
fn errors_and_failures() {
    let output = call(&["--tool", "fail", "--args", "message=no"], &[]);
    shows(&output, 1, "no\n", "wireline: the tool failed\n");
    let output = call(&["--tool", "fail", "--json"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(objects(&output.stdout)[0]["isError"], true);
    let output = call(&["--tool", "nothing"], &[]);
    shows(
        &output,
        1,
        "",
        "wireline: the server has no tool `nothing`\n  --list tools shows what it has\n",
    );
    let output = call(&["--read", "file:///no"], &["--root", "."]);
    shows(
        &output,
        1,
        "",
        "wireline: the server answered with error -32602: Resource not found\n  data: {\"uri\":\"file:///no\"}\n",
    );
    let output = call(
        &["--read", "file:///no", "--json", "--era", "legacy"],
        &["--root", "."],
    );
    shows(
        &output,
        1,
        "{\"error\":{\"code\":-32002,\"message\":\"Resource not found\",\"data\":{\"uri\":\"file:///no\"}}}\n",
        "",
    );
}

#[test]
fn resources_prompts_and_completions() {
    let output = call(&["--read", "test://static-text"], &["--everything"]);
    shows(
        &output,
        0,
        "This is the content of the static text resource.\n",
        "",
    );
    let output = call(&["--read", "test://static-binary"], &["--everything"]);
    shows(&output, 0, "[image/png, 70 bytes]\n", "");
    let output = call(
        &[
            "--get",
            "greet",
            "--args",
            "name=Ada",
            "--args",
            r#"{"tone":"terse"}"#,
        ],
        &[],
    );
    shows(&output, 0, "user: Please greet Ada, and be terse.\n", "");
    let output = call(&["--get", "greet", "--args", r#"{"name":7}"#], &[]);
    shows(
        &output,
        2,
        "",
        "wireline: the argument `name` of a prompt has to be a string\n",
    );
    let output = call(&["--complete", "greet", "name=A"], &[]);
    shows(&output, 0, "Ada\nAlan\n", "");
    let output = call(
        &["--complete", "test://template/{id}/data", "id="],
        &["--everything"],
    );
    shows(&output, 0, "123\n", "");
    let output = call(&["--complete", "greet", "name"], &[]);
    shows(
        &output,
        2,
        "",
        "wireline: --complete takes what to complete as NAME=BEGINNING\n",
    );
}

#[test]
fn what_a_server_tells_meanwhile() {
    let output = call(&["--tool", "three_steps"], &[]);
    shows(
        &output,
        0,
        "three steps done\n",
        "progress 1/3: step 1 of 3\nprogress 2/3: step 2 of 3\nprogress 3/3: step 3 of 3\n",
    );
    let output = call(&["--tool", "log", "--era", "legacy"], &[]);
    let said = text(&output.stderr);
    assert!(
        said.starts_with("[debug wireline] a message of level debug\n[info wireline]"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 8);
}

#[test]
fn a_server_may_ask_back() {
    for era in ["legacy", "modern"] {
        let output = call(&["--era", era, "--tool", "ask"], &[]);
        shows(
            &output,
            0,
            "the user's answer: decline\n",
            "wireline: the server asks something of its user, but there is no terminal: declined\n",
        );
        let output = call(
            &["--era", era, "--tool", "sample", "--sample", "Ho \"ho\""],
            &[],
        );
        shows(&output, 0, "the model said Ho \"ho\"\n", "");
        // Without a model none is declared.
        let output = call(&["--era", era, "--tool", "sample"], &[]);
        assert_eq!(output.status.code(), Some(1), "{era}");
        let directory = crate::support::directory();
        let (path, name) = crate::support::path(&directory, "a b");
        std::fs::create_dir(&path).expect("made");
        let output = call(&["--era", era, "--tool", "roots", "--roots", &name], &[]);
        let path = path.canonicalize().expect("there");
        let uri = format!(
            "file://{}",
            path.to_str().expect("UTF-8").replace(' ', "%20")
        );
        shows(&output, 0, &format!("{uri}\n"), "");
    }
    // Without roots none are declared.
    let output = call(&["--tool", "roots"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let output = call(&["--tool", "roots", "--roots", "/no/such"], &[]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn eras_and_revisions() {
    let info = |options: &[&str], serve: &[&str]| {
        let output = call(&[options, &["--json"]].concat(), serve);
        let info = objects(&output.stdout).pop().unwrap_or_default();
        let revision = info["revision"].as_str().unwrap_or("none").to_string();
        (output.status.code(), revision)
    };
    let good = |revision: &str| (Some(0), revision.to_string());
    let none = (Some(3), "none".to_string());
    assert_eq!(info(&[], &[]), good("2026-07-28"));
    assert_eq!(info(&["--era", "modern"], &[]), good("2026-07-28"));
    assert_eq!(info(&["--era", "legacy"], &[]), good("2025-11-25"));
    assert_eq!(info(&["--revision", "2024-11-05"], &[]), good("2024-11-05"));
    assert_eq!(info(&[], &["--revision", "2025-03-26"]), good("2025-03-26"));
    assert_eq!(
        info(&["--era", "modern"], &["--revision", "2025-03-26"]),
        none
    );
    assert_eq!(
        info(&["--era", "legacy"], &["--revision", "2026-07-28"]),
        none
    );
    assert_eq!(
        info(&["--revision", "2024-11-05"], &["--revision", "2025-03-26"]),
        none
    );
}

#[test]
fn a_server_that_ends_when_it_is_probed_is_started_again() {
    let server = r#"read -r line; case $line in *discover*) exit 1;; esac; { printf '%s\n' "$line"; cat; } | "$0" serve --revision 2025-06-18"#;
    let output = script(&["--tool", "echo", "--args", "text=x", "--trace"], server);
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), "x\n")
    );
    let said = text(&output.stderr);
    assert!(said.contains("it is started again"), "{said}");
    assert_eq!(said.matches("server/discover").count(), 1, "{said}");
    // But not for ever.
    let output = script(&[], "exit 1");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn noise_on_standard_output_harms_nothing() {
    let output = script(
        &["--tool", "echo", "--args", "text=x"],
        r#"printf 'Listening\n\033[31m\377\n{"jsonrpc":"2.0"}\n'; exec "$0" serve"#,
    );
    shows(&output, 0, "x\n", "");
}

#[test]
fn the_trace_tells_what_passed() {
    let output = call(
        &[
            "--trace", "--era", "legacy", "--tool", "echo", "--args", "text=x",
        ],
        &[],
    );
    assert_eq!(text(&output.stdout), "x\n");
    let said: Vec<_> = text(&output.stderr)
        .lines()
        .map(|line| line.get(9..).unwrap_or_default())
        .collect();
    assert!(
        said[0].starts_with(r#"--> {"jsonrpc":"2.0","id":0,"method":"initialize""#),
        "{said:?}"
    );
    assert_eq!(said[1], " *  state: opening a session");
    assert!(
        said[2].starts_with(r#"<-- {"jsonrpc":"2.0","id":0,"result""#),
        "{said:?}"
    );
    assert_eq!(
        said[3],
        r#"--> {"jsonrpc":"2.0","method":"notifications/initialized"}"#
    );
    assert_eq!(said[4], " *  state: ready, revision 2025-11-25");
    assert_eq!(said.last(), Some(&" *  the server ended with status 0"));
}

#[test]
fn the_help_and_wrong_usage() {
    let help = run(&["call", "--help"], b"");
    assert_eq!(help.status.code(), Some(0));
    let shown = text(&help.stdout);
    for part in [
        "--list <KIND>",
        "--tool <NAME>",
        "--complete <REF> <NAME=BEGINNING>",
        "Exit status:",
        "130",
    ] {
        assert!(shown.contains(part), "{part}");
    }
    for args in [
        &["call"][..],
        &["call", "--tool", "a", "--read", "b", "--", "x"],
        &["call", "--list", "nothing", "--", "x"],
        &[
            "call",
            "--era",
            "legacy",
            "--revision",
            "2025-11-25",
            "--",
            "x",
        ],
        &["call", "--timeout", "-1", "--", "x"],
        &["call", "--read", "x", "--args", "a=b", "--", "x"],
    ] {
        assert_eq!(run(args, b"").status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn log_messages_come_from_the_level_on_that_is_asked_for() {
    for era in ["legacy", "modern"] {
        let shown = |level: &str| {
            let out = call(
                &["--era", era, "--log-level", level, "--yes", "--tool", "log"],
                &[],
            );
            assert_eq!(out.status.code(), Some(0), "{out:?}");
            String::from_utf8_lossy(&out.stderr).into_owned()
        };
        let (all, some) = (shown("debug"), shown("error"));
        assert!(
            all.contains("[debug") && all.contains("[emergency"),
            "{era}: {all}"
        );
        assert!(
            !some.contains("[debug") && !some.contains("[warning"),
            "{era}: {some}"
        );
        assert!(
            some.contains("[error") && some.contains("[emergency"),
            "{era}: {some}"
        );
    }
}

#[test]
fn a_batch_is_answered_by_an_array() {
    // The array goes out before the list comes in.
    let server = r#"
        read -r initialize
        echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'
        read -r initialized
        read -r list
        echo '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"r","method":"roots/list"}]'
        read -r answers
        case "$answers" in
            '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"r",'*']') tool=taken ;;
            *) tool=refused ;;
        esac
        echo '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"'$tool'","inputSchema":{"type":"object"}}]}}'
        read -r end
    "#;
    let output = script(&["--era", "legacy", "--list", "tools", "--json"], server);
    let tools = &objects(&output.stdout)[0]["tools"];
    assert_eq!(tools[0]["name"], "taken", "{}", text(&output.stderr));
}
