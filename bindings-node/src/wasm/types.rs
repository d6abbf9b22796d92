//! Stand-ins for the types of `napi` that the functions name.

use std::fmt::Display;
use std::marker::PhantomData;

/// There is nothing about WebAssembly's environment to be told or asked.
#[derive(Clone, Copy)]
pub(crate) struct Env;

impl Env {
    /// A garbage collector cannot be told how much memory of the module an object holds.
    #[allow(clippy::unnecessary_wraps, reason = "the signature is napi's")]
    pub(crate) fn adjust_external_memory(&self, _change: i64) -> Result<i64> {
        Ok(0)
    }
}

/// The code of errors that have none of their own.
pub(crate) struct Generic;

impl From<Generic> for String {
    fn from(_: Generic) -> String {
        "ERR_WIRELINE_INTERNAL".to_owned()
    }
}

/// An error that JavaScript is to throw.
pub(crate) struct Error<S = Generic> {
    status: S,
    reason: String,
}

impl<S> Error<S> {
    pub(crate) fn new(status: S, reason: impl ToString) -> Self {
        Error {
            status,
            reason: reason.to_string(),
        }
    }
}

impl Error {
    pub(crate) fn from_reason(reason: &str) -> Self {
        Error::new(Generic, reason)
    }
}

impl<S: Into<String>> Error<S> {
    /// The code, and what there is to say.
    pub(crate) fn into_parts(self) -> (String, String) {
        (self.status.into(), self.reason)
    }
}

impl<S> Display for Error<S> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.reason)
    }
}

pub(crate) type Result<T, S = Generic> = std::result::Result<T, Error<S>>;

/// Bytes that JavaScript gets.
pub(crate) struct BufferSlice<'env> {
    bytes: Vec<u8>,
    env: PhantomData<&'env Env>,
}

impl<'env> BufferSlice<'env> {
    /// # Errors
    ///
    /// When there is no memory for the copy.
    pub(crate) fn copy_from(env: &'env Env, bytes: &[u8]) -> Result<Self> {
        let mut copy = Vec::new();
        if copy.try_reserve_exact(bytes.len()).is_err() {
            return Err(Error::from_reason("out of memory"));
        }
        copy.extend_from_slice(bytes);
        Self::from_data(env, copy)
    }

    #[allow(clippy::unnecessary_wraps, reason = "the signature is napi's")]
    pub(crate) fn from_data(_env: &'env Env, bytes: Vec<u8>) -> Result<Self> {
        Ok(BufferSlice {
            bytes,
            env: PhantomData,
        })
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Words that JavaScript lends for a call.
pub(crate) struct Uint32ArraySlice<'a>(pub(crate) &'a mut [u32]);

impl Uint32ArraySlice<'_> {
    /// # Safety
    ///
    /// None is asked for here; `napi`'s asks that nobody else has the words.
    pub(crate) unsafe fn as_mut(&mut self) -> &mut [u32] {
        self.0
    }
}

/// What has to be done before an object is let go of.
pub(crate) trait ObjectFinalize: Sized {
    /// # Errors
    ///
    /// Those of the environment, of which there are none here.
    fn finalize(self, env: Env) -> Result<()>;
}
