//! Sampling: asking the client's model. And roots.

use super::*;

writers! {
    /// The params of `sampling/createMessage`: the conversation so far, and how long the
    /// answer may be.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{Role, write::{Blocks, CreateMessageParams, SamplingMessage, TextContent}};
    /// let messages = [SamplingMessage::new(Role::User, Blocks::One(TextContent::new("hi")))];
    /// assert_eq!(
    ///     json::write(&CreateMessageParams::new(&messages, 100), &mut [0; 128]),
    ///     Ok(&br#"{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":100}"#[..]),
    /// );
    /// ```
    CreateMessageParams<T = SamplingMessage<'a>>: [noted] {
        messages: list(T) = "messages";
        max_tokens: whole = "maxTokens";
        /// Which model to ask.
        pub fn model_preferences() -> by(ModelPreferences<'a>) = "modelPreferences";
        /// What to tell the model first.
        pub fn system_prompt() -> text = "systemPrompt";
        /// Whose context the model is to be given.
        pub fn include_context() -> word(IncludeContext) = "includeContext";
        /// How much is left to chance.
        pub fn temperature() -> amount = "temperature";
        /// Where the model is to stop.
        pub fn stop_sequences() -> strs = "stopSequences";
        /// What is for the model's provider, an object.
        pub fn metadata() -> json(OBJECT) = "metadata";
        /// Tools that the model may use (from 2025-11-25).
        pub fn tools() -> slice(Tool) = "tools";
        /// Whether it is to use them (from 2025-11-25).
        pub fn tool_choice() -> inside("mode" word ToolChoiceMode) = "toolChoice";
        /// It is to be a task (2025-11-25).
        pub fn task() -> of(TaskMetadata<'a>) = "task";
    }

    /// A message of a conversation with a model: who says it, and what.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{Role, write::{Blocks, SamplingMessage, TextContent}};
    /// let message = SamplingMessage::new(Role::User, Blocks::One(TextContent::new("hi")));
    /// assert_eq!(
    ///     json::write(&message, &mut [0; 64]),
    ///     Ok(&br#"{"role":"user","content":{"type":"text","text":"hi"}}"#[..]),
    /// );
    /// ```
    SamplingMessage<T = Content<'a>>: const [noted] {
        role: word(Role) = "role";
        content: of(Blocks<'a, T>) = "content";
    }

    /// Which model to ask. Each priority is from 0 to 1.
    ///
    /// ```
    /// use wireline::json::{self, Number};
    /// use wireline::mcp::write::{ModelHint, ModelPreferences};
    /// let hints = [ModelHint::new().name("small")];
    /// let wanted = ModelPreferences::new().hints(&hints).cost_priority(Number::new("0.9").unwrap());
    /// assert_eq!(
    ///     json::write(&wanted, &mut [0; 64]),
    ///     Ok(&br#"{"hints":[{"name":"small"}],"costPriority":0.9}"#[..]),
    /// );
    /// ```
    ModelPreferences: const [] {
        /// Models, the best first.
        pub fn hints() -> slice(ModelHint) = "hints";
        /// How much it matters that it is cheap.
        pub fn cost_priority() -> amount = "costPriority";
        /// How much it matters that it is fast.
        pub fn speed_priority() -> amount = "speedPriority";
        /// How much it matters that it is good.
        pub fn intelligence_priority() -> amount = "intelligencePriority";
    }

    /// A model, or a family of them.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ModelHint;
    /// assert_eq!(
    ///     json::write(&ModelHint::new().name("small"), &mut [0; 32]),
    ///     Ok(&br#"{"name":"small"}"#[..]),
    /// );
    /// ```
    ModelHint: const [] {
        /// A part of the model's name.
        pub fn name() -> str = "name";
    }

    /// The result of `sampling/createMessage`: who says it, what, and the model that was
    /// asked.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{Role, write::{Blocks, CreateMessageResult, TextContent}};
    /// let said = Blocks::One(TextContent::new("hello"));
    /// let result = CreateMessageResult::new(Role::Assistant, said, "m").stop_reason("endTurn");
    /// assert_eq!(
    ///     json::write(&result, &mut [0; 128]),
    ///     Ok(&br#"{"role":"assistant","content":{"type":"text","text":"hello"},"model":"m","stopReason":"endTurn"}"#[..]),
    /// );
    /// ```
    CreateMessageResult<T = Content<'a>>: [noted] {
        role: word(Role) = "role";
        content: of(Blocks<'a, T>) = "content";
        model: text = "model";
        /// Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse` (from
        /// 2025-11-25), or a word of the provider's.
        pub fn stop_reason() -> text = "stopReason";
    }

    /// The result of `roots/list`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{ListRootsResult, Root};
    /// assert_eq!(
    ///     json::write(&ListRootsResult::new(&[Root::new("file:///home").name("Home")]), &mut [0; 64]),
    ///     Ok(&br#"{"roots":[{"uri":"file:///home","name":"Home"}]}"#[..]),
    /// );
    /// ```
    ListRootsResult<T = Root<'a>>: [noted] {
        roots: list(T) = "roots";
    }

    /// A directory that a server may work in: its address, `file://…`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::Root;
    /// assert_eq!(
    ///     json::write(&Root::new("file:///home"), &mut [0; 64]),
    ///     Ok(&br#"{"uri":"file:///home"}"#[..]),
    /// );
    /// ```
    Root: const [noted] {
        uri: str = "uri";
        /// Its name for people.
        pub fn name() -> str = "name";
    }
}
