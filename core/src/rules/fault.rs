//! The rules that lines break by being no messages.

use super::Rule;
use crate::fault::{FaultKind, Rejected};
use crate::mcp::Side;

impl Rule {
    /// The rule that a peer of this side has broken by sending a line that is no message;
    /// `None` for what no rule forbids, a ceiling of the reader's own for one.
    ///
    /// ```
    /// use wireline::mcp::Side;
    /// use wireline::{Limits, Rule, parse};
    /// let bad = parse(br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, &Limits::HOST).unwrap_err();
    /// assert_eq!(Rule::broken_by(&bad, Side::Client), Some(Rule::R13));
    /// ```
    #[must_use]
    pub fn broken_by(rejected: &Rejected<'_>, from: Side) -> Option<Rule> {
        let pure = match from {
            Side::Client => Rule::R4,
            Side::Server => Rule::R3,
        };
        Some(match rejected.kind() {
            FaultKind::NotJson | FaultKind::NotObject | FaultKind::NoKind => pure,
            FaultKind::Syntax | FaultKind::Trailing => pure,
            FaultKind::Cut => Rule::R1,
            FaultKind::Utf8 => Rule::R2,
            FaultKind::BadVersion => Rule::R13,
            FaultKind::BadId if rejected.shape().method && rejected.id_is_null() => Rule::R15,
            FaultKind::BadId if rejected.shape().method => Rule::R14,
            FaultKind::BadId => Rule::R18,
            FaultKind::BadMethod | FaultKind::LoneSurrogate | FaultKind::Duplicate => pure,
            FaultKind::BadParams => Rule::R26,
            FaultKind::BadResult => Rule::R22,
            FaultKind::BadError => Rule::R23,
            FaultKind::Conflict => Rule::R21,
            FaultKind::EmptyBatch => Rule::R29,
            FaultKind::Batch => Rule::R31,
            _ => return None,
        })
    }
}
