//! A second, deliberately simple reading of a stream, on `serde_json`.

use std::string::String;
use std::vec::Vec;

use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::seen::Seen;
use crate::fault::{FaultClass, FaultKind};
use crate::limits::{Limits, Profile};
use crate::message::Kind;

/// A line as framing alone has it.
pub(super) struct Line<'a> {
    /// Without LF, without the CR before it, without a byte order mark.
    pub(super) text: &'a [u8],
    pub(super) position: u64,
    pub(super) number: u64,
    pub(super) ended: bool,
    pub(super) bom: bool,
}

/// The lines of a stream that are not blank, up to the one that never ends.
pub(super) fn lines<'a>(stream: &'a [u8], limits: &Limits) -> Vec<Line<'a>> {
    let endless = endless(limits);
    let mut lines = Vec::new();
    let mut position = 0;
    for (index, line) in stream.split(|byte| *byte == b'\n').enumerate() {
        let ended = position + line.len() < stream.len();
        let (mut text, mut bom) = (line, false);
        if let (0, Some(rest)) = (index, line.strip_prefix(b"\xef\xbb\xbf")) {
            text = rest;
            bom = true;
        }
        text = text.strip_suffix(b"\r").unwrap_or(text);
        let over = text.len() > endless;
        if over || !is_blank(text) {
            lines.push(Line {
                text,
                position: position as u64,
                number: index as u64 + 1,
                ended,
                bom,
            });
        }
        if over {
            break;
        }
        position += line.len() + 1;
    }
    lines
}

fn endless(limits: &Limits) -> usize {
    match limits.max_discard {
        0 => usize::MAX,
        most => most.max(limits.message.saturating_add(1)) as usize,
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// Holds the items of a stream against this reading.
pub(super) fn check(stream: &[u8], limits: &Limits, items: &[Seen]) {
    let mut items = items.iter();
    for line in lines(stream, limits) {
        let first = items.next();
        let first = first.unwrap_or_else(|| panic!("nothing came of line {}", line.number));
        assert_eq!(
            (first.line, first.position),
            (line.number, line.position),
            "{first:?}"
        );
        match first.batch {
            None => check_line(&line, limits, first),
            Some(_) => check_batch(&line, limits, first, &mut items),
        }
    }
    assert!(items.len() == 0, "too many items: {items:?}");
}

fn check_batch<'s>(
    line: &Line<'_>,
    limits: &Limits,
    first: &'s Seen,
    items: &mut impl Iterator<Item = &'s Seen>,
) {
    assert!(limits.batches, "a batch was taken apart: {first:?}");
    let text = core::str::from_utf8(line.text).expect("a batch is UTF-8");
    let elements: Vec<&RawValue> = serde_json::from_str(text).expect("a batch is JSON");
    let mut item = Some(first);
    let single = limits.with_batches(false);
    for (index, element) in elements.iter().enumerate() {
        let seen = item.take().expect("an item for each element");
        let place = seen.batch.expect("its place in the batch");
        assert_eq!(
            (place.index as usize, place.last),
            (index, index + 1 == elements.len())
        );
        assert_eq!(
            (seen.line, seen.position),
            (line.number, line.position),
            "{seen:?}"
        );
        let alone = Line {
            text: element.get().as_bytes(),
            position: line.position,
            number: line.number,
            ended: true,
            bom: line.bom && index == 0,
        };
        check_line(&alone, &single, seen);
        if !place.last {
            item = items.next();
        }
    }
}

/// Holds one item against its line.
pub(super) fn check_line(line: &Line<'_>, limits: &Limits, seen: &Seen) {
    let text = line.text;
    if seen.what == Err(FaultKind::Runaway) {
        assert!(text.len() > endless(limits), "no runaway: {seen:?}");
        assert_eq!(
            (seen.offset, seen.length),
            (endless(limits) as u64, endless(limits) as u64)
        );
        return;
    }
    assert!(text.len() <= endless(limits), "a runaway came to {seen:?}");
    assert_eq!(seen.length, text.len() as u64, "length: {seen:?}");
    assert!(seen.offset <= seen.length, "{seen:?}");
    assert!(
        text.starts_with(&seen.excerpt),
        "the excerpt is not the beginning of {text:?}: {seen:?}"
    );
    let complete = line.ended || limits.eof_completes_line;
    let value = core::str::from_utf8(text)
        .ok()
        .and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
    match seen.what {
        Ok(kind) => {
            assert!(complete, "an unfinished line was taken: {seen:?}");
            let value = value.expect("a message is JSON");
            assert_eq!(seen.text, text);
            assert_eq!(seen.flags.bom, line.bom, "{seen:?}");
            assert!(text.len() <= limits.message as usize, "too long: {seen:?}");
            let judged = judge(value.get(), limits);
            let message = judged.unwrap_or_else(|why| panic!("{why}, but taken as {seen:?}"));
            assert_eq!(kind, message.kind, "{seen:?}");
            assert_eq!(seen.id.as_deref(), message.id, "{seen:?}");
            let method = message.method.map(|method| &method[1..method.len() - 1]);
            assert_eq!(seen.method.as_deref(), method, "{seen:?}");
            assert_eq!(seen.params.as_deref(), message.params, "{seen:?}");
            assert_eq!(seen.result.as_deref(), message.result, "{seen:?}");
            let error = seen.error.as_ref().and_then(|error| error[0].as_deref());
            assert_eq!(error, message.error, "{seen:?}");
            assert_eq!(seen.flags.null_params, message.null_params, "{seen:?}");
        }
        Err(kind) => {
            rejected(kind, line, limits, seen, value.map(RawValue::get), complete);
        }
    }
}

fn rejected(
    kind: FaultKind,
    line: &Line<'_>,
    limits: &Limits,
    seen: &Seen,
    value: Option<&str>,
    complete: bool,
) {
    let text = line.text;
    assert!(kind != FaultKind::Truncated || !complete, "{seen:?}");
    assert_eq!(
        seen.limit.is_some(),
        kind.class() == FaultClass::Limit,
        "a ceiling goes with a fault of a ceiling: {seen:?}"
    );
    // Past the depth ceiling brackets are counted and little else is looked at.
    let deep = text_depth(text) > usize::from(limits.depth);
    let valid = value.is_some() && complete;
    if !valid && !deep {
        assert_eq!(seen.id, None, "an id of text that is broken: {seen:?}");
    }
    match (kind.class(), value) {
        (FaultClass::Text | FaultClass::Noise, Some(_)) if !deep => {
            panic!("valid JSON was refused as broken: {seen:?}")
        }
        (FaultClass::Envelope, None) if complete => {
            assert!(text.len() as u64 > seen.offset, "{seen:?}");
        }
        _ => {}
    }
    let Some(value) = value.filter(|_| complete) else {
        return;
    };
    if text.len() <= limits.message as usize && !deep {
        match judge(value, limits) {
            Ok(_) => panic!("a good message was refused: {seen:?}"),
            Err("limit") => {}
            Err(why) => assert!(
                matches!(kind.class(), FaultClass::Limit | FaultClass::Envelope),
                "{why}, but {seen:?}"
            ),
        }
    }
    let id = usable_id(value, limits);
    if !matches!(id, Some("null")) {
        assert_eq!(
            seen.id.as_deref(),
            id,
            "the id that may be answered: {seen:?}"
        );
    }
}

/// How deep brackets are nested, whatever else the text is.
fn text_depth(text: &[u8]) -> usize {
    let (mut depth, mut most, mut in_string, mut escaped) = (0usize, 0, false, false);
    for byte in text {
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                most = most.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

struct Good<'a> {
    kind: Kind,
    id: Option<&'a str>,
    method: Option<&'a str>,
    params: Option<&'a str>,
    result: Option<&'a str>,
    error: Option<&'a str>,
    null_params: bool,
}

type Members<'a> = Vec<(String, &'a str)>;

/// The members of an object in their order. `None` if it is none, or if a name is no
/// Unicode text.
pub(super) fn members(text: &str) -> Option<Members<'_>> {
    struct All;
    impl<'de> Visitor<'de> for All {
        type Value = Members<'de>;

        fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                members.push((name, value.get()));
            }
            Ok(members)
        }
    }
    let mut from = serde_json::Deserializer::from_str(text);
    serde::Deserializer::deserialize_map(&mut from, All).ok()
}

fn get<'a>(members: &Members<'a>, name: &str) -> Option<&'a str> {
    members
        .iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| *value)
}

const TOP: &[&str] = &["id", "method", "params", "result", "error", "jsonrpc"];
const PARAMS: &[&str] = &["_meta", "requestId", "progressToken", "progress"];
const META: &[&str] = &[
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/subscriptionId",
    "progressToken",
];
const RESULT: &[&str] = &["resultType", "protocolVersion"];
const ERROR: &[&str] = &["code", "message", "data"];
const DATA: &[&str] = &["supported"];

/// Fails if one of `names` stands twice.
fn once(members: &Members<'_>, names: &[&str]) -> Result<(), &'static str> {
    let twice = names
        .iter()
        .any(|name| members.iter().filter(|(key, _)| key == name).count() > 1);
    if twice {
        Err("a captured member stands twice")
    } else {
        Ok(())
    }
}

/// The members of a value, none if it is no object.
fn inside(value: Option<&str>) -> Result<Members<'_>, &'static str> {
    match value {
        Some(value) if value.starts_with('{') => {
            members(value).ok_or("a name holds a lone surrogate")
        }
        _ => Ok(Vec::new()),
    }
}

/// Whether all names at any depth are Unicode text.
fn names_are_text(value: &str) -> bool {
    match value.as_bytes().first() {
        Some(b'{') => members(value)
            .is_some_and(|members| members.iter().all(|(_, value)| names_are_text(value))),
        Some(b'[') => serde_json::from_str::<Vec<&RawValue>>(value)
            .is_ok_and(|items| items.iter().all(|item| names_are_text(item.get()))),
        _ => true,
    }
}

fn text(token: &str) -> Option<String> {
    serde_json::from_str(token).ok()
}

fn is_number(token: &str) -> bool {
    matches!(token.as_bytes().first(), Some(b'-' | b'0'..=b'9'))
}

/// Whether a number is whole, by its digits alone; with an exponent of 10^8 or more it is not,
/// since nobody could write it out.
pub(super) fn is_whole(token: &str) -> bool {
    let lower = token.trim_start_matches('-').to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.len() + fraction.len();
    let mut all = String::from(whole);
    all.push_str(fraction);
    let Some(last) = all.rfind(|digit| digit != '0') else {
        return true;
    };
    // Digits behind the point, the zeros at the end not counted.
    let behind = fraction.len() as i64 - (digits - 1 - last) as i64;
    match exponent.trim_start_matches('+').parse::<i64>() {
        Ok(exponent) => exponent < 100_000_000 && behind <= exponent,
        Err(_) => false,
    }
}

/// The id that a refused line may be answered with.
fn usable_id<'a>(value: &'a str, limits: &Limits) -> Option<&'a str> {
    if !value.starts_with('{') {
        return None;
    }
    // Names that are no text do not hide the id.
    let raw = crate::json::RawJson::from_valid(crate::text::Text::new(value));
    let mut ids = raw.members().filter(|(name, _)| *name == "id");
    let (id, more) = (ids.next()?.1.as_str(), ids.next());
    let fits = id.len() <= usize::from(limits.id) && more.is_none();
    let good = match id.as_bytes()[0] {
        b'"' => text(id).is_some(),
        b'-' | b'0'..=b'9' => limits.profile == Profile::JsonRpc || is_whole(id),
        b'n' => true,
        _ => false,
    };
    (fits && good).then_some(id)
}

/// What a text of valid JSON is, or why it is nothing; `"limit"` if a ceiling is passed.
fn judge<'a>(value: &'a str, limits: &Limits) -> Result<Good<'a>, &'static str> {
    let strict = limits.profile == Profile::Mcp;
    if !value.starts_with('{') {
        return Err("not an object");
    }
    let top = members(value).ok_or("a name holds a lone surrogate")?;
    if !names_are_text(value) {
        return Err("a name holds a lone surrogate");
    }
    once(&top, TOP)?;
    let [id, method, params, mut result, mut error, version] =
        [0, 1, 2, 3, 4, 5].map(|index| get(&top, TOP[index]));

    let in_params = inside(params)?;
    once(&in_params, PARAMS)?;
    once(&inside(get(&in_params, "_meta"))?, META)?;
    once(&inside(result)?, RESULT)?;
    let in_error = inside(error)?;
    once(&in_error, ERROR)?;
    once(&inside(get(&in_error, "data"))?, DATA)?;

    if version.and_then(text).as_deref() != Some("2.0") {
        return Err("no jsonrpc 2.0");
    }
    let null_params = params == Some("null");
    match params.map(|params| params.as_bytes()[0]) {
        None | Some(b'{' | b'n') => {}
        Some(b'[') if !strict => {}
        _ => return Err("params of the wrong type"),
    }
    if let Some(method) = method {
        if text(method).is_none() {
            return Err("method is no text");
        }
        if method.len() > usize::from(limits.method) {
            return Err("limit");
        }
    }
    if let Some(id) = id {
        let good = match id.as_bytes()[0] {
            b'"' => text(id).is_some(),
            b'n' => true,
            _ => is_number(id) && (!strict || is_whole(id) || id.len() > usize::from(limits.id)),
        };
        if !good {
            return Err("no id");
        }
        if id.len() > usize::from(limits.id) {
            return Err("limit");
        }
    }
    if strict
        && matches!(result.map(|result| result.as_bytes()[0]), Some(first) if !matches!(first, b'{' | b'n'))
    {
        return Err("result of the wrong type");
    }
    if let Some(error) = error.filter(|error| *error != "null") {
        let code = get(&in_error, "code").unwrap_or("");
        let good = error.starts_with('{')
            && is_number(code)
            && code.len() <= 32
            && is_whole(code)
            && get(&in_error, "message").is_some_and(|message| message.starts_with('"'));
        if !good {
            return Err("no error");
        }
    }
    if result.is_some() && error.is_some() {
        if error == Some("null") {
            error = None;
        } else if result == Some("null") {
            result = None;
        }
    }
    if error == Some("null") {
        return Err("error is null");
    }
    let null_id = id == Some("null");
    let mut good = Good {
        kind: Kind::Notification,
        id,
        method,
        params: params.filter(|_| !null_params),
        result,
        error,
        null_params,
    };
    good.kind = match (method, result, error) {
        (Some(_), None, None) => match id {
            Some(_) if null_id && strict => return Err("a request's id is null"),
            Some(_) => Kind::Request,
            None => Kind::Notification,
        },
        (None, Some(_), None) if id.is_none() || null_id && strict => {
            return Err("a result without id");
        }
        (None, Some("null"), None) if strict => return Err("result is null"),
        (None, Some(_), None) => Kind::Result,
        (None, None, Some(_)) => {
            good.id = id.filter(|_| !null_id);
            Kind::Error
        }
        _ => return Err("no kind, or two"),
    };
    if !matches!(good.kind, Kind::Request | Kind::Notification) {
        good.params = None;
    }
    Ok(good)
}
