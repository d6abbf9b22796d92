//! `wireline serve`, over real pipes.
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod asking;
mod ends;
mod everything;
mod resources;
mod session;
mod work;

/// The envelope of the modern era, with these capabilities of the client.
fn meta(capabilities: &str) -> String {
    format!(
        r#""_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities}}}"#
    )
}

/// A request of the modern era; `params` are the members beside `_meta`.
fn modern(id: &str, method: &str, capabilities: &str, params: &str) -> String {
    let meta = meta(capabilities);
    let comma = if params.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{meta}{comma}{params}}}}}"#
    )
}

/// A call of a tool, in the legacy era.
fn call(id: &str, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

/// The result of a tool in one text, in the legacy era; `text` as it stands in JSON.
fn says(id: &str, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

const PING: &str = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":"p","result":{}}"#;
