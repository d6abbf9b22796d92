//! The `wireline` program: looks at, checks and taps streams of the Model Context Protocol.
#![forbid(unsafe_code)]

mod advice;
mod args;
mod check;
mod escape;
mod failure;
mod inspect;
mod patient;
mod progress;
mod recording;
mod report;
mod stdio;
mod stream;
mod summary;
mod tap;
mod watch;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let outcome = match &args.command {
        args::Command::Check(args) => check::run(args),
        args::Command::Tap(args) => tap::run(args),
    };
    match outcome {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
