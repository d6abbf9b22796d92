//! The peers, each wrapped so that it does the same work: frames the stream,
//! checks every line whole, and reads kind, id and method of every message.

#[cfg(feature = "peer-jiter")]
pub mod jiter;
pub mod parts;
#[cfg(feature = "peer-rmcp")]
pub mod rmcp;
#[cfg(feature = "peer-serde")]
pub mod serde_json;
#[cfg(feature = "peer-simd")]
pub mod simd_json;
#[cfg(feature = "peer-sonic")]
pub mod sonic_rs;
