//! Sets of rules.

use core::fmt;

use super::{Level, Rule};

/// The rules that something breaks: a set of 24 bytes.
///
/// ```
/// use wireline::{Rule, Violations};
/// let mut broken = Violations::NONE;
/// assert!(broken.is_empty());
/// broken.add(Rule::R18);
/// let broken = broken.or(Violations::NONE.with(Rule::R16));
/// assert!(broken.contains(Rule::R16) && !broken.contains(Rule::R17));
/// assert_eq!(broken.iter().collect::<Vec<_>>(), [Rule::R16, Rule::R18]);
/// assert_eq!(format!("{broken:?}"), "{R16, R18}");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Violations([u32; 6]);

/// The word of the set that a rule is in, and its bit there.
const fn place(rule: Rule) -> (usize, u32) {
    let number = rule.number();
    ((number >> 5) as usize, 1u32.wrapping_shl(number as u32))
}

impl Violations {
    /// None.
    pub const NONE: Violations = Violations([0; 6]);

    /// The same set and one more rule.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Self {
        let [mut a, mut b, mut c, mut d, mut e, mut f] = self.0;
        let (word, bit) = place(rule);
        match word {
            0 => a |= bit,
            1 => b |= bit,
            2 => c |= bit,
            3 => d |= bit,
            4 => e |= bit,
            _ => f |= bit,
        }
        Violations([a, b, c, d, e, f])
    }

    /// Adds a rule.
    pub fn add(&mut self, rule: Rule) {
        let (word, bit) = place(rule);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// What is in either set.
    #[must_use]
    pub const fn or(self, other: Violations) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [g, h, i, j, k, l] = other.0;
        Violations([a | g, b | h, c | i, d | j, e | k, f | l])
    }

    /// Whether the rule is in the set.
    #[must_use]
    pub fn contains(self, rule: Rule) -> bool {
        let (word, bit) = place(rule);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Whether nothing is broken.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        let [a, b, c, d, e, f] = self.0;
        a | b | c | d | e | f == 0
    }

    /// How many rules are in the set.
    #[must_use]
    pub fn len(self) -> usize {
        let ones = self.0.iter().map(|word| word.count_ones());
        ones.fold(0, u32::wrapping_add) as usize
    }

    /// The rules of the set, by number.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::all().filter(move |&rule| self.contains(rule))
    }

    /// The weight of its weightiest rule; `None` if nothing is broken.
    #[must_use]
    pub fn worst(self) -> Option<Level> {
        self.iter().map(Rule::level).max()
    }
}

impl From<Rule> for Violations {
    fn from(rule: Rule) -> Self {
        Violations::NONE.with(rule)
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for rule in self.iter() {
            f.write_str(between)?;
            fmt::Display::fmt(&rule, f)?;
            between = ", ";
        }
        Ok(())
    }
}

impl fmt::Debug for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::{format, vec::Vec};

    #[test]
    fn each_rule_has_a_place_of_its_own() {
        assert_eq!(size_of::<Violations>(), 24);
        let mut all = Violations::NONE;
        for (count, rule) in Rule::all().enumerate() {
            assert!(!all.contains(rule), "{rule}");
            assert_eq!(all.len(), count);
            let alone = Violations::NONE.with(rule);
            assert_eq!(alone, Violations::from(rule));
            assert_eq!(alone.iter().collect::<Vec<_>>(), [rule]);
            assert!(!alone.is_empty());
            let before = all;
            all.add(rule);
            assert_eq!(all, before.with(rule));
            assert_eq!(all, before.or(alone));
            assert_eq!(all, all.or(before));
            assert!(all.contains(rule));
        }
        assert_eq!(all.len(), 180);
        assert!(Rule::all().eq(all.iter()));
    }

    #[test]
    fn the_worst_is_told() {
        assert_eq!(Violations::NONE.worst(), None);
        let fact = Violations::NONE.with(Rule::R32);
        assert_eq!(fact.worst(), Some(Level::Fact));
        let should = fact.with(Rule::R58);
        assert_eq!(should.worst(), Some(Level::Should));
        assert_eq!(should.with(Rule::R180).worst(), Some(Level::Must));
    }

    #[test]
    fn sets_are_written_by_number() {
        let set = Violations::NONE
            .with(Rule::R180)
            .with(Rule::R1)
            .with(Rule::R32);
        assert_eq!(format!("{set}"), "R1, R32, R180");
        assert_eq!(format!("{set:?}"), "{R1, R32, R180}");
        assert_eq!(format!("{} {0:?}", Violations::NONE), " {}");
    }
}
