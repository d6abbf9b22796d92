//! What callers hand in and are handed out: pointers, slices, structs.

use core::ffi::{c_char, c_void};
use core::slice;

use wireline::json::{JsonStr, RawJson};
use wireline::{Id, Limits, Profile};

use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ALIGN, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_JSON,
    WIRELINE_ERR_NULL, WIRELINE_ERR_SIZE, WIRELINE_ERR_UNSUPPORTED, WIRELINE_ERR_UTF8,
    wireline_status,
};

/// Bytes of someone else's: `len` of them from `ptr` on, without a NUL at their end. What is
/// absent has a `ptr` of NULL; what is there and empty has none.
///
/// JSON values, ids among them, are slices of their text: strings with their quotes and
/// escapes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_slice {
    /// The first byte; NULL, if what is asked for is absent.
    pub ptr: *const c_char,
    /// How many bytes.
    pub len: usize,
}

/// The inside of a JSON string as it was written: without its quotes, escapes unresolved.
/// Compare it with `wireline_string_equals`, never byte by byte; absent, if `ptr` is NULL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_string {
    /// The first byte after the opening quote; NULL, if what is asked for is absent.
    pub ptr: *const c_char,
    /// How many bytes up to the closing quote.
    pub len: usize,
}

/// Memory that is lent to be filled.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_span {
    /// The first byte.
    pub ptr: *mut c_void,
    /// How many bytes.
    pub len: usize,
}

// SAFETY: these are a pointer and a length, and do nothing with it; statics hold them.
unsafe impl Sync for wireline_slice {}

impl wireline_slice {
    pub(crate) const ABSENT: wireline_slice = wireline_slice {
        ptr: core::ptr::null(),
        len: 0,
    };

    pub(crate) const fn of(bytes: &[u8]) -> Self {
        wireline_slice {
            ptr: bytes.as_ptr().cast(),
            len: bytes.len(),
        }
    }

    pub(crate) fn maybe(bytes: Option<&[u8]>) -> Self {
        bytes.map_or(wireline_slice::ABSENT, wireline_slice::of)
    }

    pub(crate) fn id(id: Option<Id<'_>>) -> Self {
        wireline_slice::maybe(id.as_ref().map(Id::as_bytes))
    }

    pub(crate) fn json(value: Option<RawJson<'_>>) -> Self {
        wireline_slice::maybe(value.as_ref().map(RawJson::as_bytes))
    }

    pub(crate) fn is_absent(&self) -> bool {
        self.ptr.is_null()
    }

    /// The bytes. An absent slice with a length is a mistake, without one it is empty.
    pub(crate) unsafe fn bytes<'a>(self) -> Outcome<&'a [u8]> {
        // SAFETY: the caller vouches for the memory, as the conventions ask.
        unsafe { bytes(self.ptr.cast(), self.len) }
    }

    pub(crate) unsafe fn text<'a>(self) -> Outcome<&'a str> {
        // SAFETY: as above.
        utf8(unsafe { self.bytes() }?)
    }

    pub(crate) unsafe fn maybe_text<'a>(self) -> Outcome<Option<&'a str>> {
        if self.is_absent() && self.len == 0 {
            return Ok(None);
        }
        // SAFETY: as above.
        unsafe { self.text() }.map(Some)
    }

    /// A JSON value that is looked at anew, so that what is sent is what it should be.
    pub(crate) unsafe fn checked<'a>(self) -> Outcome<Option<RawJson<'a>>> {
        if self.is_absent() && self.len == 0 {
            return Ok(None);
        }
        // SAFETY: as above.
        let bytes = unsafe { self.bytes() }?;
        RawJson::validate(bytes)
            .map(Some)
            .map_err(|_| Failed(WIRELINE_ERR_JSON))
    }

    /// A JSON value that the library has handed out or found valid before.
    pub(crate) unsafe fn known<'a>(self) -> Outcome<RawJson<'a>> {
        if self.is_absent() {
            return Err(Failed(WIRELINE_ERR_NULL));
        }
        // SAFETY: as above.
        let bytes = unsafe { self.bytes() }?;
        RawJson::assume_valid(bytes).ok_or(Failed(WIRELINE_ERR_JSON))
    }
}

impl wireline_string {
    pub(crate) fn of(text: Option<JsonStr<'_>>) -> Self {
        let wireline_slice { ptr, len } =
            wireline_slice::maybe(text.as_ref().map(JsonStr::raw_bytes));
        wireline_string { ptr, len }
    }

    /// One that the library has handed out, or that is read and not sent.
    pub(crate) unsafe fn known<'a>(self) -> Outcome<JsonStr<'a>> {
        if self.ptr.is_null() {
            return Err(Failed(WIRELINE_ERR_NULL));
        }
        // SAFETY: the caller vouches for the memory, as the conventions ask.
        let bytes = unsafe { bytes(self.ptr.cast(), self.len) }?;
        JsonStr::assume_valid(bytes).ok_or(Failed(WIRELINE_ERR_UTF8))
    }

    /// One that is to be sent, and so is looked at anew; it may be absent.
    pub(crate) unsafe fn checked<'a>(self) -> Outcome<Option<JsonStr<'a>>> {
        if self.ptr.is_null() && self.len == 0 {
            return Ok(None);
        }
        // SAFETY: as above.
        let bytes = unsafe { bytes(self.ptr.cast(), self.len) }?;
        JsonStr::validate(bytes)
            .map(Some)
            .map_err(|_| Failed(WIRELINE_ERR_JSON))
    }
}

pub(crate) fn utf8(bytes: &[u8]) -> Outcome<&str> {
    core::str::from_utf8(bytes).map_err(|_| Failed(WIRELINE_ERR_UTF8))
}

/// The caller's bytes. NULL stands for none of them.
pub(crate) unsafe fn bytes<'a>(ptr: *const c_void, len: usize) -> Outcome<&'a [u8]> {
    if len == 0 {
        return Ok(&[]);
    }
    if ptr.is_null() {
        return Err(Failed(WIRELINE_ERR_NULL));
    }
    if len > isize::MAX as usize {
        return Err(Failed(WIRELINE_ERR_ARGUMENT));
    }
    // SAFETY: not NULL, no longer than an object can be; the caller vouches for the rest.
    Ok(unsafe { slice::from_raw_parts(ptr.cast(), len) })
}

/// Memory of the caller's to write into. NULL stands for none of it.
pub(crate) unsafe fn room<'a>(ptr: *mut c_void, len: usize) -> Outcome<&'a mut [u8]> {
    if len == 0 {
        return Ok(&mut []);
    }
    if ptr.is_null() {
        return Err(Failed(WIRELINE_ERR_NULL));
    }
    if len > isize::MAX as usize {
        return Err(Failed(WIRELINE_ERR_ARGUMENT));
    }
    // SAFETY: not NULL, no longer than an object can be; the caller vouches for the rest,
    // and that nothing else reads or writes it during the call.
    Ok(unsafe { slice::from_raw_parts_mut(ptr.cast(), len) })
}

/// A pointer that may be read or written as a `T`.
pub(crate) fn pointer<T>(ptr: *const T) -> Outcome {
    if ptr.is_null() {
        Err(Failed(WIRELINE_ERR_NULL))
    } else if !ptr.is_aligned() {
        Err(Failed(WIRELINE_ERR_ALIGN))
    } else {
        Ok(())
    }
}

/// Where a result goes to.
///
/// What it holds before is of no interest, so it may be uninitialised.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    pub(crate) fn new(ptr: *mut T) -> Outcome<Self> {
        pointer(ptr)?;
        Ok(Out(ptr))
    }

    /// A part of what `Out` vouches for already.
    pub(crate) fn part(ptr: *mut T) -> Self {
        Out(ptr)
    }

    /// The memory in place, for those who write it member by member.
    pub(crate) fn ptr(&self) -> *mut T {
        self.0
    }

    pub(crate) fn set(self, value: T) {
        // SAFETY: neither NULL nor misaligned; the caller vouches that it is its to write.
        unsafe { self.0.write(value) }
    }
}

/// A struct of the caller's that begins with its size.
///
/// # Safety
///
/// All bit patterns are valid, and a `u32` named `size` comes first.
pub(crate) unsafe trait Sized32: Sized {
    const SIZE: u32 = size_of::<Self>() as u32;
}

/// Checks a struct's pointer and its `size`.
pub(crate) fn sized<T: Sized32>(ptr: *const T) -> Outcome {
    pointer(ptr)?;
    // SAFETY: neither NULL nor misaligned, and its first member is a `u32`; no more than
    // that is read before the size is known to be right.
    if unsafe { ptr.cast::<u32>().read() } == T::SIZE {
        Ok(())
    } else {
        Err(Failed(WIRELINE_ERR_SIZE))
    }
}

/// A struct of the caller's to be read.
pub(crate) unsafe fn input<'a, T: Sized32>(ptr: *const T) -> Outcome<&'a T> {
    sized(ptr)?;
    // SAFETY: the pointer and the size are right, and every bit pattern is a value.
    Ok(unsafe { &*ptr })
}

/// A struct of the caller's to be written, all but its size.
pub(crate) fn sized_out<T: Sized32>(ptr: *mut T) -> Outcome<Out<T>> {
    sized(ptr)?;
    Ok(Out(ptr))
}

/// For `profile` of `wireline_limits`: the Model Context Protocol.
pub const WIRELINE_PROFILE_MCP: u8 = 0;
/// For `profile` of `wireline_limits`: all that JSON-RPC 2.0 allows. `params` may be an
/// array, `result` any value, a request's id null or a fraction.
pub const WIRELINE_PROFILE_JSON_RPC: u8 = 1;

/// The ceilings of a decoder, and the rules that can be switched. Fill it by
/// `wireline_limits_embedded` or `wireline_limits_host`, and change what differs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_limits {
    /// `sizeof(wireline_limits)`.
    pub size: u32,
    /// Bytes of one message, without its line end; at least 64. A buffer of N bytes lowers
    /// it to N - 2. Longer: `WIRELINE_FAULT_TOO_LONG`, with the id.
    pub message: u32,
    /// Bytes of one line that are passed over before the line is called endless; 0 for no
    /// such ceiling. Passed: `WIRELINE_FAULT_RUNAWAY`, and the decoder takes no more.
    pub max_discard: u32,
    /// Bytes of the id's token, quotes and escapes included, 1 to 16384; a buffer of N bytes
    /// lowers it to N / 4. Longer: `WIRELINE_FAULT_ID_TOO_LONG`.
    pub id: u16,
    /// Bytes of the method's token, 1 to 16384; a buffer of N bytes lowers it to N / 4. Longer:
    /// `WIRELINE_FAULT_METHOD_TOO_LONG`, with the id.
    pub method: u16,
    /// Open containers, 4 to 127. Deeper: `WIRELINE_FAULT_TOO_DEEP`, with the id.
    pub depth: u8,
    /// `WIRELINE_PROFILE_MCP` or `WIRELINE_PROFILE_JSON_RPC`.
    pub profile: u8,
    /// 1: the end of the input ends a line as LF does. 0: an unfinished last line is
    /// `WIRELINE_FAULT_TRUNCATED`.
    pub eof_completes_line: u8,
    /// 1: a batch is taken apart into its elements, as revision 2025-03-26 asks. 0: it is
    /// one `WIRELINE_FAULT_BATCH`.
    pub batches: u8,
}

// SAFETY: integers only, the size first.
unsafe impl Sized32 for wireline_limits {}

/// A reserved member: 0, so that a later library may give it a meaning.
pub(crate) fn reserved<T: PartialEq + Default>(member: T) -> Outcome {
    match member == T::default() {
        true => Ok(()),
        false => Err(Failed(WIRELINE_ERR_ARGUMENT)),
    }
}

/// A byte that says yes or no.
pub(crate) fn flag(byte: u8) -> Outcome<bool> {
    match byte {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Failed(WIRELINE_ERR_ARGUMENT)),
    }
}

impl wireline_limits {
    fn of(limits: &Limits) -> Self {
        wireline_limits {
            size: wireline_limits::SIZE,
            message: limits.message,
            max_discard: limits.max_discard,
            id: limits.id,
            method: limits.method,
            depth: limits.depth,
            profile: match limits.profile {
                Profile::JsonRpc => WIRELINE_PROFILE_JSON_RPC,
                _ => WIRELINE_PROFILE_MCP,
            },
            eof_completes_line: limits.eof_completes_line.into(),
            #[cfg(feature = "batch")]
            batches: limits.batches.into(),
            #[cfg(not(feature = "batch"))]
            batches: 0,
        }
    }

    fn to_core(self) -> Outcome<Limits> {
        let tokens = 1..=16 * 1024;
        if self.message < 64
            || !tokens.contains(&self.id)
            || !tokens.contains(&self.method)
            || !(4..=127).contains(&self.depth)
        {
            return Err(Failed(WIRELINE_ERR_ARGUMENT));
        }
        let limits = Limits::HOST
            .with_message(self.message)
            .with_max_discard(self.max_discard)
            .with_id(self.id)
            .with_method(self.method)
            .with_depth(self.depth)
            .with_profile(profile(self.profile)?)
            .with_eof_completes_line(flag(self.eof_completes_line)?);
        match flag(self.batches)? {
            false => Ok(limits),
            #[cfg(feature = "batch")]
            true => Ok(limits.with_batches(true)),
            #[cfg(not(feature = "batch"))]
            true => Err(Failed(WIRELINE_ERR_UNSUPPORTED)),
        }
    }
}

// Without it the import is unused.
#[cfg(feature = "batch")]
const _: wireline_status = WIRELINE_ERR_UNSUPPORTED;

pub(crate) fn profile(code: u8) -> Outcome<Profile> {
    match code {
        WIRELINE_PROFILE_MCP => Ok(Profile::Mcp),
        WIRELINE_PROFILE_JSON_RPC => Ok(Profile::JsonRpc),
        _ => Err(Failed(WIRELINE_ERR_ARGUMENT)),
    }
}

/// The limits that a caller gives; NULL stands for those of a device.
pub(crate) unsafe fn limits(ptr: *const wireline_limits) -> Outcome<Limits> {
    if ptr.is_null() {
        return Ok(Limits::EMBEDDED);
    }
    // SAFETY: the caller vouches for the pointer.
    unsafe { input(ptr) }?.to_core()
}

pub(crate) fn limits_out(out: *mut wireline_limits, limits: &Limits) -> Outcome {
    sized_out(out)?.set(wireline_limits::of(limits));
    Ok(())
}

fn preset(limits: *mut wireline_limits, size: usize, preset: &Limits) -> Outcome {
    let out = Out::new(limits)?;
    if size != size_of::<wireline_limits>() {
        return Err(Failed(WIRELINE_ERR_SIZE));
    }
    out.set(wireline_limits::of(preset));
    Ok(())
}

/// Limits for a device: the buffer is the message ceiling; depth 32, id 40 bytes, method 64.
/// `size` is `sizeof *limits`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_limits_embedded(
    limits: *mut wireline_limits,
    size: usize,
) -> wireline_status {
    crate::status::run(|| preset(limits, size, &Limits::EMBEDDED))
}

/// Limits for a host: message 16 MiB, depth 127, id and method 128 bytes. `size` is
/// `sizeof *limits`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_limits_host(
    limits: *mut wireline_limits,
    size: usize,
) -> wireline_status {
    crate::status::run(|| preset(limits, size, &Limits::HOST))
}
