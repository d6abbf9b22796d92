//! `wireline call`, with servers that are what they should be and servers that are not.
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod ends;
mod terminal;

use std::process::Output;

use support::run;

/// The program under test, as a server's command.
const WIRELINE: &str = env!("CARGO_BIN_EXE_wireline");

/// `wireline call` with these options, and `wireline serve` as the server.
fn call(options: &[&str], serve: &[&str]) -> Output {
    run(
        &[&["call"], options, &["--", WIRELINE, "serve"], serve].concat(),
        b"",
    )
}

/// The same with a shell script as the server; `$0` is the program under test.
fn script(options: &[&str], script: &str) -> Output {
    run(
        &[&["call"], options, &["--", "sh", "-c", script, WIRELINE]].concat(),
        b"",
    )
}
