//! Views over what peers should not have written, and writers given what cannot be sent.

use std::collections::BTreeMap;

use proptest::prelude::*;
use wireline::encode::{OutId, Outgoing};
use wireline::json::{self, JsonKind, RawJson, ToJson, WriteError};
use wireline::mcp::view::{self, BadMember, Content};
use wireline::mcp::write::{self, CallToolResult, Items, List, TextContent, Tool};
use wireline::mcp::{ElicitMode, Method, MethodKind, ResultType, Role, TaskSupport};

fn raw(text: &str) -> RawJson<'_> {
    RawJson::validate(text.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn text(value: &dyn ToJson) -> String {
    let mut buffer = vec![0; json::measure(value).expect("a value")];
    json::write(value, &mut buffer).expect("room");
    String::from_utf8(buffer).expect("UTF-8")
}

#[test]
fn names_are_found_by_meaning_and_in_any_order() {
    let call =
        raw(r#"{"x":{"name":"inner"},"\u0061rguments":{"\u006fn":true},"n\u0061me":"a\/b"}"#);
    let call = view::CallToolParams::new(call);
    assert_eq!(call.name().unwrap(), "a/b");
    assert_eq!(call.argument("on").unwrap().as_bool(), Some(true));
    // The first of two counts, for an accessor as for `check`.
    let twice = view::CallToolParams::new(raw(r#"{"name":"a","name":7}"#));
    assert_eq!(twice.name().unwrap(), "a");
    assert_eq!(twice.check(), Ok(()));
}

#[test]
fn what_is_of_another_type_is_not_there() {
    let odd = r#"{"name":7,"title":null,"inputSchema":[],"annotations":"x","icons":{},
        "execution":{"taskSupport":"sometimes"},"_meta":[]}"#;
    let tool = view::Tool::new(raw(odd));
    assert!(tool.name().is_none() && tool.title().is_none() && tool.display_name().is_none());
    assert!(tool.input_schema().is_none() && tool.meta().is_none());
    assert!(tool.annotations().destructive_hint());
    assert_eq!(tool.icons().count(), 0);
    assert_eq!(tool.task_support(), TaskSupport::Forbidden);
    for odd in ["[]", "7", "null", "\"name\"", "true"] {
        let tool = view::Tool::new(raw(odd));
        assert!(tool.name().is_none() && tool.icons().count() == 0, "{odd}");
        let fault = tool.check().unwrap_err();
        assert_eq!((fault.name, fault.found), ("", Some(raw(odd).kind())));
        assert_eq!(fault.to_string(), "not an object");
    }
    let list = view::ListToolsResult::new(raw(r#"{"tools":[7,{"name":"a"},null]}"#));
    let names: Vec<_> = list.tools().map(|tool| tool.name().is_some()).collect();
    assert_eq!(names, [false, true, false]);
    let lone = view::TextContent::new(raw(r#"{"text":"\ud800"}"#));
    assert!(lone.text().unwrap().unescape_into(&mut [0; 8]).is_err());
    let message = view::PromptMessage::new(raw(r#"{"role":"system","content":[]}"#));
    assert!(message.role().is_none() && message.content().is_none());
}

#[test]
fn absence_has_its_meaning() {
    for (result, wanted) in [
        ("{}", Some(ResultType::Complete)),
        (r#"{"resultType":"complete"}"#, Some(ResultType::Complete)),
        (
            r#"{"resultType":"input_required"}"#,
            Some(ResultType::InputRequired),
        ),
        (r#"{"resultType":"task"}"#, Some(ResultType::Task)),
        (r#"{"resultType":"Complete"}"#, None),
        (r#"{"resultType":null}"#, None),
        (r#"{"resultType":1}"#, None),
    ] {
        assert_eq!(
            view::EmptyResult::new(raw(result)).result_type(),
            wanted,
            "{result}"
        );
    }
    for (ttl, wanted) in [
        ("1", 1),
        ("1e3", 1000),
        ("0", 0),
        ("-5", 0),
        ("0.5", 0),
        ("\"5\"", 0),
        ("null", 0),
        ("18446744073709551615", u64::MAX),
        ("18446744073709551616", 0),
    ] {
        let result = format!("{{\"ttlMs\":{ttl}}}");
        assert_eq!(
            view::ReadResourceResult::new(raw(&result)).ttl_ms(),
            wanted,
            "{ttl}"
        );
    }
    assert_eq!(view::ReadResourceResult::new(raw("{}")).ttl_ms(), 0);
    for (page, more) in [
        ("{}", false),
        (r#"{"nextCursor":null}"#, false),
        (r#"{"nextCursor":""}"#, true),
    ] {
        assert_eq!(
            view::ListToolsResult::new(raw(page))
                .next_cursor()
                .is_some(),
            more,
            "{page}"
        );
    }
    for (error, wanted) in [
        ("true", true),
        ("false", false),
        ("null", false),
        ("\"true\"", false),
        ("1", false),
    ] {
        let result = format!("{{\"isError\":{error}}}");
        assert_eq!(
            view::CallToolResult::new(raw(&result)).is_error(),
            wanted,
            "{error}"
        );
    }
    for (notes, user) in [
        ("{}", true),
        (r#"{"audience":[]}"#, true),
        (r#"{"audience":["user"]}"#, true),
        (r#"{"audience":["assistant"]}"#, false),
        (r#"{"audience":["nobody"]}"#, false),
    ] {
        assert_eq!(
            view::Annotations::new(raw(notes)).is_for(Role::User),
            user,
            "{notes}"
        );
    }
    assert_eq!(
        view::ElicitParams::new(raw("{}")).mode(),
        Some(ElicitMode::Form)
    );
    for (id, good) in [
        ("1", true),
        ("1.0", true),
        ("\"\"", true),
        ("1.5", false),
        ("null", false),
        ("{}", false),
    ] {
        let params = format!("{{\"requestId\":{id}}}");
        assert_eq!(
            view::CancelledParams::new(raw(&params))
                .request_id()
                .is_some(),
            good,
            "{id}"
        );
    }
}

#[test]
fn content_is_what_it_says() {
    for (block, wanted) in [
        (r#"{"type":"text"}"#, 't'),
        (r#"{"data":"","type":"image"}"#, 'i'),
        (r#"{"type":"audio"}"#, 'a'),
        (r#"{"type":"resource_link"}"#, 'l'),
        (r#"{"type":"resource"}"#, 'r'),
        (r#"{"type":"tool_use"}"#, 'u'),
        (r#"{"type":"tool_result"}"#, 's'),
        (r#"{"type":"Text","text":"x"}"#, '-'),
        (r#"{"type":"video"}"#, '-'),
        (r#"{"text":"x"}"#, '-'),
        (r#"{"type":7}"#, '-'),
        (r#""text""#, '-'),
    ] {
        let content = Content::new(raw(block));
        let found = match content {
            Content::Text(_) => 't',
            Content::Image(_) => 'i',
            Content::Audio(_) => 'a',
            Content::ResourceLink(_) => 'l',
            Content::Resource(_) => 'r',
            Content::ToolUse(_) => 'u',
            Content::ToolResult(_) => 's',
            _ => '-',
        };
        assert_eq!(found, wanted, "{block}");
        assert_eq!(content.raw().as_str(), block);
        assert!(content.as_text().is_none(), "{block}");
    }
    let reference = raw(r#"{"type":"ref/prompt","uri":"a:/"}"#);
    assert!(matches!(
        view::Reference::new(reference),
        view::Reference::Other(_)
    ));
}

#[test]
fn check_names_the_first_bad_member() {
    let check = |params| {
        view::CreateMessageParams::new(raw(params))
            .check()
            .unwrap_err()
    };
    let fault = check(r#"{"maxTokens":1}"#);
    assert_eq!((fault.name, fault.found), ("messages", None));
    assert_eq!(fault.to_string(), "`messages` is missing");
    let fault = check(r#"{"messages":[],"maxTokens":"1"}"#);
    assert_eq!(
        (fault.name, fault.found),
        ("maxTokens", Some(JsonKind::String))
    );
    assert!(fault.wanted.contains(JsonKind::Number) && !fault.wanted.contains(JsonKind::String));
    assert_eq!(fault.to_string(), "`maxTokens` is not a number");
    let fault = check(r#"{"messages":[],"maxTokens":1,"stopSequences":"x"}"#);
    assert_eq!(fault.to_string(), "`stopSequences` is not an array");
    let fault = check(r#"{"messages":[],"maxTokens":null}"#);
    assert_eq!(fault.to_string(), "`maxTokens` is not a number");
    let progress = view::ProgressParams::new(raw(r#"{"progressToken":true,"progress":1}"#));
    let fault = progress.check().unwrap_err();
    assert_eq!(
        fault.to_string(),
        "`progressToken` is not a number or a string"
    );
}

/// What `check` asks for of an object that has nothing yet.
fn required(
    check: &dyn Fn(RawJson<'_>) -> Result<(), BadMember>,
) -> BTreeMap<&'static str, JsonKind> {
    let samples = [
        (JsonKind::String, "\"x\""),
        (JsonKind::Number, "1"),
        (JsonKind::Array, "[]"),
        (JsonKind::Object, "{}"),
    ];
    let mut found = BTreeMap::new();
    let mut members = Vec::new();
    loop {
        let object = format!("{{{}}}", members.join(","));
        let Err(bad) = check(raw(&object)) else {
            return found;
        };
        let (kind, sample) = samples.iter().find(|it| bad.wanted.contains(it.0)).unwrap();
        assert_eq!(bad.found, None);
        found.insert(bad.name, *kind);
        members.push(format!("\"{}\":{sample}", bad.name));
    }
}

macro_rules! checks {
    ($($method:ident: $params:ident, $result:ident;)*) => {
        [$((
            Method::$method,
            required(&|raw| view::$params::new(raw).check()),
            required(&|raw| view::$result::new(raw).check()),
        ),)*]
    };
}

/// The views ask for all that the table of methods asks for, which is all that a session can
/// judge without looking deeper.
#[test]
fn views_agree_with_the_table_of_methods() {
    let all = checks! {
        Initialize: InitializeParams, InitializeResult;
        Discover: EmptyResult, DiscoverResult;
        Ping: EmptyResult, EmptyResult;
        ToolsList: PageParams, ListToolsResult;
        ToolsCall: CallToolParams, CallToolResult;
        ResourcesList: PageParams, ListResourcesResult;
        ResourceTemplatesList: PageParams, ListResourceTemplatesResult;
        ResourcesRead: ReadResourceParams, ReadResourceResult;
        ResourcesSubscribe: ResourceParams, EmptyResult;
        ResourcesUnsubscribe: ResourceParams, EmptyResult;
        PromptsList: PageParams, ListPromptsResult;
        PromptsGet: GetPromptParams, GetPromptResult;
        Complete: CompleteParams, CompleteResult;
        SetLevel: SetLevelParams, EmptyResult;
        SubscriptionsListen: SubscriptionParams, SubscriptionResult;
        RootsList: EmptyResult, ListRootsResult;
        CreateMessage: CreateMessageParams, CreateMessageResult;
        Elicit: ElicitParams, ElicitResult;
        TasksGet: TaskParams, Task;
        TasksResult: TaskParams, EmptyResult;
        TasksList: PageParams, ListTasksResult;
        TasksCancel: TaskParams, Task;
        Initialized: EmptyResult, EmptyResult;
        Cancelled: CancelledParams, EmptyResult;
        Progress: ProgressParams, EmptyResult;
        LogMessage: LogMessageParams, EmptyResult;
        ResourcesListChanged: EmptyResult, EmptyResult;
        ResourcesUpdated: ResourceParams, EmptyResult;
        PromptsListChanged: EmptyResult, EmptyResult;
        ToolsListChanged: EmptyResult, EmptyResult;
        RootsListChanged: EmptyResult, EmptyResult;
        ElicitationComplete: ElicitationCompleteParams, EmptyResult;
        TasksStatus: Task, EmptyResult;
        SubscriptionsAcknowledged: SubscriptionParams, EmptyResult;
    };
    assert_eq!(all.len(), Method::ALL.len());
    for (method, params, result) in all {
        for (name, kind) in method.required() {
            assert_eq!(params.get(name), Some(kind), "`{name}` of {method:?}");
        }
        for (name, kind) in method.required_result() {
            assert_eq!(
                result.get(name),
                Some(kind),
                "`{name}` of {method:?}'s result"
            );
        }
        if method.kind() == MethodKind::Notification {
            assert!(result.is_empty());
        }
    }
}

#[test]
fn what_is_given_must_be_of_the_right_type() {
    let bad = |value: &dyn ToJson| json::measure(value).unwrap_err();
    let array = raw("[1]");
    let object = raw("{}");
    let name = raw("\"x\"");
    for wrong in [&array, &name] {
        assert_eq!(bad(&Tool::new("a", wrong)), WriteError::BadPayload);
        assert_eq!(
            bad(&Tool::new("a", &object).output_schema(wrong)),
            WriteError::BadPayload
        );
        assert_eq!(
            bad(&Tool::new("a", &object).meta(wrong)),
            WriteError::BadPayload
        );
        let call = write::CallToolParams::new("a");
        assert_eq!(bad(&call.arguments(wrong)), WriteError::BadPayload);
        assert_eq!(bad(&call.input_responses(wrong)), WriteError::BadPayload);
        let asked = [write::InputRequest::new("k", "roots/list").params(wrong)];
        let result = write::InputRequiredResult::new().input_requests(&asked);
        assert_eq!(bad(&result), WriteError::BadPayload);
    }
    let filter = write::SubscriptionFilter::new().resource_subscriptions(&object);
    assert_eq!(bad(&filter), WriteError::BadPayload);
    assert_eq!(
        bad(&TextContent::new(write::Text::Value(&7))),
        WriteError::BadPayload
    );
    assert_eq!(
        bad(&write::CancelledParams::new(1i64 << 53)),
        WriteError::BadId
    );
    assert_eq!(
        bad(&write::ProgressParams::new(i64::MIN, 1)),
        WriteError::BadId
    );
    assert_eq!(text(&OutId::from(-7)), "-7");
    // The whole line fails, and nothing is sent.
    let line = Outgoing::request(1, "tools/call");
    let call = write::CallToolParams::new("a").arguments(&array);
    assert_eq!(
        line.params(&call).write(&mut [0; 100]),
        Err(WriteError::BadPayload)
    );
    let sly = |list: &mut Items<'_, '_>| {
        list.push(&json::from_fn(|w| {
            w.null().end_array();
        }));
    };
    assert_eq!(
        bad(&CallToolResult::new(List::each(&sly))),
        WriteError::Misplaced
    );
}

#[test]
fn a_large_result_goes_in_pieces() {
    let schema = raw("{\"type\":\"object\"}");
    let names: Vec<String> = (0..300).map(|n| format!("tool-{n}\n")).collect();
    let each = |list: &mut Items<'_, '_>| {
        for name in &names {
            list.push(&Tool::new(name, &schema).description("Does \"it\""));
        }
    };
    let page = write::ListToolsResult::new(List::each(&each)).next_cursor("300");
    let slice: Vec<_> = names
        .iter()
        .map(|it| Tool::new(it, &schema).description("Does \"it\""))
        .collect();
    let same = write::ListToolsResult::new(slice.as_slice()).next_cursor("300");
    let whole = text(&page);
    assert_eq!(whole, text(&same));
    let read = view::ListToolsResult::new(raw(&whole));
    let read: Vec<_> = read
        .tools()
        .map(|it| it.name().unwrap().to_string())
        .collect();
    assert_eq!(read, names);

    let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let blob = [write::BlobResource::new("a:/", bytes.as_slice())];
    let result = write::ReadResourceResult::new(&blob);
    for value in [&page as &dyn ToJson, &result] {
        let line = Outgoing::result(7, value);
        let mut expected = vec![0; line.line_len().unwrap()];
        line.write(&mut expected).unwrap();
        for size in [16, 61, 4096] {
            let mut pieces = line.pieces().unwrap();
            let (mut sent, mut buffer) = (Vec::new(), vec![0; size]);
            loop {
                match pieces.fill(&mut buffer).unwrap() {
                    0 => break,
                    n => sent.extend_from_slice(&buffer[..n]),
                }
            }
            assert!(sent == expected, "pieces of {size}");
        }
    }
}

#[test]
fn text_goes_back_as_it_came() {
    let page = raw(r#"{"nextCursor":"\u0061\/\ud800\"","tools":[]}"#);
    let cursor = view::ListToolsResult::new(page).next_cursor().unwrap();
    let next = write::PageParams::new().cursor(cursor);
    assert_eq!(text(&next), r#"{"cursor":"\u0061\/\ud800\""}"#);
    let asked =
        raw(r#"{"inputRequests":{"\u006b":{"method":"roots/list"}},"requestState":"\u0073"}"#);
    let asked = view::InputRequiredResult::new(asked);
    let (key, _) = asked.input_requests().next().unwrap();
    let none: [write::Root<'_>; 0] = [];
    let roots = write::ListRootsResult::new(&none);
    let answers: [(_, &dyn ToJson); 1] = [(key, &roots)];
    let answers = write::InputResponses::new(&answers);
    let call = write::CallToolParams::new("a").input_responses(&answers);
    let call = call.request_state(asked.request_state().unwrap());
    assert_eq!(
        text(&call),
        r#"{"name":"a","inputResponses":{"\u006b":{"roots":[]}},"requestState":"\u0073"}"#
    );
}

proptest! {
    /// Whatever becomes of a payload on its way, a view of it answers.
    #[test]
    fn views_take_anything(row in 0usize..60, at in 0usize..400, byte in any::<u8>()) {
        let rows = include_str!("data/payloads.txt").lines().filter(|it| it.contains('{'));
        let row = rows.filter_map(|it| it.splitn(5, ' ').nth(4)).cycle().nth(row).unwrap();
        let mut row = row.as_bytes().to_vec();
        let at = at % row.len();
        row[at] = byte;
        if let Ok(raw) = RawJson::validate(&row) {
            let tool = view::Tool::new(raw);
            let strings = [tool.name(), tool.title(), tool.display_name(), tool.description()];
            for text in strings.into_iter().flatten() {
                prop_assert!(text.chars().count() <= row.len());
            }
            prop_assert!(tool.check().is_ok() <= tool.name().is_some());
            let result = view::CallToolResult::new(raw);
            prop_assert!(result.content().count() <= row.len());
            for block in result.content() {
                prop_assert!(row.windows(block.raw().as_bytes().len()).any(|it| it == block.raw().as_bytes()));
            }
            let message = view::SamplingMessage::new(raw);
            prop_assert!(message.content().count() <= row.len());
            let form = view::ElicitParams::new(raw);
            for (_, member) in form.requested_schema().into_iter().flat_map(|it| it.properties()) {
                prop_assert!(member.choices().count() <= row.len());
            }
            let asked = view::InputRequiredResult::new(raw);
            for (_, request) in asked.input_requests() {
                prop_assert_eq!(request.check().is_ok(), request.method().is_some()
                    && request.raw().get("params").is_none_or(|it| matches!(it.kind(), JsonKind::Object | JsonKind::Null)));
            }
            let _ = (view::Meta::new(raw).check(), view::Task::new(raw).check());
        }
    }
}

/// What is kept for ever serves where something shorter is asked for.
#[test]
fn longer_borrows_serve_for_shorter_ones() {
    const ICONS: &[write::Icon<'_>] = &[write::Icon::new("https://example.com/i.png")];
    const US: write::Implementation<'_> = write::Implementation::new("board", "1").icons(ICONS);
    const PROMPT: write::Prompt<'_> = write::Prompt::new("greet").icons(ICONS);
    fn meta<'s>(us: &'s write::Implementation<'s>, level: &'s str) -> write::Meta<'s> {
        write::Meta::new().server_info(us).tracestate(level)
    }
    fn both<'s>(name: &'s str) -> [write::Prompt<'s>; 2] {
        [PROMPT, write::Prompt::new(name)]
    }
    let name = String::from("shorter");
    assert!(text(&meta(&US, &name)).ends_with(r#""tracestate":"shorter"}"#));
    assert!(text(&both(&name)).ends_with(r#",{"name":"shorter"}]"#));
}
