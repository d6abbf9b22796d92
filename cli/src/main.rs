//! The `wireline` program: looks at, checks, taps, serves and calls streams of the Model Context
//! Protocol.
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
mod serve;
mod stdio;
mod stream;
mod summary;
mod tap;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let outcome = match &args.command {
        args::Command::Check(args) => check::run(args),
        args::Command::Tap(args) => tap::run(args),
        args::Command::Serve(args) => serve::run(args),
        args::Command::Call(_) | args::Command::Demo(_) => todo!(),
    };
    match outcome {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
