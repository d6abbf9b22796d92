//! A small server: the line decoder and the encoder, and what most devices need of them.
#![no_std]
#![no_main]

use gates::device;

#[unsafe(no_mangle)]
fn image() {
    let [buffer, out] = gates::memory();
    device::serve_plainly(device::decoder(buffer), out, gates::read, gates::write);
}
