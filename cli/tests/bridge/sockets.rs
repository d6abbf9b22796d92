//! TCP and Unix sockets.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use crate::support::{directory, peak};
use crate::{Bridge, next_line, ping, pong, tell};

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
        // A new connection begins with a line: nothing stands before it.
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
fn long_messages_pass_whole_and_longer_ones_are_answered() {
    let folder = directory();
    let path = folder.path().join("board");
    let listener = UnixListener::bind(&path).expect("bound");
    let mut bridge = Bridge::start(&["--max-message", "1M", &format!("unix:{}", path.display())]);
    let (mut device, _) = listener.accept().expect("connected");
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
