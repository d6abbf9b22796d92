//! Writing JSON into memory of the caller's.

use core::ffi::c_void;

use wireline::encode::WriteError;
use wireline::json::Writer;

use crate::args::{Out, bytes, room, wireline_slice};
use crate::handle::{begin, get, get_mut, handle, take};
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_JSON, WIRELINE_ERR_TOO_SMALL, run, wireline_status,
};

/// Writes one JSON value into memory of the caller's.
///
/// It goes on counting past the end, so that `wireline_json_writer_finish` can tell the
/// bytes needed. What is written where it may not stand is an error that `finish` reports,
/// and so is what a call could not take, such as text that is not UTF-8: the call says so at
/// once, and `finish` once more. Nothing is written after an error, so it is enough to look at
/// what `finish` says. At most 64 containers may be open.
#[repr(C)]
pub struct wireline_json_writer {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 24],
}

pub(crate) struct Held {
    writer: Writer<'static>,
    /// Why a call could not take what it was given; nothing is written after it.
    failed: Option<Failed>,
}

impl Held {
    fn write(&mut self, write: impl FnOnce(&mut Writer<'static>) -> Outcome) -> Outcome {
        if self.failed.is_some() {
            return Ok(());
        }
        let outcome = write(&mut self.writer);
        self.failed = outcome.err();
        outcome
    }

    /// What comes first is told: the writer was left alone after a call that failed, so that
    /// it is not at its end, or has no room, may be because of that; all else was before.
    fn finish(self) -> Result<&'static [u8], Result<usize, Failed>> {
        match (self.writer.finish(), self.failed) {
            (Ok(_) | Err(WriteError::TooSmall { .. } | WriteError::Unfinished), Some(failed)) => {
                Err(Err(failed))
            }
            (Ok(text), None) => Ok(text),
            (Err(WriteError::TooSmall { needed }), None) => Err(Ok(needed)),
            (Err(error), _) => Err(Err(error.into())),
        }
    }
}

handle!(wireline_json_writer, Held, 0x574c_0004);

/// Makes a writer into `out`, which stays the writer's until it is finished. `out` may be
/// NULL with a size of 0, to measure. Write `WIRELINE_SELF(writer)` for the first three
/// arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_init(
    writer: *mut wireline_json_writer,
    size: usize,
    version: u32,
    out: *mut c_void,
    out_size: usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the memory
    // lasts as long as the writer.
    run(|| unsafe {
        let new = begin(writer, size, version)?;
        new.put(Held {
            writer: Writer::new(room(out, out_size)?),
            failed: None,
        });
        Ok(())
    })
}

/// Calls the writer's method of that name.
macro_rules! call {
    ($writer:ident, |$it:ident| $call:expr) => {
        // SAFETY: the conventions ask the caller to vouch for its pointers.
        run(|| unsafe {
            get_mut($writer)?.write(|$it| {
                $call;
                Ok(())
            })
        })
    };
}

/// Opens an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_begin_object(
    writer: *mut wireline_json_writer,
) -> wireline_status {
    call!(writer, |it| it.begin_object())
}

/// Closes the object that was opened last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_end_object(
    writer: *mut wireline_json_writer,
) -> wireline_status {
    call!(writer, |it| it.end_object())
}

/// Opens an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_begin_array(
    writer: *mut wireline_json_writer,
) -> wireline_status {
    call!(writer, |it| it.begin_array())
}

/// Closes the array that was opened last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_end_array(
    writer: *mut wireline_json_writer,
) -> wireline_status {
    call!(writer, |it| it.end_array())
}

/// Writes a member's name, in UTF-8. Its value comes next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_key(
    writer: *mut wireline_json_writer,
    name: wireline_slice,
) -> wireline_status {
    call!(writer, |it| it.key(name.text()?))
}

/// Writes a string, given in UTF-8; it is escaped as JSON asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_string(
    writer: *mut wireline_json_writer,
    text: wireline_slice,
) -> wireline_status {
    call!(writer, |it| it.string(text.text()?))
}

/// Writes bytes as a base64 string, with padding, as blobs, images and audio are carried.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_base64(
    writer: *mut wireline_json_writer,
    data: *const c_void,
    length: usize,
) -> wireline_status {
    call!(writer, |it| it.base64(bytes(data, length)?))
}

/// Writes a signed integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_integer(
    writer: *mut wireline_json_writer,
    value: i64,
) -> wireline_status {
    call!(writer, |it| it.int(value))
}

/// Writes an unsigned integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_unsigned(
    writer: *mut wireline_json_writer,
    value: u64,
) -> wireline_status {
    call!(writer, |it| it.uint(value))
}

/// Writes a number given as text, which is kept as it is: `0.10` stays `0.10`. Text that is
/// no JSON number, as `nan` and `inf` of printf are not, is `WIRELINE_ERR_NUMBER` when the
/// writer is finished.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_decimal(
    writer: *mut wireline_json_writer,
    text: wireline_slice,
) -> wireline_status {
    call!(writer, |it| it.decimal(text.text()?))
}

/// Writes `true` or `false`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_bool(
    writer: *mut wireline_json_writer,
    value: bool,
) -> wireline_status {
    call!(writer, |it| it.bool(value))
}

/// Writes `null`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_null(
    writer: *mut wireline_json_writer,
) -> wireline_status {
    call!(writer, |it| it.null())
}

/// Writes a JSON value that is there already, but for raw CR and LF between its tokens. It
/// is looked at first: `WIRELINE_ERR_JSON`, if it is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_raw(
    writer: *mut wireline_json_writer,
    value: wireline_slice,
) -> wireline_status {
    call!(writer, |it| {
        it.raw(value.checked()?.ok_or(Failed(WIRELINE_ERR_JSON))?)
    })
}

/// The bytes written so far, those past the end of the memory included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_length(
    writer: *const wireline_json_writer,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let writer = get(writer)?;
        Out::new(length)?.set(writer.writer.len());
        Ok(())
    })
}

/// Ends the text: `*text` gets it. The writer is uninitialised then, whatever came of it.
/// On TOO_SMALL, `text->len` gets the bytes needed and `text->ptr` NULL. Errors: TOO_SMALL,
/// and the first thing that was wrong: MISPLACED, UNFINISHED, TOO_DEEP, NUMBER, or what a call
/// said, such as UTF8 or JSON.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_json_writer_finish(
    writer: *mut wireline_json_writer,
    text: *mut wireline_slice,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        get(writer.cast_const())?;
        let out = Out::new(text)?;
        match take(writer)?.finish() {
            Ok(text) => out.set(wireline_slice::of(text)),
            Err(Ok(needed)) => {
                out.set(wireline_slice {
                    ptr: core::ptr::null(),
                    len: needed,
                });
                return Err(Failed(WIRELINE_ERR_TOO_SMALL));
            }
            Err(Err(failed)) => return Err(failed),
        }
        Ok(())
    })
}
