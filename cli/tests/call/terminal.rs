//! Questions to the user, on a terminal that the test plays.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::live::LONG;
use crate::support::{ends_within, text, wireline};
use crate::{WIRELINE, call};

/// Runs with a terminal as standard input and error, on which this is typed; gives the status,
/// standard output, and what the terminal showed.
fn typed(options: &[&str], keys: &str) -> (Option<i32>, String, String) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("granted");
    unlockpt(&master).expect("unlocked");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let slave = open(
        name.as_c_str(),
        OFlags::RDWR | OFlags::NOCTTY,
        Mode::empty(),
    )
    .expect("opens");
    let slave = File::from(slave);
    let mut child = wireline(&[&["call"], options, &["--", WIRELINE, "serve"]].concat())
        .stdin(Stdio::from(slave.try_clone().expect("copied")))
        .stderr(Stdio::from(slave))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut keyboard = File::from(master);
    let mut screen = keyboard.try_clone().expect("copied");
    let reader = thread::spawn(move || {
        let mut shown = Vec::new();
        // Once nobody holds the other end, reading is an error.
        let _ = screen.read_to_end(&mut shown);
        String::from_utf8_lossy(&shown).into_owned()
    });
    keyboard.write_all(keys.as_bytes()).expect("typed");
    let status = ends_within(&mut child, LONG).code();
    let mut out = String::new();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_string(&mut out)
        .expect("text");
    drop(keyboard);
    (status, out, reader.join().expect("read"))
}

#[test]
fn a_tool_that_may_change_something_is_asked_about() {
    let options = ["--tool", "side_effect"];
    let (status, out, shown) = typed(&options, "y\n");
    assert_eq!((status, out.as_str()), (Some(0), "1\n"), "{shown}");
    assert!(
        shown.contains("The tool `side_effect` may be destructive. Call it with {}? [y/N]"),
        "{shown}"
    );
    for no in ["n\n", "\n", "\x04"] {
        let (status, out, shown) = typed(&options, no);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{shown}");
        assert!(shown.contains("was not called"), "{shown}");
    }
    // No terminal: refused, unless told otherwise.
    let output = call(&options, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "wireline: the tool `side_effect` may be destructive, and there is no terminal to ask on\n  give --yes to call it without asking\n"
    );
    let output = call(&["--tool", "side_effect", "--yes"], &[]);
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), "1\n")
    );
    // One that says that it takes nothing away is not asked about.
    let output = call(&["--tool", "stderr_noise", "--args", "lines=0"], &[]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn forms_are_filled_in() {
    for era in ["legacy", "modern"] {
        let (status, out, shown) = typed(&["--era", era, "--tool", "ask"], "y\nAda\n");
        assert_eq!(
            (status, out.as_str()),
            (Some(0), "the user said {\"name\":\"Ada\"}\n"),
            "{shown}"
        );
        assert!(
            shown.contains("The server asks: What is your name?"),
            "{shown}"
        );
        let (_, out, _) = typed(&["--era", era, "--tool", "ask"], "n\n");
        assert_eq!(out, "the user's answer: decline\n");
        // Three times nothing, where something is needed.
        let (_, out, _) = typed(&["--era", era, "--tool", "ask"], "y\n\n\n\n");
        assert_eq!(out, "the user's answer: cancel\n");
    }
}

#[test]
fn the_user_may_answer_for_a_model() {
    let (status, out, shown) = typed(&["--tool", "sample"], "Good day.\n");
    assert_eq!(
        (status, out.as_str()),
        (Some(0), "the model said Good day.\n"),
        "{shown}"
    );
    assert!(shown.contains("user: Say hello."), "{shown}");
    let (status, _, shown) = typed(&["--tool", "sample"], "\n");
    assert_eq!(status, Some(3), "{shown}");
}
