//! Small ceilings, small buffers, and more than fits: nothing is lost but what is owed.

use std::cell::Cell;
use std::rc::Rc;
use std::vec;
use std::vec::Vec;

use super::drive::{Driver, Way, whole};
use super::{Random, open, oracle, piece};
use crate::decode::{LineDecoder, Storage};
use crate::fault::FaultKind;
use crate::limits::Limits;

/// What must come through after anything at all. The shortest that every ceiling takes.
const PING: &[u8] = b"{\"method\":\"p\",\"jsonrpc\":\"2.0\",\"id\":1}";

/// Feeds a stream to decoders that are too small for it.
pub fn oversize(data: &[u8]) {
    let (setup, mut stream) = open(data);
    let least = PING.len() as u32;
    let mut limits = setup.limits;
    limits.message = limits.message.max(least);
    limits.id = limits.id.max(1);
    limits.method = limits.method.max(3);
    // The garbage, whatever it is, and then a line that is none.
    stream.push(b'\n');
    stream.extend_from_slice(PING);
    stream.push(b'\n');
    let mut random = Random::new(setup.seed);

    let expected = whole(&stream, limits);
    oracle::check(&stream, &limits, &expected);
    add_up(&stream, &expected, limits);
    for way in [Way::Chunks, Way::InPlace, Way::Mixed] {
        let most = Rc::new(Cell::new(0));
        let storage = Watched {
            inner: Vec::new(),
            most: most.clone(),
        };
        let mut driver = Driver::new(storage, limits);
        driver.feed(&stream, way, random.below(2) == 0, &mut random);
        delivered(&driver, limits);
        super::split::same("watched", &expected, &driver.items, false);
        let ceiling = (limits.bounded().message as usize + 2).max(8192);
        assert!(
            most.get() <= ceiling,
            "{} bytes of memory, {ceiling} are owed",
            most.get()
        );

        let fixed = setup.buffer.max(PING.len() + 2);
        let mut memory = vec![0; fixed];
        let mut driver = Driver::new(memory.as_mut_slice(), limits);
        driver.feed(&stream, way, random.below(2) == 0, &mut random);
        delivered(&driver, limits);
        add_up(&stream, &driver.items, limits);
    }
    // Buffers that hold next to nothing must still not panic, nor go round in circles.
    let tiny = setup.buffer % 40;
    for way in [Way::Chunks, Way::InPlace, Way::Mixed] {
        let mut memory = vec![0; tiny];
        let mut decoder = LineDecoder::new(memory.as_mut_slice(), limits);
        tiny_buffer(&mut decoder, &stream, way, &mut random);
    }
    overrun(
        &limits,
        setup.buffer.max(PING.len() + 2),
        &stream,
        &mut random,
    );
}

/// The line at the end has come, unless the stream was given up.
fn delivered<B: Storage>(driver: &Driver<B>, limits: Limits) {
    let last = driver.items.last().expect("an item");
    if driver
        .items
        .iter()
        .any(|item| item.what == Err(FaultKind::Runaway))
    {
        assert!(limits.max_discard != 0 && last.what == Err(FaultKind::Runaway));
        return;
    }
    assert_eq!(last.text, PING, "the line after the garbage: {last:?}");
}

/// Lines and their ends make up the stream: positions tell where each begins.
fn add_up(stream: &[u8], items: &[super::seen::Seen], limits: Limits) {
    let mut before = None;
    for item in items {
        let at = item.position as usize;
        assert!(
            at == 0 || stream[at - 1] == b'\n',
            "a line begins behind a line's end"
        );
        let line = &stream[at..];
        let end = line
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap_or(line.len());
        let runaway = item.what == Err(FaultKind::Runaway);
        if item.batch.is_none() && !runaway {
            let bom = usize::from(at == 0 && line.starts_with(b"\xef\xbb\xbf")) * 3;
            let cr = usize::from(end > bom && line[end - 1] == b'\r');
            assert_eq!(item.length as usize, end - bom - cr, "{item:?}");
        }
        assert!(before.is_none_or(|before| before < at || item.batch.is_some()));
        assert!(!runaway || limits.max_discard != 0);
        before = Some(at);
    }
}

/// A `Vec` that tells how long it has been.
struct Watched {
    inner: Vec<u8>,
    most: Rc<Cell<usize>>,
}

impl Storage for Watched {
    fn bytes(&self) -> &[u8] {
        self.inner.bytes()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.inner.bytes_mut()
    }

    fn capacity(&self) -> usize {
        Storage::capacity(&self.inner)
    }

    fn grow(&mut self, need: usize, most: usize) -> bool {
        let grown = self.inner.grow(need, most);
        self.most.set(self.most.get().max(self.inner.capacity()));
        grown
    }

    fn shrink(&mut self) {
        self.inner.shrink();
    }

    fn shrink_to(&mut self, least: usize) {
        Storage::shrink_to(&mut self.inner, least);
    }
}

fn tiny_buffer(decoder: &mut LineDecoder<&mut [u8]>, stream: &[u8], way: Way, random: &mut Random) {
    let mut items = 0;
    let mut rest = stream;
    while !rest.is_empty() {
        let mut bytes = piece(&mut rest, random);
        if way == Way::Chunks || way == Way::Mixed && random.below(2) == 0 {
            while decoder.next_in(&mut bytes).is_some() {
                items += 1;
            }
            assert!(bytes.is_empty());
        } else {
            while !bytes.is_empty() {
                let spare = decoder.spare();
                assert!(!spare.is_empty(), "no room");
                let count = spare.len().min(bytes.len());
                spare[..count].copy_from_slice(&bytes[..count]);
                decoder.commit(count);
                bytes = &bytes[count..];
                while decoder.next().is_some() {
                    items += 1;
                }
            }
        }
        decoder.pending();
        // A batch has an item for each element, and none is shorter than a byte and a comma.
        assert!(items <= stream.len(), "the decoder goes round in circles");
    }
    while decoder.finish().is_some() {
        items += 1;
        assert!(items <= stream.len() + 1, "the end never comes");
    }
}

/// Bytes are committed and lines are not taken out: some are lost, which is said, and the
/// line after that is read.
fn overrun(limits: &Limits, buffer: usize, stream: &[u8], random: &mut Random) {
    let mut limits = *limits;
    limits.max_discard = 0;
    limits.message = limits.message.max(PING.len() as u32);
    let mut memory = vec![0; buffer];
    let mut decoder = LineDecoder::new(memory.as_mut_slice(), limits);
    let mut rest = stream;
    let mut items = 0;
    while !rest.is_empty() {
        let mut bytes = piece(&mut rest, random);
        while !bytes.is_empty() {
            let spare = decoder.spare();
            assert!(!spare.is_empty(), "no room");
            let count = spare.len().min(bytes.len());
            spare[..count].copy_from_slice(&bytes[..count]);
            decoder.commit(count);
            bytes = &bytes[count..];
        }
        // Now and then some are taken out.
        for _ in 0..random.below(3) {
            items += usize::from(decoder.next().is_some());
        }
        if random.below(4) == 0 {
            decoder.pending();
        }
    }
    while decoder.next().is_some() {
        items += 1;
        assert!(items <= stream.len(), "the decoder goes round in circles");
    }
    // All is out and the last line was ended, if its end was not lost: then a line feed
    // ends what is left of it.
    for line in [b"\n", PING, b"\n"] {
        let mut rest: &[u8] = line;
        while !rest.is_empty() {
            let spare = decoder.spare();
            let count = spare.len().min(rest.len());
            spare[..count].copy_from_slice(&rest[..count]);
            decoder.commit(count);
            rest = &rest[count..];
            let mut last = None;
            while let Some(item) = decoder.next() {
                last = Some(item.is_ok_and(|message| message.as_bytes() == PING));
            }
            if line == b"\n" && last.is_some() {
                rest = &[];
            }
            if let Some(true) = last {
                return;
            }
        }
    }
    panic!("the line after an overrun did not come");
}
