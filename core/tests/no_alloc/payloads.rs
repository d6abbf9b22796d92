//! Views and writers of payloads. Everything is read and written under the allocator that
//! counts.

use super::{CALLED, COUNT, WATCHING, hint};
use wireline::json::{self, JsonStr, Number, RawJson, ToJson};
use wireline::mcp::view::{self, Kinds};
use wireline::mcp::{
    CacheScope, Capabilities, ElicitAction, IncludeContext, LogLevel, ResultType, Revision, Role,
    TaskStatus, TaskSupport, Theme, ToolChoiceMode, write,
};

/// An object that has the members of many.
const OBJECT: &[u8] = br#"{
    "name":"n","title":"t","description":"d","version":"1","uri":"a:/","url":"a:/","src":"a:/",
    "type":"string","mode":"form","format":"email","text":"x","data":"AA==","blob":"AA==",
    "level":"error","logger":"l","message":"m","role":"user","theme":"dark","action":"accept",
    "status":"working","taskId":"t1","cursor":"2","nextCursor":"2","reason":"r","id":"i",
    "resultType":"complete","cacheScope":"public","ttlMs":1,"ttl":2,"size":3,"total":4,
    "progress":0.5,"priority":0.5,"minimum":1,"maxTokens":9,"progressToken":7,"requestId":"q",
    "isError":true,"required":["n"],"hasMore":true,"readOnlyHint":true,"values":["a",1,"b"],
    "audience":["user"],"icons":[{}],"content":[{"type":"text","text":"x"}],"hints":[{}],
    "_meta":{"progressToken":7,"io.modelcontextprotocol/related-task":{"taskId":"t"}},
    "annotations":{"title":"h"},"execution":{"taskSupport":"required"},"resource":{"uri":"b:/"},
    "arguments":{"a":"x"},"argument":{"name":"a","value":"v"},"context":{"arguments":{"a":"x"}},
    "ref":{"type":"ref/prompt","name":"p"},"completion":{"values":[]},"task":{"ttl":1},
    "inputRequests":{"k":{"method":"roots/list"}},"inputResponses":{"k":{}},
    "requestedSchema":{"properties":{"n":{"type":"string"}}},"properties":{"n":{}},
    "oneOf":[{"const":"r","title":"Red"},"g"],"enumNames":["R"],"notifications":{}
}"#;

/// Calls that look one member up each.
macro_rules! read {
    ($file:literal $view:ident: $($f:ident)*; $($list:ident)*) => {{
        let it = free!("mcp/view/macros.rs" new: view::$view::new(raw(OBJECT)));
        free!("mcp/view/macros.rs" raw: it.raw());
        free!("mcp/view/macros.rs" check: it.check().is_ok());
        $(free!($file $f: it.$f());)*
        $(free!($file $list: it.$list().count());)*
        it
    }};
}

/// Calls that give one member each, and the writing.
macro_rules! built {
    ($file:literal $start:expr; $($f:ident($($arg:expr)?))*) => {{
        let it = free!("mcp/write/macros.rs" new: $start);
        $(let it = free!($file $f: it.$f($($arg)?));)*
        assert!(free!("json/writer/value.rs" write: json::write(&it, &mut [0; 2048]).is_ok()));
        it
    }};
}

fn raw(text: &[u8]) -> RawJson<'_> {
    RawJson::validate(text).expect("JSON")
}

pub(super) fn payloads() {
    words();
    read_common();
    read_serving();
    read_session();
    read_asking();
    let object = raw(b"{\"a\":[1]}");
    write_common(&object);
    write_serving(&object);
    write_session();
    write_asking(&object);
}

fn words() {
    let level = free!("mcp/level.rs" parse: LogLevel::parse("alert")).unwrap();
    free!("mcp/level.rs" name: level.name());
    let text = raw(br#""\u0061lert""#).as_json_str().unwrap();
    free!("mcp/level.rs" from_json_str: LogLevel::from_json_str(text)).unwrap();
    let status = free!("mcp/words.rs" parse: TaskStatus::parse("failed")).unwrap();
    free!("mcp/words.rs" name: status.name());
    free!("mcp/words.rs" is_terminal: status.is_terminal());
    free!("mcp/words.rs" from_json_str: TaskStatus::from_json_str(text));
    let kinds = free!("mcp/view/lookup.rs" of: Kinds::of(json::JsonKind::Null));
    let kinds = free!("mcp/view/lookup.rs" or: kinds.or(kinds));
    free!("mcp/view/lookup.rs" contains: kinds.contains(json::JsonKind::Null));
}

fn read_common() {
    read!("mcp/view/common.rs" Implementation:
        name version title description website_url display_name; icons);
    read!("mcp/view/common.rs" Icon: src mime_type theme; sizes);
    let notes = read!("mcp/view/common.rs" Annotations: priority last_modified; audience);
    free!("mcp/view/common.rs" is_for: notes.is_for(Role::User));
    read!("mcp/view/common.rs" Meta: progress_token protocol_version client_capabilities
        client_info log_level server_info subscription_id related_task traceparent tracestate
        baggage;);

    read!("mcp/view/content.rs" TextContent: text annotations;);
    read!("mcp/view/content.rs" ImageContent: data mime_type annotations;);
    read!("mcp/view/content.rs" AudioContent: data mime_type annotations;);
    read!("mcp/view/content.rs" ResourceLink: uri name resource annotations;);
    read!("mcp/view/content.rs" EmbeddedResource: resource annotations;);
    read!("mcp/view/content.rs" ToolUseContent: id name input;);
    read!("mcp/view/content.rs" ToolResultContent:
        tool_use_id structured_content is_error; content);
    let block = free!("mcp/view/content.rs" new: view::Content::new(raw(OBJECT)));
    free!("mcp/view/content.rs" raw: block.raw());
    free!("mcp/view/content.rs" as_text: block.as_text());
    free!("mcp/view/content.rs" annotations: block.annotations());
}

fn read_serving() {
    read!("mcp/view/tool.rs" Tool: name title description input_schema output_schema annotations
        execution display_name task_support; icons);
    read!("mcp/view/tool.rs" ToolAnnotations:
        title read_only_hint destructive_hint idempotent_hint open_world_hint;);
    let call = read!("mcp/view/tool.rs" CallToolParams:
        name arguments task request_state; input_responses);
    free!("mcp/view/tool.rs" argument: call.argument("a")).unwrap();
    let result = read!("mcp/view/tool.rs" CallToolResult: structured_content is_error; content);
    free!("mcp/view/macros.rs" meta: result.meta());
    free!("mcp/view/macros.rs" result_type: result.result_type());
    let page = read!("mcp/view/tool.rs" ListToolsResult: ; tools);
    free!("mcp/view/macros.rs" next_cursor: page.next_cursor());
    free!("mcp/view/macros.rs" ttl_ms: page.ttl_ms());
    free!("mcp/view/macros.rs" cache_scope: page.cache_scope());

    read!("mcp/view/resource.rs" Resource:
        uri name title description mime_type size annotations; icons);
    read!("mcp/view/resource.rs" ResourceTemplate:
        uri_template name title description mime_type annotations; icons);
    read!("mcp/view/resource.rs" ResourceContents: uri mime_type text blob;);
    read!("mcp/view/resource.rs" ReadResourceParams: uri request_state; input_responses);
    read!("mcp/view/resource.rs" ResourceParams: uri;);
    read!("mcp/view/resource.rs" ListResourcesResult: ; resources);
    read!("mcp/view/resource.rs" ListResourceTemplatesResult: ; resource_templates);
    read!("mcp/view/resource.rs" ReadResourceResult: ; contents);

    read!("mcp/view/prompt.rs" Prompt: name title description; arguments icons);
    read!("mcp/view/prompt.rs" PromptArgument: name title description required;);
    read!("mcp/view/prompt.rs" PromptMessage: role content;);
    let params = read!("mcp/view/prompt.rs" GetPromptParams:
        name request_state; arguments input_responses);
    free!("mcp/view/prompt.rs" argument: params.argument("a")).unwrap();
    read!("mcp/view/prompt.rs" GetPromptResult: description; messages);
    read!("mcp/view/prompt.rs" ListPromptsResult: ; prompts);

    free!("mcp/view/complete.rs" new: view::Reference::new(raw(OBJECT)));
    let params = read!("mcp/view/complete.rs" CompleteParams:
        reference argument context argument_name argument_value;);
    free!("mcp/view/complete.rs" context_argument: params.context_argument("a")).unwrap();
    read!("mcp/view/complete.rs" CompleteResult: completion;);
    read!("mcp/view/complete.rs" Completion: total has_more; values);
}

fn read_session() {
    read!("mcp/view/session.rs" InitializeParams: protocol_version capabilities client_info;);
    read!("mcp/view/session.rs" InitializeResult:
        protocol_version capabilities server_info instructions;);
    read!("mcp/view/session.rs" DiscoverResult: capabilities instructions; supported_versions);
    read!("mcp/view/session.rs" EmptyResult: ;);
    read!("mcp/view/session.rs" PageParams: cursor;);
    read!("mcp/view/session.rs" SetLevelParams: level;);
    read!("mcp/view/session.rs" LogMessageParams: level logger data;);
    read!("mcp/view/session.rs" ProgressParams: progress_token progress total message;);
    read!("mcp/view/session.rs" CancelledParams: request_id reason;);
    read!("mcp/view/session.rs" SubscriptionParams: notifications;);
    read!("mcp/view/session.rs" SubscriptionFilter: tools_list_changed prompts_list_changed
        resources_list_changed; resource_subscriptions task_ids);
    read!("mcp/view/session.rs" SubscriptionResult: ;);
    read!("mcp/view/error.rs" UnsupportedVersion: requested; supported);
    read!("mcp/view/error.rs" MissingCapability: required_capabilities;);
    read!("mcp/view/error.rs" UrlElicitationRequired: ; elicitations);
}

fn read_asking() {
    read!("mcp/view/sampling.rs" CreateMessageParams: max_tokens model_preferences system_prompt
        include_context temperature metadata tool_choice task; messages stop_sequences tools);
    read!("mcp/view/sampling.rs" SamplingMessage: role; content);
    read!("mcp/view/sampling.rs" ModelPreferences:
        cost_priority speed_priority intelligence_priority; hints);
    read!("mcp/view/sampling.rs" ModelHint: name;);
    read!("mcp/view/sampling.rs" ToolChoice: mode;);
    read!("mcp/view/sampling.rs" CreateMessageResult: role model stop_reason; content);
    read!("mcp/view/sampling.rs" ListRootsResult: ; roots);
    read!("mcp/view/sampling.rs" Root: uri name;);

    read!("mcp/view/elicit.rs" ElicitParams:
        message requested_schema url elicitation_id task mode;);
    let schema = read!("mcp/view/elicit.rs" RequestedSchema: ; properties required);
    free!("mcp/view/elicit.rs" is_required: schema.is_required("n"));
    read!("mcp/view/elicit.rs" PrimitiveSchema: kind title description default_value format
        min_length max_length minimum maximum min_items max_items is_multiple; choices);
    read!("mcp/view/elicit.rs" ElicitResult: action; content);
    read!("mcp/view/elicit.rs" ElicitationCompleteParams: elicitation_id;);
    read!("mcp/view/rounds.rs" InputRequiredResult: request_state; input_requests);
    read!("mcp/view/rounds.rs" InputRequest: method params;);
    read!("mcp/view/task.rs" Task: task_id status status_message created_at last_updated_at ttl
        poll_interval;);
    read!("mcp/view/task.rs" CreateTaskResult: task;);
    read!("mcp/view/task.rs" TaskParams: task_id;);
    read!("mcp/view/task.rs" TaskMetadata: ttl;);
    read!("mcp/view/task.rs" ListTasksResult: ; tasks);
}

const ICONS: &[write::Icon<'_>] = &[write::Icon::new("a:/")];

fn write_common(object: &dyn ToJson) {
    use write::{Annotations, Icon, Implementation, Meta, TaskParams};
    built!("mcp/write/common.rs" Icon::new("a:/");
        mime_type("a/b") sizes(&["any"]) theme(Theme::Light));
    let us = built!("mcp/write/common.rs" Implementation::new("n", "1");
        title("t") description("d") website_url("a:/") icons(ICONS));
    let half = Number::new("0.5").unwrap();
    built!("mcp/write/common.rs" Annotations::new();
        audience(&[Role::User]) priority(half) last_modified("2026-01-01"));
    let task = built!("mcp/write/task.rs" TaskParams::new("t"););
    built!("mcp/write/common.rs" Meta::new();
        progress_token("t") protocol_version(Revision::V2026_07_28) client_capabilities(object)
        client_info(&us) log_level(LogLevel::Info) server_info(&us) subscription_id(7)
        related_task(&task) traceparent("0") tracestate("a=b") baggage("c=d"));
}

fn write_serving(object: &dyn ToJson) {
    use write::*;
    let notes = Annotations::new();
    let hints = built!("mcp/write/tool.rs" ToolAnnotations::new();
        title("t") read_only_hint(true) destructive_hint(true) idempotent_hint(true)
        open_world_hint(true));
    let tool = built!("mcp/write/tool.rs" Tool::new("n", object);
        title("t") description("d") output_schema(object) annotations(&hints)
        task_support(TaskSupport::Optional) icons(ICONS));
    built!("mcp/write/tool.rs" CallToolParams::new("n");
        arguments(object) task(TaskMetadata::new()) input_responses(object) request_state("s"));
    let seven = 7;
    let seven = format_args!("{seven}");
    let text = built!("mcp/write/content.rs" TextContent::new(&seven); annotations(&notes));
    let each = |list: &mut Items<'_, '_>| {
        list.push(&TextContent::new("a"));
        free!("mcp/write/value.rs" push: { list.push(&text); });
    };
    let list = free!("mcp/write/value.rs" each: List::each(&each));
    json::write(&CallToolResult::new(list), &mut [0; 256]).unwrap();
    let blocks: [Content<'_>; 3] = [
        text.into(),
        ImageContent::new(&[1, 2], "a/b").into(),
        AudioContent::new(&[1, 2], "a/b").into(),
    ];
    let result = built!("mcp/write/tool.rs" CallToolResult::new(&blocks);
        structured_content(object) is_error(true));
    free!("mcp/write/macros.rs" result_type: result.result_type(ResultType::Complete));
    let tools = [tool];
    built!("mcp/write/macros.rs" ListToolsResult::new(&tools);
        next_cursor("2") meta(object));
    let page = ListToolsResult::new(&tools);
    free!("mcp/write/macros.rs" cache: page.cache(5, CacheScope::Public));
    built!("mcp/write/content.rs" ResourceLink::new("a:/", "n");
        title("t") description("d") mime_type("a/b") size(1) annotations(&notes) icons(ICONS));
    built!("mcp/write/content.rs" ToolResultContent::new("1", &blocks);
        structured_content(object) is_error(false));
    built!("mcp/write/content.rs" ToolUseContent::new("1", "n", object););

    let contents = built!("mcp/write/resource.rs" TextResource::new("a:/", "x");
        mime_type("a/b"));
    built!("mcp/write/content.rs" EmbeddedResource::new(contents.into()); annotations(&notes));
    built!("mcp/write/resource.rs" BlobResource::new("a:/", &[1, 2, 3]); mime_type("a/b"));
    built!("mcp/write/resource.rs" Resource::new("a:/", "n");
        title("t") description("d") mime_type("a/b") size(1) annotations(&notes) icons(ICONS));
    built!("mcp/write/resource.rs" ResourceTemplate::new("a:/{x}", "n");
        title("t") description("d") mime_type("a/b") annotations(&notes) icons(ICONS));
    built!("mcp/write/resource.rs" ReadResourceParams::new("a:/");
        input_responses(object) request_state("s"));

    let arguments = [built!("mcp/write/prompt.rs" PromptArgument::new("a");
        title("t") description("d") required(true))];
    built!("mcp/write/prompt.rs" Prompt::new("n");
        title("t") description("d") arguments(&arguments) icons(ICONS));
    built!("mcp/write/prompt.rs" GetPromptParams::new("n");
        arguments(&Pairs(&[("a", "x")])) input_responses(object) request_state("s"));
    let message = free!("mcp/write/prompt.rs" new: PromptMessage::new(Role::User, text));
    let messages = [message];
    built!("mcp/write/prompt.rs" GetPromptResult::new(&messages); description("d"));
    let argument = Argument::new("a", "v");
    built!("mcp/write/complete.rs" CompleteParams::new(Reference::Prompt("p".into()), argument);
        context(object));
    let found = built!("mcp/write/complete.rs" Completion::new(&["a"]); total(1) has_more(false));
    built!("mcp/write/complete.rs" CompleteResult::new(found););
}

fn write_session() {
    use write::*;
    let (us, none) = (Implementation::new("n", "1"), Capabilities::NONE);
    let revision = Revision::V2025_11_25;
    built!("mcp/write/session.rs" InitializeParams::new(revision, &none, &us););
    built!("mcp/write/session.rs" InitializeResult::new(revision, &none, &us); instructions("i"));
    built!("mcp/write/session.rs" DiscoverResult::new(Revision::ALL, &none); instructions("i"));
    built!("mcp/write/session.rs" PageParams::new(); cursor("2"));
    built!("mcp/write/session.rs" LogMessageParams::new(LogLevel::Info, &7); logger("l"));
    built!("mcp/write/session.rs" ProgressParams::new(7, 1u64); total(2) message("m"));
    built!("mcp/write/session.rs" CancelledParams::new("q"); reason("r"));
    let filter = built!("mcp/write/session.rs" SubscriptionFilter::new();
        tools_list_changed(true) prompts_list_changed(true) resources_list_changed(true)
        resource_subscriptions(&["a:/"]));
    built!("mcp/write/session.rs" SubscriptionParams::new(filter););
    built!("mcp/write/error.rs" UnsupportedVersion::new(Revision::ALL, "x"););
    built!("mcp/write/error.rs" MissingCapability::new(&none););
}

fn write_asking(object: &dyn ToJson) {
    use write::*;
    let task = TaskMetadata::new();
    let hints = [built!("mcp/write/sampling.rs" ModelHint::new(); name("m"))];
    let wanted = built!("mcp/write/sampling.rs" ModelPreferences::new();
        hints(&hints) cost_priority(0) speed_priority(1) intelligence_priority(1));
    let blocks = [TextContent::new("a"), TextContent::new("b")];
    let blocks = free!("mcp/write/value.rs" several: Blocks::several(&blocks));
    let messages = [SamplingMessage::new(Role::User, blocks)];
    let tools = [Tool::new("n", object)];
    built!("mcp/write/sampling.rs" CreateMessageParams::new(&messages, 100);
        model_preferences(&wanted) system_prompt("s") include_context(IncludeContext::Nothing)
        temperature(1) stop_sequences(&["x"]) metadata(object) tools(&tools)
        tool_choice(ToolChoiceMode::Auto) task(task));
    built!("mcp/write/sampling.rs" CreateMessageResult::new(Role::Assistant, blocks, "m");
        stop_reason("endTurn"));
    built!("mcp/write/sampling.rs" Root::new("file:///"); name("n"));

    let choices = [
        Choice::new("r"),
        free!("mcp/write/elicit.rs" title: Choice::new("g").title("G")),
    ];
    free!("mcp/write/elicit.rs" new: Choice::new("b"));
    let members = [
        free!("mcp/write/elicit.rs" string: Property::string("a")),
        free!("mcp/write/elicit.rs" number: Property::number("b")),
        free!("mcp/write/elicit.rs" integer: Property::integer("c")),
        free!("mcp/write/elicit.rs" boolean: Property::boolean("d")),
        free!("mcp/write/elicit.rs" choice: Property::choice("e", &choices)),
        free!("mcp/write/elicit.rs" choices: Property::choices("f", &choices)),
    ];
    for member in members {
        let it = free!("mcp/write/elicit.rs" required: member.required());
        let it = free!("mcp/write/elicit.rs" title: it.title("t"));
        let it = free!("mcp/write/elicit.rs" description: it.description("d"));
        let it = free!("mcp/write/elicit.rs" format: it.format("email"));
        let it = free!("mcp/write/elicit.rs" default_value: it.default_value(&7));
        let it = free!("mcp/write/elicit.rs" min: it.min(1));
        let it = free!("mcp/write/elicit.rs" max: it.max(2));
        free!("json/writer/value.rs" write: json::write(&it, &mut [0; 512]).is_ok());
        free!("mcp/write/elicit.rs" with_enum_names: it.with_enum_names());
    }
    let schema = free!("mcp/write/elicit.rs" new: RequestedSchema::new(&members));
    built!("mcp/write/elicit.rs" ElicitFormParams::new("m", &schema); task(task));
    let login = [
        built!("mcp/write/elicit.rs" ElicitUrlParams::new("m", "a:/");
        elicitation_id("1") task(task)),
    ];
    built!("mcp/write/error.rs" UrlElicitationRequired::new(&login););
    let answer = built!("mcp/write/elicit.rs" ElicitResult::new(ElicitAction::Accept);
        content(object));

    let asked = free!("mcp/write/rounds.rs" new: InputRequest::new("k", "elicitation/create"));
    let asked = free!("mcp/write/rounds.rs" params: asked.params(object));
    free!("mcp/write/rounds.rs" key: asked.key());
    free!("mcp/write/rounds.rs" method: asked.method());
    let asked = [asked];
    built!("mcp/write/rounds.rs" InputRequiredResult::new();
        input_requests(&asked) request_state("s"));
    let key = raw(br#""\u006b""#).as_json_str().unwrap();
    let answers: [(JsonStr<'_>, &dyn ToJson); 1] = [(key, &answer)];
    let answers = free!("mcp/write/rounds.rs" new: InputResponses::new(&answers));
    free!("json/writer/value.rs" write: json::write(&answers, &mut [0; 64]).is_ok());

    let long = "2026-01-01T00:00:00Z";
    let it = built!("mcp/write/task.rs" Task::new("t", TaskStatus::Working, long, long, None);
        status_message("m") poll_interval(1));
    built!("mcp/write/task.rs" TaskMetadata::new(); ttl(1));
    built!("mcp/write/task.rs" CreateTaskResult::new(it););
    let tasks = [it];
    built!("mcp/write/task.rs" ListTasksResult::new(&tasks););
}
