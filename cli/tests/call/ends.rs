//! Servers that do not answer, that do not end, and users who have had enough.

use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStderr, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::support::live::LONG;
use crate::support::{directory, ends_within, path, run, text, wireline};
use crate::{WIRELINE, call, script};

#[test]
fn an_answer_that_does_not_come() {
    let output = call(&["--timeout", "0.2", "--tool", "hang", "--trace"], &[]);
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr);
    assert!(said.contains("notifications/cancelled"), "{said}");
    assert!(
        said.ends_with("wireline: the answer did not come in time\n"),
        "{said}"
    );
    // Progress makes the time begin anew.
    let output = call(
        &[
            "--timeout",
            "2",
            "--tool",
            "progress",
            "--args",
            "steps=30",
            "--args",
            "ms=100",
        ],
        &[],
    );
    assert_eq!(text(&output.stdout), "all steps done\n");
    // But not for ever: ten times as long, in all.
    let output = call(
        &[
            "--timeout",
            "0.3",
            "--tool",
            "progress",
            "--args",
            "steps=300",
            "--args",
            "ms=50",
        ],
        &[],
    );
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("the answer did not come in time"));
}

#[test]
fn a_server_that_says_nothing() {
    let output = script(&["--timeout", "0.2"], "cat > /dev/null");
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stderr).contains("did not answer in time"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_server_that_refuses_says_why() {
    // Whichever way it is asked, its own words reach the user.
    let refuse = r#"n=0; while read -r _; do
        printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Licence\u0007 expired","data":{"until":2025}}}\n' $n
        n=$((n + 1))
    done"#;
    for era in ["auto", "legacy", "modern"] {
        let output = script(&["--era", era], refuse);
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(
            text(&output.stderr),
            "wireline: the server refused to open a session: error -32602: Licence\\x07 expired\n  \
             data: {\"until\":2025}\n"
        );
    }
    let old = r#"read -r _; echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2023-01-01"}}'; read -r _"#;
    let output = script(&["--era", "legacy"], old);
    assert_eq!(
        text(&output.stderr),
        "wireline: the server speaks no revision that was asked for\n  it answered with revision 2023-01-01\n"
    );
    let new = r#"read -r _; echo '{"jsonrpc":"2.0","id":0,"result":{"supportedVersions":["2030-01-01"]}}'; read -r _"#;
    let output = script(&["--era", "modern"], new);
    assert_eq!(
        text(&output.stderr),
        "wireline: the server speaks no revision that was asked for\n  it supports [\"2030-01-01\"]\n"
    );
}

#[test]
fn a_server_that_ends() {
    let output = script(
        &["--timeout", "10"],
        "echo oops >&2; printf 'last \\033[31mwords' >&2; exit 7",
    );
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr);
    assert!(
        said.starts_with("server: oops\nserver: last \\x1b[31mwords\n"),
        "{said}"
    );
    // In the middle of a call.
    let output = script(&["--tool", "hang"], r#"timeout 1 "$0" serve; exit 7"#);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stderr).contains("the server ended before it answered"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_command_that_cannot_be_run() {
    let output = run(&["call", "--", "/no/such/program"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("wireline: cannot run /no/such/program: "));
}

#[test]
fn standard_error_of_any_size_is_drained() {
    let flood = "yes noise | head -c 20000000 >&2";
    let output = script(
        &["--tool", "echo", "--args", "text=x"],
        &format!(r#"{flood}; exec "$0" serve"#),
    );
    assert_eq!(
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr)
        ),
        (Some(0), "x\n", "")
    );
    let output = script(
        &[],
        &format!("{flood}; echo >&2; echo the last line >&2; exit 1"),
    );
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr);
    assert!(said.contains("server: the last line\n"), "{said}");
    assert_eq!(
        said.lines()
            .filter(|line| line.starts_with("server: "))
            .count(),
        20
    );
}

#[test]
fn an_answer_of_any_length() {
    let output = call(
        &["--tool", "blob", "--args", "bytes=8388608", "--json"],
        &[],
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.len() > 11_000_000);
    let output = call(
        &[
            "--tool",
            "blob",
            "--args",
            "bytes=8388608",
            "--max-message",
            "1M",
        ],
        &[],
    );
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stderr).contains("--max-message"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_server_that_stays_is_told_to_end_and_then_ended() {
    let directory = directory();
    let (log, name) = path(&directory, "log");
    let server = format!(
        r#"log='{name}'; trap 'echo told >> "$log"' TERM; "$0" serve; echo closed >> "$log"; while :; do sleep 1; done"#
    );
    let begun = Instant::now();
    let output = script(&["--tool", "echo", "--args", "text=x"], &server);
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), "x\n")
    );
    assert_eq!(fs::read_to_string(log).expect("written"), "closed\ntold\n");
    assert!(
        begun.elapsed() > Duration::from_secs(3),
        "{:?}",
        begun.elapsed()
    );
}

/// A call whose trace is read line by line.
struct Traced {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Traced {
    fn start(args: &[&str]) -> Self {
        let mut child = wireline(&[&["call", "--trace"], args].concat())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        Self { child, lines }
    }

    /// Reads on until a line holds this, and gives that line.
    fn until(&mut self, part: &str) -> String {
        loop {
            let line = self.lines.next().expect("it comes").expect("text");
            if line.contains(part) {
                return line;
            }
        }
    }

    fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("it runs");
    }
}

#[test]
fn the_first_interrupt_cancels() {
    let mut call = Traced::start(&["--tool", "hang", "--", WIRELINE, "serve"]);
    call.until(r#""name":"hang""#);
    call.interrupt();
    let line = call.until("notifications/cancelled");
    assert!(line.contains("interrupted by the user"), "{line}");
    call.until("the server ended with status 0");
    call.until("wireline: interrupted");
    assert_eq!(ends_within(&mut call.child, LONG).code(), Some(130));
}

#[test]
fn the_second_interrupt_ends_the_server() {
    // It tells its process id, and neither answers nor ends by itself.
    let server = r#"trap '' TERM; echo "pid $$."; while :; do sleep 1; done"#;
    let mut call = Traced::start(&["--timeout", "0", "--", "sh", "-c", server]);
    let line = call.until("pid ");
    let pid = line
        .split("pid ")
        .nth(1)
        .and_then(|rest| rest.split('.').next());
    let pid = pid
        .and_then(|pid| pid.parse().ok())
        .and_then(Pid::from_raw)
        .expect("a number");
    assert!(test_kill_process(pid).is_ok());
    call.interrupt();
    call.until("the server's input is closed");
    call.interrupt();
    call.until("the server was ended by signal 9");
    assert_eq!(ends_within(&mut call.child, LONG).code(), Some(130));
    assert!(test_kill_process(pid).is_err(), "it is gone");
}

#[test]
fn a_server_that_prints_garbage_is_told_of() {
    let out = script(
        &["--timeout", "3", "--era", "legacy"],
        "echo Listening on port 8080; echo; echo more; while read line; do :; done; sleep 2",
    );
    assert_eq!(out.status.code(), Some(3), "{out:?}");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(
        errors.contains("did not answer in time")
            && errors.contains("2 lines of its standard output were no messages, the first: Listening on port 8080 (")
            && errors.contains("belongs on standard error"),
        "{errors}"
    );
}

#[test]
fn what_a_server_does_not_declare_is_named() {
    let server = r#"read line; printf '%s\n' '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'; cat >/dev/null"#;
    for (options, wanted) in [
        (
            &["--get", "greet"][..],
            "the server does not declare `prompts`, which prompts/get needs",
        ),
        (
            &["--list", "templates"],
            "the server does not declare `resources`, which resources/templates/list needs",
        ),
        (
            &["--log-level", "info", "--list", "tools"],
            "the server does not declare `logging`",
        ),
    ] {
        let out = script(&[&["--era", "legacy"], options].concat(), server);
        assert_eq!(out.status.code(), Some(1), "{out:?}");
        let errors = String::from_utf8_lossy(&out.stderr);
        assert!(errors.contains(wanted), "{errors}");
    }
}

#[test]
fn a_list_that_the_server_does_not_know_is_empty() {
    let server = r#"
        read line; printf '%s\n' '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}}'
        read line; while read line; do
            id=${line#*'"id":'}; id=${id%%,*}
            case $line in
            *'"tools/list"'*'"cursor"'*|*templates/list*) answer='"error":{"code":-32601,"message":"Method not found"}' ;;
            *'"tools/list"'*) answer='"result":{"tools":[{"name":"one","inputSchema":{"type":"object"}}]'$MORE'}' ;;
            *) answer='"result":{"resources":[]}' ;;
            esac
            printf '%s\n' "{\"jsonrpc\":\"2.0\",\"id\":$id,$answer}"
        done"#;
    let out = script(&["--era", "legacy"], server);
    let shown = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert!(shown.contains("tools: 1\n"), "{shown}");
    assert!(shown.contains("resource templates: 0\n"), "{shown}");
    // In the middle of a list it is an error.
    let more = format!("MORE=',\"nextCursor\":\"2\"'\n{server}");
    let out = script(&["--era", "legacy"], &more);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(errors.contains("tools/list: error -32601"), "{errors}");
}

#[test]
fn arguments_without_anything_to_give_them_to_are_refused() {
    let out = call(&["--args", "a=1"], &[]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(errors.contains("--tool"), "{errors}");
}
