//! Everything that the core offers and the other images leave out, linked for one reason: to show that none of it can
//! panic.
#![no_std]
#![no_main]

use core::hint::black_box;

use wireline::encode::{OutId, Outgoing, StreamRenumber, write_line};
use wireline::json::{self, Base64, RawJson};
use wireline::{
    Counters, FaultKind, Id, Item, Kind, Limits, LineDecoder, Message, StreamDecoder, StreamEvent,
};

#[unsafe(no_mangle)]
fn image() {
    let [line, answer] = gates::memory();
    let mut len = 0;
    while let Some(byte) = gates::read() {
        if let Some(slot) = line.get_mut(len) {
            *slot = byte;
            len += 1;
        }
        if byte == b'\n' || len == line.len() {
            let chunk = line.get(..len).unwrap_or(&[]);
            chunks(chunk, answer);
            forward(chunk, answer);
            fragments(chunk, answer);
            len = 0;
        }
    }
}

/// Lines that lie whole in a chunk, counted, and passed on with other ids.
#[inline(never)]
fn chunks(chunk: &[u8], out: &mut [u8]) {
    let mut decoder = LineDecoder::new(
        heapless::Vec::<u8, 256>::new(),
        Limits::HOST.with_max_discard(1 << 20),
    );
    let mut counters = Counters::new();
    let mut input = chunk;
    while let Some(item) = decoder.next_in(&mut input) {
        let item = match item {
            Item::InChunk(item) => item,
            Item::InBuffer(item) => item,
        };
        counters.record(&item);
        match &item {
            Ok(message) => renumber(message, out),
            Err(rejected) => {
                black_box((
                    rejected.excerpt(),
                    rejected.id_hint(),
                    rejected.kind().reason(),
                    rejected.batch(),
                ));
            }
        }
    }
    black_box((decoder.pending(), decoder.is_closed()));
    black_box((
        counters.items(),
        counters.messages(Kind::Result),
        counters.faults(FaultKind::Cut),
        counters.discarded(),
    ));
    decoder.reset();
}

fn renumber(message: &Message<'_>, out: &mut [u8]) {
    black_box((
        message.flags(),
        message.batch(),
        message.meta().supported(),
        message.meta().result_type(),
    ));
    let other = message
        .renumber()
        .id(70)
        .progress_token("p")
        .request_id(7)
        .subscription_id("s");
    if let Ok(len) = other.write(out) {
        gates::write(out.get(..len).unwrap_or(&[]));
    }
    if let Ok(mut pieces) = other.pieces() {
        while let Ok(len @ 1..) = pieces.fill(out) {
            gates::write(out.get(..len).unwrap_or(&[]));
        }
    }
    black_box(message.write_with_id("other", out).is_ok());
}

/// A message passed on while it comes.
#[inline(never)]
fn forward(chunk: &[u8], out: &mut [u8]) {
    let mut memory = [0; 192];
    let Ok(mut decoder) = StreamDecoder::new(&mut memory, Limits::EMBEDDED) else {
        return;
    };
    let mut forward = StreamRenumber::new();
    let mut input = chunk;
    loop {
        let (used, event) = decoder.step(input);
        input = input.get(used..).unwrap_or(&[]);
        match event {
            StreamEvent::NeedInput => break,
            StreamEvent::Head(head) => {
                black_box(forward.head(&head, Some(OutId::Int(1)), out));
            }
            StreamEvent::Body { part, bytes } => {
                black_box(forward.body(part, bytes, out));
            }
            StreamEvent::End(head) => {
                black_box(forward.end(&head, Some(OutId::Text("a")), out).is_ok());
                forward = StreamRenumber::new();
            }
            StreamEvent::Fault(_) => {
                black_box(forward.give_up(out));
                forward = StreamRenumber::new();
            }
        }
    }
}

/// Values, strings, numbers and ids by themselves.
#[inline(never)]
fn fragments(text: &[u8], out: &mut [u8]) {
    let Ok(raw) = RawJson::validate(text) else {
        return;
    };
    for (name, value) in raw.members() {
        black_box((
            name.unescape_into(out).is_ok(),
            value.kind(),
            value.as_bool(),
            value.is_null(),
        ));
        black_box(name.chars().filter(|character| character.is_err()).count());
    }
    for value in raw.elements() {
        if let (Some(number), Some(first)) = (
            value.as_number(),
            raw.elements().next().and_then(|v| v.as_number()),
        ) {
            black_box((
                number.as_i64(),
                number.as_u64(),
                number.is_integer(),
                number.cmp(&first),
            ));
        }
        let id = Id::parse(value.as_bytes());
        black_box((id, id == Id::parse(text), id.and_then(|id| id.as_i64())));
    }
    black_box(raw.compact_into(out).is_ok());
    let all = json::from_fn(|w| {
        w.begin_array()
            .bool(true)
            .null()
            .int(-1)
            .decimal("1.5e3")
            .base64(text)
            .value(&Base64(text))
            .raw(raw)
            .end_array();
    });
    let batch = [
        Outgoing::notification("a").params(&all),
        Outgoing::request(1u32, "b"),
    ];
    if let Ok(len) = write_line(&batch, out) {
        gates::write(out.get(..len).unwrap_or(&[]));
    }
    black_box((json::measure(&all).is_ok(), json::write(&all, out).is_ok()));
}
