//! A server with the tools that the corpus of faults names, over bytes in and bytes out.

use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Capability, LogLevel};
use wireline::server::{
    Call, Completions, Done, Event, Failed, Prompt, PromptArgument, Resource, ResourceTemplate,
    Service, Tool, Toolkit,
};
use wireline::session::{self, Config, Handle, Implementation, Memory, Progress, Send};
use wireline::{Limits, LineDecoder, schema, toolkit};

const TOOLS: &[Tool<'_>] = &[
    Tool::new(
        "echo",
        "Says its arguments",
        schema!({ "type": "object", "properties": { "t": { "type": "string" } } }),
    ),
    Tool::new("length", "The length of a text", schema!({ "t": string })),
    Tool::new("instant", "Answers at once", schema!({ "type": "object" })),
    Tool::new(
        "hang",
        "Waits until it is cancelled",
        schema!({ "type": "object" }),
    ),
    Tool::new(
        "sleep",
        "Waits until it is let go",
        schema!({ "type": "object" }),
    ),
    Tool::new(
        "three_steps",
        "Gets on three times",
        schema!({ "type": "object" }),
    ),
    Tool::new(
        "progress_1000",
        "Gets on a thousand times",
        schema!({ "type": "object" }),
    ),
    Tool::new(
        "progress_values",
        "Gets on as it is told",
        schema!({ "v": array }),
    ),
    Tool::new(
        "heartbeat_every_1ms",
        "Gets on, then is late",
        schema!({ "type": "object" }),
    ),
    Tool::new(
        "logs_each_level",
        "Logs once on each level",
        schema!({ "type": "object" }),
    ),
    Tool::new("fails", "Does not work", schema!({ "type": "object" })),
    Tool::new("big", "Says so many letters", schema!({ "n": int })),
];

pub static TOOLKIT: Toolkit<'_> = toolkit! {
    tools: TOOLS,
    resources: &[Resource::new("board://log", "log").with_mime_type("text/plain")],
    templates: &[
        ResourceTemplate::new("board://pins/{pin}", "pin"),
        ResourceTemplate::new("board://pins/{pin}/{what}.json", "detail"),
    ],
    prompts: &[Prompt::new("explain")
        .with_arguments(&[PromptArgument::required("pin"), PromptArgument::optional("tone")])],
    line: 1024,
};

pub const CAN: Capabilities = TOOLKIT
    .capabilities()
    .with(Capability::ToolsListChanged)
    .with(Capability::ResourcesSubscribe)
    .with(Capability::Completions)
    .with(Capability::Logging);

pub static CONFIG: Config<'_> =
    Config::new(Implementation::new("board", "1.0")).with_capabilities(CAN);

/// The opening of a session of the legacy era.
pub const OPENING: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
);

pub struct Board {
    pub service: Service<'static, Memory<4, 1, 512>>,
    /// Requests that are left open.
    pub open: Vec<Handle>,
    /// Subscriptions, which are told of changes.
    pub listening: Vec<Handle>,
    /// What the program was told, other than calls.
    pub told: Vec<String>,
    decoder: LineDecoder<[u8; 4096]>,
    now: u64,
}

fn push(out: &mut Vec<u8>, send: &Send<'_>) {
    let begin = out.len();
    out.resize(begin + send.len().unwrap(), 0);
    assert_eq!(send.write(&mut out[begin..]), Ok(out.len() - begin));
    // In pieces it is the same.
    let mut pieces = Vec::new();
    for line in send.lines() {
        let mut rest = line.pieces().unwrap();
        let mut three = [0; 3];
        while let n @ 1.. = rest.fill(&mut three).unwrap() {
            pieces.extend_from_slice(&three[..n]);
        }
    }
    assert_eq!(out[begin..], pieces);
}

impl Board {
    /// One that no client has spoken to.
    pub fn fresh() -> Self {
        Board::with(&TOOLKIT, &CONFIG)
    }

    /// One with other tables.
    pub fn with(toolkit: &'static Toolkit<'static>, config: &'static Config<'static>) -> Self {
        Board {
            service: Service::new(config, toolkit, Memory::new()),
            open: Vec::new(),
            listening: Vec::new(),
            told: Vec::new(),
            decoder: LineDecoder::new([0; 4096], Limits::HOST),
            now: 0,
        }
    }

    /// One whose session of the legacy era, 2025-11-25, is open.
    pub fn opened() -> Self {
        Board::opened_by("2025-11-25")
    }

    /// The same with another revision.
    pub fn opened_by(revision: &str) -> Self {
        let mut board = Board::fresh();
        let answer = board.feed(OPENING.replace("2025-11-25", revision).as_bytes());
        let version = format!(r#""protocolVersion":"{revision}""#);
        assert!(answer.contains(&version), "{answer}");
        board.told.clear();
        board
    }

    /// Takes bytes, and returns what was sent.
    pub fn feed(&mut self, bytes: &[u8]) -> String {
        let mut out = Vec::new();
        let mut chunk = bytes;
        while let Some(item) = self.decoder.next_in(&mut chunk) {
            self.now += 1;
            let step = self.service.receive(&item.result(), self.now);
            push(&mut out, &step.send);
            match step.event {
                Event::Call(call) => {
                    let service = &mut self.service;
                    if !run(service, &call, &mut out) {
                        self.open.push(call.handle);
                    }
                }
                Event::Read(read) => {
                    let told = format!("read {}: {:?}", read.uri, read.variable("pin"));
                    self.told.push(told);
                    self.open.push(read.handle);
                }
                Event::Get(get) => {
                    let told = format!("get {}: {:?}", get.prompt.name, get.argument("pin"));
                    self.told.push(told);
                    self.open.push(get.handle);
                }
                Event::Complete(it) => {
                    self.told.push(format!("complete {:?}", it.value));
                    let answer = Completions::new(&["high", "low"]);
                    push(&mut out, &self.service.finish(it.handle, &answer).unwrap());
                }
                Event::Subscribe(read) | Event::Unsubscribe(read) => {
                    self.told.push(format!("subscribe or not: {}", read.uri));
                    push(&mut out, &self.service.acknowledge(read.handle).unwrap());
                }
                Event::Listen { handle, filter } => {
                    self.told
                        .push(format!("listen {} {:?}", filter.tools, filter.uris));
                    self.listening.push(handle);
                }
                Event::Cancelled { handle, message } => {
                    assert!(self.service.is_cancelled(handle));
                    let reason = message.params().unwrap().get("reason");
                    self.told.push(format!("cancelled {reason:?}"));
                }
                Event::Other(incoming) => {
                    self.told
                        .push(format!("other {:?}", incoming.message.method()));
                    self.open.push(incoming.handle);
                }
                Event::Session(session::Event::Ignored(why)) => {
                    self.told.push(format!("ignored {why:?}"));
                }
                Event::Session(_) | Event::None => {}
                other => panic!("{other:?}"),
            }
        }
        String::from_utf8(out).unwrap()
    }

    /// What an answer of the program's sends.
    pub fn sent(send: &Send<'_>) -> String {
        let mut out = Vec::new();
        push(&mut out, send);
        String::from_utf8(out).unwrap()
    }
}

/// Runs a tool; `false` if its request is left open.
fn run(
    service: &mut Service<'static, Memory<4, 1, 512>>,
    call: &Call<'_>,
    out: &mut Vec<u8>,
) -> bool {
    let handle = call.handle;
    let argument = |name| call.arguments.get(name);
    let mut get_on = |value: &str, out: &mut Vec<u8>| {
        if let Ok(send) = service.progress(handle, Progress::new(value)) {
            push(out, &send);
        }
    };
    let text = match call.tool.name {
        "hang" | "sleep" => return false,
        "echo" => call.arguments.to_string(),
        "length" => {
            let text = argument("t").and_then(|t| t.as_json_str()).unwrap();
            text.chars().count().to_string()
        }
        "three_steps" | "heartbeat_every_1ms" => {
            for step in ["1", "2", "3"] {
                get_on(step, out);
            }
            String::new()
        }
        "progress_1000" => {
            for step in 1..=1000 {
                get_on(&step.to_string(), out);
            }
            String::new()
        }
        "progress_values" => {
            for value in argument("v").unwrap().elements() {
                get_on(value.as_str(), out);
            }
            String::new()
        }
        "logs_each_level" => {
            for level in LogLevel::ALL {
                let data = RawJson::validate(b"1").unwrap();
                push(out, &service.log(Some(handle), *level, None, data).unwrap());
            }
            String::new()
        }
        "fails" => {
            push(out, &service.finish(handle, &Failed("it broke")).unwrap());
            return true;
        }
        "big" => {
            let n = argument("n").and_then(|n| n.as_number()?.as_u64());
            "x".repeat(n.unwrap() as usize)
        }
        _ => String::new(),
    };
    push(out, &service.finish(handle, &Done(&*text)).unwrap());
    if call.tool.name == "heartbeat_every_1ms" {
        // A beat that comes too late has nowhere to go.
        assert!(service.progress(handle, Progress::new("4")).is_err());
    }
    true
}
