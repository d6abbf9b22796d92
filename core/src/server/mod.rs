//! What a tool's author needs.

mod check;
mod grammar;
mod note;
mod schema;
mod table;
mod template;
mod toolkit;

pub use check::Mismatch;
pub use schema::{Schema, SchemaError, SchemaFault};
#[doc(hidden)]
pub use schema::{Report, compact, compact_len};
pub use table::{
    Annotations, Extra, Prompt, PromptArgument, Resource, ResourceTemplate, Tool,
};
pub use template::{DecodeError, MAX_VARIABLES, TemplateError, Variables};
pub use toolkit::{MAX_ENTRIES, TableError, TableFault, Tables, Toolkit};
