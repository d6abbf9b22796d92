//! The same loops as in `overhead.c`, by Rust's own calls.

use wireline::json::JsonStr;
use wireline::{Id, Kind, Limits, LineDecoder, Message, Rejected};

/// What both loops add up, so that they do the same.
#[repr(C)]
pub struct Sum {
    messages: u64,
    faults: u64,
    kinds: u64,
    id_bytes: u64,
    method_bytes: u64,
    body_bytes: u64,
    line_bytes: u64,
}

#[inline]
fn add(sum: &mut Sum, item: &Result<Message<'_>, Rejected<'_>>) {
    match item {
        Ok(message) => {
            sum.messages += 1;
            sum.kinds += message.kind() as u64 + 1;
            sum.id_bytes += message.id().as_ref().map_or(0, |it| Id::as_bytes(it).len()) as u64;
            let method = message.method();
            sum.method_bytes += method.as_ref().map_or(0, |it| JsonStr::raw_bytes(it).len()) as u64;
            let body = match message.kind() {
                Kind::Request | Kind::Notification => message.params(),
                Kind::Result => message.result(),
                Kind::Error => message.error().map(|it| it.raw()),
            };
            sum.body_bytes += body.as_ref().map_or(0, |it| it.as_bytes().len()) as u64;
            sum.line_bytes += message.as_bytes().len() as u64;
        }
        Err(_) => sum.faults += 1,
    }
}

/// Over the whole text, in pieces of `piece` bytes.
///
/// # Safety
///
/// The pointers are to so many bytes, and to a sum.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn direct_chunks(
    text: *const u8,
    len: usize,
    piece: usize,
    memory: *mut u8,
    memory_len: usize,
    sum: *mut Sum,
) {
    // SAFETY: as the caller says.
    let (text, memory, sum) = unsafe {
        (
            std::slice::from_raw_parts(text, len),
            std::slice::from_raw_parts_mut(memory, memory_len),
            &mut *sum,
        )
    };
    let mut decoder = LineDecoder::new(memory, Limits::HOST);
    for mut chunk in text.chunks(piece) {
        while let Some(item) = decoder.next_in(&mut chunk) {
            add(sum, &item.result());
        }
    }
}

/// The same by `spare`, `commit` and `next`.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn direct_fill(
    text: *const u8,
    len: usize,
    piece: usize,
    memory: *mut u8,
    memory_len: usize,
    sum: *mut Sum,
) {
    // SAFETY: as the caller says.
    let (text, memory, sum) = unsafe {
        (
            std::slice::from_raw_parts(text, len),
            std::slice::from_raw_parts_mut(memory, memory_len),
            &mut *sum,
        )
    };
    let mut decoder = LineDecoder::new(memory, Limits::HOST);
    for mut chunk in text.chunks(piece) {
        while !chunk.is_empty() {
            let spare = decoder.spare();
            let count = chunk.len().min(spare.len());
            spare[..count].copy_from_slice(&chunk[..count]);
            decoder.commit(count);
            chunk = &chunk[count..];
            while let Some(item) = decoder.next() {
                add(sum, &item);
            }
        }
    }
}
