//! The control: an image that can panic. A gate that finds nothing here is blind.
#![no_std]
#![no_main]

#[unsafe(no_mangle)]
fn image() {
    let table = [b'a', b'b', b'c'];
    while let Some(byte) = gates::read() {
        let mut copy = [0; 2];
        copy.copy_from_slice(&table[..usize::from(byte & 3)]);
        gates::write(&copy);
    }
}
