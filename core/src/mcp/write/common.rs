//! What stands in many places: who somebody is, icons, annotations, `_meta`.

use super::*;

writers! {
    /// Who a client or a server is.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::Implementation;
    /// const US: Implementation<'_> = Implementation::new("board", "1.2").title("The board");
    /// assert_eq!(
    ///     json::write(&US, &mut [0; 64]),
    ///     Ok(&br#"{"name":"board","version":"1.2","title":"The board"}"#[..]),
    /// );
    /// ```
    Implementation: const [] {
        name: str = "name";
        version: str = "version";
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it does (from 2025-11-25).
        pub fn description() -> str = "description";
        /// Its home page (from 2025-11-25).
        pub fn website_url() -> str = "websiteUrl";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> slice(Icon) = "icons";
    }

    /// An icon (from 2025-11-25).
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{Theme, write::Icon};
    /// let icon = Icon::new("https://x/i.svg").sizes(&["any"]).theme(Theme::Dark);
    /// assert_eq!(
    ///     json::write(&icon, &mut [0; 64]),
    ///     Ok(&br#"{"src":"https://x/i.svg","sizes":["any"],"theme":"dark"}"#[..]),
    /// );
    /// ```
    Icon: const [] {
        src: str = "src";
        /// Its media type, if that of `src` does not say.
        pub fn mime_type() -> str = "mimeType";
        /// The sizes it can be shown in, as `48x48` or `any`.
        pub fn sizes() -> strs = "sizes";
        /// The background it is made for.
        pub fn theme() -> word(Theme) = "theme";
    }

    /// What a host may do with content or with a resource.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{Role, write::Annotations};
    /// let notes = Annotations::new().audience(&[Role::User]).priority(1);
    /// assert_eq!(
    ///     json::write(&notes, &mut [0; 64]),
    ///     Ok(&br#"{"audience":["user"],"priority":1}"#[..]),
    /// );
    /// ```
    Annotations: const [] {
        /// Whom it is for.
        pub fn audience() -> words(Role) = "audience";
        /// How much it matters, from 0 to 1.
        pub fn priority() -> amount = "priority";
        /// When it was last changed, in ISO 8601 (from 2025-06-18).
        pub fn last_modified() -> str = "lastModified";
    }

    /// `_meta`: what the protocol reserves in it. A value of one's own that writes an
    /// object serves as well.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{Meta, PageParams};
    /// let meta = Meta::new().progress_token(7);
    /// let params = PageParams::new().meta(&meta);
    /// assert_eq!(
    ///     json::write(&params, &mut [0; 64]),
    ///     Ok(&br#"{"_meta":{"progressToken":7}}"#[..]),
    /// );
    /// ```
    Meta: const [] {
        /// Request: the token that its progress carries.
        pub fn progress_token() -> id = "progressToken";
        /// Request: the revision that it follows (2026-07-28).
        pub fn protocol_version() -> word(Revision) = "io.modelcontextprotocol/protocolVersion";
        /// Request: what its client can do (2026-07-28). An object, as
        /// [`Capabilities`](crate::mcp::Capabilities) is.
        pub fn client_capabilities() -> json(OBJECT) = "io.modelcontextprotocol/clientCapabilities";
        /// Request: who its client is (2026-07-28).
        pub fn client_info() -> by(Implementation<'a>) = "io.modelcontextprotocol/clientInfo";
        /// Request: from which level on log messages may be sent for it (2026-07-28).
        pub fn log_level() -> word(LogLevel) = "io.modelcontextprotocol/logLevel";
        /// Result: who the server is (2026-07-28).
        pub fn server_info() -> by(Implementation<'a>) = "io.modelcontextprotocol/serverInfo";
        /// Notification of a subscription, and its result: the id of its
        /// `subscriptions/listen` (2026-07-28).
        pub fn subscription_id() -> id = "io.modelcontextprotocol/subscriptionId";
        /// Any message: the task that it belongs to (2025-11-25).
        pub fn related_task() -> by(TaskParams<'a>) = "io.modelcontextprotocol/related-task";
        /// Request, notification: the trace it belongs to, in the form of W3C Trace Context.
        pub fn traceparent() -> str = "traceparent";
        /// Request, notification: what vendors add to the trace.
        pub fn tracestate() -> str = "tracestate";
        /// Request, notification: what travels with the trace, in the form of W3C Baggage.
        pub fn baggage() -> str = "baggage";
    }
}
