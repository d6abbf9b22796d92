//! Resources: the files under `--root`, and those of the conformance suite.

use std::io;

use wireline::encode::Payload;
use wireline::json::{self, JsonStr, ToJson};
use wireline::mcp::{Era, code};

use super::call::Call;
use super::root::{self, Entry, TEMPLATE, Unreadable};
use super::{Server, everything};

/// An entry of `resources/list`.
pub(super) struct Resource {
    pub(super) uri: String,
    pub(super) name: String,
    pub(super) description: &'static str,
    pub(super) mime_type: &'static str,
    pub(super) size: Option<u64>,
}

impl ToJson for Resource {
    fn write_json(&self, w: &mut json::Writer<'_>) {
        w.begin_object();
        w.key("uri")
            .string(&self.uri)
            .key("name")
            .string(&self.name);
        if !self.description.is_empty() {
            w.key("description").string(self.description);
        }
        if !self.mime_type.is_empty() {
            w.key("mimeType").string(self.mime_type);
        }
        if let Some(size) = self.size {
            w.key("size").uint(size);
        }
        w.end_object();
    }
}

/// An entry of `resources/templates/list`.
pub(super) struct Template {
    pub(super) uri: &'static str,
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) mime_type: &'static str,
}

impl ToJson for &Template {
    fn write_json(&self, w: &mut json::Writer<'_>) {
        w.begin_object();
        w.key("uriTemplate")
            .string(self.uri)
            .key("name")
            .string(self.name);
        w.key("description").string(self.description);
        if !self.mime_type.is_empty() {
            w.key("mimeType").string(self.mime_type);
        }
        w.end_object();
    }
}

static FILES: Template = Template {
    uri: TEMPLATE,
    name: "file",
    description: "A file of the folder that is served, by its path in it",
    mime_type: "",
};

impl From<Entry> for Resource {
    fn from(entry: Entry) -> Self {
        Self {
            uri: root::uri_of(&entry.path),
            mime_type: type_of(&entry.path),
            name: entry.path,
            description: "",
            size: Some(entry.size),
        }
    }
}

/// What a file's name says that it is; empty for what it does not say.
fn type_of(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "txt" | "log" | "rs" | "py" | "c" | "h" | "toml" | "yaml" | "yml" => "text/plain",
        "md" => "text/markdown",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "js" | "mjs" => "text/javascript",
        "json" => "application/json",
        "xml" => "application/xml",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "svg" => "image/svg+xml",
        "webp" => "image/webp",
        "wav" => "audio/wav",
        "mp3" => "audio/mpeg",
        _ => "",
    }
}

/// What was read, as text if it is text.
pub(super) struct Contents {
    pub(super) uri: String,
    pub(super) mime_type: &'static str,
    pub(super) bytes: Vec<u8>,
}

impl Contents {
    fn text(&self) -> Option<&str> {
        // A zero byte is UTF-8 and still no text.
        std::str::from_utf8(&self.bytes)
            .ok()
            .filter(|text| !text.contains('\0'))
    }
}

impl ToJson for Contents {
    fn write_json(&self, w: &mut json::Writer<'_>) {
        w.begin_object().key("uri").string(&self.uri);
        let text = self.text();
        let mime_type = match (self.mime_type, text) {
            ("", Some(_)) => "text/plain",
            ("", None) => "application/octet-stream",
            (known, _) => known,
        };
        w.key("mimeType").string(mime_type);
        match text {
            Some(text) => w.key("text").string(text),
            None => w.key("blob").base64(&self.bytes),
        };
        w.end_object();
    }
}

impl Server<'_> {
    /// Every resource there is now.
    pub(super) fn resources(&self) -> Vec<Resource> {
        let mut all: Vec<Resource> = Vec::new();
        if self.options.everything {
            all.extend(everything::resources());
        }
        if let Some(root) = &self.root {
            all.extend(root.list().into_iter().map(Resource::from));
        }
        all
    }

    pub(super) fn list_resources(&mut self, call: &Call<'_>) -> io::Result<()> {
        let entries = self.resources();
        if !call.is_modern() {
            self.listed();
        }
        self.page(call, "resources", &entries)
    }

    pub(super) fn list_templates(&mut self, call: &Call<'_>) -> io::Result<()> {
        let mut entries = Vec::new();
        if self.options.everything {
            entries.push(&everything::TEMPLATE);
        }
        if self.root.is_some() {
            entries.push(&FILES);
        }
        self.page(call, "resourceTemplates", &entries)
    }

    pub(super) fn read_resource(&mut self, call: &Call<'_>) -> io::Result<()> {
        let Some(uri) = call.param_text("uri") else {
            return self.bad_params(call, "`uri` is a string");
        };
        match self.contents(&uri.to_string()) {
            Ok(contents) => {
                let result = json::from_fn(|w| {
                    w.begin_object().key("contents").begin_array();
                    w.value(&contents).end_array().end_object();
                });
                self.respond(call.handle, &result)
            }
            Err(Unreadable::NotFound) => self.no_resource(call, uri),
            Err(Unreadable::TooLong) => {
                let message = "the resource is too large to be read";
                self.fail(call.handle, code::INTERNAL_ERROR, message, Payload::None)
            }
            Err(Unreadable::Io(error)) => {
                let message = format!("cannot read it: {}", crate::failure::plain(&error));
                self.fail(call.handle, code::INTERNAL_ERROR, &message, Payload::None)
            }
        }
    }

    pub(super) fn contents(&self, uri: &str) -> Result<Contents, Unreadable> {
        if self.options.everything
            && let Some(contents) = everything::contents(uri)
        {
            return Ok(contents);
        }
        let root = self.root.as_ref().ok_or(Unreadable::NotFound)?;
        Ok(Contents {
            bytes: root.read(uri)?,
            mime_type: type_of(uri),
            uri: uri.into(),
        })
    }

    /// The code that an unknown resource has in the revision of the request.
    fn no_resource(&mut self, call: &Call<'_>, uri: JsonStr<'_>) -> io::Result<()> {
        let code = match call.revision.era() {
            Era::Legacy => code::RESOURCE_NOT_FOUND,
            Era::Modern => code::INVALID_PARAMS,
        };
        let data = json::from_fn(|w| {
            w.begin_object().key("uri").display(&uri).end_object();
        });
        self.fail(
            call.handle,
            code,
            "Resource not found",
            Payload::Value(&data),
        )
    }
}
