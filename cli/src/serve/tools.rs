//! The server's own tools.

use std::io;

use wireline::json::{self, JsonStr, Number, RawJson, ToJson};
use wireline::mcp::{LogLevel, Method};
use wireline::server::Schema;

use super::ask::{self, Question};
use super::call::Call;
use super::jobs::Work;
use super::{Server, everything};

pub(super) type Run = fn(&mut Server<'_>, &Call<'_>) -> io::Result<()>;

/// What a tool does to the world, as its annotations tell it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Nothing,
    /// Something that takes nothing away.
    Adds,
    /// Anything.
    Anything,
}

pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// What its arguments have to be; they are checked before it runs.
    pub(super) input: Schema<'static>,
    pub(super) output: Option<Schema<'static>>,
    pub(super) does: Does,
    pub(super) run: Run,
}

impl Tool {
    pub(super) const fn new(
        name: &'static str,
        description: &'static str,
        input: &'static str,
        run: Run,
    ) -> Self {
        Self {
            name,
            description,
            input: schema(input),
            output: None,
            does: Does::Nothing,
            run,
        }
    }

    const fn does(mut self, does: Does) -> Self {
        self.does = does;
        self
    }

    const fn output(mut self, text: &'static str) -> Self {
        self.output = Some(schema(text));
        self
    }

    /// The arguments' schema, of words that this server knows nothing of.
    pub(super) const fn opaque(mut self, text: &'static str) -> Self {
        self.input = match Schema::opaque(text) {
            Ok(schema) => schema,
            Err(_) => panic!("a schema of the table is no JSON"),
        };
        self
    }
}

/// As an entry of `tools/list`.
impl ToJson for &Tool {
    fn write_json(&self, w: &mut json::Writer<'_>) {
        w.begin_object();
        w.key("name").string(self.name);
        w.key("description").string(self.description);
        w.key("inputSchema").raw(self.input.as_raw());
        if let Some(output) = self.output {
            w.key("outputSchema").raw(output.as_raw());
        }
        w.key("annotations").begin_object();
        w.key("readOnlyHint").bool(self.does == Does::Nothing);
        if self.does != Does::Nothing {
            w.key("destructiveHint").bool(self.does == Does::Anything);
        }
        w.key("openWorldHint").bool(false);
        w.end_object();
        w.end_object();
    }
}

/// A schema of a table. The tables are made by the compiler, so a wrong one is its error.
const fn schema(text: &'static str) -> Schema<'static> {
    match Schema::new(text) {
        Ok(schema) => schema,
        Err(_) => panic!("a schema of the table is wrong"),
    }
}

/// JSON that stands in this program.
pub(super) fn fragment(text: &'static str) -> RawJson<'static> {
    RawJson::validate(text.as_bytes()).unwrap_or(RawJson::EMPTY_OBJECT)
}

pub(super) const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{}}"#;
const TEXT: &str =
    r#"{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}"#;

pub(super) static TOOLS: &[Tool] = &[
    Tool::new("echo", "Gives the text back", TEXT, echo),
    Tool::new(
        "length",
        "Counts the text's characters and its bytes in UTF-8",
        TEXT,
        length,
    )
    .output(
        r#"{"type":"object","properties":{"characters":{"type":"integer"},"bytes":{"type":"integer"}},"required":["characters","bytes"]}"#,
    ),
    Tool::new(
        "add",
        "Adds two whole numbers of up to 64 bits",
        r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}"#,
        add,
    )
    .output(r#"{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}"#),
    Tool::new(
        "side_effect",
        "Counts how often it was called: what a client should ask its user about first",
        NO_ARGUMENTS,
        side_effect,
    )
    .does(Does::Anything),
    Tool::new(
        "sleep",
        "Answers after some milliseconds",
        r#"{"type":"object","properties":{"ms":{"type":"integer","minimum":0,"maximum":86400000}},"required":["ms"]}"#,
        sleep,
    ),
    Tool::new("hang", "Never answers", NO_ARGUMENTS, hang),
    Tool::new(
        "progress",
        "Reports progress step by step, so many milliseconds apart",
        r#"{"type":"object","properties":{"steps":{"type":"integer","minimum":1,"maximum":100000,"default":3},"ms":{"type":"integer","minimum":0,"maximum":60000,"default":100}}}"#,
        progress,
    ),
    Tool::new(
        "three_steps",
        "Reports three steps of progress, ten milliseconds apart",
        NO_ARGUMENTS,
        three_steps,
    ),
    Tool::new(
        "progress_1000",
        "Reports a thousand steps of progress at once",
        NO_ARGUMENTS,
        progress_1000,
    ),
    Tool::new(
        "stderr_noise",
        "Writes so many lines to standard error",
        r#"{"type":"object","properties":{"lines":{"type":"integer","minimum":0,"maximum":1000000,"default":1000}}}"#,
        stderr_noise,
    )
    .does(Does::Adds),
    Tool::new(
        "bad_values",
        "Returns control characters, separators, a huge number and what was given; `nan` asks for a number that JSON has not",
        r#"{"type":"object","properties":{"text":{"type":"string"},"number":{"type":"number"},"nan":{"type":"boolean"}}}"#,
        bad_values,
    ),
    Tool::new("fail", "Fails", r#"{"type":"object","properties":{"message":{"type":"string"}}}"#, fail),
    Tool::new(
        "blob",
        "Returns so many bytes as an embedded resource in base64",
        r#"{"type":"object","properties":{"bytes":{"type":"integer","minimum":0,"maximum":8388608,"default":256}}}"#,
        blob,
    ),
    Tool::new("structured", "Returns structured content", NO_ARGUMENTS, structured).output(
        r#"{"type":"object","properties":{"temperature":{"type":"number"},"unit":{"type":"string"},"samples":{"type":"array","items":{"type":"integer"}}},"required":["temperature","unit","samples"]}"#,
    ),
    Tool::new(
        "ask",
        "Asks the client's user for a name (elicitation)",
        r#"{"type":"object","properties":{"message":{"type":"string"}}}"#,
        ask_user,
    ),
    Tool::new(
        "sample",
        "Asks the client's model (sampling)",
        r#"{"type":"object","properties":{"prompt":{"type":"string"}}}"#,
        sample,
    ),
    Tool::new("roots", "Asks for the client's roots", NO_ARGUMENTS, roots),
    Tool::new("log", "Sends a log message of each level", NO_ARGUMENTS, log),
];

fn echo(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    match call.text("text") {
        // A lone surrogate escape comes back as U+FFFD: it is no text.
        Some(text) => server.text(call.handle, &text),
        None => server.refuse(call, "`text` is a string"),
    }
}

fn length(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let Some(text) = call.text("text") else {
        return server.refuse(call, "`text` is a string");
    };
    let (mut characters, mut bytes) = (0, 0);
    for c in text.chars() {
        characters += 1;
        bytes += c.unwrap_or(char::REPLACEMENT_CHARACTER).len_utf8() as u64;
    }
    let fields = json::from_fn(move |w| {
        w.begin_object();
        w.key("characters")
            .uint(characters)
            .key("bytes")
            .uint(bytes);
        w.end_object();
    });
    server.fields(
        call,
        &format_args!("{characters} characters, {bytes} bytes"),
        &fields,
    )
}

fn add(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let (Some(a), Some(b)) = (call.integer("a"), call.integer("b")) else {
        return server.refuse(call, "`a` and `b` are whole numbers of up to 64 bits");
    };
    // Two numbers of 64 bits have a sum of 65: written as text, never through a double.
    let sum = (i128::from(a) + i128::from(b)).to_string();
    let fields = json::from_fn(|w| {
        w.begin_object().key("sum").decimal(&sum).end_object();
    });
    server.fields(call, &sum, &fields)
}

fn side_effect(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    server.side_effects += 1;
    let count = server.side_effects;
    server.text(call.handle, &count)
}

fn sleep(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    match call.integer("ms").and_then(|ms| u64::try_from(ms).ok()) {
        Some(ms) if ms <= 86_400_000 => {
            server.later(call, ms, Work::Sleep(ms));
            Ok(())
        }
        _ => server.refuse(call, "`ms` is a whole number from 0 to 86400000"),
    }
}

fn hang(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    server.never(call, Work::Hang);
    Ok(())
}

/// An argument within a range, or its default.
fn within(call: &Call<'_>, name: &str, default: u64, most: u64) -> Option<u64> {
    match call.argument(name) {
        None => Some(default),
        Some(_) => {
            let value = u64::try_from(call.integer(name)?).ok()?;
            (value <= most).then_some(value)
        }
    }
}

fn progress(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    match (
        within(call, "steps", 3, 100_000),
        within(call, "ms", 100, 60_000),
    ) {
        (Some(steps @ 1..), Some(gap)) => server.steps(call, steps, gap, "all steps done"),
        _ => server.refuse(call, "`steps` is 1 to 100000 and `ms` 0 to 60000"),
    }
}

fn three_steps(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    server.steps(call, 3, 10, "three steps done")
}

fn progress_1000(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    server.steps(call, 1000, 0, "a thousand steps done")
}

fn stderr_noise(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let Some(lines) = within(call, "lines", 1000, 1_000_000) else {
        return server.refuse(call, "`lines` is 0 to 1000000");
    };
    server.noise(call, lines);
    Ok(())
}

fn bad_values(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    if call.argument("nan").and_then(|nan| nan.as_bool()) == Some(true) {
        // What the writer says of it is the answer.
        let value = json::from_fn(|w| {
            w.decimal("NaN");
        });
        return match json::measure(&value) {
            Ok(_) => server.text(call.handle, &"NaN was written"),
            Err(error) => server.refuse(call, &error.to_string()),
        };
    }
    let given = call.text("text");
    let number = call
        .argument("number")
        .and_then(|number| number.as_number());
    if call.argument("number").is_some() && number.is_none() {
        return server.refuse(call, "`number` is a number");
    }
    server.respond(call.handle, &BadValues { given, number })
}

struct BadValues<'a> {
    given: Option<JsonStr<'a>>,
    number: Option<Number<'a>>,
}

impl ToJson for BadValues<'_> {
    fn write_json(&self, w: &mut json::Writer<'_>) {
        let controls: String = (0..0x20).map(char::from).collect();
        w.begin_object().key("content").begin_array();
        for text in [
            controls.as_str(),
            "\u{7f}\u{85}\u{2028}\u{2029}\u{202e}\u{feff}\u{fffe}\u{10ffff}",
        ] {
            w.begin_object()
                .key("type")
                .string("text")
                .key("text")
                .string(text)
                .end_object();
        }
        if let Some(given) = self.given {
            w.begin_object().key("type").string("text");
            w.key("text").display(&given).end_object();
        }
        w.end_array();
        w.key("structuredContent").begin_object();
        w.key("big").decimal("123456789012345678901234567890");
        w.key("small").decimal("1e-400");
        w.key("safe").int((1 << 53) - 1);
        if let Some(number) = self.number {
            w.key("number").number(number);
        }
        w.end_object().end_object();
    }
}

fn fail(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    match call.text("message") {
        Some(text) => server.failed(call.handle, &text),
        None => server.failed(call.handle, &"it failed, as it was told to"),
    }
}

fn blob(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let Some(bytes) = within(call, "bytes", 256, 8 << 20) else {
        return server.refuse(call, "`bytes` is 0 to 8388608");
    };
    let bytes: Vec<u8> = (0..bytes).map(|n| (n % 256) as u8).collect();
    let value = json::from_fn(|w| {
        w.begin_object().key("content").begin_array().begin_object();
        w.key("type")
            .string("resource")
            .key("resource")
            .begin_object();
        w.key("uri").string("wireline:blob");
        w.key("mimeType").string("application/octet-stream");
        w.key("blob").base64(&bytes);
        w.end_object().end_object().end_array().end_object();
    });
    server.respond(call.handle, &value)
}

fn structured(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    const FIELDS: &str = r#"{"temperature":21.5,"unit":"celsius","samples":[21,22,21]}"#;
    server.fields(call, &FIELDS, &fragment(FIELDS))
}

fn ask_user(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let message = match call.text("message") {
        Some(text) => text.to_string(),
        None => "What is your name?".into(),
    };
    let schema = r#"{"type":"object","properties":{"name":{"type":"string","description":"What to call you"}},"required":["name"]}"#;
    let question = Question::elicit("answer", &message, fragment(schema));
    server.ask_one(call, question, ask::elicited)
}

fn sample(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let prompt = match call.text("prompt") {
        Some(text) => text.to_string(),
        None => "Say hello.".into(),
    };
    server.ask_one(call, Question::sample("answer", &prompt, 100), ask::sampled)
}

fn roots(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    server.ask_one(
        call,
        Question::new("answer", Method::RootsList, "{}"),
        ask::rooted,
    )
}

fn log(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    for &level in LogLevel::ALL {
        server.log(
            call.handle,
            level,
            &format!("a message of level {}", level.name()),
        )?;
    }
    server.text(
        call.handle,
        &"a message of each level was sent, if you asked for it",
    )
}

/// Every tool of a server, in a fixed order.
pub(super) fn all(everything: bool) -> impl Iterator<Item = &'static Tool> {
    let more = if everything { everything::TOOLS } else { &[] };
    TOOLS.iter().chain(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_there_once() {
        let mut names: Vec<_> = all(true).map(|tool| tool.name).collect();
        let length = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), length);
    }
}
