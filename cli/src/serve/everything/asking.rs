//! The suite's tools that ask the client for something.

use std::hash::BuildHasher;
use std::io;

use wireline::json::RawJson;
use wireline::mcp::Method;

use super::super::Server;
use super::super::ask::{self, Question};
use super::super::call::Call;
use super::super::prompts::Block;
use super::tools::form;

const NAME: &str =
    r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#;
const COLOR: &str =
    r#"{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}"#;
const CONFIRM: &str =
    r#"{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}"#;
const CONTEXT: &str =
    r#"{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}"#;
const USER: &str = r#"{"type":"object","properties":{"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}"#;
const DEFAULTS: &str = r#"{"type":"object","properties":{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}},"required":[]}"#;
const ENUMS: &str = r#"{"type":"object","properties":{"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},"required":[]}"#;

pub(super) fn sampling(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let Some(prompt) = call.text("prompt") else {
        return server.refuse(call, "`prompt` is a string");
    };
    let question = Question::sample("response", &prompt.to_string(), 100);
    server.ask_one(call, question, |answer| {
        format!(
            "LLM response: {}",
            ask::text_in(answer).unwrap_or_else(|| answer.to_string())
        )
    })
}

fn user_response(answer: RawJson<'_>) -> String {
    format!("User response: {answer}")
}

fn completed(answer: RawJson<'_>) -> String {
    format!("Elicitation completed: {answer}")
}

pub(super) fn elicitation(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let Some(message) = call.text("message") else {
        return server.refuse(call, "`message` is a string");
    };
    server.ask_one(
        call,
        form("response", &message.to_string(), USER),
        user_response,
    )
}

pub(super) fn defaults(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let question = form(
        "response",
        "Please review and update the form fields with defaults",
        DEFAULTS,
    );
    server.ask_one(call, question, completed)
}

pub(super) fn enums(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let question = form(
        "response",
        "Please select options from the enum fields",
        ENUMS,
    );
    server.ask_one(call, question, completed)
}

/// A string of a form that the user filled in.
fn field(call: &Call<'_>, key: &str, name: &str) -> Option<String> {
    let answer = call.answer(key)?;
    let accepted = answer.get("action")?.as_json_str()? == "accept";
    let value = answer.get("content")?.get(name)?.as_json_str()?;
    accepted.then(|| value.to_string())
}

fn user_name() -> Question {
    form("user_name", "What is your name?", NAME)
}

pub(super) fn by_elicitation(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    match field(call, "user_name", "name") {
        Some(name) => server.text(call.handle, &format_args!("Hello, {name}!")),
        None => server.ask(call, &[user_name()], None, ask::elicited),
    }
}

pub(super) fn by_sampling(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    match call.answer("capital_question").and_then(ask::text_in) {
        Some(text) => server.text(call.handle, &text),
        None => {
            let question =
                Question::sample("capital_question", "What is the capital of France?", 100);
            server.ask(call, &[question], None, ask::sampled)
        }
    }
}

fn client_roots() -> Question {
    Question::new("client_roots", Method::RootsList, "{}")
}

pub(super) fn by_roots(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    match call
        .answer("client_roots")
        .filter(|answer| answer.get("roots").is_some())
    {
        Some(answer) => server.text(call.handle, &ask::rooted(answer)),
        None => server.ask(call, &[client_roots()], None, ask::rooted),
    }
}

pub(super) fn with_state(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let state = match call.state() {
        None => None,
        Some(state) => match server.unsealed(&state.to_string()) {
            Some(state) => Some(state),
            None => {
                return server.bad_params(call, "the request state is not one that was given out");
            }
        },
    };
    let confirmed = call.answer("confirm").is_some_and(|answer| {
        answer
            .get("action")
            .and_then(|it| it.as_json_str())
            .is_some_and(|action| action == "accept")
    });
    if state.is_some() && confirmed {
        return server.text(call.handle, &"state-ok");
    }
    let state = server.sealed("confirm");
    let question = form("confirm", "Please confirm", CONFIRM);
    server.ask(call, &[question], Some(&state), ask::elicited)
}

pub(super) fn for_several(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let name = field(call, "user_name", "name");
    let greeting = call.answer("greeting").and_then(ask::text_in);
    let roots = call
        .answer("client_roots")
        .filter(|it| it.get("roots").is_some());
    if let (Some(name), Some(greeting), Some(roots)) = (name, greeting, roots) {
        let roots = ask::rooted(roots);
        return server.text(
            call.handle,
            &format_args!("{greeting} {name}! Roots: {roots}"),
        );
    }
    let state = server.sealed("several");
    let questions = [
        user_name(),
        Question::sample("greeting", "Say a greeting", 50),
        client_roots(),
    ];
    server.ask(call, &questions, Some(&state), ask::elicited)
}

pub(super) fn twice(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let state = call
        .state()
        .map(|state| server.unsealed(&state.to_string()));
    let first = field(call, "step1", "name");
    let second = field(call, "step2", "color");
    match (state, first, second) {
        (Some(None), ..) => {
            server.bad_params(call, "the request state is not one that was given out")
        }
        (Some(Some(state)), _, Some(color)) if state.starts_with("second:") => {
            let name = state.trim_start_matches("second:");
            server.text(call.handle, &format_args!("{name} likes {color}"))
        }
        (Some(Some(state)), Some(name), _) if state == "first" => {
            let state = server.sealed(&format!("second:{name}"));
            let question = form("step2", "What is your favourite colour?", COLOR);
            server.ask(call, &[question], Some(&state), ask::elicited)
        }
        _ => {
            let state = server.sealed("first");
            let question = form("step1", "What is your name?", NAME);
            server.ask(call, &[question], Some(&state), ask::elicited)
        }
    }
}

pub(super) fn what_it_can(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    let questions: Vec<_> = [
        user_name(),
        Question::sample("greeting", "Say a greeting", 50),
        client_roots(),
    ]
    .into_iter()
    .filter(|question| question.may_be_asked(call.capabilities))
    .collect();
    if questions.is_empty() {
        return server.text(call.handle, &"this client cannot be asked anything");
    }
    if questions
        .iter()
        .all(|question| call.answer(question.key).is_some())
    {
        return server.text(call.handle, &"all was answered that could be asked");
    }
    server.ask(call, &questions, None, ask::elicited)
}

pub(super) fn prompt(server: &mut Server<'_>, call: &Call<'_>) -> io::Result<()> {
    match field(call, "user_context", "context") {
        Some(context) => {
            let text = format!("Use this context: {context}");
            server.messages(call, &[Block::Text(&text)])
        }
        None if call.is_modern() => {
            let question = form("user_context", "What is the context?", CONTEXT);
            server.ask(call, &[question], None, ask::elicited)
        }
        // The legacy era has no way back into a prompt.
        None => server.messages(call, &[Block::Text("Use no context.")]),
    }
}

/// What a client keeps for us, and could change: a text and its keyed hash. The key is this
/// process's own; the hash is that of std's tables, good enough for tests of clients.
impl Server<'_> {
    fn sealed(&self, text: &str) -> String {
        format!("{:016x}.{text}", self.secret.hash_one(text))
    }

    fn unsealed(&self, sealed: &str) -> Option<String> {
        let (_, text) = sealed.split_once('.')?;
        (self.sealed(text) == sealed).then(|| text.into())
    }
}
