//! The native part of the npm package `wireline`: the core behind calls that take and fill
//! typed arrays.
//!
//! Nothing here is meant to be called by programs: `js/` has the package's interface, and
//! checks what it is given before it comes here. A call takes a chunk and describes what is
//! in it as 32-bit words, since an object or a string for each message would cost several
//! times what reading the message does.

#![cfg_attr(
    target_family = "wasm",
    allow(unreachable_pub, reason = "only napi reaches classes from outside")
)]

mod decoder;
mod encode;
mod glue;
mod limits;
mod names;
mod record;
mod session;
mod storage;
mod stream;
#[cfg(not(target_family = "wasm"))]
mod text;
#[cfg(target_family = "wasm")]
mod wasm;
