//! What a server has: tables that lie in flash.

use super::grammar;
use super::schema::{Schema, SchemaError};
use super::template;
use crate::json::RawJson;
use crate::text::Text;

pub(super) const fn same_bytes(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let (mut one, mut other) = (one, other);
    while let ([a, one_rest @ ..], [b, other_rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    true
}

/// Members that a table's entry has beside those that it has fields for, such as `icons`,
/// `_meta` or `execution`: an object, of which every member is written. Made with
/// [`members!`](crate::members).
///
/// ```
/// use wireline::server::Extra;
/// const META: Extra<'_> = wireline::members!({ "_meta": { "com.example/pin": 7 } });
/// assert_eq!(META.as_str(), r#"{"_meta":{"com.example/pin":7}}"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra<'t>(&'t str);

impl<'t> Extra<'t> {
    /// Takes the text of an object.
    ///
    /// # Errors
    ///
    /// If the text is not an object in JSON, or holds a name twice.
    pub const fn new(text: &'t str) -> Result<Self, SchemaError> {
        match grammar::read(text.as_bytes(), false) {
            Ok(_) => Ok(Extra(text)),
            Err(error) => Err(error),
        }
    }

    /// A text that [`new`](Self::new) has taken before: see
    /// [`Schema::assume_valid`](super::Schema::assume_valid).
    ///
    /// ```
    /// use wireline::server::Extra;
    /// const TEXT: &str = r#"{"_meta":{}}"#;
    /// assert_eq!(Extra::assume_valid(TEXT), Extra::new(TEXT).unwrap());
    /// ```
    #[must_use]
    pub const fn assume_valid(text: &'t str) -> Self {
        Extra(text)
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &'t str {
        self.0
    }

    /// The text as JSON.
    #[must_use]
    pub const fn as_raw(&self) -> RawJson<'t> {
        RawJson::from_valid(Text::new(self.0.trim_ascii()))
    }

    pub(super) const fn has(&self, name: &str) -> bool {
        grammar::has_member(self.0.as_bytes(), name, "")
    }
}

/// Makes an [`Extra`](crate::server::Extra) that the compiler checks.
///
/// ```compile_fail,E0080
/// const BAD: wireline::server::Extra<'_> = wireline::members!("[1]");
/// # let _ = BAD;
/// ```
#[macro_export]
macro_rules! members {
    ($text:literal) => { $crate::members!(@ $text) };
    ({ $($json:tt)* }) => { $crate::members!(@ stringify!({ $($json)* })) };
    (@ $text:expr) => {
        const {
            const TEXT: &str = $text;
            const SIZE: usize = $crate::server::compact_len(TEXT);
            const BYTES: [u8; SIZE] = $crate::server::compact(TEXT);
            const COMPACT: &str = match ::core::str::from_utf8(&BYTES) {
                Ok(text) => text,
                Err(_) => "",
            };
            match $crate::server::Extra::new(COMPACT) {
                Ok(extra) => extra,
                Err(error) => panic!("{}", error.report(COMPACT).as_str()),
            }
        }
    };
}

/// Hints on what a tool does, from 2025-03-26 on. They are hints: a client does not rely on
/// them. `None` leaves one out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// What it changes may be lost.
    pub destructive: Option<bool>,
    /// The same call once more changes nothing further.
    pub idempotent: Option<bool>,
    /// It reaches things outside.
    pub open_world: Option<bool>,
}

impl Annotations {
    /// No hints.
    pub const NONE: Annotations = Annotations {
        read_only: None,
        destructive: None,
        idempotent: None,
        open_world: None,
    };
}

/// A tool.
///
/// ```
/// use wireline::schema;
/// use wireline::server::Tool;
/// const LED: Tool<'_> = Tool::new("led_set", "Switch the board's LED", schema!({ "on": bool }))
///     .with_title("LED")
///     .with_hint_idempotent(true);
/// assert_eq!(LED.name, "led_set");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tool<'t> {
    /// Its name: 1 to 128 of the ASCII letters and digits, `_`, `-` and `.`.
    pub name: &'t str,
    /// Its name for people, from 2025-06-18 on.
    pub title: Option<&'t str>,
    /// What it does, for a model.
    pub description: &'t str,
    /// What its arguments are: an object.
    pub input: Schema<'t>,
    /// What its structured content is, from 2025-06-18 on.
    pub output: Option<Schema<'t>>,
    /// Hints, from 2025-03-26 on.
    pub annotations: Annotations,
    /// Further members.
    pub extra: Option<Extra<'t>>,
}

impl<'t> Tool<'t> {
    /// A tool's name, what it does, and what its arguments are.
    #[must_use]
    pub const fn new(name: &'t str, description: &'t str, input: Schema<'t>) -> Self {
        Tool {
            name,
            title: None,
            description,
            input,
            output: None,
            annotations: Annotations::NONE,
            extra: None,
        }
    }

    /// Sets its name for people.
    #[must_use]
    pub const fn with_title(mut self, title: &'t str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets the schema of its structured content.
    #[must_use]
    pub const fn with_output(mut self, schema: Schema<'t>) -> Self {
        self.output = Some(schema);
        self
    }

    /// Says whether it leaves all as it is.
    #[must_use]
    pub const fn with_hint_read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only = Some(hint);
        self
    }

    /// Says whether what it changes may be lost.
    #[must_use]
    pub const fn with_hint_destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive = Some(hint);
        self
    }

    /// Says whether a repeated call changes nothing further.
    #[must_use]
    pub const fn with_hint_idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent = Some(hint);
        self
    }

    /// Says whether it reaches things outside.
    #[must_use]
    pub const fn with_hint_open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world = Some(hint);
        self
    }

    /// Sets further members.
    #[must_use]
    pub const fn with_extra(mut self, extra: Extra<'t>) -> Self {
        self.extra = Some(extra);
        self
    }
}

/// A resource with a URI of its own.
///
/// ```
/// use wireline::server::Resource;
/// const LOG: Resource<'_> = Resource::new("board://log", "log").with_mime_type("text/plain");
/// assert_eq!(LOG.uri, "board://log");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Resource<'t> {
    /// Its URI, of the characters that RFC 3986 allows.
    pub uri: &'t str,
    /// Its name.
    pub name: &'t str,
    /// Its name for people, from 2025-06-18 on.
    pub title: Option<&'t str>,
    /// What it is, for a model.
    pub description: Option<&'t str>,
    /// Its media type.
    pub mime_type: Option<&'t str>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Further members.
    pub extra: Option<Extra<'t>>,
}

impl<'t> Resource<'t> {
    /// A resource's URI and name.
    #[must_use]
    pub const fn new(uri: &'t str, name: &'t str) -> Self {
        Resource {
            uri,
            name,
            title: None,
            description: None,
            mime_type: None,
            size: None,
            extra: None,
        }
    }

    /// Sets its name for people.
    #[must_use]
    pub const fn with_title(mut self, title: &'t str) -> Self {
        self.title = Some(title);
        self
    }

    /// Says what it is.
    #[must_use]
    pub const fn with_description(mut self, description: &'t str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets its media type.
    #[must_use]
    pub const fn with_mime_type(mut self, mime_type: &'t str) -> Self {
        self.mime_type = Some(mime_type);
        self
    }

    /// Sets its size in bytes.
    #[must_use]
    pub const fn with_size(mut self, size: u64) -> Self {
        self.size = Some(size);
        self
    }

    /// Sets further members.
    #[must_use]
    pub const fn with_extra(mut self, extra: Extra<'t>) -> Self {
        self.extra = Some(extra);
        self
    }
}

/// Resources whose URIs follow a template of level 1 (RFC 6570): `{name}` stands for one or
/// more characters other than `/`, `?` and `#`.
///
/// ```
/// use wireline::server::ResourceTemplate;
/// const PIN: ResourceTemplate<'_> = ResourceTemplate::new("board://pins/{pin}", "pin")
///     .with_description("The level of a pin");
/// assert_eq!(PIN.uri_template, "board://pins/{pin}");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ResourceTemplate<'t> {
    /// The template, of at most [`MAX_VARIABLES`](super::MAX_VARIABLES) variables, no two
    /// of them side by side.
    pub uri_template: &'t str,
    /// Its name.
    pub name: &'t str,
    /// Its name for people, from 2025-06-18 on.
    pub title: Option<&'t str>,
    /// What the resources are, for a model.
    pub description: Option<&'t str>,
    /// The media type of all of them.
    pub mime_type: Option<&'t str>,
    /// Further members.
    pub extra: Option<Extra<'t>>,
}

impl<'t> ResourceTemplate<'t> {
    /// A template and its name.
    #[must_use]
    pub const fn new(uri_template: &'t str, name: &'t str) -> Self {
        ResourceTemplate {
            uri_template,
            name,
            title: None,
            description: None,
            mime_type: None,
            extra: None,
        }
    }

    /// Sets its name for people.
    #[must_use]
    pub const fn with_title(mut self, title: &'t str) -> Self {
        self.title = Some(title);
        self
    }

    /// Says what the resources are.
    #[must_use]
    pub const fn with_description(mut self, description: &'t str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets the media type of all of them.
    #[must_use]
    pub const fn with_mime_type(mut self, mime_type: &'t str) -> Self {
        self.mime_type = Some(mime_type);
        self
    }

    /// Sets further members.
    #[must_use]
    pub const fn with_extra(mut self, extra: Extra<'t>) -> Self {
        self.extra = Some(extra);
        self
    }

    /// The names of its variables, in their order.
    pub fn variables(&self) -> impl Iterator<Item = &'t str> {
        template::names(self.uri_template)
    }
}

/// An argument of a prompt, a string.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PromptArgument<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its name for people, from 2025-06-18 on.
    pub title: Option<&'t str>,
    /// What it is.
    pub description: Option<&'t str>,
    /// Whether it must be given.
    pub required: bool,
}

impl<'t> PromptArgument<'t> {
    /// An argument that must be given.
    #[must_use]
    pub const fn required(name: &'t str) -> Self {
        PromptArgument {
            name,
            title: None,
            description: None,
            required: true,
        }
    }

    /// An argument that may be left out.
    #[must_use]
    pub const fn optional(name: &'t str) -> Self {
        PromptArgument {
            required: false,
            ..PromptArgument::required(name)
        }
    }

    /// Sets its name for people.
    #[must_use]
    pub const fn with_title(mut self, title: &'t str) -> Self {
        self.title = Some(title);
        self
    }

    /// Says what it is.
    #[must_use]
    pub const fn with_description(mut self, description: &'t str) -> Self {
        self.description = Some(description);
        self
    }
}

/// A prompt.
///
/// ```
/// use wireline::server::{Prompt, PromptArgument};
/// const EXPLAIN: Prompt<'_> = Prompt::new("explain")
///     .with_arguments(&[PromptArgument::required("pin"), PromptArgument::optional("tone")]);
/// assert_eq!(EXPLAIN.arguments.len(), 2);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Prompt<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its name for people, from 2025-06-18 on.
    pub title: Option<&'t str>,
    /// What it is for.
    pub description: Option<&'t str>,
    /// Its arguments.
    pub arguments: &'t [PromptArgument<'t>],
    /// Further members.
    pub extra: Option<Extra<'t>>,
}

impl<'t> Prompt<'t> {
    /// A prompt without arguments.
    #[must_use]
    pub const fn new(name: &'t str) -> Self {
        Prompt {
            name,
            title: None,
            description: None,
            arguments: &[],
            extra: None,
        }
    }

    /// Sets its name for people.
    #[must_use]
    pub const fn with_title(mut self, title: &'t str) -> Self {
        self.title = Some(title);
        self
    }

    /// Says what it is for.
    #[must_use]
    pub const fn with_description(mut self, description: &'t str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets its arguments.
    #[must_use]
    pub const fn with_arguments(mut self, arguments: &'t [PromptArgument<'t>]) -> Self {
        self.arguments = arguments;
        self
    }

    /// Sets further members.
    #[must_use]
    pub const fn with_extra(mut self, extra: Extra<'t>) -> Self {
        self.extra = Some(extra);
        self
    }
}
