//! The Model Context Protocol's names as tables, and typed views of its payloads.
//!
//! A revision is a row, and so are a method and a capability: what a session does follows
//! from them. What is in no table (an extension's method, a member that a later revision
//! adds) passes through as it is.
//!
//! [`view`] looks into params and results that were received, [`write`](mod@write) makes
//! those that are sent.
//!
//! ```
//! use wireline::mcp::{Method, Revision, Side};
//! let listen = Method::SubscriptionsListen;
//! assert_eq!(listen.name(), "subscriptions/listen");
//! assert!(listen.may_send(Side::Client, Revision::V2026_07_28));
//! assert!(!listen.may_send(Side::Client, Revision::V2025_11_25));
//! ```

mod capability;
pub mod code;
mod level;
mod method;
mod revision;
pub mod view;
mod words;
pub mod write;

pub use capability::{Capabilities, Capability};
pub use level::LogLevel;
pub use method::{Method, MethodKind};
pub use revision::{Era, Revision, Revisions};
pub use words::{
    CacheScope, ElicitAction, ElicitMode, IncludeContext, ResultType, Role, TaskStatus,
    TaskSupport, Theme, ToolChoiceMode,
};

/// Which of the two sides of a connection.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that opens the session and calls tools.
    Client,
    /// The side that has the tools.
    Server,
}

impl Side {
    /// The side's name: `client` or `server`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Side::Client => "client",
            Side::Server => "server",
        }
    }

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Client => Side::Server,
            Side::Server => Side::Client,
        }
    }
}

/// The members of `_meta` that the protocol reserves and a core reads or writes.
pub mod meta {
    /// Request: the revision that it follows (2026-07-28).
    pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    /// Request: what its client can do (2026-07-28).
    pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    /// Request: who its client is (2026-07-28).
    pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    /// Request: from which level on log messages may be sent for it (2026-07-28).
    pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    /// Result: who the server is (2026-07-28).
    pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    /// Notification of a subscription: the id of its `subscriptions/listen` (2026-07-28).
    pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
    /// Any message that belongs to a task (2025-11-25).
    pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
    /// Request: the token that its progress carries (all revisions).
    pub const PROGRESS_TOKEN: &str = "progressToken";
}
