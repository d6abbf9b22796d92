//! What opens a session, watches over requests, and tells of changes.

use super::*;

pub fn opening(f: &mut Fixture) {
    let meta = raw(&f.meta);
    let capabilities = Capabilities::NONE.with(Capability::Tools);
    let params = InitializeParams::new(C, &Capabilities::NONE, &US).meta(&meta);
    let text = f.schemas.full(
        "InitializeRequest.params",
        &params,
        check!(InitializeParams),
    );
    f.schemas.valid("InitializeRequestParams", &[D], &params);
    let read = view::InitializeParams::new(raw(&text));
    same(read.protocol_version(), "2025-06-18");
    assert!(read.capabilities().is_some());
    same(read.client_info().unwrap().name(), "board");
    let result = InitializeResult::new(C, &capabilities, &US)
        .instructions("Call it")
        .meta(&meta);
    let text = f
        .schemas
        .full("InitializeResult", &result, check!(InitializeResult));
    let read = view::InitializeResult::new(raw(&text));
    same(read.protocol_version(), "2025-06-18");
    assert!(read.capabilities().unwrap().get("tools").is_some());
    same(read.server_info().unwrap().name(), "board");
    same(read.instructions(), "Call it");
    let result = DiscoverResult::new(Revision::ALL, &capabilities)
        .instructions("Call it")
        .result_type(ResultType::Complete)
        .cache(1, CacheScope::Public)
        .meta(&meta);
    let text = f
        .schemas
        .full("DiscoverResult", &result, check!(DiscoverResult));
    let read = view::DiscoverResult::new(raw(&text));
    assert_eq!(read.supported_versions().count(), 5);
    assert!(read.capabilities().is_some());
    same(read.instructions(), "Call it");

    for (side, name) in [
        (Side::Client, "ClientCapabilities"),
        (Side::Server, "ServerCapabilities"),
    ] {
        for &revision in Revision::ALL {
            let all = Capability::ALL.iter().filter(|it| it.side() == side);
            let all = all
                .fold(Capabilities::NONE, |set, it| set.with(*it))
                .in_revision(revision);
            f.schemas.valid(name, &[revision], &all);
            let read = Capabilities::read(side, raw(&write(&all)));
            assert_eq!(read.in_revision(revision), all);
        }
    }

    let params = EmptyParams::new().meta(&meta);
    for (name, revisions) in [
        ("PingRequest.params", &[A, B, C, D][..]),
        ("DiscoverRequest.params", &[E]),
        ("ListRootsRequest.params", Revision::ALL),
        ("InitializedNotification.params", &[A, B, C, D]),
        ("RootsListChangedNotification.params", &[A, B, C, D]),
        ("ToolListChangedNotification.params", Revision::ALL),
        ("PromptListChangedNotification.params", Revision::ALL),
        ("ResourceListChangedNotification.params", Revision::ALL),
        ("RequestParams", &[D, E]),
        ("NotificationParams", &[D, E]),
    ] {
        f.schemas.valid(name, revisions, &params);
    }
    let result = EmptyResult::new()
        .result_type(ResultType::Complete)
        .meta(&meta);
    for name in ["Result", "SubscriptionsListenResult"] {
        let text = f.schemas.full(name, &result, check!(SubscriptionResult));
        let id = view::SubscriptionResult::new(raw(&text))
            .meta()
            .unwrap()
            .subscription_id();
        assert_eq!(id.unwrap().as_i64(), Some(7));
    }
    for revision in [A, B, C, D] {
        f.schemas
            .valid("EmptyResult", &[revision], &EmptyResult::new());
    }
    f.schemas.valid(
        "EmptyResult",
        &[E],
        &EmptyResult::new().result_type(ResultType::Complete),
    );
    f.schemas.valid("GetTaskPayloadResult", &[D], &result);
    f.schemas.valid(
        "SubscriptionsListenResultMetaObject",
        &[E],
        &Meta::new().subscription_id("s"),
    );
    for result_type in ResultType::ALL {
        f.schemas.valid("ResultType", &[E], result_type);
    }
    let text = write(&result);
    assert_eq!(
        view::EmptyResult::new(raw(&text)).result_type(),
        Some(ResultType::Complete)
    );
}

pub fn watching(f: &mut Fixture) {
    let meta = raw(&f.meta);
    let params = PageParams::new().cursor("2").meta(&meta);
    for name in [
        "ListToolsRequest.params",
        "ListResourcesRequest.params",
        "ListResourceTemplatesRequest.params",
        "ListPromptsRequest.params",
        "ListTasksRequest.params",
        "PaginatedRequest.params",
    ] {
        let text = f.schemas.full(name, &params, check!(PageParams));
        same(view::PageParams::new(raw(&text)).cursor(), "2");
    }
    f.schemas.valid("PaginatedRequestParams", &[D, E], &params);
    f.schemas.valid("Cursor", Revision::ALL, &Text::from("2"));
    let params = SetLevelParams::new(LogLevel::Alert).meta(&meta);
    let text = f
        .schemas
        .full("SetLevelRequest.params", &params, check!(SetLevelParams));
    f.schemas.valid("SetLevelRequestParams", &[D], &params);
    assert_eq!(
        view::SetLevelParams::new(raw(&text)).level(),
        Some(LogLevel::Alert)
    );
    for level in LogLevel::ALL {
        f.schemas.valid("LoggingLevel", Revision::ALL, level);
    }
    let message = LogMessageParams::new(LogLevel::Debug, &[1, 2])
        .logger("heater")
        .meta(&meta);
    let name = "LoggingMessageNotification.params";
    let text = f.schemas.full(name, &message, check!(LogMessageParams));
    f.schemas
        .valid("LoggingMessageNotificationParams", &[D, E], &message);
    let read = view::LogMessageParams::new(raw(&text));
    assert_eq!(read.level(), Some(LogLevel::Debug));
    same(read.logger(), "heater");
    assert_eq!(read.data().unwrap().as_str(), "[1,2]");

    let progress = ProgressParams::new("t", number("0.10"))
        .total(-1)
        .message("going on")
        .meta(&meta);
    let text = f.schemas.full(
        "ProgressNotification.params",
        &progress,
        check!(ProgressParams),
    );
    f.schemas
        .valid("ProgressNotificationParams", &[D, E], &progress);
    let read = view::ProgressParams::new(raw(&text));
    same(read.progress_token().unwrap().as_json_str(), "t");
    assert_eq!(read.progress().unwrap().as_str(), "0.10");
    assert_eq!(read.total().unwrap().as_i64(), Some(-1));
    same(read.message(), "going on");
    for id in [
        OutId::from("t"),
        OutId::from(7),
        OutId::Echo(Id::parse(b"1.0").unwrap()),
    ] {
        f.schemas.valid("ProgressToken", Revision::ALL, &id);
        f.schemas.valid("RequestId", Revision::ALL, &id);
    }
    let cancelled = CancelledParams::new(7).reason("too slow").meta(&meta);
    let text = f.schemas.full(
        "CancelledNotification.params",
        &cancelled,
        check!(CancelledParams),
    );
    f.schemas
        .valid("CancelledNotificationParams", &[D, E], &cancelled);
    let read = view::CancelledParams::new(raw(&text));
    assert_eq!(read.request_id().unwrap().as_i64(), Some(7));
    same(read.reason(), "too slow");
}

pub fn subscriptions(f: &mut Fixture) {
    let meta = raw(&f.meta);
    let filter = SubscriptionFilter::new()
        .tools_list_changed(true)
        .prompts_list_changed(true)
        .resources_list_changed(true)
        .resource_subscriptions(&["a:/", "b:/"]);
    let text = f
        .schemas
        .full("SubscriptionFilter", &filter, check!(SubscriptionFilter));
    let read = view::SubscriptionFilter::new(raw(&text));
    assert!(read.tools_list_changed() && read.prompts_list_changed());
    assert!(read.resources_list_changed() && read.resource_subscriptions().eq(["a:/", "b:/"]));
    let wanted = read.resource_subscriptions();
    let again = SubscriptionFilter::new().resource_subscriptions(&wanted);
    f.schemas.valid("SubscriptionFilter", &[E], &again);
    let params = SubscriptionParams::new(filter).meta(&meta);
    for name in [
        "SubscriptionsListenRequest.params",
        "SubscriptionsAcknowledgedNotification.params",
    ] {
        let text = f.schemas.full(name, &params, check!(SubscriptionParams));
        assert!(
            view::SubscriptionParams::new(raw(&text))
                .notifications()
                .is_some()
        );
    }
    f.schemas
        .valid("SubscriptionsListenRequestParams", &[E], &params);
    f.schemas
        .valid("SubscriptionsAcknowledgedNotificationParams", &[E], &params);
}
