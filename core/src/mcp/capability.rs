//! What a side declares that it can do.

use super::{Revisions, Side};
use crate::json::{JsonKind, RawJson, ToJson, Writer};

/// A capability in six bytes.
struct Row {
    /// Places in [`NAMES`]; 0 where the path ends.
    path: [u8; 4],
    /// Whether it is a boolean inside its group; else an object.
    flag: bool,
    revisions: Revisions,
}

macro_rules! names {
    ($($name:literal)*) => {
        /// The names that paths are made of. The first stands for none. A chip has them as one
        /// text, and one byte for each that says where it ends.
        const NAMES: &[&str] = &["", $($name),*];
        const TEXT: &str = concat!($($name),*);
        const ENDS: [u8; NAMES.len()] = {
            let mut end = 0u8;
            [0, $({ end = end.wrapping_add($name.len() as u8); end }),*]
        };
    };
}

names! {
    "call" "cancel" "completions" "context" "create" "createMessage" "elicitation"
    "experimental" "extensions" "form" "list" "listChanged" "logging" "prompts" "requests"
    "resources" "roots" "sampling" "subscribe" "tasks" "tools" "url"
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
                path: places($path), flag: $flag,
                revisions: Revisions::from($first, $last),
            },)*];

            /// Those of clients, as bits.
            const OF_CLIENTS: u32 = 0 $(| match Side::$side {
                Side::Client => bit(Capability::$variant),
                Side::Server => 0,
            })*;
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

/// The place of a name in [`NAMES`], while compiling.
const fn place(name: &str) -> u8 {
    let mut rest = NAMES;
    let mut place = 0u8;
    while let [first, others @ ..] = rest {
        if same(first, name) {
            return place;
        }
        rest = others;
        place = place.wrapping_add(1);
    }
    0
}

/// The name at a place.
fn name(place: u8) -> &'static str {
    let end = |place: u8| {
        ENDS.get(usize::from(place))
            .map_or(0, |end| usize::from(*end))
    };
    TEXT.get(end(place.saturating_sub(1))..end(place))
        .unwrap_or("")
}

const fn places(path: [&str; 4]) -> [u8; 4] {
    let [first, second, third, fourth] = path;
    [place(first), place(second), place(third), place(fourth)]
}

const fn same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        if *first != *other {
            return false;
        }
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}

impl Row {
    /// The names of the path's parts.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let places = self.path.iter().take_while(|&&place| place != 0);
        places.map(|&place| name(place))
    }
}

impl Capability {
    fn row(self) -> Option<&'static Row> {
        Self::TABLE.get(self as usize)
    }

    /// The side that declares it.
    #[must_use]
    pub const fn side(self) -> Side {
        if Capability::OF_CLIENTS & bit(self) != 0 {
            Side::Client
        } else {
            Side::Server
        }
    }

    /// The member of the capabilities object, the member inside that, and so on; empty
    /// where the path ends.
    #[must_use]
    pub fn path(self) -> [&'static str; 4] {
        let mut path = [""; 4];
        let names = self.row().into_iter().flat_map(Row::names);
        for (place, name) in path.iter_mut().zip(names) {
            *place = name;
        }
        path
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

    /// Whether forms may be asked for: an `elicitation` that names no mode means them.
    pub(crate) const fn takes_forms(self) -> bool {
        self.has(Capability::ElicitationForm)
            || self.has(Capability::Elicitation) && !self.has(Capability::ElicitationUrl)
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
        for (index, row) in Capability::TABLE.iter().enumerate() {
            let bit = 1u32.wrapping_shl(index as u32);
            if bit & Capabilities::of(side) == 0 {
                continue;
            }
            let found = row
                .names()
                .try_fold(declared, |value, name| value.get(name));
            let Some(value) = found else { continue };
            if value.as_bool() == Some(true) || (!row.flag && value.kind() == JsonKind::Object) {
                // Its group is there as well, or it would not have been found.
                set.0 |= bit;
            }
        }
        if set.has(Capability::Elicitation) && !set.has(Capability::ElicitationUrl) {
            set = set.with(Capability::ElicitationForm);
        }
        set
    }

    /// What a side has declared, if it has.
    pub(crate) fn declared(side: Side, declared: Option<RawJson<'_>>) -> Self {
        declared.map_or(Capabilities::NONE, |it| Capabilities::read(side, it))
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
        // The groups that are open, by the places of their names; 0 for none.
        let mut open = [0u8; 4];
        for (index, row) in Capability::TABLE.iter().enumerate() {
            if self.0 & 1u32.wrapping_shl(index as u32) == 0 {
                continue;
            }
            let shared = open.iter().zip(&row.path).take_while(|(a, b)| a == b);
            let shared = shared.count();
            close(&mut open, shared, w);
            for (open, &place) in open.iter_mut().zip(&row.path).skip(shared) {
                if place == 0 {
                    break;
                }
                w.key(name(place));
                if row.flag {
                    w.bool(true);
                } else {
                    w.begin_object();
                    *open = place;
                }
            }
        }
        close(&mut open, 0, w);
    }

    /// Those of a side.
    pub(crate) const fn of(side: Side) -> u32 {
        match side {
            Side::Client => Capability::OF_CLIENTS,
            Side::Server => !Capability::OF_CLIENTS,
        }
    }

    /// What of the set a side may declare.
    pub(crate) const fn of_side(self, side: Side) -> Self {
        Capabilities(self.0 & Capabilities::of(side))
    }

    /// What is in either set.
    pub(crate) const fn or(self, other: Capabilities) -> Self {
        Capabilities(self.0 | other.0)
    }
}

/// Closes groups from a depth on.
fn close(open: &mut [u8; 4], from: usize, w: &mut Writer<'_>) {
    for place in open.iter_mut().skip(from) {
        if *place != 0 {
            w.end_object();
            *place = 0;
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
