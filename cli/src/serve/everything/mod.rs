//! What the official conformance suite expects of a server: its tools, resources and prompts, by
//! its names. Of what it tests over HTTP only, the tools are here and answer plainly.

mod asking;
mod tools;

use std::io;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::Server;
use super::call::Call;
use super::prompts::{Argument, Block, Prompt};
use super::resources::{Contents, Resource, Template};

pub(super) use tools::TOOLS;

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/// No sound at all.
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const STATIC_TEXT: &str = "test://static-text";
const STATIC_BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

pub(super) static TEMPLATE: Template = Template {
    uri: "test://template/{id}/data",
    name: "template",
    description: "Data by its id",
    mime_type: "application/json",
};

pub(super) fn resources() -> impl Iterator<Item = Resource> {
    [
        (STATIC_TEXT, "static-text", "A text", "text/plain"),
        (STATIC_BINARY, "static-binary", "A picture", "image/png"),
        (
            WATCHED,
            "watched-resource",
            "One that can be subscribed to",
            "text/plain",
        ),
    ]
    .into_iter()
    .map(|(uri, name, description, mime_type)| Resource {
        uri: uri.into(),
        name: name.into(),
        description,
        mime_type,
        size: None,
    })
}

pub(super) fn contents(uri: &str) -> Option<Contents> {
    let (mime_type, bytes) = match uri {
        STATIC_TEXT => (
            "text/plain",
            b"This is the content of the static text resource.".to_vec(),
        ),
        STATIC_BINARY => ("image/png", png()),
        WATCHED => (
            "text/plain",
            b"This is the content of the watched resource.".to_vec(),
        ),
        _ => {
            let id = uri
                .strip_prefix("test://template/")?
                .strip_suffix("/data")?;
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            if id.is_empty() || !id.chars().all(plain) {
                return None;
            }
            let text = format!(r#"{{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}}"#);
            ("application/json", text.into_bytes())
        }
    };
    Some(Contents {
        uri: uri.into(),
        mime_type,
        bytes,
    })
}

fn png() -> Vec<u8> {
    BASE64_STANDARD.decode(PNG).unwrap_or_default()
}

const fn argument(name: &'static str, description: &'static str) -> Argument {
    Argument {
        name,
        description,
        required: true,
        values: &["paris", "park", "party"],
    }
}

pub(super) static PROMPTS: &[Prompt] = &[
    Prompt {
        name: "test_simple_prompt",
        description: "A prompt without arguments",
        arguments: &[],
        run: simple,
    },
    Prompt {
        name: "test_prompt_with_arguments",
        description: "A prompt with two arguments",
        arguments: &[
            argument("arg1", "The first"),
            argument("arg2", "The second"),
        ],
        run: with_arguments,
    },
    Prompt {
        name: "test_prompt_with_embedded_resource",
        description: "A prompt that holds a resource",
        arguments: &[Argument {
            name: "resourceUri",
            description: "The resource",
            required: true,
            values: &[STATIC_TEXT, STATIC_BINARY, WATCHED],
        }],
        run: with_resource,
    },
    Prompt {
        name: "test_prompt_with_image",
        description: "A prompt that holds a picture",
        arguments: &[],
        run: with_image,
    },
    Prompt {
        name: "test_input_required_result_prompt",
        description: "A prompt that asks the user first",
        arguments: &[],
        run: asking::prompt,
    },
];

fn simple(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    server.messages(call, &[Block::Text("This is a simple prompt for testing.")])
}

fn with_arguments(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let of = |name| {
        call.text(name)
            .map(|text| text.to_string())
            .unwrap_or_default()
    };
    let text = format!(
        "Prompt with arguments: arg1='{}', arg2='{}'",
        of("arg1"),
        of("arg2")
    );
    server.messages(call, &[Block::Text(&text)])
}

fn with_resource(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let uri = call
        .text("resourceUri")
        .map(|uri| uri.to_string())
        .unwrap_or_default();
    // The suite asks for one that need not exist.
    let contents = server.contents(&uri).unwrap_or_else(|_| Contents {
        bytes: b"Embedded resource content for testing.".to_vec(),
        mime_type: "text/plain",
        uri,
    });
    server.messages(
        call,
        &[
            Block::Resource(&contents),
            Block::Text("Please process the embedded resource above."),
        ],
    )
}

fn with_image(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    server.messages(
        call,
        &[
            Block::Png(PNG),
            Block::Text("Please describe the picture above."),
        ],
    )
}
