//! Methods: who may send which, in which revisions, behind which capability.

use super::{Capability, Revision, Revisions, Side};
use crate::json::{JsonKind, JsonStr};

/// Whether a method is one of requests or of notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MethodKind {
    /// It is owed an answer.
    Request,
    /// It is never answered.
    Notification,
}

/// Bits of [`Row::senders`]: two for the legacy era, two for the modern one.
const C: u8 = 1;
const S: u8 = 2;
const B: u8 = 3;

struct Row {
    name: &'static str,
    kind: MethodKind,
    /// Who may send it: legacy in the low two bits, modern in the next two.
    senders: u8,
    revisions: Revisions,
}

macro_rules! methods {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $kind:ident, $legacy:expr, $modern:expr, $first:literal, $last:literal;)*) => {
        /// A method that some revision defines.
        ///
        /// ```
        /// use wireline::mcp::{Method, MethodKind};
        /// let cancelled = Method::parse("notifications/cancelled").unwrap();
        /// assert_eq!(cancelled, Method::Cancelled);
        /// assert_eq!(cancelled.kind(), MethodKind::Notification);
        /// assert_eq!(Method::parse("no/such"), None);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Method { $($(#[$doc])* $variant,)* }

        impl Method {
            /// Every method: requests, then notifications.
            pub const ALL: &'static [Method] = &[$(Method::$variant,)*];

            const TABLE: &'static [Row] = &[$(Row {
                name: $name, kind: MethodKind::$kind,
                senders: $legacy | ($modern << 2), revisions: Revisions::from($first, $last),
            },)*];
        }
    };
}

methods! {
    /// Opens a legacy session.
    Initialize, "initialize", Request, C, 0, 0, 3;
    /// What the server is and supports.
    Discover, "server/discover", Request, 0, C, 4, 4;
    /// Whether the other side is there.
    Ping, "ping", Request, B, 0, 0, 3;
    /// A page of the tools.
    ToolsList, "tools/list", Request, C, C, 0, 4;
    /// Calls one of them.
    ToolsCall, "tools/call", Request, C, C, 0, 4;
    /// A page of the resources.
    ResourcesList, "resources/list", Request, C, C, 0, 4;
    /// A page of the resource templates.
    ResourceTemplatesList, "resources/templates/list", Request, C, C, 0, 4;
    /// A resource's contents.
    ResourcesRead, "resources/read", Request, C, C, 0, 4;
    /// Asks to be told of a resource's changes.
    ResourcesSubscribe, "resources/subscribe", Request, C, 0, 0, 3;
    /// No longer.
    ResourcesUnsubscribe, "resources/unsubscribe", Request, C, 0, 0, 3;
    /// A page of the prompts.
    PromptsList, "prompts/list", Request, C, C, 0, 4;
    /// One of them.
    PromptsGet, "prompts/get", Request, C, C, 0, 4;
    /// Completes an argument.
    Complete, "completion/complete", Request, C, C, 0, 4;
    /// From which level on log messages are sent.
    SetLevel, "logging/setLevel", Request, C, 0, 0, 3;
    /// Opens a subscription.
    SubscriptionsListen, "subscriptions/listen", Request, 0, C, 4, 4;
    /// The client's roots.
    RootsList, "roots/list", Request, S, 0, 0, 3;
    /// Asks the client's model.
    CreateMessage, "sampling/createMessage", Request, S, 0, 0, 3;
    /// Asks the client's user.
    Elicit, "elicitation/create", Request, S, 0, 2, 3;
    /// A task's state.
    TasksGet, "tasks/get", Request, B, 0, 3, 3;
    /// A task's outcome.
    TasksResult, "tasks/result", Request, B, 0, 3, 3;
    /// A page of the tasks.
    TasksList, "tasks/list", Request, B, 0, 3, 3;
    /// Cancels a task.
    TasksCancel, "tasks/cancel", Request, B, 0, 3, 3;
    /// The handshake is done.
    Initialized, "notifications/initialized", Notification, C, 0, 0, 3;
    /// A request is no longer wanted.
    Cancelled, "notifications/cancelled", Notification, B, B, 0, 4;
    /// How far a request is.
    Progress, "notifications/progress", Notification, B, S, 0, 4;
    /// A log message.
    LogMessage, "notifications/message", Notification, S, S, 0, 4;
    /// The list of resources has changed.
    ResourcesListChanged, "notifications/resources/list_changed", Notification, S, S, 0, 4;
    /// A resource has changed.
    ResourcesUpdated, "notifications/resources/updated", Notification, S, S, 0, 4;
    /// The list of prompts has changed.
    PromptsListChanged, "notifications/prompts/list_changed", Notification, S, S, 0, 4;
    /// The list of tools has changed.
    ToolsListChanged, "notifications/tools/list_changed", Notification, S, S, 0, 4;
    /// The client's roots have changed.
    RootsListChanged, "notifications/roots/list_changed", Notification, C, 0, 0, 3;
    /// What a user was sent to a URL for is done.
    ElicitationComplete, "notifications/elicitation/complete", Notification, S, 0, 3, 3;
    /// A task's state has changed.
    TasksStatus, "notifications/tasks/status", Notification, B, 0, 3, 3;
    /// A subscription is open, and this is what it covers.
    SubscriptionsAcknowledged, "notifications/subscriptions/acknowledged", Notification, 0, S, 4, 4;
}

impl Method {
    fn row(self) -> Option<&'static Row> {
        Self::TABLE.get(self as usize)
    }

    /// The method's name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| row.name)
    }

    /// Whether it is a request's or a notification's.
    #[must_use]
    pub fn kind(self) -> MethodKind {
        self.row().map_or(MethodKind::Notification, |row| row.kind)
    }

    /// The revisions that define it.
    #[must_use]
    pub fn revisions(self) -> Revisions {
        self.row().map_or(Revisions::NONE, |row| row.revisions)
    }

    /// The method of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }

    /// The method that a received string names.
    #[must_use]
    pub fn from_json_str(name: JsonStr<'_>) -> Option<Self> {
        // Names without escapes, that is nearly all, are found by their length first.
        let raw = name.raw_bytes();
        let plain = !raw.contains(&b'\\');
        Self::ALL.iter().copied().find(|it| {
            if plain {
                raw == it.name().as_bytes()
            } else {
                name == it.name()
            }
        })
    }

    /// Whether a side may send it in a revision. A server's `notifications/cancelled` is
    /// for `subscriptions/listen` alone in the modern era.
    #[must_use]
    pub fn may_send(self, side: Side, revision: Revision) -> bool {
        let Some(row) = self.row() else { return false };
        let senders = match revision.era() {
            super::Era::Legacy => row.senders,
            super::Era::Modern => row.senders >> 2,
        };
        let side = match side {
            Side::Client => C,
            Side::Server => S,
        };
        row.revisions.contains(revision) && senders & side != 0
    }

    /// The capability that must have been declared before `sender` may send it: by the
    /// receiver for a request, by the sender for most notifications.
    #[must_use]
    pub fn capability(self, sender: Side, revision: Revision) -> Option<Capability> {
        let server_has = sender == Side::Client;
        Some(match self {
            Method::ToolsList | Method::ToolsCall => Capability::Tools,
            Method::ResourcesList | Method::ResourceTemplatesList | Method::ResourcesRead => {
                Capability::Resources
            }
            Method::ResourcesSubscribe
            | Method::ResourcesUnsubscribe
            | Method::ResourcesUpdated => Capability::ResourcesSubscribe,
            Method::PromptsList | Method::PromptsGet => Capability::Prompts,
            Method::Complete if revision != Revision::V2024_11_05 => Capability::Completions,
            Method::SetLevel | Method::LogMessage => Capability::Logging,
            Method::RootsList => Capability::Roots,
            Method::CreateMessage => Capability::Sampling,
            Method::Elicit => Capability::Elicitation,
            Method::TasksGet | Method::TasksResult if server_has => Capability::ServerTasks,
            Method::TasksGet | Method::TasksResult => Capability::ClientTasks,
            Method::TasksList if server_has => Capability::ServerTasksList,
            Method::TasksList => Capability::ClientTasksList,
            Method::TasksCancel if server_has => Capability::ServerTasksCancel,
            Method::TasksCancel => Capability::ClientTasksCancel,
            Method::ResourcesListChanged => Capability::ResourcesListChanged,
            Method::PromptsListChanged => Capability::PromptsListChanged,
            Method::ToolsListChanged => Capability::ToolsListChanged,
            Method::RootsListChanged => Capability::RootsListChanged,
            Method::ElicitationComplete => Capability::ElicitationUrl,
            Method::TasksStatus if server_has => Capability::ClientTasks,
            Method::TasksStatus => Capability::ServerTasks,
            _ => return None,
        })
    }

    /// The members that `params` must have, and their types. `_meta` of the modern era is
    /// judged apart.
    #[must_use]
    pub const fn required(self) -> &'static [(&'static str, JsonKind)] {
        use JsonKind::{Array, Number, Object, String};
        match self {
            Method::Initialize => &[
                ("protocolVersion", String),
                ("capabilities", Object),
                ("clientInfo", Object),
            ],
            Method::ToolsCall | Method::PromptsGet => &[("name", String)],
            Method::ResourcesRead
            | Method::ResourcesSubscribe
            | Method::ResourcesUnsubscribe
            | Method::ResourcesUpdated => &[("uri", String)],
            Method::Complete => &[("ref", Object), ("argument", Object)],
            Method::SetLevel => &[("level", String)],
            Method::SubscriptionsListen | Method::SubscriptionsAcknowledged => {
                &[("notifications", Object)]
            }
            Method::CreateMessage => &[("messages", Array), ("maxTokens", Number)],
            Method::Elicit => &[("message", String)],
            Method::TasksGet | Method::TasksResult | Method::TasksCancel => &[("taskId", String)],
            Method::LogMessage => &[("level", String)],
            Method::ElicitationComplete => &[("elicitationId", String)],
            Method::TasksStatus => &[("taskId", String), ("status", String)],
            Method::Progress => &[("progress", Number)],
            _ => &[],
        }
    }

    /// The members that a result must have, and their types.
    #[must_use]
    pub const fn required_result(self) -> &'static [(&'static str, JsonKind)] {
        use JsonKind::{Array, Object, String};
        match self {
            Method::Initialize => &[
                ("protocolVersion", String),
                ("capabilities", Object),
                ("serverInfo", Object),
            ],
            Method::Discover => &[("supportedVersions", Array), ("capabilities", Object)],
            Method::ToolsList => &[("tools", Array)],
            Method::ToolsCall => &[("content", Array)],
            Method::ResourcesList => &[("resources", Array)],
            Method::ResourceTemplatesList => &[("resourceTemplates", Array)],
            Method::ResourcesRead => &[("contents", Array)],
            Method::PromptsList => &[("prompts", Array)],
            Method::PromptsGet => &[("messages", Array)],
            Method::Complete => &[("completion", Object)],
            Method::RootsList => &[("roots", Array)],
            Method::CreateMessage => &[("role", String), ("model", String)],
            Method::Elicit => &[("action", String)],
            Method::TasksList => &[("tasks", Array)],
            Method::TasksGet | Method::TasksCancel => &[("taskId", String), ("status", String)],
            _ => &[],
        }
    }

    /// Whether its result comes in pages, with `cursor` and `nextCursor`.
    #[must_use]
    pub const fn is_paginated(self) -> bool {
        matches!(
            self,
            Method::ToolsList
                | Method::ResourcesList
                | Method::ResourceTemplatesList
                | Method::PromptsList
                | Method::TasksList
        )
    }

    /// Whether its complete result carries `ttlMs` and `cacheScope` in the modern era.
    #[must_use]
    pub const fn is_cacheable(self) -> bool {
        matches!(
            self,
            Method::Discover
                | Method::ToolsList
                | Method::ResourcesList
                | Method::ResourceTemplatesList
                | Method::ResourcesRead
                | Method::PromptsList
        )
    }

    /// Whether its result may ask for input first (`input_required`) in the modern era.
    #[must_use]
    pub const fn may_ask_input(self) -> bool {
        matches!(
            self,
            Method::ToolsCall | Method::PromptsGet | Method::ResourcesRead
        )
    }

    /// The revisions in which it is still defined, but marked as deprecated.
    #[must_use]
    pub const fn deprecated(self) -> Revisions {
        match self {
            Method::LogMessage => Revisions::MODERN,
            _ => Revisions::NONE,
        }
    }
}
