//! The rules that `wireline check` and `wireline tap` hold sessions against.

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::{directory, golden, objects, path, run, text, wireline};

fn violations(objects: &[Value]) -> Vec<(String, String, Option<u64>)> {
    objects
        .iter()
        .filter(|object| object["type"] == "violation")
        .map(|object| {
            let of = |name: &str| object[name].as_str().expect(name).to_string();
            (of("rule"), of("level"), object["line"].as_u64())
        })
        .collect()
}

/// A recording of lines: `>` of the client, `<` of the server.
fn recording(lines: &str) -> String {
    let mut out = String::from("{\"wireline\":\"recording\",\"version\":1}\n");
    for (t, line) in lines
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .enumerate()
    {
        let dir = if line.starts_with('>') { "c2s" } else { "s2c" };
        let record = match line[1..].trim() {
            "." => json!({"t": t, "dir": dir, "event": "eof"}),
            exit if exit.starts_with("exit") => json!({"t": t, "event": "exit", "code": 0}),
            kill if kill.starts_with("kill") => json!({"t": t, "event": "exit", "signal": 9}),
            raw => json!({"t": t, "dir": dir, "raw": format!("{raw}\n")}),
        };
        out.push_str(&format!("{record}\n"));
    }
    out
}

/// What real peers say to one another breaks nothing that is a MUST. What they do break is
/// in the list, and nothing else.
#[test]
fn sessions_of_real_peers() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sessions");
    let expected: &[(&str, &[&str])] = &[
        ("inspector-everything", &[]),
        // The subscription that is open when the client leaves is ended with -32000.
        ("inspector-python-2", &["R35"]),
        ("python-2-python-2", &[]),
        // Results do not name the server, but for that of `server/discover`.
        ("python-2-rmcp", &["R46", "R46", "R46", "R46"]),
        ("rmcp-python-1", &[]),
        // The cancelled call is answered with an error.
        ("typescript-1-python-1", &["R108"]),
        ("typescript-2-typescript-2", &[]),
    ];
    let found = std::fs::read_dir(&sessions).expect("recordings").count();
    assert_eq!(found, expected.len());
    for (name, rules) in expected {
        let file = sessions.join(format!("{name}.rec"));
        let file = file.to_str().expect("UTF-8");
        let output = run(&["check", "--json", file], b"");
        assert_eq!(output.status.code(), Some(0), "{name}");
        let objects = objects(&output.stdout);
        let told = violations(&objects);
        assert!(
            told.iter().all(|(_, level, _)| level == "should"),
            "{name}: {told:?}"
        );
        let names: Vec<_> = told.iter().map(|(rule, ..)| rule.as_str()).collect();
        assert_eq!(names, *rules, "{name}");
        let strict = run(&["check", "--strict", "--quiet", file], b"");
        assert_eq!(
            strict.status.code(),
            Some(i32::from(!rules.is_empty())),
            "{name}"
        );
        let summary = objects.last().expect("a summary");
        assert!(summary["messages"]["total"].as_u64() > Some(5), "{name}");
        assert_eq!(summary["violations"]["total"], json!(rules.len()), "{name}");
        assert_eq!(summary["faults"]["total"], json!(0), "{name}");
    }
}

/// Both eras, and violations of every level.
const BROKEN: &str = r#"
    > {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
    > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    < {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}}
    > {"jsonrpc":"2.0","method":"notifications/initialized"}
    < {"jsonrpc":"2.0","id":1,"result":{}}
    < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"p"}}}
    < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":2}}
    < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":2}}
    < {"jsonrpc":"2.0","id":"2","result":{"content":[]}}
    < Tool finished
    > {"jsonrpc":"2.0","id":3,"method":"prompts/list"}
    < {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}}
    > .
    < .
    < exit
"#;

#[test]
fn a_broken_session_as_text_and_as_json() {
    let input = recording(BROKEN);
    let output = run(&["check", "-"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    golden("rules.txt", &output.stdout);
    let output = run(&["check", "--json", "-"], input.as_bytes());
    golden("rules.ndjson", &output.stdout);
    let told = violations(&objects(&output.stdout));
    let told: Vec<_> = told
        .iter()
        .map(|(rule, level, line)| (&rule[..], &level[..], *line))
        .collect();
    assert_eq!(
        told,
        [
            ("R58", "should", Some(2)),
            ("R104", "must", Some(2)),
            ("R81", "fact", Some(3)),
            ("R119", "must", Some(5)),
            ("R18", "must", Some(6)),
            ("R3", "must", Some(7)),
            ("R63", "must", Some(5)),
            ("R28", "must", None),
        ]
    );
}

#[test]
fn the_status_follows_the_level() {
    let start = "> {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"REV\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n< {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"REV\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}\n> {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/list\"}";
    for (revision, plain, strict) in [("2025-03-26", 0, 1), ("2025-06-18", 1, 1)] {
        let input = recording(&start.replace("REV", revision));
        let status = |args: &[&str]| run(args, input.as_bytes()).status.code();
        assert_eq!(status(&["check", "-q", "-"]), Some(plain), "{revision}");
        assert_eq!(
            status(&["check", "-q", "--strict", "-"]),
            Some(strict),
            "{revision}"
        );
        // Whoever speaks another protocol is not held to these rules.
        let other = run(
            &["check", "--strict", "--profile", "json-rpc", "-"],
            input.as_bytes(),
        );
        assert_eq!(other.status.code(), Some(0));
        assert!(!text(&other.stdout).contains("rules broken"));
    }
}

#[test]
fn what_is_owed_at_the_end() {
    let call = "> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let rules = |end: &str| -> Vec<_> {
        let input = recording(&format!("{call}{end}"));
        let output = run(&["check", "--json", "-"], input.as_bytes());
        violations(&objects(&output.stdout))
            .into_iter()
            .map(|(rule, ..)| rule)
            .collect()
    };
    assert_eq!(rules("> .\n< .\n< exit"), ["R28"]);
    assert_eq!(rules("> .\n< ."), ["R28"]);
    // The server was ended, or left before it had surely read it, or is still there.
    assert!(rules("> .\n< .\n< kill").is_empty());
    assert!(rules("< .\n> .\n< exit").is_empty());
    assert!(rules("").is_empty());
    // It may write after its exit has been seen.
    assert!(rules("> .\n< exit\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n< .").is_empty());
}

#[test]
fn each_recording_is_a_session_of_its_own() {
    let once = recording(BROKEN);
    let twice = format!("{once}{once}");
    let one = violations(&objects(
        &run(&["check", "--json", "-"], once.as_bytes()).stdout,
    ));
    let two = violations(&objects(
        &run(&["check", "--json", "-"], twice.as_bytes()).stdout,
    ));
    assert_eq!(two, [one.clone(), one].concat());
}

#[test]
fn plain_bytes_are_held_against_the_envelope_s_rules() {
    let input = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\nhello\n";
    let output = run(&["check", "--json", "-"], input);
    assert_eq!(
        violations(&objects(&output.stdout)),
        [("R15".into(), "must".into(), Some(2))]
    );
}

#[test]
fn too_many_open_requests_are_said() {
    let mut lines = String::new();
    for id in 0..600 {
        lines.push_str(&format!(
            "> {{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n"
        ));
    }
    for id in 0..600 {
        lines.push_str(&format!(
            "< {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n"
        ));
    }
    let output = run(&["check", "--json", "-"], recording(&lines).as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let objects = objects(&output.stdout);
    let lost: Vec<_> = objects
        .iter()
        .filter(|object| object["event"] == "lost_track")
        .collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(
        (&lost[0]["dir"], &lost[0]["line"]),
        (&json!("c2s"), &json!(513))
    );
    let output = run(&["check", "--faults", "-"], recording(&lines).as_bytes());
    assert!(text(&output.stdout).contains("lost track"));
}

#[cfg(unix)]
#[test]
fn tap_tells_what_check_tells() {
    use std::io::Write;
    use std::process::Stdio;
    let directory = directory();
    let (record, record_name) = path(&directory, "session.rec");
    let (log, log_name) = path(&directory, "log");
    // Answers twice, once with another type of id, and once with more than a pong.
    let server = r#"read a; printf '%s\n' '{"jsonrpc":"2.0","id":"1","result":{}}' '{"jsonrpc":"2.0","id":1,"result":{"x":1}}'; cat >/dev/null"#;
    let mut child = wireline(&[
        "tap",
        "--json",
        "--record",
        &record_name,
        "--log",
        &log_name,
        "--",
        "sh",
        "-c",
        server,
    ])
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .spawn()
    .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin
        .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .expect("it reads");
    let mut answers = vec![0; 70];
    std::io::Read::read_exact(child.stdout.as_mut().expect("piped"), &mut answers)
        .expect("answers");
    stdin
        .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n")
        .expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "the server's own");
    // The bytes are the server's.
    let expected = b"{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":1}}\n";
    answers.extend(output.stdout);
    assert_eq!(text(&answers), text(expected));
    let live = objects(&std::fs::read(&log).expect("a log"));
    let told = violations(&live);
    let rules: Vec<_> = told.iter().map(|(rule, ..)| &rule[..]).collect();
    assert_eq!(rules, ["R18", "R61", "R16", "R51", "R28"]);
    let later = objects(&run(&["check", "--json", record.to_str().expect("UTF-8")], b"").stdout);
    assert_eq!(live, later);
}
