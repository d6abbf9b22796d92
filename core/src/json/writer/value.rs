//! Values that can be written.

use super::{WriteError, Writer};
use crate::json::{JsonStr, Number, RawJson};

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
