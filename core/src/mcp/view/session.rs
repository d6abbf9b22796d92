//! What opens a session, watches over requests, and tells of changes.

use super::*;

views! {
    /// The params of `initialize` (up to 2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{Capabilities, Capability, Side, view::InitializeParams};
    /// let params = br#"{
    ///     "protocolVersion":"2025-06-18","capabilities":{"roots":{}},
    ///     "clientInfo":{"name":"c","version":"1"}
    /// }"#;
    /// let params = InitializeParams::new(RawJson::validate(params).unwrap());
    /// assert_eq!(params.client_info().unwrap().name().unwrap(), "c");
    /// let declared = Capabilities::read(Side::Client, params.capabilities().unwrap());
    /// assert!(declared.has(Capability::Roots));
    /// ```
    InitializeParams [noted] {
        /// The revision that the client would like.
        pub fn protocol_version() -> str = "protocolVersion", required;
        /// What the client can do.
        pub fn capabilities() -> object = "capabilities", required;
        /// Who the client is.
        pub fn client_info() -> view(Implementation<'a>) = "clientInfo", required;
    }

    /// The result of `initialize` (up to 2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{Revision, view::InitializeResult};
    /// let result = br#"{
    ///     "protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}
    /// }"#;
    /// let result = InitializeResult::new(RawJson::validate(result).unwrap());
    /// let revision = result.protocol_version().and_then(Revision::from_json_str);
    /// assert_eq!(revision, Some(Revision::V2025_06_18));
    /// ```
    InitializeResult [result] {
        /// The revision of the session.
        pub fn protocol_version() -> str = "protocolVersion", required;
        /// What the server can do.
        pub fn capabilities() -> object = "capabilities", required;
        /// Who the server is.
        pub fn server_info() -> view(Implementation<'a>) = "serverInfo", required;
        /// How to use it, for a model to read.
        pub fn instructions() -> str = "instructions";
    }

    /// The result of `server/discover` (2026-07-28).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::DiscoverResult;
    /// let result = br#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0}"#;
    /// let result = DiscoverResult::new(RawJson::validate(result).unwrap());
    /// assert!(result.supported_versions().eq(["2026-07-28"]));
    /// ```
    DiscoverResult [cached] {
        /// The revisions that the server supports.
        pub fn supported_versions() -> strings = "supportedVersions", required;
        /// What the server can do.
        pub fn capabilities() -> object = "capabilities", required;
        /// How to use it, for a model to read.
        pub fn instructions() -> str = "instructions";
    }

    /// A result that says no more than that all went well: that of `ping`,
    /// `logging/setLevel`, `resources/subscribe` and `resources/unsubscribe`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{ResultType, view::EmptyResult};
    /// let result = EmptyResult::new(RawJson::EMPTY_OBJECT);
    /// assert_eq!(result.result_type(), Some(ResultType::Complete));
    /// ```
    EmptyResult [result] {}

    /// The params of the requests whose results come in pages.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::PageParams;
    /// let params = PageParams::new(RawJson::validate(br#"{"cursor":"p2"}"#).unwrap());
    /// assert_eq!(params.cursor().unwrap(), "p2");
    /// ```
    PageParams [noted] {
        /// Where to go on; `None`: at the beginning.
        pub fn cursor() -> str = "cursor";
    }

    /// The params of `logging/setLevel` (up to 2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{LogLevel, view::SetLevelParams};
    /// let params = SetLevelParams::new(RawJson::validate(br#"{"level":"notice"}"#).unwrap());
    /// assert_eq!(params.level(), Some(LogLevel::Notice));
    /// ```
    SetLevelParams [noted] {
        /// The least level that is wanted.
        pub fn level() -> word(LogLevel) = "level", required;
    }

    /// The params of `notifications/message`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{LogLevel, view::LogMessageParams};
    /// let params = RawJson::validate(br#"{"level":"error","data":"too hot"}"#).unwrap();
    /// let message = LogMessageParams::new(params);
    /// assert_eq!(message.level(), Some(LogLevel::Error));
    /// assert_eq!(message.data().unwrap().as_json_str().unwrap(), "too hot");
    /// ```
    LogMessageParams [noted] {
        /// How severe it is.
        pub fn level() -> word(LogLevel) = "level", required;
        /// Who says it.
        pub fn logger() -> str = "logger";
        /// What it says: any value.
        pub fn data() -> any = "data", required;
    }

    /// The params of `notifications/progress`.
    ///
    /// ```
    /// use wireline::json::{Number, RawJson};
    /// use wireline::mcp::view::ProgressParams;
    /// let params = RawJson::validate(br#"{"progressToken":"t","progress":0.50,"total":1}"#).unwrap();
    /// let progress = ProgressParams::new(params);
    /// assert_eq!(progress.progress(), Number::new("0.5"));
    /// assert_eq!(progress.progress().unwrap().as_str(), "0.50");
    /// ```
    ProgressParams [noted] {
        /// The token that the request gave.
        pub fn progress_token() -> id = "progressToken", required;
        /// How far it is; more every time.
        pub fn progress() -> num = "progress", required;
        /// How far it has to go, if that is known.
        pub fn total() -> num = "total";
        /// What is going on (from 2025-03-26).
        pub fn message() -> str = "message";
    }

    /// The params of `notifications/cancelled`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::CancelledParams;
    /// let params = RawJson::validate(br#"{"requestId":7,"reason":"too slow"}"#).unwrap();
    /// let cancelled = CancelledParams::new(params);
    /// assert_eq!(cancelled.request_id().unwrap().as_i64(), Some(7));
    /// assert_eq!(cancelled.reason().unwrap(), "too slow");
    /// ```
    CancelledParams [noted] {
        /// The request that is no longer wanted. In 2025-11-25 it may be absent.
        pub fn request_id() -> id = "requestId";
        /// Why, for a log.
        pub fn reason() -> str = "reason";
    }

    /// The params of `subscriptions/listen` and of
    /// `notifications/subscriptions/acknowledged` (2026-07-28).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::SubscriptionParams;
    /// let params = RawJson::validate(br#"{"notifications":{"toolsListChanged":true}}"#).unwrap();
    /// let wanted = SubscriptionParams::new(params).notifications().unwrap();
    /// assert!(wanted.tools_list_changed() && !wanted.prompts_list_changed());
    /// ```
    SubscriptionParams [noted] {
        /// What is to be told, or will be.
        pub fn notifications() -> view(SubscriptionFilter<'a>) = "notifications", required;
    }

    /// What a subscription covers (2026-07-28).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::SubscriptionFilter;
    /// let filter = RawJson::validate(br#"{"resourceSubscriptions":["log:/1"]}"#).unwrap();
    /// assert!(SubscriptionFilter::new(filter).resource_subscriptions().eq(["log:/1"]));
    /// ```
    SubscriptionFilter {
        /// Changes of the list of tools.
        pub fn tools_list_changed() -> flag(false) = "toolsListChanged";
        /// Changes of the list of prompts.
        pub fn prompts_list_changed() -> flag(false) = "promptsListChanged";
        /// Changes of the list of resources.
        pub fn resources_list_changed() -> flag(false) = "resourcesListChanged";
        /// Changes of the resources of these addresses.
        pub fn resource_subscriptions() -> strings = "resourceSubscriptions";
        /// Changes of these tasks (extension `io.modelcontextprotocol/tasks`).
        pub fn task_ids() -> strings = "taskIds";
    }

    /// The result of `subscriptions/listen`: the subscription is over (2026-07-28).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::SubscriptionResult;
    /// let result = br#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1}}"#;
    /// let result = SubscriptionResult::new(RawJson::validate(result).unwrap());
    /// assert_eq!(result.meta().unwrap().subscription_id().unwrap().as_i64(), Some(1));
    /// ```
    SubscriptionResult [result] {}
}
