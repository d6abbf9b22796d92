//! What servers ask of clients, tasks, and the data of errors.

use super::*;

pub fn sampling(f: &mut Fixture) {
    let meta = raw(&f.meta);
    let hints = [ModelHint::new().name("small")];
    let text = f.schemas.full("ModelHint", &hints[0], check!(ModelHint));
    same(view::ModelHint::new(raw(&text)).name(), "small");
    let wanted = ModelPreferences::new()
        .hints(&hints)
        .cost_priority(1)
        .speed_priority(number("0.25"))
        .intelligence_priority(0);
    let text = f
        .schemas
        .full("ModelPreferences", &wanted, check!(ModelPreferences));
    let read = view::ModelPreferences::new(raw(&text));
    assert_eq!(read.hints().count(), 1);
    assert_eq!(read.cost_priority(), Number::new("1"));
    assert_eq!(read.speed_priority(), Number::new("0.25"));
    assert_eq!(read.intelligence_priority(), Number::new("0"));

    let message = SamplingMessage::new(Role::User, Blocks::One(TextContent::new("hi"))).meta(&meta);
    let text = f
        .schemas
        .full("SamplingMessage", &message, check!(SamplingMessage));
    let read = view::SamplingMessage::new(raw(&text));
    assert_eq!(read.role(), Some(Role::User));
    same(read.content().next().unwrap().as_text(), "hi");
    let blocks = [TextContent::new("a"), TextContent::new("b")];
    let several = SamplingMessage::new(Role::Assistant, Blocks::several(&blocks));
    f.schemas.valid("SamplingMessage", &[D, E], &several);
    let text = write(&several);
    let texts = view::SamplingMessage::new(raw(&text)).content();
    assert!(texts.filter_map(|it| it.as_text()).eq(["a", "b"]));
    let none = br#"{"role":"user","content":"hi"}"#;
    assert_eq!(view::SamplingMessage::new(raw(none)).content().count(), 0);

    let schema = raw(SCHEMA);
    let tools = [Tool::new("rm", &schema)];
    let metadata = json_of(&json!({"provider": 1}));
    let messages = [message];
    let params = CreateMessageParams::new(&messages, 100)
        .model_preferences(&wanted)
        .system_prompt("Be brief")
        .include_context(IncludeContext::Nothing)
        .temperature(number("0.7"))
        .stop_sequences(&["END"])
        .metadata(&metadata)
        .tools(&tools)
        .tool_choice(ToolChoiceMode::Auto)
        .task(TaskMetadata::new().ttl(1))
        .meta(&meta);
    let text = f.schemas.full(
        "CreateMessageRequest.params",
        &params,
        check!(CreateMessageParams),
    );
    f.schemas
        .valid("CreateMessageRequestParams", &[D, E], &params);
    f.schemas.valid("TaskAugmentedRequestParams", &[D], &params);
    let read = view::CreateMessageParams::new(raw(&text));
    assert_eq!((read.messages().count(), read.max_tokens()), (1, Some(100)));
    assert!(read.model_preferences().is_some());
    same(read.system_prompt(), "Be brief");
    assert_eq!(read.include_context(), Some(IncludeContext::Nothing));
    assert_eq!(read.temperature(), Number::new("0.7"));
    assert!(read.stop_sequences().eq(["END"]) && read.metadata().is_some());
    assert_eq!(read.tools().count(), 1);
    let choice = read.tool_choice().unwrap();
    assert_eq!(choice.mode(), Some(ToolChoiceMode::Auto));
    f.schemas
        .full("ToolChoice", &choice.raw(), check!(ToolChoice));
    assert_eq!(read.task().unwrap().ttl(), Some(1));

    let said = Blocks::One(TextContent::new("hello"));
    let result = CreateMessageResult::new(Role::Assistant, said, "m")
        .stop_reason("endTurn")
        .meta(&meta);
    let text = f.schemas.full_but(
        &["resultType"],
        "CreateMessageResult",
        &result,
        check!(CreateMessageResult),
    );
    let read = view::CreateMessageResult::new(raw(&text));
    assert_eq!(read.role(), Some(Role::Assistant));
    same(read.content().next().unwrap().as_text(), "hello");
    same(read.model(), "m");
    same(read.stop_reason(), "endTurn");

    let root = Root::new("file:///home").name("Home").meta(&meta);
    let text = f.schemas.full("Root", &root, check!(Root));
    let read = view::Root::new(raw(&text));
    same(read.uri(), "file:///home");
    same(read.name(), "Home");
    let one = [root];
    let result = ListRootsResult::new(&one).meta(&meta);
    let text = f
        .schemas
        .full("ListRootsResult", &result, check!(ListRootsResult));
    assert_eq!(view::ListRootsResult::new(raw(&text)).roots().count(), 1);
    for role in Role::ALL {
        f.schemas.valid("Role", Revision::ALL, role);
    }
}

pub fn elicitation(f: &mut Fixture) {
    let meta = raw(&f.meta);
    let members = [
        Property::string("name").required(),
        Property::boolean("sure"),
    ];
    let schema = RequestedSchema::new(&members);
    let form = ElicitFormParams::new("Who?", &schema)
        .task(TaskMetadata::new())
        .meta(&meta);
    f.schemas.valid("ElicitRequest.params", &[C, D, E], &form);
    f.schemas.valid("ElicitRequestParams", &[D, E], &form);
    f.schemas.valid("ElicitRequestFormParams", &[D, E], &form);
    let text = write(&form);
    let read = view::ElicitParams::new(raw(&text));
    assert_eq!(
        (read.check(), read.mode()),
        (Ok(()), Some(ElicitMode::Form))
    );
    same(read.message(), "Who?");
    assert!(read.task().is_some() && read.url().is_none() && read.elicitation_id().is_none());
    let asked = read.requested_schema().unwrap();
    assert_eq!(asked.check(), Ok(()));
    assert!(
        asked.required().eq(["name"]) && asked.is_required("name") && !asked.is_required("sure")
    );
    let kinds = asked
        .properties()
        .map(|(name, it)| (name.to_string(), it.kind().unwrap().to_string()));
    let kinds: Vec<_> = kinds.collect();
    let wanted =
        [("name", "string"), ("sure", "boolean")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(kinds, wanted);
    // Nothing that must be given: no `required`.
    let schema = RequestedSchema::new(&members[1..]);
    f.schemas.valid(
        "ElicitRequest.params",
        &[C, D, E],
        &ElicitFormParams::new("Who?", &schema),
    );

    let url = ElicitUrlParams::new("Log in", "https://example.com/")
        .elicitation_id("e1")
        .task(TaskMetadata::new())
        .meta(&meta);
    f.schemas.valid("ElicitRequestURLParams", &[D, E], &url);
    f.schemas.valid("ElicitRequest.params", &[D, E], &url);
    let text = write(&url);
    let read = view::ElicitParams::new(raw(&text));
    assert_eq!((read.check(), read.mode()), (Ok(()), Some(ElicitMode::Url)));
    same(read.url(), "https://example.com/");
    same(read.elicitation_id(), "e1");
    assert!(read.requested_schema().is_none());
    for (mode, wanted) in [
        ("\"url\"", Some(ElicitMode::Url)),
        ("\"x\"", None),
        ("1", None),
    ] {
        let text = format!("{{\"mode\":{mode}}}");
        assert_eq!(view::ElicitParams::new(raw(text.as_bytes())).mode(), wanted);
    }

    let content = json_of(&json!({"a": "x", "b": 1, "c": true}));
    for &action in ElicitAction::ALL {
        let result = ElicitResult::new(action).content(&content).meta(&meta);
        let text = f
            .schemas
            .full("ElicitResult", &result, check!(ElicitResult));
        let read = view::ElicitResult::new(raw(&text));
        assert_eq!((read.action(), read.content().count()), (Some(action), 3));
    }
    let complete = ElicitationCompleteParams::new("e1").meta(&meta);
    let name = "ElicitationCompleteNotification.params";
    let text = f
        .schemas
        .full(name, &complete, check!(ElicitationCompleteParams));
    same(
        view::ElicitationCompleteParams::new(raw(&text)).elicitation_id(),
        "e1",
    );
}

pub fn forms(f: &mut Fixture) {
    let all: &[Revision] = &[C, D, E];
    const PLAIN: &[Choice<'_>] = &[Choice::new("r"), Choice::new("g")];
    const TITLED: &[Choice<'_>] = &[Choice::new("r").title("Red"), Choice::new("g")];
    let named = |it: Property<'static>| it.title("Name").description("What it is");
    let text = named(Property::string("a"))
        .format("email")
        .min(1)
        .max(9)
        .default_value(&"a@b.c");
    let whole = named(Property::integer("a"))
        .min(-1)
        .max(9)
        .default_value(&5);
    let real = named(Property::number("a"))
        .min(number("0.5"))
        .max(9)
        .default_value(&5);
    let flag = named(Property::boolean("a")).default_value(&true);
    f.schemas.valid("StringSchema", all, &text);
    f.schemas.valid("NumberSchema", all, &whole);
    f.schemas.valid("NumberSchema", all, &real);
    f.schemas.valid("BooleanSchema", all, &flag);
    let one = named(Property::choice("a", PLAIN)).default_value(&"g");
    f.schemas
        .valid("UntitledSingleSelectEnumSchema", &[D, E], &one);
    f.schemas.valid("EnumSchema", all, &one);
    let one = named(Property::choice("a", TITLED)).default_value(&"g");
    f.schemas
        .valid("TitledSingleSelectEnumSchema", &[D, E], &one);
    f.schemas.valid("SingleSelectEnumSchema", &[D, E], &one);
    f.schemas
        .valid("LegacyTitledEnumSchema", &[D, E], &one.with_enum_names());
    f.schemas.valid("EnumSchema", all, &one.with_enum_names());
    let many = named(Property::choices("a", PLAIN))
        .min(1)
        .max(2)
        .default_value(&["g"]);
    f.schemas
        .valid("UntitledMultiSelectEnumSchema", &[D, E], &many);
    let many = named(Property::choices("a", TITLED))
        .min(1)
        .max(2)
        .default_value(&["g"]);
    f.schemas
        .valid("TitledMultiSelectEnumSchema", &[D, E], &many);
    f.schemas.valid("MultiSelectEnumSchema", &[D, E], &many);

    let plain = [("r", None), ("g", None)];
    let titled = [("r", Some("Red")), ("g", Some("g"))];
    for (form, choices, multiple) in [
        (text, &[][..], false),
        (Property::choice("a", PLAIN), &plain[..], false),
        (one, &titled[..], false),
        (one.with_enum_names(), &titled[..], false),
        (many, &titled[..], true),
        (Property::choices("a", PLAIN), &plain[..], true),
    ] {
        f.schemas.valid("PrimitiveSchemaDefinition", &[D, E], &form);
        let text = write(&form);
        let read = view::PrimitiveSchema::new(raw(&text));
        let read_choices = read
            .choices()
            .map(|it| (it.value.to_string(), it.title.map(|it| it.to_string())));
        let wanted = choices
            .iter()
            .map(|(a, b)| (a.to_string(), b.map(|it| it.to_string())));
        assert!(read_choices.eq(wanted), "{read:?}");
        assert_eq!(read.is_multiple(), multiple);
        assert_eq!(read.check(), Ok(()));
    }
    let text = write(&text);
    let read = view::PrimitiveSchema::new(raw(&text));
    same(read.title(), "Name");
    same(read.description(), "What it is");
    same(read.format(), "email");
    same(read.default_value().unwrap().as_json_str(), "a@b.c");
    assert_eq!((read.min_length(), read.max_length()), (Some(1), Some(9)));
    let text = write(&whole);
    let read = view::PrimitiveSchema::new(raw(&text));
    assert_eq!(
        (read.minimum(), read.maximum()),
        (Number::new("-1"), Number::new("9"))
    );
    let text = write(&many);
    let read = view::PrimitiveSchema::new(raw(&text));
    assert_eq!((read.min_items(), read.max_items()), (Some(1), Some(2)));
}

pub fn rounds(f: &mut Fixture) {
    let meta = raw(&f.meta);
    let members = [Property::string("name")];
    let schema = RequestedSchema::new(&members);
    let form = ElicitFormParams::new("Who?", &schema);
    let messages = [SamplingMessage::new(
        Role::User,
        Blocks::One(TextContent::new("hi")),
    )];
    let model = CreateMessageParams::new(&messages, 10);
    let asked = [
        InputRequest::new("who", "elicitation/create").params(&form),
        InputRequest::new("say \"hi\"", "sampling/createMessage").params(&model),
        InputRequest::new("dirs", "roots/list"),
    ];
    assert_eq!((asked[0].key(), asked[2].method()), ("who", "roots/list"));
    let result = InputRequiredResult::new()
        .input_requests(&asked)
        .request_state("s")
        .meta(&meta);
    let text = f
        .schemas
        .full("InputRequiredResult", &result, check!(InputRequiredResult));
    f.schemas.valid(
        "InputRequiredResult",
        &[E],
        &InputRequiredResult::new().request_state("s"),
    );
    f.schemas.valid(
        "InputRequiredResult",
        &[E],
        &InputRequiredResult::new().input_requests(&asked),
    );
    let read = view::InputRequiredResult::new(raw(&text));
    assert_eq!(read.result_type(), Some(ResultType::InputRequired));
    same(read.request_state(), "s");
    let keys: Vec<_> = read.input_requests().map(|(key, _)| key).collect();
    assert!(keys.iter().eq(["who", "say \"hi\"", "dirs"].iter()));
    let mut requests = read.input_requests().map(|(_, request)| request);
    let first = requests.next().unwrap();
    f.schemas.valid("InputRequest", &[E], &first.raw());
    f.schemas.valid(
        "InputRequests",
        &[E],
        &read.raw().get("inputRequests").unwrap(),
    );
    same(first.method(), "elicitation/create");
    same(
        view::ElicitParams::new(first.params().unwrap()).message(),
        "Who?",
    );

    let answer = ElicitResult::new(ElicitAction::Decline);
    let said = Blocks::One(TextContent::new("hi"));
    let model = CreateMessageResult::new(Role::Assistant, said, "m");
    let none: [Root<'_>; 0] = [];
    let roots = ListRootsResult::new(&none);
    let answers: [(JsonStr<'_>, &dyn ToJson); 3] =
        [(keys[0], &answer), (keys[1], &model), (keys[2], &roots)];
    let responses = InputResponses::new(&answers);
    f.schemas.valid("InputResponses", &[E], &responses);
    f.schemas.valid("InputResponse", &[E], &answer);
    let call = CallToolParams::new("mail")
        .input_responses(&responses)
        .request_state("s")
        .meta(&meta);
    f.schemas.valid("InputResponseRequestParams", &[E], &call);
    let text = write(&call);
    let read = view::CallToolParams::new(raw(&text));
    assert!(read.input_responses().map(|(key, _)| key).eq(keys));
}

pub fn tasks(f: &mut Fixture) {
    let meta = raw(&f.meta);
    for (ttl, status) in [
        (Some(60_000), TaskStatus::Working),
        (None, TaskStatus::Failed),
    ] {
        let task = Task::new("t1", status, DAY, DAY, ttl)
            .status_message("Going on")
            .poll_interval(500)
            .meta(&meta);
        for name in [
            "GetTaskResult",
            "CancelTaskResult",
            "TaskStatusNotification.params",
        ] {
            f.schemas.valid(name, &[D], &task);
        }
        f.schemas.valid("TaskStatusNotificationParams", &[D], &task);
        let text = f.schemas.full("Task", &task, check!(Task));
        let read = view::Task::new(raw(&text));
        same(read.task_id(), "t1");
        assert_eq!(read.status(), Some(status));
        same(read.status_message(), "Going on");
        same(read.created_at(), DAY);
        same(read.last_updated_at(), DAY);
        assert_eq!(read.ttl().and_then(|it| it.as_u64()), ttl);
        assert_eq!(read.poll_interval(), Some(500));
        assert!(read.meta().is_some());
        let result = CreateTaskResult::new(task).meta(&meta);
        let text = f
            .schemas
            .full("CreateTaskResult", &result, check!(CreateTaskResult));
        assert!(view::CreateTaskResult::new(raw(&text)).task().is_some());
        let one = [task];
        let page = ListTasksResult::new(&one).next_cursor("2").meta(&meta);
        let text = f
            .schemas
            .full("ListTasksResult", &page, check!(ListTasksResult));
        assert_eq!(view::ListTasksResult::new(raw(&text)).tasks().count(), 1);
    }
    for status in TaskStatus::ALL {
        f.schemas.valid("TaskStatus", &[D], status);
    }
    let params = TaskParams::new("t1").meta(&meta);
    for name in [
        "GetTaskRequest.params",
        "GetTaskPayloadRequest.params",
        "CancelTaskRequest.params",
    ] {
        let text = f.schemas.full(name, &params, check!(TaskParams));
        same(view::TaskParams::new(raw(&text)).task_id(), "t1");
    }
}

pub fn errors(f: &mut Fixture) {
    let data = UnsupportedVersion::new(Revision::ALL, "2099-01-01");
    let name = "UnsupportedProtocolVersionError.error.data";
    let text = f.schemas.full(name, &data, check!(UnsupportedVersion));
    let read = view::UnsupportedVersion::new(raw(&text));
    assert_eq!(read.supported().count(), 5);
    same(read.requested(), "2099-01-01");
    let needed = Capabilities::NONE.with(Capability::SamplingTools);
    let data = MissingCapability::new(&needed);
    let name = "MissingRequiredClientCapabilityError.error.data";
    let text = f.schemas.full(name, &data, check!(MissingCapability));
    assert!(
        view::MissingCapability::new(raw(&text))
            .required_capabilities()
            .is_some()
    );
    let login = [ElicitUrlParams::new("Log in", "https://example.com/").elicitation_id("e1")];
    let data = UrlElicitationRequired::new(&login);
    let name = "URLElicitationRequiredError.error.data";
    let text = f.schemas.full(name, &data, check!(UrlElicitationRequired));
    let mut read = view::UrlElicitationRequired::new(raw(&text)).elicitations();
    same(read.next().unwrap().elicitation_id(), "e1");
}
