//! The monitor, rule by rule: for each the smallest session that breaks it, and the
//! smallest neighbour that does not. A test's name says which rule it is of.
//!
//! A session is text: `>` is a line of the client, `<` one of the server, `+5000` lets so
//! many milliseconds pass, `>.` and `<.` end a side's direction. What stands after `@` is
//! short for what nearly every line has (see `expand`).
#![allow(missing_docs, unreachable_pub)]

#[path = "monitor/envelope.rs"]
mod envelope;
#[path = "monitor/legacy.rs"]
mod legacy;
#[path = "monitor/legal.rs"]
mod legal;
#[path = "monitor/life.rs"]
mod life;
#[path = "monitor/meta.rs"]
mod meta;
#[path = "monitor/modern.rs"]
mod modern;
#[path = "monitor/results.rs"]
mod results;
#[path = "monitor/sessions.rs"]
mod sessions;
#[path = "monitor/subscriptions.rs"]
mod subscriptions;
#[path = "monitor/tasks.rs"]
mod tasks;
#[path = "monitor/track.rs"]
mod track;

use wireline::mcp::Side;
use wireline::monitor::{Finding, Monitor, MonitorSlots, Slots};
use wireline::{Limits, LineDecoder, Rule};

const META: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}"#;
const SERVER: &str = r#""io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}"#;

/// `@J` is `"jsonrpc":"2.0"`; `@M` a modern request's `_meta`, `@M<…>` the same with these
/// capabilities, `@m` its members without capabilities; `@S` the server's `_meta`, `@s` its
/// member; `@OK` what a complete result has beside its own.
pub fn expand(line: &str) -> String {
    let mut text = line.replace("@J", r#""jsonrpc":"2.0""#);
    text = text.replace("@OK", r#""resultType":"complete",@S"#);
    text = text
        .replace("@S", &format!("\"_meta\":{{{SERVER}}}"))
        .replace("@s", SERVER);
    while let Some(at) = text.find("@M<") {
        let end = at + text[at..].find('>').expect("an end");
        let capabilities = text[at + 3..end].to_string();
        text.replace_range(at..=end, &format!("\"_meta\":{{@m,@C{capabilities}}}"));
    }
    text.replace("@M", "\"_meta\":{@m,@C{}}")
        .replace("@m", META)
        .replace("@C", "\"io.modelcontextprotocol/clientCapabilities\":")
}

/// What a session's lines break: the line's number among those of both sides, and the rule.
pub fn watch<S: Slots>(monitor: &mut Monitor<S>, session: &str) -> Vec<(usize, Finding)> {
    let mut told = Vec::new();
    let (mut now, mut number) = (0, 0);
    let limits = Limits::HOST;
    #[cfg(feature = "batch")]
    let limits = limits.with_batches(session.contains("@batches"));
    for line in session
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && *line != "@batches")
    {
        if let Some(time) = line.strip_prefix('+') {
            now += time.parse::<u64>().expect("milliseconds");
            continue;
        }
        number += 1;
        let (side, rest) = match line.split_at(1) {
            (">", rest) => (Side::Client, rest),
            ("<", rest) => (Side::Server, rest),
            _ => panic!("{line}"),
        };
        if rest == "." {
            told.extend(
                std::iter::from_fn(|| monitor.end(side, now)).map(|finding| (number, finding)),
            );
            continue;
        }
        let mut bytes = expand(rest.trim_start()).into_bytes();
        // A byte that is no UTF-8 cannot stand in a `&str`.
        bytes
            .iter_mut()
            .filter(|byte| **byte == 0x7f)
            .for_each(|byte| *byte = 0xff);
        bytes.push(b'\n');
        let mut memory = vec![0; 4096];
        let mut decoder = LineDecoder::new(&mut memory[..], limits);
        let mut input = &bytes[..];
        while let Some(item) = decoder.next_in(&mut input) {
            let finding = monitor.line_at(side, &item.result(), now, number as u64);
            told.push((number, finding));
        }
    }
    told
}

fn rules(prelude: &str, session: &str) -> Vec<(usize, Rule)> {
    let mut monitor = Monitor::new(MonitorSlots::<32, 4, 3600>::new());
    for (number, finding) in watch(&mut monitor, prelude) {
        assert!(
            finding.violations.is_empty(),
            "the prelude, line {number}: {finding:?}"
        );
    }
    let told = watch(&mut monitor, session);
    assert!(!monitor.lost_track() || session.contains("@batches") || session.contains('['));
    told.into_iter()
        .flat_map(|(number, finding)| {
            let rules: Vec<_> = finding.violations.iter().collect();
            rules.into_iter().map(move |rule| (number, rule))
        })
        .collect()
}

/// After `prelude`, the session's lines break exactly these rules.
#[track_caller]
pub fn breaks(prelude: &str, session: &str, expected: &[(usize, Rule)]) {
    assert!(!expected.is_empty());
    assert_eq!(rules(prelude, session), expected, "{session}");
}

/// After `prelude`, the session breaks nothing.
#[track_caller]
pub fn clean(prelude: &str, session: &str) {
    assert_eq!(rules(prelude, session), [], "{session}");
}

/// A handshake of a legacy revision.
pub fn opened(revision: &str, client: &str, server: &str) -> String {
    format!(
        r#"> {{@J,"id":"open","method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{client},"clientInfo":{{"name":"c","version":"1"}}}}}}
        < {{@J,"id":"open","result":{{"protocolVersion":"{revision}","capabilities":{server},"serverInfo":{{"name":"s","version":"1"}}}}}}
        > {{@J,"method":"notifications/initialized"}}"#
    )
}

pub const A: &str = "2024-11-05";
pub const B: &str = "2025-03-26";
pub const C: &str = "2025-06-18";
pub const D: &str = "2025-11-25";

/// A modern server that has said what it is.
pub fn discovered(server: &str) -> String {
    format!(
        r#"> {{@J,"id":"d","method":"server/discover","params":{{@M}}}}
        < {{@J,"id":"d","result":{{"supportedVersions":["2026-07-28"],"capabilities":{server},"ttlMs":0,"cacheScope":"private",@OK}}}}"#
    )
}
