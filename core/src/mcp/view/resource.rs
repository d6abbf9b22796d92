//! Resources, their templates and contents.

use super::*;

views! {
    /// A resource, as `resources/list` tells of it.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::Resource;
    /// let resource = RawJson::validate(br#"{"uri":"log:/1","name":"log","size":1e3}"#).unwrap();
    /// assert_eq!(Resource::new(resource).size(), Some(1000));
    /// ```
    Resource [noted] {
        /// Its address.
        pub fn uri() -> str = "uri", required;
        /// Its name in programs.
        pub fn name() -> str = "name", required;
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What it is, for a model to read.
        pub fn description() -> str = "description";
        /// Its media type.
        pub fn mime_type() -> str = "mimeType";
        /// Its size in bytes, before base64.
        pub fn size() -> whole = "size";
        /// What a host may do with it.
        pub fn annotations() -> view(Annotations<'a>) = "annotations";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> list(Icon<'a>) = "icons";
    }

    /// A template of addresses, as `resources/templates/list` tells of it.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ResourceTemplate;
    /// let template = RawJson::validate(br#"{"uriTemplate":"log:/{day}","name":"logs"}"#).unwrap();
    /// assert_eq!(ResourceTemplate::new(template).uri_template().unwrap(), "log:/{day}");
    /// ```
    ResourceTemplate [noted] {
        /// The template, in the form of RFC 6570.
        pub fn uri_template() -> str = "uriTemplate", required;
        /// Its name in programs.
        pub fn name() -> str = "name", required;
        /// Its name for people (from 2025-06-18).
        pub fn title() -> str = "title";
        /// What there is, for a model to read.
        pub fn description() -> str = "description";
        /// The media type of all that it leads to, if they have the same.
        pub fn mime_type() -> str = "mimeType";
        /// What a host may do with it.
        pub fn annotations() -> view(Annotations<'a>) = "annotations";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> list(Icon<'a>) = "icons";
    }

    /// What a resource holds: text, or bytes in base64.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ResourceContents;
    /// let contents = RawJson::validate(br#"{"uri":"x:/","blob":"AA=="}"#).unwrap();
    /// let contents = ResourceContents::new(contents);
    /// assert!(contents.text().is_none());
    /// assert_eq!(contents.blob().unwrap().raw(), "AA==");
    /// ```
    ResourceContents [noted] {
        /// Its address.
        pub fn uri() -> str = "uri", required;
        /// Its media type.
        pub fn mime_type() -> str = "mimeType";
        /// The text, if it is text.
        pub fn text() -> str = "text";
        /// The bytes in base64, if it is none.
        pub fn blob() -> str = "blob";
    }

    /// The params of `resources/read`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ReadResourceParams;
    /// let params = RawJson::validate(br#"{"uri":"log:/1"}"#).unwrap();
    /// assert_eq!(ReadResourceParams::new(params).uri().unwrap(), "log:/1");
    /// ```
    ReadResourceParams [noted] {
        /// The resource's address.
        pub fn uri() -> str = "uri", required;
        /// The answers to what an `input_required` result asked for, by their keys
        /// (2026-07-28).
        pub fn input_responses() -> map(RawJson<'a>) = "inputResponses";
        /// The state that such a result gave (2026-07-28). Anybody may have written it.
        pub fn request_state() -> str = "requestState";
    }

    /// The params of `resources/subscribe`, `resources/unsubscribe` and
    /// `notifications/resources/updated`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ResourceParams;
    /// let params = RawJson::validate(br#"{"uri":"log:/1"}"#).unwrap();
    /// assert_eq!(ResourceParams::new(params).uri().unwrap(), "log:/1");
    /// ```
    ResourceParams [noted] {
        /// The resource's address.
        pub fn uri() -> str = "uri", required;
    }

    /// The result of `resources/list`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ListResourcesResult;
    /// let page = RawJson::validate(br#"{"resources":[{"uri":"log:/1","name":"log"}]}"#).unwrap();
    /// let mut resources = ListResourcesResult::new(page).resources();
    /// assert_eq!(resources.next().unwrap().name().unwrap(), "log");
    /// ```
    ListResourcesResult [page] {
        /// The resources of this page.
        pub fn resources() -> list(Resource<'a>) = "resources", required;
    }

    /// The result of `resources/templates/list`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ListResourceTemplatesResult;
    /// let page = RawJson::validate(br#"{"resourceTemplates":[]}"#).unwrap();
    /// assert_eq!(ListResourceTemplatesResult::new(page).resource_templates().count(), 0);
    /// ```
    ListResourceTemplatesResult [page] {
        /// The templates of this page.
        pub fn resource_templates() -> list(ResourceTemplate<'a>) = "resourceTemplates", required;
    }

    /// The result of `resources/read`.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ReadResourceResult;
    /// let result = RawJson::validate(br#"{"contents":[{"uri":"log:/1","text":"ok"}]}"#).unwrap();
    /// let mut contents = ReadResourceResult::new(result).contents();
    /// assert_eq!(contents.next().unwrap().text().unwrap(), "ok");
    /// ```
    ReadResourceResult [cached] {
        /// What the resource holds, and what is in it, if it is a directory.
        pub fn contents() -> list(ResourceContents<'a>) = "contents", required;
    }
}
