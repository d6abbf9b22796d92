//! How the bridge ends.

use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{run, text};
use crate::{Bridge, begins, cancelled, failed, next_line, ping, pong, tell};

fn connected(options: &[&str]) -> (Bridge, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    let bridge = Bridge::start(&[options, &[&format!("tcp:127.0.0.1:{port}")]].concat());
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    (bridge, device)
}

#[test]
fn what_was_asked_is_answered_after_the_input_has_ended() {
    let (mut bridge, mut device) = connected(&[]);
    bridge.passes_on(&mut device, &ping(1));
    bridge.host.raw(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"meth");
    bridge.host.close_input();
    bridge.says("has no end");
    std::thread::sleep(Duration::from_millis(300));
    tell(&mut device, &pong(1));
    assert_eq!(bridge.host.rest(), [pong(1)]);
    assert_eq!(bridge.host.ends().code(), Some(0));
}

#[test]
fn answers_are_not_waited_for_without_end() {
    let (mut bridge, mut device) = connected(&["--drain", "0.3"]);
    bridge.passes_on(&mut device, &ping(1));
    let start = Instant::now();
    bridge.host.close_input();
    let why = "The bridge ended before the device answered";
    assert_eq!(bridge.host.rest(), [failed(1, why)]);
    assert!(start.elapsed() >= Duration::from_millis(300));
    // The device would answer the next host otherwise, who may use the same id.
    assert_eq!(next_line(&mut device), cancelled(1));
    assert_eq!(bridge.host.ends().code(), Some(0));
}

#[test]
fn a_device_that_is_not_waited_for() {
    let (mut bridge, mut device) = connected(&["--no-retry"]);
    bridge.passes_on(&mut device, &ping(1));
    drop(device);
    assert_eq!(bridge.host.line(), failed(1, crate::LOST));
    bridge.says("the device closed the line");
    assert_eq!(bridge.host.ends().code(), Some(1));

    let output = run(&["bridge", "--give-up", "0.3", "unix:/nowhere/at/all"], b"");
    // The input's end comes first where nothing was asked.
    assert_eq!(output.status.code(), Some(0));
    let mut bridge = Bridge::start(&["--give-up", "0.3", "unix:/nowhere/at/all"]);
    bridge.host.send(&ping(1));
    assert_eq!(bridge.host.line(), failed(1, "The device is not connected"));
    bridge.says("unix:/nowhere/at/all has been away for 0.3 s");
    assert_eq!(bridge.host.ends().code(), Some(1));
}

#[test]
fn a_signal_ends_it_and_leaves_no_request_open() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        if signal == Signal::HUP && ignored(signal) {
            // Under `nohup`, as is right.
            continue;
        }
        let (mut bridge, mut device) = connected(&[]);
        bridge.passes_on(&mut device, &ping(1));
        kill_process(Pid::from_child(&bridge.host.child), signal).expect("it runs");
        let why = "The bridge was ended before the device answered";
        assert_eq!(bridge.host.line(), failed(1, why));
        assert_eq!(next_line(&mut device), cancelled(1));
        assert_eq!(bridge.host.ends().code(), Some(status));
    }
}

/// Whether this process was started with the signal ignored, and its children are.
fn ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0) >> (signal.as_raw() - 1) & 1 == 1
}

#[test]
fn it_ends_when_nobody_reads_its_output() {
    use std::process::{Command, Stdio};
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    let mut child = Command::new(env!("CARGO_BIN_EXE_wireline"))
        .args(["bridge", &format!("tcp:127.0.0.1:{port}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let _device = listener.accept().expect("connected");
    drop(child.stdout.take());
    let status = crate::support::ends_within(&mut child, crate::support::live::LONG);
    assert_eq!(status.code(), Some(0));
}

#[test]
fn it_ends_when_the_socket_of_its_output_is_closed() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::process::{Command, Stdio};
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    let (host, output) = UnixStream::pair().expect("a pair");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wireline"))
        .args(["bridge", &format!("tcp:127.0.0.1:{port}")])
        .stdin(Stdio::piped())
        .stdout(OwnedFd::from(output))
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    drop(host);
    let status = crate::support::ends_within(&mut child, crate::support::live::LONG);
    assert_eq!(status.code(), Some(0));
}

#[test]
fn the_end_of_the_input_is_seen_while_the_device_takes_nothing() {
    use std::io::Write;
    use std::os::unix::net::UnixListener;
    use std::process::{Command, Stdio};

    use rustix::fs::{OFlags, fcntl_setfl};
    let folder = crate::support::directory();
    let path = folder.path().join("board");
    let listener = UnixListener::bind(&path).expect("bound");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wireline"))
        .args(["bridge", "--drain", "0.3"])
        .arg(format!("unix:{}", path.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let (_device, _) = listener.accept().expect("connected");
    let mut host = child.stdin.take().expect("piped");
    fcntl_setfl(&host, OFlags::NONBLOCK).expect("set");
    let line = format!("{}\n", ping(1).replace("ping", &"x".repeat(60_000)));
    // Until nothing has moved for a while.
    let mut stalled = 0;
    while stalled < 20 {
        // Wherever it is torn.
        let written = host.write(line.as_bytes()).unwrap_or(0);
        stalled = if written > 0 { 0 } else { stalled + 1 };
        std::thread::sleep(Duration::from_millis(if written > 0 { 0 } else { 20 }));
    }
    drop(host);
    let status = crate::support::ends_within(&mut child, crate::support::live::LONG);
    assert_eq!(status.code(), Some(0));
}

#[test]
fn wrong_usage_is_said() {
    for (args, says) in [
        (&["bridge"][..], "DEVICE"),
        (
            &["bridge", "/dev/ttyACM0"],
            "begins with serial:, tcp: or unix:",
        ),
        (
            &["bridge", "serial:/dev/x?baud=fast"],
            "a number of bits a second",
        ),
        (&["bridge", "serial:/dev/x?data=7"], "messages are UTF-8"),
        (&["bridge", "--hold=-1", "unix:/x"], "--hold"),
        (
            &["bridge", "--no-retry", "--give-up", "1", "unix:/x"],
            "cannot be used with",
        ),
    ] {
        let output = run(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            text(&output.stderr).contains(says),
            "{}",
            text(&output.stderr)
        );
    }
}
