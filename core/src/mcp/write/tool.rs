//! Tools and their calls.

use super::*;

writers! {
    /// A tool, as `tools/list` tells of it. Its schema is an object.
    ///
    /// ```
    /// use wireline::json::{self, RawJson};
    /// use wireline::mcp::write::{Tool, ToolAnnotations};
    /// let schema = RawJson::validate(br#"{"type":"object"}"#).unwrap();
    /// let hints = ToolAnnotations::new().read_only_hint(true);
    /// let tool = Tool::new("temp", &schema).description("Reads it").annotations(&hints);
    /// assert_eq!(
    ///     json::write(&tool, &mut [0; 128]),
    ///     Ok(&br#"{"name":"temp","inputSchema":{"type":"object"},"description":"Reads it","annotations":{"readOnlyHint":true}}"#[..]),
    /// );
    /// ```
    Tool: const [noted] {
        name: str = "name";
        input_schema: json(OBJECT) = "inputSchema";
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it does, for a model to read.
        pub fn description() -> str = "description";
        /// The JSON Schema of its structured content, an object (from 2025-06-18).
        pub fn output_schema() -> json(OBJECT) = "outputSchema";
        /// Hints about what it does (from 2025-03-26).
        pub fn annotations() -> by(ToolAnnotations<'a>) = "annotations";
        /// Whether it is called as a task (2025-11-25).
        pub fn task_support() -> inside("taskSupport" word TaskSupport) = "execution";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> slice(Icon) = "icons";
    }

    /// Hints about what a tool does (from 2025-03-26).
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ToolAnnotations;
    /// let hints = ToolAnnotations::new().destructive_hint(false);
    /// assert_eq!(json::write(&hints, &mut [0; 32]), Ok(&br#"{"destructiveHint":false}"#[..]));
    /// ```
    ToolAnnotations: const [] {
        /// Its name for people. [`Tool::title`] goes before it.
        pub fn title() -> str = "title";
        /// It changes nothing. Default: `false`.
        pub fn read_only_hint() -> flag = "readOnlyHint";
        /// It may destroy something. Default: `true`.
        pub fn destructive_hint() -> flag = "destructiveHint";
        /// Calling it again with the same arguments changes no more. Default: `false`.
        pub fn idempotent_hint() -> flag = "idempotentHint";
        /// It deals with what is outside, as a web search does. Default: `true`.
        pub fn open_world_hint() -> flag = "openWorldHint";
    }

    /// The params of `tools/call`.
    ///
    /// ```
    /// use wireline::json::{self, from_fn};
    /// use wireline::mcp::write::CallToolParams;
    /// let arguments = from_fn(|w| { w.begin_object().member("on", &true).end_object(); });
    /// let call = CallToolParams::new("led_set").arguments(&arguments);
    /// assert_eq!(
    ///     json::write(&call, &mut [0; 64]),
    ///     Ok(&br#"{"name":"led_set","arguments":{"on":true}}"#[..]),
    /// );
    /// ```
    CallToolParams: [noted] {
        name: text = "name";
        /// The arguments, an object.
        pub fn arguments() -> json(OBJECT) = "arguments";
        /// It is to be a task (2025-11-25).
        pub fn task() -> of(TaskMetadata<'a>) = "task";
        /// The answers to what an `input_required` result asked for (2026-07-28): an
        /// object, as [`InputResponses`] is.
        pub fn input_responses() -> json(OBJECT) = "inputResponses";
        /// The state that such a result gave, as it is (2026-07-28).
        pub fn request_state() -> text = "requestState";
    }

    /// The result of `tools/call`: its blocks of content.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{CallToolResult, TextContent};
    /// let said = [TextContent::new("no such LED")];
    /// let result = CallToolResult::new(&said).is_error(true);
    /// assert_eq!(
    ///     json::write(&result, &mut [0; 96]),
    ///     Ok(&br#"{"content":[{"type":"text","text":"no such LED"}],"isError":true}"#[..]),
    /// );
    /// ```
    CallToolResult<T = Content<'a>>: [result] {
        content: list(T) = "content";
        /// What it says as data (from 2025-06-18). An object, but in 2026-07-28 any value.
        pub fn structured_content() -> json(ANY) = "structuredContent";
        /// Whether the tool has failed.
        pub fn is_error() -> flag = "isError";
    }

    /// The result of `tools/list`.
    ///
    /// ```
    /// use wireline::json::{self, RawJson};
    /// use wireline::mcp::write::{ListToolsResult, Tool};
    /// let schema = RawJson::validate(br#"{"type":"object"}"#).unwrap();
    /// let tools = [Tool::new("temp", &schema)];
    /// let page = ListToolsResult::new(&tools).next_cursor("2");
    /// assert_eq!(
    ///     json::write(&page, &mut [0; 96]),
    ///     Ok(&br#"{"tools":[{"name":"temp","inputSchema":{"type":"object"}}],"nextCursor":"2"}"#[..]),
    /// );
    /// ```
    ListToolsResult<T = Tool<'a>>: [page] {
        tools: list(T) = "tools";
    }
}
