//! The data of errors that carry some.

use super::*;

writers! {
    /// The data of [`UNSUPPORTED_PROTOCOL_VERSION`](crate::mcp::code::UNSUPPORTED_PROTOCOL_VERSION)
    /// (2026-07-28): the revisions that are supported, and the one that was asked for.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{Revision, write::UnsupportedVersion};
    /// assert_eq!(
    ///     json::write(&UnsupportedVersion::new(&[Revision::V2026_07_28], "2099-01-01"), &mut [0; 64]),
    ///     Ok(&br#"{"supported":["2026-07-28"],"requested":"2099-01-01"}"#[..]),
    /// );
    /// ```
    UnsupportedVersion: [] {
        supported: list(Revision) = "supported";
        requested: text = "requested";
    }

    /// The data of [`MISSING_CLIENT_CAPABILITY`](crate::mcp::code::MISSING_CLIENT_CAPABILITY)
    /// (2026-07-28): what the client would have to declare.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::{Capabilities, Capability, write::MissingCapability};
    /// let needed = Capabilities::NONE.with(Capability::Sampling);
    /// assert_eq!(
    ///     json::write(&MissingCapability::new(&needed), &mut [0; 64]),
    ///     Ok(&br#"{"requiredCapabilities":{"sampling":{}}}"#[..]),
    /// );
    /// ```
    MissingCapability: const [] {
        required_capabilities: json(OBJECT) = "requiredCapabilities";
    }

    /// The data of [`URL_ELICITATION_REQUIRED`](crate::mcp::code::URL_ELICITATION_REQUIRED)
    /// (2025-11-25): where the user has to go first.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{ElicitUrlParams, UrlElicitationRequired};
    /// let login = [ElicitUrlParams::new("Log in", "https://x/").elicitation_id("1")];
    /// assert_eq!(
    ///     json::write(&UrlElicitationRequired::new(&login), &mut [0; 128]),
    ///     Ok(&br#"{"elicitations":[{"mode":"url","message":"Log in","url":"https://x/","elicitationId":"1"}]}"#[..]),
    /// );
    /// ```
    UrlElicitationRequired: const [] {
        elicitations: slice(ElicitUrlParams) = "elicitations";
    }
}
