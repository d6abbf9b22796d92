//! What several test programs share.
#![allow(dead_code, unreachable_pub)]

pub mod render;
pub mod vectors;
