//! A request that is being answered.

use wireline::json::{JsonKind, JsonStr, RawJson};
use wireline::mcp::{Capabilities, Era, Revision};
use wireline::session::Handle;

pub(super) struct Call<'m> {
    pub(super) handle: Handle,
    pub(super) revision: Revision,
    /// What its client can do.
    pub(super) capabilities: Capabilities,
    pub(super) params: RawJson<'m>,
}

impl<'m> Call<'m> {
    pub(super) fn is_modern(&self) -> bool {
        self.revision.era() == Era::Modern
    }

    /// A member of `params`.
    pub(super) fn param(&self, name: &str) -> Option<RawJson<'m>> {
        self.params.get(name)
    }

    /// A string of `params`; it may hold escapes.
    pub(super) fn param_text(&self, name: &str) -> Option<JsonStr<'m>> {
        self.param(name)?.as_json_str()
    }

    /// A member of `params.arguments`.
    pub(super) fn argument(&self, name: &str) -> Option<RawJson<'m>> {
        self.param("arguments")?.get(name)
    }

    pub(super) fn text(&self, name: &str) -> Option<JsonStr<'m>> {
        self.argument(name)?.as_json_str()
    }

    /// A whole number of up to 64 bits, however it is spelled.
    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.argument(name)?.as_number()?.as_i64()
    }

    /// What the client gave when it was asked, in the modern era: an object.
    pub(super) fn answer(&self, key: &str) -> Option<RawJson<'m>> {
        self.param("inputResponses")?
            .get(key)
            .filter(|answer| answer.kind() == JsonKind::Object)
    }

    /// What the server gave the client to keep, in the modern era.
    pub(super) fn state(&self) -> Option<JsonStr<'m>> {
        self.param_text("requestState")
    }
}
