//! What is logged on a chip, with the feature `defmt`: small types by their own names, and here those that borrow.

use crate::fault::Rejected;
use crate::id::Id;
use crate::message::Message;
use crate::session::{Ended, SessionError};
use defmt::{Format, Formatter, write};

/// What is wrong, and where: `not-json at byte 0 of 12`.
impl Format for Rejected<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(
            f,
            "{=str} at byte {=u64} of {=u64}",
            self.kind().name(),
            self.offset(),
            self.length()
        );
    }
}

/// The token as it was received.
impl Format for Id<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=str}", self.as_raw());
    }
}

/// Its kind, id and method, and how long it is.
impl Format for Message<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(
            f,
            "{=str} {} {} of {=usize} bytes",
            self.kind().name(),
            self.id(),
            self.method().map(|method| method.raw()),
            self.as_bytes().len()
        );
    }
}

/// Its name.
impl Format for Ended<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=str}", self.name());
    }
}

/// Its name, and the number of the rule or what cannot be written.
impl Format for SessionError {
    fn format(&self, f: Formatter<'_>) {
        match self {
            SessionError::StaleHandle => write!(f, "StaleHandle"),
            SessionError::NotReady => write!(f, "NotReady"),
            SessionError::Gate(rule) => write!(f, "Gate(R{})", rule.number()),
            SessionError::TableFull => write!(f, "TableFull"),
            SessionError::BadProgress => write!(f, "BadProgress"),
            SessionError::Write(error) => write!(f, "Write({})", error),
        }
    }
}
