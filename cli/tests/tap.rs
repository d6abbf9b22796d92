//! `wireline tap`, between a host and a server played by small programs.
#![cfg(unix)]

mod support;

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use support::{
    Random, directory, ends_within, mixed, objects, path, read_within, run, text, wireline,
};

/// Far more than anything here takes, even on a busy machine.
const LONG: Duration = Duration::from_secs(20);

fn start(args: &[&str]) -> Child {
    wireline(&[&["tap"], args].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

fn stdin(child: &mut Child) -> ChildStdin {
    child.stdin.take().expect("piped")
}

fn stderr_of(mut child: Child) -> String {
    let mut said = String::new();
    child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut said)
        .expect("text");
    said
}

/// Writes in pieces of random size, and reads all that comes back.
fn through(mut child: Child, input: Vec<u8>, seed: u64) -> (Vec<u8>, Option<i32>) {
    let mut to = stdin(&mut child);
    let mut from = child.stdout.take().expect("piped");
    let errors = child.stderr.take().map(|mut errors| {
        thread::spawn(move || {
            let mut said = Vec::new();
            let _ = errors.read_to_end(&mut said);
        })
    });
    let writer = thread::spawn(move || {
        let mut random = Random(seed);
        let mut rest = &input[..];
        while !rest.is_empty() {
            let most = if random.below(4) == 0 { 200_000 } else { 500 };
            let (piece, after) = rest.split_at(1 + random.below(rest.len().min(most)));
            to.write_all(piece).expect("it reads");
            rest = after;
        }
    });
    let mut back = Vec::new();
    from.read_to_end(&mut back).expect("it writes");
    writer.join().expect("all was written");
    let status = ends_within(&mut child, LONG).code();
    if let Some(errors) = errors {
        errors.join().expect("read");
    }
    (back, status)
}

#[test]
fn every_byte_passes_both_ways() {
    for seed in 1..=8 {
        let mut random = Random(seed);
        let mut input = mixed(&mut random, 400);
        input.extend((0..300_000).map(|_| random.next() as u8));
        let (back, status) = through(start(&["--", "cat"]), input.clone(), seed);
        assert!(back == input, "seed {seed}");
        assert_eq!(status, Some(0));
    }
}

#[test]
fn a_part_of_a_line_passes_at_once() {
    let mut child = start(&["--", "cat"]);
    let mut to = stdin(&mut child);
    let begun = Instant::now();
    to.write_all(b"{\"par").expect("it reads");
    let back = read_within(child.stdout.take().expect("piped"), 5, LONG);
    assert_eq!(back, b"{\"par");
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    drop(to);
    ends_within(&mut child, LONG);
}

#[test]
fn the_recording_tells_what_the_report_told() {
    let directory = directory();
    let (_, recording) = path(&directory, "session.rec");
    let (_, log) = path(&directory, "session.log");
    for (seed, json) in [(11, false), (12, true), (13, false), (14, true)] {
        let mut random = Random(seed);
        let input = mixed(&mut random, 300);
        let mut args = vec!["--record", &recording, "--log", &log];
        if json {
            args.push("--json");
        }
        args.extend(["--", "sh", "-c", "cat; printf 'no line end'; exit 3"]);
        let (back, status) = through(start(&args), input.clone(), seed);
        assert_eq!(
            (back, status),
            ([&input[..], b"no line end"].concat(), Some(3))
        );
        let live = std::fs::read(&log).expect("the log");
        let mut check = vec!["check"];
        if json {
            check.push("--json");
        }
        check.push(&recording);
        let later = run(&check, b"");
        assert_eq!(later.status.code(), Some(1));
        assert_eq!(text(&later.stdout), text(&live));
        assert!(text(&live).contains(if json {
            "\"code\":3"
        } else {
            "ended with status 3"
        }));

        // And the recording holds the very bytes.
        let mut sides = [Vec::new(), Vec::new()];
        for record in objects(&std::fs::read(&recording).expect("the recording")) {
            let side = usize::from(record["dir"] == "s2c");
            if let Some(raw) = record["raw"].as_str() {
                sides[side].extend_from_slice(raw.as_bytes());
            } else if let Some(b64) = record["b64"].as_str() {
                use base64::Engine as _;
                sides[side].extend(
                    base64::engine::general_purpose::STANDARD
                        .decode(b64)
                        .expect("base64"),
                );
            }
        }
        assert!(sides[0] == input);
        assert!(sides[1].strip_prefix(&input[..]) == Some(b"no line end"));
    }
}

#[test]
fn the_log_can_be_followed() {
    let directory = directory();
    let (log_path, log) = path(&directory, "log");
    let mut child = start(&["--log", &log, "--", "cat"]);
    let mut to = stdin(&mut child);
    to.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .expect("it reads");
    let begun = Instant::now();
    while !std::fs::read_to_string(&log_path)
        .unwrap_or_default()
        .contains("<-- request")
    {
        assert!(begun.elapsed() < LONG);
        thread::sleep(Duration::from_millis(5));
    }
    drop(to);
    ends_within(&mut child, LONG);
}

fn fifo(path: &std::path::Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(made.success());
}

#[test]
fn a_log_that_nobody_reads_holds_nothing_up() {
    let directory = directory();
    let (log_path, log) = path(&directory, "fifo");
    fifo(&log_path);
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(25_000);

    // Nobody has opened it.
    let begun = Instant::now();
    let (back, status) = through(
        start(&["--log", &log, "--queue", "100K", "--", "cat"]),
        line.clone(),
        5,
    );
    assert!(back == line);
    assert_eq!(status, Some(0));
    assert!(begun.elapsed() < LONG);

    // Somebody has, but does not read until the end.
    let opened = thread::spawn({
        let log_path = log_path.clone();
        move || File::open(log_path).expect("the pipe")
    });
    let mut child = start(&["--log", &log, "--queue", "100K", "--", "cat"]);
    let mut reader = opened.join().expect("opened");
    let mut to = stdin(&mut child);
    let mut from = child.stdout.take().expect("piped");
    let size = line.len();
    let writer = thread::spawn(move || {
        to.write_all(&line).expect("it reads");
        to
    });
    let mut back = vec![0; size];
    from.read_exact(&mut back).expect("all passes");
    let to = writer.join().expect("written");
    let told = thread::spawn(move || {
        let mut told = String::new();
        reader.read_to_string(&mut told).expect("text");
        told
    });
    // Now it reads. What passes from here on is reported, and what was left out is said.
    thread::sleep(Duration::from_millis(300));
    drop(to);
    assert_eq!(ends_within(&mut child, LONG).code(), Some(0));
    let told = told.join().expect("read");
    assert!(
        told.contains("bytes passed unseen here"),
        "{}",
        &told[told.len().saturating_sub(2000)..]
    );
    let lost = told
        .lines()
        .find(|line| line.starts_with("bytes not reported"))
        .expect("a row in the summary");
    assert!(lost.split_whitespace().last() > Some("0"), "{lost}");
    assert!(!told.contains("FAULT"), "a gap is not taken for a fault");
}

#[test]
fn a_log_that_fails_is_said_and_bytes_pass() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let mut child = start(&["--log", "/dev/full", "--record", "/dev/full", "--", "cat"]);
    let mut to = stdin(&mut child);
    to.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .expect("it reads");
    thread::sleep(Duration::from_millis(100));
    to.write_all(b"more").expect("it reads");
    drop(to);
    let mut back = String::new();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_string(&mut back)
        .expect("text");
    assert!(back.ends_with("more"));
    assert_eq!(ends_within(&mut child, LONG).code(), Some(0));
    let said = stderr_of(child);
    assert!(
        said.contains("cannot write the log /dev/full") && said.contains("bytes still pass"),
        "{said}"
    );
    assert!(
        said.contains("cannot write the recording /dev/full"),
        "{said}"
    );
}

#[test]
fn the_end_of_the_server_is_passed_on() {
    for (script, status) in [
        ("exit 0", 0),
        ("exit 7", 7),
        ("exit 255", 255),
        ("kill -9 $$", 128 + 9),
        ("kill -TERM $$", 128 + 15),
        ("kill -SEGV $$", 128 + 11),
    ] {
        // The host still holds its end open.
        let mut child = start(&["--", "sh", "-c", script]);
        let to = stdin(&mut child);
        assert_eq!(
            ends_within(&mut child, LONG).code(),
            Some(status),
            "{script}"
        );
        drop(to);
    }
}

#[test]
fn what_the_server_wrote_last_arrives() {
    // More than a pipe holds, and a host that is slow to read it.
    let mut child = start(&[
        "--quiet",
        "--",
        "sh",
        "-c",
        "head -c 3000000 /dev/zero; exit 5",
    ]);
    let to = stdin(&mut child);
    thread::sleep(Duration::from_millis(800));
    let mut from = child.stdout.take().expect("piped");
    let mut first = vec![0; 100_000];
    from.read_exact(&mut first).expect("the first bytes");
    thread::sleep(Duration::from_millis(800));
    let mut rest = Vec::new();
    from.read_to_end(&mut rest).expect("the rest");
    assert_eq!(first.len() + rest.len(), 3_000_000);
    assert_eq!(ends_within(&mut child, LONG).code(), Some(5));
    drop(to);
}

#[test]
fn a_host_that_closes_its_end_closes_the_servers() {
    let mut child = start(&["--", "sh", "-c", "cat >/dev/null; echo bye; exit 4"]);
    drop(stdin(&mut child));
    let mut said = String::new();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_string(&mut said)
        .expect("text");
    assert_eq!(said, "bye\n");
    assert_eq!(ends_within(&mut child, LONG).code(), Some(4));
    let report = stderr_of(child);
    assert!(
        report.contains("the client closed its end") && report.contains("ended with status 4"),
        "{report}"
    );
}

#[test]
fn a_server_that_stops_reading_is_noticed_by_the_host() {
    let mut child = start(&[
        "--quiet",
        "--",
        "sh",
        "-c",
        "exec 0<&-; echo ready; exec sleep 100",
    ]);
    let mut to = stdin(&mut child);
    let from = child.stdout.take().expect("piped");
    assert_eq!(read_within(from, 6, LONG), b"ready\n");
    let begun = Instant::now();
    let error = loop {
        if let Err(error) = to.write_all(b"anybody?\n") {
            break error;
        }
        assert!(begun.elapsed() < LONG, "as without the tap, writing fails");
        thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    // All that while the server lives.
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it runs");
    assert_eq!(ends_within(&mut child, LONG).code(), Some(128 + 15));
}

#[test]
fn a_server_that_closes_its_output_is_noticed_by_the_host() {
    let mut child = start(&[
        "--quiet",
        "--",
        "sh",
        "-c",
        "echo last; exec 1>&-; exec sleep 100",
    ]);
    let to = stdin(&mut child);
    let mut said = String::new();
    let begun = Instant::now();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_string(&mut said)
        .expect("text");
    assert_eq!(said, "last\n");
    assert!(
        begun.elapsed() < LONG,
        "as without the tap, the end comes at once"
    );
    // All that while the server lives.
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it runs");
    assert_eq!(ends_within(&mut child, LONG).code(), Some(128 + 15));
    drop(to);
}

#[test]
fn a_host_that_stops_reading_is_noticed_by_the_server() {
    let mut child = start(&["--quiet", "--", "sh", "-c", "yes; exit $?"]);
    let to = stdin(&mut child);
    let mut from = child.stdout.take().expect("piped");
    from.read_exact(&mut [0; 10]).expect("some");
    drop(from);
    // The shell tells how `yes` ended: SIGPIPE, as without the tap.
    assert_eq!(ends_within(&mut child, LONG).code(), Some(128 + 13));
    drop(to);
}

#[test]
fn a_process_left_behind_does_not_hold_the_tap() {
    let mut child = start(&["--quiet", "--", "sh", "-c", "sleep 100 & echo $!; exit 4"]);
    let to = stdin(&mut child);
    assert_eq!(ends_within(&mut child, LONG).code(), Some(4));
    drop(to);
    let mut number = String::new();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_string(&mut number)
        .expect("text");
    let left = number.trim().parse().ok().and_then(Pid::from_raw);
    kill_process(left.expect("a process"), Signal::TERM).expect("it still runs");
}

#[test]
fn a_signal_just_after_the_end_costs_no_record() {
    nothing_is_ignored();
    let directory = directory();
    let (record_path, record) = path(&directory, "fifo");
    fifo(&record_path);
    let opened = thread::spawn(move || File::open(record_path).expect("the pipe"));
    // More than a pipe holds, so that the recording is behind when the server has ended.
    let script = "echo $$; yes 0123456789 | head -c 500000; exit 3";
    let mut child = start(&["--quiet", "--record", &record, "--", "sh", "-c", script]);
    let mut reader = opened.join().expect("opened");
    let to = stdin(&mut child);
    let mut said = Vec::new();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_end(&mut said)
        .expect("all passes");
    let number = String::from_utf8_lossy(&said[..said.len() - 500_000]).into_owned();
    let server = number.trim().parse().ok().and_then(Pid::from_raw);
    let server = server.expect("a process");
    let begun = Instant::now();
    while rustix::process::test_kill_process(server).is_ok() {
        assert!(begun.elapsed() < LONG);
        thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it waits for the recording");
    let mut recorded = String::new();
    reader.read_to_string(&mut recorded).expect("text");
    assert_eq!(ends_within(&mut child, LONG).code(), Some(3));
    assert!(
        recorded
            .lines()
            .any(|line| line.contains("\"exit\"") && line.contains("\"code\":3")),
        "{}",
        &recorded[recorded.len().saturating_sub(200)..]
    );
    drop(to);
}

#[test]
fn after_a_signal_what_was_left_behind_is_not_waited_for() {
    nothing_is_ignored();
    // What is left behind writes for ever, and so would be waited for.
    let script = "yes & echo $$ >&2; exit 4";
    let mut child = start(&["--quiet", "--", "sh", "-c", script]);
    let to = stdin(&mut child);
    let from = child.stdout.take().expect("piped");
    let reading = thread::spawn(move || std::io::copy(&mut { from }, &mut std::io::sink()));
    let errors = child.stderr.take().expect("piped");
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(errors), &mut line).expect("text");
    let server = line.trim().parse().ok().and_then(Pid::from_raw);
    let server = server.expect("a process");
    let begun = Instant::now();
    while rustix::process::test_kill_process(server).is_ok() {
        assert!(begun.elapsed() < LONG);
        thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it passes on what comes");
    assert_eq!(ends_within(&mut child, LONG).code(), Some(4));
    let _ = reading.join();
    drop(to);
}

/// Signals that this process was started with ignored, as by `nohup` or in a shell's background,
/// are ignored by what it starts as well. Those that it handles are not.
fn nothing_is_ignored() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok())
        .unwrap_or(0);
    for signal in [SIGHUP, SIGINT, SIGTERM, SIGUSR1] {
        if ignored >> (signal - 1) & 1 == 1 {
            signal_hook::flag::register(signal, std::sync::Arc::default()).expect("handled");
        }
    }
}

#[test]
fn signals_reach_the_server() {
    nothing_is_ignored();
    for (name, signal) in [
        ("TERM", Signal::TERM),
        ("INT", Signal::INT),
        ("HUP", Signal::HUP),
        ("USR1", Signal::USR1),
    ] {
        let script = format!("trap 'exit 9' {name}; echo ready; while :; do sleep 0.02; done");
        let mut child = start(&["--quiet", "--", "sh", "-c", &script]);
        let to = stdin(&mut child);
        let from = child.stdout.take().expect("piped");
        assert_eq!(read_within(from, 6, LONG), b"ready\n");
        kill_process(Pid::from_child(&child), signal).expect("it runs");
        assert_eq!(ends_within(&mut child, LONG).code(), Some(9), "{name}");
        drop(to);
    }
    // A server that does not catch it.
    let mut child = start(&["--quiet", "--", "sh", "-c", "echo ready; exec sleep 30"]);
    let to = stdin(&mut child);
    let from = child.stdout.take().expect("piped");
    assert_eq!(read_within(from, 6, LONG), b"ready\n");
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it runs");
    assert_eq!(ends_within(&mut child, LONG).code(), Some(128 + 15));
    drop(to);
}

#[test]
fn standard_error_is_the_servers_own() {
    let mut child = start(&["--quiet", "--", "sh", "-c", "echo to the log >&2"]);
    drop(stdin(&mut child));
    assert_eq!(ends_within(&mut child, LONG).code(), Some(0));
    assert_eq!(stderr_of(child), "to the log\n");
}

#[test]
fn streams_that_do_not_block_are_waited_for() {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let (host_reads, tap_writes) = std::io::pipe().expect("a pipe");
    let (tap_reads, mut host_writes) = std::io::pipe().expect("a pipe");
    let (errors_read, errors_written) = std::io::pipe().expect("a pipe");
    for end in [
        tap_writes.as_fd(),
        tap_reads.as_fd(),
        errors_written.as_fd(),
    ] {
        let flags = fcntl_getfl(end).expect("flags");
        fcntl_setfl(end, flags | OFlags::NONBLOCK).expect("set");
    }
    let mut child = wireline(&["tap", "--", "cat"])
        .stdin(tap_reads)
        .stdout(tap_writes)
        .stderr(errors_written)
        .spawn()
        .expect("it starts");
    let input = mixed(&mut Random(21), 20_000);
    let copy = input.clone();
    let writer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        host_writes.write_all(&copy).expect("it reads");
    });
    let report = thread::spawn(move || {
        let mut errors_read = errors_read;
        thread::sleep(Duration::from_millis(300));
        let mut said = String::new();
        errors_read.read_to_string(&mut said).expect("text");
        said
    });
    // Slow to read, so that writing finds no room.
    thread::sleep(Duration::from_millis(300));
    let mut back = Vec::new();
    { host_reads }.read_to_end(&mut back).expect("it writes");
    writer.join().expect("written");
    assert!(back == input);
    assert_eq!(ends_within(&mut child, LONG).code(), Some(0));
    assert!(
        report
            .join()
            .expect("read")
            .contains("the server ended with status 0")
    );
}

#[test]
fn what_cannot_be_started_is_said() {
    let directory = directory();
    let (_, folder) = path(&directory, "");
    let (not_program, not_program_name) = path(&directory, "notes.txt");
    std::fs::write(not_program, "notes").expect("written");
    let (_, nowhere) = path(&directory, "nowhere/file");
    let cases: &[(&[&str], i32, &[&str])] = &[
        (
            &["--", "no-such-program-here"],
            127,
            &["cannot run no-such-program-here", "PATH"],
        ),
        (
            &["--", &not_program_name],
            126,
            &["cannot run", "notes.txt", "may be executed"],
        ),
        (
            &["--record", &nowhere, "--", "cat"],
            2,
            &["cannot write", "nowhere/file"],
        ),
        (&["--log", &folder, "--", "cat"], 2, &["cannot write"]),
        (&["--"], 2, &["<COMMAND>"]),
        (&["cat"], 2, &["cat"]),
        (&[], 2, &["<COMMAND>"]),
    ];
    for (args, status, words) in cases {
        let output = run(&[&["tap"], *args].concat(), b"");
        assert_eq!(output.status.code(), Some(*status), "{args:?}");
        for word in *words {
            assert!(
                text(&output.stderr).contains(word),
                "{args:?}: {}",
                text(&output.stderr)
            );
        }
    }
}

#[test]
fn what_cannot_be_started_leaves_older_files_as_they_are() {
    let directory = directory();
    let (recording, recording_name) = path(&directory, "session.rec");
    let (log, log_name) = path(&directory, "session.log");
    for file in [&recording, &log] {
        std::fs::write(file, "of an earlier session").expect("written");
    }
    let files = ["--record", &recording_name, "--log", &log_name];
    for command in ["no-such-program-here", &recording_name] {
        let output = run(&[&["tap"], &files[..], &["--", command]].concat(), b"");
        assert!(
            matches!(output.status.code(), Some(126 | 127)),
            "{output:?}"
        );
        for file in [&recording, &log] {
            let kept = std::fs::read(file).expect("it is there");
            assert_eq!(text(&kept), "of an earlier session", "{}", file.display());
        }
        // Nothing passed, and no summary says so.
        let output = run(&["tap", "--", command], b"");
        let said = text(&output.stderr);
        assert_eq!(said.lines().count(), 2, "{said}");
        assert!(said.contains("cannot run"), "{said}");
    }
    // What starts writes anew.
    let output = run(&[&["tap"], &files[..], &["--", "true"]].concat(), b"");
    assert!(output.status.success());
    for file in [&recording, &log] {
        let now = std::fs::read(file).expect("it is there");
        assert!(
            !now.is_empty() && !text(&now).contains("earlier"),
            "{}",
            text(&now)
        );
    }
    let lines = std::fs::read(&recording).expect("it is there");
    assert_eq!(objects(&lines)[0]["program"], "true");
}

#[test]
fn what_cannot_be_started_leaves_no_new_files() {
    let directory = directory();
    let (recording, recording_name) = path(&directory, "session.rec");
    let (log, log_name) = path(&directory, "session.log");
    let (_, nowhere) = path(&directory, "nowhere/file");
    for args in [
        [
            "--record",
            &recording_name,
            "--log",
            &log_name,
            "--",
            "no-such-program-here",
        ],
        ["--record", &recording_name, "--log", &nowhere, "--", "true"],
    ] {
        let output = run(&[&["tap"], &args[..]].concat(), b"");
        assert!(!output.status.success(), "{output:?}");
        assert!(!recording.exists() && !log.exists(), "{args:?}");
    }
    let args = [
        "tap",
        "--record",
        &recording_name,
        "--log",
        &log_name,
        "--",
        "true",
    ];
    assert!(run(&args, b"").status.success());
    assert!(recording.exists() && log.exists());
}

#[test]
fn options_of_the_server_are_the_servers() {
    let output = run(
        &["tap", "--quiet", "--", "echo", "--json", "--help", "-q"],
        b"",
    );
    assert_eq!(text(&output.stdout), "--json --help -q\n");
}

#[test]
fn a_recording_is_for_its_owner_and_holds_no_arguments() {
    use std::os::unix::fs::PermissionsExt;
    let directory = directory();
    let (recording, name) = path(&directory, "session.rec");
    let output = run(
        &[
            "tap",
            "--quiet",
            "--record",
            &name,
            "--",
            "/bin/cat",
            "-",
            "/dev/null",
        ],
        b"{}\n",
    );
    assert_eq!(output.status.code(), Some(0));
    let mode = std::fs::metadata(&recording)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0);
    let records = objects(&std::fs::read(&recording).expect("read"));
    assert_eq!(records[0]["program"], "cat");
    assert!(records[0].get("command").is_none());
    assert!(records[0]["started_unix_ms"].as_u64() > Some(1_700_000_000_000));
}

/// Passes a line of so many bytes, then another; gives the peak memory in KiB and the log.
#[cfg(target_os = "linux")]
fn pass_a_long_line(args: &[&str], chunks: usize, pause: Duration) -> (u64, String) {
    const CHUNK: usize = 64 * 1024;
    let directory = directory();
    let (log_path, log) = path(&directory, "log");
    let (_, recording) = path(&directory, "session.rec");
    let args = [args, &["--log", &log, "--record", &recording, "--", "cat"]].concat();
    let mut child = start(&args);
    let mut to = stdin(&mut child);
    let mut from = child.stdout.take().expect("piped");
    let writer = thread::spawn(move || {
        for _ in 0..chunks {
            to.write_all(&[b'x'; CHUNK]).expect("it reads");
            thread::sleep(pause);
        }
        to.write_all(b"\n").expect("it reads");
        to
    });
    let mut left = chunks * CHUNK + 1;
    let mut buffer = vec![0; CHUNK];
    while left > 0 {
        left -= from.read(&mut buffer).expect("it writes");
    }
    let mut to = writer.join().expect("written");
    // Memory may grow until all has been reported. A line may be left out, so it is sent again.
    let line = b"{\"jsonrpc\":\"2.0\",\"method\":\"after\"}\n";
    let begun = Instant::now();
    while !std::fs::read_to_string(&log_path)
        .unwrap_or_default()
        .contains("<-- notification")
    {
        assert!(begun.elapsed() < LONG);
        to.write_all(line).expect("it reads");
        from.read_exact(&mut buffer[..line.len()])
            .expect("it writes");
        thread::sleep(Duration::from_millis(20));
    }
    let peak = support::peak(&child);
    drop(to);
    assert_eq!(ends_within(&mut child, LONG).code(), Some(0));
    (peak, std::fs::read_to_string(&log_path).expect("the log"))
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_whatever_passes() {
    // The ceilings that hold without options: two messages of 16 MiB and what a growing buffer
    // needs, two queues.
    for (args, chunks, most) in [
        (
            &["--queue", "1M", "--max-message", "1M"][..],
            160,
            16 * 1024,
        ),
        (&[], 400, 112 * 1024),
    ] {
        // Reported in full, which takes a pace that the report can keep.
        let complete = [1, 5, 25, 100].into_iter().any(|pause| {
            let (peak, log) = pass_a_long_line(args, chunks, Duration::from_millis(pause));
            assert!(peak < most, "{peak} KiB");
            !log.contains("passed unseen") && log.contains("FAULT")
        });
        assert!(complete);
    }
    // As fast as it goes, whatever is left out.
    let (peak, _) = pass_a_long_line(
        &["--queue", "1M", "--max-message", "1M"],
        1024,
        Duration::ZERO,
    );
    assert!(peak < 16 * 1024, "{peak} KiB");
}

#[test]
fn a_recording_and_a_report_do_not_share_a_file() {
    let folder = directory();
    let (file, name) = path(&folder, "session");
    let (_, other) = path(&folder, "./session");
    for there in [false, true] {
        if there {
            std::fs::write(&file, "kept").expect("written");
        }
        let output = run(
            &["tap", "--record", &name, "--log", &other, "--", "true"],
            b"",
        );
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains("--record and --log both name"));
        assert_eq!(file.exists(), there);
    }
    assert_eq!(std::fs::read(&file).expect("there"), b"kept");
    let output = run(
        &[
            "tap",
            "--record",
            "/dev/null",
            "--log",
            "/dev/null",
            "--",
            "true",
        ],
        b"",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
