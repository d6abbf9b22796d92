//! Why there is nothing to be shown.

use wireline::session::SessionError;

use crate::failure::Failure;

/// Exit status: the server answered with an error, or the tool failed.
pub(crate) const ERROR: u8 = 1;
/// Exit status: there was no answer.
pub(crate) const NO_ANSWER: u8 = 3;
/// Exit status: interrupted, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

#[derive(Debug)]
pub(crate) enum Trouble {
    Failure(Failure),
    Interrupted,
}

impl Trouble {
    /// The server gave no answer that could be used.
    pub(crate) fn no_answer(what: &str) -> Self {
        Self::Failure(Failure::new(what).status(NO_ANSWER))
    }

    /// What was wanted is not to be had of this server, or not to be said.
    pub(crate) fn session(error: SessionError) -> Self {
        match error {
            SessionError::Gate(rule) => Self::Failure(
                Failure::new("the server does not offer that")
                    .advice(format!("{rule}: {}", rule.text()))
                    .status(ERROR),
            ),
            other => Self::no_answer(&other.to_string()),
        }
    }
}
