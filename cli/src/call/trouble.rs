//! Why there is nothing to be shown.

use wireline::Message;
use wireline::json::RawJson;
use wireline::session::{Failure as Unopened, SessionError};

use super::host::shown;
use super::notice::plain;
use super::trace;
use crate::failure::Failure;

/// Exit status: the server answered with an error, or the tool failed.
pub(crate) const ERROR: u8 = 1;
/// Exit status: there was no answer.
pub(crate) const NO_ANSWER: u8 = 3;
/// Exit status: interrupted, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// What happened, with the error object that the server gave for it.
pub(super) fn by_error(what: &str, error: RawJson<'_>) -> Failure {
    let member = |name| error.get(name).map(plain).unwrap_or_default();
    let failure = Failure::new(format!("{what} {}: {}", member("code"), member("message")));
    match error.get("data") {
        Some(data) => failure.advice(format!("data: {}", shown(data.as_str()))),
        None => failure,
    }
}

/// Why no session came about, with what the server said.
pub(super) fn unopened(why: Unopened, message: Option<&Message<'_>>) -> Failure {
    let reason = trace::reason(why);
    let of_result = |name| message.and_then(|it| it.result()?.get(name));
    let failure = if let Some(error) = message.and_then(Message::error) {
        by_error(&format!("{reason}: error"), error.raw())
    } else if let Some(version) = of_result("protocolVersion") {
        Failure::new(reason).advice(format!("it answered with revision {}", plain(version)))
    } else if let Some(versions) = of_result("supportedVersions") {
        Failure::new(reason).advice(format!("it supports {}", shown(versions.as_str())))
    } else {
        Failure::new(reason)
    };
    failure.status(NO_ANSWER)
}

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
