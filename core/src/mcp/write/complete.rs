//! Completion of arguments.

use super::*;

/// What an argument belongs to.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::write::Reference;
/// assert_eq!(
///     json::write(&Reference::Prompt("greet".into()), &mut [0; 64]),
///     Ok(&br#"{"type":"ref/prompt","name":"greet"}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Reference<'a> {
    /// The prompt of this name.
    Prompt(Text<'a>),
    /// The resource template, or resource, of this address.
    Resource(Text<'a>),
}

impl ToJson for Reference<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        let (kind, member, text) = match self {
            Reference::Prompt(name) => ("ref/prompt", "name", name),
            Reference::Resource(uri) => ("ref/resource", "uri", uri),
        };
        w.begin_object();
        value::put_str(w, "type", kind);
        w.member(member, text).end_object();
    }
}

/// An object whose values are all strings, or all of another type: names and values.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::write::Pairs;
/// assert_eq!(
///     json::write(&Pairs(&[("a", "x"), ("b", "y")]), &mut [0; 32]),
///     Ok(&br#"{"a":"x","b":"y"}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pairs<'a, T>(pub &'a [(&'a str, T)]);

impl<T: ToJson> ToJson for Pairs<'_, T> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object();
        for (name, value) in self.0 {
            w.member(name, value);
        }
        w.end_object();
    }
}

writers! {
    /// The params of `completion/complete`: what the argument belongs to, and the argument.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{Argument, CompleteParams, Pairs, Reference};
    /// let known = Pairs(&[("year", "2026")]);
    /// let params =
    ///     CompleteParams::new(Reference::Resource("log:/{year}/{day}".into()), Argument::new("day", "mo"))
    ///         .context(&known);
    /// assert_eq!(
    ///     json::write(&params, &mut [0; 160]),
    ///     Ok(&br#"{"ref":{"type":"ref/resource","uri":"log:/{year}/{day}"},"argument":{"name":"day","value":"mo"},"context":{"arguments":{"year":"2026"}}}"#[..]),
    /// );
    /// ```
    CompleteParams: const [noted] {
        reference: of(Reference<'a>) = "ref";
        argument: of(Argument<'a>) = "argument";
        /// The arguments that are known already: an object whose values are strings, as
        /// [`Pairs`] is (from 2025-06-18).
        pub fn context() -> inside("arguments" json OBJECT) = "context";
    }

    /// An argument: its name, and what of its value is there.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::Argument;
    /// assert_eq!(
    ///     json::write(&Argument::new("day", ""), &mut [0; 32]),
    ///     Ok(&br#"{"name":"day","value":""}"#[..]),
    /// );
    /// ```
    Argument: [] {
        name: text = "name";
        value: text = "value";
    }

    /// The result of `completion/complete`: what was found.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{CompleteResult, Completion};
    /// let found = Completion::new(&["monday"]).total(1);
    /// assert_eq!(
    ///     json::write(&CompleteResult::new(found), &mut [0; 64]),
    ///     Ok(&br#"{"completion":{"values":["monday"],"total":1}}"#[..]),
    /// );
    /// ```
    CompleteResult<T = &'a str>: const [result] {
        completion: of(Completion<'a, T>) = "completion";
    }

    /// What a completion found: values, 100 at most.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::Completion;
    /// let found = Completion::new(&["a", "b"]).has_more(true);
    /// assert_eq!(
    ///     json::write(&found, &mut [0; 64]),
    ///     Ok(&br#"{"values":["a","b"],"hasMore":true}"#[..]),
    /// );
    /// ```
    Completion<T = &'a str>: [] {
        values: list(T) = "values";
        /// How many there are, those left out included.
        pub fn total() -> whole = "total";
        /// Whether some were left out.
        pub fn has_more() -> flag = "hasMore";
    }
}
