//! The rules that a connection is held to, by number, and sets of them.
//!
//! R1 to R180 are the duties of the specification's five revisions that can be seen on the
//! wire. What breaks one is a fact beside the event and not instead of it: whoever receives
//! the set decides whether to drop, to answer or to close.
//!
//! ```
//! use wireline::mcp::Revision;
//! use wireline::rules::{Level, Rule, Violations, Who};
//! let broken = Violations::NONE.with(Rule::R119).with(Rule::R59);
//! assert_eq!(broken.to_string(), "R59, R119");
//! assert_eq!(broken.worst(), Some(Level::Must));
//! for rule in broken.iter().filter(|rule| rule.who() == Who::Server) {
//!     eprintln!("{rule}: {}", rule.text());
//! }
//! assert_eq!(Rule::R59.level_in(Revision::V2025_11_25), Some(Level::Should));
//! assert_eq!(Rule::R59.level_in(Revision::V2026_07_28), None);
//! ```

mod fault;
mod kind;
mod table;
mod violations;

use core::fmt;

use crate::mcp::{Era, Revision, Revisions};

pub(crate) use kind::Extensions;
pub use violations::Violations;

/// How binding a rule is; the order is that of weight.
///
/// ```
/// use wireline::{Level, Rule};
/// assert!(Level::Fact < Level::Should && Level::Should < Level::Must);
/// assert_eq!(Rule::R1.level(), Level::Must);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// Follows from the specification's text or tables, which use neither word.
    Fact,
    /// SHOULD or SHOULD NOT.
    Should,
    /// MUST or MUST NOT, or required by the schema.
    Must,
}

impl Level {
    /// The level's name: `fact`, `should` or `must`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Fact => "fact",
            Level::Should => "should",
            Level::Must => "must",
        }
    }
}

/// Whose duty a rule is.
///
/// ```
/// use wireline::{Rule, Who};
/// assert_eq!(Rule::R8.who(), Who::Server);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Who {
    /// The client's.
    Client,
    /// The server's.
    Server,
    /// Either side's: that of whoever sends, or whoever receives, what the rule is about.
    Both,
}

impl Who {
    /// The name: `client`, `server` or `both`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Who::Client => "client",
            Who::Server => "server",
            Who::Both => "both",
        }
    }
}

/// A rule, named by its number: [`Rule::R1`] to [`Rule::R180`].
///
/// ```
/// use wireline::mcp::Revisions;
/// use wireline::{Level, Rule, Who};
/// let rule = Rule::R16;
/// assert_eq!(rule.to_string(), "R16");
/// assert_eq!(rule.number(), 16);
/// assert_eq!(rule.text(), "an id is used once in a session");
/// assert_eq!((rule.level(), rule.who()), (Level::Must, Who::Both));
/// assert_eq!(rule.revisions(), Revisions::LEGACY);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(u8);

impl Rule {
    /// How many there are.
    pub const COUNT: u8 = 180;

    /// The rule of this number, from 1 to [`Rule::COUNT`].
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Rule> {
        match number {
            1..=Rule::COUNT => Some(Rule(number)),
            _ => None,
        }
    }

    /// Every rule, by number.
    pub fn all() -> impl Iterator<Item = Rule> {
        (1..=Rule::COUNT).map(Rule)
    }

    /// The rule's number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its row in the tables.
    const fn row(self) -> usize {
        self.0.wrapping_sub(1) as usize
    }

    /// How binding it is where it is most binding.
    #[must_use]
    pub fn level(self) -> Level {
        table::LEVELS
            .get(self.row())
            .copied()
            .unwrap_or(Level::Fact)
    }

    /// How binding it is in a revision; `None` where the revision does not have it.
    ///
    /// Three rules became stricter: R62 and R63 with 2025-06-18, and R108 with 2026-07-28.
    #[must_use]
    pub fn level_in(self, revision: Revision) -> Option<Level> {
        if !self.revisions().contains(revision) {
            return None;
        }
        let softer = match self {
            Rule::R62 | Rule::R63 => !revision.gates_are_musts(),
            Rule::R108 => matches!(revision.era(), Era::Legacy),
            _ => false,
        };
        Some(if softer { Level::Should } else { self.level() })
    }

    /// The revisions that have it.
    #[must_use]
    pub fn revisions(self) -> Revisions {
        let row = table::REVISIONS.get(self.row()).copied();
        row.unwrap_or(Revisions::NONE)
    }

    /// Whose duty it is.
    #[must_use]
    pub fn who(self) -> Who {
        table::WHO.get(self.row()).copied().unwrap_or(Who::Both)
    }

    /// The duty, in a line. A program that never asks for it does not carry the texts.
    #[must_use]
    pub fn text(self) -> &'static str {
        table::TEXTS.get(self.row()).copied().unwrap_or("")
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("R")?;
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_row() {
        let count = usize::from(Rule::COUNT);
        let rows = [
            table::LEVELS.len(),
            table::WHO.len(),
            table::REVISIONS.len(),
            table::TEXTS.len(),
        ];
        assert_eq!(rows, [count; 4]);
        assert_eq!(Rule::all().count(), count);
        for (row, rule) in Rule::all().enumerate() {
            assert_eq!(rule.row(), row);
            assert_eq!(Rule::from_number(rule.number()), Some(rule));
            assert!(!rule.revisions().is_empty(), "{rule}");
            let text = rule.text();
            assert!(!text.is_empty() && text.len() <= 120, "{rule}");
            assert!(
                !text.contains(['\n', '|']) && !text.ends_with('.'),
                "{rule}"
            );
        }
        assert_eq!((Rule::R1.number(), Rule::R180.number()), (1, 180));
        assert_eq!(Rule::R97.number(), 97);
        assert_eq!(Rule::from_number(0), None);
        assert_eq!(Rule::from_number(181), None);
    }

    #[test]
    fn no_text_stands_twice() {
        for (at, text) in table::TEXTS.iter().enumerate() {
            assert!(!table::TEXTS[..at].contains(text), "{text}");
        }
    }

    #[test]
    fn levels_follow_the_revision() {
        use Revision::*;
        for rule in [Rule::R62, Rule::R63] {
            assert_eq!(rule.level_in(V2025_03_26), Some(Level::Should));
            assert_eq!(rule.level_in(V2025_06_18), Some(Level::Must));
            assert_eq!(rule.level_in(V2026_07_28), None);
        }
        assert_eq!(Rule::R108.level_in(V2025_11_25), Some(Level::Should));
        assert_eq!(Rule::R108.level_in(V2026_07_28), Some(Level::Must));
        assert_eq!(Rule::R7.level_in(V2025_11_25), None);
        assert_eq!(Rule::R32.level_in(V2024_11_05), Some(Level::Fact));
        for rule in Rule::all() {
            let levels = Revision::ALL.iter().filter_map(|&it| rule.level_in(it));
            assert_eq!(levels.max(), Some(rule.level()), "{rule}");
        }
    }
}
