//! What a side declares that it can do.

use super::{Revisions, Side};
use crate::json::{JsonKind, RawJson, ToJson, Writer};

/// One row: name, side, path, revisions.
struct Row {
    side: Side,
    /// The member of the capabilities object, and the member inside it.
    path: (&'static str, &'static str),
    /// Whether it is a boolean inside its group; else an object.
    flag: bool,
    revisions: Revisions,
}

macro_rules! capabilities {
    ($($(#[$doc:meta])* $variant:ident, $side:ident, $group:literal, $member:literal, $flag:literal, $first:literal, $last:literal;)*) => {
        /// A capability, or a part of one.
        ///
        /// ```
        /// use wireline::mcp::{Capability, Side};
        /// let subscribe = Capability::ResourcesSubscribe;
        /// assert_eq!(subscribe.path(), ("resources", "subscribe"));
        /// assert_eq!(subscribe.side(), Side::Server);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Capability { $($(#[$doc])* $variant,)* }

        impl Capability {
            /// Every capability; a group stands before its parts.
            pub const ALL: &'static [Capability] = &[$(Capability::$variant,)*];

            const TABLE: &'static [Row] = &[$(Row {
                side: Side::$side, path: ($group, $member), flag: $flag,
                revisions: Revisions::from($first, $last),
            },)*];
        }
    };
}

capabilities! {
    /// The client can list its roots.
    Roots, Client, "roots", "", false, 0, 4;
    /// It says when they change.
    RootsListChanged, Client, "roots", "listChanged", true, 0, 3;
    /// It can ask a model.
    Sampling, Client, "sampling", "", false, 0, 4;
    /// With context of other servers.
    SamplingContext, Client, "sampling", "context", false, 3, 4;
    /// With tools.
    SamplingTools, Client, "sampling", "tools", false, 3, 4;
    /// It can ask its user.
    Elicitation, Client, "elicitation", "", false, 2, 4;
    /// With a form; also what an empty `elicitation` means.
    ElicitationForm, Client, "elicitation", "form", false, 3, 4;
    /// By sending the user to a URL.
    ElicitationUrl, Client, "elicitation", "url", false, 3, 4;
    /// It takes requests as tasks.
    ClientTasks, Client, "tasks", "", false, 3, 3;
    /// It lists them.
    ClientTasksList, Client, "tasks", "list", false, 3, 3;
    /// It cancels them.
    ClientTasksCancel, Client, "tasks", "cancel", false, 3, 3;
    /// `sampling/createMessage` may be a task.
    ClientTasksSampling, Client, "tasks", "requests.sampling.createMessage", false, 3, 3;
    /// `elicitation/create` may be a task.
    ClientTasksElicitation, Client, "tasks", "requests.elicitation.create", false, 3, 3;
    /// What no revision defines.
    ClientExperimental, Client, "experimental", "", false, 0, 4;
    /// Extensions, by their identifiers.
    ClientExtensions, Client, "extensions", "", false, 4, 4;
    /// The server sends log messages.
    Logging, Server, "logging", "", false, 0, 4;
    /// It completes arguments.
    Completions, Server, "completions", "", false, 1, 4;
    /// It has prompts.
    Prompts, Server, "prompts", "", false, 0, 4;
    /// It says when their list changes.
    PromptsListChanged, Server, "prompts", "listChanged", true, 0, 4;
    /// It has resources.
    Resources, Server, "resources", "", false, 0, 4;
    /// It says when one of them changes, to whom asked for it.
    ResourcesSubscribe, Server, "resources", "subscribe", true, 0, 4;
    /// It says when their list changes.
    ResourcesListChanged, Server, "resources", "listChanged", true, 0, 4;
    /// It has tools.
    Tools, Server, "tools", "", false, 0, 4;
    /// It says when their list changes.
    ToolsListChanged, Server, "tools", "listChanged", true, 0, 4;
    /// It takes requests as tasks.
    ServerTasks, Server, "tasks", "", false, 3, 3;
    /// It lists them.
    ServerTasksList, Server, "tasks", "list", false, 3, 3;
    /// It cancels them.
    ServerTasksCancel, Server, "tasks", "cancel", false, 3, 3;
    /// `tools/call` may be a task.
    ServerTasksTools, Server, "tasks", "requests.tools.call", false, 3, 3;
    /// What no revision defines.
    ServerExperimental, Server, "experimental", "", false, 0, 4;
    /// Extensions, by their identifiers.
    ServerExtensions, Server, "extensions", "", false, 4, 4;
}

impl Capability {
    fn row(self) -> Option<&'static Row> {
        Self::TABLE.get(self as usize)
    }

    /// The side that declares it.
    #[must_use]
    pub fn side(self) -> Side {
        self.row().map_or(Side::Client, |row| row.side)
    }

    /// The member of the capabilities object, and the member (or members, joined by dots)
    /// inside it; that is empty for the group itself.
    #[must_use]
    pub fn path(self) -> (&'static str, &'static str) {
        self.row().map_or(("", ""), |row| row.path)
    }

    /// The revisions that define it.
    #[must_use]
    pub fn revisions(self) -> Revisions {
        self.row().map_or(Revisions::NONE, |row| row.revisions)
    }
}

/// A set of capabilities.
///
/// ```
/// use wireline::json::{self, RawJson};
/// use wireline::mcp::{Capabilities, Capability, Side};
/// let declared = RawJson::validate(br#"{"resources":{"subscribe":true},"x":{}}"#).unwrap();
/// let set = Capabilities::read(Side::Server, declared);
/// assert!(set.has(Capability::Resources) && set.has(Capability::ResourcesSubscribe));
/// assert!(!set.has(Capability::Tools));
///
/// let mut buffer = [0; 64];
/// assert_eq!(json::write(&set, &mut buffer), Ok(&br#"{"resources":{"subscribe":true}}"#[..]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Capabilities(u32);

impl Capabilities {
    /// None.
    pub const NONE: Capabilities = Capabilities(0);

    /// The same set and one more, with the group that it is a part of.
    #[must_use]
    pub const fn with(self, capability: Capability) -> Self {
        let group = match capability {
            Capability::RootsListChanged => Capability::Roots,
            Capability::SamplingContext | Capability::SamplingTools => Capability::Sampling,
            Capability::ElicitationForm | Capability::ElicitationUrl => Capability::Elicitation,
            Capability::ClientTasksList
            | Capability::ClientTasksCancel
            | Capability::ClientTasksSampling
            | Capability::ClientTasksElicitation => Capability::ClientTasks,
            Capability::PromptsListChanged => Capability::Prompts,
            Capability::ResourcesSubscribe | Capability::ResourcesListChanged => {
                Capability::Resources
            }
            Capability::ToolsListChanged => Capability::Tools,
            Capability::ServerTasksList
            | Capability::ServerTasksCancel
            | Capability::ServerTasksTools => Capability::ServerTasks,
            other => other,
        };
        Capabilities(self.0 | bit(capability) | bit(group))
    }

    /// Whether the capability is in the set.
    #[must_use]
    pub const fn has(self, capability: Capability) -> bool {
        self.0 & bit(capability) != 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What a side has declared. Unknown members pass. A group counts by being there as an
    /// object, a boolean by being `true`; an `elicitation` that names no mode means forms.
    #[must_use]
    pub fn read(side: Side, declared: RawJson<'_>) -> Self {
        let mut set = Capabilities::NONE;
        for &capability in Capability::ALL {
            let Some(row) = capability.row() else {
                continue;
            };
            if row.side != side {
                continue;
            }
            let mut found = declared.get(row.path.0);
            if !row.path.1.is_empty() {
                for name in row.path.1.split('.') {
                    found = found.and_then(|value| value.get(name));
                }
            }
            let Some(value) = found else { continue };
            if value.as_bool() == Some(true) || (!row.flag && value.kind() == JsonKind::Object) {
                set = set.with(capability);
            }
        }
        if set.has(Capability::Elicitation) && !set.has(Capability::ElicitationUrl) {
            set = set.with(Capability::ElicitationForm);
        }
        set
    }

    /// What of the set a revision defines.
    #[must_use]
    pub fn in_revision(self, revision: super::Revision) -> Self {
        let mut set = self.0;
        for &capability in Capability::ALL {
            if !capability.revisions().contains(revision) {
                set &= !bit(capability);
            }
        }
        Capabilities(set)
    }

    /// Writes the set as members of the object that is open.
    pub(crate) fn write_members(self, w: &mut Writer<'_>) {
        let mut group = "";
        let mut requests = false;
        for &capability in Capability::ALL {
            let (Some(row), true) = (capability.row(), self.has(capability)) else {
                continue;
            };
            if row.path.0 != group {
                if !group.is_empty() {
                    if requests {
                        w.end_object();
                        requests = false;
                    }
                    w.end_object();
                }
                group = row.path.0;
                w.key(group).begin_object();
            }
            let mut names = row.path.1.split('.');
            match (names.next(), names.next(), names.next()) {
                (Some(""), ..) => {}
                (Some(name), None, _) => {
                    w.key(name);
                    if row.flag {
                        w.bool(true);
                    } else {
                        w.begin_object().end_object();
                    }
                }
                (Some(_), Some(of), Some(what)) => {
                    if !requests {
                        w.key("requests").begin_object();
                        requests = true;
                    }
                    w.key(of)
                        .begin_object()
                        .key(what)
                        .begin_object()
                        .end_object();
                    w.end_object();
                }
                _ => {}
            }
        }
        if requests {
            w.end_object();
        }
        if !group.is_empty() {
            w.end_object();
        }
    }
}

const fn bit(capability: Capability) -> u32 {
    1u32.wrapping_shl(capability as u32)
}

/// The object that declares the set.
impl ToJson for Capabilities {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object();
        self.write_members(w);
        w.end_object();
    }
}
