//! What is in `params`, results and error data: views that look a member up when asked.
//!
//! A view is a [`RawJson`] and nothing else. Making one costs nothing and never fails; each
//! accessor searches the object for its member, by meaning, so an escaped name is found. A
//! member that is absent, `null`, or of another type than the protocol gives it reads as
//! `None`, or as an empty list; [`check`](Tool::check) says which one it is. Members that a
//! view has no accessor for (an extension's, a later revision's) are reached through
//! [`raw`](Tool::raw).
//!
//! The views cover every revision at once: what a revision does not define is not there.
//!
//! ```
//! use wireline::json::{JsonKind, RawJson};
//! use wireline::mcp::view::CallToolParams;
//!
//! let params = br#"{"name":"led_set","arguments":{"on":true},"x":1}"#;
//! let call = CallToolParams::new(RawJson::validate(params).unwrap());
//! assert_eq!(call.name().unwrap(), "led_set");
//! let on = call.arguments().and_then(|arguments| arguments.get("on"));
//! assert_eq!(on.and_then(|on| on.as_bool()), Some(true));
//! assert!(call.check().is_ok() && call.raw().get("x").is_some());
//!
//! let bad = CallToolParams::new(RawJson::validate(br#"{"name":7}"#).unwrap());
//! let fault = bad.check().unwrap_err();
//! assert_eq!((fault.name, fault.found), ("name", Some(JsonKind::Number)));
//! assert_eq!(fault.to_string(), "`name` is not a string");
//! ```

#[macro_use]
mod macros;

mod common;
mod complete;
mod content;
mod elicit;
mod error;
mod list;
mod lookup;
mod prompt;
mod resource;
mod rounds;
mod sampling;
mod session;
mod task;
mod tool;

pub use common::{Annotations, Icon, Implementation, Meta};
pub use complete::{CompleteParams, CompleteResult, Completion, Reference};
pub use content::{
    AudioContent, Blocks, Content, EmbeddedResource, ImageContent, ResourceLink, TextContent,
    ToolResultContent, ToolUseContent,
};
pub use elicit::{
    Choice, Choices, ElicitParams, ElicitResult, ElicitationCompleteParams, PrimitiveSchema,
    RequestedSchema,
};
pub use error::{MissingCapability, UnsupportedVersion, UrlElicitationRequired};
pub use list::{List, Pairs, Strings};
pub use lookup::{BadMember, Kinds};
pub use prompt::{
    GetPromptParams, GetPromptResult, ListPromptsResult, Prompt, PromptArgument, PromptMessage,
};
pub use resource::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceParams, ReadResourceResult,
    Resource, ResourceContents, ResourceParams, ResourceTemplate,
};
pub use rounds::{InputRequest, InputRequiredResult};
pub use sampling::{
    CreateMessageParams, CreateMessageResult, ListRootsResult, ModelHint, ModelPreferences, Root,
    SamplingMessage, ToolChoice,
};
pub use session::{
    CancelledParams, DiscoverResult, EmptyResult, InitializeParams, InitializeResult,
    LogMessageParams, PageParams, ProgressParams, SetLevelParams, SubscriptionFilter,
    SubscriptionParams, SubscriptionResult,
};
pub use task::{CreateTaskResult, ListTasksResult, Task, TaskMetadata, TaskParams};
pub use tool::{CallToolParams, CallToolResult, ListToolsResult, Tool, ToolAnnotations};

use crate::id::Id;
use crate::json::{JsonStr, Number, RawJson};
use crate::mcp::{
    CacheScope, ElicitAction, ElicitMode, IncludeContext, LogLevel, ResultType, Role, TaskStatus,
    TaskSupport, Theme, ToolChoiceMode,
};
use lookup::Check;
