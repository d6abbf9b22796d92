//! What a decoder's memory on the heap keeps.
#![cfg(feature = "std")]
#![allow(clippy::unwrap_used, reason = "a test")]

use std::cell::Cell;
use std::rc::Rc;

use wireline::{Limits, LineDecoder, Storage};

/// A `Vec` that tells how long it is.
struct Watched(Vec<u8>, Rc<Cell<usize>>);

impl Storage for Watched {
    fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.bytes_mut()
    }

    fn capacity(&self) -> usize {
        Storage::capacity(&self.0)
    }

    fn grow(&mut self, need: usize, most: usize) -> bool {
        let grown = self.0.grow(need, most);
        self.1.set(self.0.len());
        grown
    }

    fn shrink(&mut self) {
        self.0.shrink();
        self.1.set(self.0.len());
    }

    fn shrink_to(&mut self, least: usize) {
        Storage::shrink_to(&mut self.0, least);
        self.1.set(self.0.len());
    }
}

fn decoder(limits: Limits) -> (LineDecoder<Watched>, Rc<Cell<usize>>) {
    let length = Rc::new(Cell::new(0));
    let storage = Watched(Vec::new(), Rc::clone(&length));
    (LineDecoder::new(storage, limits), length)
}

fn in_place(decoder: &mut LineDecoder<Watched>, bytes: &[u8]) -> usize {
    let mut items = 0;
    let mut rest = bytes;
    while !rest.is_empty() {
        let spare = decoder.spare();
        let count = spare.len().min(rest.len());
        spare[..count].copy_from_slice(&rest[..count]);
        decoder.commit(count);
        rest = &rest[count..];
        while decoder.next().is_some() {
            items += 1;
        }
    }
    items
}

fn over_chunks(decoder: &mut LineDecoder<Watched>, bytes: &[u8]) -> usize {
    let mut items = 0;
    for mut chunk in bytes.chunks(64 * 1024) {
        while decoder.next_in(&mut chunk).is_some() {
            items += 1;
        }
    }
    items
}

type Feed = fn(&mut LineDecoder<Watched>, &[u8]) -> usize;

fn long(bytes: usize) -> String {
    let text = "x".repeat(bytes);
    format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"t\":\"{text}\"}}}}\n")
}

#[test]
fn the_beginning_of_a_line_keeps_none_of_what_the_line_before_had() {
    for feed in [in_place as Feed, over_chunks] {
        let (mut decoder, length) = decoder(Limits::HOST);
        let mut stream = long(1 << 20);
        stream.push('{');
        assert_eq!(feed(&mut decoder, stream.as_bytes()), 1);
        assert!(length.get() <= 16 * 1024, "{} bytes for one", length.get());
        assert_eq!(decoder.pending().bytes, 1);
        // And it goes on from there.
        let rest = long(1 << 18);
        assert_eq!(feed(&mut decoder, &rest.as_bytes()[1..]), 1);
    }
}

#[test]
fn a_line_that_is_not_stored_keeps_what_its_tokens_need() {
    for feed in [in_place as Feed, over_chunks] {
        let (mut decoder, length) = decoder(Limits::HOST.with_message(1 << 20));
        let line = long(2 << 20);
        let (front, back) = line.as_bytes().split_at(3 << 19);
        assert_eq!(feed(&mut decoder, front), 0);
        assert!(length.get() <= 4096, "{} bytes for tokens", length.get());
        let (back, end) = back.split_at(back.len() - 1);
        assert_eq!(feed(&mut decoder, back), 0);
        let mut end = end;
        let rejected = decoder.next_in(&mut end).unwrap().result().unwrap_err();
        assert_eq!(rejected.kind(), wireline::FaultKind::TooLong);
        assert_eq!(rejected.id().unwrap().as_i64(), Some(1));
        assert_eq!(rejected.length(), line.len() as u64 - 1);
    }
}
