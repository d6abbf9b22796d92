//! Forms that a server wants its user to fill in, asked on the terminal field by field.

use wireline::json::{self, RawJson};

use super::host::{shown, text_of};
use super::terminal::{Terminal, Typed};

/// How often a field is asked for before the form is given up.
const TRIES: usize = 3;

/// What a field may hold.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Integer,
    Boolean,
    /// One of these values.
    One(Vec<String>),
    /// Any of these values.
    Some(Vec<String>),
}

const DECLINE: &str = r#"{"action":"decline"}"#;
const CANCEL: &str = r#"{"action":"cancel"}"#;

pub(super) fn ask(terminal: &mut Terminal, params: RawJson<'_>) -> String {
    let text = |name: &str| {
        params
            .get(name)
            .and_then(|it| it.as_json_str())
            .map(|it| it.to_string())
    };
    let message = text("message").unwrap_or_default();
    terminal.show(&format!("The server asks: {}\n", shown(&message)));
    if text("mode").as_deref() == Some("url") {
        let url = text("url").unwrap_or_default();
        // Shown whole and never opened: whoever opens it decides whether to trust it.
        terminal.show(&format!("It wants you to visit {}\n", shown(&url)));
        return match terminal.agrees("Will you?") {
            true => r#"{"action":"accept"}"#.into(),
            false => DECLINE.into(),
        };
    }
    if !terminal.agrees("Answer it?") {
        return DECLINE.into();
    }
    let schema = params
        .get("requestedSchema")
        .unwrap_or(RawJson::EMPTY_OBJECT);
    let required: Vec<String> = strings(schema.get("required"));
    let mut content: Vec<(String, String)> = Vec::new();
    for (name, field) in schema
        .get("properties")
        .into_iter()
        .flat_map(|it| it.members())
    {
        let name = name.to_string();
        match ask_field(terminal, &name, field, required.contains(&name)) {
            Ok(Some(value)) => content.push((name, value)),
            Ok(None) => {}
            Err(()) => return CANCEL.into(),
        }
    }
    text_of(&json::from_fn(|w| {
        w.begin_object().key("action").string("accept");
        w.key("content").begin_object();
        for (name, value) in &content {
            w.key(name);
            w.raw(RawJson::validate(value.as_bytes()).unwrap_or(RawJson::EMPTY_OBJECT));
        }
        w.end_object().end_object();
    }))
}

/// A field's value as JSON; `Err` where the user gives up.
fn ask_field(
    terminal: &mut Terminal,
    name: &str,
    field: RawJson<'_>,
    required: bool,
) -> Result<Option<String>, ()> {
    let kind = kind_of(field);
    let mut question = format!("  {}", shown(name));
    for about in ["title", "description"] {
        if let Some(text) = field.get(about).and_then(|it| it.as_json_str()) {
            question.push_str(&format!(", {}", shown(&text.to_string())));
        }
    }
    question.push_str(&format!(" ({}", words(&kind)));
    if !required {
        question.push_str(", may be left out");
    }
    let default = field.get("default").map(|it| it.as_str().to_string());
    if let Some(default) = &default {
        question.push_str(&format!(", usually {}", shown(default)));
    }
    question.push_str("): ");
    for _ in 0..TRIES {
        let Typed::Line(line) = terminal.ask(&question) else {
            return Err(());
        };
        if line.trim().is_empty() {
            match (&default, required) {
                (Some(default), _) => return Ok(Some(default.clone())),
                (None, false) => return Ok(None),
                (None, true) => terminal.show("  it is needed\n"),
            }
            continue;
        }
        match value(&kind, line.trim()) {
            Some(value) => return Ok(Some(value)),
            None => terminal.show(&format!("  that is not {}\n", words(&kind))),
        }
    }
    Err(())
}

fn words(kind: &Kind) -> String {
    let list = |values: &[String]| {
        let shown: Vec<_> = values.iter().map(|value| shown(value)).collect();
        shown.join(", ")
    };
    match kind {
        Kind::Text => "text".into(),
        Kind::Number => "a number".into(),
        Kind::Integer => "a whole number".into(),
        Kind::Boolean => "yes or no".into(),
        Kind::One(values) => format!("one of {}", list(values)),
        Kind::Some(values) => format!("any of {}, with commas", list(values)),
    }
}

fn strings(array: Option<RawJson<'_>>) -> Vec<String> {
    array
        .into_iter()
        .flat_map(|array| array.elements())
        .filter_map(|it| Some(it.as_json_str()?.to_string()))
        .collect()
}

/// The values of `enum`, or the `const` of each choice.
fn choices(schema: RawJson<'_>) -> Vec<String> {
    let plain = strings(schema.get("enum"));
    if !plain.is_empty() {
        return plain;
    }
    schema
        .get("oneOf")
        .or_else(|| schema.get("anyOf"))
        .into_iter()
        .flat_map(|array| array.elements())
        .filter_map(|it| Some(it.get("const")?.as_json_str()?.to_string()))
        .collect()
}

fn kind_of(field: RawJson<'_>) -> Kind {
    let named = field.get("type").and_then(|it| it.as_json_str());
    let is = |name: &str| named.is_some_and(|it| it == name);
    if is("array") {
        return Kind::Some(field.get("items").map(choices).unwrap_or_default());
    }
    let values = choices(field);
    if !values.is_empty() {
        return Kind::One(values);
    }
    if is("boolean") {
        Kind::Boolean
    } else if is("integer") {
        Kind::Integer
    } else if is("number") {
        Kind::Number
    } else {
        Kind::Text
    }
}

/// What was typed, as JSON of that kind.
fn value(kind: &Kind, typed: &str) -> Option<String> {
    let known = |values: &[String], one: &str| values.iter().any(|value| value == one);
    match kind {
        Kind::Text => Some(text_of(&typed)),
        Kind::Number | Kind::Integer => {
            let number = wireline::json::Number::new(typed)?;
            let whole = number.as_i64().is_some();
            (whole || *kind == Kind::Number).then(|| typed.into())
        }
        Kind::Boolean => match typed {
            "y" | "yes" | "true" => Some("true".into()),
            "n" | "no" | "false" => Some("false".into()),
            _ => None,
        },
        Kind::One(values) => known(values, typed).then(|| text_of(&typed)),
        Kind::Some(values) => {
            let chosen: Vec<&str> = typed.split(',').map(str::trim).collect();
            let all = chosen.iter().all(|one| known(values, one));
            all.then(|| {
                text_of(&json::from_fn(|w| {
                    w.begin_array();
                    for one in &chosen {
                        w.string(one);
                    }
                    w.end_array();
                }))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(schema: &str) -> Kind {
        kind_of(RawJson::validate(schema.as_bytes()).expect("JSON"))
    }

    #[test]
    fn fields_of_every_kind() {
        let list = |values: &[&str]| values.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(kind(r#"{"type":"string"}"#), Kind::Text);
        assert_eq!(kind(r#"{"type":"integer"}"#), Kind::Integer);
        assert_eq!(kind(r#"{"type":"number"}"#), Kind::Number);
        assert_eq!(kind(r#"{"type":"boolean"}"#), Kind::Boolean);
        assert_eq!(
            kind(r#"{"type":"string","enum":["a","b"]}"#),
            Kind::One(list(&["a", "b"]))
        );
        assert_eq!(
            kind(r#"{"type":"string","oneOf":[{"const":"a","title":"A"}]}"#),
            Kind::One(list(&["a"]))
        );
        assert_eq!(
            kind(r#"{"type":"array","items":{"anyOf":[{"const":"a"},{"const":"b"}]}}"#),
            Kind::Some(list(&["a", "b"]))
        );
    }

    #[test]
    fn what_is_typed_becomes_a_value() {
        let some = Kind::Some(vec!["a".into(), "b".into()]);
        for (kind, typed, wanted) in [
            (&Kind::Text, "say \"hi\"", Some(r#""say \"hi\"""#)),
            (&Kind::Integer, "7", Some("7")),
            (&Kind::Integer, "7.5", None),
            (&Kind::Number, "7.5", Some("7.5")),
            (&Kind::Number, "NaN", None),
            (&Kind::Boolean, "yes", Some("true")),
            (&Kind::Boolean, "perhaps", None),
            (&some, "a, b", Some(r#"["a","b"]"#)),
            (&some, "a, c", None),
        ] {
            assert_eq!(value(kind, typed).as_deref(), wanted, "{typed}");
        }
    }
}
