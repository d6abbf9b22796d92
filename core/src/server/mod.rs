//! What a server's author needs: tables of tools, resources and prompts, and a service that
//! answers from them.
//!
//! The tables are data, in flash on a chip, and the compiler checks them: a schema with a
//! keyword that would not be looked at, two tools of one name or a template that cannot be
//! matched do not compile ([`schema!`](crate::schema), [`toolkit!`](crate::toolkit)). A
//! [`Service`] answers lists, page by page, and every mistake that the tables show; it hands
//! to the program what only the program can do. Nothing is called back: the program answers
//! at once, or keeps the handle, goes on receiving, and answers later.
//!
//! ```
//! use wireline::server::{Done, Event, Service, Tool, Toolkit};
//! use wireline::session::{Config, Implementation, Memory};
//! use wireline::{Limits, LineDecoder, schema, toolkit};
//!
//! static BOARD: Toolkit<'_> = toolkit! {
//!     tools: &[Tool::new("led_set", "Switch the board's LED", schema!({ "on": bool }))],
//!     line: 512,
//! };
//! static CONFIG: Config<'_> = Config::new(Implementation::new("board", "1.0"))
//!     .with_capabilities(BOARD.capabilities());
//!
//! /// Takes what the UART gave, and gives what it is to send.
//! fn serve(
//!     service: &mut Service<'static, Memory<2, 0, 128>>,
//!     rx: &mut LineDecoder<[u8; 512]>,
//!     mut chunk: &[u8],
//!     mut send: impl FnMut(&[u8]),
//! ) {
//!     let mut tx = [0; 512];
//!     while let Some(item) = rx.next_in(&mut chunk) {
//!         let step = service.receive(&item.result(), 0);
//!         let n = step.send.write(&mut tx).unwrap_or(0);
//!         send(&tx[..n]);
//!         if let Event::Call(call) = step.event {
//!             let on = call.arguments.get("on").and_then(|on| on.as_bool());
//!             let said = Done(if on == Some(true) { "on" } else { "off" });
//!             if let Ok(Ok(n)) = service.finish(call.handle, &said).map(|it| it.write(&mut tx)) {
//!                 send(&tx[..n]);
//!             }
//!         }
//!     }
//! }
//!
//! let mut service = Service::new(&CONFIG, &BOARD, Memory::new());
//! let mut rx = LineDecoder::new([0; 512], Limits::EMBEDDED);
//! let mut sent = Vec::new();
//! let input = concat!(
//!     r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
//!     r#""capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#, "\n",
//!     r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "\n",
//!     r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true}}}"#, "\n",
//! );
//! serve(&mut service, &mut rx, input.as_bytes(), |bytes| sent.extend_from_slice(bytes));
//! assert!(sent.ends_with(b"\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"on\"}]}}\n"));
//! ```
//!
//! # What a service answers by itself
//!
//! | to | its answer |
//! |---|---|
//! | `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list` | the entries in the table's order, with the members that the request's revision has; on a page are at most [`Tables::page`] entries, and no more than fit into [`Tables::line`] bytes |
//! | a cursor that it did not give, or that is of other tables | -32602 |
//! | a tool, a prompt, or a reference that is in no table | -32602 |
//! | a resource that is in no table, and that no template matches | -32002; -32602 in the modern era |
//! | arguments of a tool that do not fit its schema | from 2025-11-25 on a result with `isError`, so that the model can do better; before, -32602; the message has the path of the member that is wrong |
//! | `arguments` that are no object; arguments of a prompt that are missing, or no strings | -32602 |
//! | an answer of the program's that is longer than [`Tables::line`] | a tool's: a result with `isError`; any other: -32603 |
//! | `subscriptions/listen` | the acknowledgement of what the capabilities cover |
//! | any other method | -32601, unless [`Tables::other_methods`] is set |

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
pub use toolkit::{MAX_ENTRIES, MIN_LINE, Table, TableError, TableFault, Tables, Toolkit};
