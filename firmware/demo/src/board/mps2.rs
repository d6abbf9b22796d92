//! Arm MPS2 with AN386: a Cortex-M4 at 25 MHz, CMSDK UARTs, LEDs on the FPGA's registers.

use core::arch::global_asm;
use core::sync::atomic::{AtomicU32, Ordering};

use super::Register;
use super::cortex_m::enable;
use crate::{executor, uart};

#[cfg(feature = "log")]
pub(crate) const NAME: &str = "mps2";

pub(crate) const INFO: &str = "mps2-an386, Cortex-M4, Rust";

global_asm!(
    ".section .vectors, \"a\"",
    ".global VECTORS",
    "VECTORS:",
    ".word stack_top",
    ".word reset",
    // Faults and what is not used: the chip stops, and its watchdog, if it has one, starts it again.
    ".rept 13",
    ".word halt",
    ".endr",
    ".word on_tick",
    ".word on_receive",
    ".word on_sent",
    ".section .text.reset, \"ax\"",
    ".thumb_func",
    ".global reset",
    ".type reset, %function",
    "reset:",
    "bl start",
    ".thumb_func",
    ".type halt, %function",
    "halt:",
    "b halt",
    ".size reset, . - reset",
);

const CLOCK: u32 = 25_000_000;
const BAUD: u32 = 115_200;

// UART0, and its two interrupts.
const DATA: Register = Register(0x4000_4000);
const STATE: Register = Register(0x4000_4004);
const CONTROL: Register = Register(0x4000_4008);
const INTERRUPT: Register = Register(0x4000_400C);
const DIVIDER: Register = Register(0x4000_4010);
const SENT_FULL: u32 = 1;
const RECEIVED_FULL: u32 = 2;
/// A byte came and was lost, since the one before it had not been taken. Others this UART does not look for.
const OVERRUN: u32 = 8;
const RECEIVE: u32 = 0;
const SENT: u32 = 1;

/// UART1, for the log.
#[cfg(feature = "log")]
mod second {
    use super::Register;
    pub(super) const DATA: Register = Register(0x4000_5000);
    pub(super) const STATE: Register = Register(0x4000_5004);
    pub(super) const CONTROL: Register = Register(0x4000_5008);
    pub(super) const DIVIDER: Register = Register(0x4000_5010);
}

const LEDS: Register = Register(0x4002_8000);

const SYSTICK_CONTROL: Register = Register(0xE000_E010);
const SYSTICK_RELOAD: Register = Register(0xE000_E014);
const SYSTICK_VALUE: Register = Register(0xE000_E018);
const CPUID: Register = Register(0xE000_ED00);

/// Milliseconds, and how often 32 bits of them have wrapped.
static NOW: AtomicU32 = AtomicU32::new(0);
static WRAPS: AtomicU32 = AtomicU32::new(0);

pub(crate) fn init() {
    #[cfg(target_abi = "eabihf")]
    // The ABI passes floats in the FPU's registers: full access to it.
    Register(0xE000_ED88).write(0xF << 20);
    DIVIDER.write(CLOCK / BAUD);
    // Both directions, and an interrupt for each.
    CONTROL.write(0b1111);
    enable(RECEIVE, true);
    enable(SENT, true);
    #[cfg(feature = "log")]
    {
        second::DIVIDER.write(CLOCK / BAUD);
        second::CONTROL.write(0b01);
    }
    SYSTICK_RELOAD.write(CLOCK / 1000 - 1);
    SYSTICK_VALUE.write(0);
    SYSTICK_CONTROL.write(0b111);
}

pub(crate) fn receive() -> Option<u8> {
    INTERRUPT.write(0b10);
    let state = STATE.read();
    if state & RECEIVED_FULL == 0 {
        return None;
    }
    let byte = DATA.read() as u8;
    if state & OVERRUN == 0 {
        return Some(byte);
    }
    STATE.write(OVERRUN);
    Some(0)
}

pub(crate) fn send(byte: u8) -> bool {
    let room = STATE.read() & SENT_FULL == 0;
    if room {
        DATA.write(u32::from(byte));
    }
    room
}

/// A byte for the log, if its UART takes one.
#[cfg(feature = "log")]
pub(crate) fn log(byte: u8) -> bool {
    let room = second::STATE.read() & SENT_FULL == 0;
    if room {
        second::DATA.write(u32::from(byte));
    }
    room
}

pub(crate) fn listen(yes: bool) {
    enable(RECEIVE, yes);
}

pub(crate) fn now() -> u64 {
    loop {
        let high = WRAPS.load(Ordering::Relaxed);
        let low = NOW.load(Ordering::Relaxed);
        if WRAPS.load(Ordering::Relaxed) == high {
            return u64::from(high) << 32 | u64::from(low);
        }
    }
}

pub(crate) fn set_led(on: bool) {
    LEDS.write(u32::from(on));
}

pub(crate) fn led() -> u32 {
    LEDS.read()
}

pub(crate) fn id() -> u32 {
    CPUID.read()
}

#[unsafe(no_mangle)]
extern "C" fn on_tick() {
    let now = NOW.load(Ordering::Relaxed).wrapping_add(1);
    NOW.store(now, Ordering::Relaxed);
    if now == 0 {
        WRAPS.store(
            WRAPS.load(Ordering::Relaxed).wrapping_add(1),
            Ordering::Relaxed,
        );
    }
    executor::wake();
}

#[unsafe(no_mangle)]
extern "C" fn on_receive() {
    uart::received();
}

#[unsafe(no_mangle)]
extern "C" fn on_sent() {
    INTERRUPT.write(0b01);
    executor::wake();
}
