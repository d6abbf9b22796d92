//! The same tools, resources and prompts as the other servers of `scripts/live`.

use std::time::Duration;

use rmcp::model::*;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler, ServiceExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub async fn run() -> crate::Anything {
    let running = Live.serve(rmcp::transport::stdio()).await?;
    running.waiting().await?;
    Ok(())
}

struct Live;

fn made<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// A result; rmcp leaves `resultType` out for the revisions that do not know it.
fn result<T: DeserializeOwned>(mut value: Value) -> Result<T, ErrorData> {
    value["resultType"] = "complete".into();
    made(value)
}

fn text(text: impl Into<String>) -> Result<CallToolResponse, ErrorData> {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}

fn failed(error: impl ToString) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn tool(name: &str, description: &str, properties: Value) -> Value {
    let required: Vec<_> = properties
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    let schema = json!({"type": "object", "properties": properties, "required": required});
    json!({"name": name, "description": description, "inputSchema": schema})
}

const NAMES: [&str; 3] = ["Ada", "Alan", "Grace"];

/// What the client is asked for; in the modern era it is the answer to its call.
#[derive(Clone, Copy)]
enum Question {
    User,
    Model,
    Roots,
}

impl Question {
    fn params(self) -> Value {
        match self {
            Self::User => json!({
                "mode": "form",
                "message": "What is your name?",
                "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
            }),
            Self::Model => json!({
                "messages": [{"role": "user", "content": {"type": "text", "text": "Say hello."}}],
                "maxTokens": 100
            }),
            Self::Roots => json!({}),
        }
    }

    fn request(self) -> Result<InputRequest, ErrorData> {
        Ok(match self {
            Self::User => InputRequest::Elicitation(ElicitRequest::new(made(self.params())?)),
            Self::Model => {
                InputRequest::CreateMessage(CreateMessageRequest::new(made(self.params())?))
            }
            Self::Roots => InputRequest::ListRoots(ListRootsRequest::default()),
        })
    }

    async fn ask(self, context: &RequestContext<RoleServer>) -> Result<Value, ErrorData> {
        let answer = match self {
            Self::User => serde_json::to_value(
                context
                    .peer
                    .create_elicitation(made(self.params())?)
                    .await
                    .map_err(failed)?,
            ),
            Self::Model => serde_json::to_value(
                context
                    .peer
                    .create_message(made(self.params())?)
                    .await
                    .map_err(failed)?,
            ),
            Self::Roots => serde_json::to_value(context.peer.list_roots().await.map_err(failed)?),
        };
        answer.map_err(failed)
    }

    fn said(self, answer: &Value) -> String {
        let said = match self {
            Self::User => format!("the user said {}", answer["content"]["name"]),
            Self::Model => format!("the model said {}", answer["content"]["text"]),
            Self::Roots => answer["roots"][0]["uri"].to_string(),
        };
        said.replace('"', "")
    }
}

impl ServerHandler for Live {
    fn get_info(&self) -> ServerConfig {
        let capabilities = json!({"tools": {}, "resources": {}, "prompts": {}, "completions": {}});
        let capabilities = serde_json::from_value(capabilities).unwrap_or_default();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("live-rmcp", "1.0.0"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        result(json!({"tools": [
            tool("echo", "Gives the text back.", json!({"text": {"type": "string"}})),
            tool("slow", "Works in steps, and tells of each.", json!({"steps": {"type": "integer"}})),
            tool("boom", "Fails.", json!({})),
            tool("hang", "Never answers.", json!({})),
            tool("ask", "Asks the user for a name.", json!({})),
            tool("sample", "Asks the model.", json!({})),
            tool("roots", "Asks for the roots.", json!({})),
        ]}))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let question = match &*request.name {
            "echo" => {
                return match arguments["text"].as_str() {
                    Some(given) => text(given),
                    None => Err(ErrorData::invalid_params("`text` is missing", None)),
                };
            }
            "slow" => {
                let steps = arguments["steps"].as_u64().unwrap_or_default();
                for step in 1..=steps {
                    if let Some(token) = context.meta.get_progress_token() {
                        let progress = ProgressNotificationParam::new(token, step as f64)
                            .with_total(steps as f64)
                            .with_message(format!("step {step}"));
                        context
                            .peer
                            .notify_progress(progress)
                            .await
                            .map_err(failed)?;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                return text(format!("done {steps}"));
            }
            "boom" => return Ok(CallToolResult::error(vec![ContentBlock::text("boom ✗")]).into()),
            "hang" => {
                context.ct.cancelled().await;
                return Err(failed("cancelled"));
            }
            "ask" => Question::User,
            "sample" => Question::Model,
            "roots" => Question::Roots,
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        };
        if context.protocol_version() != Some(ProtocolVersion::V_2026_07_28) {
            return text(question.said(&question.ask(&context).await?));
        }
        match request
            .input_responses
            .as_ref()
            .and_then(|answers| answers.get("answer"))
        {
            Some(answer) => text(question.said(answer)),
            None => {
                let mut requests = InputRequests::new();
                requests.insert("answer".into(), question.request()?);
                Ok(InputRequiredResult::new(Some(requests), Some("state".into())).into())
            }
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        result(
            json!({"resources": [{"uri": "test://hello", "name": "hello", "mimeType": "text/plain"}]}),
        )
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        result(
            json!({"resourceTemplates": [{"uriTemplate": "test://hello/{name}", "name": "hello_to"}]}),
        )
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let text = match uri.strip_prefix("test://hello") {
            Some("") => "Hello, wörld 😀".into(),
            Some(name) => format!("Hello, {}", name.trim_start_matches('/')),
            None => {
                return Err(ErrorData::resource_not_found(
                    "no such resource",
                    Some(json!({"uri": uri})),
                ));
            }
        };
        Ok(result::<ReadResourceResult>(
            json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}),
        )?
        .into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        result(
            json!({"prompts": [{"name": "greet", "arguments": [{"name": "name", "required": true}]}]}),
        )
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = serde_json::to_value(&request.arguments).map_err(failed)?;
        let Some(name) = arguments["name"]
            .as_str()
            .filter(|_| request.name == "greet")
        else {
            return Err(ErrorData::invalid_params(
                "`name` is missing, or there is no such prompt",
                None,
            ));
        };
        let content = json!({"type": "text", "text": format!("Please greet {name}.")});
        Ok(
            result::<GetPromptResult>(json!({"messages": [{"role": "user", "content": content}]}))?
                .into(),
        )
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values: Vec<_> = NAMES
            .into_iter()
            .filter(|name| name.starts_with(&request.argument.value))
            .collect();
        result(json!({"completion": {"values": values}}))
    }
}
