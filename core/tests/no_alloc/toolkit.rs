//! The server's toolkit and the client's lists.

use super::*;
use wireline::client::{List, Listing, Turn, Update};
use wireline::mcp::LogLevel;
use wireline::mcp::write::CallToolParams;
use wireline::server::{
    self, Completions, Done, Event, Extra, Prompt, PromptArgument, Resource, ResourceTemplate,
    Schema, Service, Tables, Tool, Toolkit,
};
use wireline::session::{
    Change, Client, Config, Handle, Implementation, Memory, Options, Progress, Send, Session,
};

fn schema() -> Schema<'static> {
    let text = r#"{ "type": "object", "properties": { "on": { "type": "boolean" } } }"#;
    free!("server/schema.rs" compact_len: server::compact_len(text));
    free!("server/schema.rs" compact: server::compact::<80>(text));
    let error = free!("server/schema.rs" new: Schema::new(r#"{"pattern":""}"#)).unwrap_err();
    free!("server/schema.rs" reason: error.reason());
    let report = free!("server/schema.rs" report: error.report(text));
    free!("server/schema.rs" as_str: report.as_str().len());
    free!("server/schema.rs" opaque: Schema::opaque(r#"{"pattern":""}"#)).unwrap();
    free!("server/schema.rs" assume_valid: Schema::assume_valid(text, false));
    let schema = Schema::new(text).unwrap();
    free!("server/schema.rs" as_str: schema.as_str());
    free!("server/schema.rs" is_opaque: schema.is_opaque());
    free!("server/schema.rs" as_raw: schema.as_raw());
    let wrong = RawJson::validate(br#"{"on":[1]}"#).unwrap();
    let mismatch = free!("server/schema.rs" check: schema.check(wrong)).unwrap_err();
    free!("server/check.rs" as_str: mismatch.as_str().len());
    schema
}

/// Sends it into nothing, in pieces.
fn transmit(send: &Send<'_>) {
    let mut out = [0; 16];
    free!("session/line.rs" len: send.len()).unwrap();
    for line in send.lines() {
        let mut pieces = line.pieces().unwrap();
        while free!("json/writer/pieces.rs" fill: pieces.fill(&mut out)).unwrap() > 0 {}
    }
}

pub fn servers() {
    let schema = schema();
    free!("server/table.rs" assume_valid: Extra::assume_valid(r#"{"_meta":{}}"#));
    let extra = free!("server/table.rs" new: Extra::new(r#"{"_meta":{}}"#)).unwrap();
    free!("server/table.rs" as_str: extra.as_str());
    free!("server/table.rs" as_raw: extra.as_raw());
    let tool = free!("server/table.rs" new: Tool::new("t", "does it", schema));
    let tool = free!("server/table.rs" with_title: tool.with_title("T"));
    let tool = free!("server/table.rs" with_output: tool.with_output(schema));
    let tool = free!("server/table.rs" with_hint_read_only: tool.with_hint_read_only(true));
    let tool = free!("server/table.rs" with_hint_destructive: tool.with_hint_destructive(true));
    let tool = free!("server/table.rs" with_hint_idempotent: tool.with_hint_idempotent(true));
    let tool = free!("server/table.rs" with_hint_open_world: tool.with_hint_open_world(true));
    let tools = [free!("server/table.rs" with_extra: tool.with_extra(extra))];
    let it = free!("server/table.rs" new: Resource::new("x:a", "a"));
    let it = free!("server/table.rs" with_title: it.with_title("A"));
    let it = free!("server/table.rs" with_description: it.with_description("an a"));
    let it = free!("server/table.rs" with_mime_type: it.with_mime_type("text/plain"));
    let it = free!("server/table.rs" with_size: it.with_size(1));
    let resources = [it.with_extra(extra)];
    let templates = [ResourceTemplate::new("x:b/{b}", "b")];
    assert_eq!(
        free!("server/table.rs" variables: templates[0].variables().count()),
        1
    );
    let argument = free!("server/table.rs" required: PromptArgument::required("a"));
    let arguments = [
        argument,
        free!("server/table.rs" optional: PromptArgument::optional("b")),
    ];
    let prompt = Prompt::new("p");
    let prompts = [free!("server/table.rs" with_arguments: prompt.with_arguments(&arguments))];
    let tables = Tables {
        tools: &tools,
        resources: &resources,
        templates: &templates,
        prompts: &prompts,
        line: 2048,
        ..Tables::EMPTY
    };
    let bad = [ResourceTemplate::new("x", "b")];
    let bad = Tables {
        templates: &bad,
        ..Tables::EMPTY
    };
    let error = free!("server/toolkit.rs" new: Toolkit::new(bad)).unwrap_err();
    free!("server/toolkit.rs" reason: error.reason());
    free!("server/toolkit.rs" report: error.report());
    free!("server/template.rs" reason: server::TemplateError::Count.reason());
    free!("server/toolkit.rs" assume_valid: Toolkit::assume_valid(tables)).unwrap();
    let toolkit = Toolkit::new(tables).unwrap();
    free!("server/toolkit.rs" tables: toolkit.tables().page);
    let can = free!("server/toolkit.rs" capabilities: toolkit.capabilities());
    let can = can
        .with(wireline::mcp::Capability::Logging)
        .with(wireline::mcp::Capability::Completions)
        .with(wireline::mcp::Capability::ResourcesSubscribe);
    let config = Config::new(Implementation::new("s", "1")).with_capabilities(can);
    let mut service =
        free!("server/service.rs" new: Service::new(&config, &toolkit, Memory::<2, 0, 64>::new()));
    for line in [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"on":true},"_meta":{"progressToken":1}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"on":[]}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"u"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x:b/%20"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x:a"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"p","arguments":{"a":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#,
    ] {
        let item = parse(line.as_bytes(), &Limits::HOST);
        let step = free!("server/service.rs" receive: service.receive(&item, 0));
        transmit(&step.send);
        let event = step.event;
        let handle = match event {
            Event::Call(call) => {
                let (handle, progress) = (call.handle, Progress::new("1"));
                let send = free!("server/service.rs" progress: service.progress(handle, progress));
                transmit(&send.unwrap());
                let level = LogLevel::Error;
                let data = RawJson::EMPTY_OBJECT;
                let send =
                    free!("server/service.rs" log: service.log(Some(handle), level, None, data));
                transmit(&send.unwrap());
                let send = free!("server/service.rs" finish_text: service.finish_text(Handle::from_bits(0), "5", false));
                assert!(send.is_err());
                let done = Done("5");
                let send = free!("server/service.rs" finish: service.finish(handle, &done));
                transmit(&send.unwrap());
                handle
            }
            Event::Read(read) => {
                free!("server/event.rs" variable: read.variable("b"));
                if let server::Target::Template(_, variables) = read.target {
                    free!("server/template.rs" iter: variables.iter().count());
                    free!("server/template.rs" get: variables.get("b"));
                    let mut text = [0; 8];
                    let decoded =
                        free!("server/template.rs" decode: variables.decode("b", &mut text));
                    assert_eq!(decoded, Ok(" "));
                }
                let send = free!("server/service.rs" not_found: service.not_found(read.handle));
                transmit(&send.unwrap());
                read.handle
            }
            Event::Subscribe(read) => {
                let handle = read.handle;
                let send = free!("server/service.rs" acknowledge: service.acknowledge(handle));
                transmit(&send.unwrap());
                handle
            }
            Event::Get(get) => {
                free!("server/event.rs" argument: get.argument("a"));
                let handle = get.handle;
                let send = free!("server/service.rs" fail: service.fail(handle, -32603, "no", Payload::None));
                transmit(&send.unwrap());
                handle
            }
            Event::Complete(complete) => {
                free!("server/answer.rs" new: Completions::new(&["a"]));
                let some = free!("server/answer.rs" some_of: Completions::some_of(&["a"], None));
                let handle = complete.handle;
                let send =
                    free!("server/service.rs" finish_with: service.finish_with(handle, &some));
                transmit(&send.unwrap());
                handle
            }
            _ => Handle::from_bits(0),
        };
        assert!(free!("server/service.rs" is_cancelled: service.is_cancelled(handle)));
    }
    let mut cursor = 0;
    let change = Change::Tools;
    while let Some(send) = free!("server/service.rs" changed: service.changed(change, &mut cursor))
    {
        transmit(&send);
    }
    assert!(
        free!("server/service.rs" changed_for: service.changed_for(Handle::from_bits(0), change))
            .is_err()
    );
    free!("server/service.rs" toolkit: service.toolkit().tables().page);
    free!("server/service.rs" set_toolkit: service.set_toolkit(&toolkit));
    free!("server/service.rs" session: service.session().state());
    free!("server/service.rs" session_mut: service.session_mut().state());
    free!("server/service.rs" poll_timeout: service.poll_timeout());
    free!("server/service.rs" expire: service.expire(1).is_some());
    free!("server/service.rs" close: service.close().is_some());
}

fn receive<'c>(
    session: &mut Session<'c, Client, Memory<0, 2, 0>>,
    line: &'c str,
) -> wireline::session::Step<'c> {
    session.receive(&parse(line.as_bytes(), &Limits::HOST), 0)
}

pub fn clients() {
    let config =
        Config::new(Implementation::new("c", "1")).with_revisions(wireline::mcp::Revisions::LEGACY);
    let mut session: Session<'_, Client, _> = Session::new(&config, Memory::<0, 2, 0>::new());
    session.connect(0).unwrap();
    receive(
        &mut session,
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"0"}}}"#,
    );
    free!("client/listing.rs" method: List::Tools.method());
    free!("client/listing.rs" key: List::Tools.key());
    let listing = free!("client/listing.rs" new: Listing::<16>::new(List::Tools));
    let mut listing = free!("client/listing.rs" with_max_pages: listing.with_max_pages(5));
    free!("client/listing.rs" list: listing.list());
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{}],"nextCursor":"a"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{}]}}"#,
    ] {
        let send = free!("client/listing.rs" next: listing.next(&mut session, 0)).unwrap();
        transmit(&send.unwrap());
        free!("client/listing.rs" handle: listing.handle()).unwrap();
        let step = receive(&mut session, line);
        let turn = free!("client/listing.rs" take: listing.take(&step.event));
        assert!(matches!(turn, Some(Turn::Page { .. })));
    }
    assert!(free!("client/listing.rs" is_over: listing.is_over()));

    let params = CallToolParams::new("t");
    let (pending, send) =
        free!("client/pending.rs" call: session.call(&params, Options::new(), 0)).unwrap();
    transmit(&send);
    free!("client/pending.rs" handle: pending.handle());
    let step = receive(
        &mut session,
        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[]}}"#,
    );
    let update = free!("client/pending.rs" take: pending.take(&step.event)).unwrap();
    assert!(free!("client/pending.rs" is_last: update.is_last()));
    assert!(matches!(update, Update::Result(_)));
}
