//! Elicitation: asking the client's user.

use super::*;
use crate::json::Elements;

views! {
    /// The params of `elicitation/create` (from 2025-06-18).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{ElicitMode, view::ElicitParams};
    /// let params = br#"{
    ///     "message":"Who are you?",
    ///     "requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}
    /// }"#;
    /// let form = ElicitParams::new(RawJson::validate(params).unwrap());
    /// assert_eq!(form.mode(), Some(ElicitMode::Form));
    /// let (name, _) = form.requested_schema().unwrap().properties().next().unwrap();
    /// assert_eq!(name, "name");
    /// ```
    ElicitParams [noted] {
        /// What the user is told.
        pub fn message() -> str = "message", required;
        /// Form: what is asked for.
        pub fn requested_schema() -> view(RequestedSchema<'a>) = "requestedSchema";
        /// URL: where the user is sent (from 2025-11-25).
        pub fn url() -> str = "url";
        /// URL: what [`ElicitationCompleteParams`] will name (2025-11-25).
        pub fn elicitation_id() -> str = "elicitationId";
        /// The server wants a task (2025-11-25).
        pub fn task() -> view(TaskMetadata<'a>) = "task";
    }

    /// What a form asks for: an object of plain members.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::RequestedSchema;
    /// let schema = br#"{"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}"#;
    /// let schema = RequestedSchema::new(RawJson::validate(schema).unwrap());
    /// assert!(schema.is_required("age") && !schema.is_required("name"));
    /// ```
    RequestedSchema {
        /// The members, by their names.
        pub fn properties() -> map(PrimitiveSchema<'a>) = "properties", required;
        /// The names of those that must be given.
        pub fn required() -> strings = "required";
    }

    /// One member that a form asks for.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::PrimitiveSchema;
    /// let schema = br#"{"type":"string","oneOf":[{"const":"r","title":"Red"}],"default":"r"}"#;
    /// let schema = PrimitiveSchema::new(RawJson::validate(schema).unwrap());
    /// let choice = schema.choices().next().unwrap();
    /// assert_eq!(choice.value, "r");
    /// assert_eq!(choice.title.unwrap(), "Red");
    /// ```
    PrimitiveSchema {
        /// Its type: `string`, `number`, `integer`, `boolean`, or `array` for several of
        /// the [`choices`](Self::choices).
        pub fn kind() -> str = "type", required;
        /// Its name for people.
        pub fn title() -> str = "title";
        /// What it is for.
        pub fn description() -> str = "description";
        /// What it is if the user does not change it.
        pub fn default_value() -> any = "default";
        /// String: `email`, `uri`, `date` or `date-time`.
        pub fn format() -> str = "format";
        /// String: the characters it has at least.
        pub fn min_length() -> whole = "minLength";
        /// String: the characters it has at most.
        pub fn max_length() -> whole = "maxLength";
        /// Number, integer: the least.
        pub fn minimum() -> num = "minimum";
        /// Number, integer: the greatest.
        pub fn maximum() -> num = "maximum";
        /// Array: how many at least.
        pub fn min_items() -> whole = "minItems";
        /// Array: how many at most.
        pub fn max_items() -> whole = "maxItems";
    }

    /// The result of `elicitation/create` (from 2025-06-18).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{ElicitAction, view::ElicitResult};
    /// let result = RawJson::validate(br#"{"action":"accept","content":{"name":"Kim"}}"#).unwrap();
    /// let result = ElicitResult::new(result);
    /// assert_eq!(result.action(), Some(ElicitAction::Accept));
    /// let (name, value) = result.content().next().unwrap();
    /// assert_eq!((name.raw(), value.as_json_str().unwrap().raw()), ("name", "Kim"));
    /// ```
    ElicitResult [noted] {
        /// What the user did.
        pub fn action() -> word(ElicitAction) = "action", required;
        /// What the user filled in: strings, numbers, booleans, or arrays of strings (from
        /// 2025-11-25). Only with `accept`, and only from a form.
        pub fn content() -> map(RawJson<'a>) = "content";
    }

    /// The params of `notifications/elicitation/complete` (2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ElicitationCompleteParams;
    /// let params = RawJson::validate(br#"{"elicitationId":"1"}"#).unwrap();
    /// assert_eq!(ElicitationCompleteParams::new(params).elicitation_id().unwrap(), "1");
    /// ```
    ElicitationCompleteParams [noted] {
        /// What the request named it.
        pub fn elicitation_id() -> str = "elicitationId", required;
    }
}

impl ElicitParams<'_> {
    /// How the user is asked; with a form, if the request does not say; `None`, if it
    /// names a mode that is not known.
    #[must_use]
    pub fn mode(self) -> Option<ElicitMode> {
        match self.0.get("mode") {
            None => Some(ElicitMode::Form),
            Some(mode) => ElicitMode::from_json_str(mode.as_json_str()?),
        }
    }
}

impl RequestedSchema<'_> {
    /// Whether the member of this name must be given.
    #[must_use]
    pub fn is_required(self, name: &str) -> bool {
        self.required().any(|it| it == name)
    }
}

impl<'a> PrimitiveSchema<'a> {
    /// Whether several of the choices may be taken.
    #[must_use]
    pub fn is_multiple(self) -> bool {
        self.kind().is_some_and(|kind| kind == "array")
    }

    /// What there is to choose from, however the schema spells it: `enum`, with or without
    /// `enumNames`, `oneOf`, or either of them in the `items` of an array. None, if it is
    /// no choice.
    #[must_use]
    pub fn choices(self) -> Choices<'a> {
        let of = match lookup::object(self.0, "items") {
            Some(items) if self.is_multiple() => items,
            _ => self.0,
        };
        let titled = ["oneOf", "anyOf"].iter().find_map(|name| of.get(name));
        let values = titled.or_else(|| of.get("enum"));
        Choices {
            values: values.unwrap_or(RawJson::EMPTY_OBJECT).elements(),
            titles: list::elements(of, "enumNames"),
        }
    }
}

/// One of several values.
///
/// See [`PrimitiveSchema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice<'a> {
    /// What is sent.
    pub value: JsonStr<'a>,
    /// What is shown, if that is another text.
    pub title: Option<JsonStr<'a>>,
}

/// What there is to choose from. See [`PrimitiveSchema::choices`].
#[derive(Clone, Debug)]
pub struct Choices<'a> {
    values: Elements<'a>,
    titles: Elements<'a>,
}

impl<'a> Iterator for Choices<'a> {
    type Item = Choice<'a>;

    fn next(&mut self) -> Option<Choice<'a>> {
        loop {
            let value = self.values.next()?;
            let title = self.titles.next().and_then(|title| title.as_json_str());
            if let Some(value) = value.as_json_str() {
                return Some(Choice { value, title });
            }
            if let Some(value_text) = lookup::string(value, "const") {
                return Some(Choice {
                    value: value_text,
                    title: lookup::string(value, "title"),
                });
            }
        }
    }
}
