//! What to do about a fault. Why it is one is said by the core.

use wireline::FaultKind;

/// The ceiling's option, for the kinds that a ceiling makes.
pub(crate) const fn option(kind: FaultKind) -> Option<&'static str> {
    match kind {
        FaultKind::TooLong => Some("--max-message"),
        FaultKind::TooDeep => Some("--max-depth"),
        FaultKind::IdTooLong => Some("--max-id"),
        FaultKind::MethodTooLong => Some("--max-method"),
        FaultKind::Runaway => Some("--max-discard"),
        _ => None,
    }
}

pub(crate) const fn advice(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NotJson => "print logs and banners to standard error, not to the stream",
        FaultKind::Syntax => "write messages with a JSON library, one per line",
        FaultKind::Utf8 => "write the stream as UTF-8",
        FaultKind::Cut => {
            "write line ends inside strings as \\n, and each message whole on its line"
        }
        FaultKind::Trailing => "write one message per line, and a line end after each",
        FaultKind::TooLong => "send less at once, or raise the ceiling",
        FaultKind::TooDeep => "nest less, or raise the ceiling",
        FaultKind::IdTooLong => "use shorter ids, or raise the ceiling",
        FaultKind::MethodTooLong => "use shorter method names, or raise the ceiling",
        FaultKind::NotObject => "a message is an object",
        FaultKind::BadVersion => "write \"jsonrpc\":\"2.0\" in every message",
        FaultKind::BadId => "an id is a string or a whole number",
        FaultKind::BadMethod => "a method is a string",
        FaultKind::BadParams => "params is an object, or is left out",
        FaultKind::BadResult => "a result is an object, if only an empty one",
        FaultKind::BadError => "an error holds a whole-number code and a message string",
        FaultKind::Conflict => "write either a method, or a result, or an error",
        FaultKind::NoKind => "write a method, a result or an error",
        FaultKind::Duplicate => "write each member once: two readers may pick different ones",
        FaultKind::LoneSurrogate => "write surrogate escapes in pairs, or the character as UTF-8",
        FaultKind::EmptyBatch => "leave empty batches out",
        FaultKind::Batch => "write one message per line, or allow batches with --batches",
        FaultKind::Truncated => "end the last message with a line end before closing the stream",
        FaultKind::Overrun => "read faster than the bytes come, or keep a larger buffer",
        FaultKind::Runaway => "nothing after this was read in this direction",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_advice() {
        for &kind in FaultKind::ALL {
            assert!(!advice(kind).is_empty(), "{}", kind.name());
        }
    }
}
