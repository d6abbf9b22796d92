//! Questions to the client: its user, its model, its roots.
//!
//! In the legacy era a question is a request of the server's own. In the modern era it is the
//! answer to the client's request, which the client sends again with what was asked for.

use std::io;

use wireline::encode::Payload;
use wireline::json::{self, RawJson, ToJson};
use wireline::mcp::{Capabilities, Capability, Method, code};
use wireline::session::{Ended, Handle, InputRequest, Options};

use super::Server;
use super::call::Call;
use super::jobs::Work;

/// What is made of an answer.
pub(super) type Then = fn(RawJson<'_>) -> String;

pub(super) struct Question {
    pub(super) key: &'static str,
    pub(super) method: Method,
    /// An object.
    pub(super) params: String,
}

/// A value's text.
pub(super) fn text_of(value: &dyn ToJson) -> String {
    let mut buffer = vec![0; json::measure(value).unwrap_or(0)];
    match json::write(value, &mut buffer) {
        Ok(text) => String::from_utf8_lossy(text).into_owned(),
        Err(_) => "{}".into(),
    }
}

impl Question {
    pub(super) fn new(key: &'static str, method: Method, params: &str) -> Self {
        Self {
            key,
            method,
            params: params.into(),
        }
    }

    /// A form for the user.
    pub(super) fn elicit(key: &'static str, message: &str, schema: RawJson<'_>) -> Self {
        let params = json::from_fn(|w| {
            w.begin_object().key("message").string(message);
            w.key("requestedSchema").raw(schema).end_object();
        });
        Self::new(key, Method::Elicit, &text_of(&params))
    }

    /// A prompt for the model.
    pub(super) fn sample(key: &'static str, prompt: &str, most: u64) -> Self {
        let params = json::from_fn(|w| {
            w.begin_object()
                .key("messages")
                .begin_array()
                .begin_object();
            w.key("role").string("user").key("content").begin_object();
            w.key("type").string("text").key("text").string(prompt);
            w.end_object().end_object().end_array();
            w.key("maxTokens").uint(most).end_object();
        });
        Self::new(key, Method::CreateMessage, &text_of(&params))
    }

    fn needs(&self) -> Capability {
        match self.method {
            Method::Elicit => Capability::Elicitation,
            Method::CreateMessage => Capability::Sampling,
            _ => Capability::Roots,
        }
    }

    pub(super) fn may_be_asked(&self, client: Capabilities) -> bool {
        client.has(self.needs())
    }

    fn params(&self) -> RawJson<'_> {
        RawJson::validate(self.params.as_bytes()).unwrap_or(RawJson::EMPTY_OBJECT)
    }
}

impl Server<'_> {
    /// Asks one thing and makes the tool's text of the answer.
    pub(super) fn ask_one(
        &mut self,
        call: &Call<'_>,
        question: Question,
        then: Then,
    ) -> io::Result<()> {
        if call.is_modern()
            && let Some(answer) = call.answer(question.key)
        {
            return self.text(call.handle, &then(answer));
        }
        self.ask(call, &[question], None, then)
    }

    /// Asks several things; of which the legacy era asks the first.
    pub(super) fn ask(
        &mut self,
        call: &Call<'_>,
        questions: &[Question],
        state: Option<&str>,
        then: Then,
    ) -> io::Result<()> {
        for question in questions {
            if !question.may_be_asked(call.capabilities) {
                return self.lacking(call, question.needs());
            }
        }
        if call.is_modern() {
            let requests: Vec<_> = questions
                .iter()
                .map(|question| InputRequest {
                    key: question.key,
                    method: question.method,
                    params: Payload::Raw(question.params()),
                })
                .collect();
            return match self.session.ask(call.handle, &requests, state) {
                Ok(send) => self.out.send(&send),
                Err(error) => self.broke(call.handle, &error),
            };
        }
        let Some(question) = questions.first() else {
            return Ok(());
        };
        let asked = self.session.request(
            question.method.name(),
            question.params(),
            Options::default(),
            self.now,
        );
        match asked {
            Ok((ours, send)) => {
                self.never(call, Work::Asked { ours, then });
                self.out.send(&send)
            }
            Err(error) => self.failed(call.handle, &format_args!("cannot ask: {error}")),
        }
    }

    /// The client cannot be asked this.
    pub(super) fn lacking(&mut self, call: &Call<'_>, capability: Capability) -> io::Result<()> {
        if !call.is_modern() {
            let [name, ..] = capability.path();
            let text = format_args!("this needs a client that declares `{name}`");
            return self.failed(call.handle, &text);
        }
        let required = Capabilities::NONE.with(capability);
        match self.session.fail_for_capability(call.handle, required) {
            Ok(send) => self.out.send(&send),
            Err(error) => self.broke(call.handle, &error),
        }
    }

    /// What became of a question in the legacy era.
    pub(super) fn answered(&mut self, ours: Handle, why: &Ended<'_>) -> io::Result<()> {
        let Some((handle, then)) = self.jobs.asked(ours) else {
            return Ok(());
        };
        match why {
            Ended::Result(message) => {
                let answer = message.result().unwrap_or(RawJson::EMPTY_OBJECT);
                self.text(handle, &then(answer))
            }
            Ended::Error(message) => match message.error() {
                Some(error) => self.failed(
                    handle,
                    &format_args!(
                        "the client answered with error {}: {}",
                        error.code(),
                        error.message()
                    ),
                ),
                None => self.failed(handle, &"the client answered with an error"),
            },
            Ended::Closed => self.fail(
                handle,
                code::INTERNAL_ERROR,
                "the input ended before the client's answer came",
                Payload::None,
            ),
            other => self.failed(
                handle,
                &format_args!("the client gave no answer: {}", other.name()),
            ),
        }
    }
}

pub(super) fn elicited(answer: RawJson<'_>) -> String {
    let action = answer.get("action").and_then(|it| it.as_json_str());
    match (action, answer.get("content")) {
        (Some(action), Some(content)) if action == "accept" => format!("the user said {content}"),
        (Some(action), _) => format!("the user's answer: {action}"),
        (None, _) => "the client's answer has no action".into(),
    }
}

pub(super) fn sampled(answer: RawJson<'_>) -> String {
    match text_in(answer) {
        Some(text) => format!("the model said {text}"),
        None => format!("the model said {answer}"),
    }
}

/// The first text of a sampling result; its content is a block or an array of them.
pub(super) fn text_in(answer: RawJson<'_>) -> Option<String> {
    let content = answer.get("content")?;
    let block = content.elements().next().unwrap_or(content);
    Some(block.get("text")?.as_json_str()?.to_string())
}

pub(super) fn rooted(answer: RawJson<'_>) -> String {
    let roots: Vec<_> = answer
        .get("roots")
        .into_iter()
        .flat_map(|roots| roots.elements())
        .filter_map(|root| Some(root.get("uri")?.as_json_str()?.to_string()))
        .collect();
    match roots.as_slice() {
        [] => "no roots".into(),
        some => some.join("\n"),
    }
}
