//! What can be wrong with what is written.

use crate::json::{Invalid, TooSmall};

/// Why text was not written.
///
/// Apart from the bytes of the buffer, nothing has changed: no id is used up, no line is
/// begun.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The buffer is too small. What it holds now is of no use.
    TooSmall {
        /// The bytes that are needed, exactly.
        needed: usize,
    },
    /// A value, a name or a closing bracket was written where none of its kind may stand:
    /// a name outside an object, a value without its name, a second value after the
    /// first, a closing bracket that closes nothing or the wrong thing.
    Misplaced,
    /// The text ended before its value did: nothing written, a name without its value,
    /// a bracket still open.
    Unfinished,
    /// More than [`MAX_OPEN`](super::MAX_OPEN) containers were open at once, or more than
    /// [`MAX_DEPTH`](super::MAX_DEPTH) with those of a fragment.
    TooDeep,
    /// Text given for a number is none by RFC 8259, as `NaN`, `Infinity`, `01` and `.5`
    /// are not; or a float is not finite.
    BadNumber,
    /// An id that may not be sent: a number outside ±(2⁵³ − 1), an empty string, a
    /// fraction or an exponent in a request of one's own, `null` where an answer needs
    /// an id.
    BadId,
    /// `params` or `result` is of a type that the profile does not take: with
    /// [`Profile::Mcp`](crate::Profile::Mcp), anything but an object. Or it has a member
    /// that a session writes itself, such as `_meta`, `resultType` or `inputResponses`.
    BadPayload,
    /// The message has no such member to be renumbered.
    NoMember,
    /// A value wrote other text the second time than the first, so what was begun cannot
    /// be ended.
    Changed,
    /// A payload that was given in pieces is not valid JSON. The offset counts the bytes
    /// given so far, the quotes of a string opened and closed by a call as one byte each.
    Invalid(Invalid),
    /// A value could not be turned into text: its `Display` or `Serialize` reported an
    /// error, or is of a kind that JSON has no form for.
    Unsupported,
}

impl core::fmt::Display for WriteError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            WriteError::TooSmall { needed } => return write!(f, "{needed} bytes are needed"),
            WriteError::Misplaced => "a value, a name or a bracket stands where it may not",
            WriteError::Unfinished => "the text ended before its value did",
            WriteError::TooDeep => "too many containers are open",
            WriteError::Invalid(invalid) => return invalid.fmt(f),
            WriteError::BadNumber => "not a JSON number",
            WriteError::BadId => "not an id that may be sent",
            WriteError::BadPayload => "params or result of a type that may not be sent, or with a member that is written for them",
            WriteError::NoMember => "the message has no such member",
            WriteError::Changed => "a value changed while it was being written",
            WriteError::Unsupported => "a value that JSON has no form for",
        })
    }
}

impl core::error::Error for WriteError {}

impl From<TooSmall> for WriteError {
    fn from(error: TooSmall) -> Self {
        WriteError::TooSmall {
            needed: error.needed,
        }
    }
}
