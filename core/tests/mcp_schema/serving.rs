//! Tools, resources, prompts, completion.

use super::*;

pub fn tools(f: &mut Fixture) {
    let (schema, meta) = (raw(SCHEMA), raw(&f.meta));
    let hints = ToolAnnotations::new()
        .title("Remove")
        .read_only_hint(false)
        .destructive_hint(false)
        .idempotent_hint(true)
        .open_world_hint(false);
    let text = f
        .schemas
        .full("ToolAnnotations", &hints, check!(ToolAnnotations));
    let read = view::ToolAnnotations::new(raw(&text));
    same(read.title(), "Remove");
    let flags = |it: view::ToolAnnotations<'_>| {
        let (a, b) = (it.read_only_hint(), it.destructive_hint());
        (a, b, it.idempotent_hint(), it.open_world_hint())
    };
    assert_eq!(flags(read), (false, false, true, false));
    assert_eq!(
        flags(view::ToolAnnotations::new(raw(b"{}"))),
        (false, true, false, true)
    );
    let odd =
        br#"{"readOnlyHint":1,"destructiveHint":null,"idempotentHint":"true","openWorldHint":[]}"#;
    assert_eq!(
        flags(view::ToolAnnotations::new(raw(odd))),
        (false, true, false, true)
    );

    let tool = Tool::new("rm", &schema)
        .title("Remove it")
        .description("Removes \u{1F4A5}\n")
        .output_schema(&schema)
        .annotations(&hints)
        .task_support(TaskSupport::Optional)
        .icons(ICONS)
        .meta(&meta);
    let text = f.schemas.full("Tool", &tool, check!(Tool));
    let read = view::Tool::new(raw(&text));
    same(read.name(), "rm");
    same(read.title(), "Remove it");
    same(read.display_name(), "Remove it");
    same(read.description(), "Removes \u{1F4A5}\n");
    assert_eq!(read.input_schema().unwrap().as_bytes(), SCHEMA);
    assert_eq!(read.output_schema().unwrap().as_bytes(), SCHEMA);
    assert!(read.annotations().idempotent_hint());
    assert_eq!(read.task_support(), TaskSupport::Optional);
    f.schemas
        .valid("ToolExecution", &[D], &read.execution().unwrap());
    assert_eq!(read.icons().count(), 1);
    assert!(read.meta().is_some());
    f.schemas
        .valid("Tool", Revision::ALL, &Tool::new("rm", &schema));

    let tools = [tool, Tool::new("x", &schema)];
    let page = ListToolsResult::new(&tools)
        .next_cursor("\"2\"")
        .result_type(ResultType::Complete)
        .cache(u64::from(u32::MAX), CacheScope::Private)
        .meta(&meta);
    let text = f
        .schemas
        .full("ListToolsResult", &page, check!(ListToolsResult));
    f.schemas.valid("PaginatedResult", Revision::ALL, &page);
    f.schemas.valid("CacheableResult", &[E], &page);
    let read = view::ListToolsResult::new(raw(&text));
    assert!(read.tools().filter_map(|it| it.name()).eq(["rm", "x"]));
    same(read.next_cursor(), "\"2\"");
    assert_eq!(read.result_type(), Some(ResultType::Complete));
    assert_eq!(
        (read.ttl_ms(), read.cache_scope()),
        (u64::from(u32::MAX), Some(CacheScope::Private))
    );
    assert!(read.meta().is_some());
    f.schemas.valid(
        "ListToolsResult",
        &[A, B, C, D],
        &ListToolsResult::new(&tools),
    );

    let responses = json_of(&json!({"k": {"action": "cancel"}}));
    let arguments = json_of(&json!({"on": true, "deep": [1, {"a": null}]}));
    let call = CallToolParams::new("rm")
        .arguments(&arguments)
        .task(TaskMetadata::new().ttl(60_000))
        .input_responses(&responses)
        .request_state("s\u{0}")
        .meta(&meta);
    let text = f
        .schemas
        .full("CallToolRequest.params", &call, check!(CallToolParams));
    let read = view::CallToolParams::new(raw(&text));
    same(read.name(), "rm");
    assert_eq!(read.argument("on").unwrap().as_bool(), Some(true));
    assert_eq!(read.arguments().unwrap().members().count(), 2);
    assert_eq!(read.task().unwrap().ttl(), Some(60_000));
    assert_eq!(read.input_responses().count(), 1);
    same(read.request_state(), "s\u{0}");
    f.schemas.valid(
        "CallToolRequest.params",
        &[A, B, C, D],
        &CallToolParams::new("rm"),
    );
    f.schemas.valid("CallToolRequestParams", &[D, E], &call);
    let text = f.schemas.full(
        "TaskMetadata",
        &TaskMetadata::new().ttl(1),
        check!(TaskMetadata),
    );
    assert_eq!(view::TaskMetadata::new(raw(&text)).ttl(), Some(1));

    let data = json_of(&json!({"sum": 3}));
    let blocks: [Content<'_>; 1] = [TextContent::new("3").into()];
    let result = CallToolResult::new(&blocks)
        .structured_content(&data)
        .is_error(false)
        .result_type(ResultType::Complete)
        .meta(&meta);
    let text = f
        .schemas
        .full("CallToolResult", &result, check!(CallToolResult));
    let read = view::CallToolResult::new(raw(&text));
    same(read.content().next().unwrap().as_text(), "3");
    assert_eq!(read.structured_content().unwrap().as_str(), r#"{"sum":3}"#);
    assert!(!read.is_error());
    for any in [&1 as &dyn ToJson, &"x", &[true], &None::<u8>] {
        let result = CallToolResult::new(&blocks).structured_content(any);
        f.schemas.valid(
            "CallToolResult",
            &[E],
            &result.result_type(ResultType::Complete),
        );
    }
    f.schemas.valid(
        "CallToolResult",
        &[A, B, C, D],
        &CallToolResult::new(&blocks).is_error(true),
    );
}

pub fn resources(f: &mut Fixture) {
    let (meta, notes) = (raw(&f.meta), notes());
    let resource = Resource::new("log:/1", "log")
        .title("The log")
        .description("What happened")
        .mime_type("text/plain")
        .size(5)
        .annotations(&notes)
        .icons(ICONS)
        .meta(&meta);
    let text = f.schemas.full("Resource", &resource, check!(Resource));
    let read = view::Resource::new(raw(&text));
    same(read.uri(), "log:/1");
    same(read.name(), "log");
    same(read.title(), "The log");
    same(read.description(), "What happened");
    same(read.mime_type(), "text/plain");
    assert_eq!(read.size(), Some(5));
    assert!(read.annotations().is_some() && read.icons().count() == 1);

    let template = ResourceTemplate::new("log:/{day}", "logs")
        .title("Logs")
        .description("What happened that day")
        .mime_type("text/plain")
        .annotations(&notes)
        .icons(ICONS)
        .meta(&meta);
    let text = f
        .schemas
        .full("ResourceTemplate", &template, check!(ResourceTemplate));
    let read = view::ResourceTemplate::new(raw(&text));
    same(read.uri_template(), "log:/{day}");
    same(read.name(), "logs");
    same(read.title(), "Logs");
    same(read.description(), "What happened that day");
    same(read.mime_type(), "text/plain");
    assert!(read.annotations().is_some() && read.icons().count() == 1);

    let ours = TextResource::new("log:/1", "ok")
        .mime_type("text/plain")
        .meta(&meta);
    let bytes = BlobResource::new("log:/2", &[255, 254])
        .mime_type("x/y")
        .meta(&meta);
    let text = f
        .schemas
        .full("ResourceContents", &ours, check!(ResourceContents));
    let read = view::ResourceContents::new(raw(&text));
    same(read.uri(), "log:/1");
    same(read.mime_type(), "text/plain");
    same(read.text(), "ok");
    f.schemas
        .valid("TextResourceContents", Revision::ALL, &ours);
    f.schemas
        .valid("BlobResourceContents", Revision::ALL, &bytes);
    let text = write(&bytes);
    same(view::ResourceContents::new(raw(&text)).blob(), "//4=");

    let one = [resource];
    let page = ListResourcesResult::new(&one)
        .next_cursor("2")
        .result_type(ResultType::Complete)
        .cache(0, CacheScope::Public)
        .meta(&meta);
    let text = f
        .schemas
        .full("ListResourcesResult", &page, check!(ListResourcesResult));
    assert_eq!(
        view::ListResourcesResult::new(raw(&text))
            .resources()
            .count(),
        1
    );
    let name = "ListResourceTemplatesResult";
    let one = [template];
    let page = ListResourceTemplatesResult::new(&one)
        .next_cursor("2")
        .result_type(ResultType::Complete)
        .cache(0, CacheScope::Public)
        .meta(&meta);
    let text = f
        .schemas
        .full(name, &page, check!(ListResourceTemplatesResult));
    let read = view::ListResourceTemplatesResult::new(raw(&text));
    assert_eq!(read.resource_templates().count(), 1);
    let both: [ResourceContents<'_>; 2] = [ours.into(), bytes.into()];
    let result = ReadResourceResult::new(&both)
        .result_type(ResultType::Complete)
        .cache(0, CacheScope::Public)
        .meta(&meta);
    let text = f
        .schemas
        .full("ReadResourceResult", &result, check!(ReadResourceResult));
    let read = view::ReadResourceResult::new(raw(&text));
    assert_eq!(read.contents().count(), 2);
    assert_eq!(
        (read.ttl_ms(), read.cache_scope()),
        (0, Some(CacheScope::Public))
    );

    let responses = json_of(&json!({"k": {"action": "cancel"}}));
    let params = ReadResourceParams::new("log:/1")
        .input_responses(&responses)
        .request_state("s")
        .meta(&meta);
    let text = f.schemas.full(
        "ReadResourceRequest.params",
        &params,
        check!(ReadResourceParams),
    );
    f.schemas
        .valid("ReadResourceRequestParams", &[D, E], &params);
    let read = view::ReadResourceParams::new(raw(&text));
    same(read.uri(), "log:/1");
    assert_eq!(read.input_responses().count(), 1);
    same(read.request_state(), "s");
    let params = ResourceParams::new("log:/1").meta(&meta);
    for name in [
        "SubscribeRequest.params",
        "UnsubscribeRequest.params",
        "ResourceUpdatedNotification.params",
    ] {
        let text = f.schemas.full(name, &params, check!(ResourceParams));
        same(view::ResourceParams::new(raw(&text)).uri(), "log:/1");
    }
    f.schemas.valid("ResourceRequestParams", &[D, E], &params);
    f.schemas.valid("SubscribeRequestParams", &[D], &params);
    f.schemas.valid("UnsubscribeRequestParams", &[D], &params);
    f.schemas
        .valid("ResourceUpdatedNotificationParams", &[D, E], &params);
}

pub fn prompts(f: &mut Fixture) {
    let meta = raw(&f.meta);
    let argument = PromptArgument::new("whom")
        .title("Whom")
        .description("To greet")
        .required(true);
    let text = f
        .schemas
        .full("PromptArgument", &argument, check!(PromptArgument));
    let read = view::PromptArgument::new(raw(&text));
    same(read.name(), "whom");
    same(read.title(), "Whom");
    same(read.description(), "To greet");
    assert!(read.required());
    let arguments = [argument];
    let prompt = Prompt::new("greet")
        .title("Greet")
        .description("Greets")
        .arguments(&arguments)
        .icons(ICONS)
        .meta(&meta);
    let text = f.schemas.full("Prompt", &prompt, check!(Prompt));
    let read = view::Prompt::new(raw(&text));
    same(read.name(), "greet");
    same(read.title(), "Greet");
    same(read.description(), "Greets");
    assert_eq!((read.arguments().count(), read.icons().count()), (1, 1));

    let message = PromptMessage::new(Role::Assistant, TextContent::new("hi"));
    let text = f
        .schemas
        .full("PromptMessage", &message, check!(PromptMessage));
    let read = view::PromptMessage::new(raw(&text));
    assert_eq!(read.role(), Some(Role::Assistant));
    same(read.content().unwrap().as_text(), "hi");
    let one = [message];
    let result = GetPromptResult::new(&one)
        .description("A greeting")
        .result_type(ResultType::Complete)
        .meta(&meta);
    let text = f
        .schemas
        .full("GetPromptResult", &result, check!(GetPromptResult));
    let read = view::GetPromptResult::new(raw(&text));
    same(read.description(), "A greeting");
    assert_eq!(read.messages().count(), 1);
    let one = [prompt];
    let page = ListPromptsResult::new(&one)
        .next_cursor("2")
        .result_type(ResultType::Complete)
        .cache(0, CacheScope::Public)
        .meta(&meta);
    let text = f
        .schemas
        .full("ListPromptsResult", &page, check!(ListPromptsResult));
    assert_eq!(
        view::ListPromptsResult::new(raw(&text)).prompts().count(),
        1
    );

    let responses = json_of(&json!({"k": {"action": "cancel"}}));
    let pairs = Pairs(&[("whom", "you")]);
    let params = GetPromptParams::new("greet")
        .arguments(&pairs)
        .input_responses(&responses)
        .request_state("s")
        .meta(&meta);
    let text = f
        .schemas
        .full("GetPromptRequest.params", &params, check!(GetPromptParams));
    f.schemas.valid("GetPromptRequestParams", &[D, E], &params);
    let read = view::GetPromptParams::new(raw(&text));
    same(read.name(), "greet");
    same(read.argument("whom"), "you");
    assert_eq!(read.arguments().count(), 1);
    assert_eq!(read.input_responses().count(), 1);
    same(read.request_state(), "s");
}

pub fn completion(f: &mut Fixture) {
    let meta = raw(&f.meta);
    let known = Pairs(&[("year", "2026")]);
    let day = Argument::new("day", "mo");
    let prompt = Reference::Prompt("greet".into());
    let template = Reference::Resource("log:/{day}".into());
    let params = CompleteParams::new(template, day)
        .context(&known)
        .meta(&meta);
    let text = f
        .schemas
        .full("CompleteRequest.params", &params, check!(CompleteParams));
    f.schemas.valid(
        "CompleteRequestParams",
        &[D, E],
        &CompleteParams::new(prompt, day).meta(&meta),
    );
    f.schemas.valid("PromptReference", Revision::ALL, &prompt);
    f.schemas.valid("ResourceReference", &[A, B], &template);
    f.schemas
        .valid("ResourceTemplateReference", &[C, D, E], &template);
    let read = view::CompleteParams::new(raw(&text));
    let view::Reference::Resource(uri) = read.reference().unwrap() else {
        panic!("{read:?}")
    };
    assert_eq!(uri, "log:/{day}");
    same(read.argument_name(), "day");
    same(read.argument_value(), "mo");
    assert!(read.argument().is_some() && read.context().is_some());
    same(read.context_argument("year"), "2026");
    let found = Completion::new(&["monday"]).total(1).has_more(false);
    let text = f
        .schemas
        .full("CompleteResult.completion", &found, check!(Completion));
    let read = view::Completion::new(raw(&text));
    assert!(read.values().eq(["monday"]));
    assert_eq!((read.total(), read.has_more()), (Some(1), false));
    let result = CompleteResult::new(found)
        .result_type(ResultType::Complete)
        .meta(&meta);
    let text = f
        .schemas
        .full("CompleteResult", &result, check!(CompleteResult));
    assert!(view::CompleteResult::new(raw(&text)).completion().is_some());
}
