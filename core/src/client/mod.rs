//! What a client's program needs beside a session: lists to their end, and requests whose
//! results are known by type.
//!
//! Both are small machines that are pulled: they make a line to be sent from a session, and
//! look at its events. Several may be under way at once.

mod listing;
mod pending;

pub use listing::{List, ListError, Listing, Turn};
pub use pending::{Pending, Request, Update};
