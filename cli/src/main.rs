//! The `wireline` program: looks at, checks, taps, serves, calls and bridges streams of the Model
//! Context Protocol.
#![forbid(unsafe_code)]

mod advice;
mod args;
#[cfg(unix)]
mod bridge;
mod call;
mod check;
mod demo;
mod escape;
mod failure;
mod inspect;
mod patient;
mod progress;
mod recording;
mod report;
mod serve;
#[cfg(unix)]
mod signals;
mod stdio;
mod stream;
mod summary;
mod tap;
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    let command = args::Args::read();
    let outcome = match &command {
        args::Command::Check(args) => check::run(args),
        args::Command::Tap(args) => tap::run(args),
        args::Command::Serve(args) => serve::run(args),
        args::Command::Call(args) => call::run(args),
        args::Command::Demo(args) => demo::run(args),
        #[cfg(unix)]
        args::Command::Bridge(args) => bridge::run(args),
    };
    match outcome {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
