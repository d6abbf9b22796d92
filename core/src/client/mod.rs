//! What a client's program needs beside a session: lists to their end.

mod listing;

pub use listing::{List, ListError, Listing, Turn};
