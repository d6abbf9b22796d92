//! Prompts.

use super::*;

writers! {
    /// A prompt, as `prompts/list` tells of it.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{Prompt, PromptArgument};
    /// const GREET: Prompt<'_> =
    ///     Prompt::new("greet").arguments(&[PromptArgument::new("whom").required(true)]);
    /// assert_eq!(
    ///     json::write(&GREET, &mut [0; 64]),
    ///     Ok(&br#"{"name":"greet","arguments":[{"name":"whom","required":true}]}"#[..]),
    /// );
    /// ```
    Prompt: const [noted] {
        name: str = "name";
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it is for.
        pub fn description() -> str = "description";
        /// Its arguments.
        pub fn arguments() -> slice(PromptArgument) = "arguments";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> slice(Icon) = "icons";
    }

    /// An argument of a prompt.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::PromptArgument;
    /// assert_eq!(json::write(&PromptArgument::new("whom"), &mut [0; 64]), Ok(&br#"{"name":"whom"}"#[..]));
    /// ```
    PromptArgument: const [] {
        name: str = "name";
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it is for.
        pub fn description() -> str = "description";
        /// Whether it must be given. Default: `false`.
        pub fn required() -> flag = "required";
    }

    /// The params of `prompts/get`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{GetPromptParams, Pairs};
    /// let params = GetPromptParams::new("greet").arguments(&Pairs(&[("whom", "you")]));
    /// assert_eq!(
    ///     json::write(&params, &mut [0; 64]),
    ///     Ok(&br#"{"name":"greet","arguments":{"whom":"you"}}"#[..]),
    /// );
    /// ```
    GetPromptParams: [noted] {
        name: text = "name";
        /// The arguments: an object whose values are strings, as [`Pairs`] is.
        pub fn arguments() -> json(OBJECT) = "arguments";
        /// The answers to what an `input_required` result asked for (2026-07-28): an
        /// object, as [`InputResponses`] is.
        pub fn input_responses() -> json(OBJECT) = "inputResponses";
        /// The state that such a result gave, as it is (2026-07-28).
        pub fn request_state() -> text = "requestState";
    }

    /// The result of `prompts/get`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{Role, write::{GetPromptResult, PromptMessage, TextContent}};
    /// let messages = [PromptMessage::new(Role::User, TextContent::new("hi"))];
    /// assert_eq!(
    ///     json::write(&GetPromptResult::new(&messages).description("A greeting"), &mut [0; 128]),
    ///     Ok(&br#"{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"description":"A greeting"}"#[..]),
    /// );
    /// ```
    GetPromptResult<T = PromptMessage<Content<'a>>>: [result] {
        messages: list(T) = "messages";
        /// What the prompt is for.
        pub fn description() -> text = "description";
    }

    /// The result of `prompts/list`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{ListPromptsResult, Prompt};
    /// assert_eq!(
    ///     json::write(&ListPromptsResult::new(&[Prompt::new("greet")]), &mut [0; 64]),
    ///     Ok(&br#"{"prompts":[{"name":"greet"}]}"#[..]),
    /// );
    /// ```
    ListPromptsResult<T = Prompt<'a>>: [page] {
        prompts: list(T) = "prompts";
    }
}

/// A message of a prompt: who says it, and a block of content.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::{Role, write::{PromptMessage, TextContent}};
/// assert_eq!(
///     json::write(&PromptMessage::new(Role::User, TextContent::new("hi")), &mut [0; 64]),
///     Ok(&br#"{"role":"user","content":{"type":"text","text":"hi"}}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PromptMessage<T> {
    role: Role,
    content: T,
}

impl<T> PromptMessage<T> {
    /// With what must be there.
    #[must_use]
    pub const fn new(role: Role, content: T) -> Self {
        PromptMessage { role, content }
    }
}

impl<T: ToJson> ToJson for PromptMessage<T> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object();
        value::put_str(w, "role", self.role.name());
        w.member("content", &self.content).end_object();
    }
}
