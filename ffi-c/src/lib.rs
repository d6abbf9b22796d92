//! The C library of Wireline.
//!
//! Everything here is called from C, and `include/wireline.h` is the documentation: it is
//! generated from these sources, with the conventions at its head. This crate is what the
//! functions are compiled from; a Rust program uses `wireline` itself.
//!
//! This is the only crate of the workspace's libraries with `unsafe` code. Reading a handle is
//! in one place (`handle`), and so are slices and structs of the caller's and the writing of
//! what is handed out (`args`). What keeps memory of the caller's from one call to the next
//! reads and writes it itself: `Lent` of `decoder`, `session` and `monitor`, and `Memory` of
//! `toolkit`. Structs of the header that hold a value of the core's are `HeldSend` of `session`
//! and `Held` of `message`.
#![no_std]
#![allow(non_camel_case_types, reason = "the names are C's")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the conventions at the head of the header say what a caller owes"
)]
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::arithmetic_side_effects
    )
)]

#[cfg(any(test, feature = "std"))]
extern crate std;

mod args;
mod client;
mod config;
mod decoder;
#[cfg(feature = "__fuzz")]
#[doc(hidden)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
pub mod fuzz;
mod handle;
mod json;
mod json_writer;
mod message;
mod monitor;
mod names;
mod pieces;
mod server;
mod service;
mod session;
mod slots;
mod status;
mod step;
mod stream;
mod tell;
mod toolkit;
mod version;
mod write;

pub use args::*;
pub use client::*;
pub use config::*;
pub use decoder::*;
pub use json::*;
pub use json_writer::*;
pub use message::*;
pub use monitor::*;
pub use names::*;
pub use pieces::*;
pub use server::*;
pub use service::*;
pub use session::*;
pub use slots::*;
pub use status::*;
pub use step::*;
pub use stream::*;
pub use tell::*;
pub use toolkit::*;
pub use version::*;
pub use write::*;

/// No code of the library panics, so this is never called; the linker asks for it.
#[cfg(all(feature = "panic-handler", not(feature = "std"), not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
