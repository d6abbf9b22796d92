//! The line decoder, and single messages that something else framed.

use crate::encode::{Coded, copied, error};
use crate::glue::{
    BufferSlice, Env, Error, ObjectFinalize, Result as NapiResult, Uint32ArraySlice,
};
use crate::limits::{limits, numbers};
use crate::names::Names;
use crate::record::{self, FAULT, HEADER, MESSAGE};
use crate::storage::{Growing, NoMemory};
use memchr::memrchr;
use napi_derive::napi;
use wireline::mcp::Side;
use wireline::{Item, LineDecoder, Message, Rejected, parse};

/// A line of which so much has come is read as it comes, so that its end is no long halt.
pub(crate) const LONG: usize = 1 << 20;
/// So many extra bytes end a call early.
pub(crate) const MUCH: usize = 1 << 20;

/// Which side writes what is decoded, as JavaScript says it: 0 is unknown.
pub(crate) fn side(number: u32) -> Option<Side> {
    match number {
        1 => Some(Side::Client),
        2 => Some(Side::Server),
        _ => None,
    }
}

/// The words that JavaScript lends for a call.
pub(crate) fn writable<'a>(words: &'a mut Uint32ArraySlice<'_>) -> &'a mut [u32] {
    // SAFETY: JavaScript does not run before the call returns, and the array is one that
    // `js/` made for this: it is not shared, and overlaps none of the other arguments.
    unsafe { words.as_mut() }
}

/// Room for records, taken from its front.
struct Records<'a> {
    rest: &'a mut [u32],
    used: usize,
}

impl<'a> Records<'a> {
    fn take<const N: usize>(&mut self) -> Option<&'a mut [u32; N]> {
        let rest = std::mem::take(&mut self.rest);
        let (record, rest) = rest.split_first_chunk_mut::<N>()?;
        self.rest = rest;
        self.used += N;
        Some(record)
    }
}

/// `LineDecoder` behind one call per chunk.
#[napi(js_name = "Decoder", custom_finalize)]
pub struct Decoder {
    decoder: LineDecoder<Growing>,
    names: Names,
    extra: Vec<u8>,
    from: Option<Side>,
    /// Bytes since the last item.
    since: usize,
}

/// What a decoder usually takes outside of JavaScript's memory, which the garbage collector
/// is told of.
const WEIGHT: i64 = 8 << 10;

impl ObjectFinalize for Decoder {
    fn finalize(self, env: Env) -> NapiResult<()> {
        env.adjust_external_memory(-WEIGHT).map(drop)
    }
}

#[napi]
impl Decoder {
    /// A decoder at the start of a stream.
    ///
    /// # Errors
    ///
    /// When JavaScript is being shut down.
    #[napi(constructor)]
    pub fn new(env: Env, options: &[u32], from: u32) -> Result<Self, Error<String>> {
        env.adjust_external_memory(WEIGHT)
            .or_else(|bad| error("OUT_OF_MEMORY", bad))?;
        Ok(Decoder {
            decoder: LineDecoder::new(Growing::default(), limits(options)),
            names: Names::new(),
            extra: Vec::new(),
            from: side(from),
            since: 0,
        })
    }

    /// Reads a chunk from `at` on and writes what it holds as records to `words`.
    ///
    /// With `leave`, an unfinished line behind a finished one is left to the caller, who
    /// gives it again with more behind it: so that it need not be put together here.
    ///
    /// Returns how many words are used. The first four are: how far in the chunk it came,
    /// the bytes for `takeExtra`, whether the decoder is closed, and whether the chunk is
    /// done with.
    ///
    /// # Errors
    ///
    /// When there is no memory for what it has found, which is lost then.
    #[napi]
    pub fn decode(
        &mut self,
        chunk: &[u8],
        at: u32,
        leave: bool,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<u32, Error<String>> {
        let Some((header, rest)) = writable(&mut words).split_first_chunk_mut::<HEADER>() else {
            return Ok(0);
        };
        let mut records = Records { rest, used: HEADER };
        let mut input = chunk.get(at as usize..).unwrap_or(&[]);
        let mut left: &[u8] = &[];
        if leave && let Some(last) = memrchr(b'\n', input) {
            (input, left) = input.split_at(last + 1);
        }
        let mut done = false;
        self.extra.clear();
        while records.rest.len() >= FAULT && self.extra.len() < MUCH {
            let before = input.len();
            let found = match self.decoder.next_in(&mut input) {
                None => {
                    self.since = self.since.saturating_add(before);
                    done = true;
                    break;
                }
                Some(Item::InChunk(Ok(message))) => {
                    let base = (message.as_bytes().as_ptr() as usize)
                        .wrapping_sub(chunk.as_ptr() as usize);
                    if let Some(out) = records.take::<MESSAGE>() {
                        record::message(out, &message, base, false, &mut self.names);
                    }
                    self.since = 0;
                    continue;
                }
                Some(Item::InChunk(Err(rejected))) => Err(rejected),
                Some(Item::InBuffer(result)) => result,
            };
            self.since = 0;
            match found {
                Ok(message) => kept(&mut records, &message, &mut self.extra, &mut self.names)?,
                Err(rejected) => {
                    // The line's number and place are known once it is no longer borrowed.
                    let out = refused(&mut records, &rejected, &mut self.extra, self.from)?;
                    if let Some(out) = out {
                        located(out, self.decoder.line(), self.decoder.position());
                    }
                }
            }
        }
        if self.since > LONG {
            self.decoder.pending();
        }
        header[0] = (chunk.len() - input.len() - left.len()) as u32;
        header[1] = self.extra.len() as u32;
        header[2] = self.decoder.is_closed().into();
        header[3] = done.into();
        Ok(records.used as u32)
    }

    /// The end of the input. As `decode`, to be called until it returns no record.
    ///
    /// # Errors
    ///
    /// As `decode`.
    #[napi]
    pub fn finish(&mut self, mut words: Uint32ArraySlice<'_>) -> Result<u32, Error<String>> {
        let Some((header, rest)) = writable(&mut words).split_first_chunk_mut::<HEADER>() else {
            return Ok(0);
        };
        let mut records = Records { rest, used: HEADER };
        self.extra.clear();
        self.since = 0;
        while records.rest.len() >= FAULT && self.extra.len() < MUCH {
            match self.decoder.finish() {
                None => break,
                Some(Ok(message)) => {
                    kept(&mut records, &message, &mut self.extra, &mut self.names)?;
                }
                Some(Err(rejected)) => {
                    let out = refused(&mut records, &rejected, &mut self.extra, self.from)?;
                    if let Some(out) = out {
                        located(out, self.decoder.line(), self.decoder.position());
                    }
                }
            }
        }
        *header = [0, self.extra.len() as u32, 0, 0];
        header[2] = self.decoder.is_closed().into();
        Ok(records.used as u32)
    }

    /// Reads one message that something else framed.
    ///
    /// # Errors
    ///
    /// As `decode`.
    #[napi]
    pub fn parse(
        &mut self,
        text: &[u8],
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<u32, Error<String>> {
        let Some((header, rest)) = writable(&mut words).split_first_chunk_mut::<HEADER>() else {
            return Ok(0);
        };
        let mut records = Records { rest, used: HEADER };
        self.extra.clear();
        match parse(text, self.decoder.limits()) {
            Ok(message) => {
                let base =
                    (message.as_bytes().as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
                if let Some(out) = records.take::<MESSAGE>() {
                    record::message(out, &message, base, false, &mut self.names);
                }
            }
            Err(rejected) => {
                let out = refused(&mut records, &rejected, &mut self.extra, self.from)?;
                if let Some(out) = out {
                    located(out, 1, 0);
                }
            }
        }
        *header = [text.len() as u32, self.extra.len() as u32, 0, 0];
        Ok(records.used as u32)
    }

    /// What the last call kept in bytes of its own.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    #[napi]
    pub fn take_extra<'env>(&mut self, env: &'env Env) -> Result<BufferSlice<'env>, Error<String>> {
        taken(env, &mut self.extra)
    }

    /// The unfinished line: its bytes, the number of its first fault or -1, and its place.
    #[napi]
    pub fn pending(&mut self) -> Vec<f64> {
        let pending = self.decoder.pending();
        let (kind, at) = match pending.fault {
            Some((kind, at)) => (f64::from(kind as u8), at as f64),
            None => (-1.0, 0.0),
        };
        vec![pending.bytes as f64, kind, at]
    }

    /// The limits in force, in the order that the constructor takes them.
    #[napi]
    pub fn limits(&self) -> Vec<u32> {
        numbers(self.decoder.limits())
    }

    /// The decoder as new.
    #[napi]
    pub fn reset(&mut self) {
        self.decoder.reset();
        self.since = 0;
    }
}

/// Extra bytes as an array: many are handed over, and not copied.
pub(crate) fn taken<'env>(env: &'env Env, extra: &mut Vec<u8>) -> Coded<BufferSlice<'env>> {
    if extra.len() < MUCH {
        return copied(env, extra);
    }
    BufferSlice::from_data(env, std::mem::take(extra)).map_err(|_| NoMemory.into())
}

/// The record of a message that lies in none of the caller's bytes.
fn kept(
    records: &mut Records<'_>,
    message: &Message<'_>,
    extra: &mut Vec<u8>,
    names: &mut Names,
) -> Result<(), NoMemory> {
    if let Some(out) = records.take::<MESSAGE>() {
        let (base, _) = record::keep(extra, message.as_bytes())?;
        record::message(out, message, base as usize, true, names);
    }
    Ok(())
}

fn refused<'a>(
    records: &mut Records<'a>,
    rejected: &Rejected<'_>,
    extra: &mut Vec<u8>,
    from: Option<Side>,
) -> Result<Option<&'a mut [u32; FAULT]>, NoMemory> {
    let Some(out) = records.take::<FAULT>() else {
        return Ok(None);
    };
    record::fault(out, rejected, extra, from)?;
    Ok(Some(out))
}

/// Adds which line of the stream a fault is of.
fn located(out: &mut [u32; FAULT], line: u64, position: u64) {
    out[16] = line as u32;
    out[17] = (line >> 32) as u32;
    out[18] = position as u32;
    out[19] = (position >> 32) as u32;
}

/// The spans of what a state machine needs of a message, in the order of `record::meta`.
#[napi]
pub(crate) fn meta(text: &[u8], options: &[u32], mut words: Uint32ArraySlice<'_>) -> bool {
    match parse(text, &limits(options)) {
        Ok(message) => {
            record::meta(writable(&mut words), &message);
            true
        }
        Err(_) => false,
    }
}

/// Every kind of fault in the order of its number: name, reason.
#[napi]
pub(crate) fn fault_kinds() -> Vec<String> {
    record::fault_names()
}
