//! Writing JSON into a caller's bytes.

mod error;
mod pieces;
mod sink;
mod splice;
mod value;

pub use error::WriteError;
pub use pieces::Pieces;
pub(crate) use sink::{Place, Sink, base64_group, decimal, escaped, line_break, plain_text};
pub use value::{Base64, FromFn, ToJson, from_fn, measure, write};

use splice::{Splice, Step};

use super::{JsonKind, JsonStr, Number, RawJson, walk};

/// Containers that a [`Writer`] keeps open at most, beside those in fragments: see
/// [`MAX_DEPTH`].
pub const MAX_OPEN: u8 = 64;

/// Containers that a written text may have open at once, those in fragments among them:
/// as many as a host takes, [`Limits::HOST`](crate::Limits::HOST).
pub const MAX_DEPTH: u8 = 127;

/// What may stand next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The first value or name of a container, or the value of the whole text.
    First,
    /// A further one, after a comma, or the closing bracket.
    More,
    /// The value that belongs to a name.
    Member,
    /// Nothing: an error has been met.
    Nothing,
}

/// Every type of value. See [`Writer::expect`].
const ANY: u8 = 0xff;

/// Writes one JSON value into a caller's slice.
///
/// It goes on counting past the end of the slice, in the manner of `snprintf`, so that
/// [`finish`](Writer::finish) can tell the bytes needed. Strings are escaped as RFC 8259
/// asks and no further: the quote, the backslash and control characters; all other text
/// stands as it is, U+2028 included. The text holds no raw LF and no raw CR.
///
/// What is written where it may not stand is an error that `finish` reports; nothing is
/// written after it.
///
/// ```
/// use wireline::json::{WriteError, Writer};
///
/// let mut buffer = [0; 64];
/// let mut w = Writer::new(&mut buffer);
/// w.begin_object();
/// w.key("text").string("one\ntwo");
/// w.key("list").begin_array().int(-1).bool(true).null().end_array();
/// w.key("step").decimal("0.10");
/// w.end_object();
/// assert_eq!(w.finish(), Ok(&br#"{"text":"one\ntwo","list":[-1,true,null],"step":0.10}"#[..]));
///
/// let mut w = Writer::new(&mut []);
/// w.string("abc");
/// assert_eq!(w.finish(), Err(WriteError::TooSmall { needed: 5 }));
///
/// let mut w = Writer::new(&mut []);
/// w.begin_array().key("a");
/// assert_eq!(w.finish(), Err(WriteError::Misplaced));
/// ```
#[derive(Debug)]
#[repr(C)]
pub struct Writer<'b> {
    depth: u8,
    /// Containers that belong to whoever asked for the value that is being written.
    floor: u8,
    next: Next,
    /// The types that the next value may have, a bit each.
    expect: u8,
    error: Option<WriteError>,
    /// One bit per open container, the innermost lowest: set for an object.
    objects: u64,
    sink: Sink<'b>,
    /// Whose members are being written into an object that was open before.
    splice: Option<Splice>,
}

impl<'b> Writer<'b> {
    /// A writer into `out`.
    pub fn new(out: &'b mut [u8]) -> Self {
        Writer::over(Sink::new(out, None))
    }

    pub(crate) fn over(sink: Sink<'b>) -> Self {
        Writer {
            sink,
            objects: 0,
            depth: 0,
            floor: 0,
            next: Next::First,
            expect: ANY,
            splice: None,
            error: None,
        }
    }

    /// The bytes written so far, those past the end of the slice included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sink.at()
    }

    /// Whether nothing has been written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Ends the text.
    ///
    /// # Errors
    ///
    /// The first thing that was wrong; [`WriteError::Unfinished`], if the value is not
    /// complete; [`WriteError::TooSmall`], if it is but has no room.
    pub fn finish(self) -> Result<&'b [u8], WriteError> {
        self.check()?;
        if self.sink.is_whole() {
            Ok(self.sink.into_stored())
        } else {
            Err(WriteError::TooSmall {
                needed: self.sink.at(),
            })
        }
    }

    /// Whether exactly one complete value has been written.
    pub(crate) fn check(&self) -> Result<(), WriteError> {
        // After an error, nothing more may stand.
        if self.depth == 0 && self.next == Next::More {
            return Ok(());
        }
        Err(self.error.unwrap_or(WriteError::Unfinished))
    }

    /// Reports an error; nothing is written from here on.
    #[cold]
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(crate) fn fail(&mut self, error: WriteError) {
        self.error.get_or_insert(error);
        self.next = Next::Nothing;
    }

    pub(crate) fn sink(&mut self) -> &mut Sink<'b> {
        &mut self.sink
    }

    pub(crate) fn into_sink(self) -> Sink<'b> {
        self.sink
    }

    /// Whether the innermost open container is one of the writing value's own, and an
    /// object or not as asked.
    fn is_in(&self, object: bool) -> bool {
        self.depth > self.floor && (self.objects & 1 != 0) == object
    }

    /// Puts the comma before a name or a value, if one is due. `false`, if none may stand
    /// here.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    fn comma(&mut self, name: bool) -> bool {
        let inside = self.depth > self.floor;
        let object = inside && self.objects & 1 != 0;
        let allowed = match self.next {
            Next::Nothing => return false,
            Next::Member => !name,
            Next::First => object == name,
            Next::More => inside && object == name,
        };
        if !allowed {
            self.fail(WriteError::Misplaced);
        } else if self.next == Next::More {
            self.sink.put(b",");
        }
        allowed
    }

    /// Begins a value: puts the comma before it, if one is due. `false`, if none may
    /// stand here.
    pub(crate) fn lead(&mut self, kind: JsonKind) -> bool {
        if self.spliced(Step::Value) || !self.comma(false) {
            return false;
        }
        if self.expect & 1u8.wrapping_shl(kind as u32) == 0 {
            self.fail(WriteError::BadPayload);
            return false;
        }
        self.expect = ANY;
        self.next = Next::More;
        true
    }

    fn open(&mut self, kind: JsonKind, bracket: &[u8]) -> &mut Self {
        if self.spliced(Step::Open(kind)) {
            return self;
        }
        if self.lead(kind) {
            if self.depth >= MAX_OPEN {
                self.fail(WriteError::TooDeep);
                return self;
            }
            self.depth = self.depth.saturating_add(1);
            self.objects = self.objects.wrapping_shl(1) | u64::from(kind == JsonKind::Object);
            self.next = Next::First;
            self.sink.put(bracket);
        }
        self
    }

    fn close(&mut self, object: bool, bracket: &[u8]) -> &mut Self {
        match self.next {
            Next::First | Next::More if self.is_in(object) => {
                if self.spliced(Step::Close) {
                    return self;
                }
                self.depth = self.depth.saturating_sub(1);
                self.objects >>= 1;
                self.next = Next::More;
                self.sink.put(bracket);
            }
            _ => self.fail(WriteError::Misplaced),
        }
        self
    }

    /// Opens an object.
    pub fn begin_object(&mut self) -> &mut Self {
        self.open(JsonKind::Object, b"{")
    }

    /// Closes the object that was opened last.
    pub fn end_object(&mut self) -> &mut Self {
        self.close(true, b"}")
    }

    /// Opens an array.
    pub fn begin_array(&mut self) -> &mut Self {
        self.open(JsonKind::Array, b"[")
    }

    /// Closes the array that was opened last.
    pub fn end_array(&mut self) -> &mut Self {
        self.close(false, b"]")
    }

    /// Writes a member's name. Its value comes next.
    ///
    /// Names are not compared: writing one twice is the caller's mistake to avoid.
    pub fn key(&mut self, name: &str) -> &mut Self {
        if self.comma(true) && !self.spliced(Step::Name(name)) {
            self.sink.string(name.as_bytes());
            self.sink.put(b":");
            self.next = Next::Member;
        }
        self
    }

    /// Writes a member's name as it was received, escapes and all.
    pub(crate) fn key_as_received(&mut self, name: JsonStr<'_>) -> &mut Self {
        if self.comma(true) && !self.spliced(Step::Received(name)) {
            self.sink.quoted(name.raw_bytes(), Sink::json);
            self.sink.put(b":");
            self.next = Next::Member;
        }
        self
    }

    /// Writes a name and its value.
    pub fn member(&mut self, name: &str, value: &dyn ToJson) -> &mut Self {
        self.key(name).value(value)
    }

    /// Writes a value.
    ///
    /// The value must write exactly one, and cannot close what it did not open:
    ///
    /// ```
    /// use wireline::json::{self, WriteError, Writer};
    /// let sly = json::from_fn(|w| { w.null().end_array(); });
    /// let mut w = Writer::new(&mut []);
    /// w.begin_array().value(&sly);
    /// assert_eq!(w.finish(), Err(WriteError::Misplaced));
    /// ```
    pub fn value(&mut self, value: &dyn ToJson) -> &mut Self {
        self.payload(value, ANY)
    }

    /// Writes a value whose type must be one of `kinds`, a bit each.
    pub(crate) fn payload(&mut self, value: &dyn ToJson, kinds: u8) -> &mut Self {
        let expect = self.expect;
        self.expect = ANY;
        // The comma, if one is due, is this level's; the value itself then stands as if
        // it were the whole text.
        if self.lead(JsonKind::Null) {
            let floor = core::mem::replace(&mut self.floor, self.depth);
            self.next = Next::First;
            self.expect = expect & kinds;
            value.write_json(self);
            if self.next != Next::More || self.depth != self.floor {
                self.fail(WriteError::Unfinished);
            }
            self.floor = floor;
        }
        self
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) -> &mut Self {
        if self.lead(JsonKind::String) {
            self.sink.string(text.as_bytes());
        }
        self
    }

    /// Writes what a value's `Display` says as a string.
    ///
    /// ```
    /// let mut buffer = [0; 32];
    /// let mut w = wireline::json::Writer::new(&mut buffer);
    /// w.display(&format_args!("no tool \"{}\"", "led"));
    /// assert_eq!(w.finish(), Ok(&br#""no tool \"led\"""#[..]));
    /// ```
    pub fn display(&mut self, value: &dyn core::fmt::Display) -> &mut Self {
        if self.lead(JsonKind::String) {
            self.sink.put(b"\"");
            let result = core::fmt::write(&mut Text(&mut self.sink), format_args!("{value}"));
            self.sink.put(b"\"");
            if result.is_err() {
                self.fail(WriteError::Unsupported);
            }
        }
        self
    }

    /// Writes bytes as a base64 string, with padding (RFC 4648, section 4), as blobs,
    /// images and audio are carried.
    pub fn base64(&mut self, bytes: &[u8]) -> &mut Self {
        if self.lead(JsonKind::String) {
            self.sink.put(b"\"");
            self.sink.base64(bytes);
            self.sink.put(b"\"");
        }
        self
    }

    /// Writes a signed integer.
    pub fn int(&mut self, value: i64) -> &mut Self {
        self.integer(value < 0, value.unsigned_abs())
    }

    /// Writes an unsigned integer.
    pub fn uint(&mut self, value: u64) -> &mut Self {
        self.integer(false, value)
    }

    fn integer(&mut self, negative: bool, magnitude: u64) -> &mut Self {
        if self.lead(JsonKind::Number) {
            self.sink.integer(negative, magnitude);
        }
        self
    }

    /// Writes a number given as decimal text, which is kept as it is: `0.10` stays
    /// `0.10`. Text that RFC 8259 does not take for a number is
    /// [`WriteError::BadNumber`].
    pub fn decimal(&mut self, text: &str) -> &mut Self {
        match Number::new(text) {
            Some(number) => self.number(number),
            None => {
                self.fail(WriteError::BadNumber);
                self
            }
        }
    }

    /// Writes a number as it was received.
    pub fn number(&mut self, number: Number<'_>) -> &mut Self {
        self.copy(JsonKind::Number, number.as_str().as_bytes())
    }

    /// Writes `true` or `false`.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.copy(JsonKind::Bool, if value { b"true" } else { b"false" })
    }

    /// Writes `null`.
    pub fn null(&mut self) -> &mut Self {
        self.copy(JsonKind::Null, b"null")
    }

    /// Writes a string as it was received, escapes and all.
    pub fn json_str(&mut self, text: JsonStr<'_>) -> &mut Self {
        if self.lead(JsonKind::String) {
            self.sink.quoted(text.raw_bytes(), Sink::json);
        }
        self
    }

    /// Writes a fragment as it was received, but for raw CR and LF, which can only be
    /// white space between its tokens and are left out.
    ///
    /// One that would be nested deeper than [`MAX_DEPTH`] where it stands is
    /// [`WriteError::TooDeep`].
    pub fn raw(&mut self, fragment: RawJson<'_>) -> &mut Self {
        if self.spliced(Step::Raw(fragment)) {
            return self;
        }
        self.check_depth(fragment.as_bytes());
        self.copy(fragment.kind(), fragment.as_bytes())
    }

    /// Fails, if a value is nested too deep to stand here. In pieces it was counted before
    /// the first.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(crate) fn check_depth(&mut self, value: &[u8]) {
        let most = MAX_DEPTH.wrapping_sub(self.depth);
        if !self.sink.is_window() && walk::is_deeper(value, most) {
            self.fail(WriteError::TooDeep);
        }
    }

    /// Writes text that is one value of this type.
    pub(crate) fn copy(&mut self, kind: JsonKind, text: &[u8]) -> &mut Self {
        if self.lead(kind) {
            self.sink.json(text);
        }
        self
    }
}

/// Text into a string that is open.
struct Text<'s, 'b>(&'s mut Sink<'b>);

impl core::fmt::Write for Text<'_, '_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0.text(text.as_bytes());
        Ok(())
    }
}
