//! Revisions of the protocol.

use crate::json::{JsonStr, ToJson, Writer};

/// How a session is opened and kept.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// 2024-11-05 to 2025-11-25: `initialize` opens a session that both sides remember.
    Legacy,
    /// 2026-07-28 on: every request carries its revision and its client's capabilities.
    Modern,
}

/// A revision of the protocol.
///
/// ```
/// use wireline::mcp::{Era, Revision};
/// assert_eq!(Revision::V2025_06_18.name(), "2025-06-18");
/// assert_eq!(Revision::parse("2026-07-28").unwrap().era(), Era::Modern);
/// assert_eq!(Revision::parse("2099-01-01"), None);
/// ```
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Revision {
    /// 2024-11-05.
    V2024_11_05,
    /// 2025-03-26, the only one with batches.
    V2025_03_26,
    /// 2025-06-18.
    V2025_06_18,
    /// 2025-11-25, the last with a handshake.
    V2025_11_25,
    /// 2026-07-28, the first without one.
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: &'static [Revision] = &[
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];

    /// The revision's name on the wire, a date.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Revision::V2024_11_05 => "2024-11-05",
            Revision::V2025_03_26 => "2025-03-26",
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision of this name. Names are compared whole, never by order: a date that is
    /// not in the table is unknown, whatever stands before or after it.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }

    /// The revision that a received string names.
    #[must_use]
    pub fn from_json_str(name: JsonStr<'_>) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| name == it.name())
    }

    /// How its sessions are opened.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Revision::V2026_07_28 => Era::Modern,
            _ => Era::Legacy,
        }
    }

    /// Whether a line may carry a batch.
    #[must_use]
    pub const fn has_batches(self) -> bool {
        matches!(self, Revision::V2025_03_26)
    }

    /// Whether an error that answers nothing in particular leaves its id out. Where it
    /// does not, the id is written as `null`, as JSON-RPC 2.0 has it.
    #[must_use]
    pub const fn omits_unknown_id(self) -> bool {
        matches!(self, Revision::V2025_11_25 | Revision::V2026_07_28)
    }

    /// Whether what capabilities and the negotiated version do not cover is forbidden, and
    /// not only advised against.
    #[must_use]
    pub const fn gates_are_musts(self) -> bool {
        !matches!(self, Revision::V2024_11_05 | Revision::V2025_03_26)
    }
}

impl core::fmt::Display for Revision {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of revisions.
///
/// ```
/// use wireline::mcp::{Revision, Revisions};
/// let some = Revisions::from(2, 4);
/// assert!(some.contains(Revision::V2025_11_25));
/// assert_eq!(some.latest_legacy(), Some(Revision::V2025_11_25));
/// assert_eq!(Revisions::MODERN.latest_legacy(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revisions(u8);

impl Revisions {
    /// None.
    pub const NONE: Revisions = Revisions(0);
    /// Every revision.
    pub const ALL: Revisions = Revisions::from(0, 4);
    /// Those with a handshake.
    pub const LEGACY: Revisions = Revisions::from(0, 3);
    /// Those without one.
    pub const MODERN: Revisions = Revisions::from(4, 4);

    /// The revisions from one place in [`Revision::ALL`] to another, both included.
    #[must_use]
    pub const fn from(first: u8, last: u8) -> Self {
        let mut bits = 0u8;
        let mut at = 0u8;
        while at < 5 {
            if first <= at && at <= last {
                bits |= 1u8.wrapping_shl(at as u32);
            }
            at = at.wrapping_add(1);
        }
        Revisions(bits)
    }

    /// The set of one revision.
    #[must_use]
    pub const fn only(revision: Revision) -> Self {
        Revisions(1u8.wrapping_shl(revision as u32))
    }

    /// The same set and one revision.
    #[must_use]
    pub const fn with(self, revision: Revision) -> Self {
        Revisions(self.0 | Revisions::only(revision).0)
    }

    /// The same set without one revision.
    #[must_use]
    pub const fn without(self, revision: Revision) -> Self {
        Revisions(self.0 & !Revisions::only(revision).0)
    }

    /// What is in both sets.
    #[must_use]
    pub const fn and(self, other: Revisions) -> Self {
        Revisions(self.0 & other.0)
    }

    /// What is in either set.
    #[must_use]
    pub const fn or(self, other: Revisions) -> Self {
        Revisions(self.0 | other.0)
    }

    /// Whether the revision is in the set.
    #[must_use]
    pub const fn contains(self, revision: Revision) -> bool {
        self.0 & Revisions::only(revision).0 != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The latest revision of the set.
    #[must_use]
    pub fn latest(self) -> Option<Revision> {
        self.iter().last()
    }

    /// The latest revision of the set that has a handshake.
    #[must_use]
    pub fn latest_legacy(self) -> Option<Revision> {
        self.and(Revisions::LEGACY).latest()
    }

    /// The latest revision of the set that has none.
    #[must_use]
    pub fn latest_modern(self) -> Option<Revision> {
        self.and(Revisions::MODERN).latest()
    }

    /// The set's revisions, oldest first.
    pub fn iter(self) -> impl Iterator<Item = Revision> {
        Revision::ALL
            .iter()
            .copied()
            .filter(move |&it| self.contains(it))
    }
}

/// The revision's name.
impl ToJson for Revision {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.string(self.name());
    }
}
