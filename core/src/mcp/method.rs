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

/// A method in six bytes.
struct Row {
    /// Where its name ends in [`NAMES`]; it begins where the one before it ends.
    end: u16,
    /// Who may send it: legacy in the low two bits, modern in the next two.
    senders: u8,
    revisions: Revisions,
    /// The capability behind it, if a client sends it.
    of_client: Option<Capability>,
    /// If a server sends it.
    of_server: Option<Capability>,
}

/// The capability behind a method, whoever sends it.
const fn needs(capability: Capability) -> [Option<Capability>; 2] {
    [Some(capability), Some(capability)]
}

/// The capabilities behind a method that a client and that a server sends.
const fn each(client: Capability, server: Capability) -> [Option<Capability>; 2] {
    [Some(client), Some(server)]
}

/// No capability.
const NONE: [Option<Capability>; 2] = [None, None];

macro_rules! methods {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $legacy:expr, $modern:expr, $first:literal, $last:literal, $needs:expr;)*) => {
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

            const TABLE: &'static [Row] = &{
                let mut end = 0u16;
                [$(Row {
                    end: { end = end.wrapping_add($name.len() as u16); end },
                    senders: $legacy | ($modern << 2),
                    revisions: Revisions::from($first, $last),
                    of_client: $needs[0],
                    of_server: $needs[1],
                },)*]
            };
        }

        /// All names, one after the other.
        const NAMES: &str = concat!($($name,)*);
    };
}

methods! {
    /// Opens a legacy session.
    Initialize, "initialize", C, 0, 0, 3, NONE;
    /// What the server is and supports.
    Discover, "server/discover", 0, C, 4, 4, NONE;
    /// Whether the other side is there.
    Ping, "ping", B, 0, 0, 3, NONE;
    /// A page of the tools.
    ToolsList, "tools/list", C, C, 0, 4, needs(Capability::Tools);
    /// Calls one of them.
    ToolsCall, "tools/call", C, C, 0, 4, needs(Capability::Tools);
    /// A page of the resources.
    ResourcesList, "resources/list", C, C, 0, 4, needs(Capability::Resources);
    /// A page of the resource templates.
    ResourceTemplatesList, "resources/templates/list", C, C, 0, 4, needs(Capability::Resources);
    /// A resource's contents.
    ResourcesRead, "resources/read", C, C, 0, 4, needs(Capability::Resources);
    /// Asks to be told of a resource's changes.
    ResourcesSubscribe, "resources/subscribe", C, 0, 0, 3, needs(Capability::ResourcesSubscribe);
    /// No longer.
    ResourcesUnsubscribe, "resources/unsubscribe", C, 0, 0, 3, needs(Capability::ResourcesSubscribe);
    /// A page of the prompts.
    PromptsList, "prompts/list", C, C, 0, 4, needs(Capability::Prompts);
    /// One of them.
    PromptsGet, "prompts/get", C, C, 0, 4, needs(Capability::Prompts);
    /// Completes an argument.
    Complete, "completion/complete", C, C, 0, 4, needs(Capability::Completions);
    /// From which level on log messages are sent.
    SetLevel, "logging/setLevel", C, 0, 0, 3, needs(Capability::Logging);
    /// Opens a subscription.
    SubscriptionsListen, "subscriptions/listen", 0, C, 4, 4, NONE;
    /// The client's roots.
    RootsList, "roots/list", S, 0, 0, 3, needs(Capability::Roots);
    /// Asks the client's model.
    CreateMessage, "sampling/createMessage", S, 0, 0, 3, needs(Capability::Sampling);
    /// Asks the client's user.
    Elicit, "elicitation/create", S, 0, 2, 3, needs(Capability::Elicitation);
    /// A task's state.
    TasksGet, "tasks/get", B, 0, 3, 3, each(Capability::ServerTasks, Capability::ClientTasks);
    /// A task's outcome.
    TasksResult, "tasks/result", B, 0, 3, 3, each(Capability::ServerTasks, Capability::ClientTasks);
    /// A page of the tasks.
    TasksList, "tasks/list", B, 0, 3, 3, each(Capability::ServerTasksList, Capability::ClientTasksList);
    /// Cancels a task.
    TasksCancel, "tasks/cancel", B, 0, 3, 3, each(Capability::ServerTasksCancel, Capability::ClientTasksCancel);
    /// The handshake is done.
    Initialized, "notifications/initialized", C, 0, 0, 3, NONE;
    /// A request is no longer wanted.
    Cancelled, "notifications/cancelled", B, B, 0, 4, NONE;
    /// How far a request is.
    Progress, "notifications/progress", B, S, 0, 4, NONE;
    /// A log message.
    LogMessage, "notifications/message", S, S, 0, 4, needs(Capability::Logging);
    /// The list of resources has changed.
    ResourcesListChanged, "notifications/resources/list_changed", S, S, 0, 4, needs(Capability::ResourcesListChanged);
    /// A resource has changed.
    ResourcesUpdated, "notifications/resources/updated", S, S, 0, 4, needs(Capability::ResourcesSubscribe);
    /// The list of prompts has changed.
    PromptsListChanged, "notifications/prompts/list_changed", S, S, 0, 4, needs(Capability::PromptsListChanged);
    /// The list of tools has changed.
    ToolsListChanged, "notifications/tools/list_changed", S, S, 0, 4, needs(Capability::ToolsListChanged);
    /// The client's roots have changed.
    RootsListChanged, "notifications/roots/list_changed", C, 0, 0, 3, needs(Capability::RootsListChanged);
    /// What a user was sent to a URL for is done.
    ElicitationComplete, "notifications/elicitation/complete", S, 0, 3, 3, needs(Capability::ElicitationUrl);
    /// A task's state has changed.
    TasksStatus, "notifications/tasks/status", B, 0, 3, 3, each(Capability::ClientTasks, Capability::ServerTasks);
    /// A subscription is open, and this is what it covers.
    SubscriptionsAcknowledged, "notifications/subscriptions/acknowledged", 0, S, 4, 4, NONE;
}

/// The members of a method, out of rows of methods that have the same. A chip keeps one
/// byte for a method, and each row once.
macro_rules! list {
    ($method:ident; $($($variant:ident)|+ => $($member:expr),+;)*) => {{
        const LISTS: &[&[(&str, JsonKind)]] = &[$(&[$($member),+]),*];
        // What is out of bounds here does not compile.
        #[allow(clippy::indexing_slicing)]
        const ROWS: [u8; Method::ALL.len()] = {
            let mut rows = [u8::MAX; Method::ALL.len()];
            let mut row = 0u8;
            $(
                $(rows[Method::$variant as usize] = row;)+
                row = row.wrapping_add(1);
            )*
            let _ = row;
            rows
        };
        match ROWS.get($method as usize) {
            Some(row) => match LISTS.get(*row as usize) { Some(list) => list, None => &[] },
            None => &[],
        }
    }};
}

impl Method {
    fn row(self) -> Option<&'static Row> {
        Self::TABLE.get(self as usize)
    }

    /// The method's name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        let index = self as usize;
        let before = index.checked_sub(1).and_then(|it| Self::TABLE.get(it));
        let begin = before.map_or(0, |row| usize::from(row.end));
        let end = self.row().map_or(0, |row| usize::from(row.end));
        NAMES.get(begin..end).unwrap_or("")
    }

    /// Whether it is a request's or a notification's.
    #[must_use]
    pub const fn kind(self) -> MethodKind {
        if (self as u8) < Method::Initialized as u8 {
            MethodKind::Request
        } else {
            MethodKind::Notification
        }
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
        let plain = raw.iter().all(|byte| *byte != b'\\');
        let is_it = |it: &str| raw == it.as_bytes() || !plain && name == it;
        Self::ALL.iter().copied().find(|it| is_it(it.name()))
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
    /// receiver for a request, by the sender for most notifications. None where the
    /// revision does not define it.
    #[must_use]
    pub fn capability(self, sender: Side, revision: Revision) -> Option<Capability> {
        let row = self.row()?;
        let needs = match sender {
            Side::Client => row.of_client,
            Side::Server => row.of_server,
        }?;
        needs.revisions().contains(revision).then_some(needs)
    }

    /// The members that `params` must have, and their types. `_meta` of the modern era is
    /// judged apart.
    #[must_use]
    pub fn required(self) -> &'static [(&'static str, JsonKind)] {
        use JsonKind::{Array, Number, Object, String};
        list! { self;
            Initialize => ("protocolVersion", String), ("capabilities", Object), ("clientInfo", Object);
            ToolsCall | PromptsGet => ("name", String);
            ResourcesRead | ResourcesSubscribe | ResourcesUnsubscribe | ResourcesUpdated =>
                ("uri", String);
            Complete => ("ref", Object), ("argument", Object);
            SetLevel | LogMessage => ("level", String);
            SubscriptionsListen | SubscriptionsAcknowledged => ("notifications", Object);
            CreateMessage => ("messages", Array), ("maxTokens", Number);
            Elicit => ("message", String);
            TasksGet | TasksResult | TasksCancel => ("taskId", String);
            ElicitationComplete => ("elicitationId", String);
            TasksStatus => ("taskId", String), ("status", String);
            Progress => ("progress", Number);
        }
    }

    /// The members that a result must have, and their types.
    #[must_use]
    pub fn required_result(self) -> &'static [(&'static str, JsonKind)] {
        use JsonKind::{Array, Object, String};
        list! { self;
            Initialize => ("protocolVersion", String), ("capabilities", Object), ("serverInfo", Object);
            Discover => ("supportedVersions", Array), ("capabilities", Object);
            ToolsList => ("tools", Array);
            ToolsCall => ("content", Array);
            ResourcesList => ("resources", Array);
            ResourceTemplatesList => ("resourceTemplates", Array);
            ResourcesRead => ("contents", Array);
            PromptsList => ("prompts", Array);
            PromptsGet => ("messages", Array);
            Complete => ("completion", Object);
            RootsList => ("roots", Array);
            CreateMessage => ("role", String), ("model", String);
            Elicit => ("action", String);
            TasksList => ("tasks", Array);
            TasksGet | TasksCancel => ("taskId", String), ("status", String);
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
