//! What a device does with messages that fit in no buffer of its own: their bodies pass by, answers leave in pieces.

use core::mem::MaybeUninit;

use wireline::encode::{MessageWriter, Outgoing, Payload, WriteError};
use wireline::{Head, Id, Kind, Limits, StreamDecoder, StreamEvent, parse};

use crate::device;

/// What a stream decoder needs beside the memory it is lent.
pub const STATE: usize = size_of::<StreamDecoder<'static>>() - size_of::<&'static mut [u8]>();

/// The memory that the decoder is lent; the rest of the buffer keeps short bodies.
const LENT: usize = 192;

/// A fresh decoder over lent memory.
#[inline(never)]
fn decoder(lent: &'static mut [u8]) -> Option<&'static mut StreamDecoder<'static>> {
    static mut PLACE: MaybeUninit<StreamDecoder<'static>> = MaybeUninit::uninit();
    let decoder = StreamDecoder::new(lent, Limits::EMBEDDED).ok()?;
    // SAFETY: one thread and no interrupts, and an image lets go of a decoder before it asks for another.
    Some(unsafe { (*(&raw mut PLACE)).write(decoder) })
}

/// What stands around a message that something else frames, as HTTP would: start and end of text.
const FRAME: [u8; 2] = [2, 3];

/// Reads messages until the input ends and answers them.
pub fn serve(
    buffer: &'static mut [u8],
    out: &mut [u8],
    read: &mut dyn FnMut() -> Option<u8>,
    write: &mut dyn FnMut(&[u8]),
) {
    let Some((lent, kept)) = buffer.split_at_mut_checked(LENT) else {
        return;
    };
    let Some(decoder) = decoder(lent) else {
        return;
    };
    let mut body = Body { kept, len: 0 };
    while let Some(byte) = read() {
        if byte == FRAME[0] {
            while let Some(byte) = read().filter(|byte| *byte != FRAME[1]) {
                body.keep(byte);
            }
            framed(body.text(), out, write);
            body.len = 0;
        } else {
            step(decoder, byte, &mut body, out, write);
        }
    }
    end(decoder, &mut body, out, write);
}

/// The body of the message at hand: how long it is, and as much of it as is kept.
struct Body<'b> {
    kept: &'b mut [u8],
    len: usize,
}

impl Body<'_> {
    fn keep(&mut self, byte: u8) {
        if let Some(slot) = self.kept.get_mut(self.len) {
            *slot = byte;
        }
        self.len += 1;
    }

    fn text(&self) -> &[u8] {
        self.kept.get(..self.len).unwrap_or(self.kept)
    }
}

#[inline(never)]
fn step(
    decoder: &mut StreamDecoder<'_>,
    byte: u8,
    body: &mut Body<'_>,
    out: &mut [u8],
    write: &mut dyn FnMut(&[u8]),
) {
    let mut left = core::slice::from_ref(&byte);
    loop {
        let (used, event) = decoder.step(left);
        left = left.get(used..).unwrap_or(&[]);
        if let StreamEvent::NeedInput = event {
            return;
        }
        take(&event, body, out, write);
    }
}

#[inline(never)]
fn end(
    decoder: &mut StreamDecoder<'_>,
    body: &mut Body<'_>,
    out: &mut [u8],
    write: &mut dyn FnMut(&[u8]),
) {
    if let Some(event) = decoder.finish() {
        take(&event, body, out, write);
    }
}

#[inline(never)]
fn take(
    event: &StreamEvent<'_>,
    body: &mut Body<'_>,
    out: &mut [u8],
    write: &mut dyn FnMut(&[u8]),
) {
    match event {
        StreamEvent::NeedInput | StreamEvent::Head(_) => {}
        StreamEvent::Body { bytes, .. } => bytes.iter().for_each(|byte| body.keep(*byte)),
        StreamEvent::End(head) => {
            if head.kind() == Some(Kind::Request) {
                reply(head, body.text(), body.len, out, write);
            }
            body.len = 0;
        }
        StreamEvent::Fault(rejected) => {
            device::answer(&Err(*rejected), out, write);
            body.len = 0;
        }
    }
}

/// Answers a message that something else framed.
#[inline(never)]
fn framed(text: &[u8], out: &mut [u8], write: &mut dyn FnMut(&[u8])) {
    device::answer(&parse(text, &Limits::EMBEDDED), out, write);
}

/// Answers a request in pieces: its method, its body as far as it was kept, in base64, and how long it was.
#[inline(never)]
fn reply(head: &Head<'_>, kept: &[u8], len: usize, out: &mut [u8], write: &mut dyn FnMut(&[u8])) {
    let Some(id) = head.id() else { return };
    let Ok(mut message) = MessageWriter::new(Outgoing::result(id, Payload::None)) else {
        return;
    };
    // Small pieces, to go through every cut there is.
    let out = out.get_mut(..16).unwrap_or(&mut []);
    let mut line = Line { out, write };
    if line.compose(&mut message, head, kept, len).is_err() {
        let ended = message.abort(line.out);
        (line.write)(line.out.get(..ended).unwrap_or(&[]));
    }
}

/// A call of a [`MessageWriter`] that takes input and writes.
type Step<'m> = fn(&mut MessageWriter<'m>, &[u8], &mut [u8]) -> Result<(usize, usize), WriteError>;

/// A line that is being written, and where it goes.
struct Line<'o> {
    out: &'o mut [u8],
    write: &'o mut dyn FnMut(&[u8]),
}

impl Line<'_> {
    fn compose<'m>(
        &mut self,
        message: &mut MessageWriter<'m>,
        head: &Head<'_>,
        kept: &[u8],
        len: usize,
    ) -> Result<(), WriteError> {
        self.put(message, b"{\"method\":", MessageWriter::body)?;
        message.begin_text()?;
        let method = head.method().map_or(&[][..], |method| method.raw_bytes());
        self.put(message, method, MessageWriter::text)?;
        message.end_string()?;
        self.put(message, b",\"body\":", MessageWriter::body)?;
        message.begin_base64()?;
        self.put(message, kept, MessageWriter::base64)?;
        message.end_string()?;
        self.put(message, b",\"size\":", MessageWriter::body)?;
        let mut digits = [0; 20];
        let size = Id::integer(len as i64, &mut digits);
        self.put(message, size.as_bytes(), MessageWriter::body)?;
        self.put(message, b"}", MessageWriter::body)?;
        loop {
            let written = message.finish(self.out)?;
            if written == 0 {
                return Ok(());
            }
            (self.write)(self.out.get(..written).unwrap_or(&[]));
        }
    }

    fn put<'m>(
        &mut self,
        message: &mut MessageWriter<'m>,
        input: &[u8],
        step: Step<'m>,
    ) -> Result<(), WriteError> {
        let mut left = input;
        while !left.is_empty() {
            let (used, written) = step(message, left, self.out)?;
            left = left.get(used..).unwrap_or(&[]);
            (self.write)(self.out.get(..written).unwrap_or(&[]));
        }
        Ok(())
    }
}
