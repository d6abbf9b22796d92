//! Lines that break and come back.

use std::io::Write;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::process::{Child, Stdio};

use crate::support::{directory, wireline};
use crate::{Bridge, LOST, begins, cancelled, failed, next_line, ping, pong, tell};

#[test]
fn what_was_under_way_is_answered_and_the_next_connection_is_clean() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    let mut bridge = Bridge::start(&[&format!("tcp:127.0.0.1:{port}")]);
    for round in 0..3 {
        let (mut device, _) = listener.accept().expect("connected");
        bridge.says("connected to tcp:");
        begins(&mut device);
        if round > 0 {
            // A device that has not restarted is still at work.
            assert_eq!(next_line(&mut device), cancelled(round * 10 - 8));
            assert_eq!(next_line(&mut device), cancelled(round * 10 - 7));
        }
        let (answered, open, torn) = (round * 10 + 1, round * 10 + 2, round * 10 + 3);
        for id in [answered, open, torn] {
            bridge.passes_on(&mut device, &ping(id));
        }
        tell(&mut device, &pong(answered));
        let half = pong(torn);
        device.write_all(&half.as_bytes()[..25]).expect("taken");
        drop(device);
        assert_eq!(bridge.host.line(), pong(answered));
        assert_eq!(bridge.host.line(), failed(open, LOST));
        assert_eq!(bridge.host.line(), failed(torn, LOST));
        bridge.says("cut off: {");
    }
    bridge.host.finish(&[]);
}

/// `wireline serve` at the other end of the socket, as a device that starts anew with each connection.
fn device(listener: &UnixListener) -> Child {
    let (socket, _) = listener.accept().expect("connected");
    let socket = OwnedFd::from(socket);
    let copy = socket.try_clone().expect("copied");
    wireline(&["serve"])
        .stdin(Stdio::from(socket))
        .stdout(Stdio::from(copy))
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

#[test]
fn a_session_goes_on_with_a_device_that_has_restarted() {
    let folder = directory();
    let path = folder.path().join("board");
    let listener = UnixListener::bind(&path).expect("bound");
    let mut bridge = Bridge::start(&[&format!("unix:{}", path.display())]);
    let mut server = device(&listener);
    bridge.host.handshake("{}");
    let call = |id: &str, tool: &str, arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        )
    };
    let answer = bridge.host.ask(&call("1", "echo", r#"{"text":"a"}"#));
    assert_eq!(answer["result"]["content"][0]["text"], "a");

    bridge.host.send(&call("2", "hang", "{}"));
    // It has come to the server, since what follows it is answered.
    let answer = bridge.host.ask(&call("3", "echo", r#"{"text":"b"}"#));
    assert_eq!(answer["result"]["content"][0]["text"], "b");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    assert_eq!(bridge.host.line(), failed(2, LOST));

    let mut server = device(&listener);
    bridge.says("the session's handshake is repeated");
    let answer = bridge.host.ask(&call("4", "echo", r#"{"text":"c"}"#));
    assert_eq!(answer["result"]["content"][0]["text"], "c");
    bridge.host.finish(&[]);
    assert_eq!(server.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_handshake_that_was_never_answered_is_sent_once() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    drop(listener);
    let mut bridge = Bridge::start(&[&format!("tcp:127.0.0.1:{port}")]);
    bridge.says("cannot open");
    // A host that waits for no answer.
    let initialize = ping(0).replace("ping", "initialize");
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    for line in [&initialize, initialized, &ping(1)] {
        bridge.host.send(line);
    }
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("bound again");
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    for line in [&initialize, initialized, &ping(1)] {
        assert_eq!(next_line(&mut device), line);
    }
    tell(&mut device, &pong(0));
    assert_eq!(bridge.host.line(), pong(0));
    drop(device);
    assert_eq!(bridge.host.line(), failed(1, LOST));
    // Now it has been answered, and so is repeated.
    bridge.host.send(&ping(2));
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    assert_eq!(next_line(&mut device), initialize);
    tell(&mut device, &pong(0));
    for line in [initialized, &cancelled(1), &ping(2)] {
        assert_eq!(next_line(&mut device), line);
    }
    tell(&mut device, &pong(2));
    bridge.host.finish(&[&pong(2)]);
}

#[test]
fn requests_are_refused_while_the_device_is_away_for_long() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    drop(listener);
    let address = format!("tcp:127.0.0.1:{port}");
    let mut bridge = Bridge::start(&["--hold", "0.2", &address]);
    bridge.says("cannot open");
    bridge
        .host
        .exchange(&ping(1), &failed(1, "The device is not connected"));
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("bound again");
    let (mut device, _) = listener.accept().expect("connected");
    bridge.says("connected to");
    begins(&mut device);
    bridge.passes_on(&mut device, &ping(2));
    tell(&mut device, &pong(2));
    bridge.host.finish(&[&pong(2)]);
}

#[test]
fn no_more_requests_wait_than_may() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    let address = format!("tcp:127.0.0.1:{port}");
    let mut bridge = Bridge::start(&["--max-waiting", "2", &address]);
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    bridge.passes_on(&mut device, &ping(1));
    bridge.passes_on(&mut device, &ping(2));
    bridge.host.exchange(
        &ping(3),
        &failed(3, "Too many requests wait for the device"),
    );
    tell(&mut device, &pong(1));
    assert_eq!(bridge.host.line(), pong(1));
    bridge.passes_on(&mut device, &ping(4));
    assert_eq!(next_line_is_quiet(&mut device), None);
    drop(device);
    assert_eq!(bridge.host.line(), failed(2, LOST));
    assert_eq!(bridge.host.line(), failed(4, LOST));
}

/// Nothing more is sent to the device.
fn next_line_is_quiet(device: &mut std::net::TcpStream) -> Option<String> {
    device.set_nonblocking(true).expect("set");
    let mut byte = [0];
    let quiet = std::io::Read::read(device, &mut byte).is_err();
    device.set_nonblocking(false).expect("set");
    (!quiet).then(|| next_line(device))
}
