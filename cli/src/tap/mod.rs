//! `wireline tap`: between a host and its server, passing every byte at once.
//!
//! Two threads pass bytes, one for each direction. Before a piece is written on, a copy goes to
//! the hub, which never waits; sinks (the report, the recording) take theirs from the hub on
//! threads of their own. The main thread waits for the server's end.

mod child;
mod hub;
mod pump;
mod sink;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use crate::args::Tap;
use crate::failure::Failure;
use crate::inspect::Inspector;
use crate::patient::Patient;
use crate::recording::Writer;
use crate::report::{Contents, Reporter, Style};
use crate::stdio;
use crate::stream::{Direction, Event};
use hub::Hub;
use pump::Pump;
use sink::{Sink, Target};

pub(crate) fn run(args: &Tap) -> Result<ExitCode, Failure> {
    if let (Some(record), Some(log)) = (&args.record, &args.log)
        && is_one_file(record, log)
    {
        return Err(
            Failure::new(format!("--record and --log both name {}", record.display()))
                .advice("each needs a file of its own"),
        );
    }
    // Opened before the server starts, so that a wrong path is said at once, and written to
    // only when it has, so that what a file holds outlives a start that fails.
    let recorded = args.record.as_deref().map(Target::open).transpose()?;
    let reported = if args.quiet { None } else { Some(log(args)?) };
    // Before the server starts, so that no signal is missed.
    let signals =
        child::Signals::catch().map_err(|error| Failure::io("catch", "signals", &error))?;
    let from_host = stdio::input().map_err(|error| Failure::io("use", "standard input", &error))?;
    let to_host = stdio::output().map_err(|error| Failure::io("use", "standard output", &error))?;
    let mut server = spawn(args)?;
    let (Some(to_server), Some(from_server)) = (server.stdin.take(), server.stdout.take()) else {
        return Err(Failure::new("the server has no standard input or output"));
    };
    let mut sinks = Vec::new();
    sinks.extend(recorded.map(|target| recording(args, target)));
    sinks.extend(reported.map(|(target, terminal)| report(args, target, terminal)));
    let hub = Arc::new(Hub::new(sinks.iter().map(Sink::inlet).collect()));
    let inward = Pump::start(
        Direction::ToServer,
        Patient(from_host),
        Patient(to_server),
        &hub,
        stdio::close_input,
    );
    let outward = Pump::start(
        Direction::ToClient,
        Patient(from_server),
        Patient(to_host),
        &hub,
        stdio::close_output,
    );

    let child::Ended { exit, hurry } = child::wait(server, signals)
        .map_err(|error| Failure::io("wait for", "the server", &error))?;
    hub.event(Event::Exit(exit));
    // What the server wrote last is still on its way. What the host writes now has no reader.
    outward.drain(&hurry);
    drop(inward);
    hub.close();
    sinks.into_iter().for_each(Sink::finish);
    // Not an `ExitCode`: that holds eight bits, and some systems have more.
    std::process::exit(child::status(exit))
}

/// Whether two paths name one file that each would write over; devices and pipes are not such.
fn is_one_file(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        std::fs::canonicalize(path).or_else(|_| {
            Ok(std::fs::canonicalize(folder)?.join(path.file_name().unwrap_or_default()))
        })
    };
    let is_file = std::fs::metadata(one).map_or(true, |it| it.is_file());
    match (whole(one), whole(other)) {
        (Ok(one), Ok(other)) => is_file && one == other,
        (Err::<_, std::io::Error>(_), _) | (_, Err(_)) => false,
    }
}

fn spawn(args: &Tap) -> Result<std::process::Child, Failure> {
    let Some((program, rest)) = args.command.split_first() else {
        return Err(Failure::new("no command given"));
    };
    Command::new(program)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| {
            let failure = Failure::new(format!(
                "cannot run {}: {}",
                Path::new(program).display(),
                crate::failure::plain(&error)
            ));
            if error.kind() == io::ErrorKind::NotFound {
                failure
                    .advice("check the command after `--`: its spelling, and PATH")
                    .status(127)
            } else {
                failure
                    .advice("check that the file is a program and may be executed")
                    .status(126)
            }
        })
}

/// Where the report goes, and whether that is a terminal.
fn log(args: &Tap) -> Result<(Target, bool), Failure> {
    Ok(match &args.log {
        Some(path) => (Target::open(path)?, false),
        None => (Target::errors()?, io::stderr().is_terminal()),
    })
}

fn recording(args: &Tap, target: Target) -> Sink {
    let program = args
        .command
        .first()
        .and_then(|program| Path::new(program).file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let started = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_millis());
    Sink::start("the recording", target, args.queue, move |out| {
        let mut writer = Writer::new(out);
        writer.start(started, &program)?;
        Ok(sink::Consumer::Recording(writer))
    })
}

fn report(args: &Tap, target: Target, terminal: bool) -> Sink {
    let style = Style {
        json: args.json,
        colour: args.color.on(terminal),
    };
    let contents = Contents {
        messages: !args.faults,
        faults: true,
        summary: true,
    };
    let limits = args.ceilings.limits(true);
    Sink::start("the log", target, args.queue, move |out| {
        let reporter = Reporter::new(out, style, contents);
        Ok(sink::Consumer::Report(Box::new(Inspector::new(
            limits, false, reporter,
        ))))
    })
}
