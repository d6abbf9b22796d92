//! The rules that lines break by being no messages: the one place that says so.

use super::{Rule, Violations};
use crate::envelope::{Captured, Field};
use crate::fault::{FaultKind, Rejected};
use crate::mcp::{Revision, Side};

impl Violations {
    /// What a peer has broken by sending a line that is no message. Empty for what no rule
    /// forbids: a ceiling of the reader's own, members that stand twice, surrogates without
    /// their pair.
    ///
    /// `from` is the side that sent it; the rules of a side are left out where it is not
    /// known. `revision` is what both sides have agreed on, and `None` before that: then only
    /// what is wrong in all of them is told, and R2, which the first alone does not have.
    ///
    /// ```
    /// use wireline::mcp::{Revision, Side};
    /// use wireline::{Limits, Rule, Violations, parse};
    /// let bad = parse(b"[]", &Limits::HOST).unwrap_err();
    /// let broken = |revision| Violations::of_fault(&bad, Some(Side::Server), revision);
    /// assert_eq!(broken(None), Rule::R3.into());
    /// assert_eq!(broken(Some(Revision::V2025_03_26)), Rule::R29.into());
    /// assert_eq!(broken(Some(Revision::V2025_06_18)).to_string(), "R5, R31");
    /// ```
    #[must_use]
    pub fn of_fault(
        rejected: &Rejected<'_>,
        from: Option<Side>,
        revision: Option<Revision>,
    ) -> Violations {
        let mut broken = Violations::NONE;
        for number in broken_by(rejected, from, revision) {
            if let Some(rule) = Rule::from_number(number) {
                broken.add(rule);
            }
        }
        broken
    }
}

/// The numbers of the rules, 0 for none: two at most, which take less code than a set.
fn broken_by(rejected: &Rejected<'_>, from: Option<Side>, revision: Option<Revision>) -> [u8; 2] {
    const NONE: [u8; 2] = [0, 0];
    let captured = &rejected.captured;
    let method = captured.has(Field::METHOD);
    let answers = captured.has(Field::RESULT) || captured.has(Field::ERROR);
    // A line carries one message, and no batch.
    let single = revision.is_some_and(|it| Rule::R31.revisions().contains(it));
    let rule = match rejected.kind() {
        FaultKind::Cut => Rule::R1,
        FaultKind::Utf8 if revision != Some(Revision::V2024_11_05) => Rule::R2,
        FaultKind::BadVersion => Rule::R13,
        FaultKind::BadId if captured.flag(Captured::ID_LONE) => return NONE,
        FaultKind::BadId if method && rejected.id_is_null() => Rule::R15,
        FaultKind::BadId if method => Rule::R14,
        FaultKind::BadId if answers => Rule::R18,
        FaultKind::BadId => Rule::R21,
        FaultKind::NoKind if captured.has(Field::ID) => Rule::R21,
        FaultKind::Conflict => Rule::R21,
        FaultKind::BadResult => Rule::R22,
        FaultKind::BadError => Rule::R23,
        FaultKind::BadParams => Rule::R26,
        FaultKind::Batch | FaultKind::EmptyBatch if single => return [5, 31],
        FaultKind::EmptyBatch if revision == Some(Revision::V2025_03_26) => Rule::R29,
        FaultKind::BadMethod if rejected.method().is_some() => return NONE,
        FaultKind::NotJson
        | FaultKind::Syntax
        | FaultKind::Utf8
        | FaultKind::Trailing
        | FaultKind::NotObject
        | FaultKind::NoKind
        | FaultKind::BadMethod
        | FaultKind::EmptyBatch => {
            let two = single && rejected.kind() == FaultKind::Trailing;
            let pure = match from {
                Some(Side::Client) => 4,
                Some(Side::Server) => 3,
                None => 0,
            };
            return [pure, if two { 5 } else { 0 }];
        }
        _ => return NONE,
    };
    [rule.number(), 0]
}

impl Rule {
    /// The first of [`Violations::of_fault`] where no revision is agreed on: the rule that a
    /// peer of this side has broken by sending a line that is no message.
    ///
    /// ```
    /// use wireline::mcp::Side;
    /// use wireline::{Limits, Rule, parse};
    /// let bad = parse(br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, &Limits::HOST).unwrap_err();
    /// assert_eq!(Rule::broken_by(&bad, Side::Client), Some(Rule::R13));
    /// ```
    #[must_use]
    pub fn broken_by(rejected: &Rejected<'_>, from: Side) -> Option<Rule> {
        Violations::of_fault(rejected, Some(from), None)
            .iter()
            .next()
    }
}
