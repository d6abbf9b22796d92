//! Lines that leave in pieces, for memory of any size.

use core::ffi::c_void;

use wireline::encode::{Outgoing, Pieces, Renumber};
use wireline::session;

use crate::args::{Out, input, room};
use crate::handle::{begin, get, get_mut, handle};
use crate::message::wireline_item;
use crate::session::{line_of, wireline_send};
use crate::status::{Failed, WIRELINE_ERR_TOO_SMALL, run, wireline_status};
use crate::write::{renumbered, wireline_outgoing, wireline_renumber};

/// A message's line, taken in pieces of any size, down to one byte. It needs no memory of
/// its own; what the message is made of stays in use until the line has left.
#[repr(C)]
pub struct wireline_pieces {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 62],
}

pub(crate) enum Line {
    Outgoing(Pieces<Outgoing<'static>>),
    Renumbered(Pieces<Renumber<'static, 'static>>),
    Sent(Pieces<session::Line<'static>>),
}

impl Line {
    fn remaining(&self) -> usize {
        match self {
            Line::Outgoing(pieces) => pieces.remaining(),
            Line::Renumbered(pieces) => pieces.remaining(),
            Line::Sent(pieces) => pieces.remaining(),
        }
    }
}

handle!(wireline_pieces, Line, 0x574c_0007);

/// A message in pieces. Write `WIRELINE_SELF(pieces)` for the first three arguments. Errors
/// as of `wireline_write`, but never TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_pieces_init(
    pieces: *mut wireline_pieces,
    size: usize,
    version: u32,
    message: *const wireline_outgoing,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the slices
    // last as long as the handle.
    run(|| unsafe {
        let new = begin(pieces, size, version)?;
        let message = input(message)?.to_core()?;
        new.put(Line::Outgoing(message.pieces()?));
        Ok(())
    })
}

/// A received message with ids replaced, in pieces. Write `WIRELINE_SELF(pieces)` for the
/// first three arguments. Errors as of `wireline_write_renumbered`, but never TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_pieces_init_renumbered(
    pieces: *mut wireline_pieces,
    size: usize,
    version: u32,
    item: *const wireline_item,
    ids: *const wireline_renumber,
) -> wireline_status {
    // SAFETY: as above.
    run(|| unsafe {
        let new = begin(pieces, size, version)?;
        new.put(Line::Renumbered(renumbered(item, ids)?.pieces()?));
        Ok(())
    })
}

/// A line of what a session gave to be sent, the one of `index`, in pieces. What it is made of
/// stays as it is until it has left, as `wireline_send` says. Write `WIRELINE_SELF(pieces)`
/// for the first three arguments. Errors: NOT_FOUND, if there is no such line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_pieces_init_send(
    pieces: *mut wireline_pieces,
    size: usize,
    version: u32,
    send: *const wireline_send,
    index: usize,
) -> wireline_status {
    // SAFETY: as above.
    run(|| unsafe {
        let new = begin(pieces, size, version)?;
        new.put(Line::Sent(line_of(send, index)?.pieces()?));
        Ok(())
    })
}

/// The line's next bytes. `*written` gets how many there are; 0 when nothing is left.
///
/// Errors: TOO_SMALL, if something is left and `out_size` is 0; CHANGED, if what the message is made of has changed since. Bytes may have left
/// already; the next call then gives the LF that ends what was begun.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_pieces_fill(
    pieces: *mut wireline_pieces,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let pieces = get_mut(pieces)?;
        let out = room(out, out_size)?;
        let written = Out::new(written)?;
        if out.is_empty() && pieces.remaining() > 0 {
            return Err(Failed(WIRELINE_ERR_TOO_SMALL));
        }
        written.set(match pieces {
            Line::Outgoing(pieces) => pieces.fill(out)?,
            Line::Renumbered(pieces) => pieces.fill(out)?,
            Line::Sent(pieces) => pieces.fill(out)?,
        });
        Ok(())
    })
}

/// The bytes of the line that are still to come.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_pieces_remaining(
    pieces: *const wireline_pieces,
    remaining: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let pieces = get(pieces)?;
        Out::new(remaining)?.set(pieces.remaining());
        Ok(())
    })
}
