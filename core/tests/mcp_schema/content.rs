//! What stands in many places, and blocks of content.

use super::*;

pub fn common(f: &mut Fixture) {
    let text = f.schemas.full("Icon", &ICONS[0], check!(Icon));
    let icon = view::Icon::new(raw(&text));
    same(icon.src(), "https://example.com/i.png");
    same(icon.mime_type(), "image/png");
    assert!(icon.sizes().eq(["48x48"]));
    assert_eq!(icon.theme(), Some(Theme::Dark));
    f.schemas.valid(
        "Icons",
        &[D, E],
        &json_of(&json!({"icons": [{"src": "https://a.b/"}]})),
    );

    let text = f
        .schemas
        .full("Implementation", &US, check!(Implementation));
    let us = view::Implementation::new(raw(&text));
    same(us.name(), "board");
    same(us.version(), "1.2");
    same(us.title(), "The board");
    same(us.display_name(), "The board");
    same(us.description(), "A board with a LED");
    same(us.website_url(), "https://example.com/");
    assert_eq!(us.icons().count(), 1);

    let text = f.schemas.full("Annotations", &notes(), check!(Annotations));
    f.schemas.valid("Annotated.annotations", &[A], &notes());
    let annotations = view::Annotations::new(raw(&text));
    assert!(annotations.audience().eq(["user", "assistant"]));
    assert!(annotations.is_for(Role::Assistant));
    assert_eq!(annotations.priority(), Number::new("0.5"));
    same(annotations.last_modified(), DAY);

    let text = f.meta.clone();
    for name in [
        "RequestMetaObject",
        "NotificationMetaObject",
        "ResultMetaObject",
        "MetaObject",
    ] {
        f.schemas.valid(name, &[E], &raw(&text));
    }
    f.schemas.valid("RequestParams._meta", &[D, E], &raw(&text));
    f.schemas
        .valid("RelatedTaskMetadata", &[D], &TaskParams::new("t1"));
    let meta = view::Meta::new(raw(&text));
    assert_eq!(meta.check(), Ok(()));
    same(meta.progress_token().and_then(|id| id.as_json_str()), "t");
    same(meta.protocol_version(), "2026-07-28");
    assert!(
        meta.client_capabilities()
            .unwrap()
            .get("elicitation")
            .is_some()
    );
    same(meta.client_info().unwrap().name(), "board");
    same(meta.server_info().unwrap().name(), "board");
    assert_eq!(meta.log_level(), Some(LogLevel::Notice));
    assert_eq!(meta.subscription_id().unwrap().as_i64(), Some(7));
    same(meta.related_task(), "t1");
    assert!(meta.traceparent().is_some());
    same(meta.tracestate(), "a=b");
    same(meta.baggage(), "c=d");
}

pub fn blocks(f: &mut Fixture) {
    let (meta, notes) = (raw(&f.meta), notes());
    let text = TextContent::new("a").annotations(&notes).meta(&meta);
    let image = ImageContent::new(&[1, 2, 3], "image/x")
        .annotations(&notes)
        .meta(&meta);
    let audio = AudioContent::new(&[1, 2, 3], "audio/x")
        .annotations(&notes)
        .meta(&meta);
    let link = ResourceLink::new("log:/1", "log")
        .title("The log")
        .description("What happened")
        .mime_type("text/plain")
        .size(5)
        .annotations(&notes)
        .icons(ICONS)
        .meta(&meta);
    let contents = TextResource::new("log:/1", "ok")
        .mime_type("text/plain")
        .meta(&meta);
    let resource = EmbeddedResource::new(contents.into())
        .annotations(&notes)
        .meta(&meta);
    let arguments = raw(br#"{"on":true}"#);
    let tool_use = ToolUseContent::new("u1", "rm", &arguments).meta(&meta);
    let said = [TextContent::new("b")];
    let tool_result = ToolResultContent::new("u1", &said)
        .structured_content(&arguments)
        .is_error(true)
        .meta(&meta);

    let written = f.schemas.full("TextContent", &text, check!(TextContent));
    let read = view::TextContent::new(raw(&written));
    same(read.text(), "a");
    assert!(read.annotations().is_some() && read.meta().is_some());
    let written = f.schemas.full("ImageContent", &image, check!(ImageContent));
    let read = view::ImageContent::new(raw(&written));
    same(read.data(), "AQID");
    same(read.mime_type(), "image/x");
    assert!(read.annotations().is_some());
    let written = f.schemas.full("AudioContent", &audio, check!(AudioContent));
    let read = view::AudioContent::new(raw(&written));
    same(read.data(), "AQID");
    same(read.mime_type(), "audio/x");
    assert!(read.annotations().is_some());
    let again = ImageContent::new(read.data().unwrap(), "image/x");
    f.schemas.valid("ImageContent", Revision::ALL, &again);

    // The views of a list's resource have the members of a link that it has not itself.
    let all: schema::Check = |raw| {
        let link = view::ResourceLink::new(raw);
        link.check().and_then(|()| link.resource().check())
    };
    let written = f.schemas.full("ResourceLink", &link, all);
    let read = view::ResourceLink::new(raw(&written));
    same(read.uri(), "log:/1");
    same(read.name(), "log");
    same(read.resource().title(), "The log");
    assert!(read.annotations().is_some());
    let written = f
        .schemas
        .full("EmbeddedResource", &resource, check!(EmbeddedResource));
    let read = view::EmbeddedResource::new(raw(&written));
    same(read.resource().unwrap().text(), "ok");
    assert!(read.annotations().is_some());
    let written = f
        .schemas
        .full("ToolUseContent", &tool_use, check!(ToolUseContent));
    let read = view::ToolUseContent::new(raw(&written));
    same(read.id(), "u1");
    same(read.name(), "rm");
    assert_eq!(read.input().unwrap().as_bytes(), br#"{"on":true}"#);
    let written = f
        .schemas
        .full("ToolResultContent", &tool_result, check!(ToolResultContent));
    let read = view::ToolResultContent::new(raw(&written));
    same(read.tool_use_id(), "u1");
    same(read.content().next().unwrap().as_text(), "b");
    assert!(read.structured_content().is_some() && read.is_error());

    // Each block as one of any type.
    let any: [(Content<'_>, &[Revision]); 6] = [
        (text.into(), &[C, D, E]),
        (image.into(), &[C, D, E]),
        (audio.into(), &[C, D, E]),
        (link.into(), &[C, D, E]),
        (resource.into(), &[C, D, E]),
        (arguments.into(), &[]),
    ];
    let mut types = Vec::new();
    for (block, revisions) in any {
        f.schemas.valid("ContentBlock", revisions, &block);
        let written = write(&block);
        types.push(match view::Content::new(raw(&written)) {
            view::Content::Text(it) => it.raw() == raw(&written),
            it => it.raw() == raw(&written) && it.as_text().is_none(),
        });
    }
    assert_eq!(types, [true; 6]);
    for block in [write(&Content::from(tool_use)), write(&tool_result)] {
        f.schemas
            .valid("SamplingMessageContentBlock", &[D, E], &raw(&block));
    }
    let block = write(&Content::from(resource));
    let read = view::Content::new(raw(&block));
    assert!(matches!(read, view::Content::Resource(_)) && read.annotations().is_some());
    assert!(matches!(
        view::Content::new(raw(b"[]")),
        view::Content::Other(_)
    ));
    assert!(matches!(
        view::Content::new(raw(br#"{"type":"\u0074ext"}"#)),
        view::Content::Text(_)
    ));
}
