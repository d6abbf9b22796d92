//! Finds what shows a rule, a row or a decision: tests and vectors that name it.
//!
//! A test names what it shows in its name, in words between underscores
//! (`a_late_answer_is_dropped_r109_mc14`), or in a comment right above it
//! (`// Shows R109, MC14.`). A vector does so in its `doc` line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Groups of names, and how many there are of each.
pub const GROUPS: &[(&str, usize)] = &[
    ("R", 180),
    ("LC", 18),
    ("LS", 14),
    ("MS", 10),
    ("MC", 15),
    ("MR", 12),
    ("SU", 12),
    ("DC", 13),
    ("DS", 11),
    ("A", 36),
    ("S", 15),
];

/// What names a mark: a file of the repository, and in it a test or a vector.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub name: String,
}

/// What shows a mark.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    pub tests: BTreeSet<Place>,
    pub vectors: BTreeSet<Place>,
}

impl Shown {
    /// The cell of a table.
    pub fn cell(&self) -> String {
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for place in self.tests.iter().chain(&self.vectors) {
            files.entry(&place.file).or_default().push(&place.name);
        }
        let cells = files.iter().map(|(file, names)| {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("{file}: {}", names.join(", "))
        });
        cells.collect::<Vec<_>>().join("; ")
    }
}

pub type Evidence = BTreeMap<String, Shown>;

/// The mark that a word is, in capitals; an error if its number is out of range.
pub fn mark(word: &str) -> Option<Result<String, String>> {
    let letters = word.find(|c: char| c.is_ascii_digit())?;
    let (group, number) = word.split_at_checked(letters)?;
    let number = number.parse::<usize>().ok()?;
    let group = group.to_ascii_uppercase();
    let (_, count) = GROUPS.iter().find(|(name, _)| *name == group)?;
    let mark = format!("{group}{number}");
    if mark.len() != word.len() {
        return None;
    }
    Some(if (1..=*count).contains(&number) {
        Ok(mark)
    } else {
        Err(mark)
    })
}

/// The tests of a source and the marks that they name.
pub fn tests(source: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    // What the comments right above say, and whether a test is announced.
    let (mut marks, mut test) = (BTreeSet::new(), false);
    for line in source.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("//") {
            if let Some((_, shown)) = comment.split_once("Shows ") {
                let words = shown.split(|c: char| !c.is_ascii_alphanumeric());
                let words = words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
                marks.extend(words.filter_map(mark).map(known));
            }
            continue;
        }
        if line.starts_with("#[") {
            test |= line == "#[test]" || line.ends_with("::test]");
            continue;
        }
        if let Some((_, rest)) = line.split_once("fn ").filter(|_| test) {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = &rest[..end.unwrap_or(rest.len())];
            marks.extend(name.split('_').filter_map(mark).map(known));
            found.push((name.to_owned(), std::mem::take(&mut marks)));
        }
        marks.clear();
        test = false;
    }
    found
}

/// The vectors of a file and the marks that their docs name.
fn vectors(text: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut found: Vec<(String, BTreeSet<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("== ") {
            found.push((name.to_owned(), BTreeSet::new()));
        } else if let (Some(doc), Some((_, marks))) = (line.strip_prefix("doc: "), found.last_mut())
        {
            let words = doc.split(|c: char| !c.is_ascii_alphanumeric());
            let words = words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
            marks.extend(words.filter_map(mark).map(known));
        }
    }
    found
}

fn known(mark: Result<String, String>) -> String {
    mark.unwrap_or_else(|mark| panic!("a test or a vector names {mark}, and there is none"))
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory of sources") {
        let path = entry.expect("a directory entry").path();
        // What stands there is about names, and shows nothing.
        if path.ends_with("core/tests/docs") {
            continue;
        }
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
}

/// Everything that is named, by mark.
pub fn collect() -> Evidence {
    let mut evidence = Evidence::new();
    for (directory, extension) in [
        ("core/src", "rs"),
        ("core/tests", "rs"),
        ("cli/tests", "rs"),
        ("vectors", "txt"),
    ] {
        let mut paths = Vec::new();
        files(&root().join(directory), extension, &mut paths);
        for path in paths {
            let text = fs::read_to_string(&path).expect("a source");
            let file = path.strip_prefix(root()).expect("a path in the repository");
            let file = file.to_str().expect("a plain name").replace('\\', "/");
            let named = match extension {
                "rs" => tests(&text),
                _ => vectors(&text),
            };
            for (name, marks) in named {
                for mark in marks {
                    let shown = evidence.entry(mark).or_default();
                    let places = match extension {
                        "rs" => &mut shown.tests,
                        _ => &mut shown.vectors,
                    };
                    places.insert(Place {
                        file: file.clone(),
                        name: name.clone(),
                    });
                }
            }
        }
    }
    evidence
}
