//! Where a line that comes in several chunks is put together.

use crate::glue::Error;
use std::alloc::{Layout, alloc_zeroed};
use wireline::Storage;

/// Bytes of zeros, if there is memory for them: the system gives large ones as they are first
/// touched.
pub(crate) fn zeroes(length: usize) -> Option<Vec<u8>> {
    if length == 0 {
        return Some(Vec::new());
    }
    let layout = Layout::array::<u8>(length).ok()?;
    // SAFETY: the layout is not empty.
    let memory = unsafe { alloc_zeroed(layout) };
    if memory.is_null() {
        return None;
    }
    // SAFETY: it came from the global allocator with this layout, and all of it is zero.
    Some(unsafe { Vec::from_raw_parts(memory, length, length) })
}

/// There is no memory for something.
pub(crate) struct NoMemory;

impl From<NoMemory> for Error<String> {
    fn from(_: NoMemory) -> Self {
        Error::new(
            "ERR_WIRELINE_OUT_OF_MEMORY".to_owned(),
            "there is no memory left",
        )
    }
}

/// Adds bytes behind others, and returns where they begin.
pub(crate) fn append(to: &mut Vec<u8>, bytes: &[u8]) -> Result<usize, NoMemory> {
    let at = to.len();
    to.try_reserve(bytes.len()).map_err(|_| NoMemory)?;
    to.extend_from_slice(bytes);
    Ok(at)
}

/// From here on memory grows by a quarter and not by its own size: a step is never long.
const LARGE: usize = 4 << 20;
/// What is kept after a long line.
const KEPT: usize = 64 << 10;

/// Bytes that grow as lines ask for it, and go back to the system after a long one.
#[derive(Default)]
pub(crate) struct Growing(Vec<u8>);

impl Storage for Growing {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn capacity(&self) -> usize {
        usize::MAX
    }

    fn grow(&mut self, need: usize, most: usize) -> bool {
        let length = self.0.len();
        let step = if length < LARGE { length } else { length / 4 };
        let target = (length + step).max(4096).min(most).max(need);
        if target > length {
            if self.0.try_reserve_exact(target - length).is_err() {
                return false;
            }
            self.0.resize(target, 0);
        }
        true
    }

    fn shrink(&mut self) {
        Storage::shrink_to(self, 0);
    }

    fn shrink_to(&mut self, least: usize) {
        if self.0.len() > KEPT.max(least) {
            self.0.truncate(least.max(4096));
            self.0.shrink_to_fit();
        }
    }
}
