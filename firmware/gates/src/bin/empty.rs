//! The baseline: start-up and UART, with the core left out. What the other images have beyond it is the core's.
#![no_std]
#![no_main]

#[unsafe(no_mangle)]
fn image() {
    while let Some(byte) = gates::read() {
        gates::write(&[byte]);
    }
}
