//! The command line of `wireline call`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args as ClapArgs, ValueEnum};
use wireline::mcp::{LogLevel, Revision, Revisions};

use super::{Colour, message_size, revision};

pub(super) const ABOUT: &str = "Run a server and ask it something: its lists, a tool, a resource";

pub(super) const LONG: &str = "\
Run a server and ask it something: its lists, a tool, a resource.

Without one of --list, --tool, --read, --get and --complete it shows who the server is, what it can \
do, and what it has.

A tool that may be destructive is called only after a question on the terminal, unless --yes is \
given. A tool counts as not destructive if its annotations say readOnlyHint: true or destructiveHint: \
false; that is what the server says of itself, so do not trust a server that you do not know.";

pub(super) const AFTER: &str = "\
Exit status:
  0    the server answered
  1    the server answered with an error, or the tool failed
  2    wrong usage, no approval, or the server could not be run
  3    no answer: it took too long, the server ended, or no revision is common to both
  130  interrupted (Ctrl-C); the first cancels the request, the second ends the server

Examples:
  wireline call -- python3 server.py
  wireline call --list tools -- npx -y @modelcontextprotocol/server-everything
  wireline call --tool add --args a=1 --args b=2 -- wireline serve
  wireline call --tool echo --args '{\"text\":\"hello\"}' --json -- wireline serve
  wireline call --read file:///README.md -- wireline serve --root .
  wireline call --get greet --args name=Ada -- wireline serve
  wireline call --complete greet name=A -- wireline serve

The server's standard error is kept back; its end is shown when something fails.";

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("action").args(["list", "tool", "read", "get", "complete"])))]
pub(crate) struct Call {
    /// List all that there is of a kind, every page
    #[arg(long, value_enum, value_name = "KIND")]
    list: Option<Kind>,

    /// Call this tool
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,

    /// Read the resource of this URI
    #[arg(long, value_name = "URI")]
    read: Option<String>,

    /// Get this prompt
    #[arg(long, value_name = "PROMPT")]
    get: Option<String>,

    /// Complete what an argument of a prompt, or of a resource template, begins with
    #[arg(long, num_args = 2, value_names = ["REF", "NAME=BEGINNING"])]
    complete: Option<Vec<String>>,

    /// Arguments: a JSON object, or one as NAME=VALUE; may be given several times
    #[arg(long, value_name = "JSON|NAME=VALUE", requires = "action", conflicts_with_all = ["list", "read"])]
    pub(crate) args: Vec<String>,

    /// Call a tool without asking, whatever it may do
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Print the server's answer as one line of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Show every line that passes, and the session's states, on standard error
    #[arg(long)]
    pub(crate) trace: bool,

    /// How to open: `auto` asks first and falls back
    #[arg(long, value_enum, value_name = "ERA", default_value_t = Era::Auto)]
    era: Era,

    /// Speak this revision only
    #[arg(long, value_name = "DATE", value_parser = revision, conflicts_with = "era")]
    revision: Option<Revision>,

    /// Seconds to wait for each answer, counted anew with each progress, and ten times as long in
    /// all; 0 waits for ever.
    /// Whether a server is of the newest era is asked for ten of them at most
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) timeout: Duration,

    /// Ask for the server's log messages of this level and above, to be shown on standard error
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub(crate) log_level: Option<LogLevel>,

    /// Tell the server that DIR is a root; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,

    /// Answer with TEXT when the server asks for a model, instead of asking on the terminal
    #[arg(long, value_name = "TEXT")]
    pub(crate) sample: Option<String>,

    /// Longest message taken, in bytes; K, M and G mean KiB, MiB and GiB
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = message_size)]
    pub(crate) max_message: u32,

    /// When to use colour; NO_COLOR is honoured by `auto`
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,

    /// The server's command and its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// What is to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action<'a> {
    Info,
    List(Kind),
    Tool(&'a str),
    Read(&'a str),
    Get(&'a str),
    Complete(&'a str, &'a str),
}

impl Call {
    pub(crate) fn action(&self) -> Action<'_> {
        if let Some(kind) = self.list {
            Action::List(kind)
        } else if let Some(name) = &self.tool {
            Action::Tool(name)
        } else if let Some(uri) = &self.read {
            Action::Read(uri)
        } else if let Some(name) = &self.get {
            Action::Get(name)
        } else if let Some([of, argument]) = self.complete.as_deref() {
            Action::Complete(of, argument)
        } else {
            Action::Info
        }
    }

    pub(crate) fn revisions(&self) -> Revisions {
        match (self.revision, self.era) {
            (Some(one), _) => Revisions::only(one),
            (None, Era::Auto) => Revisions::ALL,
            (None, Era::Legacy) => Revisions::LEGACY,
            (None, Era::Modern) => Revisions::MODERN,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Tools,
    Resources,
    Templates,
    Prompts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Era {
    /// Whatever the server speaks, the newest first
    Auto,
    /// With a handshake: 2024-11-05 to 2025-11-25
    Legacy,
    /// Without one: 2026-07-28
    Modern,
}

fn level(text: &str) -> Result<LogLevel, String> {
    LogLevel::parse(text).ok_or_else(|| {
        let names: Vec<_> = LogLevel::ALL.iter().map(|level| level.name()).collect();
        format!("a level is one of {}", names.join(", "))
    })
}

/// The longest that can be waited for, a day and more than any answer takes.
const LONGEST: f64 = 1e6;

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("seconds are a number from 0 to 1000000".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        assert_eq!(level("warning"), Ok(LogLevel::Warning));
        for bad in ["", "warn", "Warning"] {
            assert!(
                level(bad).expect_err("bad").contains("debug, info"),
                "{bad}"
            );
        }
    }

    #[test]
    fn times() {
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for bad in ["", "-1", "1e7", "NaN", "inf", "1s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
