//! State of the library's in memory of the caller's.
//!
//! A handle is a struct that C sees as integers: words, since most of what it
//! holds is pointers and lengths, after one that aligns it for what is longer. Inside is a `Room`: a number
//! that tells what it holds, the address where it was initialised, and the value. Zeroed
//! memory holds the number of nothing; a copy elsewhere holds the wrong address.

use core::mem::MaybeUninit;

use crate::args::pointer;
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_MOVED, WIRELINE_ERR_SIZE, WIRELINE_ERR_UNINITIALISED,
    WIRELINE_ERR_VERSION,
};
use crate::version;

/// A struct of the header that holds a value.
///
/// # Safety
///
/// `Self` is integers alone; `TAG` is not 0, and no other type's.
pub(crate) unsafe trait Handle: Sized {
    /// What it holds.
    type Value;
    /// The number that marks it.
    const TAG: u32;
    /// Checked when the type is used: the value fits.
    const FITS: () = {
        assert!(size_of::<Room<Self::Value>>() <= size_of::<Self>());
        assert!(align_of::<Room<Self::Value>>() <= align_of::<Self>());
    };
}

#[repr(C)]
struct Room<T> {
    tag: u32,
    home: usize,
    value: MaybeUninit<T>,
}

/// Makes a struct of the header a handle.
macro_rules! handle {
    ($name:ident, $value:ty, $tag:literal) => {
        // SAFETY: the struct is integers alone, and the numbers differ (a test
        // looks at that).
        unsafe impl $crate::handle::Handle for $name {
            type Value = $value;
            const TAG: u32 = $tag;
        }
        const _: () = <$name as $crate::handle::Handle>::FITS;
    };
}
pub(crate) use handle;

/// Checks what an init function is given, before anything is written.
pub(crate) fn begin<H: Handle>(this: *mut H, size: usize, version: u32) -> Outcome<New<H>> {
    pointer(this)?;
    if size != size_of::<H>() {
        return Err(Failed(WIRELINE_ERR_SIZE));
    }
    if !version::accepts(version) {
        return Err(Failed(WIRELINE_ERR_VERSION));
    }
    Ok(New(this))
}

/// Memory that a handle is to be made in.
pub(crate) struct New<H>(*mut H);

impl<H: Handle> New<H> {
    /// Makes it a handle that is not initialised, before memory that an earlier value has is written
    /// to. Who still borrows that value finds `nothing` in its place.
    pub(crate) fn clear(&self, nothing: H::Value) {
        let room = self.0.cast::<Room<H::Value>>();
        // SAFETY: as of `put`.
        unsafe {
            (&raw mut (*room).tag).write(0);
            (&raw mut (*room).value).write(MaybeUninit::new(nothing));
        }
    }

    pub(crate) fn put(self, value: H::Value) {
        let room = self.0.cast::<Room<H::Value>>();
        // SAFETY: the pointer was checked, and the memory is large enough and aligned by
        // `FITS`; the caller vouches that it is its to write.
        unsafe {
            (&raw mut (*room).value).write(MaybeUninit::new(value));
            (&raw mut (*room).home).write(room.addr());
            (&raw mut (*room).tag).write(H::TAG);
        }
    }
}

unsafe fn check<H: Handle>(this: *const H) -> Outcome {
    pointer(this)?;
    let room = this.cast::<Room<H::Value>>();
    // SAFETY: neither NULL nor misaligned, and large enough by `FITS`; integers are read,
    // of which every bit pattern is valid.
    let (tag, home) = unsafe { ((*room).tag, (*room).home) };
    if tag != H::TAG {
        Err(Failed(WIRELINE_ERR_UNINITIALISED))
    } else if home != room.addr() {
        Err(Failed(WIRELINE_ERR_MOVED))
    } else {
        Ok(())
    }
}

/// The value of a handle.
pub(crate) unsafe fn get<'a, H: Handle>(this: *const H) -> Outcome<&'a H::Value> {
    // SAFETY: the tag and the address say that `put` has written a value here, which only
    // calls of this library change.
    unsafe {
        check(this)?;
        Ok((*this.cast::<Room<H::Value>>()).value.assume_init_ref())
    }
}

/// The value of a handle, to be changed.
pub(crate) unsafe fn get_mut<'a, H: Handle>(this: *mut H) -> Outcome<&'a mut H::Value> {
    // SAFETY: as above; the caller vouches that no other call uses the handle meanwhile.
    unsafe {
        check(this.cast_const())?;
        Ok((*this.cast::<Room<H::Value>>()).value.assume_init_mut())
    }
}

/// Takes the value out, and leaves memory that is not initialised.
pub(crate) unsafe fn take<H: Handle>(this: *mut H) -> Outcome<H::Value> {
    // SAFETY: as above; without its tag the value is read no more.
    unsafe {
        check(this.cast_const())?;
        let room = this.cast::<Room<H::Value>>();
        (&raw mut (*room).tag).write(0);
        Ok((*room).value.assume_init_read())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::collections::BTreeSet;
    use std::println;

    macro_rules! handles {
        ($($name:ident)*) => {{
            let mut tags = BTreeSet::new();
            $(
                let (used, room) = (
                    size_of::<Room<<crate::$name as Handle>::Value>>(),
                    size_of::<crate::$name>(),
                );
                println!("{}: {used} of {room}", stringify!($name));
                assert_ne!(<crate::$name as Handle>::TAG, 0);
                assert!(tags.insert(<crate::$name as Handle>::TAG), stringify!($name));
                // Room for a field or two: a larger struct is another ABI.
                assert!(used + 12 <= room, "{}: {used} of {room}", stringify!($name));
            )*
        }};
    }

    #[test]
    fn tags_differ_and_structs_have_room_to_grow() {
        handles!(
            wireline_decoder wireline_stream wireline_json_iter wireline_json_writer
            wireline_message_writer wireline_forward wireline_pieces wireline_config wireline_client
            wireline_server wireline_toolkit wireline_questions wireline_monitor
        );
    }
}
