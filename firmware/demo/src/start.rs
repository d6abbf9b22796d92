//! From reset to `main`: memory is set up, and the stack painted.

unsafe extern "C" {
    static mut data_start: u32;
    static data_end: u32;
    static data_load: u32;
    static mut bss_start: u32;
    static bss_end: u32;
    static mut stack_limit: u32;
}

/// What the free part of the stack is filled with, so that a debugger shows how deep it went.
const PAINT: u32 = 0xA5C3_5A3C;

/// The stack of this function itself, at most: it is not painted.
const OWN: usize = 64;

/// Copies initialised data, clears the rest, paints the stack, and goes on to `main`.
///
/// # Safety
///
/// Only the reset handler enters here, once, with a stack and nothing else set up.
#[unsafe(no_mangle)]
unsafe extern "C" fn start() -> ! {
    // SAFETY: the linker script defines these symbols, aligned to words; nothing has read the memory yet, and what is
    // below the stack pointer is nobody's.
    unsafe {
        let mut from = &raw const data_load;
        let mut to = &raw mut data_start;
        while to.cast_const() < &raw const data_end {
            to.write_volatile(from.read_volatile());
            to = to.add(1);
            from = from.add(1);
        }
        let mut to = &raw mut bss_start;
        while to.cast_const() < &raw const bss_end {
            to.write_volatile(0);
            to = to.add(1);
        }
        let here = 0u32;
        let end = (&raw const here).addr() - OWN;
        let mut to = &raw mut stack_limit;
        while to.addr() < end {
            to.write_volatile(PAINT);
            to = to.add(1);
        }
    }
    crate::main()
}
