//! What the functions of this crate take and return besides plain numbers and slices: the
//! types of `napi`, or for WebAssembly their like, so that both have the very same functions.

#[cfg(not(target_family = "wasm"))]
pub(crate) use napi::{
    Env, Error, Result,
    bindgen_prelude::{BufferSlice, ObjectFinalize, Uint32ArraySlice},
};

#[cfg(target_family = "wasm")]
pub(crate) use crate::wasm::types::{
    BufferSlice, Env, Error, ObjectFinalize, Result, Uint32ArraySlice,
};
