//! A stream comes to the same however it is cut.

use std::vec;
use std::vec::Vec;

use super::drive::{Driver, Way, whole};
use super::seen::Seen;
use super::{Random, Setup, open, oracle};
use crate::decode::Storage;
use crate::limits::Limits;

/// Feeds one stream in many ways, and holds what comes against the stream as one chunk,
/// and that against an independent reader.
pub fn split(data: &[u8]) {
    let (setup, stream) = open(data);
    let expected = whole(&stream, setup.limits);
    oracle::check(&stream, &setup.limits, &expected);

    let mut random = Random::new(setup.seed);
    for way in [Way::Chunks, Way::InPlace, Way::Mixed] {
        for ask in [false, true] {
            run(
                Vec::new(),
                setup.limits,
                &stream,
                way,
                ask,
                &mut random,
                &expected,
                true,
            );
        }
    }

    // Fixed buffers lower the ceilings, so that they are held against those.
    let bounded = setup.limits.within(setup.buffer);
    let expected = whole(&stream, bounded);
    oracle::check(&stream, &bounded, &expected);
    for way in [Way::Chunks, Way::InPlace, Way::Mixed] {
        let mut memory = vec![0xa5; setup.buffer];
        let ask = random.below(2) == 0;
        run(
            memory.as_mut_slice(),
            bounded,
            &stream,
            way,
            ask,
            &mut random,
            &expected,
            false,
        );
    }
    let in_heapless = setup.limits.within(256);
    let expected = whole(&stream, in_heapless);
    run(
        heapless::Vec::<u8, 256>::new(),
        in_heapless,
        &stream,
        Way::InPlace,
        true,
        &mut random,
        &expected,
        false,
    );
    byte_by_byte(&setup, &stream);
}

/// The smallest pieces there are.
fn byte_by_byte(setup: &Setup, stream: &[u8]) {
    let stream = stream.get(..2048).unwrap_or(stream);
    let expected = whole(stream, setup.limits);
    let mut over_chunks = Driver::new(Vec::new(), setup.limits);
    let mut in_place = Driver::new(Vec::new(), setup.limits);
    for byte in stream.chunks(1) {
        over_chunks.chunk(byte);
        in_place.in_place(byte);
    }
    over_chunks.end();
    in_place.end();
    let roomy = setup.limits.message >= 512;
    same(
        "byte by byte, over chunks",
        &expected,
        &over_chunks.items,
        roomy,
    );
    same("byte by byte, in place", &expected, &in_place.items, roomy);
}

#[expect(clippy::too_many_arguments, reason = "each of them varies by itself")]
fn run<B: Storage>(
    storage: B,
    limits: Limits,
    stream: &[u8],
    way: Way,
    ask: bool,
    random: &mut Random,
    expected: &[Seen],
    roomy: bool,
) {
    let mut driver = Driver::new(storage, limits);
    driver.feed(stream, way, ask, random);
    // A short buffer keeps fewer of a line's first bytes, one that may grow no further too.
    let roomy = roomy && limits.message >= 512;
    let what = std::format!("{way:?}, asking: {ask}, roomy: {roomy}");
    same(&what, expected, &driver.items, roomy);
}

/// Items are equal; of a rejected line's first bytes a small buffer may keep fewer.
pub(super) fn same(way: &str, expected: &[Seen], items: &[Seen], roomy: bool) {
    for (index, (a, b)) in expected.iter().zip(items).enumerate() {
        let mut a = a.clone();
        if !roomy && a.excerpt.starts_with(&b.excerpt) {
            a.excerpt.clone_from(&b.excerpt);
        }
        assert_eq!(
            a, *b,
            "item {index} differs ({way}); left: the whole stream at once"
        );
    }
    assert_eq!(
        expected.len(),
        items.len(),
        "number of items ({way}): {expected:?} {items:?}"
    );
}
