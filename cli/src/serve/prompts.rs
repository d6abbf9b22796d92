//! Prompts, and what their arguments can be completed to.

use std::io;

use wireline::json::{self, JsonKind, ToJson};

use super::call::Call;
use super::resources::Contents;
use super::root::{self, TEMPLATE};
use super::{Server, everything};

/// The most values of one completion, as the specification has it.
const MOST: usize = 100;

pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) required: bool,
    /// What it may well be.
    pub(super) values: &'static [&'static str],
}

pub(super) struct Prompt {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) arguments: &'static [Argument],
    pub(super) run: fn(&mut Server<'_>, &Call<'_>) -> io::Result<()>,
}

impl ToJson for &Prompt {
    fn write_json(&self, w: &mut json::Writer<'_>) {
        w.begin_object();
        w.key("name").string(self.name);
        w.key("description").string(self.description);
        if !self.arguments.is_empty() {
            w.key("arguments").begin_array();
            for argument in self.arguments {
                w.begin_object().key("name").string(argument.name);
                w.key("description").string(argument.description);
                w.key("required").bool(argument.required).end_object();
            }
            w.end_array();
        }
        w.end_object();
    }
}

/// A block of a prompt's message.
pub(super) enum Block<'a> {
    Text(&'a str),
    /// In base64, as it stands.
    Png(&'a str),
    Resource(&'a Contents),
}

impl ToJson for Block<'_> {
    fn write_json(&self, w: &mut json::Writer<'_>) {
        w.begin_object();
        match self {
            Block::Text(text) => {
                w.key("type").string("text").key("text").string(text);
            }
            Block::Png(data) => {
                w.key("type").string("image").key("data").string(data);
                w.key("mimeType").string("image/png");
            }
            Block::Resource(contents) => {
                w.key("type")
                    .string("resource")
                    .key("resource")
                    .value(*contents);
            }
        }
        w.end_object();
    }
}

static PROMPTS: &[Prompt] = &[
    Prompt {
        name: "greet",
        description: "Greets somebody",
        arguments: &[
            Argument {
                name: "name",
                description: "Whom",
                required: true,
                values: &["Ada", "Alan", "Barbara", "Edsger", "Grace"],
            },
            Argument {
                name: "tone",
                description: "How",
                required: false,
                values: &["formal", "friendly", "terse"],
            },
        ],
        run: greet,
    },
    Prompt {
        name: "summarize",
        description: "Summarizes a file of the folder that is served",
        arguments: &[Argument {
            name: "uri",
            description: "The file's URI",
            required: true,
            values: &[],
        }],
        run: summarize,
    },
];

pub(super) fn all(everything: bool) -> impl Iterator<Item = &'static Prompt> {
    let more = if everything { everything::PROMPTS } else { &[] };
    PROMPTS.iter().chain(more)
}

fn greet(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let (Some(name), tone) = (call.text("name"), call.text("tone")) else {
        return server.bad_params(call, "`name` is missing");
    };
    let text = match tone {
        Some(tone) => format!("Please greet {name}, and be {tone}."),
        None => format!("Please greet {name}."),
    };
    server.messages(call, &[Block::Text(&text)])
}

fn summarize(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let Some(uri) = call.text("uri") else {
        return server.bad_params(call, "`uri` is missing");
    };
    match server.contents(&uri.to_string()) {
        Ok(contents) => server.messages(
            call,
            &[
                Block::Resource(&contents),
                Block::Text("Please summarize this."),
            ],
        ),
        Err(_) => server.bad_params(call, "there is no such file"),
    }
}

impl Server<'_> {
    /// A prompt's result: messages of the user, one for each block.
    pub(super) fn messages(&mut self, call: &Call<'_>, blocks: &[Block<'_>]) -> io::Result<()> {
        let result = json::from_fn(|w| {
            w.begin_object().key("messages").begin_array();
            for block in blocks {
                w.begin_object().key("role").string("user");
                w.key("content").value(block).end_object();
            }
            w.end_array().end_object();
        });
        self.respond(call.handle, &result)
    }

    pub(super) fn get_prompt(&mut self, call: &Call<'_>) -> io::Result<()> {
        let name = call.param_text("name");
        let arguments = call.param("arguments");
        let strings = arguments.is_none_or(|arguments| {
            arguments.kind() == JsonKind::Object
                && arguments
                    .members()
                    .all(|(_, value)| value.kind() == JsonKind::String)
        });
        if !strings {
            return self.bad_params(call, "`arguments` is an object of strings");
        }
        let prompt = all(self.options.everything)
            .find(|prompt| name.is_some_and(|name| name == prompt.name));
        let Some(prompt) = prompt else {
            return self.bad_params(call, "no such prompt");
        };
        for argument in prompt.arguments.iter().filter(|argument| argument.required) {
            if call.text(argument.name).is_none() {
                return self.bad_params(call, &format!("`{}` is missing", argument.name));
            }
        }
        (prompt.run)(self, call)
    }

    pub(super) fn complete(&mut self, call: &Call<'_>) -> io::Result<()> {
        let text =
            |of: &str, name: &str| Some(call.param(of)?.get(name)?.as_json_str()?.to_string());
        let (Some(kind), Some(argument), Some(begun)) = (
            text("ref", "type"),
            text("argument", "name"),
            text("argument", "value"),
        ) else {
            return self.bad_params(call, "`ref` and `argument` say what is to be completed");
        };
        let values = match kind.as_str() {
            "ref/prompt" => self.prompt_values(text("ref", "name"), &argument),
            "ref/resource" => self.path_values(text("ref", "uri"), &argument),
            _ => None,
        };
        let Some(mut values) = values else {
            return self.bad_params(call, "there is nothing like that to be completed");
        };
        values.retain(|value| value.starts_with(&begun));
        let result = json::from_fn(|w| {
            w.begin_object().key("completion").begin_object();
            w.key("values").begin_array();
            for value in values.iter().take(MOST) {
                w.string(value);
            }
            w.end_array();
            w.key("total").uint(values.len() as u64);
            w.key("hasMore").bool(values.len() > MOST);
            w.end_object().end_object();
        });
        self.respond(call.handle, &result)
    }

    fn prompt_values(&self, name: Option<String>, argument: &str) -> Option<Vec<String>> {
        let name = name?;
        let prompt = all(self.options.everything).find(|prompt| prompt.name == name)?;
        let argument = prompt.arguments.iter().find(|it| it.name == argument)?;
        if argument.name == "uri" {
            let files = self.root.iter().flat_map(|root| root.list());
            return Some(files.map(|file| root::uri_of(&file.path)).collect());
        }
        Some(argument.values.iter().map(ToString::to_string).collect())
    }

    fn path_values(&self, uri: Option<String>, argument: &str) -> Option<Vec<String>> {
        match uri?.as_str() {
            TEMPLATE if argument == "path" => {
                let files = self.root.as_ref()?.list();
                Some(files.into_iter().map(|file| file.path).collect())
            }
            uri if self.options.everything && uri == everything::TEMPLATE.uri => {
                (argument == "id").then(|| vec!["123".into()])
            }
            _ => None,
        }
    }
}
