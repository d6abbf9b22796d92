//! An allocation-free, sans-IO, `no_std` protocol core for the Model Context Protocol:
//! newline-framed JSON-RPC 2.0, read, checked, classified and written.
//!
//! It does no I/O, has no clock, calls nothing back, and has no heap, unless the feature
//! `std` is on and a decoder is given a `Vec` or a session `HeapMemory`. The loop is the
//! caller's:
//!
//! ```
//! use wireline::encode::Outgoing;
//! use wireline::json::RawJson;
//! use wireline::{Kind, Limits, LineDecoder};
//!
//! // The memory: 256 bytes for lines, and the decoder's state beside them.
//! let mut decoder = LineDecoder::new([0u8; 256], Limits::EMBEDDED);
//! let mut sent = Vec::new();
//! let received: [&[u8]; 2] = [b"{\"jsonrpc\":\"2.0\",\"id\":7,", b"\"method\":\"ping\"}\n"];
//! for chunk in received {
//!     let mut rest = chunk;
//!     while let Some(item) = decoder.next_in(&mut rest) {
//!         match item.result() {
//!             Ok(message) if message.kind() == Kind::Request => {
//!                 let answer = match message.id() {
//!                     Some(id) if message.method().is_some_and(|m| m == "ping") => {
//!                         Outgoing::result(id, RawJson::EMPTY_OBJECT)
//!                     }
//!                     Some(id) => Outgoing::error(id, -32601, "Method not found"),
//!                     None => continue,
//!                 };
//!                 let mut line = [0u8; 128];
//!                 let n = answer.write(&mut line).unwrap();
//!                 sent.extend_from_slice(&line[..n]);
//!             }
//!             Ok(_) => {}
//!             Err(fault) => eprintln!("{fault}"), // the next line is read as if it had not been
//!         }
//!     }
//! }
//! assert_eq!(sent, b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n");
//! ```
//!
//! The layers stand on one another, and each can be used alone:
//!
//! * [`json`]: the RFC 8259 grammar, resumable at any byte, and a writer;
//! * [`LineDecoder`], [`StreamDecoder`], [`parse`]: messages out of bytes;
//! * [`encode`]: bytes out of messages;
//! * [`mcp`], [`rules`]: the protocol's names, revisions and payloads; the rules that both
//!   sides are held to;
//! * [`session`]: who may say what, when, and who is waiting for what, in either role;
//! * [`monitor`]: the same rules over lines that others wrote;
//! * [`server`], [`client`]: tables of tools and calls to pull; lists and typed calls;
//! * `io`, with the feature of that name: connections over byte streams, blocking and
//!   async.
//!
//! A line that is no message comes back as [`Rejected`], with a [`FaultKind`], an offset,
//! and the id that an answer may carry; [`Limits`] says which ceilings there are.
//!
//! Features, all off by default: `wide`, `std`, `batch`, `tasks`, `io`, `serde`, `defmt`. Turning one
//! on never changes what existing calls do.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::arithmetic_side_effects,
        clippy::string_slice,
        clippy::disallowed_methods
    )
)]

#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod client;
mod decode;
pub mod encode;
mod envelope;
mod fault;
#[cfg(feature = "__fuzz")]
#[doc(hidden)]
pub mod fuzz;
mod id;
#[cfg(feature = "io")]
pub mod io;
pub mod json;
mod limits;
#[cfg(feature = "defmt")]
mod logging;
pub mod mcp;
mod message;
pub mod monitor;
pub mod rules;
#[cfg(feature = "serde")]
mod serde_support;
pub mod server;
pub mod session;
mod text;

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

pub use decode::{
    BufferTooSmall, Counters, Head, Item, LineDecoder, Part, Pending, Storage, StreamDecoder,
    StreamEvent, parse,
};
pub use fault::{FaultClass, FaultKind, Rejected, Shape};
pub use id::{Id, IdKind};
pub use limits::{Limits, Profile};
pub use message::{BatchPlace, ErrorObject, Flags, Kind, Message, Meta};
pub use rules::{Level, Rule, Violations, Who};
