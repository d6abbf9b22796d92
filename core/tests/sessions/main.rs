//! Sessions against literal bytes: every row of the specification's tables of transitions,
//! and every fault that was seen in public.
//!
//! A test's name says which rows (`lc6`, `ms4`), rules (`r58`) and ambiguities (`a5`) it
//! shows; `docs/transitions.md` and `docs/rules.md` are made from these names.
#![allow(clippy::disallowed_methods, reason = "a test may panic")]

mod alike;
#[cfg(all(feature = "batch", feature = "std"))]
mod batches;
mod calls;
mod corpus;
mod dual_client;
mod harness;
mod legacy_client;
mod legacy_server;
mod modern_client;
mod modern_server;
mod subscriptions;
#[cfg(feature = "tasks")]
mod tasks;
