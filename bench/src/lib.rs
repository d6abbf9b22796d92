//! What the bench binaries share.

pub mod corpus;
#[cfg(feature = "ours")]
pub mod ours;
pub mod rng;
pub mod sum;

#[cfg(feature = "peer")]
pub mod envelope;
#[cfg(any(feature = "ours", feature = "peer"))]
pub mod frame;
#[cfg(feature = "peer")]
pub mod peers;
pub mod rejects;
#[cfg(feature = "tools")]
pub mod store;
#[cfg(feature = "tools")]
pub mod table;
pub mod vectors;
pub mod worker;
