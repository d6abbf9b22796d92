//! The stream decoder: bodies as they pass.

use crate::decoder::{side, writable};
use crate::encode::{copied, error};
use crate::glue::{
    BufferSlice, Env, Error, ObjectFinalize, Result as NapiResult, Uint32ArraySlice,
};
use crate::limits::limits;
use crate::record::{self, FAULT, HEADER, MESSAGE};
use crate::storage::{NoMemory, zeroes};
use napi_derive::napi;
use std::mem::ManuallyDrop;
use wireline::mcp::Side;
use wireline::{StreamDecoder, StreamEvent};

/// So many extra bytes end a call early.
const MUCH: usize = 1 << 20;

/// A decoder together with the memory that it is lent.
struct Owned {
    decoder: ManuallyDrop<StreamDecoder<'static>>,
    memory: *mut [u8],
}

impl Owned {
    fn new(limits: wireline::Limits) -> Option<Self> {
        let memory = Box::into_raw(zeroes(StreamDecoder::needed(&limits))?.into_boxed_slice());
        // SAFETY: the pointer is a box's, which only `drop` frees; nobody else holds it.
        match StreamDecoder::new(unsafe { &mut *memory }, limits) {
            Ok(decoder) => Some(Owned {
                decoder: ManuallyDrop::new(decoder),
                memory,
            }),
            Err(_) => {
                // SAFETY: as above, and the borrow has ended.
                drop(unsafe { Box::from_raw(memory) });
                None
            }
        }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: dropped once, here, and not used any more.
        unsafe { ManuallyDrop::drop(&mut self.decoder) };
        // SAFETY: the pointer came out of a box in `new`, and its only borrower is gone.
        drop(unsafe { Box::from_raw(self.memory) });
    }
}

/// `StreamDecoder` behind one call per chunk.
#[napi(js_name = "StreamDecoder", custom_finalize)]
pub struct Stream {
    owned: Owned,
    extra: Vec<u8>,
    from: Option<Side>,
}

/// What it takes outside of JavaScript's memory.
const WEIGHT: i64 = 2 << 10;

impl ObjectFinalize for Stream {
    fn finalize(self, env: Env) -> NapiResult<()> {
        env.adjust_external_memory(-WEIGHT).map(drop)
    }
}

#[napi]
impl Stream {
    /// A decoder at the start of a stream.
    ///
    /// # Errors
    ///
    /// When the limits ask for more memory than there can be.
    #[napi(constructor)]
    pub fn new(env: Env, options: &[u32], from: u32) -> Result<Self, Error<String>> {
        let owned = Owned::new(limits(options))
            .map_or_else(|| error("OUT_OF_MEMORY", "the limits cannot be met"), Ok)?;
        env.adjust_external_memory(WEIGHT)
            .or_else(|bad| error("OUT_OF_MEMORY", bad))?;
        Ok(Stream {
            owned,
            extra: Vec::new(),
            from: side(from),
        })
    }

    /// Reads a chunk from `at` on, as `Decoder.decode`. Records have the size of a message's,
    /// their last word says of what: 1 a head, 2 a piece of a body, 3 the end; or are a
    /// fault's.
    ///
    /// # Errors
    ///
    /// When there is no memory for what it has found, which is lost then.
    #[napi]
    pub fn decode(
        &mut self,
        chunk: &[u8],
        at: u32,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<u32, Error<String>> {
        let words = writable(&mut words);
        self.extra.clear();
        let mut used = HEADER;
        let mut at = at as usize;
        let mut done = false;
        // The last record, if it is a piece of a body that another may be joined to.
        let mut joinable: Option<usize> = None;
        while words.len() - used >= FAULT && self.extra.len() < MUCH {
            let input = chunk.get(at..).unwrap_or(&[]);
            let (step, event) = self.owned.decoder.step(input);
            at += step;
            match event {
                StreamEvent::NeedInput => {
                    done = true;
                    break;
                }
                StreamEvent::Head(head) => {
                    joinable = None;
                    used += put_head(&mut words[used..], &head, 1, &mut self.extra)?;
                }
                StreamEvent::Body { part, bytes } => {
                    let (offset, outside) = match place(bytes, chunk, at) {
                        Some(offset) => (offset, false),
                        None => (record::keep(&mut self.extra, bytes)?.0 as usize, true),
                    };
                    if let Some(last) = joinable
                        && !outside
                        && (words[last + 9] + words[last + 10]) as usize == offset
                    {
                        words[last + 10] += bytes.len() as u32;
                        continue;
                    }
                    let record = &mut words[used..used + MESSAGE];
                    record.fill(0);
                    record[0] = part as u32 | if outside { record::IN_EXTRA } else { 0 };
                    record[9] = offset as u32;
                    record[10] = bytes.len() as u32;
                    record[11] = 2;
                    joinable = (!outside).then_some(used);
                    used += MESSAGE;
                }
                StreamEvent::End(head) => {
                    joinable = None;
                    used += put_head(&mut words[used..], &head, 3, &mut self.extra)?;
                }
                StreamEvent::Fault(rejected) => {
                    joinable = None;
                    if let Some(out) = words[used..].first_chunk_mut::<FAULT>() {
                        record::fault(out, &rejected, &mut self.extra, self.from)?;
                    }
                    used += FAULT;
                }
            }
        }
        words[..HEADER].copy_from_slice(&[
            at as u32,
            self.extra.len() as u32,
            self.owned.decoder.is_closed().into(),
            done.into(),
        ]);
        Ok(used as u32)
    }

    /// The end of the input.
    ///
    /// # Errors
    ///
    /// As `decode`.
    #[napi]
    pub fn finish(&mut self, mut words: Uint32ArraySlice<'_>) -> Result<u32, Error<String>> {
        let words = writable(&mut words);
        self.extra.clear();
        let mut used = HEADER;
        match self.owned.decoder.finish() {
            Some(StreamEvent::End(head)) => {
                used += put_head(&mut words[used..], &head, 3, &mut self.extra)?;
            }
            Some(StreamEvent::Fault(rejected)) => {
                if let Some(out) = words[used..].first_chunk_mut::<FAULT>() {
                    record::fault(out, &rejected, &mut self.extra, self.from)?;
                }
                used += FAULT;
            }
            _ => {}
        }
        words[..HEADER].copy_from_slice(&[
            0,
            self.extra.len() as u32,
            self.owned.decoder.is_closed().into(),
            1,
        ]);
        Ok(used as u32)
    }

    /// What the last call kept in bytes of its own.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    #[napi]
    pub fn take_extra<'env>(&mut self, env: &'env Env) -> Result<BufferSlice<'env>, Error<String>> {
        copied(env, &self.extra)
    }

    /// The decoder as new.
    #[napi]
    pub fn reset(&mut self) {
        self.owned.decoder.reset();
    }
}

/// Where in the chunk a piece lies. The first byte of a body, and a CR, are told out of the
/// decoder's own memory: they are the byte before `at`, if that is in this chunk.
fn place(piece: &[u8], chunk: &[u8], at: usize) -> Option<usize> {
    let offset = (piece.as_ptr() as usize).wrapping_sub(chunk.as_ptr() as usize);
    if offset <= chunk.len() && piece.len() <= chunk.len() - offset {
        return Some(offset);
    }
    let before = at.checked_sub(1)?;
    (piece.len() == 1 && chunk.get(before) == piece.first()).then_some(before)
}

fn put_head(
    out: &mut [u32],
    head: &wireline::Head<'_>,
    event: u32,
    extra: &mut Vec<u8>,
) -> Result<usize, NoMemory> {
    if let Some(record) = out.first_chunk_mut::<MESSAGE>() {
        record::head(record, head, event, extra)?;
    }
    Ok(MESSAGE)
}
