//! What opens a session, watches over requests, and tells of changes.

use super::*;

writers! {
    /// The params of `initialize` (up to 2025-11-25): the revision that is wanted, what
    /// the client can do, and who it is.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{Implementation, InitializeParams};
    /// use wireline::mcp::{Capabilities, Revision};
    /// let us = Implementation::new("c", "1");
    /// let params = InitializeParams::new(Revision::V2025_06_18, &Capabilities::NONE, &us);
    /// assert_eq!(
    ///     json::write(&params, &mut [0; 128]),
    ///     Ok(&br#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#[..]),
    /// );
    /// ```
    InitializeParams: const [noted] {
        protocol_version: word(Revision) = "protocolVersion";
        capabilities: json(OBJECT) = "capabilities";
        client_info: by(Implementation<'a>) = "clientInfo";
    }

    /// The result of `initialize` (up to 2025-11-25): the session's revision, what the
    /// server can do, and who it is.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{Implementation, InitializeResult};
    /// use wireline::mcp::{Capabilities, Revision};
    /// let us = Implementation::new("s", "1");
    /// let result = InitializeResult::new(Revision::V2025_06_18, &Capabilities::NONE, &us);
    /// assert_eq!(
    ///     json::write(&result, &mut [0; 128]),
    ///     Ok(&br#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#[..]),
    /// );
    /// ```
    InitializeResult: const [noted] {
        protocol_version: word(Revision) = "protocolVersion";
        capabilities: json(OBJECT) = "capabilities";
        server_info: by(Implementation<'a>) = "serverInfo";
        /// How to use it, for a model to read.
        pub fn instructions() -> str = "instructions";
    }

    /// The result of `server/discover` (2026-07-28): the revisions that the server
    /// supports, and what it can do.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::DiscoverResult;
    /// use wireline::mcp::{Capabilities, Revision};
    /// let result = DiscoverResult::new(&[Revision::V2026_07_28], &Capabilities::NONE);
    /// assert_eq!(
    ///     json::write(&result, &mut [0; 128]),
    ///     Ok(&br#"{"supportedVersions":["2026-07-28"],"capabilities":{}}"#[..]),
    /// );
    /// ```
    DiscoverResult: const [cached] {
        supported_versions: words(Revision) = "supportedVersions";
        capabilities: json(OBJECT) = "capabilities";
        /// How to use it, for a model to read.
        pub fn instructions() -> str = "instructions";
    }

    /// The params of a request or notification that has no more than `_meta`: `ping`,
    /// `server/discover`, `roots/list`, `notifications/initialized` and the
    /// `list_changed` notifications. Without it they are best sent without params.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{EmptyParams, Meta};
    /// let meta = Meta::new().progress_token("t");
    /// let params = EmptyParams::new().meta(&meta);
    /// assert_eq!(json::write(&params, &mut [0; 64]), Ok(&br#"{"_meta":{"progressToken":"t"}}"#[..]));
    /// ```
    EmptyParams: const [noted] {}

    /// A result that says no more than that all went well: that of `ping`,
    /// `logging/setLevel`, `resources/subscribe` and `resources/unsubscribe`, and, with
    /// `_meta` that names the subscription, that of `subscriptions/listen`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::EmptyResult;
    /// assert_eq!(json::write(&EmptyResult::new(), &mut [0; 2]), Ok(&b"{}"[..]));
    /// ```
    EmptyResult: const [result] {}

    /// The params of the requests whose results come in pages.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::PageParams;
    /// assert_eq!(
    ///     json::write(&PageParams::new().cursor("2"), &mut [0; 32]),
    ///     Ok(&br#"{"cursor":"2"}"#[..]),
    /// );
    /// ```
    PageParams: const [noted] {
        /// Where to go on, as the last page gave it.
        pub fn cursor() -> text = "cursor";
    }

    /// The params of `logging/setLevel` (up to 2025-11-25): the least level that is wanted.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{LogLevel, write::SetLevelParams};
    /// assert_eq!(
    ///     json::write(&SetLevelParams::new(LogLevel::Notice), &mut [0; 32]),
    ///     Ok(&br#"{"level":"notice"}"#[..]),
    /// );
    /// ```
    SetLevelParams: const [noted] {
        level: word(LogLevel) = "level";
    }

    /// The params of `notifications/message`: how severe it is, and any value.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{LogLevel, write::LogMessageParams};
    /// let message = LogMessageParams::new(LogLevel::Error, &"too hot").logger("heater");
    /// assert_eq!(
    ///     json::write(&message, &mut [0; 64]),
    ///     Ok(&br#"{"level":"error","data":"too hot","logger":"heater"}"#[..]),
    /// );
    /// ```
    LogMessageParams: const [noted] {
        level: word(LogLevel) = "level";
        data: json(ANY) = "data";
        /// Who says it.
        pub fn logger() -> str = "logger";
    }

    /// The params of `notifications/progress`: the token that the request gave, and how
    /// far it is, which must be more every time.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ProgressParams;
    /// let progress = ProgressParams::new(7, 50).total(100).message("half");
    /// assert_eq!(
    ///     json::write(&progress, &mut [0; 80]),
    ///     Ok(&br#"{"progressToken":7,"progress":50,"total":100,"message":"half"}"#[..]),
    /// );
    /// ```
    ProgressParams: [noted] {
        progress_token: id = "progressToken";
        progress: amount = "progress";
        /// How far it has to go.
        pub fn total() -> amount = "total";
        /// What is going on (from 2025-03-26).
        pub fn message() -> text = "message";
    }

    /// The params of `notifications/cancelled`: the request that is no longer wanted.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::CancelledParams;
    /// assert_eq!(
    ///     json::write(&CancelledParams::new(7).reason("too slow"), &mut [0; 64]),
    ///     Ok(&br#"{"requestId":7,"reason":"too slow"}"#[..]),
    /// );
    /// ```
    CancelledParams: [noted] {
        request_id: id = "requestId";
        /// Why, for a log.
        pub fn reason() -> text = "reason";
    }

    /// The params of `subscriptions/listen` and of
    /// `notifications/subscriptions/acknowledged` (2026-07-28).
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{SubscriptionFilter, SubscriptionParams};
    /// let params = SubscriptionParams::new(SubscriptionFilter::new().tools_list_changed(true));
    /// assert_eq!(
    ///     json::write(&params, &mut [0; 64]),
    ///     Ok(&br#"{"notifications":{"toolsListChanged":true}}"#[..]),
    /// );
    /// ```
    SubscriptionParams: const [noted] {
        notifications: of(SubscriptionFilter<'a>) = "notifications";
    }

    /// What a subscription covers (2026-07-28).
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::SubscriptionFilter;
    /// let filter = SubscriptionFilter::new().resource_subscriptions(&["log:/1"]);
    /// assert_eq!(
    ///     json::write(&filter, &mut [0; 64]),
    ///     Ok(&br#"{"resourceSubscriptions":["log:/1"]}"#[..]),
    /// );
    /// ```
    SubscriptionFilter: const [] {
        /// Changes of the list of tools.
        pub fn tools_list_changed() -> flag = "toolsListChanged";
        /// Changes of the list of prompts.
        pub fn prompts_list_changed() -> flag = "promptsListChanged";
        /// Changes of the list of resources.
        pub fn resources_list_changed() -> flag = "resourcesListChanged";
        /// Changes of the resources of these addresses: an array of strings, as `&["a:/"]`
        /// is, or the [`Strings`](crate::mcp::view::Strings) that were received.
        pub fn resource_subscriptions() -> json(ARRAY) = "resourceSubscriptions";
    }
}
