//! Judgements that need no state: what a table says about a message.

use crate::fault::{FaultKind, Rejected};
use crate::json::{JsonKind, RawJson};
use crate::mcp::{Capabilities, Capability, Method, MethodKind, Revision, Side};
use crate::rules::{Rule, Violations};

/// The rules that a line breaks by being no message.
pub(crate) fn of_fault(rejected: &Rejected<'_>, from: Side) -> Violations {
    let pure = match from {
        Side::Client => Rule::R4,
        Side::Server => Rule::R3,
    };
    let rule = match rejected.kind() {
        FaultKind::NotJson | FaultKind::NotObject | FaultKind::NoKind => pure,
        FaultKind::Syntax | FaultKind::Trailing => pure,
        FaultKind::Cut => Rule::R1,
        FaultKind::Utf8 => Rule::R2,
        FaultKind::BadVersion => Rule::R13,
        FaultKind::BadId if rejected.id_hint().is_none() && is_null_id(rejected) => Rule::R15,
        FaultKind::BadId if rejected.shape().method => Rule::R14,
        FaultKind::BadId => Rule::R18,
        FaultKind::BadMethod | FaultKind::LoneSurrogate | FaultKind::Duplicate => pure,
        FaultKind::BadParams => Rule::R26,
        FaultKind::BadResult => Rule::R22,
        FaultKind::BadError => Rule::R23,
        FaultKind::Conflict => Rule::R21,
        FaultKind::EmptyBatch => Rule::R29,
        FaultKind::Batch => Rule::R31,
        _ => return Violations::NONE,
    };
    Violations::NONE.with(rule)
}

fn is_null_id(rejected: &Rejected<'_>) -> bool {
    rejected.shape().method
        && rejected
            .captured
            .main_token(crate::envelope::Field::ID, rejected.base)
            .is_some_and(|token| token.as_bytes() == b"null")
}

/// Why a method may not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// Not by this side, or not in this revision.
    Side,
    /// Its capability was not declared.
    Capability(Capability),
}

/// Whether a side may send a method. `declared` is what the side that has to declare it
/// declared: the receiver of a request, the sender of most notifications.
pub(crate) fn gate(
    method: Method,
    sender: Side,
    revision: Revision,
    of_sender: Capabilities,
    of_receiver: Capabilities,
) -> Result<(), Gate> {
    if !method.may_send(sender, revision) {
        return Err(Gate::Side);
    }
    match method.capability(sender, revision) {
        None => Ok(()),
        Some(capability) => {
            let declared = if capability.side() == sender {
                of_sender
            } else {
                of_receiver
            };
            if declared.has(capability) {
                Ok(())
            } else {
                Err(Gate::Capability(capability))
            }
        }
    }
}

/// The rule that a method beyond a gate breaks.
pub(crate) fn rule_of(method: Method, gate: Gate, revision: Revision) -> Rule {
    match gate {
        Gate::Side => match method {
            Method::Progress => Rule::R121,
            _ if revision.era() == crate::mcp::Era::Modern
                && method.kind() == MethodKind::Request =>
            {
                Rule::R74
            }
            _ => Rule::R62,
        },
        Gate::Capability(_) => match method {
            Method::LogMessage => Rule::R126,
            Method::RootsListChanged => Rule::R83,
            Method::ToolsListChanged
            | Method::PromptsListChanged
            | Method::ResourcesListChanged
            | Method::ResourcesUpdated => Rule::R81,
            _ if revision.era() == crate::mcp::Era::Modern => Rule::R85,
            _ => Rule::R63,
        },
    }
}

/// The first member that `params` must have and has not, or not of the right type.
pub(crate) fn missing(
    required: &'static [(&'static str, JsonKind)],
    object: Option<RawJson<'_>>,
) -> Option<&'static str> {
    required
        .iter()
        .find(|(name, kind)| {
            object
                .and_then(|object| object.get(name))
                .is_none_or(|value| value.kind() != *kind)
        })
        .map(|(name, _)| *name)
}

/// Whether an object names an implementation as it has to.
pub(crate) fn is_implementation(object: Option<RawJson<'_>>) -> bool {
    missing(
        &[("name", JsonKind::String), ("version", JsonKind::String)],
        object,
    )
    .is_none()
}
