//! Writing JSON into a caller's bytes.

mod pieces;
mod sink;

pub use pieces::Pieces;
pub(crate) use sink::{Place, Sink, base64_group, decimal, escaped, line_break, plain_text};

use super::{Invalid, JsonKind, JsonStr, Number, RawJson};

/// Containers that a [`Writer`] keeps open at most. Fragments written with
/// [`Writer::raw`] may be nested deeper; they are not counted.
pub const MAX_OPEN: u8 = 64;

/// Why text was not written.
///
/// Apart from the bytes of the buffer, nothing has changed: no id is used up, no line is
/// begun.
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
    /// More than [`MAX_OPEN`] containers were open at once.
    TooDeep,
    /// Text given for a number is none by RFC 8259, as `NaN`, `Infinity`, `01` and `.5`
    /// are not; or a float is not finite.
    BadNumber,
    /// An id that may not be sent: a number outside ±(2⁵³ − 1), an empty string, a
    /// fraction or an exponent in a request of one's own, `null` where an answer needs
    /// an id.
    BadId,
    /// `params` or `result` is of a type that the profile does not take: with
    /// [`Profile::Mcp`](crate::Profile::Mcp), anything but an object.
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
            WriteError::BadPayload => "params or result of a type that may not be sent",
            WriteError::NoMember => "the message has no such member",
            WriteError::Changed => "a value changed while it was being written",
            WriteError::Unsupported => "a value that JSON has no form for",
        })
    }
}

impl core::error::Error for WriteError {}

impl From<super::TooSmall> for WriteError {
    fn from(error: super::TooSmall) -> Self {
        WriteError::TooSmall {
            needed: error.needed,
        }
    }
}

/// Something that can be written as one JSON value.
///
/// A message takes its `params`, `result` or `data` as such a value, so that no buffer
/// is needed between the value and the line.
///
/// `write_json` may be called several times for one line: once to count, once for every
/// piece of a line that is sent in pieces. It must write the same text every time; a
/// value that changes meanwhile (a clock, a sensor) is read first and then written.
///
/// ```
/// use wireline::json::{self, ToJson, Writer};
///
/// struct Point { x: i32, y: i32 }
///
/// impl ToJson for Point {
///     fn write_json(&self, w: &mut Writer<'_>) {
///         w.begin_object().member("x", &self.x).member("y", &self.y).end_object();
///     }
/// }
///
/// let mut buffer = [0; 32];
/// assert_eq!(json::write(&Point { x: 1, y: -2 }, &mut buffer), Ok(&br#"{"x":1,"y":-2}"#[..]));
/// ```
pub trait ToJson {
    /// Writes the value, exactly one, with `w`.
    fn write_json(&self, w: &mut Writer<'_>);
}

/// Writes a value into `buffer` and returns its text.
///
/// # Errors
///
/// [`WriteError::TooSmall`] with the bytes needed, or what is wrong with the value.
pub fn write<'b>(value: &dyn ToJson, buffer: &'b mut [u8]) -> Result<&'b [u8], WriteError> {
    let mut writer = Writer::new(buffer);
    value.write_json(&mut writer);
    writer.finish()
}

/// The bytes that a value's text comes to.
///
/// ```
/// assert_eq!(wireline::json::measure(&"a\nb"), Ok(6)); // "a\nb" with quotes and a backslash
/// ```
///
/// # Errors
///
/// What is wrong with the value; never [`WriteError::TooSmall`].
pub fn measure(value: &dyn ToJson) -> Result<usize, WriteError> {
    let mut writer = Writer::new(&mut []);
    value.write_json(&mut writer);
    writer.check().map(|()| writer.len())
}

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
pub struct Writer<'b> {
    sink: Sink<'b>,
    /// One bit per open container, the innermost lowest: set for an object.
    objects: u64,
    depth: u8,
    /// Containers that belong to whoever asked for the value that is being written.
    floor: u8,
    next: Next,
    /// The types that the next value may have, a bit each.
    expect: u8,
    error: Option<WriteError>,
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
        match self.error {
            Some(error) => Err(error),
            None if self.depth == 0 && self.next == Next::More => Ok(()),
            None => Err(WriteError::Unfinished),
        }
    }

    /// Reports an error; nothing is written from here on.
    pub(crate) fn fail(&mut self, error: WriteError) {
        if self.error.is_none() {
            self.error = Some(error);
        }
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

    /// Begins a value: puts the comma before it, if one is due. `false`, if none may
    /// stand here.
    pub(crate) fn lead(&mut self, kind: JsonKind) -> bool {
        match self.next {
            Next::Nothing => return false,
            Next::Member => {}
            Next::First if !self.is_in(true) => {}
            Next::More if self.is_in(false) => self.sink.put(b","),
            _ => {
                self.fail(WriteError::Misplaced);
                return false;
            }
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
        match self.next {
            Next::First | Next::More if self.is_in(true) => {
                if self.next == Next::More {
                    self.sink.put(b",");
                }
                self.sink.string(name.as_bytes());
                self.sink.put(b":");
                self.next = Next::Member;
            }
            _ => self.fail(WriteError::Misplaced),
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
            self.sink.put(b"\"");
            self.sink.json(text.raw_bytes());
            self.sink.put(b"\"");
        }
        self
    }

    /// Writes a fragment as it was received, but for raw CR and LF, which can only be
    /// white space between its tokens and are left out.
    pub fn raw(&mut self, fragment: RawJson<'_>) -> &mut Self {
        self.copy(fragment.kind(), fragment.as_bytes())
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

/// A value written by a function. See [`from_fn`].
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

/// A value that a function writes, where a type of one's own is not worth its lines.
///
/// ```
/// use wireline::json;
/// let value = json::from_fn(|w| { w.begin_array().int(1).int(2).end_array(); });
/// assert_eq!(json::write(&value, &mut [0; 8]), Ok(&b"[1,2]"[..]));
/// ```
pub fn from_fn<F: Fn(&mut Writer<'_>)>(write: F) -> FromFn<F> {
    FromFn(write)
}

impl<F: Fn(&mut Writer<'_>)> ToJson for FromFn<F> {
    fn write_json(&self, w: &mut Writer<'_>) {
        (self.0)(w);
    }
}

impl<F> core::fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FromFn")
    }
}

/// Bytes that are written as a base64 string. See [`Writer::base64`].
///
/// ```
/// use wireline::json::{self, Base64};
/// assert_eq!(json::write(&Base64(b"any"), &mut [0; 8]), Ok(&br#""YW55""#[..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base64<'a>(pub &'a [u8]);

impl ToJson for Base64<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.base64(self.0);
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn write_json(&self, w: &mut Writer<'_>) {
        (**self).write_json(w);
    }
}

/// `None` is written as `null`.
impl<T: ToJson> ToJson for Option<T> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self {
            Some(value) => value.write_json(w),
            None => {
                w.null();
            }
        }
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_array();
        for value in self {
            w.value(value);
        }
        w.end_array();
    }
}

impl<T: ToJson, const N: usize> ToJson for [T; N] {
    fn write_json(&self, w: &mut Writer<'_>) {
        self.as_slice().write_json(w);
    }
}

macro_rules! to_json {
    ($($type:ty: |$self:ident, $w:ident| $body:expr;)*) => {$(
        impl ToJson for $type {
            fn write_json(&self, $w: &mut Writer<'_>) {
                let $self = self;
                $body;
            }
        }
    )*};
}

to_json! {
    str: |text, w| w.string(text);
    bool: |value, w| w.bool(*value);
    u8: |value, w| w.uint(u64::from(*value));
    u16: |value, w| w.uint(u64::from(*value));
    u32: |value, w| w.uint(u64::from(*value));
    u64: |value, w| w.uint(*value);
    usize: |value, w| w.uint(*value as u64);
    i8: |value, w| w.int(i64::from(*value));
    i16: |value, w| w.int(i64::from(*value));
    i32: |value, w| w.int(i64::from(*value));
    i64: |value, w| w.int(*value);
    isize: |value, w| w.int(*value as i64);
    RawJson<'_>: |fragment, w| w.raw(*fragment);
    JsonStr<'_>: |text, w| w.json_str(*text);
    Number<'_>: |number, w| w.number(*number);
    core::fmt::Arguments<'_>: |text, w| w.display(text);
}
