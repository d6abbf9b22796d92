//! The command line of `wireline serve`.

use std::env::ArgsOs;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Command, FromArgMatches};
use wireline::mcp::{Revision, Revisions};

use super::{message_size, revision};

pub(super) const ABOUT: &str = "Be a server over standard input and output, to test clients with";

pub(super) const LONG: &str = "\
Be a server over standard input and output, to test clients with.

It speaks every revision from 2024-11-05 to 2026-07-28, whichever the client opens with. Its tools \
echo, count, sleep, hang, report progress, log, fail, return large and odd values, and ask the \
client for its user, its model and its roots. With --root it serves the files of a folder as \
resources, and never one outside of it.";

pub(super) const AFTER: &str = "\
When standard input ends, requests that were accepted are still answered, for a second at most; \
then the server ends.

Exit status:
  0  the input ended, or nobody reads the output any more
  2  wrong usage, or the root folder could not be opened

Examples:
  wireline serve --root docs
  wireline call --tool add --args a=1 --args b=2 -- wireline serve
  printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' | wireline serve

docs/cli.md lists the tools.";

const PAGE_SIZE: NonZeroUsize = NonZeroUsize::new(50).unwrap();
const MAX_MESSAGE: u32 = 16 << 20;

#[derive(ClapArgs)]
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(crate) struct Serve {
    /// Serve the files under DIR as resources
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Have the tools, resources and prompts that the official conformance suite asks for, too
    #[arg(long)]
    pub(crate) everything: bool,

    /// Speak this revision only; may be given several times
    #[arg(long = "revision", value_name = "DATE", value_parser = revision)]
    revisions: Vec<Revision>,

    /// Entries on one page of a list
    #[arg(long, value_name = "N", default_value_t = PAGE_SIZE, value_parser = entries)]
    pub(crate) page_size: NonZeroUsize,

    /// Longest message taken, in bytes; K, M and G mean KiB, MiB and GiB
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = message_size)]
    pub(crate) max_message: u32,

    /// Write a line to standard error for every request, as chatty servers do
    #[arg(long)]
    pub(crate) stderr_noise: bool,
}

/// What is so where nothing is said: as the attributes above have it.
impl Default for Serve {
    fn default() -> Self {
        Self {
            root: None,
            everything: false,
            revisions: Vec::new(),
            page_size: PAGE_SIZE,
            max_message: MAX_MESSAGE,
            stderr_noise: false,
        }
    }
}

impl Serve {
    /// The command alone, without all the others: a server is to be small, and what a program
    /// does once at its start counts as well. It reads and says what the whole would.
    pub(super) fn parse(mut args: ArgsOs) -> Self {
        args.next();
        if args.len() == 1 {
            return Self::default();
        }
        let command = Command::new("wireline serve")
            .bin_name("wireline serve")
            .about(ABOUT)
            .long_about(LONG)
            .after_long_help(AFTER);
        let matches = Self::augment_args(command).get_matches_from(args);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    pub(crate) fn revisions(&self) -> Revisions {
        if self.revisions.is_empty() {
            return Revisions::ALL;
        }
        self.revisions
            .iter()
            .fold(Revisions::NONE, |set, &one| set.with(one))
    }
}

fn entries(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "a page has at least one entry".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_the_default() {
        let matches = Serve::augment_args(Command::new("serve")).get_matches_from(["serve"]);
        let parsed = Serve::from_arg_matches(&matches).expect("good");
        assert_eq!(parsed, Serve::default());
    }
}
