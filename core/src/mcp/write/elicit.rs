//! Elicitation: asking the client's user.

use super::*;

writers! {
    /// The params of `elicitation/create` with a form (from 2025-06-18): what the user is
    /// told, and what is asked for, a [`RequestedSchema`] or a schema that is there already.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{ElicitFormParams, Property, RequestedSchema};
    /// let members = [Property::string("name").required()];
    /// let form = RequestedSchema::new(&members);
    /// assert_eq!(
    ///     json::write(&ElicitFormParams::new("Who are you?", &form), &mut [0; 180]),
    ///     Ok(&br#"{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}"#[..]),
    /// );
    /// ```
    ElicitFormParams: [noted] {
        message: text = "message";
        requested_schema: json(OBJECT) = "requestedSchema";
        /// It is to be a task (2025-11-25).
        pub fn task() -> of(TaskMetadata<'a>) = "task";
    }

    /// The params of `elicitation/create` by sending the user to a URL (from 2025-11-25):
    /// what the user is told, and the URL.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ElicitUrlParams;
    /// assert_eq!(
    ///     json::write(&ElicitUrlParams::new("Log in", "https://x/"), &mut [0; 64]),
    ///     Ok(&br#"{"mode":"url","message":"Log in","url":"https://x/"}"#[..]),
    /// );
    /// ```
    ElicitUrlParams: [noted] ("mode" = "url") {
        message: text = "message";
        url: text = "url";
        /// What [`ElicitationCompleteParams`] will name; 2025-11-25 requires it.
        pub fn elicitation_id() -> text = "elicitationId";
        /// It is to be a task (2025-11-25).
        pub fn task() -> of(TaskMetadata<'a>) = "task";
    }

    /// The result of `elicitation/create` (from 2025-06-18): what the user did.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{ElicitAction, write::{ElicitResult, Pairs}};
    /// let filled_in = Pairs(&[("name", "Kim")]);
    /// assert_eq!(
    ///     json::write(&ElicitResult::new(ElicitAction::Accept).content(&filled_in), &mut [0; 64]),
    ///     Ok(&br#"{"action":"accept","content":{"name":"Kim"}}"#[..]),
    /// );
    /// ```
    ElicitResult: const [noted] {
        action: word(ElicitAction) = "action";
        /// What the user filled in: an object of strings, numbers, booleans, or arrays of
        /// strings (from 2025-11-25). Only with `accept`, and only from a form.
        pub fn content() -> json(OBJECT) = "content";
    }

    /// The params of `notifications/elicitation/complete` (2025-11-25): what the request
    /// named it.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ElicitationCompleteParams;
    /// assert_eq!(
    ///     json::write(&ElicitationCompleteParams::new("1"), &mut [0; 32]),
    ///     Ok(&br#"{"elicitationId":"1"}"#[..]),
    /// );
    /// ```
    ElicitationCompleteParams: [noted] {
        elicitation_id: text = "elicitationId";
    }
}

/// What a form asks for: an object of plain members.
///
/// See [`ElicitFormParams`].
#[derive(Clone, Copy, Debug)]
pub struct RequestedSchema<'a>(&'a [Property<'a>]);

impl<'a> RequestedSchema<'a> {
    /// Of these members.
    #[must_use]
    pub const fn new(properties: &'a [Property<'a>]) -> Self {
        RequestedSchema(properties)
    }
}

impl ToJson for RequestedSchema<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object();
        value::put_str(w, "type", "object");
        w.key("properties").begin_object();
        for property in self.0 {
            w.member(property.name, property);
        }
        w.end_object();
        if self.0.iter().any(|property| property.required) {
            w.key("required").begin_array();
            for property in self.0.iter().filter(|property| property.required) {
                w.string(property.name);
            }
            w.end_array();
        }
        w.end_object();
    }
}

/// What a member of a form is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    String,
    Number,
    Integer,
    Boolean,
    One,
    Many,
}

/// One member that a form asks for. It writes the member's schema; its name and whether it
/// must be given are the [`RequestedSchema`]'s to write.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::write::{Choice, Property};
/// let age = Property::integer("age").min(0).title("Age");
/// assert_eq!(
///     json::write(&age, &mut [0; 64]),
///     Ok(&br#"{"type":"integer","title":"Age","minimum":0}"#[..]),
/// );
/// let colours = [Choice::new("r").title("Red"), Choice::new("g").title("Green")];
/// let colour = Property::choice("colour", &colours);
/// assert_eq!(
///     json::write(&colour, &mut [0; 96]),
///     Ok(&br#"{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}"#[..]),
/// );
/// assert_eq!(
///     json::write(&colour.with_enum_names(), &mut [0; 96]),
///     Ok(&br#"{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    name: &'a str,
    form: Form,
    required: bool,
    enum_names: bool,
    choices: &'a [Choice<'a>],
    title: Option<&'a str>,
    description: Option<&'a str>,
    format: Option<&'a str>,
    default_value: Option<Json<'a>>,
    min: Option<Amount<'a>>,
    max: Option<Amount<'a>>,
}

impl<'a> Property<'a> {
    const fn new(name: &'a str, form: Form, choices: &'a [Choice<'a>]) -> Self {
        Property {
            name,
            form,
            required: false,
            enum_names: false,
            choices,
            title: None,
            description: None,
            format: None,
            default_value: None,
            min: None,
            max: None,
        }
    }

    /// Text.
    #[must_use]
    pub const fn string(name: &'a str) -> Self {
        Property::new(name, Form::String, &[])
    }

    /// A number.
    #[must_use]
    pub const fn number(name: &'a str) -> Self {
        Property::new(name, Form::Number, &[])
    }

    /// A whole number.
    #[must_use]
    pub const fn integer(name: &'a str) -> Self {
        Property::new(name, Form::Integer, &[])
    }

    /// Yes or no.
    #[must_use]
    pub const fn boolean(name: &'a str) -> Self {
        Property::new(name, Form::Boolean, &[])
    }

    /// One of several values.
    #[must_use]
    pub const fn choice(name: &'a str, choices: &'a [Choice<'a>]) -> Self {
        Property::new(name, Form::One, choices)
    }

    /// Any number of several values (from 2025-11-25).
    #[must_use]
    pub const fn choices(name: &'a str, choices: &'a [Choice<'a>]) -> Self {
        Property::new(name, Form::Many, choices)
    }

    /// It must be given.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Titles of choices are written as `enumNames`, the only way that 2025-06-18 knows,
    /// and later revisions still take for one of several values.
    #[must_use]
    pub const fn with_enum_names(mut self) -> Self {
        self.enum_names = true;
        self
    }

    /// Its name for people.
    #[must_use]
    pub const fn title(mut self, title: &'a str) -> Self {
        self.title = Some(title);
        self
    }

    /// What it is for.
    #[must_use]
    pub const fn description(mut self, description: &'a str) -> Self {
        self.description = Some(description);
        self
    }

    /// Text: `email`, `uri`, `date` or `date-time`.
    #[must_use]
    pub const fn format(mut self, format: &'a str) -> Self {
        self.format = Some(format);
        self
    }

    /// What it is if the user does not change it: a value of its type (from 2025-11-25; a
    /// boolean's from 2025-06-18).
    #[must_use]
    pub const fn default_value(mut self, value: &'a dyn ToJson) -> Self {
        self.default_value = Some(Json(value));
        self
    }

    /// The least number, the least length of text in characters, or how many choices at
    /// least.
    #[must_use]
    pub fn min(mut self, min: impl Into<Amount<'a>>) -> Self {
        self.min = Some(min.into());
        self
    }

    /// The greatest number, the greatest length of text in characters, or how many choices
    /// at most.
    #[must_use]
    pub fn max(mut self, max: impl Into<Amount<'a>>) -> Self {
        self.max = Some(max.into());
        self
    }

    /// What there is to choose from, as members of the object that is open.
    fn put_choices(&self, w: &mut Writer<'_>) {
        let titled = self.choices.iter().any(|choice| choice.title.is_some());
        if titled && !self.enum_names {
            w.key(if self.form == Form::Many {
                "anyOf"
            } else {
                "oneOf"
            });
            w.begin_array();
            for choice in self.choices {
                w.begin_object();
                value::put_str(w, "const", choice.value);
                value::put_str(w, "title", choice.shown());
                w.end_object();
            }
            w.end_array();
            return;
        }
        if self.form == Form::Many {
            value::put_str(w, "type", "string");
        }
        w.key("enum").begin_array();
        for choice in self.choices {
            w.string(choice.value);
        }
        w.end_array();
        if titled {
            w.key("enumNames").begin_array();
            for choice in self.choices {
                w.string(choice.shown());
            }
            w.end_array();
        }
    }
}

impl ToJson for Property<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        let (kind, min, max) = match self.form {
            Form::String | Form::One => ("string", "minLength", "maxLength"),
            Form::Number => ("number", "minimum", "maximum"),
            Form::Integer => ("integer", "minimum", "maximum"),
            Form::Boolean => ("boolean", "minimum", "maximum"),
            Form::Many => ("array", "minItems", "maxItems"),
        };
        w.begin_object();
        value::put_str(w, "type", kind);
        for (name, text) in [
            ("title", self.title),
            ("description", self.description),
            ("format", self.format),
        ] {
            if let Some(text) = text {
                value::put_str(w, name, text);
            }
        }
        for (name, amount) in [(min, &self.min), (max, &self.max)] {
            if let Some(amount) = amount {
                w.member(name, amount);
            }
        }
        match self.form {
            Form::One => self.put_choices(w),
            Form::Many => {
                w.key("items").begin_object();
                self.put_choices(w);
                w.end_object();
            }
            _ => {}
        }
        if let Some(Json(default)) = self.default_value {
            w.member("default", default);
        }
        w.end_object();
    }
}

/// One of several values. See [`Property`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    value: &'a str,
    title: Option<&'a str>,
}

impl<'a> Choice<'a> {
    /// What is sent, and shown unless there is a title.
    #[must_use]
    pub const fn new(value: &'a str) -> Self {
        Choice { value, title: None }
    }

    /// What is shown.
    #[must_use]
    pub const fn title(mut self, title: &'a str) -> Self {
        self.title = Some(title);
        self
    }

    fn shown(&self) -> &'a str {
        self.title.unwrap_or(self.value)
    }
}
