//! BBC micro:bit (first edition): an nRF51822, a Cortex-M0 at 16 MHz, one UART.

use core::arch::global_asm;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};

use super::Register;
use super::cortex_m::enable;
use crate::{executor, uart};

pub(crate) const INFO: &str = "microbit, Cortex-M0, Rust";

global_asm!(
    ".section .vectors, \"a\"",
    ".global VECTORS",
    "VECTORS:",
    ".word stack_top",
    ".word reset",
    // Faults and what is not used: the chip stops, and its watchdog, if it runs, starts it again.
    ".rept 14",
    ".word halt",
    ".endr",
    ".word halt",
    ".word halt",
    ".word on_uart",
    ".rept 5",
    ".word halt",
    ".endr",
    ".word on_tick",
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

const CLOCK_START: Register = Register(0x4000_0000);

// The UART on the pins that go to the USB interface.
const START_RECEIVING: Register = Register(0x4000_2000);
const START_SENDING: Register = Register(0x4000_2008);
const RECEIVED: Register = Register(0x4000_2108);
const SENT: Register = Register(0x4000_211C);
const INTERRUPTS_ON: Register = Register(0x4000_2304);
const INTERRUPTS_OFF: Register = Register(0x4000_2308);
/// Overrun, parity, framing, break: which of the bytes that the UART holds it was, it does not say.
const ERRORS: Register = Register(0x4000_2480);
const HELD: u8 = 6;
const UART_ENABLE: Register = Register(0x4000_2500);
const PIN_TXD: Register = Register(0x4000_250C);
const PIN_RXD: Register = Register(0x4000_2514);
const RXD: Register = Register(0x4000_2518);
const TXD: Register = Register(0x4000_251C);
const BAUD: Register = Register(0x4000_2524);
const BAUD_115200: u32 = 0x01D7_E000;
const ON_RECEIVED: u32 = 1 << 2;
const ON_SENT: u32 = 1 << 7;
const UART: u32 = 2;

// A timer that counts microseconds.
const TIMER_START: Register = Register(0x4000_8000);
const TIMER_COMPARED: Register = Register(0x4000_8140);
const TIMER_SHORTCUTS: Register = Register(0x4000_8200);
const TIMER_INTERRUPTS_ON: Register = Register(0x4000_8304);
const TIMER_BITS: Register = Register(0x4000_8508);
const TIMER_PRESCALER: Register = Register(0x4000_8510);
const TIMER_COMPARE: Register = Register(0x4000_8540);
const TIMER: u32 = 8;

// The LED at the upper left: its row is driven high and its column low.
const PINS_OUT: Register = Register(0x5000_0504);
const PINS_SET: Register = Register(0x5000_0508);
const PINS_CLEAR: Register = Register(0x5000_050C);
const PINS_ARE_OUTPUTS: Register = Register(0x5000_0518);
/// The pins of the UART, by their numbers.
const TXD_PIN: u32 = 24;
const RXD_PIN: u32 = 25;
const ROW: u32 = 1 << 13;
const COLUMN: u32 = 1 << 4;

const CPUID: Register = Register(0xE000_ED00);

/// Milliseconds, and how often 32 bits of them have wrapped.
static NOW: AtomicU32 = AtomicU32::new(0);
static WRAPS: AtomicU32 = AtomicU32::new(0);

/// So many bytes more may be those that came with an error.
static SPOILT: AtomicU8 = AtomicU8::new(0);

/// A byte was sent, so its end can be waited for.
static SENDING: AtomicBool = AtomicBool::new(false);

pub(crate) fn init() {
    CLOCK_START.write(1);
    // A line at rest is high, also before the UART has it.
    PINS_SET.write(1 << TXD_PIN);
    PINS_ARE_OUTPUTS.write(ROW | COLUMN | 1 << TXD_PIN);
    PIN_TXD.write(TXD_PIN);
    PIN_RXD.write(RXD_PIN);
    BAUD.write(BAUD_115200);
    UART_ENABLE.write(4);
    START_RECEIVING.write(1);
    START_SENDING.write(1);
    INTERRUPTS_ON.write(ON_RECEIVED);
    enable(UART, true);
    TIMER_BITS.write(3);
    TIMER_PRESCALER.write(4);
    TIMER_COMPARE.write(1000);
    // It begins anew at the comparison.
    TIMER_SHORTCUTS.write(1);
    TIMER_INTERRUPTS_ON.write(1 << 16);
    enable(TIMER, true);
    TIMER_START.write(1);
}

pub(crate) fn receive() -> Option<u8> {
    if RECEIVED.read() == 0 {
        SPOILT.store(0, Ordering::Relaxed);
        return None;
    }
    RECEIVED.write(0);
    let byte = RXD.read() as u8;
    let errors = ERRORS.read();
    let spoilt = if errors != 0 {
        ERRORS.write(errors);
        HELD
    } else {
        SPOILT.load(Ordering::Relaxed)
    };
    SPOILT.store(spoilt.saturating_sub(1), Ordering::Relaxed);
    Some(if spoilt > 0 { 0 } else { byte })
}

pub(crate) fn send(byte: u8) -> bool {
    if SENDING.load(Ordering::Relaxed) && SENT.read() == 0 {
        INTERRUPTS_ON.write(ON_SENT);
        return false;
    }
    SENDING.store(true, Ordering::Relaxed);
    SENT.write(0);
    TXD.write(u32::from(byte));
    true
}

pub(crate) fn listen(yes: bool) {
    let register = if yes { INTERRUPTS_ON } else { INTERRUPTS_OFF };
    register.write(ON_RECEIVED);
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
    PINS_CLEAR.write(COLUMN);
    let register = if on { PINS_SET } else { PINS_CLEAR };
    register.write(ROW);
}

pub(crate) fn led() -> u32 {
    PINS_OUT.read() >> 13 & 1
}

pub(crate) fn id() -> u32 {
    CPUID.read()
}

#[unsafe(no_mangle)]
extern "C" fn on_uart() {
    // The end of sending wakes once; who sends asks for the next.
    INTERRUPTS_OFF.write(ON_SENT);
    uart::received();
}

#[unsafe(no_mangle)]
extern "C" fn on_tick() {
    TIMER_COMPARED.write(0);
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
