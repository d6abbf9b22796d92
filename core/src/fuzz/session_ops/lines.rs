//! Lines that are nearly what a session waits for.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::super::grammar::{self, Source};
use super::end::PARAMS;
use crate::mcp::Method;

/// A line for a side that has given out some `ours` ids of its own and has seen `theirs`
/// requests.
pub(super) fn line(source: &mut Source<'_>, ours: usize, theirs: usize) -> Vec<u8> {
    match source.below(8) {
        0 => {
            let mut out = Vec::new();
            grammar::message(source, &mut out);
            out.retain(|byte| *byte != b'\n');
            out
        }
        1 => {
            let length = source.below(60);
            let mut out = source.take(length).to_vec();
            out.retain(|byte| *byte != b'\n');
            out
        }
        _ => near(source, ours, theirs).into_bytes(),
    }
}

/// An array of such lines.
pub(super) fn batch(source: &mut Source<'_>, ours: usize, theirs: usize) -> Vec<u8> {
    let elements: Vec<_> = (0..=source.below(4))
        .map(|_| match source.below(8) {
            0 => source.pick(&["5", "{}", "[]", "null"]).to_string(),
            _ => near(source, ours, theirs),
        })
        .collect();
    format!("[{}]", elements.join(",")).into_bytes()
}

fn id(source: &mut Source<'_>, lately: usize) -> String {
    match source.below(8) {
        0 => source
            .pick(&[
                "\"0\"",
                "\"a\"",
                "-1",
                "1.0",
                "10e-1",
                "4294967296",
                "null",
                "true",
            ])
            .to_string(),
        1 => format!("\"{}\"", "i".repeat(source.below(60))),
        _ => format!("{}", lately.saturating_sub(source.below(4))),
    }
}

fn params(source: &mut Source<'_>, lately: usize) -> String {
    let plain = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let meta = match source.below(6) {
        0 => r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}},"progressToken":1}"#.into(),
        1 => r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"debug"}"#.into(),
        2 => r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}"#.into(),
        3 => format!(r#""_meta":{{"progressToken":{}}}"#, id(source, lately)),
        4 => format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{}}}"#, id(source, lately)),
        _ => return plain(source.pick(PARAMS)),
    };
    let rest = source.pick(&[
        "",
        r#","name":"t""#,
        r#","uri":"u""#,
        r#","notifications":{"toolsListChanged":true,"resourceSubscriptions":[]}"#,
        r#","notifications":{}"#,
        r#","level":"info","data":1"#,
    ]);
    format!("{{{meta}{rest}}}")
}

fn near(source: &mut Source<'_>, ours: usize, theirs: usize) -> String {
    let pick = usize::from(source.byte());
    let method = Method::ALL[pick % Method::ALL.len()].name();
    match source.below(16) {
        0..=2 => format!(
            r#"{{"jsonrpc":"2.0","id":{},"method":"{method}","params":{}}}"#,
            id(source, theirs),
            params(source, theirs)
        ),
        3 => format!(
            r#"{{"jsonrpc":"2.0","id":{},"method":"initialize","params":{{"protocolVersion":"{}","capabilities":{{"roots":{{}}}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#,
            id(source, theirs),
            source.pick(&["2024-11-05", "2025-03-26", "2025-11-25", "2026-07-28", "x"])
        ),
        4 => r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.into(),
        5 => format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{}}}"#,
            params(source, ours)
        ),
        6 => format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}}"#,
            id(source, theirs.max(ours))
        ),
        7 => format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{},"progress":{}}}}}"#,
            id(source, ours),
            source.pick(&["1", "2", "1e2", "-0", "\"1\""])
        ),
        8 | 9 => {
            let result = source.pick(&[
                r#"{}"#,
                r#"{"resultType":"complete","content":[]}"#,
                r#"{"resultType":"input_required","requestState":"s"}"#,
                r#"{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}"#,
                r#"{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage"}}}"#,
                r#"{"resultType":"input_required"}"#,
                r#"{"resultType":"odd"}"#,
                r#"{"resultType":7}"#,
                r#"{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{"listChanged":true},"logging":{}}}"#,
                r#"{"supportedVersions":["2025-11-25"],"capabilities":{}}"#,
                r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"s","version":"1"}}"#,
                r#"{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#,
                r#"{"protocolVersion":"1","capabilities":{}}"#,
            ]);
            format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
                id(source, ours)
            )
        }
        10 | 11 => {
            let error = source.pick(&[
                r#"{"code":-32601,"message":"no"}"#,
                r#"{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"x"}}"#,
                r#"{"code":-32022,"message":"no","data":{"supported":["2025-11-25"]}}"#,
                r#"{"code":-32022,"message":"no"}"#,
                r#"{"code":-32021,"message":"no","data":{"requiredCapabilities":{}}}"#,
                r#"{"code":1.5,"message":"no"}"#,
                r#"{"message":"no"}"#,
            ]);
            format!(
                r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#,
                id(source, ours)
            )
        }
        12 => format!(r#"{{"jsonrpc":"2.0","id":{}}}"#, id(source, ours)),
        13 => format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{}},"error":{{"code":1,"message":"m"}}}}"#,
            id(source, ours)
        ),
        14 => {
            // Over the ceiling of these sessions, as an answer or as a request.
            let filler = "x".repeat(8 << 10);
            let member = source.pick(&[r#""result""#, r#""method":"tools/call","params""#]);
            format!(
                r#"{{"jsonrpc":"2.0","id":{},{member}:{{"t":"{filler}"}}}}"#,
                id(source, ours)
            )
        }
        _ => r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}"#.into(),
    }
}
