//! Messages in pieces, for bodies larger than any buffer.

use core::ffi::c_void;

use wireline::{StreamDecoder, StreamEvent};

use crate::args::{Out, bytes, limits, room, sized_out, wireline_limits};
use crate::handle::{begin, get, get_mut, handle};
use crate::message::wireline_item;
use crate::status::{Failed, WIRELINE_ERR_TOO_SMALL, run, wireline_status};

/// A decoder that hands out bodies as they pass, and keeps only a message's head.
///
/// A body is provisional until `WIRELINE_ITEM_END`: the text may still turn out to be
/// broken, in which case `WIRELINE_ITEM_FAULT` comes instead.
#[repr(C)]
pub struct wireline_stream {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 42],
}

handle!(wireline_stream, StreamDecoder<'static>, 0x574c_0002);

/// Bytes of memory that a stream decoder with these limits needs: the id, the method, and
/// 88. `limits` may be NULL for those of a device, which need 192.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_stream_needed(
    limits: *const wireline_limits,
    needed: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let limits = self::limits(limits)?;
        Out::new(needed)?.set(StreamDecoder::needed(&limits));
        Ok(())
    })
}

/// Makes a stream decoder at the start of a stream, over `memory`, which stays the decoder's
/// until it is used no more. `limits` may be NULL for those of a device; a message ceiling of
/// `UINT32_MAX` is none. Batches are not taken apart.
///
/// `size` is `sizeof *stream` and `version` is `WIRELINE_VERSION_NUMBER`: write
/// `WIRELINE_SELF(stream)` for the first three arguments.
///
/// Errors: NULL, ALIGN, SIZE, VERSION, ARGUMENT, UNSUPPORTED; TOO_SMALL, if the memory is
/// less than `wireline_stream_needed` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_stream_init(
    stream: *mut wireline_stream,
    size: usize,
    version: u32,
    memory: *mut c_void,
    memory_size: usize,
    limits: *const wireline_limits,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the memory
    // lasts as long as the decoder.
    run(|| unsafe {
        let new = begin(stream, size, version)?;
        let memory = room(memory, memory_size)?;
        let limits = self::limits(limits)?;
        let decoder =
            StreamDecoder::new(memory, limits).map_err(|_| Failed(WIRELINE_ERR_TOO_SMALL))?;
        new.put(decoder);
        Ok(())
    })
}

fn tell(out: Out<wireline_item>, event: &StreamEvent<'_>) {
    match event {
        StreamEvent::NeedInput => out.nothing(),
        StreamEvent::Head(head) | StreamEvent::End(head) => out.head(head),
        StreamEvent::Body { part, bytes } => out.body(*part, bytes),
        StreamEvent::Fault(rejected) => out.rejected(rejected, 0),
    }
}

/// Takes some of the input, and tells how much in `*used`, and what it came to in `item`:
/// NONE, HEAD, BODY, END or FAULT. Give the rest again, with more behind it if there is,
/// until it is NONE. Set `item->size` first.
///
/// The `text` of a BODY is a part of the input, or a byte in the handle: it is valid until the next
/// call on this decoder, and only as long as the input is left as it is. Use it, or copy it, before
/// the input's memory is read into again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_stream_step(
    stream: *mut wireline_stream,
    input: *const c_void,
    length: usize,
    used: *mut usize,
    item: *mut wireline_item,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let stream = get_mut(stream)?;
        let input = bytes(input, length)?;
        let used = Out::new(used)?;
        let out = sized_out(item)?;
        let (count, event) = stream.step(input);
        tell(out, &event);
        used.set(count);
        Ok(())
    })
}

/// The end of the input: what is left is a line that was cut off, or by
/// `eof_completes_line` a whole one; `WIRELINE_ITEM_NONE`, if nothing is left. Afterwards the
/// decoder is as new, unless it is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_stream_finish(
    stream: *mut wireline_stream,
    item: *mut wireline_item,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let stream = get_mut(stream)?;
        let out = sized_out(item)?;
        match stream.finish() {
            Some(event) => tell(out, &event),
            None => out.nothing(),
        }
        Ok(())
    })
}

/// Whether the decoder takes no more, after `WIRELINE_FAULT_RUNAWAY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_stream_is_closed(
    stream: *const wireline_stream,
    closed: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let stream = get(stream)?;
        Out::new(closed)?.set(stream.is_closed());
        Ok(())
    })
}

/// The decoder as new, closed or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_stream_reset(stream: *mut wireline_stream) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        get_mut(stream)?.reset();
        Ok(())
    })
}
