//! Completion of arguments.

use super::*;

/// What an argument belongs to.
///
/// ```
/// use wireline::json::RawJson;
/// use wireline::mcp::view::Reference;
/// let what = Reference::new(RawJson::validate(br#"{"type":"ref/prompt","name":"greet"}"#).unwrap());
/// let Reference::Prompt(name) = what else { panic!() };
/// assert_eq!(name, "greet");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reference<'a> {
    /// The prompt of this name.
    Prompt(JsonStr<'a>),
    /// The resource template, or resource, of this address.
    Resource(JsonStr<'a>),
    /// Neither, or without its name or address.
    Other(RawJson<'a>),
}

impl<'a> Reference<'a> {
    /// Looks at a value as a reference.
    #[must_use]
    pub fn new(raw: RawJson<'a>) -> Self {
        match lookup::string(raw, "type") {
            Some(kind) if kind == "ref/prompt" => {
                lookup::string(raw, "name").map(Reference::Prompt)
            }
            Some(kind) if kind == "ref/resource" => {
                lookup::string(raw, "uri").map(Reference::Resource)
            }
            _ => None,
        }
        .unwrap_or(Reference::Other(raw))
    }
}

impl<'a> From<RawJson<'a>> for Reference<'a> {
    fn from(raw: RawJson<'a>) -> Self {
        Reference::new(raw)
    }
}

views! {
    /// The params of `completion/complete`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::{CompleteParams, Reference};
    /// let params = br#"{
    ///     "ref":{"type":"ref/resource","uri":"log:/{day}"},"argument":{"name":"day","value":"mo"}
    /// }"#;
    /// let params = CompleteParams::new(RawJson::validate(params).unwrap());
    /// assert!(matches!(params.reference(), Some(Reference::Resource(_))));
    /// assert_eq!(params.argument_name().unwrap(), "day");
    /// assert_eq!(params.argument_value().unwrap(), "mo");
    /// ```
    CompleteParams [noted] {
        /// What the argument belongs to.
        pub fn reference() -> view(Reference<'a>) = "ref", required;
        /// The argument: its name and what of its value is there.
        pub fn argument() -> object = "argument", required;
        /// What is known besides (from 2025-06-18). See
        /// [`context_argument`](Self::context_argument).
        pub fn context() -> object = "context";
    }

    /// The result of `completion/complete`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::CompleteResult;
    /// let result = br#"{"completion":{"values":["monday"],"total":1,"hasMore":false}}"#;
    /// let found = CompleteResult::new(RawJson::validate(result).unwrap()).completion().unwrap();
    /// assert!(found.values().eq(["monday"]));
    /// assert_eq!((found.total(), found.has_more()), (Some(1), false));
    /// ```
    CompleteResult [result] {
        /// What was found.
        pub fn completion() -> view(Completion<'a>) = "completion", required;
    }

    /// What a completion found.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::Completion;
    /// let found = RawJson::validate(br#"{"values":["a","b"],"hasMore":true}"#).unwrap();
    /// assert!(Completion::new(found).has_more());
    /// ```
    Completion {
        /// The values, 100 at most.
        pub fn values() -> strings = "values", required;
        /// How many there are, those left out included.
        pub fn total() -> whole = "total";
        /// Whether some were left out.
        pub fn has_more() -> flag(false) = "hasMore";
    }
}

impl<'a> CompleteParams<'a> {
    /// The argument's name.
    #[must_use]
    pub fn argument_name(self) -> Option<JsonStr<'a>> {
        lookup::string(self.argument()?, "name")
    }

    /// What of the argument's value is there.
    #[must_use]
    pub fn argument_value(self) -> Option<JsonStr<'a>> {
        lookup::string(self.argument()?, "value")
    }

    /// The value of another argument, which is known already (from 2025-06-18).
    #[must_use]
    pub fn context_argument(self, name: &str) -> Option<JsonStr<'a>> {
        lookup::string(lookup::object(self.context()?, "arguments")?, name)
    }
}
