//! Start-up, UART and power switch of the two emulated boards.

#[cfg(target_arch = "arm")]
mod chip {
    use core::arch::{asm, global_asm};

    // The vector table: where the stack starts and where the program starts. Nothing else is ever taken; a fault
    // finds a zero there, locks the core up, and the emulator says so.
    global_asm!(
        ".section .vectors, \"a\"",
        ".global VECTORS",
        "VECTORS:",
        ".word stack_top",
        ".word reset",
        ".space 14 * 4",
        ".section .text.reset, \"ax\"",
        ".thumb_func",
        ".global reset",
        ".type reset, %function",
        "reset:",
        "bl start",
        ".size reset, . - reset",
    );

    // CMSDK UART0 of mps2-an386.
    const DATA: *mut u32 = 0x4000_4000 as *mut u32;
    const STATE: *mut u32 = 0x4000_4004 as *mut u32;
    const CONTROL: *mut u32 = 0x4000_4008 as *mut u32;
    const BAUD: *mut u32 = 0x4000_4010 as *mut u32;

    pub(super) fn init() {
        // SAFETY: device registers of this board, and the FPU's access register where the ABI passes floats in it.
        unsafe {
            #[cfg(target_abi = "eabihf")]
            (0xE000_ED88 as *mut u32).write_volatile(0xF << 20);
            BAUD.write_volatile(16);
            CONTROL.write_volatile(0b11);
        }
    }

    pub(super) fn put(byte: u8) {
        // SAFETY: device registers of this board.
        unsafe {
            while STATE.read_volatile() & 1 != 0 {}
            DATA.write_volatile(u32::from(byte));
        }
    }

    pub(super) fn get() -> u8 {
        // SAFETY: device registers of this board.
        unsafe {
            while STATE.read_volatile() & 2 == 0 {}
            DATA.read_volatile() as u8
        }
    }

    pub(super) fn off() {
        // SAFETY: the semihosting call for "program exited", which the emulator answers by exiting.
        unsafe {
            asm!("bkpt 0xAB", in("r0") 0x18, in("r1") 0x20026);
        }
    }

    #[inline(always)]
    pub(crate) fn stack_pointer() -> usize {
        let sp;
        // SAFETY: only reads a register.
        unsafe { asm!("mov {}, sp", out(reg) sp, options(nomem, nostack, preserves_flags)) };
        sp
    }
}

#[cfg(target_arch = "riscv32")]
mod chip {
    use core::arch::{asm, global_asm};

    global_asm!(
        ".section .vectors, \"ax\"",
        ".global reset",
        ".type reset, %function",
        "reset:",
        "la sp, stack_top",
        "j start",
        ".size reset, . - reset",
    );

    // The 16550 UART and the test device of the virt machine.
    const DATA: *mut u8 = 0x1000_0000 as *mut u8;
    const STATUS: *mut u8 = 0x1000_0005 as *mut u8;
    const TEST: *mut u32 = 0x0010_0000 as *mut u32;

    pub(super) fn init() {}

    pub(super) fn put(byte: u8) {
        // SAFETY: device registers of this board.
        unsafe {
            while STATUS.read_volatile() & 0x20 == 0 {}
            DATA.write_volatile(byte);
        }
    }

    pub(super) fn get() -> u8 {
        // SAFETY: device registers of this board.
        unsafe {
            while STATUS.read_volatile() & 1 == 0 {}
            DATA.read_volatile()
        }
    }

    pub(super) fn off() {
        // SAFETY: device register of this board: 0x5555 switches it off.
        unsafe { TEST.write_volatile(0x5555) };
    }

    #[inline(always)]
    pub(crate) fn stack_pointer() -> usize {
        let sp;
        // SAFETY: only reads a register.
        unsafe { asm!("mv {}, sp", out(reg) sp, options(nomem, nostack, preserves_flags)) };
        sp
    }
}

pub(crate) use chip::stack_pointer;

/// End of transmission: what a test sends where a device would be unplugged.
const UNPLUGGED: u8 = 4;

unsafe extern "C" {
    static mut data_start: u32;
    static data_end: u32;
    static data_load: u32;
    static mut bss_start: u32;
    static bss_end: u32;
}

unsafe extern "Rust" {
    /// Every image defines it.
    safe fn image();
}

/// Copies initialised data, clears the rest, runs the image.
///
/// # Safety
///
/// Only the reset handler enters here, once, with a stack and nothing else set up.
#[unsafe(no_mangle)]
unsafe extern "C" fn start() -> ! {
    // SAFETY: the linker script defines these symbols, aligned to words; nothing has read the memory yet.
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
    }
    chip::init();
    image();
    power_off()
}

/// Stops the machine.
pub fn power_off() -> ! {
    chip::off();
    loop {
        core::hint::spin_loop();
    }
}

/// Waits for the next byte; `None` when there will be no more.
#[inline(never)]
pub fn read() -> Option<u8> {
    match chip::get() {
        UNPLUGGED => None,
        byte => Some(byte),
    }
}

/// Sends bytes.
#[inline(never)]
pub fn write(bytes: &[u8]) {
    for byte in bytes {
        chip::put(*byte);
    }
}
