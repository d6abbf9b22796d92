//! Prompts.

use super::*;

views! {
    /// A prompt, as `prompts/list` tells of it.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::Prompt;
    /// let prompt = br#"{"name":"greet","arguments":[{"name":"whom","required":true}]}"#;
    /// let prompt = Prompt::new(RawJson::validate(prompt).unwrap());
    /// assert!(prompt.arguments().next().unwrap().required());
    /// ```
    Prompt [noted] {
        /// The name to get it by.
        pub fn name() -> str = "name", required;
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it is for.
        pub fn description() -> str = "description";
        /// Its arguments.
        pub fn arguments() -> list(PromptArgument<'a>) = "arguments";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> list(Icon<'a>) = "icons";
    }

    /// An argument of a prompt.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::PromptArgument;
    /// let argument = PromptArgument::new(RawJson::validate(br#"{"name":"whom"}"#).unwrap());
    /// assert!(!argument.required());
    /// ```
    PromptArgument {
        /// Its name.
        pub fn name() -> str = "name", required;
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it is for.
        pub fn description() -> str = "description";
        /// Whether it must be given. Default: `false`.
        pub fn required() -> flag(false) = "required";
    }

    /// A message of a prompt.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{Role, view::PromptMessage};
    /// let message = br#"{"role":"user","content":{"type":"text","text":"hi"}}"#;
    /// let message = PromptMessage::new(RawJson::validate(message).unwrap());
    /// assert_eq!(message.role(), Some(Role::User));
    /// assert_eq!(message.content().unwrap().as_text().unwrap(), "hi");
    /// ```
    PromptMessage {
        /// Who says it.
        pub fn role() -> word(Role) = "role", required;
        /// What it says.
        pub fn content() -> view(Content<'a>) = "content", required;
    }

    /// The params of `prompts/get`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::GetPromptParams;
    /// let params = RawJson::validate(br#"{"name":"greet","arguments":{"whom":"you"}}"#).unwrap();
    /// assert_eq!(GetPromptParams::new(params).argument("whom").unwrap(), "you");
    /// ```
    GetPromptParams [noted] {
        /// The prompt's name.
        pub fn name() -> str = "name", required;
        /// The arguments; their values are strings.
        pub fn arguments() -> map(RawJson<'a>) = "arguments";
        /// The answers to what an `input_required` result asked for, by their keys
        /// (2026-07-28).
        pub fn input_responses() -> map(RawJson<'a>) = "inputResponses";
        /// The state that such a result gave (2026-07-28). Anybody may have written it.
        pub fn request_state() -> str = "requestState";
    }

    /// The result of `prompts/get`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::GetPromptResult;
    /// let result = RawJson::validate(br#"{"description":"A greeting","messages":[]}"#).unwrap();
    /// let result = GetPromptResult::new(result);
    /// assert_eq!(result.description().unwrap(), "A greeting");
    /// assert_eq!(result.messages().count(), 0);
    /// ```
    GetPromptResult [result] {
        /// What the prompt is for.
        pub fn description() -> str = "description";
        /// The conversation it makes.
        pub fn messages() -> list(PromptMessage<'a>) = "messages", required;
    }

    /// The result of `prompts/list`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ListPromptsResult;
    /// let page = RawJson::validate(br#"{"prompts":[{"name":"greet"}]}"#).unwrap();
    /// let mut prompts = ListPromptsResult::new(page).prompts();
    /// assert_eq!(prompts.next().unwrap().name().unwrap(), "greet");
    /// ```
    ListPromptsResult [page] {
        /// The prompts of this page.
        pub fn prompts() -> list(Prompt<'a>) = "prompts", required;
    }
}

impl<'a> GetPromptParams<'a> {
    /// One of the arguments, if it is a string.
    #[must_use]
    pub fn argument(self, name: &str) -> Option<JsonStr<'a>> {
        lookup::string(lookup::object(self.0, "arguments")?, name)
    }
}
