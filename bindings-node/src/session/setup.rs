//! What a session is told once, and the tables it is lent.

use crate::encode::{Coded, error, raw};
use std::collections::TryReserveError;
use std::ptr::NonNull;
use wireline::json::RawJson;
use wireline::mcp::{CacheScope, Capabilities, Revision, Revisions, Side};
use wireline::session::{Cache, Config, HeapMemory, Implementation, Policy, Slots};

// The numbers that JavaScript hands over, in their order.
const ROLE: usize = 0;
const REVISIONS: usize = 1;
const TTL: usize = 2;
const PUBLIC: usize = 3;
const POLICY: usize = 4;
const TOO_LONG_CODE: usize = 5;
const REQUEST_TIMEOUT: usize = 6;
const HARD_TIMEOUT: usize = 7;
const PROBE_TIMEOUT: usize = 8;
const ROUNDS: usize = 9;
const INBOUND: usize = 10;
const OUTBOUND: usize = 11;
const GATHER: usize = 12;

fn at(numbers: &[f64], index: usize) -> f64 {
    numbers.get(index).copied().unwrap_or(0.0)
}

/// Texts and fragments that a configuration borrows.
struct Texts {
    texts: Vec<String>,
    more: Vec<u8>,
}

/// A configuration and what it borrows, at an address that stays.
pub(crate) struct Setup {
    config: NonNull<Config<'static>>,
    texts: NonNull<Texts>,
    side: Side,
}

impl Setup {
    /// Name, version, title, instructions; capabilities, further members of theirs; numbers.
    pub(crate) fn new(
        texts: Vec<String>,
        capabilities: &[u8],
        more: &[u8],
        numbers: &[f64],
    ) -> Coded<Self> {
        let side = if at(numbers, ROLE) == 0.0 {
            Side::Client
        } else {
            Side::Server
        };
        let declared = raw(capabilities)?.unwrap_or(RawJson::EMPTY_OBJECT);
        if !super::is_object(&declared) {
            return error("BAD_PAYLOAD", "the capabilities are no object");
        }
        let capabilities = Capabilities::read(side, declared);
        let bits = at(numbers, REVISIONS) as u32;
        let revisions = Revision::ALL
            .iter()
            .filter(|it| bits & (1 << **it as u32) != 0)
            .fold(Revisions::NONE, |all, it| all.with(*it));
        let owned = Box::new(Texts {
            texts,
            more: more.to_vec(),
        });
        let texts = NonNull::from(Box::leak(owned));
        // SAFETY: the box is leaked and freed only in `drop`, after the configuration that
        // borrows it; nothing writes to it.
        let Texts { texts: list, more } = unsafe { &*texts.as_ptr() };
        let text = |index: usize| list.get(index).map_or("", String::as_str);
        let some = |index| Some(text(index)).filter(|it| !it.is_empty());
        let mut info = Implementation::new(text(0), text(1));
        info.title = some(2);
        let mut policy = Policy::DEFAULT;
        let flags = at(numbers, POLICY) as u32;
        policy.one_era = flags & 1 != 0;
        policy.answer_unparsable = flags & 2 != 0;
        policy.too_long_code = at(numbers, TOO_LONG_CODE) as i64;
        let mut config = Config::new(info)
            .with_capabilities(capabilities)
            .with_revisions(revisions)
            .with_policy(policy)
            .with_timeouts(
                at(numbers, REQUEST_TIMEOUT) as u32,
                at(numbers, HARD_TIMEOUT) as u32,
            )
            .with_probe_timeout(at(numbers, PROBE_TIMEOUT) as u32)
            .with_rounds(at(numbers, ROUNDS) as u8)
            .with_cache(Cache {
                ttl_ms: at(numbers, TTL) as u32,
                scope: if at(numbers, PUBLIC) > 0.0 {
                    CacheScope::Public
                } else {
                    CacheScope::Private
                },
            });
        config.instructions = some(3);
        let mut setup = Setup {
            config: NonNull::dangling(),
            texts,
            side,
        };
        match raw(more) {
            // Of the bytes that stay.
            Ok(members) => config.extra_capabilities = members,
            Err(bad) => {
                setup.free_texts();
                std::mem::forget(setup);
                return Err(bad);
            }
        }
        setup.config = NonNull::from(Box::leak(Box::new(config)));
        Ok(setup)
    }

    pub(crate) fn side(&self) -> Side {
        self.side
    }

    /// The configuration. Whoever borrows it must be gone before this is dropped: a
    /// `Session` drops its fields in their order.
    pub(crate) fn config(&self) -> &'static Config<'static> {
        // SAFETY: leaked in `new` and freed only in `drop`; nothing writes to it.
        unsafe { &*self.config.as_ptr() }
    }

    fn free_texts(&mut self) {
        // SAFETY: it came out of a box in `new`; called once, when nothing borrows it.
        drop(unsafe { Box::from_raw(self.texts.as_ptr()) });
    }
}

impl Drop for Setup {
    fn drop(&mut self) {
        // SAFETY: it came out of a box in `new`; the session that borrows it is gone.
        drop(unsafe { Box::from_raw(self.config.as_ptr()) });
        self.free_texts();
    }
}

/// Longest id and progress token together, for each slot.
const TOKENS: usize = 256;

/// The session's tables, and what they usually take: the bytes for batches are not touched before
/// one comes.
pub(crate) fn memory(numbers: &[f64]) -> Result<(HeapMemory, i64), TryReserveError> {
    let size = |index| at(numbers, index) as usize;
    let memory = HeapMemory::new(size(INBOUND), size(OUTBOUND), TOKENS)?;
    let tables =
        size_of_val(memory.inbound()) + size_of_val(memory.outbound()) + memory.text().len();
    Ok((
        memory.with_gather(size(GATHER))?,
        (tables + (16 << 10)) as i64,
    ))
}
