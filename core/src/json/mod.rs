//! RFC 8259: a resumable scanner, validated fragments, strings and numbers that keep their
//! exact text, and a writer.
//!
//! Nothing here knows of JSON-RPC. Fragments are slices of what was received; nothing is
//! copied or converted until it is asked for.

mod number;
mod raw;
pub(crate) mod scan;
mod string;
#[cfg(feature = "wide")]
pub(crate) mod vector;
pub(crate) mod walk;
mod writer;

pub use number::Number;
pub(crate) use number::is_integer;
pub use raw::{Elements, Invalid, Members, RawJson, TooSmall};
pub use string::{Chars, JsonStr, LoneSurrogate, UnescapeError};
pub(crate) use string::{escape, unescaped};
pub use writer::*;

/// The type of a JSON value, as its first byte tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum JsonKind {
    /// `null`
    Null = 1,
    /// `true` or `false`
    Bool,
    /// A number
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

impl JsonKind {
    /// The type of the value that begins with this byte.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(crate) const fn of(first: u8) -> Option<JsonKind> {
        match first {
            b'{' => Some(JsonKind::Object),
            b'[' => Some(JsonKind::Array),
            b'"' => Some(JsonKind::String),
            b't' | b'f' => Some(JsonKind::Bool),
            b'n' => Some(JsonKind::Null),
            b'-' | b'0'..=b'9' => Some(JsonKind::Number),
            _ => None,
        }
    }
}
