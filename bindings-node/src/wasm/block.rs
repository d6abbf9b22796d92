//! Arguments in linear memory.

use super::types::Uint32ArraySlice;

/// Bytes before the first element; the first four of them are the count.
const HEAD: usize = 8;

/// An argument as it crosses the border, and what it is behind it.
pub(crate) trait Take<'a> {
    type Is;

    /// # Safety
    ///
    /// An address is that of a block, whose bytes are not written to for `'a`; of words that
    /// are lent, nothing else reads them either.
    unsafe fn take(self) -> Self::Is;
}

impl Take<'_> for u32 {
    type Is = u32;

    unsafe fn take(self) -> u32 {
        self
    }
}

impl Take<'_> for f64 {
    type Is = f64;

    unsafe fn take(self) -> f64 {
        self
    }
}

/// 0 or 1.
#[repr(transparent)]
pub(crate) struct Flag(u32);

impl Take<'_> for Flag {
    type Is = bool;

    unsafe fn take(self) -> bool {
        self.0 != 0
    }
}

/// The elements of the block at `address`.
///
/// # Safety
///
/// As [`Take::take`]; the block is aligned to 8 bytes and all its elements are valid.
unsafe fn elements<'a, T>(address: *const u32) -> &'a [T] {
    // SAFETY: the caller's promise, which covers the head.
    let count = unsafe { *address } as usize;
    // SAFETY: likewise, and so many elements follow. A head of 8 bytes keeps the alignment.
    unsafe { std::slice::from_raw_parts(address.byte_add(HEAD).cast(), count) }
}

macro_rules! blocks {
    ($($(#[$doc:meta])* $name:ident: $element:ty;)*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        pub(crate) struct $name(*const u32);

        impl<'a> Take<'a> for $name {
            type Is = &'a [$element];

            unsafe fn take(self) -> &'a [$element] {
                // SAFETY: the caller's promise; any bits are such elements.
                unsafe { elements(self.0) }
            }
        }
    )*};
}

blocks! {
    /// Bytes.
    Bytes: u8;
    /// 32-bit words.
    Words: u32;
    /// Doubles.
    Numbers: f64;
}

/// Words to be filled.
#[repr(transparent)]
pub(crate) struct WordsMut(*mut u32);

impl<'a> Take<'a> for WordsMut {
    type Is = Uint32ArraySlice<'a>;

    unsafe fn take(self) -> Uint32ArraySlice<'a> {
        // SAFETY: the caller's promise.
        let count = unsafe { *self.0 } as usize;
        // SAFETY: likewise; the words are this call's alone.
        Uint32ArraySlice(unsafe { std::slice::from_raw_parts_mut(self.0.byte_add(HEAD), count) })
    }
}

/// Text: its bytes in UTF-8, of which JavaScript's encoder makes no other.
#[repr(transparent)]
pub(crate) struct Text(*const u32);

impl Take<'_> for Text {
    type Is = String;

    unsafe fn take(self) -> String {
        // SAFETY: the caller's promise.
        String::from_utf8_lossy(unsafe { elements(self.0) }).into_owned()
    }
}

/// Text, or address 0 for none.
#[repr(transparent)]
pub(crate) struct MaybeText(*const u32);

impl Take<'_> for MaybeText {
    type Is = Option<String>;

    unsafe fn take(self) -> Option<String> {
        // SAFETY: the caller's promise.
        (!self.0.is_null()).then(|| unsafe { Text(self.0).take() })
    }
}

/// Texts, each behind its length in four bytes.
#[repr(transparent)]
pub(crate) struct Texts(*const u32);

impl Take<'_> for Texts {
    type Is = Vec<String>;

    unsafe fn take(self) -> Vec<String> {
        // SAFETY: the caller's promise.
        let mut rest: &[u8] = unsafe { elements(self.0) };
        let mut texts = Vec::new();
        while let Some((length, more)) = rest.split_first_chunk() {
            let length = u32::from_le_bytes(*length) as usize;
            let (text, more) = more.split_at_checked(length).unwrap_or((more, &[]));
            texts.push(String::from_utf8_lossy(text).into_owned());
            rest = more;
        }
        texts
    }
}

/// Memory for a block of so many bytes, head included; 0 if there is none.
#[unsafe(export_name = "block.new")]
extern "C" fn new(size: usize) -> *mut u64 {
    let mut memory = Vec::new();
    if memory.try_reserve_exact(size.div_ceil(8)).is_err() {
        return std::ptr::null_mut();
    }
    // Read as words and bytes, of which none may be undefined.
    memory.resize(size.div_ceil(8), 0u64);
    Box::into_raw(memory.into_boxed_slice()).cast()
}

/// Gives a block back that was made for so many bytes.
///
/// # Safety
///
/// It came from `block.new` with this size, and nothing uses it any more.
#[unsafe(export_name = "block.free")]
unsafe extern "C" fn free(address: *mut u64, size: usize) {
    let memory = std::ptr::slice_from_raw_parts_mut(address, size.div_ceil(8));
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(memory) });
}

/// Has the memory grow so that so many bytes are free in one piece, if it can.
#[unsafe(export_name = "memory.reserve")]
extern "C" fn reserve(size: usize) {
    let mut space: Vec<u8> = Vec::new();
    // Without a use of it, the compiler would leave both the making and the freeing out.
    if space.try_reserve_exact(size).is_ok() {
        std::hint::black_box(&space);
    }
}
