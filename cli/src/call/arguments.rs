//! Arguments from the command line: a JSON object, or NAME=VALUE.

use wireline::json::{self, JsonKind, RawJson};

use super::host::text_of;
use crate::failure::Failure;

/// A name and a value in JSON, in the order in which they were given; a later one replaces an
/// earlier one of the same name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments(Vec<(String, String)>);

/// How a value is to be understood.
#[derive(Clone, Copy)]
pub(super) enum Typing<'a> {
    /// All values are strings: those of prompts.
    Strings,
    /// As the schema has it: those of tools.
    Schema(RawJson<'a>),
}

impl Arguments {
    pub(super) fn read(given: &[String], typing: Typing<'_>) -> Result<Self, Failure> {
        let mut arguments = Self::default();
        for text in given {
            if text.trim_start().starts_with('{') {
                let object = RawJson::validate(text.as_bytes()).map_err(|invalid| {
                    Failure::new(format!("--args is not valid JSON: {invalid}"))
                        .advice("mind the shell's quotes: --args '{\"name\":\"value\"}'")
                })?;
                for (name, value) in object.members() {
                    arguments.put(name.to_string(), value.as_str().into());
                }
                continue;
            }
            let Some((name, value)) = text.split_once('=') else {
                return Err(Failure::new(
                    "--args is neither a JSON object nor NAME=VALUE",
                ));
            };
            arguments.put(name.into(), value_of(name, value, typing)?);
        }
        if let Typing::Strings = typing {
            for (name, value) in &arguments.0 {
                if !value.starts_with('"') {
                    return Err(Failure::new(format!(
                        "the argument `{name}` of a prompt has to be a string"
                    )));
                }
            }
        }
        Ok(arguments)
    }

    fn put(&mut self, name: String, value: String) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As a JSON object.
    pub(super) fn object(&self) -> String {
        text_of(&json::from_fn(|w| {
            w.begin_object();
            for (name, value) in &self.0 {
                w.key(name);
                // Validated above.
                w.raw(RawJson::validate(value.as_bytes()).unwrap_or(RawJson::EMPTY_OBJECT));
            }
            w.end_object();
        }))
    }
}

fn value_of(name: &str, text: &str, typing: Typing<'_>) -> Result<String, Failure> {
    let string = || text_of(&text);
    let Typing::Schema(schema) = typing else {
        return Ok(string());
    };
    let wanted = types_of(schema, name);
    let wants = |kind: &str| wanted.iter().any(|it| it == kind);
    let json = RawJson::validate(text.as_bytes())
        .ok()
        .map(|value| (value.kind(), value.as_str()));
    match json {
        // Nothing is known: what looks like JSON is.
        Some((_, value)) if wanted.is_empty() => Ok(value.into()),
        None if wanted.is_empty() => Ok(string()),
        Some((kind, value)) if fits(kind, &wanted) => Ok(value.into()),
        _ if wants("string") => Ok(string()),
        _ => Err(Failure::new(format!(
            "the argument `{name}` has to be of type {}",
            wanted.join(" or ")
        ))),
    }
}

/// Whether a JSON value is of one of the types, strings apart: those need no quotes.
fn fits(kind: JsonKind, wanted: &[String]) -> bool {
    wanted.iter().any(|it| match it.as_str() {
        "number" | "integer" => kind == JsonKind::Number,
        "boolean" => kind == JsonKind::Bool,
        "array" => kind == JsonKind::Array,
        "object" => kind == JsonKind::Object,
        "null" => kind == JsonKind::Null,
        _ => false,
    })
}

fn types_of(schema: RawJson<'_>, name: &str) -> Vec<String> {
    let Some(types) = schema
        .get("properties")
        .and_then(|properties| properties.get(name))
        .and_then(|property| property.get("type"))
    else {
        return Vec::new();
    };
    match types.as_json_str() {
        Some(one) => vec![one.to_string()],
        None => types
            .elements()
            .filter_map(|it| Some(it.as_json_str()?.to_string()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"integer"},"b":{"type":"boolean"},"a":{"type":"array"},"o":{"type":["string","null"]}}}"#;

    fn tool(given: &[&str]) -> Result<String, Failure> {
        let given: Vec<_> = given.iter().map(ToString::to_string).collect();
        let schema = RawJson::validate(SCHEMA.as_bytes()).expect("JSON");
        Arguments::read(&given, Typing::Schema(schema)).map(|arguments| arguments.object())
    }

    #[test]
    fn values_follow_the_schema() {
        for (given, wanted) in [
            (&["s=5"][..], r#"{"s":"5"}"#),
            (&["n=5"], r#"{"n":5}"#),
            (
                &["n=123456789012345678901234567890"],
                r#"{"n":123456789012345678901234567890}"#,
            ),
            (&["b=true", "a=[1,2]"], r#"{"b":true,"a":[1,2]}"#),
            (&["o=null"], r#"{"o":null}"#),
            (&["o=x=y"], r#"{"o":"x=y"}"#),
            (&["x=7", "y=seven", "z="], r#"{"x":7,"y":"seven","z":""}"#),
            (&[r#"{"s":"a","n":1}"#, "n=2"], r#"{"s":"a","n":2}"#),
            (&[" { } "], "{}"),
        ] {
            assert_eq!(tool(given).expect("good"), wanted);
        }
        for bad in ["n=five", "b=1", "{", "{\"a\":}", "nothing"] {
            assert!(tool(&[bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn prompts_take_strings() {
        let read = |text: &str| Arguments::read(&[text.to_string()], Typing::Strings);
        assert_eq!(read("n=5").expect("good").object(), r#"{"n":"5"}"#);
        assert!(read(r#"{"n":5}"#).is_err());
    }
}
