//! TCP and Unix sockets.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use crate::support::{directory, peak};
use crate::{Bridge, LOST, begins, failed, next_line, ping, pong, tell};

#[test]
fn messages_pass_over_tcp() {
    for host in ["127.0.0.1", "[::1]"] {
        let Ok(listener) = TcpListener::bind(format!("{host}:0")) else {
            // No IPv6 here.
            assert_ne!(host, "127.0.0.1");
            continue;
        };
        let port = listener.local_addr().expect("bound").port();
        let mut bridge = Bridge::start(&[&format!("tcp:{host}:{port}")]);
        let (mut device, _) = listener.accept().expect("connected");
        // What is behind the socket may be a serial line, and hold half a line.
        begins(&mut device);
        bridge.passes_on(&mut device, &ping(1));
        tell(&mut device, "I (31) boot: hello");
        tell(&mut device, &pong(1));
        assert_eq!(bridge.host.line(), pong(1));
        bridge.says("noise: I (31) boot: hello\n");
        bridge.host.finish(&[]);
        let mut rest = Vec::new();
        device.read_to_end(&mut rest).expect("closed");
        assert_eq!(rest, b"");
    }
}

#[test]
fn a_device_that_echoes_is_found_out() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    let mut bridge = Bridge::start(&[&format!("tcp:127.0.0.1:{port}")]);
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    // What both may send is no echo by itself.
    bridge.passes_on(&mut device, &ping(1));
    tell(&mut device, &ping(1));
    assert_eq!(bridge.host.line(), ping(1));
    bridge.passes_on(&mut device, &pong(1));
    tell(&mut device, &pong(1));
    assert_eq!(bridge.host.line(), pong(1));
    for id in 2..4 {
        let list = ping(id).replace("ping", "tools/list");
        bridge.passes_on(&mut device, &list);
        tell(&mut device, &format!("{list}\r"));
        tell(&mut device, &pong(id));
        assert_eq!(bridge.host.line(), pong(id));
        if id == 2 {
            bridge.says("sends back what it is sent");
        }
    }
    bridge.passes_on(&mut device, &ping(4));
    tell(&mut device, &ping(4));
    tell(&mut device, &pong(4));
    bridge.host.finish(&[&pong(4)]);
}

#[test]
fn batches_are_followed() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let port = listener.local_addr().expect("bound").port();
    let mut bridge = Bridge::start(&[&format!("tcp:127.0.0.1:{port}")]);
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    let note = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    bridge.passes_on(&mut device, &format!("[{},{note}, {}]", ping(1), ping(2)));
    // One by one, or together.
    tell(&mut device, &pong(1));
    assert_eq!(bridge.host.line(), pong(1));
    let late = format!("[{}, {},{note}]", pong(1), pong(2));
    tell(&mut device, &late);
    assert_eq!(bridge.host.line(), format!("[{},{note}]", pong(2)));
    bridge.says("an answer to no request that waits, not passed on: id 1");

    bridge.passes_on(&mut device, &format!("[{},{}]", ping(3), ping(4)));
    drop(device);
    assert_eq!(bridge.host.line(), failed(3, LOST));
    assert_eq!(bridge.host.line(), failed(4, LOST));
    bridge.host.finish(&[]);
}

#[test]
fn long_messages_pass_whole_and_longer_ones_are_answered() {
    let folder = directory();
    let path = folder.path().join("board");
    let listener = UnixListener::bind(&path).expect("bound");
    let mut bridge = Bridge::start(&["--max-message", "1M", &format!("unix:{}", path.display())]);
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    let text = "x".repeat(900 << 10);
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":"{text}"}}}}"#);
    let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"a":"{text}"}}}}"#);
    let device = std::thread::spawn(move || {
        let got = next_line(&mut std::io::BufReader::new(&device));
        tell(&mut device, &answer);
        (device, got, answer)
    });
    bridge.host.send(&long);
    let got = bridge.host.line();
    let (mut device, asked, answer) = device.join().expect("done");
    assert!(asked == long && got == answer);

    let longer =
        format!(r#"{{"jsonrpc":"2.0","method":"m","params":{{"a":"{text}{text}"}},"id":2}}"#);
    let refused = bridge.host.ask(&longer);
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&2.into(), &(-32600).into())
    );
    bridge.says("too long, not passed on, from standard input");
    bridge.passes_on(&mut device, &ping(3));
    tell(
        &mut device,
        &format!(r#"{{"jsonrpc":"2.0","result":{{"a":"{text}{text}"}},"id":3}}"#),
    );
    let refused: serde_json::Value = serde_json::from_str(&bridge.host.line()).expect("JSON");
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&3.into(), &(-32603).into())
    );
    bridge.host.finish(&[]);
}

#[test]
fn noise_that_nobody_reads_holds_nothing_up() {
    let folder = directory();
    let path = folder.path().join("board");
    let listener = UnixListener::bind(&path).expect("bound");
    let mut bridge = crate::support::live::Live::run(
        &["bridge", &format!("unix:{}", path.display())],
        std::process::Stdio::piped(),
    );
    let (mut device, _) = listener.accept().expect("connected");
    begins(&mut device);
    let noise = format!("log {}\n", "n".repeat(500));
    for id in 0..20 {
        bridge.send(&ping(id));
        assert_eq!(next_line(&mut device), ping(id));
        for _ in 0..100 {
            device.write_all(noise.as_bytes()).expect("taken");
        }
        tell(&mut device, &pong(id));
        assert_eq!(bridge.line(), pong(id));
    }
    if cfg!(target_os = "linux") && !cfg!(debug_assertions) {
        let peak = peak(&bridge.child);
        assert!(peak < 5 << 10, "{peak} KiB");
    }
    bridge.finish(&[]);
}
