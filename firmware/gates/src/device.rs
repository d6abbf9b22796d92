//! What a small device does with the core: take bytes one at a time, answer what is asked.
//!
//! It looks at everything the decoder tells, so that nothing of it is missing from what is measured.

use wireline::encode::{ErrorId, Outgoing};
use wireline::json::{self, Writer};
use wireline::{Id, Kind, Limits, LineDecoder, Message, Rejected};

/// The buffer of a line decoder, as a device would choose it.
pub const LINE: usize = 512;

/// The buffer of what is written.
pub const ANSWER: usize = 1024;

/// What a line decoder needs beside its buffer.
pub const LINE_STATE: usize = size_of::<LineDecoder<[u8; LINE]>>() - LINE;

/// Reads lines until the input ends and answers them.
#[inline(always)]
pub fn serve(
    buffer: &mut [u8],
    out: &mut [u8],
    mut read: impl FnMut() -> Option<u8>,
    mut write: impl FnMut(&[u8]),
) {
    let mut decoder = LineDecoder::new(buffer, Limits::EMBEDDED);
    while let Some(byte) = read() {
        if let Some(free) = decoder.spare().first_mut() {
            *free = byte;
        }
        decoder.commit(1);
        while let Some(item) = decoder.next() {
            answer(&item, out, &mut write);
        }
    }
    if let Some(item) = decoder.finish() {
        answer(&item, out, &mut write);
    }
}

/// Answers a message, or what is left of one.
#[inline(never)]
pub fn answer(
    item: &Result<Message<'_>, Rejected<'_>>,
    out: &mut [u8],
    write: &mut dyn FnMut(&[u8]),
) {
    let written = match item {
        Ok(message) => reply(message, out),
        Err(rejected) => refuse(rejected, out),
    };
    if let Some(line) = written.and_then(|len| out.get(..len)) {
        write(line);
    }
}

fn reply(message: &Message<'_>, out: &mut [u8]) -> Option<usize> {
    let what = json::from_fn(|w| tell(message, w));
    match message.kind() {
        Kind::Request => Outgoing::result(message.id()?, &what),
        Kind::Notification => Outgoing::notification("seen").params(&what),
        Kind::Result => Outgoing::request(1, "next").params(message.result()),
        Kind::Error => Outgoing::notification("failed").params(&what),
    }
    .write(out)
    .ok()
}

/// Everything that a message holds, as an object's members.
fn tell(message: &Message<'_>, w: &mut Writer<'_>) {
    w.begin_object();
    if let Some(method) = message.method() {
        w.key("method").json_str(method);
        if method == "echo" {
            if let Some(text) = message.params().and_then(|params| params.get("text")) {
                w.key("text").raw(text);
            }
        }
    }
    if let Some(params) = message.params() {
        w.key("size").uint(params.as_bytes().len() as u64);
    }
    if let Some(error) = message.error() {
        w.key("code").number(error.code());
        w.key("message").json_str(error.message());
    }
    let meta = message.meta();
    if let Some(id) = meta.request_id() {
        named(w, "requestId", id);
    }
    if let Some(token) = meta.progress_token() {
        named(w, "progressToken", token);
    }
    if let Some(progress) = meta.progress() {
        w.key("progress").number(progress);
    }
    if let Some(version) = meta.protocol_version() {
        w.key("version").json_str(version);
    }
    if let Some(capabilities) = meta.client_capabilities() {
        w.key("capabilities").raw(capabilities);
    }
    if let Some(level) = meta.log_level() {
        w.key("level").json_str(level);
    }
    if let Some(id) = meta.subscription_id() {
        named(w, "subscriptionId", id);
    }
    w.end_object();
}

fn named(w: &mut Writer<'_>, name: &str, id: Id<'_>) {
    w.key(name);
    match (id.as_number(), id.as_json_str()) {
        (Some(number), _) => w.number(number),
        (None, Some(text)) => w.json_str(text),
        (None, None) => w.null(),
    };
}

/// Answers what may be answered; what may not is logged, as a notification.
fn refuse(rejected: &Rejected<'_>, out: &mut [u8]) -> Option<usize> {
    let why = json::from_fn(|w| {
        w.begin_object()
            .member("fault", &rejected.kind().name())
            .key("offset")
            .uint(rejected.offset())
            .key("length")
            .uint(rejected.length());
        if let Some(max) = rejected.limit() {
            w.key("max").uint(max);
        }
        if let Some(method) = rejected.method() {
            w.key("method").json_str(method);
        }
        w.end_object();
    });
    let shape = rejected.shape();
    match rejected.id() {
        Some(id) if !shape.result && !shape.error => {
            Outgoing::error(ErrorId::Known(id.into()), -32600, "Invalid Request").data(&why)
        }
        _ => Outgoing::notification("fault").params(&why),
    }
    .write(out)
    .ok()
}
