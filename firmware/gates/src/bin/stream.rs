//! A device that reads messages longer than its memory: the stream decoder, `parse`, and answers in pieces.
#![no_std]
#![no_main]

#[unsafe(no_mangle)]
fn image() {
    let [memory, answer] = gates::memory();
    gates::streamed::serve(memory, answer, &mut gates::read, &mut gates::write);
}
