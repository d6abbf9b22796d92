//! Params, results and error data to be written.
//!
//! Each is a plain structure of borrowed parts that writes itself wherever a [`ToJson`] is
//! taken, as [`Outgoing`](crate::encode::Outgoing) does: what must be there is given to
//! `new`, and what may be left out has a method of its name and is left out unless that is
//! called. What the caller gives as a [`ToJson`] (arguments, schemas, structured content)
//! must be of the type that the protocol asks for; else writing fails with
//! [`WriteError::BadPayload`](crate::json::WriteError::BadPayload), and nothing is sent.
//!
//! Nothing here knows of revisions: what a revision does not define is the caller's to
//! leave out. Peers pass over members that they do not know.
//!
//! ```
//! use wireline::encode::Outgoing;
//! use wireline::mcp::write::{CallToolResult, TextContent};
//!
//! let said = [TextContent::new("done")];
//! let result = CallToolResult::new(&said);
//! let mut line = [0; 96];
//! let n = Outgoing::result(1, &result).write(&mut line).unwrap();
//! assert_eq!(
//!     &line[..n],
//!     b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}\n",
//! );
//! ```

#[macro_use]
mod macros;

mod common;
mod complete;
mod content;
mod elicit;
mod error;
mod part;
mod prompt;
mod resource;
mod rounds;
mod sampling;
mod session;
mod task;
mod tool;
mod value;

pub use common::{Annotations, Icon, Implementation, Meta};
pub use complete::{Argument, CompleteParams, CompleteResult, Completion, Pairs, Reference};
pub use content::{
    AudioContent, Content, EmbeddedResource, ImageContent, ResourceLink, TextContent,
    ToolResultContent, ToolUseContent,
};
pub use elicit::{
    Choice, ElicitFormParams, ElicitResult, ElicitUrlParams, ElicitationCompleteParams, Property,
    RequestedSchema,
};
pub use error::{MissingCapability, UnsupportedVersion, UrlElicitationRequired};
pub use prompt::{
    GetPromptParams, GetPromptResult, ListPromptsResult, Prompt, PromptArgument, PromptMessage,
};
pub use resource::{
    BlobResource, ListResourceTemplatesResult, ListResourcesResult, ReadResourceParams,
    ReadResourceResult, Resource, ResourceContents, ResourceParams, ResourceTemplate, TextResource,
};
pub use rounds::{InputRequest, InputRequiredResult, InputResponses};
pub use sampling::{
    CreateMessageParams, CreateMessageResult, ListRootsResult, ModelHint, ModelPreferences, Root,
    SamplingMessage,
};
pub use session::{
    CancelledParams, DiscoverResult, EmptyParams, EmptyResult, InitializeParams, InitializeResult,
    LogMessageParams, PageParams, ProgressParams, SetLevelParams, SubscriptionFilter,
    SubscriptionParams,
};
pub use task::{CreateTaskResult, ListTasksResult, Task, TaskMetadata, TaskParams};
pub use tool::{CallToolParams, CallToolResult, ListToolsResult, Tool, ToolAnnotations};
pub use value::{Amount, Blob, Blocks, Items, List, Text};

use crate::encode::OutId;
use crate::json::{RawJson, ToJson, Writer};
use crate::mcp::{
    CacheScope, ElicitAction, IncludeContext, LogLevel, ResultType, Revision, Role, TaskStatus,
    TaskSupport, Theme, ToolChoiceMode,
};
use part::{Bare, Cached, Noted, Outcome, Page};
use value::{Json, Slice};
