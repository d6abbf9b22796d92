//! Users' own types through `serde`, in both directions, without a heap.
//!
//! Written: anything that derives `Serialize`, straight into a line, whole or in pieces.
//! Read: flat structs that derive `Deserialize`, out of fragments that are validated
//! already.
//!
//! Structure and strings go through this crate's own writer and fragments; floats become
//! text by `serde-json-core`. Its reader is not used: it hands out escapes as if they
//! were text and panics at a map whose keys are no strings.

mod de;
mod ser;

pub use de::{FromJsonError, MAX_NESTED};
pub use ser::{Serde, write_json};
