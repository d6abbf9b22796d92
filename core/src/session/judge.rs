//! Judgements that need no state: what a table says about a message.

use crate::json::{JsonKind, RawJson};
use crate::mcp::{Capabilities, Era, Method, MethodKind, Revision, Side};
use crate::rules::Rule;

/// Why a method may not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// Not by this side, or not in this revision.
    Side,
    /// Its capability was not declared.
    Capability,
}

/// Why a side may not send a method, and the rule that it breaks by that; `None` if it may.
/// `declared` is what both sides declared: which of them has to is said by the capability.
pub(crate) fn gate(
    method: Method,
    sender: Side,
    revision: Revision,
    declared: Capabilities,
) -> Option<(Gate, Rule)> {
    let modern = revision.era() == Era::Modern;
    if !method.may_send(sender, revision) {
        let rule = match method {
            Method::Progress => Rule::R121,
            _ if modern && method.kind() == MethodKind::Request => Rule::R74,
            _ => Rule::R62,
        };
        return Some((Gate::Side, rule));
    }
    if declared.has(method.capability(sender, revision)?) {
        return None;
    }
    let rule = match method {
        Method::LogMessage => Rule::R126,
        Method::RootsListChanged => Rule::R83,
        Method::ToolsListChanged
        | Method::PromptsListChanged
        | Method::ResourcesListChanged
        | Method::ResourcesUpdated => Rule::R81,
        _ if modern => Rule::R85,
        _ => Rule::R63,
    };
    Some((Gate::Capability, rule))
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
