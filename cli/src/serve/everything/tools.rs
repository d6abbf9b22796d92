//! The suite's tools.

use std::io;

use wireline::json::{self, ToJson};
use wireline::mcp::{Capability, LogLevel};
use wireline::session::{Change, Handle};

use super::super::Server;
use super::super::ask::Question;
use super::super::jobs::{Paced, Work};
use super::super::tools::{NO_ARGUMENTS, Tool, fragment};
use super::{PNG, WAV, asking};

/// Between the steps of the tools that take their time.
const PAUSE: u64 = 50;

const MESSAGE: &str =
    r#"{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}"#;
const PROMPT: &str =
    r#"{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}"#;
const HEADERS: &str = r#"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer","x-mcp-header":"Level"}}}"#;
const SCHEMA_2020_12: &str = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}"##;

pub(in super::super) static TOOLS: &[Tool] = &[
    Tool::new(
        "test_simple_text",
        "Returns a text",
        NO_ARGUMENTS,
        |server, call| server.text(call.handle, &"This is a simple text response for testing."),
    ),
    Tool::new(
        "test_image_content",
        "Returns a picture",
        NO_ARGUMENTS,
        |server, call| server.content(call.handle, &[Block::Image]),
    ),
    Tool::new(
        "test_audio_content",
        "Returns a sound",
        NO_ARGUMENTS,
        |server, call| server.content(call.handle, &[Block::Audio]),
    ),
    Tool::new(
        "test_embedded_resource",
        "Returns an embedded resource",
        NO_ARGUMENTS,
        |server, call| {
            server.content(
                call.handle,
                &[Block::Resource(
                    "test://embedded-resource",
                    "text/plain",
                    "This is an embedded resource content.",
                )],
            )
        },
    ),
    Tool::new(
        "test_multiple_content_types",
        "Returns a text, a picture and a resource",
        NO_ARGUMENTS,
        |server, call| {
            server.content(
                call.handle,
                &[
                    Block::Text("Multiple content types test:"),
                    Block::Image,
                    Block::Resource(
                        "test://mixed-content-resource",
                        "application/json",
                        r#"{"test":"data","value":123}"#,
                    ),
                ],
            )
        },
    ),
    Tool::new(
        "test_tool_with_logging",
        "Logs while it works",
        NO_ARGUMENTS,
        |server, call| server.paced(call, Paced::Logging),
    ),
    Tool::new(
        "test_tool_with_progress",
        "Reports progress while it works",
        NO_ARGUMENTS,
        |server, call| server.paced(call, Paced::Progress),
    ),
    Tool::new(
        "test_error_handling",
        "Fails",
        NO_ARGUMENTS,
        |server, call| {
            server.failed(
                call.handle,
                &"This tool intentionally returns an error for testing",
            )
        },
    ),
    Tool::new(
        "test_sampling",
        "Asks the client's model",
        PROMPT,
        asking::sampling,
    ),
    Tool::new(
        "test_elicitation",
        "Asks the client's user",
        MESSAGE,
        asking::elicitation,
    ),
    Tool::new(
        "test_elicitation_sep1034_defaults",
        "Asks with a default for every kind of field",
        NO_ARGUMENTS,
        asking::defaults,
    ),
    Tool::new(
        "test_elicitation_sep1330_enums",
        "Asks with every kind of choice",
        NO_ARGUMENTS,
        asking::enums,
    ),
    Tool::new(
        "test_reconnection",
        "Over HTTP, closes its stream first; here it just answers",
        NO_ARGUMENTS,
        |server, call| server.text(call.handle, &"Reconnection test completed successfully"),
    ),
    Tool::new(
        "json_schema_2020_12_tool",
        "Has a schema with the words of JSON Schema 2020-12",
        NO_ARGUMENTS,
        |server, call| server.text(call.handle, &"JSON Schema 2020-12 tool called"),
    )
    .opaque(SCHEMA_2020_12),
    Tool::new(
        "test_x_mcp_header",
        "Over HTTP, takes its arguments from headers, too",
        HEADERS,
        |server, call| server.text(call.handle, &"the arguments arrived"),
    ),
    Tool::new(
        "test_missing_capability",
        "Needs a client that declares sampling",
        NO_ARGUMENTS,
        |server, call| {
            if Question::sample("", "", 1).may_be_asked(call.capabilities) {
                server.text(call.handle, &"the client declares sampling")
            } else {
                server.lacking(call, Capability::Sampling)
            }
        },
    ),
    Tool::new(
        "test_streaming_elicitation",
        "Asks the client's user, without a request of its own where there are none",
        NO_ARGUMENTS,
        asking::by_elicitation,
    ),
    Tool::new(
        "test_logging_tool",
        "Logs, if it may",
        NO_ARGUMENTS,
        |server, call| {
            server.log(call.handle, LogLevel::Info, "the tool was called")?;
            server.text(call.handle, &"logged, if you asked for it")
        },
    ),
    Tool::new(
        "test_trigger_tool_change",
        "Says that the list of tools has changed",
        NO_ARGUMENTS,
        |server, call| {
            server.tell(Change::Tools)?;
            server.text(call.handle, &"whoever listens was told")
        },
    ),
    Tool::new(
        "test_trigger_prompt_change",
        "Says that the list of prompts has changed",
        NO_ARGUMENTS,
        |server, call| {
            server.tell(Change::Prompts)?;
            server.text(call.handle, &"whoever listens was told")
        },
    ),
    Tool::new(
        "test_input_required_result_elicitation",
        "Asks for a name",
        NO_ARGUMENTS,
        asking::by_elicitation,
    ),
    Tool::new(
        "test_input_required_result_sampling",
        "Asks the model",
        NO_ARGUMENTS,
        asking::by_sampling,
    ),
    Tool::new(
        "test_input_required_result_list_roots",
        "Asks for roots",
        NO_ARGUMENTS,
        asking::by_roots,
    ),
    Tool::new(
        "test_input_required_result_request_state",
        "Gives the client a state to keep",
        NO_ARGUMENTS,
        asking::with_state,
    ),
    Tool::new(
        "test_input_required_result_multiple_inputs",
        "Asks for three things at once",
        NO_ARGUMENTS,
        asking::for_several,
    ),
    Tool::new(
        "test_input_required_result_multi_round",
        "Asks twice",
        NO_ARGUMENTS,
        asking::twice,
    ),
    Tool::new(
        "test_input_required_result_tampered_state",
        "Takes back no state that was changed",
        NO_ARGUMENTS,
        asking::with_state,
    ),
    Tool::new(
        "test_input_required_result_capabilities",
        "Asks only for what the client can give",
        NO_ARGUMENTS,
        asking::what_it_can,
    ),
];

enum Block {
    Text(&'static str),
    Image,
    Audio,
    Resource(&'static str, &'static str, &'static str),
}

impl ToJson for Block {
    fn write_json(&self, w: &mut json::Writer<'_>) {
        w.begin_object();
        match self {
            Block::Text(text) => {
                w.key("type").string("text").key("text").string(text);
            }
            Block::Image => {
                w.key("type").string("image").key("data").string(PNG);
                w.key("mimeType").string("image/png");
            }
            Block::Audio => {
                w.key("type").string("audio").key("data").string(WAV);
                w.key("mimeType").string("audio/wav");
            }
            Block::Resource(uri, mime_type, text) => {
                w.key("type")
                    .string("resource")
                    .key("resource")
                    .begin_object();
                w.key("uri").string(uri).key("mimeType").string(mime_type);
                w.key("text").string(text).end_object();
            }
        }
        w.end_object();
    }
}

impl Server<'_> {
    fn content(&mut self, handle: Handle, blocks: &[Block]) -> io::Result<()> {
        let result = json::from_fn(|w| {
            w.begin_object().key("content").value(&blocks).end_object();
        });
        self.respond(handle, &result)
    }

    /// One step of a tool that takes its time.
    pub(in super::super) fn pace(
        &mut self,
        handle: Handle,
        step: usize,
        what: Paced,
    ) -> io::Result<()> {
        const SAID: [&str; 3] = [
            "Tool execution started",
            "Tool processing data",
            "Tool execution completed",
        ];
        let Some(said) = SAID.get(step) else {
            return Ok(());
        };
        match what {
            Paced::Logging => self.log(handle, LogLevel::Info, said)?,
            Paced::Progress => self.progress(handle, step as u64 * 50, 100, said)?,
        }
        if step + 1 < SAID.len() {
            let due = self.now.saturating_add(PAUSE);
            self.jobs.add(
                handle,
                due,
                Work::Paced {
                    step: step + 1,
                    what,
                },
            );
            return Ok(());
        }
        self.text(handle, said)
    }
}

/// The schema of a form, from this program's own text.
pub(super) fn form(key: &'static str, message: &str, schema: &'static str) -> Question {
    Question::elicit(key, message, fragment(schema))
}
