//! The official JSON Schemas, and what they say of one type.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use wireline::json::{RawJson, ToJson};
use wireline::mcp::Revision;
use wireline::mcp::view::BadMember;

/// A type's `check` of its view.
pub type Check = fn(RawJson<'_>) -> Result<(), BadMember>;

/// The schemas of all revisions, and the names of the types that were asked for.
pub struct Schemas {
    files: Vec<(Revision, Value)>,
    covered: BTreeSet<String>,
}

impl Schemas {
    pub fn load() -> Self {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
        let files = Revision::ALL.iter().map(|revision| {
            let path = directory.join(format!("{revision}.json"));
            let text = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            (*revision, serde_json::from_slice(&text).expect("JSON"))
        });
        Schemas {
            files: files.collect(),
            covered: BTreeSet::new(),
        }
    }

    /// The revisions whose schema has this type: `Tool`, or `CallToolRequest.params`.
    pub fn revisions(&self, name: &str) -> Vec<Revision> {
        let with = self
            .files
            .iter()
            .filter(|(_, file)| find(file, name).is_some());
        with.map(|(revision, _)| *revision).collect()
    }

    fn file(&self, revision: Revision) -> &Value {
        &self.files.iter().find(|(it, _)| *it == revision).unwrap().1
    }

    /// What is wrong with a value of this type in a revision.
    pub fn errors(&self, revision: Revision, name: &str, value: &Value) -> Vec<String> {
        let file = self.file(revision);
        let (pointer, _) = find(file, name).expect("the type");
        let mut schema = file.clone();
        schema["$ref"] = json!(format!("#{pointer}"));
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .expect("a schema");
        let errors = validator.iter_errors(value);
        errors
            .map(|e| format!("{e} at {}", e.instance_path()))
            .collect()
    }

    /// Writes a value, and holds it against the type in each of these revisions.
    pub fn valid(&mut self, name: &str, revisions: &[Revision], value: &dyn ToJson) -> Value {
        let text = write(value);
        let parsed: Value = serde_json::from_slice(&text).expect("JSON");
        for &revision in revisions {
            let errors = self.errors(revision, name, &parsed);
            assert!(
                errors.is_empty(),
                "{name} in {revision}: {errors:#?}\n{parsed:#}"
            );
        }
        let of = name.split('.').next().unwrap();
        self.covered.insert(of.to_owned());
        parsed
    }

    /// The same for a value that has every member it can have, in each revision that has
    /// the type. The value must have each member that the schema names, and the view must
    /// find missing and wrong what the schema does.
    pub fn full(&mut self, name: &str, value: &dyn ToJson, check: Check) -> Vec<u8> {
        self.full_but(&[], name, value, check)
    }

    /// The same, but for members that the writer has no use for.
    pub fn full_but(
        &mut self,
        unwritten: &[&str],
        name: &str,
        value: &dyn ToJson,
        check: Check,
    ) -> Vec<u8> {
        let revisions = self.revisions(name);
        assert!(!revisions.is_empty(), "no revision has {name}");
        let parsed = self.valid(name, &revisions, value);
        let shapes = revisions.iter().map(|it| Shape::of(self.file(*it), name));
        let shapes: Vec<_> = shapes.collect();
        for (shape, revision) in shapes.iter().zip(&revisions) {
            for member in shape.kinds.keys() {
                let there = parsed.get(member).is_some();
                let wanted = !unwritten.contains(&member.as_str());
                assert_eq!(there, wanted, "`{member}` of {name} in {revision}");
            }
        }
        checks(name, &parsed, &shapes, check);
        write(value)
    }

    /// Every type of every revision has been asked for, but for these.
    pub fn assert_covered(&self, others: &[&str]) {
        let mut missing = BTreeSet::new();
        let mut all = BTreeSet::new();
        for (revision, file) in &self.files {
            for name in definitions(file).1.keys() {
                all.insert(name.clone());
                if !self.covered.contains(name) && !others.contains(&name.as_str()) {
                    missing.insert(format!("{revision} {name}"));
                }
            }
        }
        assert!(
            missing.is_empty(),
            "types that nothing was written for: {missing:#?}"
        );
        for other in others {
            assert!(all.contains(*other), "{other} is in no schema");
            assert!(!self.covered.contains(*other), "{other} is covered");
        }
    }
}

/// A value's text.
pub fn write(value: &dyn ToJson) -> Vec<u8> {
    let mut buffer = vec![0; wireline::json::measure(value).expect("a value")];
    wireline::json::write(value, &mut buffer)
        .expect("room")
        .to_vec()
}

fn definitions(file: &Value) -> (&'static str, &serde_json::Map<String, Value>) {
    for name in ["$defs", "definitions"] {
        if let Some(all) = file.get(name) {
            return (name, all.as_object().unwrap());
        }
    }
    panic!("no definitions");
}

/// A type's JSON pointer and schema. Dots lead to properties; what stands in between by
/// reference is followed.
fn find<'a>(file: &'a Value, name: &str) -> Option<(String, &'a Value)> {
    let (group, all) = definitions(file);
    let mut parts = name.split('.');
    let first = parts.next().unwrap();
    let mut pointer = format!("/{group}/{first}");
    let mut schema = all.get(first)?;
    for part in parts {
        while let Some(to) = schema.get("$ref") {
            pointer = to.as_str().unwrap().trim_start_matches('#').to_owned();
            schema = file.pointer(&pointer)?;
        }
        let all = schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let places = std::iter::once((String::new(), schema));
        let mut places = places.chain(all.enumerate().map(|(i, it)| (format!("/allOf/{i}"), it)));
        let (to, found) =
            places.find_map(|(to, place)| Some((to, place.get("properties")?.get(part)?)))?;
        schema = found;
        pointer = format!("{pointer}{to}/properties/{part}");
    }
    Some((pointer, schema))
}

/// The types of JSON.
const KINDS: [(&str, &str); 6] = [
    ("null", "null"),
    ("boolean", "true"),
    ("number", "7"),
    ("string", "\"x\""),
    ("array", "[]"),
    ("object", "{}"),
];

/// The members of a type in one revision: their JSON types, and which it requires.
#[derive(Default)]
struct Shape {
    kinds: BTreeMap<String, BTreeSet<&'static str>>,
    required: BTreeSet<String>,
}

impl Shape {
    fn of(file: &Value, name: &str) -> Self {
        let mut shape = Shape::default();
        shape.add(file, find(file, name).expect("the type").1);
        shape
    }

    fn add(&mut self, file: &Value, schema: &Value) {
        if let Some(to) = schema.get("$ref") {
            let to = to.as_str().unwrap().trim_start_matches('#');
            self.add(file, file.pointer(to).unwrap());
        }
        for part in schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.add(file, part);
        }
        for (name, member) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            self.kinds.insert(name.clone(), kinds(file, member));
        }
        for name in schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.required.insert(name.as_str().unwrap().to_owned());
        }
    }
}

/// The JSON types that a schema takes.
fn kinds(file: &Value, schema: &Value) -> BTreeSet<&'static str> {
    if let Some(to) = schema.get("$ref") {
        let to = to.as_str().unwrap().trim_start_matches('#');
        return kinds(file, file.pointer(to).unwrap());
    }
    for any in ["anyOf", "oneOf"] {
        if let Some(of) = schema.get(any).and_then(Value::as_array) {
            return of.iter().flat_map(|it| kinds(file, it)).collect();
        }
    }
    let names: Vec<&str> = match (schema.get("type"), schema.get("const")) {
        (Some(Value::String(one)), _) => vec![one],
        (Some(Value::Array(all)), _) => all.iter().map(|it| it.as_str().unwrap()).collect(),
        (_, Some(Value::String(_))) => vec!["string"],
        _ => return KINDS.iter().map(|kind| kind.0).collect(),
    };
    let named =
        |kind: &str| names.contains(&kind) || (kind == "number" && names.contains(&"integer"));
    KINDS
        .iter()
        .map(|kind| kind.0)
        .filter(|kind| named(kind))
        .collect()
}

/// What the era requires of every request or result, and a view does not.
const ERA: [&str; 4] = ["_meta", "resultType", "ttlMs", "cacheScope"];

fn checks(name: &str, value: &Value, shapes: &[Shape], check: Check) {
    let checked = |value: &Value| {
        let text = value.to_string();
        let raw = RawJson::validate(text.as_bytes()).unwrap();
        check(raw).map_err(|bad| bad.name)
    };
    assert_eq!(checked(value), Ok(()), "{name}: {value:#}");
    assert_eq!(checked(&json!([])), Err(""), "{name}");
    let members: BTreeSet<&String> = shapes.iter().flat_map(|shape| shape.kinds.keys()).collect();
    for member in members {
        // A view has no use for the constant that it was found by.
        if value.get(member).is_none() || member == "type" {
            continue;
        }
        let with = |it: &&Shape| it.kinds.contains_key(member);
        let required = shapes.iter().all(|shape| shape.required.contains(member));
        let required = required && !ERA.contains(&member.as_str());
        let mut changed = value.clone();
        changed.as_object_mut().unwrap().remove(member);
        let wanted = if required {
            Err(member.as_str())
        } else {
            Ok(())
        };
        assert_eq!(checked(&changed), wanted, "{name} without `{member}`");
        for (kind, sample) in KINDS {
            let mut some = shapes.iter().filter(with);
            let good = some.any(|shape| shape.kinds[member].contains(kind));
            let absent = kind == "null" && !required;
            changed[member.as_str()] = serde_json::from_str(sample).unwrap();
            let wanted = if good || absent {
                Ok(())
            } else {
                Err(member.as_str())
            };
            assert_eq!(
                checked(&changed),
                wanted,
                "{name} with `{member}` as {kind}"
            );
        }
    }
}
