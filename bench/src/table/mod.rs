//! Runs the workers in turn and prints what they did.

pub mod callgrind;
pub mod json;
pub mod machine;
pub mod measure;
pub mod render;
pub mod rows;
pub mod stats;
pub mod worker;
