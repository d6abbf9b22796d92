//! The command line.

#[cfg(unix)]
mod bridge;
mod call;
mod serve;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use wireline::mcp::Revision;
use wireline::{Limits, Profile};

#[cfg(unix)]
pub(crate) use bridge::Bridge;
pub(crate) use call::{Action, Call, Kind};
pub(crate) use serve::Serve;

#[derive(Parser)]
#[command(
    name = "wireline",
    version,
    about = "Look at, check, tap, serve, call and bridge streams of the Model Context Protocol",
    long_about = "Look at, check and tap newline-framed JSON-RPC 2.0 streams, such as those of the \
                  Model Context Protocol (MCP) over standard input and output; be a server to test \
                  clients with, a client of any server, or the bridge to a device.",
    after_help = "Examples:\n  \
        wireline demo\n  \
        wireline call -- python3 server.py\n  \
        wireline call --tool echo --args text=hello -- wireline serve\n  \
        wireline check session.rec\n  \
        wireline tap --record session.rec -- python3 server.py\n  \
        wireline bridge 'serial:/dev/ttyACM0?baud=115200'\n\n\
        `wireline help COMMAND` tells more."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

impl Args {
    pub(crate) fn read() -> Command {
        let args = std::env::args_os();
        if std::env::args_os()
            .nth(1)
            .is_some_and(|name| name == "serve")
        {
            Command::Serve(Serve::parse(args))
        } else {
            Self::parse_from(args).command
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Read a recorded stream, list its messages, its faults and the rules of MCP that it breaks
    #[command(
        long_about = "Read a recorded stream, list its messages, its faults and the rules of MCP that it breaks.\n\n\
            The input is either the plain bytes of one direction, as they went over the pipe, or a \
            recording made by `wireline tap --record`, which holds both directions with times. \
            Which of the two it is shows in the first line.\n\n\
            One line is printed for every message, one for every fault and one for every rule that a \
            line breaks, then a summary. A recording is held against the rules of its session, in \
            whatever revisions it is; plain bytes only against those of single messages. Files may be \
            larger than memory. Nothing that the stream holds reaches the terminal as a \
            control character.",
        after_long_help = "Exit status:\n  \
            0  no fault, and no rule broken that is a MUST (with --strict: no rule broken)\n  \
            1  at least one fault or such a rule\n  \
            2  wrong usage, or the input could not be read\n\n\
            Examples:\n  \
            wireline check session.rec\n  \
            wireline check --faults --summary server-output.ndjson\n  \
            my-server < requests.ndjson | wireline check --quiet - || echo 'not clean'\n  \
            wireline check --json session.rec | jq -r 'select(.kind == \"request\").method'\n\n\
            The fields of --json are described in docs/cli.md, the recording in docs/recording.md."
    )]
    Check(Check),
    /// Run a server, pass every byte between it and its host, report what passed
    #[command(
        long_about = "Run a server, pass every byte between it and its host, report what passed.\n\n\
            Put it before the server's command in the host's configuration. Standard input and \
            output are passed on unchanged, each piece as soon as it comes; standard error is the \
            server's own. The report goes to standard error, or to the file of --log. Reporting \
            never delays a byte: when the log is slower than the stream, the part that was left \
            out is counted and said, and the bytes still pass.",
        after_long_help = "Exit status:\n  \
            that of the server; 128 + n when signal n ended it\n  \
            126  the command could not be run, 127  it was not found\n  \
            2    wrong usage, or --record or --log could not be opened\n\n\
            Examples:\n  \
            wireline tap -- python3 server.py\n  \
            wireline tap --record session.rec --log session.log -- node server.js --port 0\n  \
            wireline check session.rec\n\n\
            A recording holds all that passed, which may include passwords and tokens."
    )]
    Tap(Tap),
    #[command(about = serve::ABOUT, long_about = serve::LONG, after_long_help = serve::AFTER)]
    Serve(Serve),
    #[command(about = call::ABOUT, long_about = call::LONG, after_long_help = call::AFTER)]
    Call(Call),
    #[cfg(unix)]
    #[command(about = bridge::ABOUT, long_about = bridge::LONG, after_long_help = bridge::AFTER)]
    Bridge(Bridge),
    /// Run a server and a client of our own over real pipes, and show what passes
    #[command(
        long_about = "Run a server and a client of our own over real pipes, and show what passes.\n\n\
            The server is `wireline serve`, a process of its own. The client talks to it in the \
            modern era (2026-07-28) and in the legacy era (2025-11-25), and falls back from one to \
            the other. Every line is shown as it passes, with the states that the client's session \
            goes through. Nothing is written to disk.",
        after_long_help = "Exit status:\n  \
            0  all went as it should\n  \
            1  something did not\n  \
            2  wrong usage, or the server could not be run"
    )]
    Demo(Demo),
}

#[derive(ClapArgs)]
pub(crate) struct Demo {
    /// Show lines whole, however long they are
    #[arg(long)]
    pub(crate) whole: bool,

    /// When to use colour; NO_COLOR is honoured by `auto`
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
}

#[derive(ClapArgs)]
pub(crate) struct Check {
    /// The file to read; `-` is standard input
    pub(crate) file: PathBuf,

    /// What the input is
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Auto)]
    pub(crate) format: Format,

    /// Print one JSON object per line instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Leave out the messages: faults and broken rules only, unless --summary is given too
    #[arg(long)]
    pub(crate) faults: bool,

    /// Leave out the messages and, unless --faults is given too, the faults and broken rules: the summary only
    #[arg(long)]
    pub(crate) summary: bool,

    /// Let every broken rule count for the exit status, not only those that are a MUST
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print nothing; the exit status tells
    #[arg(short, long, conflicts_with_all = ["json", "faults", "summary"])]
    pub(crate) quiet: bool,

    /// When to use colour; NO_COLOR is honoured by `auto`
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,

    #[command(flatten)]
    pub(crate) ceilings: Ceilings,
}

#[derive(ClapArgs)]
pub(crate) struct Tap {
    /// Write all that passes to FILE, in the recording format that `wireline check` reads
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Write the report to FILE instead of standard error; a named pipe will do
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Report as one JSON object per line instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Report faults and broken rules only
    #[arg(long)]
    pub(crate) faults: bool,

    /// Do not report, only pass on (and record)
    #[arg(short, long, conflicts_with_all = ["json", "faults", "log"])]
    pub(crate) quiet: bool,

    /// When to use colour; NO_COLOR is honoured by `auto`
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,

    /// How much may wait for a slow log or recording before the rest is left out of it
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size_usize)]
    pub(crate) queue: usize,

    #[command(flatten)]
    pub(crate) ceilings: Ceilings,

    /// The server's command and its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// What counts as too much, and as valid.
#[derive(ClapArgs)]
#[command(next_help_heading = "Ceilings and rules")]
pub(crate) struct Ceilings {
    /// Longest message, in bytes; K, M and G mean KiB, MiB and GiB
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = message_size)]
    max_message: u32,

    /// Deepest nesting of arrays and objects, 4 to 127
    #[arg(long, value_name = "N", default_value_t = Limits::HOST.depth, value_parser = clap::value_parser!(u8).range(4..=127))]
    max_depth: u8,

    /// Longest id, in bytes as written
    #[arg(long, value_name = "N", default_value_t = Limits::HOST.id, value_parser = clap::value_parser!(u16).range(1..))]
    max_id: u16,

    /// Longest method name, in bytes as written
    #[arg(long, value_name = "N", default_value_t = Limits::HOST.method, value_parser = clap::value_parser!(u16).range(1..))]
    max_method: u16,

    /// Give a direction up after so many bytes of one line, if that is more than the longest message;
    /// 0 never does
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = size_u32)]
    max_discard: u32,

    /// Whose rules a message must keep
    #[arg(long, value_enum, value_name = "PROFILE", default_value_t = Rules::Mcp)]
    profile: Rules,

    /// Read batches (a revision of MCP had them) instead of calling each a fault, also where it is
    /// not known who sent what; where it is, MCP's are read anyway
    #[arg(long)]
    batches: bool,

    /// Take the end of the input as the end of an unfinished last line
    #[arg(long)]
    eof_completes_line: bool,
}

impl Ceilings {
    /// What is read; with both directions known, what is said tells whether batches may come.
    pub(crate) fn limits(&self, directed: bool) -> Limits {
        Limits::HOST
            .with_message(self.max_message)
            .with_depth(self.max_depth)
            .with_id(self.max_id)
            .with_method(self.max_method)
            .with_max_discard(self.max_discard)
            .with_profile(match self.profile {
                Rules::Mcp => Profile::Mcp,
                Rules::JsonRpc => Profile::JsonRpc,
            })
            .with_batches(self.batches || directed && matches!(self.profile, Rules::Mcp))
            .with_eof_completes_line(self.eof_completes_line)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Judge by the first line
    Auto,
    /// The bytes of one direction
    Plain,
    /// A recording of `wireline tap`
    Recording,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal
    Auto,
    Always,
    Never,
}

impl Colour {
    pub(crate) fn on(self, terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                terminal
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                    && std::env::var_os("TERM").is_none_or(|value| value != "dumb")
            }
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Rules {
    /// The Model Context Protocol: params and results are objects
    Mcp,
    /// Whatever JSON-RPC 2.0 allows
    JsonRpc,
}

fn revision(text: &str) -> Result<Revision, String> {
    Revision::parse(text).ok_or_else(|| {
        let known: Vec<_> = Revision::ALL.iter().map(|it| it.name()).collect();
        format!("known revisions are {}", known.join(", "))
    })
}

fn size_u64(text: &str) -> Result<u64, String> {
    let (digits, scale) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    // `parse` would take a plus sign.
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("a size is a whole number, with K, M or G after it if need be".into());
    }
    digits
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(scale))
        .ok_or_else(|| "that is too large".into())
}

fn size_u32(text: &str) -> Result<u32, String> {
    u32::try_from(size_u64(text)?).map_err(|_| "must be less than 4G".into())
}

fn message_size(text: &str) -> Result<u32, String> {
    match size_u32(text)? {
        0 => Err("must be at least 1".into()),
        size => Ok(size),
    }
}

fn size_usize(text: &str) -> Result<usize, String> {
    usize::try_from(size_u64(text)?).map_err(|_| "that is too large".into())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn sizes() {
        assert_eq!(size_u64("0"), Ok(0));
        assert_eq!(size_u64("64K"), Ok(65536));
        assert_eq!(size_u32("16m"), Ok(16 << 20));
        assert_eq!(size_u64("1G"), Ok(1 << 30));
        for bad in [
            "",
            "K",
            "+1",
            "-1",
            "1.5M",
            "1 K",
            "é",
            "99999999999999999999",
            "99999999999G",
        ] {
            assert!(size_u64(bad).is_err(), "{bad}");
        }
        assert!(message_size("0").is_err());
        assert!(size_u32("4G").is_err());
    }
}
