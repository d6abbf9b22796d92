//! The files under `--root`, and nothing else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::Value;

use crate::support::directory;
use crate::support::live::Live;
use crate::{PING, PONG, modern};

const SECRET: &str = "what lies outside";

/// A folder to be served, inside one that is not.
fn folder() -> (tempfile::TempDir, String) {
    let outer = directory();
    let root = outer.path().join("root");
    fs::create_dir_all(root.join("sub")).expect("made");
    fs::write(outer.path().join("secret"), SECRET).expect("written");
    fs::write(root.join("a.txt"), "text, é\n").expect("written");
    fs::write(root.join("b.bin"), b"\x00\x01\xff").expect("written");
    fs::write(root.join("sub/c d.md"), "# c").expect("written");
    fs::write(root.join("nul"), "a\0b").expect("written");
    let path = root.to_str().expect("UTF-8").to_string();
    (outer, path)
}

fn read(live: &mut Live, uri: &str) -> Value {
    let uri = serde_json::to_string(uri).expect("JSON");
    live.ask(&modern(
        "1",
        "resources/read",
        "{}",
        &format!(r#""uri":{uri}"#),
    ))
}

fn is_refused(live: &mut Live, uri: &str) {
    let answer = read(live, uri);
    assert_eq!(answer["error"]["code"], -32602, "{uri}: {answer}");
    assert_eq!(answer["error"]["data"]["uri"], uri);
    assert!(!answer.to_string().contains(SECRET));
}

#[test]
fn files_are_listed_in_pages_and_read() {
    let (_outer, root) = folder();
    let mut live = Live::legacy(&["--root", &root, "--page-size", "2"], "{}");
    live.exchange(
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"file:///a.txt","name":"a.txt","mimeType":"text/plain","size":9},{"uri":"file:///b.bin","name":"b.bin","size":3}],"nextCursor":"after-2"}}"#,
    );
    live.exchange(
        r#"{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"cursor":"after-2"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"file:///nul","name":"nul","size":3},{"uri":"file:///sub/c%20d.md","name":"sub/c d.md","mimeType":"text/markdown","size":3}]}}"#,
    );
    live.exchange(
        r#"{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{"resourceTemplates":[{"uriTemplate":"file:///{path}","name":"file","description":"A file of the folder that is served, by its path in it"}]}}"#,
    );
    for (uri, contents) in [
        (
            "file:///a.txt",
            r#""mimeType":"text/plain","text":"text, é\n""#,
        ),
        (
            "file:///b.bin",
            r#""mimeType":"application/octet-stream","blob":"AAH/""#,
        ),
        (
            "file:///nul",
            r#""mimeType":"application/octet-stream","blob":"YQBi""#,
        ),
        (
            "file:///sub/c%20d.md",
            r##""mimeType":"text/markdown","text":"# c""##,
        ),
        (
            "file:///sub%2Fc%20d.md",
            r##""mimeType":"text/markdown","text":"# c""##,
        ),
    ] {
        live.exchange(
            &format!(r#"{{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{{"uri":"{uri}"}}}}"#),
            &format!(r#"{{"jsonrpc":"2.0","id":4,"result":{{"contents":[{{"uri":"{uri}",{contents}}}]}}}}"#),
        );
    }
    live.exchange(
        r#"{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"file:///none"}}"#,
        r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32002,"message":"Resource not found","data":{"uri":"file:///none"}}}"#,
    );
    live.exchange(
        r#"{"jsonrpc":"2.0","id":6,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"file:///{path}"},"argument":{"name":"path","value":"sub/"}}}"#,
        r#"{"jsonrpc":"2.0","id":6,"result":{"completion":{"values":["sub/c d.md"],"total":1,"hasMore":false}}}"#,
    );
    live.finish(&[]);
}

#[test]
fn no_way_leads_out() {
    let (outer, root) = folder();
    let at = |name: &str| Path::new(&root).join(name);
    symlink("../secret", at("relative")).expect("linked");
    symlink(outer.path().join("secret"), at("absolute")).expect("linked");
    symlink("..", at("up")).expect("linked");
    symlink("/", at("everywhere")).expect("linked");
    symlink("sub/../../secret", at("around")).expect("linked");
    symlink("round", at("round")).expect("linked");
    symlink("/dev/zero", at("zero")).expect("linked");
    symlink("a.txt", at("inside")).expect("linked");
    mknodat(
        CWD,
        at("pipe"),
        FileType::Fifo,
        Mode::from_raw_mode(0o600),
        0,
    )
    .expect("made");
    let mut live = Live::serve(&["--root", &root]);
    let secret = outer.path().join("secret");
    let secret = secret.to_str().expect("UTF-8");
    for uri in [
        "file:///../secret",
        "file:///sub/../../secret",
        "file:///sub/../a.txt",
        "file:///./a.txt",
        "file:///%2e%2e/secret",
        "file:///%2e%2e%2fsecret",
        "file:///..%2Fsecret",
        "file:///sub%2F..%2F..%2Fsecret",
        "file:///%252e%252e/secret",
        "file:///..\\secret",
        "file:///%5c..%5csecret",
        "file:////etc/passwd",
        "file:///%2Fetc%2Fpasswd",
        "file:///etc/passwd",
        "file://localhost/a.txt",
        "file:/a.txt",
        "file:a.txt",
        "a.txt",
        "FILE:///a.txt",
        "file:///a.txt%00",
        "file:///a.txt\0",
        "file:///a.txt?x",
        "file:///a.txt#x",
        "file:///a.txt/",
        "file:///",
        "file:///sub",
        "file:///%ff",
        "file:///%e0%80%af",
        "file:///relative",
        "file:///absolute",
        "file:///up/secret",
        "file:///up/root/a.txt",
        "file:///everywhere/etc/passwd",
        "file:///around",
        "file:///round",
        "file:///zero",
        "file:///pipe",
        "",
    ] {
        is_refused(&mut live, uri);
    }
    is_refused(&mut live, &format!("file://{secret}"));
    is_refused(&mut live, &format!("file:///{}", "sub/".repeat(5000)));
    // A link that stays inside is no way out.
    assert_eq!(
        read(&mut live, "file:///inside")["result"]["contents"][0]["text"],
        "text, é\n"
    );
    // What is no file is not listed, nor is a link.
    let listed = live.ask(&modern("1", "resources/list", "{}", ""));
    let names: Vec<_> = listed["result"]["resources"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["a.txt", "b.bin", "nul", "sub/c d.md"]);
    live.finish(&[]);
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    let (_outer, root) = folder();
    let large = fs::File::create(Path::new(&root).join("large")).expect("made");
    large.set_len((8 << 20) + 1).expect("grown");
    let mut live = Live::serve(&["--root", &root]);
    assert_eq!(read(&mut live, "file:///large")["error"]["code"], -32603);
    large.set_len(8 << 20).expect("cut");
    let answer = read(&mut live, "file:///large");
    let blob = answer["result"]["contents"][0]["blob"]
        .as_str()
        .expect("base64");
    assert_eq!(blob.len(), (8_usize << 20).div_ceil(3) * 4);
    live.finish(&[]);
}

/// Writes a file of the folder in one step, so that nobody sees a half of it.
fn put(outer: &tempfile::TempDir, name: &str, text: &str) {
    let made = outer.path().join("made");
    fs::write(&made, text).expect("written");
    fs::rename(made, outer.path().join("root").join(name)).expect("moved");
}

#[test]
fn a_change_is_told_to_the_legacy_session() {
    let (outer, root) = folder();
    let mut live = Live::legacy(&["--root", &root], "{}");
    let empty = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let to = |method: &str, uri: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"resources/{method}","params":{{"uri":"{uri}"}}}}"#
        )
    };
    live.exchange(&to("subscribe", "file:///a.txt"), empty);
    let refused = live.ask(&to("subscribe", "file:///../secret"));
    assert_eq!(refused["error"]["code"], -32002);
    // Who has listed is told when the list changes.
    let listed = live.ask(r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#);
    assert_eq!(
        listed["result"]["resources"].as_array().map(Vec::len),
        Some(4)
    );
    put(&outer, "new", "new");
    assert_eq!(
        live.line(),
        r#"{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}"#
    );
    let updated = r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a.txt"}}"#;
    put(&outer, "a.txt", "another text");
    assert_eq!(live.line(), updated);
    fs::remove_file(Path::new(&root).join("a.txt")).expect("removed");
    assert_eq!(live.line(), updated);
    assert!(live.line().contains("list_changed"));
    live.exchange(&to("unsubscribe", "file:///a.txt"), empty);
    put(&outer, "a.txt", "it is back");
    assert!(live.line().contains("list_changed"), "and not updated");
    live.exchange(PING, PONG);
    live.finish(&[]);
}

#[test]
fn changes_are_told_to_subscriptions_that_cover_them() {
    let (outer, root) = folder();
    let mut live = Live::serve(&["--root", &root]);
    live.send(&modern(
        "1",
        "subscriptions/listen",
        "{}",
        r#""notifications":{"resourceSubscriptions":["file:///a.txt"]}"#,
    ));
    assert!(
        live.line()
            .contains(r#""resourceSubscriptions":["file:///a.txt"]"#)
    );
    live.send(&modern(
        r#""two""#,
        "subscriptions/listen",
        "{}",
        r#""notifications":{"resourcesListChanged":true}"#,
    ));
    assert!(live.line().contains(r#""resourcesListChanged":true"#));
    put(&outer, "b.bin", "nobody cares");
    put(&outer, "a.txt", "another text");
    assert_eq!(
        live.line(),
        r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"uri":"file:///a.txt"}}"#
    );
    put(&outer, "new", "new");
    assert_eq!(
        live.line(),
        r#"{"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"two"}}}"#
    );
    // The end tells that only the other one is open.
    live.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    live.finish(&[
        r#"{"jsonrpc":"2.0","id":"two","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"wireline-serve","version":"0.1.0"},"io.modelcontextprotocol/subscriptionId":"two"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"two"}}"#,
    ]);
}

#[test]
fn no_more_is_acknowledged_than_is_watched() {
    let (outer, root) = folder();
    let mut live = Live::serve(&["--root", &root]);
    let listen = |id: &str, uris: &[String]| {
        modern(
            id,
            "subscriptions/listen",
            "{}",
            &format!(
                r#""notifications":{{"resourceSubscriptions":{}}}"#,
                serde_json::to_string(uris).expect("a list")
            ),
        )
    };
    let uris: Vec<String> = (0..300).map(|n| format!("file:///{n}.txt")).collect();
    live.send(&listen("1", &uris));
    let acknowledged: serde_json::Value = serde_json::from_str(&live.line()).expect("JSON");
    let granted = &acknowledged["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(granted, &serde_json::json!(uris[..256]));
    // There is no room for more until it ends.
    live.send(&listen("2", &["file:///a.txt".into()]));
    assert!(live.line().contains(r#""notifications":{}"#));
    live.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    live.send(&listen("3", &["file:///a.txt".into()]));
    assert!(live.line().contains(r#"["file:///a.txt"]"#));
    put(&outer, "a.txt", "another text");
    let told = live.line();
    assert!(
        told.contains(r#""io.modelcontextprotocol/subscriptionId":3}"#),
        "{told}"
    );
}
