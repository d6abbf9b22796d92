//! What a side declares that it can do.

use super::{Revisions, Side};
use crate::json::{JsonKind, RawJson, ToJson, Writer};

struct Row {
    /// The member of the capabilities object, the member inside it, and so on; empty where
    /// the path ends.
    path: [&'static str; 4],
    side: Side,
    /// Whether it is a boolean inside its group; else an object.
    flag: bool,
    revisions: Revisions,
}

macro_rules! capabilities {
    ($($(#[$doc:meta])* $variant:ident, $side:ident, $path:expr, $flag:literal, $first:literal, $last:literal;)*) => {
        /// A capability, or a part of one.
        ///
        /// ```
        /// use wireline::mcp::{Capability, Side};
        /// let subscribe = Capability::ResourcesSubscribe;
        /// assert_eq!(subscribe.path(), ["resources", "subscribe", "", ""]);
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
                side: Side::$side, path: $path, flag: $flag,
                revisions: Revisions::from($first, $last),
            },)*];
        }
    };
}

capabilities! {
    /// The client can list its roots.
    Roots, Client, ["roots", "", "", ""], false, 0, 4;
    /// It says when they change.
    RootsListChanged, Client, ["roots", "listChanged", "", ""], true, 0, 3;
    /// It can ask a model.
    Sampling, Client, ["sampling", "", "", ""], false, 0, 4;
    /// With context of other servers.
    SamplingContext, Client, ["sampling", "context", "", ""], false, 3, 4;
    /// With tools.
    SamplingTools, Client, ["sampling", "tools", "", ""], false, 3, 4;
    /// It can ask its user.
    Elicitation, Client, ["elicitation", "", "", ""], false, 2, 4;
    /// With a form; also what an empty `elicitation` means.
    ElicitationForm, Client, ["elicitation", "form", "", ""], false, 3, 4;
    /// By sending the user to a URL.
    ElicitationUrl, Client, ["elicitation", "url", "", ""], false, 3, 4;
    /// It takes requests as tasks.
    ClientTasks, Client, ["tasks", "", "", ""], false, 3, 3;
    /// It lists them.
    ClientTasksList, Client, ["tasks", "list", "", ""], false, 3, 3;
    /// It cancels them.
    ClientTasksCancel, Client, ["tasks", "cancel", "", ""], false, 3, 3;
    /// `sampling/createMessage` may be a task.
    ClientTasksSampling, Client, ["tasks", "requests", "sampling", "createMessage"], false, 3, 3;
    /// `elicitation/create` may be a task.
    ClientTasksElicitation, Client, ["tasks", "requests", "elicitation", "create"], false, 3, 3;
    /// What no revision defines.
    ClientExperimental, Client, ["experimental", "", "", ""], false, 0, 4;
    /// Extensions, by their identifiers.
    ClientExtensions, Client, ["extensions", "", "", ""], false, 4, 4;
    /// The server sends log messages.
    Logging, Server, ["logging", "", "", ""], false, 0, 4;
    /// It completes arguments.
    Completions, Server, ["completions", "", "", ""], false, 1, 4;
    /// It has prompts.
    Prompts, Server, ["prompts", "", "", ""], false, 0, 4;
    /// It says when their list changes.
    PromptsListChanged, Server, ["prompts", "listChanged", "", ""], true, 0, 4;
    /// It has resources.
    Resources, Server, ["resources", "", "", ""], false, 0, 4;
    /// It says when one of them changes, to whom asked for it.
    ResourcesSubscribe, Server, ["resources", "subscribe", "", ""], true, 0, 4;
    /// It says when their list changes.
    ResourcesListChanged, Server, ["resources", "listChanged", "", ""], true, 0, 4;
    /// It has tools.
    Tools, Server, ["tools", "", "", ""], false, 0, 4;
    /// It says when their list changes.
    ToolsListChanged, Server, ["tools", "listChanged", "", ""], true, 0, 4;
    /// It takes requests as tasks.
    ServerTasks, Server, ["tasks", "", "", ""], false, 3, 3;
    /// It lists them.
    ServerTasksList, Server, ["tasks", "list", "", ""], false, 3, 3;
    /// It cancels them.
    ServerTasksCancel, Server, ["tasks", "cancel", "", ""], false, 3, 3;
    /// `tools/call` may be a task.
    ServerTasksTools, Server, ["tasks", "requests", "tools", "call"], false, 3, 3;
    /// What no revision defines.
    ServerExperimental, Server, ["experimental", "", "", ""], false, 0, 4;
    /// Extensions, by their identifiers.
    ServerExtensions, Server, ["extensions", "", "", ""], false, 4, 4;
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

    /// The member of the capabilities object, the member inside that, and so on; empty
    /// where the path ends.
    #[must_use]
    pub fn path(self) -> [&'static str; 4] {
        self.row().map_or([""; 4], |row| row.path)
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
            let mut found = Some(declared);
            for name in row.path {
                if !name.is_empty() {
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
        let mut open = [""; 4];
        let mut depth = 0usize;
        for &capability in Capability::ALL {
            let (Some(row), true) = (capability.row(), self.has(capability)) else {
                continue;
            };
            let len = row.path.iter().take_while(|name| !name.is_empty()).count();
            let same = open
                .iter()
                .zip(&row.path)
                .take(depth)
                .take_while(|(a, b)| a == b)
                .count();
            while depth > same {
                w.end_object();
                depth = depth.saturating_sub(1);
            }
            let last = len.saturating_sub(1);
            for (at, name) in row.path.iter().enumerate().take(len).skip(depth) {
                w.key(name);
                if at == last && row.flag {
                    w.bool(true);
                } else {
                    w.begin_object();
                    if let Some(place) = open.get_mut(at) {
                        *place = name;
                    }
                    depth = at.saturating_add(1);
                }
            }
        }
        for _ in 0..depth {
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
