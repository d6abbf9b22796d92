//! A server that looks at everything: the line decoder with all that it tells of messages and faults, and the encoder.
#![no_std]
#![no_main]

use gates::device;

#[unsafe(no_mangle)]
fn image() {
    let [buffer, out] = gates::memory();
    device::serve_fully(
        device::decoder(buffer),
        out,
        &mut gates::read,
        &mut gates::write,
    );
}
