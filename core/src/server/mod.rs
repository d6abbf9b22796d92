//! What a tool's author needs.

mod answer;
mod check;
mod dispatch;
mod event;
mod grammar;
mod lexis;
mod note;
mod page;
mod schema;
mod service;
mod table;
mod template;
mod toolkit;

pub use answer::{Answer, Completions, Done, Failed, MAX_COMPLETIONS};
pub use check::Mismatch;
pub use event::{Call, Completable, Complete, Event, Get, Read, Step, Target};
#[doc(hidden)]
pub use schema::{Report, compact, compact_len};
pub use schema::{Schema, SchemaError, SchemaFault};
pub use service::Service;
pub use table::{Annotations, Extra, Prompt, PromptArgument, Resource, ResourceTemplate, Tool};
pub use template::{DecodeError, MAX_VARIABLES, TemplateError, Variables};
pub use toolkit::{MAX_ENTRIES, MIN_LINE, TableError, TableFault, Tables, Toolkit};
