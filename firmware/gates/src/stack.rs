//! How deep the stack went: the free part is painted, the work is done, and the paint that is gone is counted.

use crate::board::stack_pointer;

unsafe extern "C" {
    static mut stack_limit: u32;
}

const PAINT: u32 = 0xA5C3_5A3C;

/// Runs `work` and returns how many bytes of stack it used at the deepest, its own frame included.
#[inline(never)]
pub fn depth(work: fn()) -> usize {
    let limit = &raw mut stack_limit;
    // Paint stops just below this frame. `work` is called from this very frame, so nothing of it lies above.
    let top = stack_pointer() as *mut u32;
    // SAFETY: memory between the end of the statics and the stack pointer is nobody's.
    unsafe {
        let mut at = limit;
        while at < top {
            at.write_volatile(PAINT);
            at = at.add(1);
        }
    }
    work();
    // SAFETY: as above; only reads.
    unsafe {
        let mut at = limit;
        while at < top && at.read_volatile() == PAINT {
            at = at.add(1);
        }
        top as usize - at as usize
    }
}
