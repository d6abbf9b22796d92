//! What the writers write is valid by the official schema of every revision that defines it,
//! has every member that the schema names, and is read again by the views.
#![allow(unreachable_pub)]

mod asking;
mod content;
mod received;
mod schema;
mod serving;
mod session;

use schema::{Schemas, write};
use serde_json::json;
use wireline::Id;
use wireline::encode::OutId;
use wireline::json::{JsonStr, Number, RawJson, ToJson};
use wireline::mcp::Revision::{
    self, V2024_11_05 as A, V2025_03_26 as B, V2025_06_18 as C, V2025_11_25 as D, V2026_07_28 as E,
};
use wireline::mcp::write::*;
use wireline::mcp::{
    CacheScope, Capabilities, Capability, ElicitAction, ElicitMode, IncludeContext, LogLevel,
    ResultType, Role, Side, TaskStatus, TaskSupport, Theme, ToolChoiceMode, view,
};

const SCHEMA: &[u8] =
    br#"{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"]}"#;
const ICONS: &[Icon<'_>] = &[Icon::new("https://example.com/i.png")
    .mime_type("image/png")
    .sizes(&["48x48"])
    .theme(Theme::Dark)];
const US: Implementation<'_> = Implementation::new("board", "1.2")
    .title("The board")
    .description("A board with a LED")
    .website_url("https://example.com/")
    .icons(ICONS);
const DAY: &str = "2026-01-01T00:00:00Z";

fn raw(text: &[u8]) -> RawJson<'_> {
    RawJson::validate(text).expect("JSON")
}

fn number(text: &str) -> Number<'_> {
    Number::new(text).expect("a number")
}

fn notes() -> Annotations<'static> {
    let notes = Annotations::new().audience(&[Role::User, Role::Assistant]);
    notes.priority(number("0.5")).last_modified(DAY)
}

/// A `_meta` that every revision takes, of requests, notifications and results.
fn meta(task: &TaskParams<'static>) -> Vec<u8> {
    let capabilities = Capabilities::NONE.with(Capability::Elicitation);
    write(
        &Meta::new()
            .progress_token("t")
            .protocol_version(E)
            .client_capabilities(&capabilities)
            .client_info(&US)
            .log_level(LogLevel::Notice)
            .server_info(&US)
            .subscription_id(7)
            .related_task(task)
            .traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            .tracestate("a=b")
            .baggage("c=d"),
    )
}

/// Equal, as text.
#[track_caller]
fn same(ours: Option<JsonStr<'_>>, theirs: &str) {
    assert_eq!(ours.map(|it| it.to_string()).as_deref(), Some(theirs));
}

struct Fixture {
    schemas: Schemas,
    meta: Vec<u8>,
}

impl Fixture {
    fn new() -> Self {
        Fixture {
            schemas: Schemas::load(),
            meta: meta(&TaskParams::new("t1")),
        }
    }
}

macro_rules! check {
    ($view:ident) => {
        |raw| view::$view::new(raw).check()
    };
}

use check;

/// Any value, to be written.
fn json_of(value: &serde_json::Value) -> impl ToJson + use<> {
    let text = value.to_string();
    wireline::json::from_fn(move |w| {
        w.raw(raw(text.as_bytes()));
    })
}

#[test]
fn written_is_valid_and_read_again() {
    let mut f = Fixture::new();
    content::common(&mut f);
    content::blocks(&mut f);
    serving::tools(&mut f);
    serving::resources(&mut f);
    serving::prompts(&mut f);
    serving::completion(&mut f);
    session::opening(&mut f);
    session::watching(&mut f);
    session::subscriptions(&mut f);
    asking::sampling(&mut f);
    asking::elicitation(&mut f);
    asking::forms(&mut f);
    asking::rounds(&mut f);
    asking::tasks(&mut f);
    asking::errors(&mut f);
    f.schemas.assert_covered(OTHERS);
}

/// Types of the schemas that are no payloads: envelopes, unions, what is inside others.
const OTHERS: &[&str] = &[
    "BaseMetadata",
    "CallToolResultResponse",
    "ClientNotification",
    "ClientRequest",
    "ClientResult",
    "CompleteResultResponse",
    "DiscoverResultResponse",
    "Error",
    "GetPromptResultResponse",
    "HeaderMismatchError",
    "InternalError",
    "InvalidParamsError",
    "InvalidRequestError",
    "JSONArray",
    "JSONObject",
    "JSONRPCBatchRequest",
    "JSONRPCBatchResponse",
    "JSONRPCError",
    "JSONRPCErrorResponse",
    "JSONRPCMessage",
    "JSONRPCNotification",
    "JSONRPCRequest",
    "JSONRPCResponse",
    "JSONRPCResultResponse",
    "JSONValue",
    "ListPromptsResultResponse",
    "ListResourceTemplatesResultResponse",
    "ListResourcesResultResponse",
    "ListToolsResultResponse",
    "MethodNotFoundError",
    "Notification",
    "ParseError",
    "ReadResourceResultResponse",
    "Request",
    "ServerNotification",
    "ServerRequest",
    "ServerResult",
    "SubscriptionsListenResultResponse",
];
