//! A device that reads lines and answers them: the line decoder and the encoder.
#![no_std]
#![no_main]

#[unsafe(no_mangle)]
fn image() {
    let [line, answer] = gates::memory();
    gates::device::serve(line, answer, gates::read, gates::write);
}
