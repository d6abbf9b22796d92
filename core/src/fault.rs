//! What can be wrong with a line: kinds, where they are, and the rejected line itself.

use crate::envelope::{Captured, Field};
use crate::id::Id;
use crate::json::JsonStr;
use crate::limits::Limits;
use crate::message::BatchPlace;

macro_rules! faults {
    ($($(#[$doc:meta])* $variant:ident, $class:ident, $name:literal, $reason:literal;)*) => {
        /// What is wrong with a line.
        ///
        /// The first fault by offset names the kind. `name()` is stable and is what
        /// vectors, bindings and `wireline check` print.
        ///
        /// ```
        /// use wireline::{FaultClass, FaultKind};
        /// assert_eq!(FaultKind::TooLong.name(), "too-long");
        /// assert_eq!(FaultKind::TooLong.class(), FaultClass::Limit);
        /// assert!(FaultKind::ALL.contains(&FaultKind::Cut));
        /// ```
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum FaultKind { $($(#[$doc])* $variant,)* }

        impl FaultKind {
            /// Every kind, in the order of the fault table.
            pub const ALL: &'static [FaultKind] = &[$(FaultKind::$variant,)*];

            /// The kind's stable name in kebab case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(FaultKind::$variant => $name,)* }
            }

            /// The kind in one sentence, for people.
            #[must_use]
            pub const fn reason(self) -> &'static str {
                match self { $(FaultKind::$variant => $reason,)* }
            }

            /// The class that the kind belongs to.
            #[must_use]
            pub const fn class(self) -> FaultClass {
                match self { $(FaultKind::$variant => FaultClass::$class,)* }
            }
        }
    };
}

faults! {
    /// The line does not begin like JSON: a banner, a log line, an escape sequence.
    NotJson, Noise, "not-json", "the line does not begin like JSON";
    /// RFC 8259's grammar is broken at the offset.
    Syntax, Text, "syntax", "the text breaks the JSON grammar (RFC 8259)";
    /// A string holds bytes that are not UTF-8; the offset is the sequence's first byte.
    Utf8, Text, "utf8", "a string holds bytes that are not UTF-8";
    /// The line ends before its JSON text does; the offset is the line's length.
    Cut, Text, "cut", "the line ends before its JSON text does";
    /// Bytes follow the JSON text; the offset is the first of them.
    Trailing, Text, "trailing", "bytes follow the JSON text on the same line";
    /// The message is longer than its ceiling; the offset is the ceiling.
    TooLong, Limit, "too-long", "the message is longer than the ceiling";
    /// Containers are nested deeper than the ceiling; the offset is the bracket.
    TooDeep, Limit, "too-deep", "containers are nested deeper than the ceiling";
    /// The id's token is longer than its ceiling; the offset is its first byte.
    IdTooLong, Limit, "id-too-long", "the id is longer than the ceiling";
    /// The method's token is longer than its ceiling; the offset is its first byte.
    MethodTooLong, Limit, "method-too-long", "the method is longer than the ceiling";
    /// Valid JSON, but not an object.
    NotObject, Envelope, "not-object", "the text is JSON but not an object";
    /// `jsonrpc` is missing or is not `"2.0"`.
    BadVersion, Envelope, "bad-version", "`jsonrpc` is missing or is not \"2.0\"";
    /// The id is missing where one is owed, or is neither a string nor an integer.
    BadId, Envelope, "bad-id", "the id is missing or is neither a string nor an integer";
    /// `method` is not a string, or holds an unpaired surrogate escape.
    BadMethod, Envelope, "bad-method", "`method` is not a string of Unicode text";
    /// `params` has a type that the profile does not take.
    BadParams, Envelope, "bad-params", "`params` is not an object";
    /// `result` has a type that the profile does not take.
    BadResult, Envelope, "bad-result", "`result` is not an object";
    /// `error` is not an object with an integer `code` and a string `message`.
    BadError, Envelope, "bad-error", "`error` is not {\"code\": integer, \"message\": string}";
    /// Both `result` and `error`, or `method` beside one of them.
    Conflict, Envelope, "conflict", "more than one of `method`, `result` and `error` is there";
    /// None of `method`, `result` and `error`.
    NoKind, Envelope, "no-kind", "none of `method`, `result` and `error` is there";
    /// A captured member stands twice; the offset is the second name's opening quote.
    Duplicate, Envelope, "duplicate", "a member that decides what the message means stands twice";
    /// A member name holds an unpaired surrogate escape; the offset is its backslash.
    LoneSurrogate, Envelope, "lone-surrogate", "a member name holds an unpaired surrogate escape";
    /// A batch without elements.
    EmptyBatch, Envelope, "empty-batch", "the batch is empty";
    /// A batch where batches are not taken.
    Batch, Envelope, "batch", "a batch where only single messages are taken";
    /// The input ends inside a line; the offset is the line's length.
    Truncated, Stream, "truncated", "the input ended inside a line";
    /// Bytes came with no room left, because complete lines had not been taken out.
    Overrun, Stream, "overrun", "bytes were lost because the buffer was full";
    /// More bytes than `max_discard` came without a line end. The decoder is closed.
    Runaway, Stream, "runaway", "the line never ends";
}

/// What a kind of fault says about the line.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultClass {
    /// Not JSON at all. Nothing is owed.
    Noise,
    /// The text is broken; ids and methods seen in it are hints.
    Text,
    /// Valid as far as it was judged, but over a ceiling.
    Limit,
    /// Valid JSON that is no JSON-RPC message.
    Envelope,
    /// The stream itself ended or overflowed.
    Stream,
}

/// Which of the deciding members were seen in a rejected line.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shape {
    /// `jsonrpc` is there and is `"2.0"`.
    pub jsonrpc: bool,
    /// `method` is there.
    pub method: bool,
    /// `result` is there.
    pub result: bool,
    /// `error` is there.
    pub error: bool,
}

/// A line that is no message: what is wrong, where, and what is still known of it.
///
/// ```
/// use wireline::{FaultKind, Limits, parse};
/// let bad = parse(br#"{"jsonrpc":"2.0","id":7,"method":123}"#, &Limits::HOST).unwrap_err();
/// assert_eq!(bad.kind(), FaultKind::BadMethod);
/// assert_eq!(bad.offset(), 33);
/// assert_eq!(bad.id().unwrap().as_i64(), Some(7)); // may be answered with -32600
/// ```
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Rejected<'a> {
    pub(crate) captured: Captured,
    /// The line, or what was kept of it.
    pub(crate) base: &'a [u8],
    pub(crate) offset: usize,
    pub(crate) length: usize,
    pub(crate) limits: Limits,
    pub(crate) kind: FaultKind,
    /// Bytes of the line's beginning that `base` begins with.
    pub(crate) kept: u8,
    /// The text is whole and valid, so a usable id may be answered.
    pub(crate) answerable: bool,
    pub(crate) batch: Option<BatchPlace>,
}

/// How many bytes of a rejected line are kept for people to look at.
pub(crate) const EXCERPT: usize = 48;

impl<'a> Rejected<'a> {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// Where, in bytes from the first byte of the line (of the element, inside a batch).
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// The line's bytes without its LF and one CR before it.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length as u64
    }

    /// The id, if an answer may carry it: it is usable, it stands once, and the whole
    /// text is valid JSON. What lies beyond the ceiling of depth is not read as JSON:
    /// there, strings are, and each closing bracket ends what was opened last.
    #[must_use]
    pub fn id(&self) -> Option<Id<'a>> {
        if self.answerable {
            self.id_hint()
        } else {
            None
        }
    }

    /// The id that was seen, if it is usable by itself. For diagnostics: text that is
    /// broken further on may mean something else by it.
    #[must_use]
    pub fn id_hint(&self) -> Option<Id<'a>> {
        if self.captured.id_usable() {
            Id::from_token(self.captured.main_token(Field::ID, self.base)?)
        } else {
            None
        }
    }

    /// Whether the id that was seen is `null`.
    pub(crate) fn id_is_null(&self) -> bool {
        self.captured.flag(Captured::ID_NULL)
    }

    /// The method that was seen, for diagnostics.
    #[must_use]
    pub fn method(&self) -> Option<JsonStr<'a>> {
        JsonStr::from_token(self.captured.main_token(Field::METHOD, self.base)?)
    }

    /// Which of the deciding members were seen.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape {
            jsonrpc: self.captured.version_ok(),
            method: self.captured.has(Field::METHOD),
            result: self.captured.has(Field::RESULT),
            error: self.captured.has(Field::ERROR),
        }
    }

    /// The first bytes of the line, at most 48, exactly as they came. Fewer where a
    /// small buffer could not keep them.
    #[must_use]
    pub fn excerpt(&self) -> &'a [u8] {
        let kept = self.length.min(usize::from(self.kept));
        self.base.get(..kept).unwrap_or(self.base)
    }

    /// The ceiling that was passed, for the kinds of class [`FaultClass::Limit`] and
    /// [`FaultKind::Runaway`]; in bytes, or levels for [`FaultKind::TooDeep`].
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        let limits = &self.limits;
        Some(match self.kind {
            FaultKind::TooLong => u64::from(limits.message),
            FaultKind::TooDeep => u64::from(limits.depth),
            FaultKind::IdTooLong => u64::from(limits.id),
            FaultKind::MethodTooLong => u64::from(limits.method),
            FaultKind::Runaway => u64::from(limits.max_discard),
            _ => return None,
        })
    }

    /// Where in a batch this element stood.
    #[must_use]
    pub fn batch(&self) -> Option<BatchPlace> {
        self.batch
    }
}

impl core::fmt::Debug for Rejected<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rejected")
            .field("kind", &self.kind)
            .field("offset", &self.offset)
            .field("length", &self.length)
            .field("id", &self.id())
            .field("id_hint", &self.id_hint())
            .field("method", &self.method())
            .field("batch", &self.batch)
            .finish()
    }
}

impl core::fmt::Display for Rejected<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "{} at byte {} of {}",
            self.kind.reason(),
            self.offset,
            self.length
        )?;
        match self.limit() {
            Some(max) => write!(f, " (ceiling {max})"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Rejected<'_> {}
