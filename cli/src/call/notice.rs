//! What a server tells while it works, on standard error.

use std::io::{self, Write};

use wireline::ErrorObject;
use wireline::json::{JsonKind, RawJson};

use super::host::shown;

fn put(text: &str) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// A string without its quotes, any other value as it stands.
pub(super) fn plain(value: RawJson<'_>) -> String {
    match (value.kind(), value.as_json_str()) {
        (JsonKind::String, Some(text)) => shown(&text.to_string()),
        _ => shown(value.as_str()),
    }
}

pub(super) fn progress(params: Option<RawJson<'_>>) {
    let Some(params) = params else { return };
    let Some(done) = params.get("progress") else {
        return;
    };
    let mut line = format!("progress {}", plain(done));
    if let Some(total) = params.get("total") {
        line.push_str(&format!("/{}", plain(total)));
    }
    if let Some(message) = params.get("message") {
        line.push_str(&format!(": {}", plain(message)));
    }
    put(&line);
}

pub(super) fn log(params: Option<RawJson<'_>>) {
    let Some(params) = params else { return };
    let part = |name: &str| params.get(name).map(plain);
    let level = part("level").unwrap_or_else(|| "?".into());
    let logger = part("logger")
        .map(|logger| format!(" {logger}"))
        .unwrap_or_default();
    put(&format!(
        "[{level}{logger}] {}",
        part("data").unwrap_or_default()
    ));
}

pub(super) fn connection_error(error: &ErrorObject<'_>) {
    put(&format!(
        "wireline: the server reports error {}: {}",
        error.code(),
        shown(&error.message().to_string())
    ));
}
