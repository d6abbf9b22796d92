//! Bytes out of messages.

use core::ffi::c_void;

use wireline::Id;
use wireline::encode::{
    ErrorId, MessageWriter, OutId, Outgoing, Payload, Renumber, StreamRenumber, WriteError,
};

use crate::args::{Out, Sized32, bytes, input, profile, reserved, room, wireline_slice};
use crate::handle::{begin, get_mut, handle};
use crate::message::{
    WIRELINE_KIND_ERROR, WIRELINE_KIND_NOTIFICATION, WIRELINE_KIND_REQUEST, WIRELINE_KIND_RESULT,
    WIRELINE_PART_ERROR, WIRELINE_PART_PARAMS, WIRELINE_PART_RESULT, head, message, wireline_item,
    wireline_kind, wireline_part,
};
use crate::session::named;
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_ID, WIRELINE_ERR_TOO_SMALL, run,
    wireline_status,
};

/// For `type` of `wireline_id`: there is no id, and no member for it.
pub const WIRELINE_ID_NONE: u32 = 0;
/// For `type` of `wireline_id`: the member says `null`. In an error alone.
pub const WIRELINE_ID_NULL: u32 = 1;
/// For `type` of `wireline_id`: an integer within ±(2^53 - 1).
pub const WIRELINE_ID_INTEGER: u32 = 2;
/// For `type` of `wireline_id`: a string, given as plain text in UTF-8; in a request, not
/// an empty one.
pub const WIRELINE_ID_TEXT: u32 = 3;
/// For `type` of `wireline_id`: exactly the token that was received.
pub const WIRELINE_ID_RECEIVED: u32 = 4;

/// An id to be written. Made by `wireline_id_integer` and its like; zeroed memory is
/// `WIRELINE_ID_NONE`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_id {
    /// One of the `WIRELINE_ID_` codes.
    pub r#type: u32,
    /// 0.
    pub reserved: u32,
    /// Of an integer: its value.
    pub integer: i64,
    /// Of text and of what was received.
    pub text: wireline_slice,
}

impl wireline_id {
    const NONE: wireline_id = wireline_id {
        r#type: WIRELINE_ID_NONE,
        reserved: 0,
        integer: 0,
        text: wireline_slice::ABSENT,
    };

    pub(crate) unsafe fn known<'a>(&self) -> Outcome<Option<OutId<'a>>> {
        reserved(self.reserved)?;
        Ok(Some(match self.r#type {
            WIRELINE_ID_NONE => return Ok(None),
            WIRELINE_ID_INTEGER => OutId::Int(self.integer),
            // SAFETY: the caller vouches for the slice.
            WIRELINE_ID_TEXT => OutId::Text(unsafe { self.text.text() }?),
            WIRELINE_ID_RECEIVED => {
                // SAFETY: as above.
                let token = unsafe { self.text.bytes() }?;
                OutId::Echo(Id::parse(token).ok_or(Failed(WIRELINE_ERR_ID))?)
            }
            WIRELINE_ID_NULL => return Err(Failed(WIRELINE_ERR_ID)),
            _ => return Err(Failed(WIRELINE_ERR_ARGUMENT)),
        }))
    }

    unsafe fn of_error<'a>(&self) -> Outcome<ErrorId<'a>> {
        reserved(self.reserved)?;
        if self.r#type == WIRELINE_ID_NULL {
            return Ok(ErrorId::Null);
        }
        // SAFETY: the caller vouches for the slice.
        let id = unsafe { self.known() }?;
        Ok(id.map_or(ErrorId::Omitted, ErrorId::Known))
    }
}

/// No id, and no member for it.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_id_none() -> wireline_id {
    wireline_id::NONE
}

/// The id `null`, for an error whose request's id could not be read.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_id_null() -> wireline_id {
    wireline_id {
        r#type: WIRELINE_ID_NULL,
        ..wireline_id::NONE
    }
}

/// An integer.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_id_integer(value: i64) -> wireline_id {
    wireline_id {
        r#type: WIRELINE_ID_INTEGER,
        integer: value,
        ..wireline_id::NONE
    }
}

/// A string, given as plain text.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_id_text(text: wireline_slice) -> wireline_id {
    wireline_id {
        r#type: WIRELINE_ID_TEXT,
        text,
        ..wireline_id::NONE
    }
}

/// Exactly the token that was received; no id, if the slice is absent.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_id_received(token: wireline_slice) -> wireline_id {
    if token.is_absent() {
        return wireline_id::NONE;
    }
    wireline_id {
        r#type: WIRELINE_ID_RECEIVED,
        text: token,
        ..wireline_id::NONE
    }
}

/// A message to be written. Zeroed memory with `size` and `kind` set is a start.
#[repr(C)]
pub struct wireline_outgoing {
    /// `sizeof(wireline_outgoing)`.
    pub size: u32,
    /// Which kind of message.
    pub kind: wireline_kind,
    /// The id; none for a notification.
    pub id: wireline_id,
    /// The method of a request or notification, as plain text.
    pub method: wireline_slice,
    /// The parameters, the result, or the error's `data`: JSON. Absent for none, which a
    /// result may not be.
    pub payload: wireline_slice,
    /// Of an error: its code.
    pub code: i64,
    /// Of an error: its message, as plain text.
    pub message: wireline_slice,
    /// `WIRELINE_PROFILE_MCP`: parameters and results are objects.
    /// `WIRELINE_PROFILE_JSON_RPC`: whatever JSON-RPC 2.0 allows.
    pub profile: u8,
    /// 0.
    pub reserved: [u8; 7],
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_outgoing {}

unsafe fn owed<'a>(id: &wireline_id) -> Outcome<OutId<'a>> {
    // SAFETY: the caller vouches for the slices.
    unsafe { id.known() }?.ok_or(Failed(WIRELINE_ERR_ID))
}

impl wireline_outgoing {
    /// The message. Its payload is looked at, so that what leaves is JSON.
    pub(crate) unsafe fn to_core<'a>(&self) -> Outcome<Outgoing<'a>> {
        reserved(self.reserved)?;
        // SAFETY: the caller vouches for the slices.
        unsafe {
            let payload = Payload::from(self.payload.checked()?);
            let message = match self.kind {
                WIRELINE_KIND_REQUEST => {
                    Outgoing::request(owed(&self.id)?, named(self.method)?).params(payload)
                }
                WIRELINE_KIND_NOTIFICATION if self.id.r#type == WIRELINE_ID_NONE => {
                    Outgoing::notification(named(self.method)?).params(payload)
                }
                WIRELINE_KIND_NOTIFICATION => return Err(Failed(WIRELINE_ERR_ID)),
                WIRELINE_KIND_RESULT => Outgoing::result(owed(&self.id)?, payload),
                WIRELINE_KIND_ERROR => {
                    Outgoing::error(self.id.of_error()?, self.code, self.message.text()?)
                        .data(payload)
                }
                _ => return Err(Failed(WIRELINE_ERR_ARGUMENT)),
            };
            Ok(message.with_profile(profile(self.profile)?))
        }
    }
}

/// Hands out a length, or how much room is missing.
pub(crate) fn written(result: Result<usize, WriteError>, length: Out<usize>) -> Outcome {
    match result {
        Ok(count) => {
            length.set(count);
            Ok(())
        }
        Err(WriteError::TooSmall { needed }) => {
            length.set(needed);
            Err(Failed(WIRELINE_ERR_TOO_SMALL))
        }
        Err(error) => Err(error.into()),
    }
}

/// Writes a message as a line, LF at its end. `*length` gets its bytes, or on TOO_SMALL how
/// many are needed; `out` may be NULL with a size of 0, to ask.
///
/// Errors: TOO_SMALL; NULL, if a request or notification has no method; UTF8; JSON, if the
/// payload is none; ID, PAYLOAD, ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_write(
    message: *const wireline_outgoing,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let message = input(message)?.to_core()?;
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        written(message.write(out), length)
    })
}

/// Writes a request as a line: `wireline_write` with the members as arguments. `params` may
/// be absent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_write_request(
    id: wireline_id,
    method: wireline_slice,
    params: wireline_slice,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let message = Outgoing::request(owed(&id)?, named(method)?).params(params.checked()?);
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        written(message.write(out), length)
    })
}

/// Writes a notification as a line. `params` may be absent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_write_notification(
    method: wireline_slice,
    params: wireline_slice,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let message = Outgoing::notification(named(method)?).params(params.checked()?);
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        written(message.write(out), length)
    })
}

/// Writes the result of the request that had this id as a line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_write_result(
    id: wireline_id,
    result: wireline_slice,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let message = Outgoing::result(owed(&id)?, result.checked()?);
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        written(message.write(out), length)
    })
}

/// Writes an error as a line, in answer to the request that had this id, or with none, or
/// with `null`. `data` may be absent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_write_error(
    id: wireline_id,
    code: i64,
    message: wireline_slice,
    data: wireline_slice,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let message = Outgoing::error(id.of_error()?, code, message.text()?).data(data.checked()?);
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        written(message.write(out), length)
    })
}

/// Which ids of a received message to replace when it is passed on; those of type
/// `WIRELINE_ID_NONE` stay. Zeroed memory with `size` set is a start.
#[repr(C)]
pub struct wireline_renumber {
    /// `sizeof(wireline_renumber)`.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// The message's own id.
    pub id: wireline_id,
    /// `params.requestId`, the request that a cancellation names.
    pub request_id: wireline_id,
    /// `params._meta.progressToken` of a request, `params.progressToken` of a notification.
    pub progress_token: wireline_id,
    /// `_meta["io.modelcontextprotocol/subscriptionId"]` in the parameters or the result.
    pub subscription_id: wireline_id,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_renumber {}

/// The message of an item with ids replaced.
pub(crate) unsafe fn renumbered<'a>(
    item: *const wireline_item,
    ids: *const wireline_renumber,
) -> Outcome<Renumber<'a, 'a>> {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        let mut renumber: Renumber<'a, 'a> = message(item)?.renumber();
        let ids = input(ids)?;
        reserved(ids.reserved)?;
        if let Some(id) = ids.id.known()? {
            renumber = renumber.id(id);
        }
        if let Some(id) = ids.request_id.known()? {
            renumber = renumber.request_id(id);
        }
        if let Some(id) = ids.progress_token.known()? {
            renumber = renumber.progress_token(id);
        }
        if let Some(id) = ids.subscription_id.known()? {
            renumber = renumber.subscription_id(id);
        }
        Ok(renumber)
    }
}

/// Writes a received message as a line with ids replaced and all else as it came, but for
/// raw CR and LF between tokens: what a proxy needs. `*length` gets the line's bytes, or on
/// TOO_SMALL how many are needed.
///
/// Errors: ITEM; TOO_SMALL; ID; NO_MEMBER, if the message has no such id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_write_renumbered(
    item: *const wireline_item,
    ids: *const wireline_renumber,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let renumber = renumbered(item, ids)?;
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        written(renumber.write(out), length)
    })
}

/// Writes a received message as a line with another id and all else as it came: see
/// `wireline_write_renumbered`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_write_with_id(
    item: *const wireline_item,
    id: wireline_id,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let message = message(item)?;
        let id = owed(&id)?;
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        written(message.write_with_id(id, out), length)
    })
}

/// Writes a message whose payload is longer than any buffer, or is not there yet.
///
/// The payload is given in pieces of any size and leaves in pieces of any size: as JSON text
/// (`wireline_message_writer_body`), or, for the inside of one of its strings, as plain text
/// (`_text`) or as bytes that leave as base64 (`_base64`). It is checked as it goes. Every
/// call says how much of its input it used and how many bytes it put into `out`; send those,
/// then go on with the rest. No room at all, while there is something to be written, is
/// TOO_SMALL and changes nothing. A line that cannot be ended must be given up with `_abort`.
#[repr(C)]
pub struct wireline_message_writer {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 38],
}

handle!(wireline_message_writer, MessageWriter<'static>, 0x574c_0005);

/// Begins a message, which must have no payload. Its slices stay in use until it is ended.
/// Nothing is written yet. Write `WIRELINE_SELF(writer)` for the first three arguments.
///
/// Errors: ID; MISPLACED, if there is a payload; UTF8, ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_init(
    writer: *mut wireline_message_writer,
    size: usize,
    version: u32,
    message: *const wireline_outgoing,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the slices
    // last as long as the writer.
    run(|| unsafe {
        let new = begin(writer, size, version)?;
        let message = input(message)?.to_core()?;
        new.put(MessageWriter::new(message)?);
        Ok(())
    })
}

/// Writes what is to be written next. No room while there is something to be written is
/// TOO_SMALL and changes nothing: 0 bytes written say that all is.
fn filled<T: Copy>(
    this: &mut T,
    out: &mut [u8],
    fill: impl Fn(&mut T, &mut [u8]) -> Result<usize, WriteError>,
) -> Outcome<usize> {
    if out.is_empty() && fill(&mut { *this }, &mut [0])? > 0 {
        return Err(Failed(WIRELINE_ERR_TOO_SMALL));
    }
    Ok(fill(this, out)?)
}

/// What came of a piece of input. To have no room is TOO_SMALL, if that is why nothing came of
/// it.
fn progress(
    (took, put): (usize, usize),
    (input, out): (&[u8], &[u8]),
    used: Out<usize>,
    written: Out<usize>,
) -> Outcome {
    if took == 0 && put == 0 && out.is_empty() && !input.is_empty() {
        return Err(Failed(WIRELINE_ERR_TOO_SMALL));
    }
    used.set(took);
    written.set(put);
    Ok(())
}

type Step = fn(&mut MessageWriter<'static>, &[u8], &mut [u8]) -> Result<(usize, usize), WriteError>;

/// What `body`, `text` and `base64` have in common.
#[inline(never)]
unsafe fn step(
    writer: *mut wireline_message_writer,
    (input, length): (*const c_void, usize),
    used: *mut usize,
    (out, out_size): (*mut c_void, usize),
    written: *mut usize,
    step: Step,
) -> Outcome {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    unsafe {
        let writer = get_mut(writer)?;
        let input = bytes(input, length)?;
        let out = room(out, out_size)?;
        let (used, written) = (Out::new(used)?, Out::new(written)?);
        let did = step(writer, input, out)?;
        progress(did, (input, out), used, written)
    }
}

/// Takes a piece of the payload's JSON text. `*used` gets the bytes of `input` used, and
/// `*written` those of `out` written.
///
/// Errors: JSON; PAYLOAD, if the payload is not of the type that the message needs;
/// MISPLACED, while a string is open. The message can then only be aborted; what this call
/// put into `out` is not to be sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_body(
    writer: *mut wireline_message_writer,
    input: *const c_void,
    length: usize,
    used: *mut usize,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let out = (out, out_size);
        step(
            writer,
            (input, length),
            used,
            out,
            written,
            |it, input, out| it.body(input, out),
        )
    })
}

/// Takes a piece of the open string's text, in UTF-8, which may be cut anywhere.
///
/// Errors: JSON, if it is not UTF-8; MISPLACED, unless such a string is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_text(
    writer: *mut wireline_message_writer,
    input: *const c_void,
    length: usize,
    used: *mut usize,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let out = (out, out_size);
        step(
            writer,
            (input, length),
            used,
            out,
            written,
            |it, input, out| it.text(input, out),
        )
    })
}

/// Takes a piece of the open string's bytes, to leave as base64 with padding.
///
/// Errors: MISPLACED, unless such a string is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_base64(
    writer: *mut wireline_message_writer,
    input: *const c_void,
    length: usize,
    used: *mut usize,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let out = (out, out_size);
        step(
            writer,
            (input, length),
            used,
            out,
            written,
            |it, input, out| it.base64(input, out),
        )
    })
}

/// Opens a string whose text comes with `wireline_message_writer_text`. Errors: JSON, if no
/// string may stand here; MISPLACED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_begin_text(
    writer: *mut wireline_message_writer,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe { Ok(get_mut(writer)?.begin_text()?) })
}

/// Opens a string whose bytes come with `wireline_message_writer_base64`. Errors: JSON, if
/// no string may stand here; MISPLACED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_begin_base64(
    writer: *mut wireline_message_writer,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe { Ok(get_mut(writer)?.begin_base64()?) })
}

/// Closes the string that is open. Errors: JSON, if its text ended inside a UTF-8 sequence;
/// MISPLACED, if none is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_end_string(
    writer: *mut wireline_message_writer,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe { Ok(get_mut(writer)?.end_string()?) })
}

/// Ends the line. `*written` gets the bytes of `out` written; call it until that is 0.
/// Errors: JSON, if the payload is not complete; more of it may still be given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_finish(
    writer: *mut wireline_message_writer,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let writer = get_mut(writer)?;
        let out = room(out, out_size)?;
        let written = Out::new(written)?;
        written.set(filled(writer, out, |it, out| it.finish(out))?);
        Ok(())
    })
}

/// Gives the message up. What has left of it is ended with LF, so that the receiver rejects
/// it and reads the next line as it should; if nothing has left, nothing is written.
/// `*written` gets the bytes of `out` written; call it until that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_message_writer_abort(
    writer: *mut wireline_message_writer,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let writer = get_mut(writer)?;
        let out = room(out, out_size)?;
        let written = Out::new(written)?;
        written.set(filled(writer, out, |it, out| Ok(it.abort(out)))?);
        Ok(())
    })
}

/// Passes one message on from a stream decoder, with its id replaced, as its pieces come:
/// what `wireline_write_with_id` does for messages that fit in no buffer.
///
/// Make one for every message, and hand it the decoder's items: HEAD to
/// `wireline_forward_head`, BODY to `_body`, END to `_end`, FAULT to `_give_up`. Members of
/// the envelope other than `jsonrpc`, method, id and body do not pass. No room at all, while
/// there is something to be written, is TOO_SMALL and changes nothing.
#[repr(C)]
pub struct wireline_forward {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 26],
}

handle!(wireline_forward, StreamRenumber<'static>, 0x574c_0006);

/// Begins to pass a message on. `progress_token`, unless it is of type `WIRELINE_ID_NONE`,
/// replaces `params._meta.progressToken`, if the message has it; its text stays in use until
/// the message is ended. Write `WIRELINE_SELF(forward)` for the first three arguments.
/// Errors: ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_forward_init(
    forward: *mut wireline_forward,
    size: usize,
    version: u32,
    progress_token: wireline_id,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the token
    // lasts as long as the handle.
    run(|| unsafe {
        let new = begin(forward, size, version)?;
        let mut renumber = StreamRenumber::new();
        if let Some(token) = progress_token.known()? {
            renumber = renumber.progress_token(token)?;
        }
        new.put(renumber);
        Ok(())
    })
}

/// Writes what is known when a body begins. `id` replaces the id, if that has come; of type
/// `WIRELINE_ID_NONE`, the id waits for the end. `*written` gets the bytes of `out` written;
/// call it until that is 0. Errors: ITEM, unless the item is a HEAD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_forward_head(
    forward: *mut wireline_forward,
    item: *const wireline_item,
    id: wireline_id,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let forward = get_mut(forward)?;
        let head = head(item)?;
        let id = id.known()?;
        let out = room(out, out_size)?;
        let written = Out::new(written)?;
        written.set(filled(forward, out, |it, out| Ok(it.head(head, id, out)))?);
        Ok(())
    })
}

/// Passes a piece of a body on: `part` and `text` of a BODY item. `*used` gets the bytes of
/// it used, and `*written` those of `out` written; go on with the rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_forward_body(
    forward: *mut wireline_forward,
    part: wireline_part,
    bytes: *const c_void,
    length: usize,
    used: *mut usize,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let forward = get_mut(forward)?;
        let part = match part {
            WIRELINE_PART_PARAMS => wireline::Part::Params,
            WIRELINE_PART_RESULT => wireline::Part::Result,
            WIRELINE_PART_ERROR => wireline::Part::Error,
            _ => return Err(Failed(WIRELINE_ERR_ARGUMENT)),
        };
        let bytes = self::bytes(bytes, length)?;
        let out = room(out, out_size)?;
        let (used, written) = (Out::new(used)?, Out::new(written)?);
        let did = forward.body(part, bytes, out);
        progress(did, (bytes, out), used, written)
    })
}

/// Ends the message. `id` replaces the id, if the message has one that has not been
/// written; of type `WIRELINE_ID_NONE`, it stays as it is. `*written` gets the bytes of `out`
/// written; call it until that is 0. Errors: ITEM, unless the item is an END; ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_forward_end(
    forward: *mut wireline_forward,
    item: *const wireline_item,
    id: wireline_id,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let forward = get_mut(forward)?;
        let head = head(item)?;
        if !head.is_final() {
            return Err(Failed(crate::status::WIRELINE_ERR_ITEM));
        }
        let id = id.known()?;
        let out = room(out, out_size)?;
        let written = Out::new(written)?;
        written.set(filled(forward, out, |it, out| it.end(head, id, out))?);
        Ok(())
    })
}

/// Gives the message up, as on a FAULT: what has left of it is ended with LF. `*written`
/// gets the bytes of `out` written; call it until that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_forward_give_up(
    forward: *mut wireline_forward,
    out: *mut c_void,
    out_size: usize,
    written: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let forward = get_mut(forward)?;
        let out = room(out, out_size)?;
        let written = Out::new(written)?;
        written.set(filled(forward, out, |it, out| Ok(it.give_up(out)))?);
        Ok(())
    })
}
