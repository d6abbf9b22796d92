//! Members whose value is one of a few words.

use crate::json::{JsonStr, ToJson, Writer};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every word that this version knows.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The word on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// What the word says; `None` for a word that is in no revision.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == word)
            }

            /// What a received string says; `None` for a word that is in no revision.
            #[must_use]
            pub fn from_json_str(word: JsonStr<'_>) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| word == it.name())
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }

        /// The word.
        impl ToJson for $name {
            fn write_json(&self, w: &mut Writer<'_>) {
                w.string(self.name());
            }
        }
    )*};
}

words! {
    /// Who speaks in a conversation, or whom content is for.
    ///
    /// ```
    /// use wireline::mcp::Role;
    /// assert_eq!(Role::parse("assistant"), Some(Role::Assistant));
    /// assert_eq!(Role::User.name(), "user");
    /// ```
    Role {
        /// The user.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }

    /// Who may be given a result again that was kept (2026-07-28).
    ///
    /// ```
    /// use wireline::mcp::CacheScope;
    /// assert_eq!(CacheScope::parse("private"), Some(CacheScope::Private));
    /// ```
    CacheScope {
        /// Anybody.
        Public = "public",
        /// Whoever it was sent to.
        Private = "private",
    }

    /// What kind a result is of (2026-07-28). Extensions may add kinds.
    ///
    /// ```
    /// use wireline::mcp::ResultType;
    /// assert_eq!(ResultType::parse("input_required"), Some(ResultType::InputRequired));
    /// ```
    ResultType {
        /// The request has been served. Also what a result says that names no kind.
        Complete = "complete",
        /// The server needs input first.
        InputRequired = "input_required",
        /// The request has become a task (extension `io.modelcontextprotocol/tasks`).
        Task = "task",
    }

    /// What a user did when asked (from 2025-06-18).
    ///
    /// ```
    /// use wireline::mcp::ElicitAction;
    /// assert_eq!(ElicitAction::parse("decline"), Some(ElicitAction::Decline));
    /// ```
    ElicitAction {
        /// Agreed, and gave what a form asked for.
        Accept = "accept",
        /// Said no.
        Decline = "decline",
        /// Went away without an answer.
        Cancel = "cancel",
    }

    /// How a user is asked (from 2025-11-25).
    ///
    /// ```
    /// use wireline::mcp::ElicitMode;
    /// assert_eq!(ElicitMode::parse("url"), Some(ElicitMode::Url));
    /// ```
    ElicitMode {
        /// With a form. Also what a request says that names no mode.
        Form = "form",
        /// By being sent to a URL.
        Url = "url",
    }

    /// A task's state (2025-11-25).
    ///
    /// ```
    /// use wireline::mcp::TaskStatus;
    /// assert_eq!(TaskStatus::parse("failed"), Some(TaskStatus::Failed));
    /// assert!(TaskStatus::Failed.is_terminal() && !TaskStatus::Working.is_terminal());
    /// ```
    TaskStatus {
        /// Under way.
        Working = "working",
        /// Waiting for input.
        InputRequired = "input_required",
        /// Done.
        Completed = "completed",
        /// Gone wrong.
        Failed = "failed",
        /// Cancelled.
        Cancelled = "cancelled",
    }

    /// Whether a tool is called as a task (2025-11-25).
    ///
    /// ```
    /// use wireline::mcp::TaskSupport;
    /// assert_eq!(TaskSupport::parse("optional"), Some(TaskSupport::Optional));
    /// ```
    TaskSupport {
        /// Never. Also what a tool says that says nothing.
        Forbidden = "forbidden",
        /// If the caller likes.
        Optional = "optional",
        /// Always.
        Required = "required",
    }

    /// Whose context a model is given.
    ///
    /// ```
    /// use wireline::mcp::IncludeContext;
    /// assert_eq!(IncludeContext::parse("none"), Some(IncludeContext::Nothing));
    /// ```
    IncludeContext {
        /// Nobody's.
        Nothing = "none",
        /// That of the server that asks.
        ThisServer = "thisServer",
        /// That of all servers.
        AllServers = "allServers",
    }

    /// Whether a model is to use tools (from 2025-11-25).
    ///
    /// ```
    /// use wireline::mcp::ToolChoiceMode;
    /// assert_eq!(ToolChoiceMode::parse("required"), Some(ToolChoiceMode::Required));
    /// ```
    ToolChoiceMode {
        /// If it likes. Also what a choice says that names no mode.
        Auto = "auto",
        /// At least one.
        Required = "required",
        /// None.
        Nothing = "none",
    }

    /// The background that an icon is made for (from 2025-11-25).
    ///
    /// ```
    /// use wireline::mcp::Theme;
    /// assert_eq!(Theme::parse("dark"), Some(Theme::Dark));
    /// ```
    Theme {
        /// A light one.
        Light = "light",
        /// A dark one.
        Dark = "dark",
    }
}

impl TaskStatus {
    /// Whether the task stays in this state for ever.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(
            self,
            TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled
        )
    }
}
