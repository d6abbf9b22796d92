//! What several test programs share; none of them uses all of it.
#![allow(dead_code, unreachable_pub)]

pub mod pieces;
pub mod render;
pub mod suite;
pub mod vectors;
