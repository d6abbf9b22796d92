//! What a small device does with the core: take bytes one at a time, answer what is asked.

use core::mem::MaybeUninit;

use wireline::encode::{ErrorId, Outgoing, Payload};
use wireline::json::{self, Writer};
use wireline::{Id, Kind, Limits, LineDecoder, Message, Rejected};

/// The buffer of a line decoder, as a device would choose it.
pub const LINE: usize = 512;

/// The buffer of what is written.
pub const ANSWER: usize = 1024;

/// What a line decoder needs beside its buffer.
pub const STATE: usize = size_of::<LineDecoder<[u8; LINE]>>() - LINE;

/// The decoder of an image, in `.bss` as on a device.
pub type Decoder = LineDecoder<&'static mut [u8]>;

/// A fresh decoder over the image's buffer.
#[inline(never)]
pub fn decoder(buffer: &'static mut [u8]) -> &'static mut Decoder {
    static mut PLACE: MaybeUninit<Decoder> = MaybeUninit::uninit();
    // SAFETY: one thread and no interrupts, and an image lets go of a decoder before it asks for another.
    let place = unsafe { &mut *(&raw mut PLACE) };
    // The core's code is measured as it is for any decoder, not as the compiler has it for the only one there is.
    core::hint::black_box(place).write(LineDecoder::new(buffer, Limits::EMBEDDED))
}

/// Puts one byte into a decoder's buffer, as an interrupt would.
fn receive(decoder: &mut Decoder, byte: u8) {
    if let Some(free) = decoder.spare().first_mut() {
        *free = byte;
    }
    decoder.commit(1);
}

const REFUSED: (i64, &str) = (-32600, "Invalid Request");

/// The least that a server does: `ping` and `echo` are answered, other requests and broken ones are refused.
pub fn serve_plainly(
    decoder: &mut Decoder,
    out: &mut [u8],
    read: fn() -> Option<u8>,
    write: fn(&[u8]),
) {
    while let Some(byte) = read() {
        receive(decoder, byte);
        // By reference: moving an item would be the only copy of its size.
        while let Some(item) = &decoder.next() {
            let empty = json::from_fn(|w| {
                w.begin_object().end_object();
            });
            let (id, result, (code, text)) = match item {
                Ok(message) => match (message.kind(), message.id(), message.method()) {
                    (Kind::Request, Some(id), Some(method)) if method == "ping" => {
                        (id, Payload::from(&empty), REFUSED)
                    }
                    (Kind::Request, Some(id), Some(method)) if method == "echo" => {
                        (id, message.params().into(), (-32602, "Invalid params"))
                    }
                    (Kind::Request, Some(id), _) => {
                        (id, Payload::None, (-32601, "Method not found"))
                    }
                    _ => continue,
                },
                Err(rejected) => match rejected.id() {
                    Some(id) if !rejected.shape().result && !rejected.shape().error => {
                        (id, Payload::None, REFUSED)
                    }
                    _ => continue,
                },
            };
            let answer = match result {
                Payload::None => Outgoing::error(id, code, text),
                result => Outgoing::result(id, result),
            };
            if let Ok(len) = answer.write(out) {
                write(out.get(..len).unwrap_or(&[]));
            }
        }
    }
}

/// Reads lines until the input ends, answers them, and looks at everything the decoder tells of them.
pub fn serve_fully(
    decoder: &mut Decoder,
    out: &mut [u8],
    read: &mut dyn FnMut() -> Option<u8>,
    write: &mut dyn FnMut(&[u8]),
) {
    while let Some(byte) = read() {
        receive(decoder, byte);
        drain(decoder, out, write);
    }
    end(decoder, out, write);
}

// Each of these has its own frame, which is given back when it returns: a message by value is the largest thing there is.
#[inline(never)]
fn drain(decoder: &mut Decoder, out: &mut [u8], write: &mut dyn FnMut(&[u8])) {
    while let Some(item) = decoder.next() {
        answer(&item, out, write);
    }
}

#[inline(never)]
fn end(decoder: &mut Decoder, out: &mut [u8], write: &mut dyn FnMut(&[u8])) {
    if let Some(item) = decoder.finish() {
        answer(&item, out, write);
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
