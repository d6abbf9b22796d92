//! The steps of `../steps.py`.

use std::error::Error;
use std::future::Future;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::*;
use rmcp::service::{
    ClientServiceExt, NotificationContext, PeerRequestOptions, RequestContext, RoleClient,
    RunningService, ServiceError,
};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ClientLifecycleMode, ErrorData};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

type Outcome = Result<(), Box<dyn Error>>;

const TEXT: &str = "héllo 😀 \" \\ \n\t end \u{2028} \u{0085} \u{202e}.";
const SAMPLED: &str = "a model's answer ✓";
const WATCHED: &str = "file:///watched.txt";
const TOOLS: [&str; 9] = [
    "echo",
    "add",
    "fail",
    "hang",
    "three_steps",
    "ask",
    "sample",
    "roots",
    "log",
];
const LEVELS: [&str; 5] = ["warning", "error", "critical", "alert", "emergency"];
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const RESOURCE_NOT_FOUND: i32 = -32002;

fn made<T: DeserializeOwned>(value: Value) -> Result<T, Box<dyn Error>> {
    Ok(serde_json::from_value(value)?)
}

fn json_of(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn expect(condition: bool, what: impl FnOnce() -> String) -> Outcome {
    if condition {
        Ok(())
    } else {
        Err(what().into())
    }
}

fn same(found: impl Serialize, due: Value) -> Outcome {
    let found = json_of(&found);
    expect(found == due, || format!("{found} instead of {due}"))
}

fn fails<T: std::fmt::Debug>(code: i32, result: Result<T, ServiceError>) -> Outcome {
    match result {
        Err(ServiceError::McpError(error)) => same(error.code.0, code.into()),
        other => Err(format!("an error {code} was due, and not {other:?}").into()),
    }
}

/// What the server told.
#[derive(Clone, Default)]
struct Host {
    progress: Arc<Mutex<Vec<[f64; 2]>>>,
    logged: Arc<Mutex<Vec<Value>>>,
    updated: Arc<Notify>,
}

fn take<T>(list: &Mutex<Vec<T>>) -> Vec<T> {
    list.lock()
        .map(|mut list| std::mem::take(&mut *list))
        .unwrap_or_default()
}

fn put<T>(list: &Mutex<Vec<T>>, entry: T) {
    if let Ok(mut list) = list.lock() {
        list.push(entry);
    }
}

fn answer<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

impl ClientHandler for Host {
    fn get_info(&self) -> ClientConfig {
        let capabilities = json!({"sampling": {}, "elicitation": {}, "roots": {}});
        ClientConfig::new(
            serde_json::from_value(capabilities).unwrap_or_default(),
            Implementation::new("live-rmcp", "1.0.0"),
        )
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let asked = json_of(&request);
        if asked["message"] != "What is your name?"
            || asked["requestedSchema"]["properties"]["name"].is_null()
        {
            return Err(ErrorData::invalid_params(
                format!("this was asked: {asked}"),
                None,
            ));
        }
        answer(json!({"action": "accept", "content": {"name": "Ada"}}))
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let asked = json_of(&request);
        if !asked["messages"][0]["content"]
            .to_string()
            .contains("Say hello.")
            || asked["maxTokens"] != 100
        {
            return Err(ErrorData::invalid_params(
                format!("this was asked: {asked}"),
                None,
            ));
        }
        answer(
            json!({"role": "assistant", "content": {"type": "text", "text": SAMPLED}, "model": "none"}),
        )
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        answer(json!({"roots": [{"uri": "file:///a/root"}]}))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        put(
            &self.progress,
            [params.progress, params.total.unwrap_or(-1.0)],
        );
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        put(&self.logged, json_of(&params.level));
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        if params.uri == WATCHED {
            self.updated.notify_one();
        }
    }
}

type Running = RunningService<RoleClient, Host>;

/// Which steps were taken, and how they went.
#[derive(Default)]
struct Steps(Map<String, Value>);

impl Steps {
    async fn take(&mut self, name: &str, step: impl Future<Output = Outcome>) {
        let outcome = match tokio::time::timeout(Duration::from_secs(20), step).await {
            Ok(Ok(())) => Value::Null,
            Ok(Err(error)) => json!({"failed": error.to_string()}),
            Err(_) => json!({"failed": "it took too long"}),
        };
        if !outcome.is_null() {
            eprintln!("{name}: {outcome}");
        }
        self.0.insert(name.into(), outcome);
    }

    fn none(&mut self, name: &str, why: &str) {
        self.0.insert(name.into(), json!({"none": why}));
    }
}

pub async fn run(modern: bool, folder: &str, command: &[String]) -> Outcome {
    let revision = if modern { "2026-07-28" } else { "2025-11-25" };
    let lifecycle = if modern {
        ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        }
    } else {
        ClientLifecycleMode::Initialize
    };
    let (program, args) = command.split_first().ok_or("no command")?;
    let mut process = tokio::process::Command::new(program);
    process.args(args);
    let host = Host::default();
    let client = host
        .clone()
        .serve_with_lifecycle(TokioChildProcess::new(process)?, lifecycle)
        .await?;

    let mut steps = Steps::default();
    let mut spoken = Value::Null;
    steps
        .take("open", async {
            let server = json_of(
                &*client
                    .peer_info()
                    .ok_or("the server has not told who it is")?,
            );
            spoken = server["protocolVersion"].clone();
            same(&server["serverInfo"]["name"], "wireline-serve".into())?;
            same(&spoken, revision.into())
        })
        .await;
    steps
        .take(
            "tools",
            lists(client.list_all_tools().await?, "name", &TOOLS),
        )
        .await;
    let uris = [
        "file:///hello.txt",
        "file:///data.bin",
        "file:///notes/a%20b.md",
    ];
    steps
        .take(
            "resources",
            lists(client.list_all_resources().await?, "uri", &uris),
        )
        .await;
    steps
        .take(
            "templates",
            lists(
                client.list_all_resource_templates().await?,
                "uriTemplate",
                &["file:///{path}"],
            ),
        )
        .await;
    steps
        .take(
            "prompts",
            lists(client.list_all_prompts().await?, "name", &["greet"]),
        )
        .await;
    steps.take("call", calls(&client)).await;
    steps
        .take("progress", async {
            take(&host.progress);
            said(&client, "three_steps", json!({}), "three steps done").await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
            same(
                take(&host.progress),
                json!([[1.0, 3.0], [2.0, 3.0], [3.0, 3.0]]),
            )
        })
        .await;
    steps
        .take("cancel", async {
            let request = ClientRequest::CallToolRequest(Request::new(made(
                json!({"name": "hang", "arguments": {}}),
            )?));
            let handle = client
                .send_cancellable_request(request, PeerRequestOptions::no_options())
                .await?;
            tokio::time::sleep(Duration::from_millis(200)).await;
            handle.cancel(Some("enough".into())).await?;
            said(&client, "echo", json!({"text": "on"}), "on").await
        })
        .await;
    steps.take("read", reads(&client)).await;
    steps
        .take("get", async {
            let params = json!({"name": "greet", "arguments": {"name": "Ada", "tone": "terse"}});
            let result = json_of(&client.get_prompt(made(params)?).await?);
            same(
                &result["messages"][0]["content"]["text"],
                "Please greet Ada, and be terse.".into(),
            )
        })
        .await;
    steps.take("complete", async {
        let params = json!({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": "A"}});
        let result = json_of(&client.complete(made(params)?).await?);
        same(&result["completion"]["values"], json!(["Ada", "Alan"]))
    })
    .await;
    steps.take("errors", errors(&client, modern)).await;
    steps
        .take(
            "elicit",
            said(
                &client,
                "ask",
                json!({}),
                "the user said {\"name\":\"Ada\"}",
            ),
        )
        .await;
    steps
        .take(
            "sample",
            said(
                &client,
                "sample",
                json!({}),
                &format!("the model said {SAMPLED}"),
            ),
        )
        .await;
    steps
        .take("roots", said(&client, "roots", json!({}), "file:///a/root"))
        .await;
    steps.take("log", logs(&client, &host, modern)).await;
    steps
        .take(
            "updates",
            updates(
                &client,
                &host,
                modern,
                &Path::new(folder).join("watched.txt"),
            ),
        )
        .await;
    if modern {
        steps.none("ping", "2026-07-28 has none");
    } else {
        steps
            .take("ping", async {
                client
                    .send_request(ClientRequest::PingRequest(PingRequest::default()))
                    .await?;
                Ok(())
            })
            .await;
    }
    client.cancel().await?;
    let report =
        json!({"sdk": "crate rmcp", "version": null, "revision": spoken, "steps": steps.0});
    println!("{report}");
    Ok(())
}

async fn lists<T: Serialize>(entries: Vec<T>, member: &str, due: &[&str]) -> Outcome {
    let names: Vec<Value> = entries
        .iter()
        .map(|entry| json_of(entry)[member].take())
        .collect();
    for name in due {
        expect(names.iter().any(|it| it == name), || {
            format!("{name} is not in {names:?}")
        })?;
    }
    Ok(())
}

async fn call(client: &Running, name: &str, arguments: Value) -> Result<Value, Box<dyn Error>> {
    let params = made(json!({"name": name, "arguments": arguments}))?;
    Ok(json_of(&client.call_tool(params).await?))
}

async fn said(client: &Running, name: &str, arguments: Value, due: &str) -> Outcome {
    let result = call(client, name, arguments).await?;
    expect(result["isError"] != true, || {
        format!("{name} failed: {result}")
    })?;
    same(&result["content"][0]["text"], due.into())
}

async fn calls(client: &Running) -> Outcome {
    for text in [TEXT, &"ø€😀".repeat(40_000)] {
        said(client, "echo", json!({"text": text}), text).await?;
    }
    let result = call(client, "add", json!({"a": 1u64 << 53, "b": 1})).await?;
    same(
        &result["structuredContent"],
        json!({"sum": (1u64 << 53) + 1}),
    )?;
    let result = call(client, "fail", json!({"message": "boom ✗"})).await?;
    same(&result["isError"], true.into())?;
    same(&result["content"][0]["text"], "boom ✗".into())
}

async fn reads(client: &Running) -> Outcome {
    let result = json_of(
        &client
            .read_resource(made(json!({"uri": "file:///hello.txt"}))?)
            .await?,
    );
    same(&result["contents"][0]["text"], "Hello, wörld 😀".into())?;
    let result = json_of(
        &client
            .read_resource(made(json!({"uri": "file:///data.bin"}))?)
            .await?,
    );
    // 256 bytes in base64.
    let blob = result["contents"][0]["blob"].as_str().unwrap_or_default();
    let whole = blob.len() == 344 && blob.starts_with("AAECAwQF") && blob.ends_with("/P3+/w==");
    expect(whole, || format!("not the file: {blob}"))
}

async fn errors(client: &Running, modern: bool) -> Outcome {
    fails(
        INVALID_PARAMS,
        client
            .call_tool(made(json!({"name": "no-such-tool", "arguments": {}}))?)
            .await,
    )?;
    fails(
        INVALID_PARAMS,
        client
            .get_prompt(made(json!({"name": "greet", "arguments": {}}))?)
            .await,
    )?;
    let code = if modern {
        INVALID_PARAMS
    } else {
        RESOURCE_NOT_FOUND
    };
    fails(
        code,
        client
            .read_resource(made(json!({"uri": "file:///nowhere"}))?)
            .await,
    )?;
    for (method, code) in [
        ("wireline/none", METHOD_NOT_FOUND),
        ("tools/call", INVALID_PARAMS),
    ] {
        let request = ClientRequest::CustomRequest(CustomRequest::new(method, Some(json!({}))));
        fails(code, client.send_request(request).await)?;
    }
    Ok(())
}

async fn logs(client: &Running, host: &Host, modern: bool) -> Outcome {
    let tool = made(json!({"name": "log", "arguments": {}}))?;
    if modern {
        let meta = made(json!({"io.modelcontextprotocol/logLevel": "warning"}))?;
        let request = ClientRequest::CallToolRequest(Request::new(tool));
        let options = PeerRequestOptions::no_options().with_meta(meta);
        client
            .send_cancellable_request(request, options)
            .await?
            .await_response()
            .await?;
    } else {
        client.set_level(made(json!({"level": "warning"}))?).await?;
        client.call_tool(tool).await?;
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    same(take(&host.logged), json!(LEVELS))
}

async fn updates(client: &Running, host: &Host, modern: bool, file: &Path) -> Outcome {
    if modern {
        let mut subscription = client
            .listen(made(json!({"resourceSubscriptions": [WATCHED]}))?)
            .await?;
        std::fs::write(file, "changed")?;
        let told = json_of(&subscription.next().await?);
        same(&told["params"]["uri"], WATCHED.into())?;
        subscription.cancel().await?;
    } else {
        client.subscribe(made(json!({"uri": WATCHED}))?).await?;
        std::fs::write(file, "changed")?;
        host.updated.notified().await;
        client.unsubscribe(made(json!({"uri": WATCHED}))?).await?;
    }
    Ok(())
}
