//! Tools and their calls.

use super::*;

views! {
    /// A tool, as `tools/list` tells of it.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::Tool;
    /// let tool = br#"{"name":"rm","inputSchema":{"type":"object"},"annotations":{"title":"Remove"}}"#;
    /// let tool = Tool::new(RawJson::validate(tool).unwrap());
    /// assert_eq!(tool.display_name().unwrap(), "Remove");
    /// // What it does not say has a default.
    /// assert!(tool.annotations().destructive_hint() && !tool.annotations().read_only_hint());
    /// ```
    Tool [noted] {
        /// The name to call it by.
        pub fn name() -> str = "name", required;
        /// Its name for people (from 2025-06-18). See [`display_name`](Self::display_name).
        pub fn title() -> str = "title";
        /// What it does, for a model to read.
        pub fn description() -> str = "description";
        /// The JSON Schema of its arguments.
        pub fn input_schema() -> object = "inputSchema", required;
        /// The JSON Schema of its structured content (from 2025-06-18).
        pub fn output_schema() -> object = "outputSchema";
        /// Hints about what it does (from 2025-03-26); those of a tool that gives none are
        /// the defaults.
        pub fn annotations() -> defaulted(ToolAnnotations<'a>) = "annotations";
        /// How it is carried out (2025-11-25). See [`task_support`](Self::task_support).
        pub fn execution() -> object = "execution";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> list(Icon<'a>) = "icons";
    }

    /// Hints about what a tool does (from 2025-03-26). They are what the server says, and
    /// prove nothing.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ToolAnnotations;
    /// let hints = ToolAnnotations::new(RawJson::validate(br#"{"readOnlyHint":true}"#).unwrap());
    /// assert!(hints.read_only_hint() && hints.open_world_hint() && !hints.idempotent_hint());
    /// ```
    ToolAnnotations {
        /// Its name for people. [`Tool::title`] goes before it.
        pub fn title() -> str = "title";
        /// It changes nothing. Default: `false`.
        pub fn read_only_hint() -> flag(false) = "readOnlyHint";
        /// It may destroy something. Default: `true`. Of no meaning if it only reads.
        pub fn destructive_hint() -> flag(true) = "destructiveHint";
        /// Calling it again with the same arguments changes no more. Default: `false`. Of
        /// no meaning if it only reads.
        pub fn idempotent_hint() -> flag(false) = "idempotentHint";
        /// It deals with what is outside, as a web search does. Default: `true`.
        pub fn open_world_hint() -> flag(true) = "openWorldHint";
    }

    /// The params of `tools/call`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::CallToolParams;
    /// let params = br#"{"name":"add","arguments":{"a":1}}"#;
    /// let call = CallToolParams::new(RawJson::validate(params).unwrap());
    /// assert_eq!(call.argument("a").unwrap().as_number().unwrap().as_i64(), Some(1));
    /// assert!(call.argument("b").is_none());
    /// ```
    CallToolParams [noted] {
        /// The tool's name.
        pub fn name() -> str = "name", required;
        /// The arguments, an object; absent means none.
        pub fn arguments() -> object = "arguments";
        /// The caller wants a task (2025-11-25).
        pub fn task() -> view(TaskMetadata<'a>) = "task";
        /// The answers to what an `input_required` result asked for, by their keys
        /// (2026-07-28).
        pub fn input_responses() -> map(RawJson<'a>) = "inputResponses";
        /// The state that such a result gave (2026-07-28). Anybody may have written it.
        pub fn request_state() -> str = "requestState";
    }

    /// The result of `tools/call`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::{CallToolResult, Content};
    /// let result = br#"{"content":[{"type":"text","text":"hot"}],"isError":true}"#;
    /// let result = CallToolResult::new(RawJson::validate(result).unwrap());
    /// assert!(result.is_error());
    /// let Some(Content::Text(text)) = result.content().next() else { panic!() };
    /// assert_eq!(text.text().unwrap(), "hot");
    /// ```
    CallToolResult [result] {
        /// What the tool says.
        pub fn content() -> list(Content<'a>) = "content", required;
        /// What it says as data: an object, in 2026-07-28 any value (from 2025-06-18).
        pub fn structured_content() -> any = "structuredContent";
        /// Whether the tool has failed.
        pub fn is_error() -> flag(false) = "isError";
    }

    /// The result of `tools/list`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{CacheScope, view::ListToolsResult};
    /// let page = br#"{"tools":[],"nextCursor":"","ttlMs":500,"cacheScope":"public"}"#;
    /// let page = ListToolsResult::new(RawJson::validate(page).unwrap());
    /// assert_eq!(page.tools().count(), 0);
    /// assert!(page.next_cursor().is_some()); // an empty cursor is a cursor
    /// assert_eq!((page.ttl_ms(), page.cache_scope()), (500, Some(CacheScope::Public)));
    /// ```
    ListToolsResult [page] {
        /// The tools of this page.
        pub fn tools() -> list(Tool<'a>) = "tools", required;
    }
}

impl<'a> Tool<'a> {
    /// Its title, or that of its annotations, or its name.
    #[must_use]
    pub fn display_name(self) -> Option<JsonStr<'a>> {
        self.title()
            .or_else(|| self.annotations().title())
            .or_else(|| self.name())
    }

    /// Whether it is called as a task (2025-11-25); a tool that does not say so is not.
    #[must_use]
    pub fn task_support(self) -> TaskSupport {
        self.execution()
            .and_then(|execution| lookup::string(execution, "taskSupport"))
            .and_then(TaskSupport::from_json_str)
            .unwrap_or(TaskSupport::Forbidden)
    }
}

impl<'a> CallToolParams<'a> {
    /// One of the arguments.
    #[must_use]
    pub fn argument(self, name: &str) -> Option<RawJson<'a>> {
        self.arguments()?.get(name)
    }
}
