//! No public call allocates: each is made under an allocator that counts, and the list of what
//! is called here is held against the functions that the sources declare. Without some of the features, what there is
//! is called; the list is held against the sources when all of them are on.
#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, hint};

use wireline::encode::{self, ErrorId, MessageWriter, OutId, Outgoing, Payload, StreamRenumber};
use wireline::json::{self, JsonStr, Number, Pieces, RawJson, Writer};
use wireline::mcp::{Revision, Side};
use wireline::monitor::{self, Monitor, MonitorSlots, Slots};
use wireline::{
    Counters, FaultKind, Id, Kind, Level, Limits, LineDecoder, Profile, Rule, Storage,
    StreamDecoder, StreamEvent, Violations, Who, parse,
};

struct Counting;

thread_local! {
    static WATCHING: Cell<bool> = const { Cell::new(false) };
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static CALLED: RefCell<BTreeSet<(&'static str, &'static str)>> = const { RefCell::new(BTreeSet::new()) };
}

fn count() {
    if WATCHING.get() {
        COUNT.set(COUNT.get() + 1);
    }
}

// SAFETY: everything is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps to the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count();
        // SAFETY: the caller keeps to the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps to the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Makes one call, named by its file and its name, and fails if it touched the heap.
macro_rules! free {
    ($file:literal $name:ident: $call:expr) => {{
        CALLED.with_borrow_mut(|called| called.insert(($file, stringify!($name))));
        COUNT.set(0);
        WATCHING.set(true);
        let value = hint::black_box($call);
        WATCHING.set(false);
        assert_eq!(
            COUNT.get(),
            0,
            "{} {} touched the heap",
            $file,
            stringify!($name)
        );
        value
    }};
}

#[cfg(feature = "io")]
#[path = "no_alloc/connections.rs"]
#[allow(unreachable_pub, reason = "one module of many in other tests")]
mod connections;
#[path = "no_alloc/payloads.rs"]
#[allow(unreachable_pub, reason = "one module of many in other tests")]
mod payloads;
#[path = "no_alloc/sessions.rs"]
#[allow(unreachable_pub, reason = "one module of many in other tests")]
mod sessions;
#[path = "no_alloc/toolkit.rs"]
#[allow(unreachable_pub, reason = "one module of many in other tests")]
mod toolkit;

const STREAM: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools\\/call\",\"params\":{\"_meta\":{\"progressToken\":\"p\"}}}\n\
boot ok\r\n\
{\"result\":{\"resultType\":\"complete\"},\"jsonrpc\":\"2.0\",\"id\":\"a\"}\n\
[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"method\":\"b\"},3]\n\
{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}\n\
{\"jsonrpc\":\"2.0\",\"method\":\"long\",\"params\":{\"text\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"},\"id\":9}\n\
{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"x\"]}}}\n\
{\"jsonrpc\":\"2.0\",\"me";

/// What comes of it: a batch that is not taken apart is one fault.
const ITEMS: usize = if cfg!(feature = "batch") { 10 } else { 8 };

fn limits() -> Limits {
    let limits = free!("limits.rs" with_message: Limits::HOST.with_message(200));
    let limits = free!("limits.rs" with_depth: limits.with_depth(20));
    let limits = free!("limits.rs" with_id: limits.with_id(40));
    let limits = free!("limits.rs" with_method: limits.with_method(40));
    let limits = free!("limits.rs" with_max_discard: limits.with_max_discard(1000));
    let limits = free!("limits.rs" with_profile: limits.with_profile(Profile::Mcp));
    let limits = free!("limits.rs" with_eof_completes_line: limits.with_eof_completes_line(false));
    #[cfg(feature = "batch")]
    let limits = free!("limits.rs" with_batches: limits.with_batches(true));
    limits
}

/// Every way into a line decoder, over one kind of storage.
fn line_decoder<B: Storage>(storage: B) {
    let mut decoder = free!("decode/line.rs" new: LineDecoder::new(storage, limits()));
    let mut counters = free!("decode/counters.rs" new: Counters::new());
    for longest in [1, 7, 64, STREAM.len()] {
        let mut items = 0;
        for chunk in STREAM.chunks(longest) {
            let mut rest = chunk;
            while let Some(item) = free!("decode/line.rs" next_in: decoder.next_in(&mut rest)) {
                let result = free!("decode/line.rs" result: item.result());
                free!("decode/counters.rs" record: counters.record(&result));
                free!("decode/counters.rs" lines: counters.lines());
                items += 1;
            }
            free!("decode/line.rs" pending: decoder.pending());
        }
        while free!("decode/line.rs" finish: decoder.finish()).is_some() {
            items += 1;
        }
        assert_eq!(items, ITEMS, "pieces of {longest}");
        for chunk in STREAM.chunks(longest) {
            let mut rest = chunk;
            while !rest.is_empty() {
                let spare = free!("decode/line.rs" spare: decoder.spare());
                let count = spare.len().min(rest.len());
                spare[..count].copy_from_slice(&rest[..count]);
                free!("decode/line.rs" commit: decoder.commit(count));
                rest = &rest[count..];
                free!("decode/line.rs" pending: decoder.pending());
                while free!("decode/line.rs" next: decoder.next()).is_some() {}
            }
        }
        free!("decode/line.rs" is_closed: decoder.is_closed());
        #[cfg(feature = "std")]
        {
            free!("decode/line.rs" position: decoder.position());
            free!("decode/line.rs" line: decoder.line());
        }
        free!("decode/line.rs" limits: *decoder.limits());
        free!("decode/line.rs" reset: decoder.reset());
    }
    free!("decode/counters.rs" items: counters.items());
    free!("decode/counters.rs" messages: counters.messages(Kind::Request));
    free!("decode/counters.rs" faults: counters.faults(FaultKind::NotJson));
    free!("decode/counters.rs" accepted: counters.accepted());
    free!("decode/counters.rs" discarded: counters.discarded());
}

fn stream_decoder() {
    free!("decode/stream.rs" needed: StreamDecoder::needed(&limits()));
    for longest in [1, 7, STREAM.len()] {
        let mut memory = [0; 256];
        let decoder = free!("decode/stream.rs" new: StreamDecoder::new(&mut memory, limits()));
        let mut decoder = decoder.expect("room");
        let mut out = [0; 32];
        for chunk in STREAM.chunks(longest) {
            let mut rest = chunk;
            let mut forward = free!("encode/forward.rs" new: StreamRenumber::new());
            loop {
                let (used, event) = free!("decode/stream.rs" step: decoder.step(rest));
                rest = &rest[used..];
                match event {
                    StreamEvent::NeedInput => break,
                    StreamEvent::Head(head) => {
                        free!("decode/stream.rs" is_final: head.is_final());
                        free!("encode/forward.rs" head: forward.head(&head, None, &mut out));
                    }
                    StreamEvent::Body { part, bytes } => {
                        free!("encode/forward.rs" body: forward.body(part, bytes, &mut out));
                    }
                    StreamEvent::End(head) => {
                        free!("decode/stream.rs" kind: head.kind());
                        free!("decode/stream.rs" id: head.id());
                        free!("decode/stream.rs" method: head.method());
                        free!("decode/stream.rs" meta: head.meta());
                        free!("decode/stream.rs" flags: head.flags());
                        free!("decode/stream.rs" length: head.length());
                        free!("encode/forward.rs" end: forward.end(&head, None, &mut out)).unwrap();
                        forward = StreamRenumber::new();
                        forward =
                            free!("encode/forward.rs" progress_token: forward.progress_token(3))
                                .unwrap();
                    }
                    StreamEvent::Fault(_) => {
                        free!("encode/forward.rs" give_up: forward.give_up(&mut out));
                    }
                }
            }
        }
        free!("decode/stream.rs" finish: decoder.finish().is_some());
        free!("decode/stream.rs" is_closed: decoder.is_closed());
        free!("decode/stream.rs" reset: decoder.reset());
    }
}

fn messages() {
    let request = br#"{"jsonrpc":"2.0","id":"\u0061","method":"tools\/call","params":{"_meta":{"progressToken":3,"io.modelcontextprotocol/subscriptionId":5},"requestId":8,"progress":0.5}}"#;
    let message = free!("decode/mod.rs" parse: parse(request, &limits())).unwrap();
    free!("message.rs" kind: message.kind());
    free!("message.rs" name: message.kind().name());
    free!("message.rs" id: message.id());
    free!("message.rs" method: message.method());
    free!("message.rs" over: message.over(message.as_bytes()));
    free!("message.rs" params: message.params());
    free!("message.rs" result: message.result());
    free!("message.rs" as_bytes: message.as_bytes());
    free!("message.rs" as_str: message.as_str());
    free!("message.rs" flags: message.flags());
    free!("message.rs" batch: message.batch());
    let meta = free!("message.rs" meta: message.meta());
    free!("message.rs" object_in_params: meta.object_in_params());
    free!("message.rs" request_id: meta.request_id());
    free!("message.rs" progress_token: meta.progress_token());
    free!("message.rs" progress: meta.progress());
    free!("message.rs" protocol_version: meta.protocol_version());
    free!("message.rs" client_capabilities: meta.client_capabilities());
    free!("message.rs" log_level: meta.log_level());
    free!("message.rs" subscription_id: meta.subscription_id());
    free!("message.rs" result_type: meta.result_type());

    let mut out = [0; 512];
    free!("encode/renumber.rs" write_with_id: message.write_with_id(7, &mut out)).unwrap();
    let renumber = free!("encode/renumber.rs" renumber: message.renumber());
    let renumber = free!("encode/renumber.rs" id: renumber.id(70));
    let renumber = free!("encode/renumber.rs" request_id: renumber.request_id("r"));
    let renumber = free!("encode/renumber.rs" progress_token: renumber.progress_token(71));
    let renumber = free!("encode/renumber.rs" subscription_id: renumber.subscription_id(72));
    free!("encode/renumber.rs" write: renumber.write(&mut out)).unwrap();
    free!("encode/renumber.rs" line_len: renumber.line_len()).unwrap();
    let pieces = free!("encode/renumber.rs" pieces: renumber.pieces());
    drained(pieces.unwrap());

    let error = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":[1]}}}"#;
    let message = parse(error, &limits()).unwrap();
    let error = free!("message.rs" error: message.error()).unwrap();
    free!("message.rs" code: error.code());
    free!("message.rs" message: error.message());
    free!("message.rs" data: error.data());
    free!("message.rs" raw: error.raw());
    free!("message.rs" error_code: message.meta().error_code());
    free!("message.rs" supported: message.meta().supported());

    let bad = parse(br#"{"jsonrpc":"2.0","id":1,"method":3}"#, &limits()).unwrap_err();
    let kind = free!("fault.rs" kind: bad.kind());
    free!("fault.rs" name: kind.name());
    free!("fault.rs" reason: kind.reason());
    free!("fault.rs" class: kind.class());
    free!("fault.rs" offset: bad.offset());
    free!("fault.rs" length: bad.length());
    free!("fault.rs" id: bad.id());
    free!("fault.rs" id_hint: bad.id_hint());
    free!("fault.rs" method: bad.method());
    free!("fault.rs" shape: bad.shape());
    free!("fault.rs" excerpt: bad.excerpt());
    free!("fault.rs" limit: bad.limit());
    free!("fault.rs" batch: bad.batch());

    let id = free!("id.rs" parse: Id::parse(b"\"a\\/b\"")).unwrap();
    let mut digits = [0; 20];
    free!("id.rs" integer: Id::integer(i64::MIN, &mut digits));
    free!("id.rs" kind: id.kind());
    free!("id.rs" as_raw: id.as_raw());
    free!("id.rs" as_bytes: id.as_bytes());
    free!("id.rs" as_i64: id.as_i64());
    free!("id.rs" as_number: id.as_number());
    free!("id.rs" as_json_str: id.as_json_str());
    free!("encode/id.rs" or_omitted: ErrorId::or_omitted(Some(id)));
    free!("encode/id.rs" or_null: ErrorId::or_null(None));
}

fn drained<T: json::ToJson>(mut pieces: Pieces<T>) {
    let mut window = [0; 5];
    while !free!("json/writer/pieces.rs" is_done: pieces.is_done()) {
        free!("json/writer/pieces.rs" remaining: pieces.remaining());
        free!("json/writer/pieces.rs" fill: pieces.fill(&mut window)).unwrap();
    }
}

fn fragments() {
    let text = br#" { "a\u0062" : [ 1 , 2.50e1 , "x\ny" ] , "b" : true } "#;
    let raw = free!("json/raw.rs" validate: RawJson::validate(text)).unwrap();
    free!("json/raw.rs" assume_valid: RawJson::assume_valid(text));
    free!("json/raw.rs" as_str: raw.as_str());
    free!("json/raw.rs" as_bytes: raw.as_bytes());
    free!("json/raw.rs" kind: raw.kind());
    free!("json/raw.rs" is_null: raw.is_null());
    free!("json/raw.rs" as_bool: raw.as_bool());
    free!("json/raw.rs" members: raw.members().count());
    let list = free!("json/raw.rs" get: raw.get("ab")).unwrap();
    free!("json/raw.rs" elements: list.elements().count());
    let mut elements = list.elements().skip(1);
    let number = free!("json/raw.rs" as_number: elements.next().unwrap().as_number()).unwrap();
    let text = free!("json/raw.rs" as_json_str: elements.next().unwrap().as_json_str()).unwrap();
    let mut out = [0; 128];
    free!("json/raw.rs" compact_into: raw.compact_into(&mut out).is_ok());

    free!("json/number.rs" new: Number::new("1e400"));
    free!("json/number.rs" as_str: number.as_str());
    free!("json/number.rs" as_bytes: number.as_bytes());
    free!("json/number.rs" as_i64: number.as_i64());
    free!("json/number.rs" as_u64: number.as_u64());
    free!("json/number.rs" is_integer: number.is_integer());

    free!("json/string.rs" raw: text.raw());
    free!("json/string.rs" assume_valid: wireline::json::JsonStr::assume_valid(text.raw_bytes()));
    free!("json/string.rs" validate: JsonStr::validate(text.raw_bytes())).unwrap();
    free!("json/string.rs" raw_bytes: text.raw_bytes());
    free!("json/string.rs" as_str: text.as_str());
    free!("json/string.rs" chars: text.chars().count());
    free!("json/string.rs" unescape_into: text.unescape_into(&mut out).is_ok());

    #[cfg(feature = "serde")]
    structs();
}

/// The user's own types.
#[cfg(feature = "serde")]
fn structs() {
    let raw = RawJson::validate(br#"["plain", "a\u00e9b"]"#).unwrap();
    let mut room = [0; 16];
    let pair =
        free!("serde_support/de.rs" deserialize_in: raw.deserialize_in::<(&str, &str)>(&mut room));
    assert_eq!(pair, Ok(("plain", "aéb")));
    let raw = RawJson::validate(br#"[1, -2.5]"#).unwrap();
    free!("serde_support/de.rs" deserialize: raw.deserialize::<(u8, f32)>()).unwrap();
    let mut out = [0; 64];
    free!("serde_support/ser.rs" write_json: encode::write_json(&(1, "a\n", 0.5), &mut out).is_ok());
}

fn writing() {
    let mut out = [0; 512];
    let raw = RawJson::validate(b"[1,\r\n2]").unwrap();
    let mut w = free!("json/writer.rs" new: Writer::new(&mut out));
    free!("json/writer.rs" is_empty: w.is_empty());
    free!("json/writer.rs" begin_object: { w.begin_object(); });
    free!("json/writer.rs" key: { w.key("list"); });
    free!("json/writer.rs" begin_array: { w.begin_array(); });
    free!("json/writer.rs" value: { w.value(&1u8); });
    free!("json/writer.rs" string: { w.string("a\n\u{1}"); });
    free!("json/writer.rs" display: { w.display(&format_args!("{}", 5)); });
    free!("json/writer.rs" base64: { w.base64(b"abcd"); });
    free!("json/writer.rs" int: { w.int(i64::MIN); });
    free!("json/writer.rs" uint: { w.uint(u64::MAX); });
    free!("json/writer.rs" decimal: { w.decimal("1.50"); });
    free!("json/writer.rs" number: { w.number(Number::new("-0").unwrap()); });
    free!("json/writer.rs" bool: { w.bool(true); });
    free!("json/writer.rs" null: { w.null(); });
    let text = RawJson::validate(b"\"\\u0061\"")
        .unwrap()
        .as_json_str()
        .unwrap();
    free!("json/writer.rs" json_str: { w.json_str(text); });
    free!("json/writer.rs" raw: { w.raw(raw); });
    free!("json/writer.rs" end_array: { w.end_array(); });
    free!("json/writer.rs" member: { w.member("on", &true); });
    free!("json/writer.rs" end_object: { w.end_object(); });
    free!("json/writer.rs" len: w.len());
    free!("json/writer.rs" finish: w.finish().is_ok());

    let body = free!("json/writer/value.rs" from_fn: json::from_fn(|w| { w.begin_object().member("a", &1).end_object(); }));
    free!("json/writer/value.rs" write: json::write(&body, &mut out).is_ok());
    free!("json/writer/value.rs" measure: json::measure(&body)).unwrap();
    drained(free!("json/writer/pieces.rs" new: Pieces::new(&body)).unwrap());
    drained(free!("json/writer/pieces.rs" line: Pieces::line(&body)).unwrap());

    let request = free!("encode/mod.rs" request: Outgoing::request("a", "tools/call"));
    let request = free!("encode/mod.rs" params: request.params(&body));
    let request = free!("encode/mod.rs" with_profile: request.with_profile(Profile::JsonRpc));
    free!("encode/mod.rs" kind: request.kind());
    free!("encode/mod.rs" write: request.write(&mut out)).unwrap();
    free!("encode/mod.rs" line_len: request.line_len()).unwrap();
    drained(free!("encode/mod.rs" pieces: request.pieces()).unwrap());
    free!("encode/mod.rs" write_line: encode::write_line(&[request, request], &mut out)).unwrap();
    let note = free!("encode/mod.rs" notification: Outgoing::notification("n"));
    note.write(&mut out).unwrap();
    let error = free!("encode/mod.rs" error: Outgoing::error(ErrorId::Null, -32700, "no"));
    let error = free!("encode/mod.rs" data: error.data(&body));
    error.write(&mut out).unwrap();

    let result = free!("encode/mod.rs" result: Outgoing::result(OutId::Int(5), Payload::None));
    let mut writer = free!("encode/stream.rs" new: MessageWriter::new(result)).unwrap();
    free!("encode/stream.rs" body: writer.body(b"{\"a\":", &mut out)).unwrap();
    free!("encode/stream.rs" begin_text: writer.begin_text()).unwrap();
    free!("encode/stream.rs" text: writer.text(b"x\ny", &mut out)).unwrap();
    free!("encode/stream.rs" end_string: writer.end_string()).unwrap();
    writer.body(b",\"b\":", &mut out).unwrap();
    free!("encode/stream.rs" begin_base64: writer.begin_base64()).unwrap();
    free!("encode/stream.rs" base64: writer.base64(b"xyzz", &mut out)).unwrap();
    writer.end_string().unwrap();
    writer.body(b"}", &mut out).unwrap();
    let mut other = writer;
    free!("encode/stream.rs" finish: writer.finish(&mut out)).unwrap();
    free!("encode/stream.rs" abort: other.abort(&mut out));
}

fn rules() {
    let rule = free!("rules.rs" from_number: Rule::from_number(62)).unwrap();
    let bad = parse(b"{}", &Limits::HOST).unwrap_err();
    free!("rules/fault.rs" broken_by: Rule::broken_by(&bad, Side::Client));
    free!("rules/fault.rs" of_fault: Violations::of_fault(&bad, Some(Side::Client), None));
    free!("rules.rs" number: rule.number());
    free!("rules.rs" text: rule.text());
    free!("rules.rs" revisions: rule.revisions());
    let who: Who = free!("rules.rs" who: rule.who());
    free!("rules.rs" name: who.name());
    let level: Level = free!("rules.rs" level: rule.level());
    free!("rules.rs" name: level.name());
    free!("rules.rs" level_in: rule.level_in(Revision::V2025_03_26));
    let mut set = free!("rules/violations.rs" with: Violations::NONE.with(rule));
    for rule in free!("rules.rs" all: Rule::all()) {
        free!("rules/violations.rs" add: set.add(rule));
    }
    free!("rules/violations.rs" or: set.or(set));
    free!("rules/violations.rs" contains: set.contains(rule));
    free!("rules/violations.rs" is_empty: set.is_empty());
    free!("rules/violations.rs" len: set.len());
    free!("rules/violations.rs" worst: set.worst());
    assert_eq!(free!("rules/violations.rs" iter: set.iter().count()), 180);
}

/// Both eras, faults, answers, progress, a cancellation, subscriptions and tasks.
const WATCHED: &[(Side, &[u8])] = &[
    (Side::Client, br#"{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"a/b":{}}},"traceparent":"x"}}}"#),
    (Side::Server, br#"{"jsonrpc":"2.0","id":"d","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete"}}"#),
    (Side::Client, br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#),
    (Side::Server, br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}"#),
    (Side::Server, br#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}},"requestState":"s"}}"#),
    (Side::Client, br#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"t","inputResponses":{"k":{"action":"no"}},"requestState":"s","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#),
    (Side::Client, br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}"#),
    (Side::Client, br#"{"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a:b"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#),
    (Side::Server, br#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"},"notifications":{"resourceSubscriptions":["a:b"]}}}"#),
    (Side::Server, br#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}}"#),
    (Side::Client, br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#),
    (Side::Server, br#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}}"#),
    (Side::Client, br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","task":{}}}"#),
    (Side::Server, br#"{"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"T","status":"working"}}}"#),
    (Side::Client, br#"{"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"T"}}"#),
    (Side::Server, b"Listening"),
    (Side::Server, br#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"no"}}"#),
    (Side::Client, br#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#),
];

fn monitor() {
    let slots = free!("monitor/slots.rs" new: MonitorSlots::<6, 2, 400>::new());
    let monitor = free!("monitor/mod.rs" new: Monitor::new(slots));
    let mut monitor = free!("monitor/mod.rs" with_crossing_time: monitor.with_crossing_time(10));
    let mut broken = 0;
    for turn in 0..4 {
        for (from, line) in WATCHED {
            let item = parse(line, &limits().with_message(2000));
            free!("monitor/mod.rs" alone: monitor::alone(&item));
            let finding = match turn & 1 {
                0 => free!("monitor/mod.rs" line: monitor.line(*from, &item, turn)),
                _ => free!("monitor/mod.rs" line_at: monitor.line_at(*from, &item, turn, 7)),
            };
            broken += finding.violations.len();
            free!("monitor/mod.rs" level: finding.level(Rule::R108));
            free!("monitor/mod.rs" worst: finding.worst());
        }
        match turn {
            0 => while free!("monitor/mod.rs" finish: monitor.finish(turn)).is_some() {},
            1 => free!("monitor/mod.rs" gap: monitor.gap(Side::Server)),
            2 => while free!("monitor/mod.rs" end: monitor.end(Side::Client, turn)).is_some() {},
            _ => free!("monitor/mod.rs" reset: monitor.reset()),
        }
    }
    assert!(broken > 20, "{broken}");
    free!("monitor/mod.rs" lost_track: monitor.lost_track());
    free!("monitor/mod.rs" phase: monitor.phase());
    free!("monitor/mod.rs" revision: monitor.revision());
    free!("monitor/mod.rs" capabilities: monitor.capabilities(Side::Client));
    let tally = free!("monitor/mod.rs" tally: monitor.tally());
    free!("monitor/mod.rs" broken: tally.broken(Level::Must));
    let mut slots = MonitorSlots::<6, 2, 400>::new();
    free!("monitor/slots.rs" room: slots.tables().room());
}

/// What the sources declare to be public.
fn declared(directory: &Path, prefix: &str, found: &mut BTreeSet<(String, String)>) {
    for entry in fs::read_dir(directory).expect("the sources") {
        let entry = entry.expect("a directory entry");
        let name = entry.file_name().into_string().expect("a name");
        let path = format!("{prefix}{name}");
        if name.trim_end_matches(".rs") == "fuzz" {
            continue;
        }
        if entry.path().is_dir() {
            declared(&entry.path(), &format!("{path}/"), found);
            continue;
        }
        for line in fs::read_to_string(entry.path()).expect("a source").lines() {
            let Some(rest) = line.trim_start().strip_prefix("pub ") else {
                continue;
            };
            let Some((before, rest)) = rest.split_once("fn ") else {
                continue;
            };
            if matches!(
                before.trim(),
                "" | "const" | "async" | "$($async)?" | "$($const)?"
            ) {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let name = &rest[..end.expect("the end of a name")];
                // None: a macro's row says it.
                if !name.is_empty() {
                    found.insert((path.clone(), name.to_owned()));
                }
            }
        }
    }
}

/// What takes memory from the heap because that is what it is for, with the feature `std`.
const ON_THE_HEAP: [(&str, &str); 2] = [
    ("session/heap.rs", "new"),
    ("session/heap.rs", "with_gather"),
];

#[test]
fn no_public_call_allocates() {
    line_decoder([0u8; 256]);
    line_decoder(heapless::Vec::<u8, 256>::new());
    line_decoder(&mut [0u8; 256][..]);
    stream_decoder();
    messages();
    fragments();
    writing();
    payloads::payloads();
    rules();
    sessions::sessions();
    toolkit::servers();
    toolkit::clients();
    monitor();
    #[cfg(feature = "io")]
    connections::connections();
    let called = CALLED.with_borrow(|called| {
        let owned = called
            .iter()
            .map(|(file, name)| (file.to_string(), name.to_string()));
        owned.collect::<BTreeSet<_>>()
    });
    println!("{} public functions, none of which allocates", called.len());
    if cfg!(all(
        feature = "batch",
        feature = "io",
        feature = "serde",
        feature = "std",
        feature = "tasks"
    )) {
        compare_with_sources(&called);
    }
}

/// What was called is what the sources declare.
fn compare_with_sources(called: &BTreeSet<(String, String)>) {
    let mut expected = BTreeSet::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    declared(&sources, "", &mut expected);
    for (file, name) in ON_THE_HEAP {
        let there = expected.remove(&(file.to_owned(), name.to_owned()));
        assert!(there, "{name} is not declared in {file}");
    }
    let missing: Vec<_> = expected.difference(called).collect();
    assert!(
        missing.is_empty(),
        "public functions that this test does not call: {missing:#?}"
    );
    let gone: Vec<_> = called.difference(&expected).collect();
    assert!(gone.is_empty(), "called, but not declared there: {gone:#?}");
}
