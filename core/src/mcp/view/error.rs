//! The data of errors that carry some.

use super::*;

views! {
    /// The data of [`UNSUPPORTED_PROTOCOL_VERSION`](crate::mcp::code::UNSUPPORTED_PROTOCOL_VERSION)
    /// (2026-07-28).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::UnsupportedVersion;
    /// let data = RawJson::validate(br#"{"supported":["2026-07-28"],"requested":"2099-01-01"}"#);
    /// let data = UnsupportedVersion::new(data.unwrap());
    /// assert!(data.supported().eq(["2026-07-28"]));
    /// ```
    UnsupportedVersion {
        /// The revisions that the server supports.
        pub fn supported() -> strings = "supported", required;
        /// The one that was asked for.
        pub fn requested() -> str = "requested", required;
    }

    /// The data of [`MISSING_CLIENT_CAPABILITY`](crate::mcp::code::MISSING_CLIENT_CAPABILITY)
    /// (2026-07-28).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::{Capabilities, Capability, Side, view::MissingCapability};
    /// let data = RawJson::validate(br#"{"requiredCapabilities":{"sampling":{}}}"#).unwrap();
    /// let missing = MissingCapability::new(data).required_capabilities().unwrap();
    /// assert!(Capabilities::read(Side::Client, missing).has(Capability::Sampling));
    /// ```
    MissingCapability {
        /// What the client would have to declare.
        pub fn required_capabilities() -> object = "requiredCapabilities", required;
    }

    /// The data of [`URL_ELICITATION_REQUIRED`](crate::mcp::code::URL_ELICITATION_REQUIRED)
    /// (2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::UrlElicitationRequired;
    /// let data = br#"{"elicitations":[
    ///     {"mode":"url","elicitationId":"1","url":"https://x/","message":"Log in"}
    /// ]}"#;
    /// let data = UrlElicitationRequired::new(RawJson::validate(data).unwrap());
    /// assert_eq!(data.elicitations().next().unwrap().url().unwrap(), "https://x/");
    /// ```
    UrlElicitationRequired {
        /// Where the user has to go first.
        pub fn elicitations() -> list(ElicitParams<'a>) = "elicitations", required;
    }
}
