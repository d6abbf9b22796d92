//! Resources, their templates and contents.

use super::*;

/// What a resource holds: text or bytes.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::write::{BlobResource, ReadResourceResult, ResourceContents, TextResource};
/// let both: [ResourceContents; 2] =
///     [TextResource::new("a:/", "x").into(), BlobResource::new("b:/", &[0]).into()];
/// assert_eq!(
///     json::write(&ReadResourceResult::new(&both), &mut [0; 80]),
///     Ok(&br#"{"contents":[{"uri":"a:/","text":"x"},{"uri":"b:/","blob":"AA=="}]}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ResourceContents<'a> {
    /// Text.
    Text(TextResource<'a>),
    /// Bytes.
    Blob(BlobResource<'a>),
}

impl<'a> From<TextResource<'a>> for ResourceContents<'a> {
    fn from(contents: TextResource<'a>) -> Self {
        ResourceContents::Text(contents)
    }
}

impl<'a> From<BlobResource<'a>> for ResourceContents<'a> {
    fn from(contents: BlobResource<'a>) -> Self {
        ResourceContents::Blob(contents)
    }
}

impl ToJson for ResourceContents<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self {
            ResourceContents::Text(contents) => contents.write_json(w),
            ResourceContents::Blob(contents) => contents.write_json(w),
        }
    }
}

writers! {
    /// A resource, as `resources/list` tells of it: its address and name.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::Resource;
    /// const LOG: Resource<'_> = Resource::new("log:/1", "log").mime_type("text/plain");
    /// assert_eq!(
    ///     json::write(&LOG, &mut [0; 64]),
    ///     Ok(&br#"{"uri":"log:/1","name":"log","mimeType":"text/plain"}"#[..]),
    /// );
    /// ```
    Resource: const [noted] {
        uri: str = "uri";
        name: str = "name";
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it is, for a model to read.
        pub fn description() -> str = "description";
        /// Its media type.
        pub fn mime_type() -> str = "mimeType";
        /// Its size in bytes, before base64.
        pub fn size() -> whole = "size";
        /// What a host may do with it.
        pub fn annotations() -> by(Annotations<'a>) = "annotations";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> slice(Icon) = "icons";
    }

    /// A template of addresses (RFC 6570), as `resources/templates/list` tells of it, and
    /// its name.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ResourceTemplate;
    /// assert_eq!(
    ///     json::write(&ResourceTemplate::new("log:/{day}", "logs"), &mut [0; 64]),
    ///     Ok(&br#"{"uriTemplate":"log:/{day}","name":"logs"}"#[..]),
    /// );
    /// ```
    ResourceTemplate: const [noted] {
        uri_template: str = "uriTemplate";
        name: str = "name";
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What there is, for a model to read.
        pub fn description() -> str = "description";
        /// The media type of all that it leads to, if they have the same.
        pub fn mime_type() -> str = "mimeType";
        /// What a host may do with it.
        pub fn annotations() -> by(Annotations<'a>) = "annotations";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> slice(Icon) = "icons";
    }

    /// What a resource holds, if that is text: its address, and the text.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::TextResource;
    /// assert_eq!(
    ///     json::write(&TextResource::new("log:/1", "ok").mime_type("text/plain"), &mut [0; 64]),
    ///     Ok(&br#"{"uri":"log:/1","text":"ok","mimeType":"text/plain"}"#[..]),
    /// );
    /// ```
    TextResource: [noted] {
        uri: text = "uri";
        text: text = "text";
        /// Its media type.
        pub fn mime_type() -> str = "mimeType";
    }

    /// What a resource holds, if that is bytes: its address, and the bytes.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::BlobResource;
    /// assert_eq!(
    ///     json::write(&BlobResource::new("cam:/1", &[255]), &mut [0; 64]),
    ///     Ok(&br#"{"uri":"cam:/1","blob":"/w=="}"#[..]),
    /// );
    /// ```
    BlobResource: [noted] {
        uri: text = "uri";
        blob: blob = "blob";
        /// Its media type.
        pub fn mime_type() -> str = "mimeType";
    }

    /// The params of `resources/read`: the resource's address.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ReadResourceParams;
    /// assert_eq!(
    ///     json::write(&ReadResourceParams::new("log:/1"), &mut [0; 64]),
    ///     Ok(&br#"{"uri":"log:/1"}"#[..]),
    /// );
    /// ```
    ReadResourceParams: [noted] {
        uri: text = "uri";
        /// The answers to what an `input_required` result asked for (2026-07-28): an
        /// object, as [`InputResponses`] is.
        pub fn input_responses() -> json(OBJECT) = "inputResponses";
        /// The state that such a result gave, as it is (2026-07-28).
        pub fn request_state() -> text = "requestState";
    }

    /// The params of `resources/subscribe`, `resources/unsubscribe` and
    /// `notifications/resources/updated`: the resource's address.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ResourceParams;
    /// assert_eq!(
    ///     json::write(&ResourceParams::new("log:/1"), &mut [0; 64]),
    ///     Ok(&br#"{"uri":"log:/1"}"#[..]),
    /// );
    /// ```
    ResourceParams: [noted] {
        uri: text = "uri";
    }

    /// The result of `resources/list`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{ListResourcesResult, Resource};
    /// assert_eq!(
    ///     json::write(&ListResourcesResult::new(&[Resource::new("log:/1", "log")]), &mut [0; 64]),
    ///     Ok(&br#"{"resources":[{"uri":"log:/1","name":"log"}]}"#[..]),
    /// );
    /// ```
    ListResourcesResult<T = Resource<'a>>: [page] {
        resources: list(T) = "resources";
    }

    /// The result of `resources/templates/list`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{ListResourceTemplatesResult, ResourceTemplate};
    /// let none: [ResourceTemplate; 0] = [];
    /// assert_eq!(
    ///     json::write(&ListResourceTemplatesResult::new(&none), &mut [0; 64]),
    ///     Ok(&br#"{"resourceTemplates":[]}"#[..]),
    /// );
    /// ```
    ListResourceTemplatesResult<T = ResourceTemplate<'a>>: [page] {
        resource_templates: list(T) = "resourceTemplates";
    }

    /// The result of `resources/read`.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{ReadResourceResult, TextResource};
    /// assert_eq!(
    ///     json::write(&ReadResourceResult::new(&[TextResource::new("log:/1", "ok")]), &mut [0; 64]),
    ///     Ok(&br#"{"contents":[{"uri":"log:/1","text":"ok"}]}"#[..]),
    /// );
    /// ```
    ReadResourceResult<T = ResourceContents<'a>>: [cached] {
        contents: list(T) = "contents";
    }
}
