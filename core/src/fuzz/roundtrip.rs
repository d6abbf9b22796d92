//! What is written is read back, by `serde_json` and by this crate.

use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use serde_json::{Map, Value};

use super::grammar::Source;
use super::{Random, piece};
use crate::decode::{StreamDecoder, StreamEvent, parse};
use crate::encode::{
    ErrorId, MessageWriter, OutId, Outgoing, Payload, Pieces, StreamRenumber, WriteError,
};
use crate::id::Id;
use crate::json::{RawJson, ToJson, Writer};
use crate::limits::Limits;
use crate::message::{Kind, Message};

/// Writes a message that the input describes in every way there is.
pub fn roundtrip(data: &[u8]) {
    let mut source = Source::new(data);
    let mut random = Random::new(u64::from(source.byte()));
    let plan = Plan::read(&mut source);
    let loose = plan
        .payload
        .as_ref()
        .map(|value| spaced(value, &mut random));
    let line = plan.write(loose.as_deref(), &mut random);
    let Some(line) = line else { return };
    read_back(&plan, &line);
    renumbered(&line, &mut source, &mut random);
}

struct Plan {
    kind: Kind,
    id: PlannedId,
    /// The method, or the error's message.
    text: String,
    code: i64,
    payload: Option<Value>,
}

enum PlannedId {
    Int(i64),
    Text(String),
    Echo(String),
    Omitted,
    Null,
}

impl Plan {
    fn read(source: &mut Source<'_>) -> Plan {
        let kind = source.pick(&[Kind::Request, Kind::Notification, Kind::Result, Kind::Error]);
        let id = match source.below(6) {
            0 => PlannedId::Int(i64::from(source.byte())),
            1 => PlannedId::Int(integer(source)),
            2 => PlannedId::Text(text(source)),
            3 => {
                let id = serde_json::to_string(&text(source)).expect("a string");
                PlannedId::Echo(id)
            }
            4 => {
                let ids = [
                    "1",
                    "1.0",
                    "10e-1",
                    "-5",
                    "\"\\u0061\\/\"",
                    "123456789012345678901234567890",
                    "\"\"",
                ];
                PlannedId::Echo(source.pick(&ids).to_string())
            }
            _ if source.below(2) == 0 => PlannedId::Omitted,
            _ => PlannedId::Null,
        };
        let object = source.below(8) > 0;
        let payload = match source.below(8) {
            0 => None,
            1 if !object => Some(value(source, 0)),
            _ => {
                let mut members = Map::new();
                for _ in 0..source.below(4) {
                    members.insert(text(source), value(source, 4));
                }
                if source.below(3) == 0 {
                    let mut meta = Map::new();
                    meta.insert("progressToken".into(), source.pick(&[3, 70, -1]).into());
                    members.insert("_meta".into(), Value::Object(meta));
                }
                Some(Value::Object(members))
            }
        };
        Plan {
            kind,
            id,
            text: text(source),
            code: integer(source),
            payload,
        }
    }

    fn outgoing<'a>(&'a self, payload: Payload<'a>) -> Option<Outgoing<'a>> {
        let id = match &self.id {
            PlannedId::Int(id) => ErrorId::Known(OutId::Int(*id)),
            PlannedId::Text(id) => ErrorId::Known(OutId::Text(id)),
            PlannedId::Echo(id) => {
                ErrorId::Known(OutId::Echo(Id::parse(id.as_bytes()).expect("an id")))
            }
            PlannedId::Omitted => ErrorId::Omitted,
            PlannedId::Null => ErrorId::Null,
        };
        let known = match id {
            ErrorId::Known(id) => Some(id),
            _ => None,
        };
        Some(match self.kind {
            Kind::Request => Outgoing::request(known?, &self.text).params(payload),
            Kind::Notification => Outgoing::notification(&self.text).params(payload),
            Kind::Result => Outgoing::result(known?, payload),
            Kind::Error => Outgoing::error(id, self.code, &self.text).data(payload),
        })
    }

    /// Whether the message may be sent.
    fn is_good(&self) -> bool {
        let safe = 1 << 53;
        let ours = self.kind == Kind::Request;
        let id = match &self.id {
            _ if self.kind == Kind::Notification => true,
            PlannedId::Int(id) => -safe < *id && *id < safe,
            PlannedId::Text(id) => !(ours && id.is_empty()),
            PlannedId::Echo(id) => {
                !ours
                    || id.len() > 2 && id.starts_with('"')
                    || id.parse().is_ok_and(|id: i64| -safe < id && id < safe)
            }
            _ => true,
        };
        let payload = match (&self.payload, self.kind) {
            (Some(Value::Object(_)), _) | (_, Kind::Error) => true,
            (None, kind) => kind != Kind::Result,
            _ => false,
        };
        id && payload
    }

    /// The line, the same in every way of writing it. `None` if there is none.
    fn write(&self, loose: Option<&str>, random: &mut Random) -> Option<Vec<u8>> {
        let raw = loose.map(|text| RawJson::validate(text.as_bytes()).expect("valid JSON"));
        let message = self.outgoing(Payload::from(raw))?;
        let needed = match message.line_len() {
            Ok(needed) => needed,
            Err(error) => {
                assert!(
                    !self.is_good(),
                    "a good message cannot be written: {error:?}"
                );
                assert_eq!(message.write(&mut [0; 4096]), Err(error));
                return None;
            }
        };
        assert!(
            self.is_good(),
            "a message that may not be sent was written: {message:?}"
        );
        let mut line = vec![0; needed];
        assert_eq!(message.write(&mut line), Ok(needed));
        let mut short = vec![0; random.below(needed)];
        assert_eq!(
            message.write(&mut short),
            Err(WriteError::TooSmall { needed })
        );
        assert_eq!(
            pieces(message.pieces().expect("it can be written"), random),
            line
        );

        // A value that writes itself comes without the white space, so it is compared
        // by meaning.
        if let Some(value) = &self.payload {
            let tree = Tree(value);
            let direct = self.outgoing(Payload::Value(&tree))?;
            let mut out = vec![0; direct.line_len().expect("it can be written")];
            direct.write(&mut out).expect("room");
            assert_eq!(
                pieces(direct.pieces().expect("it can be written"), random),
                out
            );
            let theirs = |line: &[u8]| serde_json::from_slice::<Value>(line).expect("JSON");
            assert_eq!(theirs(&out), theirs(&line));
        }
        if let Some(text) = loose {
            let open = self.outgoing(Payload::None)?;
            assert_eq!(
                streamed(open, text, random),
                line,
                "in pieces of the payload"
            );
        }
        Some(line)
    }
}

/// Takes a line through windows of mixed sizes.
fn pieces<T: ToJson>(mut pieces: Pieces<T>, random: &mut Random) -> Vec<u8> {
    let mut line = Vec::new();
    loop {
        let mut window = vec![0; 1 + random.below(40)];
        assert_eq!(pieces.is_done(), pieces.remaining() == 0);
        let left = pieces.remaining();
        let written = pieces.fill(&mut window).expect("it can be written");
        assert_eq!(left - written, pieces.remaining());
        if written == 0 {
            assert!(pieces.is_done());
            return line;
        }
        line.extend_from_slice(&window[..written]);
    }
}

/// Writes a message whose payload comes in pieces.
fn streamed(message: Outgoing<'_>, text: &str, random: &mut Random) -> Vec<u8> {
    let mut writer = MessageWriter::new(message).expect("it can be begun");
    let mut line = Vec::new();
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let mut bytes = piece(&mut rest, random);
        while !bytes.is_empty() {
            let mut window = vec![0; 1 + random.below(24)];
            let (used, written) = writer.body(bytes, &mut window).expect("valid JSON");
            assert!(used + written > 0, "it goes round in circles");
            line.extend_from_slice(&window[..written]);
            bytes = &bytes[used..];
        }
    }
    loop {
        let mut window = vec![0; 1 + random.below(24)];
        match writer.finish(&mut window).expect("complete") {
            0 => return line,
            written => line.extend_from_slice(&window[..written]),
        }
    }
}

fn limits() -> Limits {
    Limits::HOST.with_id(4096).with_method(4096)
}

/// Reads the line with `serde_json` and with this crate.
fn read_back(plan: &Plan, line: &[u8]) {
    let (last, text) = line.split_last().expect("a line");
    assert_eq!(*last, b'\n');
    assert!(
        !text.iter().any(|byte| matches!(byte, b'\r' | b'\n')),
        "one line"
    );
    let theirs: Map<String, Value> = serde_json::from_slice(text).expect("JSON");
    let ours = parse(text, &limits()).unwrap_or_else(|rejected| {
        panic!(
            "our own line is refused: {rejected:?} {}",
            String::from_utf8_lossy(text)
        )
    });
    assert_eq!(ours.kind(), plan.kind);
    assert_eq!(theirs["jsonrpc"], "2.0");
    let id = match &plan.id {
        _ if plan.kind == Kind::Notification => None,
        PlannedId::Int(id) => Some(id.to_string()),
        PlannedId::Text(id) => Some(serde_json::to_string(id).expect("a string")),
        PlannedId::Echo(id) => Some(id.clone()),
        PlannedId::Omitted | PlannedId::Null => None,
    };
    match (&id, ours.id()) {
        (None, None) => {}
        (Some(id), Some(ours)) => {
            assert_eq!(Id::parse(id.as_bytes()), Some(ours));
            if let PlannedId::Echo(id) = &plan.id {
                assert_eq!(ours.as_raw(), id, "an echoed id is spelled as it was");
            }
            let meaning: Value = serde_json::from_str(id).expect("JSON");
            assert_eq!(theirs["id"], meaning);
        }
        (id, ours) => panic!("the id was {id:?} and came back as {ours:?}"),
    }
    let value = |raw: Option<RawJson<'_>>| {
        raw.map(|raw| serde_json::from_str::<Value>(raw.as_str()).expect("JSON"))
    };
    match plan.kind {
        Kind::Request | Kind::Notification => {
            assert_eq!(theirs["method"], plan.text.as_str());
            assert_eq!(ours.method().expect("a method"), plan.text.as_str());
            assert_eq!(theirs.get("params"), plan.payload.as_ref());
            assert_eq!(value(ours.params()), plan.payload);
        }
        Kind::Result => {
            assert_eq!(theirs.get("result"), plan.payload.as_ref());
            assert_eq!(value(ours.result()), plan.payload);
        }
        Kind::Error => {
            let error = ours.error().expect("an error");
            assert_eq!(theirs["error"]["code"], plan.code);
            assert_eq!(error.code().as_i64(), Some(plan.code));
            assert_eq!(theirs["error"]["message"], plan.text.as_str());
            assert_eq!(error.message(), plan.text.as_str());
            assert_eq!(theirs["error"].get("data"), plan.payload.as_ref());
            assert_eq!(value(error.data()), plan.payload);
        }
    }
}

/// Passes the line on with other ids, in every way.
fn renumbered(line: &[u8], source: &mut Source<'_>, random: &mut Random) {
    let text = &line[..line.len() - 1];
    let message = parse(text, &limits()).expect("a message");
    let name = text_of(source);
    let id = if source.below(2) == 0 {
        OutId::Int(i64::from(source.byte()))
    } else {
        OutId::Text(&name)
    };
    let token = message.kind() == Kind::Request && message.meta().progress_token().is_some();
    let mut renumber = message.renumber();
    let mut expected: Value = serde_json::from_slice(text).expect("JSON");
    let new = match id {
        OutId::Text(id) => Value::from(id),
        _ => match id {
            OutId::Int(id) => Value::from(id),
            _ => Value::Null,
        },
    };
    // The id of an error that is null stays so.
    if message.id().is_some() {
        renumber = renumber.id(id);
        expected["id"] = new.clone();
    }
    if token {
        renumber = renumber.progress_token(id);
        expected["params"]["_meta"]["progressToken"] = new;
    }
    let needed = renumber.line_len().expect("it can be written");
    let mut out = vec![0; needed];
    assert_eq!(renumber.write(&mut out), Ok(needed));
    assert_eq!(
        pieces(renumber.pieces().expect("it can be written"), random),
        out
    );
    assert!(
        !out[..needed - 1]
            .iter()
            .any(|byte| matches!(byte, b'\r' | b'\n'))
    );
    assert_eq!(
        serde_json::from_slice::<Value>(&out).expect("JSON"),
        expected
    );
    if message.id().is_some() {
        let mut alone = vec![0; needed + text.len()];
        let written = message.write_with_id(id, &mut alone).expect("room");
        let again = parse(&alone[..written], &limits()).expect("a message");
        rest_is_kept(&message, &again);
    }
    let passed = forwarded(line, id, token, random);
    assert_eq!(
        serde_json::from_slice::<Value>(&passed).expect("JSON"),
        expected,
        "passed on as it streams by"
    );
}

fn rest_is_kept(before: &Message<'_>, after: &Message<'_>) {
    assert_eq!(before.kind(), after.kind());
    assert_eq!(before.method(), after.method());
    assert_eq!(before.params(), after.params());
    assert_eq!(before.result(), after.result());
    let error = |message: &Message<'_>| message.error().map(|error| error.raw().to_string());
    assert_eq!(error(before), error(after));
}

/// The line through a stream decoder and on.
fn forwarded(line: &[u8], id: OutId<'_>, token: bool, random: &mut Random) -> Vec<u8> {
    let mut memory = vec![0; StreamDecoder::needed(&limits())];
    let mut decoder = StreamDecoder::new(&mut memory, limits()).expect("room");
    let mut forward = StreamRenumber::new();
    if token {
        forward = forward.progress_token(id).expect("an id that may be sent");
    }
    let mut out = Vec::new();
    let mut rest = line;
    let mut window = vec![0; 1 + random.below(24)];
    while !rest.is_empty() {
        let mut bytes = piece(&mut rest, random);
        loop {
            let (used, event) = decoder.step(bytes);
            bytes = &bytes[used..];
            match event {
                StreamEvent::NeedInput => break,
                StreamEvent::Head(head) => loop {
                    match forward.head(&head, Some(id), &mut window) {
                        0 => break,
                        written => out.extend_from_slice(&window[..written]),
                    }
                },
                StreamEvent::Body { part, mut bytes } => {
                    while !bytes.is_empty() {
                        let (used, written) = forward.body(part, bytes, &mut window);
                        assert!(used + written > 0, "it goes round in circles");
                        bytes = &bytes[used..];
                        out.extend_from_slice(&window[..written]);
                    }
                }
                StreamEvent::End(head) => loop {
                    let id = head.id().map(|_| id);
                    match forward
                        .end(&head, id, &mut window)
                        .expect("an id that may be sent")
                    {
                        0 => break,
                        written => out.extend_from_slice(&window[..written]),
                    }
                },
                StreamEvent::Fault(rejected) => panic!("our own line is refused: {rejected:?}"),
            }
        }
    }
    assert_eq!(out.last(), Some(&b'\n'), "the line is ended");
    out
}

struct Tree<'a>(&'a Value);

impl ToJson for Tree<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self.0 {
            Value::Null => drop(w.null()),
            Value::Bool(value) => drop(w.bool(*value)),
            Value::Number(number) => drop(w.decimal(&number.to_string())),
            Value::String(text) => drop(w.string(text)),
            Value::Array(items) => {
                w.begin_array();
                for item in items {
                    w.value(&Tree(item));
                }
                w.end_array();
            }
            Value::Object(members) => {
                w.begin_object();
                for (name, value) in members {
                    w.member(name, &Tree(value));
                }
                w.end_object();
            }
        }
    }
}

fn integer(source: &mut Source<'_>) -> i64 {
    let mut bytes = [0; 8];
    let length = source.below(9);
    for (to, from) in bytes.iter_mut().zip(source.take(length)) {
        *to = *from;
    }
    let value = i64::from_le_bytes(bytes);
    if source.below(2) == 0 {
        value
    } else {
        value.wrapping_neg()
    }
}

fn text(source: &mut Source<'_>) -> String {
    let length = source.below(24);
    String::from_utf8_lossy(source.take(length)).into_owned()
}

/// Text that may stand as an id of ours.
fn text_of(source: &mut Source<'_>) -> String {
    let mut name = text(source);
    name.push('x');
    name
}

fn value(source: &mut Source<'_>, depth: usize) -> Value {
    match source.below(if depth > 0 { 9 } else { 7 }) {
        0 => Value::Null,
        1 => Value::Bool(source.below(2) == 0),
        2 => Value::from(integer(source)),
        3 => Value::from(f64::from(source.byte()) / 8.0),
        4..=6 => Value::from(text(source)),
        7 => (0..source.below(4))
            .map(|_| value(source, depth - 1))
            .collect(),
        _ => {
            let mut members = Map::new();
            for _ in 0..source.below(4) {
                members.insert(text(source), value(source, depth - 1));
            }
            Value::Object(members)
        }
    }
}

/// The value's text with white space, line ends among it, wherever it may stand.
fn spaced(value: &Value, random: &mut Random) -> String {
    fn space(out: &mut String, random: &mut Random) {
        out.push_str(["", "", "", " ", "\n", "\r\n", "\t", "\r"][random.below(8)]);
    }
    fn put(value: &Value, out: &mut String, random: &mut Random) {
        space(out, random);
        match value {
            Value::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    put(item, out, random);
                }
                space(out, random);
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                for (index, (name, item)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    space(out, random);
                    out.push_str(&serde_json::to_string(name).expect("a string"));
                    space(out, random);
                    out.push(':');
                    put(item, out, random);
                }
                space(out, random);
                out.push('}');
            }
            other => out.push_str(&other.to_string()),
        }
        space(out, random);
    }
    let mut out = String::new();
    put(value, &mut out, random);
    // What stands outside the value is none of it.
    out.trim_matches([' ', '\t', '\r', '\n']).to_string()
}
