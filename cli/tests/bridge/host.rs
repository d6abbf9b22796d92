//! A host that ends, is killed or starts anew while a device is at work.

use std::io::Write;
use std::os::unix::net::UnixListener;

use crate::support::{directory, live::Live};
use crate::{Bridge, begins, cancelled, next_line, ping, pong, tell};

/// Asked by the last host, not by this one.
#[test]
fn late_answers_do_not_reach_the_next_host() {
    let folder = directory();
    let path = folder.path().join("board");
    let listener = UnixListener::bind(&path).expect("bound");
    let address = format!("unix:{}", path.display());
    let mut bridge = Bridge::start(&["--drain", "0", &address]);
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    bridge.passes_on(&mut device, &ping(1));
    bridge.host.close_input();
    assert_eq!(next_line(&mut device), cancelled(1));

    let mut bridge = Bridge::start(&[&address]);
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    tell(&mut device, &pong(1));
    bridge.says("an answer to no request that waits, not passed on: id 1");
    bridge.passes_on(&mut device, &ping(1));
    let answer = pong(1).replace("{}", r#"{"n":2}"#);
    tell(&mut device, &answer);
    bridge.host.finish(&[&answer]);
}

/// What may not be cancelled is not.
#[test]
fn a_handshake_and_a_task_are_not_cancelled() {
    let folder = directory();
    let path = folder.path().join("board");
    let listener = UnixListener::bind(&path).expect("bound");
    let mut bridge = Bridge::start(&["--drain", "0", &format!("unix:{}", path.display())]);
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    for line in [
        ping(1).replace("ping", "initialize"),
        ping(2).replace(
            "\"ping\"",
            r#""tools/call","params":{"name":"x","task":{}}"#,
        ),
        ping(3),
    ] {
        bridge.passes_on(&mut device, &line);
    }
    bridge.host.close_input();
    assert_eq!(next_line(&mut device), cancelled(3));
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut device, &mut rest).expect("closed");
    assert_eq!(rest, b"");
}

/// A bridge that is killed in the middle of a line: the next one ends that line first.
#[test]
fn a_bridge_that_is_killed_leaves_the_line_usable() {
    let folder = directory();
    let path = folder.path().join("board");
    let listener = UnixListener::bind(&path).expect("bound");
    let address = format!("unix:{}", path.display());
    let mut host = Live::run(&["bridge", &address], std::process::Stdio::null());
    let (device, _) = listener.accept().expect("connected");
    // More than a socket holds, so that the line is torn.
    let long = ping(1).replace("ping", &"x".repeat(3 << 20));
    let writer = std::thread::spawn(move || {
        host.raw(&long.as_bytes()[..1 << 20]);
        host
    });
    let mut first = std::io::BufReader::new(device);
    begins(&mut first);
    let mut host = writer.join().expect("written");
    host.child.kill().expect("it runs");
    drop(first);

    let mut bridge = Bridge::start(&[&address]);
    let (mut device, _) = listener.accept().expect("connected");
    device.write_all(b"{\"jsonrpc\":\"2.0\",").expect("taken");
    device.write_all(b"\n").expect("taken");
    begins(&mut device);
    bridge.passes_on(&mut device, &ping(1));
    tell(&mut device, &pong(1));
    bridge.host.finish(&[&pong(1)]);
}
