//! What the decoder gives, in the form of the vectors, with the checks that hold for every item.

use wireline::json::{JsonKind, LoneSurrogate, RawJson};
use wireline::{BatchPlace, FaultClass, Flags, IdKind, Limits, Message, Profile, Rejected};

use super::vectors::{Item, Settings};

/// The limits that a vector's settings mean.
pub fn limits(settings: &Settings) -> Limits {
    let mut limits = Limits::HOST;
    if let Some(message) = settings.message {
        limits = limits.with_message(message);
    }
    if let Some(depth) = settings.depth {
        limits = limits.with_depth(depth);
    }
    if let Some(id) = settings.id {
        limits = limits.with_id(id);
    }
    if let Some(method) = settings.method {
        limits = limits.with_method(method);
    }
    if let Some(discard) = settings.discard {
        limits = limits.with_max_discard(discard);
    }
    if settings.json_rpc {
        limits = limits.with_profile(Profile::JsonRpc);
    }
    #[cfg(feature = "batch")]
    {
        limits = limits.with_batches(settings.batches);
    }
    limits.with_eof_completes_line(settings.eof_completes_line)
}

/// A message or fault as an item.
pub fn item(result: &Result<Message<'_>, Rejected<'_>>) -> Item {
    match result {
        Ok(message) => message_item(message),
        Err(rejected) => fault_item(rejected),
    }
}

fn text(characters: impl Iterator<Item = Result<char, LoneSurrogate>>) -> String {
    characters
        .map(|c| c.expect("a text without unpaired surrogates"))
        .collect()
}

fn quoted(raw: &str) -> String {
    format!("\"{raw}\"")
}

fn message_item(message: &Message<'_>) -> Item {
    let mut item = Item::message(message.kind().name());
    if let Some(id) = message.id() {
        item.set("id", id.as_raw());
        if id.as_raw().contains('\\') {
            item.set("id-text", text(id.as_json_str().unwrap().chars()));
        }
        match id.kind() {
            IdKind::String => assert!(id.as_raw().starts_with('"') && id.as_number().is_none()),
            IdKind::Number => assert!(id.as_number().is_some() && id.as_json_str().is_none()),
            _ => assert_eq!(id.as_raw(), "null"),
        }
    }
    if let Some(method) = message.method() {
        item.set("method", quoted(method.raw()));
        if method.raw().contains('\\') {
            assert_eq!(method.as_str(), None);
            item.set("method-text", text(method.chars()));
        } else {
            assert_eq!(method.as_str(), Some(method.raw()));
        }
    }
    let mut raw = |key: &str, value: Option<RawJson<'_>>| {
        if let Some(value) = value {
            item.set(key, value.as_str());
        }
    };
    raw("params", message.params());
    raw("result", message.result());
    let meta = message.meta();
    raw("meta.client-capabilities", meta.client_capabilities());
    raw("meta.supported", meta.supported());
    if let Some(error) = message.error() {
        raw("error.data", error.data());
        item.set("error.code", error.code().as_str());
        item.set("error.message", quoted(error.message().raw()));
        assert_eq!(error.raw().kind(), JsonKind::Object);
        assert_eq!(
            error.raw().get("message").and_then(|m| m.as_json_str()),
            Some(error.message())
        );
        assert_eq!(
            meta.error_code().map(|c| c.as_str()),
            Some(error.code().as_str())
        );
    } else {
        assert!(meta.error_code().is_none());
    }
    for (key, id) in [
        ("meta.progress-token", meta.progress_token()),
        ("meta.subscription-id", meta.subscription_id()),
        ("meta.request-id", meta.request_id()),
    ] {
        if let Some(id) = id {
            item.set(key, id.as_raw());
        }
    }
    for (key, string) in [
        ("meta.protocol-version", meta.protocol_version()),
        ("meta.log-level", meta.log_level()),
        ("meta.result-type", meta.result_type()),
    ] {
        if let Some(string) = string {
            item.set(key, quoted(string.raw()));
        }
    }
    if let Some(progress) = meta.progress() {
        item.set("meta.progress", progress.as_str());
    }
    if let Some(flags) = flags(message.flags()) {
        item.set("flags", flags);
    }
    batch(&mut item, message.batch());
    item
}

fn flags(flags: Flags) -> Option<String> {
    let set = [(flags.bom, "bom"), (flags.null_params, "null-params")];
    words(&set)
}

/// The names of what is so, parted by blanks.
pub fn words(set: &[(bool, &str)]) -> Option<String> {
    let words: Vec<&str> = set
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, word)| *word)
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn batch(item: &mut Item, place: Option<BatchPlace>) {
    if let Some(place) = place {
        let last = if place.last { " last" } else { "" };
        item.set("batch", format!("{}{last}", place.index));
    }
}

pub fn fault_item(rejected: &Rejected<'_>) -> Item {
    let mut item = Item::fault(rejected.kind().name(), rejected.offset(), rejected.length());
    match (rejected.id(), rejected.id_hint()) {
        (Some(id), hint) => {
            assert_eq!(
                hint.map(|h| h.as_raw()),
                Some(id.as_raw()),
                "an id that may be answered is a hint too"
            );
            item.set("id", id.as_raw());
        }
        (None, Some(hint)) => item.set("hint", hint.as_raw()),
        (None, None) => {}
    }
    if let Some(method) = rejected.method() {
        item.set("method", quoted(method.raw()));
    }
    if matches!(
        rejected.kind().class(),
        FaultClass::Limit | FaultClass::Envelope
    ) {
        let shape = rejected.shape();
        let set = [
            (shape.jsonrpc, "jsonrpc"),
            (shape.method, "method"),
            (shape.result, "result"),
            (shape.error, "error"),
        ];
        if let Some(words) = words(&set) {
            item.set("shape", words);
        }
    }
    if let Some(limit) = rejected.limit() {
        item.set("limit", limit.to_string());
    }
    batch(&mut item, rejected.batch());
    assert!(rejected.offset() <= rejected.length(), "{rejected:?}");
    assert!(rejected.excerpt().len() <= 48, "{rejected:?}");
    item
}

/// An independent, and deliberately simple, reading of where lines begin and end.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Without LF, without the CR before it, without a byte-order mark at the start of the stream.
    pub text: &'a [u8],
    /// Offset in the stream of the line's first byte, the mark included.
    pub position: u64,
    /// From 1; blank lines count.
    pub number: u64,
    /// Whether an LF ended it.
    pub ended: bool,
}

/// The lines of a stream that are not blank, and those that `limits` call endless, blank or not.
pub fn lines<'a>(stream: &'a [u8], limits: &Limits) -> Vec<Line<'a>> {
    let endless = match limits.max_discard {
        0 => usize::MAX,
        most => most.max(limits.message.saturating_add(1)) as usize,
    };
    let mut lines = Vec::new();
    let mut position = 0;
    for (index, line) in stream.split(|byte| *byte == b'\n').enumerate() {
        let ended = position + line.len() < stream.len();
        let mut text = line;
        if index == 0 {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.len() > endless || !text.iter().all(|byte| b" \t\r".contains(byte)) {
            lines.push(Line {
                text,
                position: position as u64,
                number: index as u64 + 1,
                ended,
            });
        }
        position += line.len() + 1;
    }
    lines
}
