//! What stands in many places: who somebody is, icons, annotations, `_meta`.

use super::*;
use crate::mcp::meta;

views! {
    /// Who a client or a server is.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::Implementation;
    /// let who = RawJson::validate(br#"{"name":"board","version":"1.2","title":"The board"}"#);
    /// let who = Implementation::new(who.unwrap());
    /// assert_eq!(who.display_name().unwrap(), "The board");
    /// ```
    Implementation {
        /// Its name in programs.
        pub fn name() -> str = "name", required;
        /// Its version.
        pub fn version() -> str = "version", required;
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it does (from 2025-11-25).
        pub fn description() -> str = "description";
        /// Its home page (from 2025-11-25).
        pub fn website_url() -> str = "websiteUrl";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> list(Icon<'a>) = "icons";
    }

    /// An icon (from 2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{Theme, view::Icon};
    /// let icon = RawJson::validate(br#"{"src":"https://x/i.png","sizes":["48x48"],"theme":"dark"}"#);
    /// let icon = Icon::new(icon.unwrap());
    /// assert_eq!(icon.theme(), Some(Theme::Dark));
    /// assert!(icon.sizes().eq(["48x48"]));
    /// ```
    Icon {
        /// Where it is: a URL, or a `data:` URI.
        pub fn src() -> str = "src", required;
        /// Its media type, if that of `src` does not say.
        pub fn mime_type() -> str = "mimeType";
        /// The sizes it can be shown in, as `48x48` or `any`.
        pub fn sizes() -> strings = "sizes";
        /// The background it is made for; `None`: any.
        pub fn theme() -> word(Theme) = "theme";
    }

    /// What a host may do with content or with a resource.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{Role, view::Annotations};
    /// let notes = Annotations::new(RawJson::validate(br#"{"audience":["user","x"]}"#).unwrap());
    /// assert!(notes.is_for(Role::User) && !notes.is_for(Role::Assistant));
    /// ```
    Annotations {
        /// Whom it is for; empty: it does not say. See [`is_for`](Self::is_for).
        pub fn audience() -> strings = "audience";
        /// How much it matters, from 0, not at all, to 1, essential.
        pub fn priority() -> num = "priority";
        /// When it was last changed, in ISO 8601 (from 2025-06-18).
        pub fn last_modified() -> str = "lastModified";
    }
}

impl<'a> Implementation<'a> {
    /// Its title, or its name, if it has none.
    #[must_use]
    pub fn display_name(self) -> Option<JsonStr<'a>> {
        self.title().or_else(|| self.name())
    }
}

impl Annotations<'_> {
    /// Whether it is for this role: it says so, or says nothing about whom it is for.
    #[must_use]
    pub fn is_for(self, role: Role) -> bool {
        let mut audience = self.audience().peekable();
        audience.peek().is_none() || audience.any(|it| it == role.name())
    }
}

views! {
    /// `_meta`: what the protocol reserves in it. All else is reached through
    /// [`raw`](Self::raw).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::Meta;
    /// let meta = Meta::new(RawJson::validate(br#"{"progressToken":7,"com.example/x":1}"#).unwrap());
    /// assert_eq!(meta.progress_token().unwrap().as_i64(), Some(7));
    /// assert!(meta.raw().get("com.example/x").is_some());
    /// ```
    Meta {
        /// Request: the token that its progress carries.
        pub fn progress_token() -> id = "progressToken";
        /// Request: the revision that it follows (2026-07-28).
        pub fn protocol_version() -> str = "io.modelcontextprotocol/protocolVersion";
        /// Request: what its client can do (2026-07-28). See
        /// [`Capabilities::read`](crate::mcp::Capabilities::read).
        pub fn client_capabilities() -> object = "io.modelcontextprotocol/clientCapabilities";
        /// Request: who its client is (2026-07-28). It is what the client says, and proves nothing.
        pub fn client_info() -> view(Implementation<'a>) = "io.modelcontextprotocol/clientInfo";
        /// Request: from which level on log messages may be sent for it (2026-07-28).
        pub fn log_level() -> word(LogLevel) = "io.modelcontextprotocol/logLevel";
        /// Result: who the server is (2026-07-28). It is what the server says, and proves nothing.
        pub fn server_info() -> view(Implementation<'a>) = "io.modelcontextprotocol/serverInfo";
        /// Notification of a subscription, and its result: the id of its
        /// `subscriptions/listen` (2026-07-28).
        pub fn subscription_id() -> id = "io.modelcontextprotocol/subscriptionId";
        /// Request, notification: the trace it belongs to, in the form of W3C Trace Context.
        pub fn traceparent() -> str = "traceparent";
        /// Request, notification: what vendors add to the trace.
        pub fn tracestate() -> str = "tracestate";
        /// Request, notification: what travels with the trace, in the form of W3C Baggage.
        pub fn baggage() -> str = "baggage";
    }
}

impl<'a> Meta<'a> {
    /// Any message: the task that it belongs to (2025-11-25).
    #[must_use]
    pub fn related_task(self) -> Option<JsonStr<'a>> {
        lookup::string(lookup::object(self.0, meta::RELATED_TASK)?, "taskId")
    }
}
