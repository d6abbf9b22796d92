//! What a server asks of its client: the user, a model, the roots.

use std::io;
use std::path::{Path, PathBuf};

use wireline::json::{self, RawJson, ToJson};
use wireline::mcp::{Capabilities, Capability, Method, code};

use super::elicit;
use super::terminal::{Terminal, Typed};
use crate::escape;

/// The code that the specification shows where a user rejects sampling.
const REJECTED: i64 = -1;

pub(super) enum Answer {
    Result(String),
    Error(i64, String),
}

pub(crate) struct Host {
    roots: Vec<Root>,
    sample: Option<String>,
    terminal: Terminal,
    /// What is answered to questions for the user, where nobody is to be asked.
    script: Option<&'static str>,
}

pub(crate) struct Root {
    uri: String,
    name: String,
}

impl Root {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let path = std::fs::canonicalize(path)?;
        if !path.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self {
            uri: uri_of(&path),
            name: path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
        })
    }
}

/// The `file:` URI of an absolute path.
fn uri_of(path: &Path) -> String {
    let text = path.to_string_lossy().into_owned();
    // Windows: `\\?\C:\a` is `/C:/a`.
    let text = if cfg!(windows) {
        format!("/{}", text.trim_start_matches(r"\\?\").replace('\\', "/"))
    } else {
        text
    };
    let mut uri = String::from("file://");
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b':' if cfg!(windows) => uri.push(':'),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

impl Host {
    pub(crate) fn new(
        roots: &[PathBuf],
        sample: Option<String>,
        terminal: Terminal,
    ) -> Result<Self, (PathBuf, io::Error)> {
        let roots = roots
            .iter()
            .map(|path| Root::new(path).map_err(|error| (path.clone(), error)))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            roots,
            sample,
            terminal,
            script: None,
        })
    }

    /// A host without a user: this is what every form is filled in with.
    pub(crate) fn scripted(content: &'static str, sample: &str) -> Self {
        Self {
            roots: Vec::new(),
            sample: Some(sample.into()),
            terminal: Terminal::none(),
            script: Some(content),
        }
    }

    pub(super) fn terminal(&mut self) -> &mut Terminal {
        &mut self.terminal
    }

    pub(super) fn answer(&mut self, method: Option<Method>, params: RawJson<'_>) -> Answer {
        match method {
            Some(Method::RootsList) => Answer::Result(self.roots()),
            Some(Method::Elicit) => Answer::Result(self.elicit(params)),
            Some(Method::CreateMessage) => self.sample(params),
            _ => Answer::Error(code::METHOD_NOT_FOUND, "Method not found".into()),
        }
    }

    fn roots(&self) -> String {
        text_of(&json::from_fn(|w| {
            w.begin_object().key("roots").begin_array();
            for root in &self.roots {
                w.begin_object().key("uri").string(&root.uri);
                w.key("name").string(&root.name).end_object();
            }
            w.end_array().end_object();
        }))
    }

    fn elicit(&mut self, params: RawJson<'_>) -> String {
        if let Some(content) = self.script {
            return format!(r#"{{"action":"accept","content":{content}}}"#);
        }
        if !self.terminal.is_there() {
            let message =
                "the server asks something of its user, but there is no terminal: declined\n";
            self.terminal.show(&format!("wireline: {message}"));
            return r#"{"action":"decline"}"#.into();
        }
        elicit::ask(&mut self.terminal, params)
    }

    fn sample(&mut self, params: RawJson<'_>) -> Answer {
        if let Some(text) = self.sample.clone() {
            return Answer::Result(sampled(&text));
        }
        if !self.terminal.is_there() {
            return Answer::Error(
                REJECTED,
                "the server asks for a model, and there is none: give --sample TEXT".into(),
            );
        }
        self.terminal
            .show("The server asks for a model. You may answer in its place.\n");
        if let Some(system) = params.get("systemPrompt").and_then(|it| it.as_json_str()) {
            self.terminal
                .show(&format!("  system: {}\n", shown(&system.to_string())));
        }
        for message in params
            .get("messages")
            .into_iter()
            .flat_map(|it| it.elements())
        {
            let role = message.get("role").and_then(|it| it.as_json_str());
            let role = role.map(|it| it.to_string()).unwrap_or_default();
            let content = message.get("content").unwrap_or(RawJson::EMPTY_OBJECT);
            let text = match content.get("text").and_then(|it| it.as_json_str()) {
                Some(text) => text.to_string(),
                None => content.as_str().to_string(),
            };
            self.terminal
                .show(&format!("  {}: {}\n", shown(&role), shown(&text)));
        }
        match self
            .terminal
            .ask("Answer in one line, or nothing to refuse: ")
        {
            Typed::Line(line) if !line.trim().is_empty() => Answer::Result(sampled(line.trim())),
            _ => Answer::Error(REJECTED, "the user refused to answer for a model".into()),
        }
    }
}

fn sampled(text: &str) -> String {
    text_of(&json::from_fn(|w| {
        w.begin_object().key("role").string("assistant");
        w.key("content").begin_object();
        w.key("type")
            .string("text")
            .key("text")
            .string(text)
            .end_object();
        w.key("model").string("wireline-call");
        w.key("stopReason").string("endTurn").end_object();
    }))
}

/// A value's text.
pub(super) fn text_of(value: &dyn ToJson) -> String {
    let mut buffer = vec![0; json::measure(value).unwrap_or(0)];
    match json::write(value, &mut buffer) {
        Ok(text) => String::from_utf8_lossy(text).into_owned(),
        Err(_) => "{}".into(),
    }
}

/// Text of a server's, fit for a terminal, on one line.
pub(super) fn shown(text: &str) -> String {
    let mut out = Vec::new();
    escape::push_text(&mut out, text.as_bytes());
    String::from_utf8_lossy(&out).into_owned()
}

/// What such a host can do, as it is declared.
///
/// Roots are declared where there are some: none at all would tell a server to stay away from
/// everything.
pub(crate) fn capabilities(samples: bool, roots: bool) -> Capabilities {
    let mut set = Capabilities::NONE
        .with(Capability::ElicitationForm)
        .with(Capability::ElicitationUrl);
    if samples {
        set = set.with(Capability::Sampling);
    }
    if roots {
        set = set.with(Capability::Roots);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn roots_are_uris() {
        assert_eq!(uri_of(Path::new("/a b/é%")), "file:///a%20b/%C3%A9%25");
    }

    #[test]
    fn samples_are_results() {
        let result = sampled("a \"b\"");
        let result = RawJson::validate(result.as_bytes()).expect("JSON");
        assert_eq!(
            result.get("model").expect("there").as_str(),
            "\"wireline-call\""
        );
        assert!(
            result
                .get("content")
                .expect("there")
                .as_str()
                .contains(r#""a \"b\"""#)
        );
    }
}
