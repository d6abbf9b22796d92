//! Sampling: asking the client's model. And roots.

use super::*;

views! {
    /// The params of `sampling/createMessage`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::CreateMessageParams;
    /// let params = br#"{
    ///     "messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":100
    /// }"#;
    /// let asked = CreateMessageParams::new(RawJson::validate(params).unwrap());
    /// assert_eq!(asked.max_tokens(), Some(100));
    /// let message = asked.messages().next().unwrap();
    /// assert_eq!(message.content().next().unwrap().as_text().unwrap(), "hi");
    /// ```
    CreateMessageParams [noted] {
        /// The conversation so far.
        pub fn messages() -> list(SamplingMessage<'a>) = "messages", required;
        /// How long the answer may be.
        pub fn max_tokens() -> whole = "maxTokens", required;
        /// Which model to ask.
        pub fn model_preferences() -> view(ModelPreferences<'a>) = "modelPreferences";
        /// What to tell the model first.
        pub fn system_prompt() -> str = "systemPrompt";
        /// Whose context the model is to be given; `None`: nobody's.
        pub fn include_context() -> word(IncludeContext) = "includeContext";
        /// How much is left to chance.
        pub fn temperature() -> num = "temperature";
        /// Where the model is to stop.
        pub fn stop_sequences() -> strings = "stopSequences";
        /// What is for the model's provider.
        pub fn metadata() -> object = "metadata";
        /// Tools that the model may use (from 2025-11-25).
        pub fn tools() -> list(Tool<'a>) = "tools";
        /// Whether it is to use them (from 2025-11-25).
        pub fn tool_choice() -> view(ToolChoice<'a>) = "toolChoice";
        /// The server wants a task (2025-11-25).
        pub fn task() -> view(TaskMetadata<'a>) = "task";
    }

    /// A message of a conversation with a model.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{Role, view::{Content, SamplingMessage}};
    /// let message = br#"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]}"#;
    /// let message = SamplingMessage::new(RawJson::validate(message).unwrap());
    /// assert_eq!(message.role(), Some(Role::Assistant));
    /// assert!(matches!(message.content().next(), Some(Content::ToolUse(_))));
    /// ```
    SamplingMessage [noted] {
        /// Who says it.
        pub fn role() -> word(Role) = "role", required;
        /// What it says: one block, or several (from 2025-11-25).
        pub fn content() -> blocks = "content", required;
    }

    /// Which model to ask. Each priority is from 0 to 1.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ModelPreferences;
    /// let wanted = RawJson::validate(br#"{"hints":[{"name":"small"}],"costPriority":0.9}"#).unwrap();
    /// let wanted = ModelPreferences::new(wanted);
    /// assert_eq!(wanted.hints().next().unwrap().name().unwrap(), "small");
    /// assert_eq!(wanted.cost_priority().unwrap().as_str(), "0.9");
    /// ```
    ModelPreferences {
        /// Models, the best first.
        pub fn hints() -> list(ModelHint<'a>) = "hints";
        /// How much it matters that it is cheap.
        pub fn cost_priority() -> num = "costPriority";
        /// How much it matters that it is fast.
        pub fn speed_priority() -> num = "speedPriority";
        /// How much it matters that it is good.
        pub fn intelligence_priority() -> num = "intelligencePriority";
    }

    /// A model, or a family of them.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ModelHint;
    /// let hint = ModelHint::new(RawJson::validate(br#"{"name":"small"}"#).unwrap());
    /// assert_eq!(hint.name().unwrap(), "small");
    /// ```
    ModelHint {
        /// A part of the model's name.
        pub fn name() -> str = "name";
    }

    /// Whether a model is to use tools (from 2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{ToolChoiceMode, view::ToolChoice};
    /// let choice = ToolChoice::new(RawJson::validate(br#"{"mode":"none"}"#).unwrap());
    /// assert_eq!(choice.mode(), Some(ToolChoiceMode::Nothing));
    /// ```
    ToolChoice {
        /// Whether; `None`: if it likes.
        pub fn mode() -> word(ToolChoiceMode) = "mode";
    }

    /// The result of `sampling/createMessage`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::CreateMessageResult;
    /// let result = br#"{
    ///     "role":"assistant","content":{"type":"text","text":"hello"},"model":"m","stopReason":"endTurn"
    /// }"#;
    /// let result = CreateMessageResult::new(RawJson::validate(result).unwrap());
    /// assert_eq!(result.stop_reason().unwrap(), "endTurn");
    /// assert_eq!(result.content().count(), 1);
    /// ```
    CreateMessageResult [noted] {
        /// Who says it.
        pub fn role() -> word(Role) = "role", required;
        /// What it says: one block, or several (from 2025-11-25).
        pub fn content() -> blocks = "content", required;
        /// The model that was asked.
        pub fn model() -> str = "model", required;
        /// Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse` (from
        /// 2025-11-25), or a word of the provider's.
        pub fn stop_reason() -> str = "stopReason";
    }

    /// The result of `roots/list`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ListRootsResult;
    /// let result = RawJson::validate(br#"{"roots":[{"uri":"file:///home","name":"Home"}]}"#).unwrap();
    /// let root = ListRootsResult::new(result).roots().next().unwrap();
    /// assert_eq!(root.uri().unwrap(), "file:///home");
    /// ```
    ListRootsResult [noted] {
        /// The roots.
        pub fn roots() -> list(Root<'a>) = "roots", required;
    }

    /// A directory that a server may work in.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::Root;
    /// let root = Root::new(RawJson::validate(br#"{"uri":"file:///home"}"#).unwrap());
    /// assert!(root.name().is_none());
    /// ```
    Root [noted] {
        /// Its address, `file://…`.
        pub fn uri() -> str = "uri", required;
        /// Its name for people.
        pub fn name() -> str = "name";
    }
}
