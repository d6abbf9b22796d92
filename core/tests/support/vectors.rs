//! Reader of the text vectors (`vectors/README.md` describes the format). Needs `std` alone, so that fuzz targets can include it too.

use std::fmt;
use std::path::{Path, PathBuf};

/// One vector: settings, a stream, and what must come out of it.
#[derive(Clone, Debug)]
pub struct Vector {
    /// File name and name, for messages.
    pub file: String,
    pub line: usize,
    pub name: String,
    pub doc: String,
    pub settings: Settings,
    pub input: Vec<u8>,
    pub expected: Vec<Item>,
}

/// The settings of a vector; `None` is the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub message: Option<u32>,
    pub depth: Option<u8>,
    pub id: Option<u16>,
    pub method: Option<u16>,
    pub discard: Option<u32>,
    pub json_rpc: bool,
    pub batches: bool,
    pub eof_completes_line: bool,
}

/// A message or a fault, as its head line and its fields in the order of `FIELDS`.
#[derive(Clone, PartialEq, Eq)]
pub struct Item {
    pub head: Head,
    pub fields: Vec<(String, Vec<u8>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    Message { kind: String },
    Fault { kind: String, at: u64, of: u64 },
}

/// Every field there is, in the order in which they are compared and printed.
pub const FIELDS: &[&str] = &[
    "id",
    "id-text",
    "hint",
    "method",
    "method-text",
    "params",
    "result",
    "error.code",
    "error.message",
    "error.data",
    "meta.progress-token",
    "meta.protocol-version",
    "meta.client-capabilities",
    "meta.log-level",
    "meta.subscription-id",
    "meta.request-id",
    "meta.progress",
    "meta.result-type",
    "meta.supported",
    "flags",
    "shape",
    "limit",
    "batch",
];

impl Item {
    pub fn message(kind: &str) -> Self {
        Item {
            head: Head::Message {
                kind: kind.to_owned(),
            },
            fields: Vec::new(),
        }
    }

    pub fn fault(kind: &str, at: u64, of: u64) -> Self {
        Item {
            head: Head::Fault {
                kind: kind.to_owned(),
                at,
                of,
            },
            fields: Vec::new(),
        }
    }

    /// Adds a field; the order of calls does not matter.
    pub fn set(&mut self, key: &str, value: impl Into<Vec<u8>>) {
        self.fields.push((key.to_owned(), value.into()));
        self.fields
            .sort_by_key(|(key, _)| FIELDS.iter().position(|known| known == key));
    }

    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.fields
            .iter()
            .find(|(k, _)| k == key)
            .map(|(_, v)| v.as_slice())
    }

    pub fn remove(&mut self, key: &str) {
        self.fields.retain(|(k, _)| k != key);
    }

    pub fn is_message(&self) -> bool {
        matches!(self.head, Head::Message { .. })
    }

    /// The fault's name, if it is one.
    pub fn fault_kind(&self) -> Option<&str> {
        match &self.head {
            Head::Fault { kind, .. } => Some(kind),
            Head::Message { .. } => None,
        }
    }
}

/// Prints an item as a vector file would have it, so that a failing test shows lines to compare (or to paste).
impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.head {
            Head::Message { kind } => write!(f, "message {kind}")?,
            Head::Fault { kind, at, of } => write!(f, "fault {kind} at {at} of {of}")?,
        }
        for (key, value) in &self.fields {
            write!(f, "\n  {key}{}", Text(value))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Bytes as the sign and text of a line: verbatim where that is unambiguous, else quoted; long ones shortened.
pub struct Text<'a>(pub &'a [u8]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 400;
        let (bytes, rest) = self.0.split_at(self.0.len().min(SHOWN));
        match std::str::from_utf8(bytes) {
            Ok(text)
                if !text.is_empty() && text.trim() == text && !text.contains(char::is_control) =>
            {
                write!(f, ": {text}")?
            }
            _ => {
                f.write_str("= '")?;
                for chunk in bytes.utf8_chunks() {
                    for c in chunk.valid().chars() {
                        match c {
                            '\n' => f.write_str("\\n")?,
                            '\r' => f.write_str("\\r")?,
                            '\t' => f.write_str("\\t")?,
                            '\\' => f.write_str("\\\\")?,
                            c if c.is_control() || c == '\u{feff}' => {
                                write!(f, "\\u{{{:X}}}", c as u32)?
                            }
                            c => write!(f, "{c}")?,
                        }
                    }
                    for byte in chunk.invalid() {
                        write!(f, "\\x{byte:02X}")?;
                    }
                }
                f.write_str("'")?;
            }
        }
        if !rest.is_empty() {
            write!(f, " … and {} bytes more", rest.len())?;
        }
        Ok(())
    }
}

/// Reads every `*.txt` below `dir`. An empty directory is an error: a suite that found nothing has tested nothing.
pub fn load(dir: &Path) -> Result<Vec<Vector>, String> {
    fn collect(dir: &Path, into: &mut Vec<PathBuf>) -> Result<(), String> {
        let mut texts = 0;
        let entries = std::fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", dir.display()))?.path();
            if path.is_dir() {
                collect(&path, into)?;
                texts += 1;
            } else if path.extension().is_some_and(|e| e == "txt") {
                into.push(path);
                texts += 1;
            }
        }
        if texts == 0 {
            return Err(format!("{}: no vectors here", dir.display()));
        }
        Ok(())
    }
    let mut files = Vec::new();
    collect(dir, &mut files)?;
    files.sort();
    let mut vectors = Vec::new();
    for file in files {
        let name = file
            .strip_prefix(dir)
            .unwrap_or(&file)
            .display()
            .to_string();
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{name}: {e}"))?;
        let found = parse(&name, &text)?;
        if found.is_empty() {
            return Err(format!("{name}: no vectors in it"));
        }
        vectors.extend(found);
    }
    Ok(vectors)
}

/// Reads one file's text.
pub fn parse(file: &str, text: &str) -> Result<Vec<Vector>, String> {
    let mut vectors: Vec<Vector> = Vec::new();
    let mut last_key = String::new();
    for (index, line) in text.split('\n').enumerate() {
        let at = |what: &str| format!("{file}:{}: {what}: {line}", index + 1);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("== ") {
            if name.is_empty()
                || !name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            {
                return Err(at("a name is lower-case letters, digits and '-'"));
            }
            if vectors.iter().any(|v| v.name == name) {
                return Err(at("the name stands twice"));
            }
            finished(vectors.last())?;
            vectors.push(Vector {
                file: file.to_owned(),
                line: index + 1,
                name: name.to_owned(),
                doc: String::new(),
                settings: Settings::default(),
                input: Vec::new(),
                expected: Vec::new(),
            });
            last_key.clear();
            continue;
        }
        let vector = vectors
            .last_mut()
            .ok_or_else(|| at("before the first vector"))?;
        if let Some(field) = line.strip_prefix("  ") {
            let item = vector
                .expected
                .last_mut()
                .ok_or_else(|| at("a field without its item"))?;
            let (key, value) = text_line(field).map_err(|e| at(&e))?;
            if !FIELDS.contains(&key) {
                return Err(at("no such field"));
            }
            if last_key == key {
                if let Some((_, so_far)) = item.fields.iter_mut().find(|(k, _)| k == key) {
                    so_far.extend_from_slice(&value);
                }
            } else if item.get(key).is_some() {
                return Err(at("the field stands twice"));
            } else {
                item.set(key, value);
                last_key = key.to_owned();
            }
            continue;
        }
        if let Some(head) = item_line(line) {
            vector.expected.push(Item {
                head: head.map_err(|e| at(&e))?,
                fields: Vec::new(),
            });
            last_key.clear();
            continue;
        }
        if !vector.expected.is_empty() {
            return Err(at("input and settings stand before the items"));
        }
        let (key, value) = text_line(line).map_err(|e| at(&e))?;
        match key {
            "in" => vector.input.extend_from_slice(&value),
            "line" => vector.input.extend_from_slice(&value),
            _ if !vector.input.is_empty() => return Err(at("settings stand before the input")),
            _ => {
                let value = String::from_utf8(value).map_err(|_| at("not UTF-8"))?;
                setting(vector, key, &value).map_err(|e| at(&e))?;
            }
        }
    }
    finished(vectors.last())?;
    Ok(vectors)
}

fn finished(vector: Option<&Vector>) -> Result<(), String> {
    match vector {
        Some(v) if v.doc.is_empty() => Err(format!(
            "{}:{}: {} says not why it is here",
            v.file, v.line, v.name
        )),
        Some(v) if v.input.is_empty() => {
            Err(format!("{}:{}: {} has no input", v.file, v.line, v.name))
        }
        _ => Ok(()),
    }
}

fn setting(vector: &mut Vector, key: &str, value: &str) -> Result<(), String> {
    fn number<T: std::str::FromStr>(value: &str) -> Result<Option<T>, String> {
        value
            .parse()
            .map(Some)
            .map_err(|_| "not a number that fits".to_owned())
    }
    fn choice(value: &str, no: &str, yes: &str) -> Result<bool, String> {
        if value == yes {
            Ok(true)
        } else if value == no {
            Ok(false)
        } else {
            Err(format!("either {no} or {yes}"))
        }
    }
    let set = &mut vector.settings;
    match key {
        "doc" => vector.doc = value.to_owned(),
        "limit-message" => set.message = number(value)?,
        "limit-depth" => set.depth = number(value)?,
        "limit-id" => set.id = number(value)?,
        "limit-method" => set.method = number(value)?,
        "limit-discard" => set.discard = number(value)?,
        "profile" => set.json_rpc = choice(value, "mcp", "json-rpc")?,
        "batches" => set.batches = choice(value, "off", "on")?,
        "eof" => set.eof_completes_line = choice(value, "truncates", "completes-line")?,
        _ => return Err("no such key".to_owned()),
    }
    Ok(())
}

/// `message KIND` or `fault KIND at OFFSET of LENGTH`; `None` when it is neither.
fn item_line(line: &str) -> Option<Result<Head, String>> {
    let words: Vec<&str> = line.split(' ').collect();
    match *words.as_slice() {
        ["message", kind] => Some(match kind {
            "request" | "notification" | "result" | "error" => Ok(Head::Message {
                kind: kind.to_owned(),
            }),
            _ => Err("no such kind of message".to_owned()),
        }),
        ["fault", kind, "at", at, "of", of] => Some(match (at.parse(), of.parse()) {
            (Ok(at), Ok(of)) => Ok(Head::Fault {
                kind: kind.to_owned(),
                at,
                of,
            }),
            _ => Err("offset and length are numbers".to_owned()),
        }),
        ["message" | "fault", ..] => Some(Err(
            "message KIND, or fault KIND at OFFSET of LENGTH".to_owned()
        )),
        _ => None,
    }
}

/// `key: text`, `key= 'text'`, either with `*COUNT` behind the key.
fn text_line(line: &str) -> Result<(&str, Vec<u8>), String> {
    let end = line
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.'))
        .ok_or_else(|| "a key, ':' or '=', a text".to_owned())?;
    let (key, mut rest) = line.split_at(end);
    let mut count = 1;
    if let Some(counted) = rest.strip_prefix('*') {
        let end = counted
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(counted.len());
        let (digits, after) = counted.split_at(end);
        count = digits.parse().map_err(|_| "not a count".to_owned())?;
        rest = after;
    }
    let mut bytes = if let Some(text) = rest.strip_prefix(": ") {
        text.as_bytes().to_vec()
    } else if let Some(quoted) = rest.strip_prefix("= '").and_then(|t| t.strip_suffix('\'')) {
        unquote(quoted)?
    } else {
        return Err("after the key comes ': ' and a text or '= ' and a quoted one".to_owned());
    };
    if key == "line" {
        bytes.push(b'\n');
    }
    Ok((key, bytes.repeat(count)))
}

fn unquote(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        bytes.extend_from_slice(plain.as_bytes());
        let mut after = escape.chars();
        after.next();
        match after.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('\\') => bytes.push(b'\\'),
            Some('x') => {
                let digits: String = after.by_ref().take(2).collect();
                if digits.len() != 2 {
                    return Err("\\x takes two hex digits".to_owned());
                }
                bytes.push(
                    u8::from_str_radix(&digits, 16)
                        .map_err(|_| "\\x takes two hex digits".to_owned())?,
                );
            }
            Some('u') => {
                let text = after
                    .as_str()
                    .strip_prefix('{')
                    .ok_or("\\u{…} takes braces")?;
                let (digits, behind) = text.split_once('}').ok_or("\\u{…} takes braces")?;
                let c = u32::from_str_radix(digits, 16)
                    .ok()
                    .and_then(char::from_u32)
                    .ok_or("\\u{…} names no code point")?;
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                after = behind.chars();
            }
            _ => return Err("no such escape".to_owned()),
        }
        rest = after.as_str();
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "# a comment\n\n== a-name\ndoc: why: because\nlimit-message: 64\nprofile: json-rpc\nbatches: on\neof: completes-line\n\
        in*3: ab\nin= ' \\n\\r\\t\\\\\\x00\\xfF\\u{e9}'''\nline*2: { it's \nline= ''\n\
        message request\n  id: 7\n  params: {\"a\":\"\n  params*4= 'A'\n  params: \"}\n\
        fault syntax at 17 of 30\n  hint= 'x'\n== another\ndoc: x\nline: y\n";

    #[test]
    fn reads_every_form() {
        let vectors = parse("f.txt", SAMPLE).unwrap();
        assert_eq!(vectors.len(), 2);
        let first = &vectors[0];
        assert_eq!(
            (first.name.as_str(), first.doc.as_str(), first.line),
            ("a-name", "why: because", 3)
        );
        let settings = Settings {
            message: Some(64),
            json_rpc: true,
            batches: true,
            eof_completes_line: true,
            ..Settings::default()
        };
        assert_eq!(first.settings, settings);
        assert_eq!(
            first.input,
            b"ababab \n\r\t\\\x00\xff\xc3\xa9''{ it's \n{ it's \n\n"
        );
        let mut message = Item::message("request");
        message.set("params", "{\"a\":\"AAAA\"}");
        message.set("id", "7");
        let mut fault = Item::fault("syntax", 17, 30);
        fault.set("hint", "x");
        assert_eq!(first.expected, [message, fault]);
        assert!(vectors[1].expected.is_empty());
    }

    #[test]
    fn what_is_printed_reads_back() {
        for bytes in [
            &b"plain"[..],
            b"",
            b" lead",
            b"trail ",
            b"a\nb\r\t\\",
            b"\xff\x00\x7f",
            "\u{feff}\u{85}\u{2028}é".as_bytes(),
            b"it's \"x\"",
            b"\xe2\x82",
        ] {
            let mut item = Item::message("result");
            item.set("id", bytes);
            let text = format!("== x\ndoc: x\nin: x\n{item}\n");
            let back = parse("f.txt", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(back[0].expected, [item], "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_the_format() {
        let wrong = [
            ("doc: x\n", "before the first vector"),
            ("== A\n", "lower-case"),
            ("== a\nin: x\n", "says not why"),
            ("== a\ndoc: x\n", "no input"),
            ("== a\ndoc: x\nin: x\n== a\ndoc: x\nin: x\n", "stands twice"),
            ("== a\ndoc: x\nin:x\n", "after the key"),
            ("== a\ndoc: x\nin= 'x\n", "after the key"),
            ("== a\ndoc: x\nin= '\\q'\n", "no such escape"),
            ("== a\ndoc: x\nin= '\\x1'\n", "hex digits"),
            ("== a\ndoc: x\nin= '\\u{d800}'\n", "no code point"),
            ("== a\ndoc: x\nin*x: a\n", "not a count"),
            ("== a\ndoc: x\nlimit-depth: 300\nin: x\n", "fits"),
            ("== a\ndoc: x\nlimit: 3\nin: x\n", "no such key"),
            ("== a\ndoc: x\nbatches: yes\nin: x\n", "either off or on"),
            ("== a\ndoc: x\nin: x\nprofile: mcp\n", "before the input"),
            ("== a\ndoc: x\nin: x\n  id: 1\n", "without its item"),
            ("== a\ndoc: x\nin: x\nmessage reply\n", "no such kind"),
            (
                "== a\ndoc: x\nin: x\nfault syntax\n",
                "fault KIND at OFFSET",
            ),
            (
                "== a\ndoc: x\nin: x\nmessage request\n  ids: 1\n",
                "no such field",
            ),
            (
                "== a\ndoc: x\nin: x\nmessage request\n  id: 1\n  method: 2\n  id: 1\n",
                "stands twice",
            ),
            (
                "== a\ndoc: x\nin: x\nmessage request\nin: y\n",
                "before the items",
            ),
        ];
        for (text, why) in wrong {
            let error = parse("f.txt", text).unwrap_err();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }
}
