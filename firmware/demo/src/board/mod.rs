//! What differs from board to board: start-up code, interrupts, a UART, a clock, an LED.
//!
//! Each has the same functions:
//!
//! | | |
//! |---|---|
//! | `init` | sets the UART and the clock up, and lets interrupts through |
//! | `receive`, `send` | a byte from the UART, if there is one, and 0x00 in the place of what was lost or is wrong; a byte to it, if it takes one |
//! | `listen` | whether a received byte interrupts |
//! | `now` | milliseconds since the start; 64 bits, since a session's clock may not go back. Interrupts do not ask |
//! | `set_led`, `led`, `id` | the LED; the register behind it; a register that says which chip this is |
//! | `log` | a byte to a second UART, where there is one: for the feature `log` |
//! | `masked`, `sleep` | runs something that no interrupt gets into; waits for an interrupt |

#[cfg(all(board = "microbit", feature = "log"))]
compile_error!("an nRF51 has one UART, which the server has: this board logs nothing");

#[cfg(target_arch = "arm")]
mod cortex_m;

#[cfg_attr(board = "mps2", path = "mps2.rs")]
#[cfg_attr(board = "microbit", path = "microbit.rs")]
#[cfg_attr(board = "hifive1", path = "hifive1.rs")]
mod chip;

pub(crate) use chip::*;
#[cfg(target_arch = "arm")]
pub(crate) use cortex_m::{masked, sleep};

/// A device register.
#[derive(Clone, Copy)]
struct Register(usize);

impl Register {
    fn read(self) -> u32 {
        // SAFETY: the boards name only registers that they have, and reading these does nothing that Rust knows of.
        unsafe { (self.0 as *const u32).read_volatile() }
    }

    fn write(self, value: u32) {
        // SAFETY: as above; none of them makes a device write to memory.
        unsafe { (self.0 as *mut u32).write_volatile(value) }
    }
}
