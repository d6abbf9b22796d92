//! An allocation-free, sans-IO, `no_std` protocol core for the Model Context Protocol:
//! newline-framed JSON-RPC 2.0, read, checked, classified and written.
//!
//! The layers stand on one another, and each can be used alone:
//!
//! * [`json`]: the RFC 8259 grammar, resumable at any byte;
//! * [`LineDecoder`], [`StreamDecoder`], [`parse`]: messages out of bytes;
//! * [`encode`]: bytes out of messages;
//! * [`io`](https://docs.rs/embedded-io) (feature `io`): connections over byte streams.
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

#[cfg(feature = "std")]
extern crate std;

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
mod message;
#[cfg(feature = "serde")]
mod serde_support;
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
