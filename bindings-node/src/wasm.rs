//! The same functions as those of the addon, as exports of a WebAssembly module.
//!
//! An export has the name and the arguments of its like in `native.d.cts`; a method gets its
//! object's address first. Numbers and flags are passed as they are. Bytes, words, numbers
//! and texts are passed by the address of a block in linear memory that holds their count in
//! its first four bytes and the elements from its ninth byte on. What is no number comes
//! back in the answer, which is read before the next call. The module imports nothing.

mod answer;
mod block;
pub(crate) mod types;

use crate::decoder::{Decoder, fault_kinds, meta};
use crate::encode::{encode, forward};
use crate::session::Session;
use crate::stream::Stream;
use answer::{Give, failed};
use block::{Bytes, Flag, MaybeText, Numbers, Take, Text, Texts, Words, WordsMut};
use types::{Env, ObjectFinalize};

static ENV: Env = Env;

/// Exports functions under the names that JavaScript has them by.
macro_rules! functions {
    ($($name:literal: $function:ident $([$env:expr])? ($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn export($($argument: $kind),*) -> $result {
                // SAFETY: JavaScript passes addresses of blocks that it has filled, and that
                // nothing else touches before this returns.
                $(let $argument = unsafe { $argument.take() };)*
                $function($($env,)? $($argument),*).give()
            }
        };
    )*};
}

/// Exports a class: its constructor, which returns 0 if it fails, its methods, and what
/// frees an object.
macro_rules! class {
    ($class:ident, $new:literal($($part:ident: $part_kind:ty),*), $free:literal;
     $($name:literal: $method:ident $([$env:expr])? ($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        const _: () = {
            #[unsafe(export_name = $new)]
            unsafe extern "C" fn new($($part: $part_kind),*) -> *mut $class {
                // SAFETY: as for functions.
                $(let $part = unsafe { $part.take() };)*
                match $class::new(ENV, $($part),*) {
                    Ok(object) => Box::into_raw(Box::new(object)),
                    Err(bad) => {
                        failed(bad);
                        std::ptr::null_mut()
                    }
                }
            }

            #[unsafe(export_name = $free)]
            unsafe extern "C" fn free(object: *mut $class) {
                // SAFETY: the address came from the constructor, and JavaScript frees an
                // object once, when it has no more reference to it.
                let object = unsafe { Box::from_raw(object) };
                // It cannot fail here.
                let _ = object.finalize(ENV);
            }
        };
        $(const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn export(object: *mut $class, $($argument: $kind),*) -> $result {
                // SAFETY: the address came from the constructor, and JavaScript keeps the
                // object for as long as it has it; calls do not overlap.
                let object = unsafe { &mut *object };
                // SAFETY: as for functions.
                $(let $argument = unsafe { $argument.take() };)*
                object.$method($($env,)? $($argument),*).give()
            }
        };)*
    };
}

functions! {
    "encode": encode[&ENV](kind: u32, id: Text, null_id: Flag, text: Text, code: f64, payload: Bytes, json_rpc: Flag) -> u32;
    "forward": forward[&ENV](text: Bytes, options: Words, tokens: Texts) -> u32;
    "meta": meta(text: Bytes, options: Words, words: WordsMut) -> u32;
    "faultKinds": fault_kinds() -> u32;
}

class! {
    Decoder, "Decoder.new"(options: Words, from: u32), "Decoder.free";
    "Decoder.decode": decode(chunk: Bytes, at: u32, leave: Flag, words: WordsMut) -> f64;
    "Decoder.finish": finish(words: WordsMut) -> f64;
    "Decoder.parse": parse(text: Bytes, words: WordsMut) -> f64;
    "Decoder.takeExtra": take_extra[&ENV]() -> u32;
    "Decoder.pending": pending() -> u32;
    "Decoder.limits": limits() -> u32;
    "Decoder.reset": reset() -> ();
}

class! {
    Stream, "StreamDecoder.new"(options: Words, from: u32), "StreamDecoder.free";
    "StreamDecoder.decode": decode(chunk: Bytes, at: u32, words: WordsMut) -> f64;
    "StreamDecoder.finish": finish(words: WordsMut) -> f64;
    "StreamDecoder.takeExtra": take_extra[&ENV]() -> u32;
    "StreamDecoder.reset": reset() -> ();
}

class! {
    Session, "Session.new"(texts: Texts, capabilities: Bytes, more: Bytes, numbers: Numbers, limits: Words), "Session.free";
    "Session.receive": receive(chunk: Bytes, at: u32, leave: Flag, now: f64, words: WordsMut) -> f64;
    "Session.expire": expire(now: f64, words: WordsMut) -> f64;
    "Session.close": close(now: f64, words: WordsMut) -> f64;
    "Session.takeExtra": take_extra[&ENV]() -> u32;
    "Session.takeSent": take_sent[&ENV]() -> u32;
    "Session.nextTimeout": next_timeout() -> f64;
    "Session.state": state() -> u32;
    "Session.pending": pending() -> f64;
    "Session.incoming": incoming(handle: f64) -> u32;
    "Session.peerHas": peer_has(handle: f64, path: Text) -> u32;
    "Session.respond": respond[&ENV](handle: f64, result: Bytes, meta: Bytes, ttl: f64, public: Flag) -> u32;
    "Session.fail": fail[&ENV](handle: f64, code: f64, message: Text, data: Bytes) -> u32;
    "Session.progress": progress[&ENV](handle: f64, progress: Text, total: Text, message: MaybeText) -> u32;
    "Session.request": request[&ENV](method: Text, params: Bytes, meta: Bytes, numbers: Numbers, log_level: Text, now: f64, words: WordsMut) -> u32;
    "Session.ping": ping[&ENV](now: f64, words: WordsMut) -> u32;
    "Session.notify": notify[&ENV](method: Text, params: Bytes) -> u32;
    "Session.cancel": cancel(handle: f64, reason: Text, words: WordsMut) -> f64;
    "Session.connect": connect[&ENV](legacy: Flag, now: f64) -> u32;
    "Session.assume": assume(revision: Text, capabilities: Bytes) -> u32;
    "Session.retry": retry[&ENV](handle: f64, params: Bytes, answers: Bytes, state: Bytes, meta: Bytes, numbers: Numbers, log_level: Text, now: f64) -> u32;
    "Session.listen": listen[&ENV](flags: u32, uris: Bytes, now: f64, words: WordsMut) -> u32;
    "Session.ask": ask[&ENV](handle: f64, keys: Texts, methods: Texts, params: Bytes, state: MaybeText) -> u32;
    "Session.failForCapability": fail_for_capability[&ENV](handle: f64, required: Bytes) -> u32;
    "Session.accept": accept[&ENV](handle: f64, flags: u32, uris: Bytes) -> u32;
    "Session.changed": changed[&ENV](handle: f64, what: u32, uri: Text) -> u32;
    "Session.endSubscription": end_subscription[&ENV](handle: f64) -> u32;
    "Session.log": log[&ENV](handle: f64, level: Text, logger: Text, data: Bytes) -> u32;
}
