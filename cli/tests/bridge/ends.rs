//! How the bridge ends.

use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{run, text};
use crate::{Bridge, failed, ping, pong, tell};

fn connected(options: &[&str]) -> (Bridge, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    let bridge = Bridge::start(&[options, &[&format!("tcp:127.0.0.1:{port}")]].concat());
    let (device, _) = listener.accept().expect("connected");
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
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        let (mut bridge, mut device) = connected(&[]);
        bridge.passes_on(&mut device, &ping(1));
        kill_process(Pid::from_child(&bridge.host.child), signal).expect("it runs");
        let why = "The bridge was ended before the device answered";
        assert_eq!(bridge.host.line(), failed(1, why));
        assert_eq!(bridge.host.ends().code(), Some(status));
    }
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
