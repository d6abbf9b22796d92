//! Messages out of lines.

use core::ffi::c_void;

use wireline::{Item, Limits, LineDecoder, Storage, parse};

use crate::args::{
    Out, Sized32, bytes, limits, limits_out, reserved, room, sized, sized_out, wireline_limits,
    wireline_span,
};
use crate::handle::{begin, get, get_mut, handle};
use crate::message::{
    Content, WIRELINE_FLAG_IN_CHUNK, content, fault_code, wireline_fault, wireline_item,
};
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_ITEM, WIRELINE_ERR_NULL, run,
    wireline_status,
};

/// A decoder of newline-framed messages, in memory of the caller's, over a buffer of the
/// caller's.
///
/// Two ways to feed it, which may be mixed. In place: it lends the free part of its buffer
/// to `read`, a UART, DMA or an interrupt, and is told how many bytes came. Over a chunk:
/// lines that lie whole in the caller's bytes are read where they are, and only what is cut
/// off at the end is copied.
///
/// A line longer than the buffer is not stored but still scanned, so its id is known at its
/// end. After any line, good or bad, the next one is read as if nothing had been before it.
#[repr(C)]
pub struct wireline_decoder {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 56],
}

/// The buffer that a decoder was lent. No reference to it outlives a call, so that the
/// caller may write to what it is lent of it.
#[derive(Clone, Copy)]
pub(crate) struct Lent {
    ptr: *mut u8,
    len: usize,
}

impl Storage for Lent {
    fn bytes(&self) -> &[u8] {
        // SAFETY: `room` has checked pointer and length, and the caller of `init` vouches
        // that the memory lasts as long as the decoder and is its alone during a call.
        unsafe { core::slice::from_raw_parts(self.ptr, self.len) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts_mut(self.ptr, self.len) }
    }

    fn capacity(&self) -> usize {
        self.len
    }
}

pub(crate) struct Decoder {
    lines: LineDecoder<Lent>,
    /// What was last lent to be filled.
    spare: usize,
}

handle!(wireline_decoder, Decoder, 0x574c_0001);

/// Makes a decoder at the start of a stream, over `buffer`, which stays the decoder's until
/// it is used no more. `limits` may be NULL for those of a device. A buffer of 256 bytes
/// holds these whole; of N bytes it takes messages of N - 2.
///
/// `size` is `sizeof *decoder` and `version` is `WIRELINE_VERSION_NUMBER`: write
/// `WIRELINE_SELF(decoder)` for the first three arguments. There is nothing to be freed.
///
/// Errors: NULL, ALIGN, SIZE, VERSION, ARGUMENT, UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_init(
    decoder: *mut wireline_decoder,
    size: usize,
    version: u32,
    buffer: *mut c_void,
    buffer_size: usize,
    limits: *const wireline_limits,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let new = begin(decoder, size, version)?;
        if buffer.is_null() {
            return Err(Failed(WIRELINE_ERR_NULL));
        }
        let buffer = room(buffer, buffer_size)?;
        let limits = self::limits(limits)?;
        let lent = Lent {
            ptr: buffer.as_mut_ptr(),
            len: buffer.len(),
        };
        let lines = LineDecoder::new(lent, limits);
        new.put(Decoder { lines, spare: 0 });
        Ok(())
    })
}

/// The free part of the buffer, for bytes to come. It is never empty. Put bytes at its
/// start, then say how many with `wireline_decoder_commit`. More may be put behind them and
/// committed, without asking anew, until the next call of `wireline_decoder_next`, `_next_in`,
/// `_finish` or `_reset`: these may move what is in the buffer, and what was lent before is
/// void then.
///
/// Nothing may be written there while another call on the decoder runs. An interrupt or a DMA
/// channel that fills the buffer is held off (masked, or given other memory) from before `next`
/// until `spare` has lent anew; or it fills a buffer of its own, whose bytes go to
/// `wireline_decoder_next_in`.
///
/// When complete lines fill the buffer and are not taken out, one byte is lent; what is put
/// there is lost, and the line it belongs to comes back as `WIRELINE_FAULT_OVERRUN`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_spare(
    decoder: *mut wireline_decoder,
    spare: *mut wireline_span,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get_mut(decoder)?;
        let out = Out::new(spare)?;
        let spare = decoder.lines.spare();
        let (ptr, len) = (spare.as_mut_ptr(), spare.len());
        decoder.spare = len;
        out.set(wireline_span {
            ptr: ptr.cast(),
            len,
        });
        Ok(())
    })
}

/// Tells how many bytes were put into what `wireline_decoder_spare` lent last. Takes
/// constant time. More than was lent, or what is void by now, is `WIRELINE_ERR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_commit(
    decoder: *mut wireline_decoder,
    count: usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get_mut(decoder)?;
        match decoder.spare.checked_sub(count) {
            Some(left) => decoder.spare = left,
            None => return Err(Failed(WIRELINE_ERR_ARGUMENT)),
        }
        decoder.lines.commit(count);
        Ok(())
    })
}

/// The next message or fault among the bytes committed. `item->type` is
/// `WIRELINE_ITEM_NONE` when more are needed. Set `item->size` first. What
/// `wireline_decoder_spare` lent is void afterwards, and nothing may write there meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_next(
    decoder: *mut wireline_decoder,
    item: *mut wireline_item,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get_mut(decoder)?;
        let out = sized_out(item)?;
        // Bytes that were lent may move.
        decoder.spare = 0;
        match &decoder.lines.next() {
            Some(item) => out.item(item, 0),
            None => out.nothing(),
        }
        Ok(())
    })
}

/// The next message or fault in the caller's bytes. `*used` gets how many of them were
/// used; go on with the rest. `item->type` is `WIRELINE_ITEM_NONE` when all are used. Set
/// `item->size` first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_next_in(
    decoder: *mut wireline_decoder,
    input: *const c_void,
    length: usize,
    used: *mut usize,
    item: *mut wireline_item,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get_mut(decoder)?;
        let mut input = bytes(input, length)?;
        let used = Out::new(used)?;
        let out = sized_out(item)?;
        decoder.spare = 0;
        match &decoder.lines.next_in(&mut input) {
            Some(Item::InChunk(item)) => out.item(item, WIRELINE_FLAG_IN_CHUNK),
            Some(Item::InBuffer(item)) => out.item(item, 0),
            None => out.nothing(),
        }
        used.set(length.wrapping_sub(input.len()));
        Ok(())
    })
}

/// The end of the input: what is left is a line that was cut off, or by
/// `eof_completes_line` a whole one. Call it until `item->type` is `WIRELINE_ITEM_NONE`;
/// then the decoder is as new, unless it is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_finish(
    decoder: *mut wireline_decoder,
    item: *mut wireline_item,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get_mut(decoder)?;
        let out = sized_out(item)?;
        decoder.spare = 0;
        match &decoder.lines.finish() {
            Some(item) => out.item(item, 0),
            None => out.nothing(),
        }
        Ok(())
    })
}

/// An unfinished line.
#[repr(C)]
pub struct wireline_pending {
    /// `sizeof(wireline_pending)`.
    pub size: u32,
    /// The first fault in it so far; `WIRELINE_FAULT_NONE`, if there is none.
    pub fault: wireline_fault,
    /// Its bytes so far.
    pub bytes: u64,
    /// Where the fault is in the line.
    pub offset: u64,
}

// SAFETY: integers only, the size first.
unsafe impl Sized32 for wireline_pending {}

/// The unfinished line: its bytes so far, and the first fault in them. Set `pending->size`
/// first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_pending(
    decoder: *mut wireline_decoder,
    pending: *mut wireline_pending,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get_mut(decoder)?;
        let out = sized_out(pending)?;
        let pending = decoder.lines.pending();
        out.set(wireline_pending {
            size: wireline_pending::SIZE,
            fault: pending.fault.map_or(0, |(kind, _)| fault_code(kind)),
            bytes: pending.bytes,
            offset: pending.fault.map_or(0, |(_, offset)| offset),
        });
        Ok(())
    })
}

/// Whether the decoder takes no more, after `WIRELINE_FAULT_RUNAWAY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_is_closed(
    decoder: *const wireline_decoder,
    closed: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get(decoder)?;
        Out::new(closed)?.set(decoder.lines.is_closed());
        Ok(())
    })
}

/// Where in the stream the line of the last item began, in bytes, and its number, the first
/// being 1. A library without the feature `std`, as for a chip, keeps neither:
/// `WIRELINE_ERR_UNSUPPORTED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_position(
    decoder: *const wireline_decoder,
    position: *mut u64,
    line: *mut u64,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get(decoder)?;
        let (position, line) = (Out::new(position)?, Out::new(line)?);
        #[cfg(feature = "std")]
        {
            position.set(decoder.lines.position());
            line.set(decoder.lines.line());
            Ok(())
        }
        #[cfg(not(feature = "std"))]
        {
            let _ = (decoder, position, line);
            Err(Failed(crate::status::WIRELINE_ERR_UNSUPPORTED))
        }
    })
}

/// The limits in force, which the buffer may have lowered. Set `limits->size` first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_limits(
    decoder: *const wireline_decoder,
    limits: *mut wireline_limits,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe { limits_out(limits, get(decoder)?.lines.limits()) })
}

/// The decoder as new, with its buffer and limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_decoder_reset(decoder: *mut wireline_decoder) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let decoder = get_mut(decoder)?;
        decoder.spare = 0;
        decoder.lines.reset();
        Ok(())
    })
}

/// Reads one message that something else framed: an HTTP body, the data of an event. Line
/// feeds count as white space. `limits` may be NULL for those of a host. `item->type` is
/// `WIRELINE_ITEM_MESSAGE` or `WIRELINE_ITEM_FAULT`; text of nothing but white space is
/// `WIRELINE_FAULT_CUT`. Set `item->size` first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_parse(
    text: *const c_void,
    length: usize,
    limits: *const wireline_limits,
    item: *mut wireline_item,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let text = bytes(text, length)?;
        let limits = if limits.is_null() {
            Limits::HOST
        } else {
            self::limits(limits)?
        };
        let out = sized_out(item)?;
        out.item(&parse(text, &limits), WIRELINE_FLAG_IN_CHUNK);
        Ok(())
    })
}

/// Counts for those who watch many streams. All zero but `size` is the start.
#[repr(C)]
pub struct wireline_counters {
    /// `sizeof(wireline_counters)`.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// Messages by `WIRELINE_KIND_` code.
    pub messages: [u64; 5],
    /// Faults by `WIRELINE_FAULT_` code.
    pub faults: [u64; 32],
    /// Bytes of all messages.
    pub accepted: u64,
    /// Bytes of all lines that were none.
    pub discarded: u64,
}

// SAFETY: integers only, the size first.
unsafe impl Sized32 for wireline_counters {}

/// Counts an item.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_counters_record(
    counters: *mut wireline_counters,
    item: *const wireline_item,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        sized(counters)?;
        let content = content(item)?;
        let counters = &mut *counters;
        reserved(counters.reserved)?;
        count(counters, &content)
    })
}

fn count(counters: &mut wireline_counters, content: &Content<'_>) -> Outcome {
    let (count, bytes, length) = match content {
        Content::Message(message) => (
            counters
                .messages
                .get_mut(crate::message::kind_code(message.kind()) as usize),
            &mut counters.accepted,
            message.as_bytes().len() as u64,
        ),
        Content::Rejected(rejected) => (
            counters
                .faults
                .get_mut(fault_code(rejected.kind()) as usize),
            &mut counters.discarded,
            rejected.length(),
        ),
        _ => return Err(Failed(WIRELINE_ERR_ITEM)),
    };
    if let Some(count) = count {
        *count = count.saturating_add(1);
    }
    *bytes = bytes.saturating_add(length);
    Ok(())
}
