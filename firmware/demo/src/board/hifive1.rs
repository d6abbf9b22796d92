//! SiFive HiFive1: an FE310, an E31 core (RV32IMAC), two UARTs.

use core::arch::{asm, global_asm};

use super::Register;
use crate::{executor, uart};

#[cfg(feature = "log")]
pub(crate) const NAME: &str = "hifive1";

pub(crate) const INFO: &str = "hifive1, RV32IMAC, Rust";

global_asm!(
    ".section .vectors, \"ax\"",
    ".global reset",
    ".global VECTORS",
    ".type reset, %function",
    "VECTORS:",
    "reset:",
    "la sp, stack_top",
    "la t0, trap",
    "csrw mtvec, t0",
    "j start",
    // An interrupt keeps what a function may change, and calls one.
    ".align 2",
    "trap:",
    "addi sp, sp, -64",
    "sw ra, 0(sp)",
    "sw t0, 4(sp)",
    "sw t1, 8(sp)",
    "sw t2, 12(sp)",
    "sw a0, 16(sp)",
    "sw a1, 20(sp)",
    "sw a2, 24(sp)",
    "sw a3, 28(sp)",
    "sw a4, 32(sp)",
    "sw a5, 36(sp)",
    "sw a6, 40(sp)",
    "sw a7, 44(sp)",
    "sw t3, 48(sp)",
    "sw t4, 52(sp)",
    "sw t5, 56(sp)",
    "sw t6, 60(sp)",
    "csrr a0, mcause",
    "call on_trap",
    "lw ra, 0(sp)",
    "lw t0, 4(sp)",
    "lw t1, 8(sp)",
    "lw t2, 12(sp)",
    "lw a0, 16(sp)",
    "lw a1, 20(sp)",
    "lw a2, 24(sp)",
    "lw a3, 28(sp)",
    "lw a4, 32(sp)",
    "lw a5, 36(sp)",
    "lw a6, 40(sp)",
    "lw a7, 44(sp)",
    "lw t3, 48(sp)",
    "lw t4, 52(sp)",
    "lw t5, 56(sp)",
    "lw t6, 60(sp)",
    "addi sp, sp, 64",
    "mret",
    ".size reset, . - reset",
);

/// Ticks of the clock in a millisecond: that of the emulator. A board's own runs at 32768 Hz, 33 in a millisecond.
const TICKS: u32 = 10_000;

// The clock: a ring oscillator of some 14 MHz after reset, too far off for a UART, or the crystal.
const CRYSTAL: Register = Register(0x1000_8004);
const PLL: Register = Register(0x1000_8008);
const PLL_DIVIDER: Register = Register(0x1000_800C);

// UART0. It has no error flags: what it loses while its eight bytes are full, or takes wrongly, nobody is told of.
const SEND: Register = Register(0x1001_3000);
const RECEIVE: Register = Register(0x1001_3004);
const SEND_CONTROL: Register = Register(0x1001_3008);
const RECEIVE_CONTROL: Register = Register(0x1001_300C);
const UART_INTERRUPTS: Register = Register(0x1001_3010);
const UART_DIVIDER: Register = Register(0x1001_3018);
const ON_SENT: u32 = 1;
const ON_RECEIVED: u32 = 2;
/// Of the crystal's 16 MHz: 115200 baud.
const DIVIDER: u32 = 138;

/// UART1, for the log.
#[cfg(feature = "log")]
mod second {
    use super::Register;
    pub(super) const SEND: Register = Register(0x1002_3000);
    pub(super) const SEND_CONTROL: Register = Register(0x1002_3008);
    pub(super) const DIVIDER: Register = Register(0x1002_3018);
}

// The interrupt controller: of its sources, UART0 is number 3.
const PRIORITY: Register = Register(0x0C00_000C);
const ENABLED: Register = Register(0x0C00_2000);
const THRESHOLD: Register = Register(0x0C20_0000);
const CLAIM: Register = Register(0x0C20_0004);
const UART: u32 = 3;

const TIME: Register = Register(0x0200_BFF8);
const TIME_HIGH: Register = Register(0x0200_BFFC);
const COMPARE: Register = Register(0x0200_4000);
const COMPARE_HIGH: Register = Register(0x0200_4004);

const PIN_VALUES: Register = Register(0x1001_200C);
const PINS_ARE_OUTPUTS: Register = Register(0x1001_2008);
const PIN_FUNCTIONS: Register = Register(0x1001_2038);
const PIN_FUNCTION_CHOICE: Register = Register(0x1001_203C);
/// The green LED shines while its pin is low.
const GREEN: u32 = 1 << 19;
/// Pins 16 and 17, RX and TX, of which the UART is the first function.
const UART_PINS: u32 = 0b11 << 16;

const TIMER_CAUSE: u32 = 0x8000_0007;
const EXTERNAL_CAUSE: u32 = 0x8000_000B;

pub(crate) fn init() {
    // The crystal, when it swings, past the PLL and undivided.
    CRYSTAL.write(1 << 30);
    while CRYSTAL.read() >> 31 == 0 {}
    PLL_DIVIDER.write(1 << 8);
    PLL.write(0b11 << 17);
    PLL.write(0b111 << 16);
    PIN_VALUES.write(GREEN);
    PINS_ARE_OUTPUTS.write(GREEN);
    PIN_FUNCTION_CHOICE.write(0);
    PIN_FUNCTIONS.write(UART_PINS);
    UART_DIVIDER.write(DIVIDER);
    // Both directions; interrupts when a byte has come and when the last has left.
    SEND_CONTROL.write(1 << 16 | 1);
    RECEIVE_CONTROL.write(1);
    UART_INTERRUPTS.write(ON_RECEIVED);
    #[cfg(feature = "log")]
    {
        second::DIVIDER.write(DIVIDER);
        second::SEND_CONTROL.write(1);
    }
    PRIORITY.write(1);
    ENABLED.write(1 << UART);
    THRESHOLD.write(0);
    tick();
    // SAFETY: lets the timer's and external interrupts through; all they need is set up.
    unsafe {
        asm!("csrs mie, {}", in(reg) 1 << 7 | 1 << 11);
        asm!("csrsi mstatus, 8");
    }
}

pub(crate) fn receive() -> Option<u8> {
    let value = RECEIVE.read();
    (value >> 31 == 0).then_some(value as u8)
}

pub(crate) fn send(byte: u8) -> bool {
    let room = SEND.read() >> 31 == 0;
    if room {
        SEND.write(u32::from(byte));
    } else {
        masked(|| UART_INTERRUPTS.write(UART_INTERRUPTS.read() | ON_SENT));
    }
    room
}

/// A byte for the log, if its UART takes one.
#[cfg(feature = "log")]
pub(crate) fn log(byte: u8) -> bool {
    let room = second::SEND.read() >> 31 == 0;
    if room {
        second::SEND.write(u32::from(byte));
    }
    room
}

pub(crate) fn listen(yes: bool) {
    let change = || {
        let others = UART_INTERRUPTS.read() & !ON_RECEIVED;
        UART_INTERRUPTS.write(if yes { others | ON_RECEIVED } else { others });
    };
    if yes {
        masked(change);
    } else {
        // Called by the interrupt alone.
        change();
    }
}

fn ticks() -> u64 {
    loop {
        let (high, low) = (TIME_HIGH.read(), TIME.read());
        if TIME_HIGH.read() == high {
            return u64::from(high) << 32 | u64::from(low);
        }
    }
}

pub(crate) fn now() -> u64 {
    ticks() / u64::from(TICKS)
}

/// The next interrupt of the clock comes in a millisecond.
fn tick() {
    let next = ticks() + u64::from(TICKS);
    // Never a moment that has passed on the way.
    COMPARE_HIGH.write(u32::MAX);
    COMPARE.write(next as u32);
    COMPARE_HIGH.write((next >> 32) as u32);
}

pub(crate) fn set_led(on: bool) {
    PIN_VALUES.write(if on { 0 } else { GREEN });
}

pub(crate) fn led() -> u32 {
    u32::from(PIN_VALUES.read() & GREEN == 0)
}

/// `misa`: the instruction sets.
pub(crate) fn id() -> u32 {
    let misa;
    // SAFETY: only reads a register.
    unsafe { asm!("csrr {}, misa", out(reg) misa) };
    misa
}

pub(crate) fn masked(what: impl FnOnce()) {
    // SAFETY: clears and sets the interrupt bit, which is set wherever this is called.
    unsafe { asm!("csrci mstatus, 8") };
    what();
    // SAFETY: as above.
    unsafe { asm!("csrsi mstatus, 8") };
}

pub(crate) fn sleep() {
    // SAFETY: only waits.
    unsafe { asm!("wfi") };
}

#[unsafe(no_mangle)]
extern "C" fn on_trap(cause: u32) {
    match cause {
        TIMER_CAUSE => {
            tick();
            executor::wake();
        }
        EXTERNAL_CAUSE => {
            let source = CLAIM.read();
            // The end of sending wakes once; who sends asks for the next.
            UART_INTERRUPTS.write(UART_INTERRUPTS.read() & !ON_SENT);
            uart::received();
            CLAIM.write(source);
        }
        // A fault: the chip stops, and its watchdog, if it runs, starts it again.
        _ => loop {
            core::hint::spin_loop();
        },
    }
}
