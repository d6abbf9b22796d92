//! What the images share: the least a chip needs to run at all (a reset handler, a UART, a way to stop, a panic handler
//! that the gates can find in a linked image), and what a device does with the core.
#![no_std]

mod board;
pub mod device;
pub mod stack;
pub mod streamed;

pub use board::{power_off, read, write};

/// The buffers of an image, for a decoder and for what is written. In `.bss`, as on a device: what is on the stack is
/// measured apart.
///
/// An image may ask again when it no longer uses what it got before.
pub fn memory() -> [&'static mut [u8]; 2] {
    static mut LINE: [u8; device::LINE] = [0; device::LINE];
    static mut ANSWER: [u8; device::ANSWER] = [0; device::ANSWER];
    // SAFETY: one thread and no interrupts, and each image lets go of the buffers before it asks for them again.
    unsafe { [&mut *(&raw mut LINE), &mut *(&raw mut ANSWER)] }
}

/// Writes a number in decimal. The formatting machinery of `core::fmt` would drown what is being measured.
pub fn write_number(mut value: usize) {
    let mut digits = [b'0'; 20];
    let mut used = 0;
    for slot in digits.iter_mut().rev() {
        *slot = b'0' + (value % 10) as u8;
        value /= 10;
        used += 1;
        if value == 0 {
            break;
        }
    }
    for digit in digits.iter().skip(digits.len() - used) {
        write(core::slice::from_ref(digit));
    }
}

/// Reached from an image that can panic, and from no other: the gates look for its symbol.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn gates_panic_reached() -> ! {
    write(b"panic\n");
    power_off()
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    gates_panic_reached()
}
