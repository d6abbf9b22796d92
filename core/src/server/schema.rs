//! Schemas that are read by the compiler and checked against without being unpacked.

use super::{grammar, lexis};
use crate::json::RawJson;
use crate::text::Text;

/// The types that a schema can name, with a bit each.
pub(super) const TYPES: &[(&str, u8)] = &[
    ("null", 1),
    ("boolean", 2),
    ("integer", 4),
    ("number", 8),
    ("string", 16),
    ("array", 32),
    ("object", 64),
];

/// What a keyword takes.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// A type's name, or an array of them.
    Types,
    /// An array of names.
    Names,
    /// An object of schemas.
    Schemas,
    Schema,
    SchemaOrBool,
    /// A string, a number, `true`, `false` or `null`.
    Scalar,
    Scalars,
    /// An integer of at most 17 digits.
    Integer,
    /// The same from 0 on.
    Count,
    Text,
    Bool,
    Anything,
}

/// The keywords that are supported; every other is an error.
pub(super) const KEYWORDS: &[(&str, Takes)] = &[
    ("type", Takes::Types),
    ("properties", Takes::Schemas),
    ("required", Takes::Names),
    ("additionalProperties", Takes::SchemaOrBool),
    ("enum", Takes::Scalars),
    ("const", Takes::Scalar),
    ("minimum", Takes::Integer),
    ("maximum", Takes::Integer),
    ("minLength", Takes::Count),
    ("maxLength", Takes::Count),
    ("items", Takes::Schema),
    ("minItems", Takes::Count),
    ("maxItems", Takes::Count),
    // These say nothing about which values are right.
    ("title", Takes::Text),
    ("description", Takes::Text),
    ("default", Takes::Anything),
    ("examples", Takes::Anything),
    ("deprecated", Takes::Bool),
    ("readOnly", Takes::Bool),
    ("writeOnly", Takes::Bool),
    ("$schema", Takes::Text),
    ("$comment", Takes::Text),
    ("x-mcp-header", Takes::Text),
];

/// What is wrong with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaFault {
    /// It is not JSON.
    Syntax,
    /// It uses a keyword that is not supported.
    Keyword,
    /// A keyword has a value that it cannot have, or not one of those that are supported.
    Value,
    /// A name stands twice.
    Duplicate,
    /// `required` names what `properties` does not have.
    Required,
    /// A name is written with an escape.
    Escape,
    /// It is nested too deeply: more than 8 schemas inside one another.
    TooDeep,
}

/// What is wrong with a schema, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// What.
    pub fault: SchemaFault,
    /// Where, in bytes from the text's start.
    pub offset: usize,
}

impl SchemaError {
    /// What is wrong, as a phrase.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self.fault {
            SchemaFault::Syntax => "the schema is not JSON",
            SchemaFault::Keyword => "the schema uses a keyword that is not supported",
            SchemaFault::Value => "a keyword has a value that it cannot have",
            SchemaFault::Duplicate => "a name stands twice in the schema",
            SchemaFault::Required => "the schema requires a property that it does not describe",
            SchemaFault::Escape => "the schema writes a name with an escape",
            SchemaFault::TooDeep => "the schema is nested too deeply",
        }
    }

    /// The same and the text from there on, for the compiler to print.
    #[doc(hidden)]
    #[must_use]
    pub const fn report(self, text: &str) -> Report {
        let report = Report::EMPTY.then(self.reason()).then(": ");
        match text.split_at_checked(self.offset) {
            Some((_, rest)) => report.then(rest),
            None => report,
        }
    }
}

impl core::fmt::Display for SchemaError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} at byte {}", self.reason(), self.offset)
    }
}

impl core::error::Error for SchemaError {}

/// Text that the compiler prints, put together by it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Report {
    text: [u8; 160],
    length: usize,
}

impl Report {
    pub(super) const EMPTY: Report = Report {
        text: [0; 160],
        length: 0,
    };

    /// The same and further text, cut where there is no more room.
    pub(super) const fn then(mut self, text: &str) -> Self {
        let mut rest = text.as_bytes();
        while let [byte, more @ ..] = rest {
            let Some((_, [slot, ..])) = self.text.split_at_mut_checked(self.length) else {
                break;
            };
            // A character that is cut in two would be no text.
            *slot = if byte.is_ascii() { *byte } else { b'?' };
            self.length = self.length.wrapping_add(1);
            rest = more;
        }
        self
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match self.text.split_at_checked(self.length) {
            Some((text, _)) => match core::str::from_utf8(text) {
                Ok(text) => text,
                Err(_) => "",
            },
            None => "",
        }
    }
}

/// A JSON Schema, checked when it is built: by the compiler, if it is made with
/// [`schema!`](crate::schema).
///
/// It is kept as its text, in flash on a chip, and values are checked against the text.
/// These keywords are supported, with their meaning in draft 2020-12:
///
/// | keyword | takes |
/// |---|---|
/// | `type` | a type's name or an array of them; an integer may be spelled `1.0` |
/// | `properties` | names without escapes, each with a schema |
/// | `required` | names that stand in `properties` |
/// | `additionalProperties` | `true`, `false` or a schema |
/// | `enum`, `const` | strings, numbers, `true`, `false`, `null` |
/// | `minimum`, `maximum` | integers of at most 17 digits |
/// | `minLength`, `maxLength` | characters, as Unicode counts them |
/// | `items` | a schema for every element |
/// | `minItems`, `maxItems` | elements |
/// | `title`, `description`, `default`, `examples`, `deprecated`, `readOnly`, `writeOnly`, `$schema`, `$comment`, `x-mcp-header` | what they take; they do not say which values are right |
///
/// Any other keyword is an error and is never ignored: check what it would say in the
/// program, and leave it out, or make the schema [`opaque`](Schema::opaque). Schemas may
/// stand 8 deep inside one another. Beside what the schema says, a member that stands twice
/// in an object with `properties` is refused, since readers disagree on which one counts.
///
/// ```
/// use wireline::json::RawJson;
/// use wireline::server::{Schema, SchemaFault};
/// let schema = Schema::new(r#"{"type":"object","properties":{"on":{"type":"boolean"}}}"#)?;
/// let good = RawJson::validate(br#"{"on":true}"#).unwrap();
/// let bad = RawJson::validate(br#"{"on":1}"#).unwrap();
/// assert!(schema.check(good).is_ok());
/// assert_eq!(schema.check(bad).unwrap_err().as_str(), "/on: not of type boolean");
///
/// let unsupported = Schema::new(r#"{"type":"string","pattern":"^a"}"#).unwrap_err();
/// assert_eq!((unsupported.fault, unsupported.offset), (SchemaFault::Keyword, 17));
/// # Ok::<(), wireline::server::SchemaError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Schema<'t> {
    text: &'t str,
    opaque: bool,
    is_object: bool,
}

impl<'t> Schema<'t> {
    /// A schema of the supported keywords.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where.
    pub const fn new(text: &'t str) -> Result<Self, SchemaError> {
        Schema::read(text, false)
    }

    /// A schema of any keywords. It is listed as it is, and no value is checked against it:
    /// that is left to the program.
    ///
    /// # Errors
    ///
    /// [`SchemaFault::Syntax`], [`Value`](SchemaFault::Value),
    /// [`Duplicate`](SchemaFault::Duplicate) or [`TooDeep`](SchemaFault::TooDeep), if it is
    /// no object of JSON.
    pub const fn opaque(text: &'t str) -> Result<Self, SchemaError> {
        Schema::read(text, true)
    }

    /// A text that [`new`](Self::new), or for `opaque` [`opaque`](Self::opaque), has taken before,
    /// such as in a test: it is not read again, for which a chip needs no code.
    ///
    /// Of another text, checks and lists say what they may, and no worse: no check goes deeper
    /// than 8 schemas.
    ///
    /// ```
    /// use wireline::server::Schema;
    /// const TEXT: &str = r#"{"type":"object"}"#;
    /// assert_eq!(Schema::assume_valid(TEXT, false), Schema::new(TEXT).unwrap());
    /// ```
    #[must_use]
    pub const fn assume_valid(text: &'t str, opaque: bool) -> Self {
        Schema {
            text,
            opaque,
            is_object: true,
        }
    }

    const fn read(text: &'t str, opaque: bool) -> Result<Self, SchemaError> {
        let bytes = text.as_bytes();
        match grammar::read(bytes, !opaque) {
            Ok(is_object) => Ok(Schema {
                text,
                opaque,
                is_object: is_object || opaque && grammar::has_member(bytes, "type", "object"),
            }),
            Err(error) => Err(error),
        }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &'t str {
        self.text
    }

    /// Whether no value is checked against it.
    #[must_use]
    pub const fn is_opaque(&self) -> bool {
        self.opaque
    }

    /// The text as JSON.
    #[must_use]
    pub const fn as_raw(&self) -> RawJson<'t> {
        RawJson::from_valid(Text::new(self.text.trim_ascii()))
    }

    /// Whether it says that a value is an object.
    #[must_use]
    pub(super) const fn is_object(&self) -> bool {
        self.is_object
    }

    /// Checks a value. An [`opaque`](Schema::opaque) schema takes every value.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with the path of the member that it concerns.
    pub fn check(&self, value: RawJson<'_>) -> Result<(), super::Mismatch> {
        if self.opaque {
            return Ok(());
        }
        super::check::check(self.as_raw(), value)
    }
}

impl core::fmt::Debug for Schema<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text)
    }
}

/// For [`schema!`](crate::schema): the length without white space.
#[doc(hidden)]
#[must_use]
pub const fn compact_len(text: &str) -> usize {
    lexis::compact_len(text.as_bytes())
}

/// For [`schema!`](crate::schema): the text without white space.
#[doc(hidden)]
#[must_use]
pub const fn compact<const N: usize>(text: &str) -> [u8; N] {
    lexis::compact(text.as_bytes())
}

/// Makes a [`Schema`](crate::server::Schema) that the compiler checks; white space between
/// its tokens is left out.
///
/// It takes the text as a string, or the JSON itself, or, for an object whose members are
/// all there and of simple types, just their names with `bool`, `int`, `number`, `string`,
/// `object` or `array`. `opaque` before a string makes a schema that is not checked against.
///
/// ```
/// use wireline::schema;
/// use wireline::server::Schema;
///
/// const TEXT: Schema<'_> = schema!(r#"{ "type": "object" }"#);
/// assert_eq!(TEXT.as_str(), r#"{"type":"object"}"#);
///
/// const JSON: Schema<'_> = schema!({
///     "type": "object",
///     "properties": { "level": { "type": "integer", "minimum": -10, "maximum": 100 } }
/// });
/// assert_eq!(
///     JSON.as_str(),
///     r#"{"type":"object","properties":{"level":{"type":"integer","minimum":-10,"maximum":100}}}"#,
/// );
///
/// const SHORT: Schema<'_> = schema!({ "on": bool, "level": int });
/// assert_eq!(
///     SHORT.as_str(),
///     r#"{"type":"object","properties":{"on":{"type":"boolean"},"level":{"type":"integer"}},"required":["on","level"],"additionalProperties":false}"#,
/// );
/// assert_eq!(schema!({}).as_str(), r#"{"type":"object","additionalProperties":false}"#);
///
/// const OTHER: Schema<'_> = schema!(opaque r#"{"type":"object","$ref":"%23/$defs/a"}"#);
/// assert!(OTHER.is_opaque());
/// ```
///
/// A keyword that is not supported does not compile:
///
/// ```compile_fail,E0080
/// const BAD: wireline::server::Schema<'_> =
///     wireline::schema!(r#"{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}}}"#);
/// assert!(!BAD.is_opaque());
/// ```
///
/// Nor does a misspelled type, a name that stands twice, a required name that has no schema,
/// a value of the wrong type, or text that is not JSON:
///
/// ```compile_fail,E0080
/// const BAD: wireline::server::Schema<'_> = wireline::schema!({ "type": "bool" });
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// const BAD: wireline::server::Schema<'_> = wireline::schema!({ "on": bool, "on": int });
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// const BAD: wireline::server::Schema<'_> =
///     wireline::schema!({ "type": "object", "properties": {}, "required": ["on"] });
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// const BAD: wireline::server::Schema<'_> = wireline::schema!({ "type": "string", "minLength": "1" });
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// const BAD: wireline::server::Schema<'_> = wireline::schema!(r#"{"type":"object",}"#);
/// # let _ = BAD;
/// ```
#[macro_export]
macro_rules! schema {
    (opaque $text:literal) => { $crate::schema!(@ $text, opaque) };
    ($text:literal) => { $crate::schema!(@ $text, new) };
    ({}) => { $crate::schema!(@ r#"{"type":"object","additionalProperties":false}"#, new) };
    ({ $first:literal: $type:ident $(, $name:literal: $types:ident)* $(,)? }) => {
        $crate::schema!(@ concat!(
            "{\"type\":\"object\",\"properties\":{",
            "\"", $first, "\":{\"type\":\"", $crate::schema!(# $type), "\"}",
            $(",\"", $name, "\":{\"type\":\"", $crate::schema!(# $types), "\"}",)*
            "},\"required\":[\"", $first, "\"", $(",\"", $name, "\"",)*
            "],\"additionalProperties\":false}"
        ), new)
    };
    (# bool) => { "boolean" };
    (# int) => { "integer" };
    (# number) => { "number" };
    (# string) => { "string" };
    (# object) => { "object" };
    (# array) => { "array" };
    ({ $($json:tt)* }) => { $crate::schema!(@ stringify!({ $($json)* }), new) };
    (@ $text:expr, $how:ident) => {
        const {
            const TEXT: &str = $text;
            const SIZE: usize = $crate::server::compact_len(TEXT);
            const BYTES: [u8; SIZE] = $crate::server::compact(TEXT);
            const COMPACT: &str = match ::core::str::from_utf8(&BYTES) {
                Ok(text) => text,
                Err(_) => "",
            };
            match $crate::server::Schema::$how(COMPACT) {
                Ok(schema) => schema,
                Err(error) => panic!("{}", error.report(COMPACT).as_str()),
            }
        }
    };
}
