//! Answers, for people.

use wireline::json::{JsonKind, JsonStr, RawJson};

use super::notice::plain;
use crate::args::Kind;
use crate::escape;

/// Text of several lines, fit for a terminal: line ends and tabs stay, what steers does not.
fn push_lines(out: &mut Vec<u8>, text: JsonStr<'_>) {
    for c in text.chars() {
        match c.unwrap_or(char::REPLACEMENT_CHARACTER) {
            '\n' => out.push(b'\n'),
            '\t' => out.push(b'\t'),
            c => escape::push_char(out, c),
        }
    }
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
}

fn push(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// A member that is a string, in one line.
fn part(of: RawJson<'_>, name: &str) -> Option<String> {
    of.get(name)
        .filter(|it| it.kind() == JsonKind::String)
        .map(plain)
}

/// What a list calls its entries, in its result and to people.
pub(super) const fn member(kind: Kind) -> &'static str {
    match kind {
        Kind::Tools => "tools",
        Kind::Resources => "resources",
        Kind::Templates => "resourceTemplates",
        Kind::Prompts => "prompts",
    }
}

/// One entry of a list: what to call it by, and the first line of what it is.
pub(super) fn entry(out: &mut Vec<u8>, kind: Kind, entry: RawJson<'_>) {
    let name = match kind {
        Kind::Tools | Kind::Prompts => part(entry, "name"),
        Kind::Resources => part(entry, "uri"),
        Kind::Templates => part(entry, "uriTemplate"),
    };
    push(out, "  ");
    push(out, &name.unwrap_or_else(|| "?".into()));
    match kind {
        Kind::Tools => signature(
            out,
            entry.get("inputSchema").unwrap_or(RawJson::EMPTY_OBJECT),
        ),
        Kind::Prompts => prompt_arguments(out, entry),
        Kind::Resources | Kind::Templates => {}
    }
    let about = part(entry, "description")
        .or_else(|| part(entry, "title"))
        .or_else(|| match kind {
            Kind::Resources | Kind::Templates => part(entry, "name"),
            Kind::Tools | Kind::Prompts => None,
        });
    if let Some(about) = about {
        // Escaped line ends are where the first line stops.
        let first = about.split("\\x0a").next().unwrap_or_default().trim_end();
        push(out, "  - ");
        push(out, first);
    }
    if kind == Kind::Tools && may_change(entry) {
        push(out, " [asks first]");
    }
    out.push(b'\n');
}

/// A tool's arguments as `(a: integer, b?: string)`.
fn signature(out: &mut Vec<u8>, schema: RawJson<'_>) {
    let required: Vec<String> = schema
        .get("required")
        .into_iter()
        .flat_map(|it| it.elements())
        .filter_map(|it| Some(it.as_json_str()?.to_string()))
        .collect();
    let mut first = true;
    push(out, "(");
    for (name, property) in schema
        .get("properties")
        .into_iter()
        .flat_map(|it| it.members())
    {
        if !std::mem::take(&mut first) {
            push(out, ", ");
        }
        let optional = !required.contains(&name.to_string());
        escape::push_text(out, name.to_string().as_bytes());
        push(out, if optional { "?" } else { "" });
        if let Some(kind) = part(property, "type") {
            push(out, ": ");
            push(out, &kind);
        }
    }
    push(out, ")");
}

fn prompt_arguments(out: &mut Vec<u8>, prompt: RawJson<'_>) {
    let mut first = true;
    push(out, "(");
    for argument in prompt
        .get("arguments")
        .into_iter()
        .flat_map(|it| it.elements())
    {
        if !std::mem::take(&mut first) {
            push(out, ", ");
        }
        push(out, &part(argument, "name").unwrap_or_else(|| "?".into()));
        let required = argument.get("required").and_then(|it| it.as_bool()) == Some(true);
        push(out, if required { "" } else { "?" });
    }
    push(out, ")");
}

/// Whether a tool may change something that cannot be brought back, as far as its server says. An
/// annotation that is absent means the worse.
pub(super) fn may_change(tool: RawJson<'_>) -> bool {
    let hint = |name| tool.get("annotations")?.get(name)?.as_bool();
    hint("readOnlyHint") != Some(true) && hint("destructiveHint") != Some(false)
}

/// A tool's result.
pub(super) fn tool(out: &mut Vec<u8>, result: RawJson<'_>) {
    let mut texts = 0;
    for block in result
        .get("content")
        .into_iter()
        .flat_map(|it| it.elements())
    {
        texts += 1;
        content(out, block);
    }
    if let Some(fields) = result.get("structuredContent")
        && texts == 0
    {
        escape::push_token(out, fields.as_str());
        out.push(b'\n');
    }
}

/// One block of content.
fn content(out: &mut Vec<u8>, block: RawJson<'_>) {
    let kind = part(block, "type").unwrap_or_default();
    match (
        kind.as_str(),
        block.get("text").and_then(|it| it.as_json_str()),
    ) {
        ("text", Some(text)) => push_lines(out, text),
        ("resource", _) => {
            resource(
                out,
                block.get("resource").unwrap_or(RawJson::EMPTY_OBJECT),
                true,
            );
        }
        ("resource_link", _) => {
            push(
                out,
                &format!("[link to {}]\n", part(block, "uri").unwrap_or_default()),
            );
        }
        ("image" | "audio", _) => {
            let mime_type = part(block, "mimeType").unwrap_or_else(|| kind.clone());
            push(
                out,
                &format!("[{mime_type}, {} bytes]\n", decoded_length(block, "data")),
            );
        }
        _ => {
            escape::push_token(out, block.as_str());
            out.push(b'\n');
        }
    }
}

/// The bytes that a member in base64 stands for.
fn decoded_length(of: RawJson<'_>, name: &str) -> usize {
    let Some(data) = of.get(name).and_then(|it| it.as_json_str()) else {
        return 0;
    };
    let text = data.to_string();
    text.trim_end_matches('=').len() * 3 / 4
}

/// The contents of a resource.
fn resource(out: &mut Vec<u8>, contents: RawJson<'_>, named: bool) {
    if named {
        push(
            out,
            &format!("[{}]\n", part(contents, "uri").unwrap_or_default()),
        );
    }
    match contents.get("text").and_then(|it| it.as_json_str()) {
        Some(text) => push_lines(out, text),
        None => {
            let mime_type = part(contents, "mimeType").unwrap_or_else(|| "bytes".into());
            push(
                out,
                &format!(
                    "[{mime_type}, {} bytes]\n",
                    decoded_length(contents, "blob")
                ),
            );
        }
    }
}

/// The result of `resources/read`.
pub(super) fn contents(out: &mut Vec<u8>, result: RawJson<'_>) {
    let all: Vec<_> = result
        .get("contents")
        .into_iter()
        .flat_map(|it| it.elements())
        .collect();
    for one in &all {
        resource(out, *one, all.len() > 1);
    }
}

/// The result of `prompts/get`.
pub(super) fn prompt(out: &mut Vec<u8>, result: RawJson<'_>) {
    for message in result
        .get("messages")
        .into_iter()
        .flat_map(|it| it.elements())
    {
        push(out, &part(message, "role").unwrap_or_else(|| "?".into()));
        push(out, ": ");
        content(out, message.get("content").unwrap_or(RawJson::EMPTY_OBJECT));
    }
}

/// The result of `completion/complete`.
pub(super) fn completion(out: &mut Vec<u8>, result: RawJson<'_>) {
    let completion = result.get("completion").unwrap_or(RawJson::EMPTY_OBJECT);
    for value in completion
        .get("values")
        .into_iter()
        .flat_map(|it| it.elements())
    {
        push(out, &plain(value));
        out.push(b'\n');
    }
    if completion.get("hasMore").and_then(|it| it.as_bool()) == Some(true) {
        let total = completion
            .get("total")
            .map(|total| format!(" of {}", plain(total)));
        push(
            out,
            &format!("… there are more{}\n", total.unwrap_or_default()),
        );
    }
}

/// What the server says about itself, line by line.
pub(super) fn instructions(out: &mut Vec<u8>, text: RawJson<'_>) {
    let mut lines = Vec::new();
    if let Some(text) = text.as_json_str() {
        push_lines(&mut lines, text);
    }
    for (at, line) in lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
        push(
            out,
            if at == 0 {
                "instructions: "
            } else {
                "              "
            },
        );
        out.extend_from_slice(line);
    }
}

/// Who the server is.
pub(super) fn server(out: &mut Vec<u8>, info: RawJson<'_>) {
    let name = part(info, "name").unwrap_or_else(|| "a server without a name".into());
    push(out, &name);
    if let Some(version) = part(info, "version") {
        push(out, &format!(" {version}"));
    }
    if let Some(title) = part(info, "title") {
        push(out, &format!(" ({title})"));
    }
    out.push(b'\n');
}

/// What it can do, as `tools (listChanged), logging`.
pub(super) fn capabilities(out: &mut Vec<u8>, declared: RawJson<'_>) {
    let all: Vec<_> = declared
        .members()
        .map(|(name, value)| {
            let name = super::host::shown(&name.to_string());
            let parts: Vec<_> = value
                .members()
                .filter(|(_, value)| value.as_bool() != Some(false))
                .map(|(name, _)| super::host::shown(&name.to_string()))
                .collect();
            match parts.as_slice() {
                [] => name,
                some => format!("{name} ({})", some.join(", ")),
            }
        })
        .collect();
    push(
        out,
        &if all.is_empty() {
            "nothing".into()
        } else {
            all.join(", ")
        },
    );
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> RawJson<'_> {
        RawJson::validate(text.as_bytes()).expect("JSON")
    }

    #[test]
    fn what_is_absent_means_the_worse() {
        for (annotations, asks) in [
            ("{}", true),
            (r#"{"annotations":{}}"#, true),
            (r#"{"annotations":{"readOnlyHint":false}}"#, true),
            (r#"{"annotations":{"destructiveHint":true}}"#, true),
            (r#"{"annotations":{"readOnlyHint":"yes"}}"#, true),
            (r#"{"annotations":{"readOnlyHint":true}}"#, false),
            (r#"{"annotations":{"destructiveHint":false}}"#, false),
        ] {
            assert_eq!(may_change(json(annotations)), asks, "{annotations}");
        }
    }

    #[test]
    fn nothing_steers_the_terminal() {
        let mut out = Vec::new();
        tool(
            &mut out,
            json(
                r#"{"content":[{"type":"text","text":"a\n\u001b[2Jb\u202e"},{"type":"image","data":"AAAA","mimeType":"image/png\u0007"}]}"#,
            ),
        );
        assert_eq!(
            String::from_utf8(out).expect("UTF-8"),
            "a\n\\x1b[2Jb\\u{202e}\n[image/png\\x07, 3 bytes]\n"
        );
    }
}
