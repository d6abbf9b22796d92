//! Pieces of messages: text, numbers, records, tools.

use super::Stream;
use std::fmt::Write;

/// What a text looks like; decides how many escapes it holds.
#[derive(Clone, Copy)]
pub(super) enum Prose {
    /// Sentences, a line end now and then.
    Plain,
    /// Source code or logs: line ends, tabs, quotes.
    Code,
    /// JSON put into a string: a quote at every name.
    Json,
    /// Windows paths.
    Paths,
}

const WORDS: &[&str] = &[
    "the",
    "a",
    "of",
    "to",
    "and",
    "in",
    "for",
    "with",
    "value",
    "server",
    "request",
    "file",
    "line",
    "returns",
    "error",
    "message",
    "protocol",
    "buffer",
    "when",
    "is",
    "not",
    "found",
    "result",
    "list",
    "tool",
    "resource",
    "client",
    "each",
    "byte",
    "stream",
    "read",
    "write",
    "after",
    "before",
    "open",
    "closed",
    "connection",
    "timeout",
    "while",
    "handling",
    "package",
    "module",
    "function",
    "index",
    "update",
    "release",
    "changed",
    "directory",
    "configuration",
    "parameter",
];

const WORDS_FAR: &[&str] = &[
    "größe",
    "Übersicht",
    "naïve",
    "café",
    "señal",
    "façade",
    "сервер",
    "сообщение",
    "ошибка",
    "файл",
    "δίκτυο",
    "αρχείο",
    "日本語",
    "ファイル",
    "消息",
    "服务器",
    "请求",
    "오류",
    "서버",
    "שלום",
    "خادم",
    "नमस्ते",
    "✓",
    "→",
    "…",
    "—",
    "😀",
    "🚀",
    "🎉",
    "👩‍💻",
];

const NAMES: &[&str] = &[
    "name",
    "path",
    "size",
    "count",
    "status",
    "created_at",
    "updated_at",
    "owner",
    "title",
    "description",
    "items",
    "total",
    "score",
    "enabled",
    "tags",
    "url",
    "version",
    "kind",
    "offset",
    "length",
];

pub(super) const TOOLS: &[&str] = &[
    "echo",
    "read_file",
    "write_file",
    "list_directory",
    "search_files",
    "get_weather",
    "query_database",
    "git_log",
    "git_diff",
    "fetch_url",
    "run_tests",
    "create_issue",
    "get_temperature",
    "set_relay",
    "read_sensor",
];

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Stream<'_> {
    pub(super) fn num(&mut self, n: u64) {
        let _ = write!(self.out, "{n}");
    }

    /// An id as the SDKs count them; a few clients use strings.
    pub(super) fn id(&mut self) {
        let id = self.next_id;
        self.next_id += 1;
        if self.rng.permille(60) {
            let tail = self.rng.number();
            let _ = write!(
                self.out,
                "\"{:08x}-{:04x}-{id}\"",
                tail >> 32,
                tail & 0xFFFF
            );
        } else {
            self.num(id);
        }
    }

    /// The `_meta` of 2026-07-28, with the comma before it if asked for.
    pub(super) fn meta(&mut self, comma: bool) {
        if comma {
            self.put(",");
        }
        self.put("\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcp\",\"version\":\"0.1.0\"},\"io.modelcontextprotocol/clientCapabilities\":{}}");
    }

    pub(super) fn word(&mut self, far: u64) {
        let word = if self.rng.permille(far) {
            self.rng.pick(WORDS_FAR)
        } else {
            self.rng.pick(WORDS)
        };
        self.put(word);
    }

    pub(super) fn words(&mut self, count: u64, far: u64) {
        for i in 0..count {
            if i > 0 {
                self.put(" ");
            }
            self.word(far);
        }
    }

    /// About `bytes` of text inside a string, with `far` of 1000 words outside ASCII.
    pub(super) fn prose(&mut self, bytes: usize, style: Prose, far: u64) {
        let end = self.out.len() + bytes;
        while self.out.len() < end {
            match style {
                Prose::Plain => {
                    let count = self.rng.range(6, 14);
                    self.words(count, far);
                    let stop = self
                        .rng
                        .pick(&[". ", ". ", ", ", "; ", ".\\n", ": ", "? ", ".\\n\\n"]);
                    self.put(stop);
                    if self.rng.permille(120) {
                        self.put("\\\"");
                        self.word(far);
                        self.put("\\\" ");
                    }
                }
                Prose::Code => {
                    let depth = self.rng.below(4);
                    for _ in 0..depth {
                        self.put("\\t");
                    }
                    let name = self.rng.pick(NAMES);
                    let _ = write!(self.out, "let {name} = {}(\\\"", self.rng.pick(TOOLS));
                    let count = self.rng.range(1, 6);
                    self.words(count, far);
                    let n = self.rng.below(10_000);
                    let _ = write!(self.out, "\\\", {n}); // ");
                    let count = self.rng.range(1, 7);
                    self.words(count, far);
                    self.put("\\n");
                }
                Prose::Json => {
                    let name = self.rng.pick(NAMES);
                    let _ = write!(self.out, "{{\\\"{name}\\\": \\\"");
                    let count = self.rng.range(1, 5);
                    self.words(count, far);
                    let n = self.rng.below(1_000_000);
                    let other = self.rng.pick(NAMES);
                    let _ = write!(self.out, "\\\", \\\"{other}\\\": {n}}},\\n  ");
                }
                Prose::Paths => {
                    self.put("C:\\\\Users\\\\");
                    for _ in 0..self.rng.range(2, 6) {
                        self.word(far);
                        self.put("\\\\");
                    }
                    let name = self.rng.pick(NAMES);
                    let _ = write!(self.out, "{name}.txt\\r\\n");
                }
            }
        }
    }

    pub(super) fn base64(&mut self, bytes: usize) {
        for _ in 0..bytes.div_ceil(8) {
            let mut bits = self.rng.number();
            for _ in 0..8 {
                self.out.push(char::from(BASE64[(bits & 63) as usize]));
                bits >>= 6;
            }
        }
    }

    /// A number as measurements, embeddings and counters write it.
    pub(super) fn number(&mut self) {
        let n = self.rng.number();
        let sign = if n & 1 == 0 { "" } else { "-" };
        let _ = match (n >> 1) & 7 {
            0 | 1 => write!(self.out, "{}", (n >> 8) & 0xFFF),
            2 => write!(self.out, "{sign}{}", (n >> 8) & 0xFFFF_FFFF),
            3 => write!(self.out, "{sign}{}.{}", (n >> 8) & 0xFF, (n >> 16) & 0x3F),
            4 | 5 => write!(self.out, "{sign}0.{:08}", (n >> 8) % 100_000_000),
            6 => write!(
                self.out,
                "{sign}0.{:016}",
                (n >> 8) % 10_000_000_000_000_000
            ),
            _ => write!(
                self.out,
                "{sign}{}.{:05}e{sign}{}",
                (n >> 8) % 9 + 1,
                (n >> 12) % 100_000,
                (n >> 40) % 12
            ),
        };
    }

    pub(super) fn numbers(&mut self, bytes: usize) {
        let end = self.out.len() + bytes;
        self.put("[");
        self.number();
        while self.out.len() < end {
            self.put(",");
            self.number();
        }
        self.put("]");
    }

    /// One record of structured content.
    pub(super) fn record(&mut self, far: u64) {
        let id = self.rng.below(1_000_000);
        let _ = write!(self.out, "{{\"id\":{id}");
        let first = self.rng.number() as usize;
        for i in 0..self.rng.range(2, 7) as usize {
            let name = NAMES[first.wrapping_add(i) % NAMES.len()];
            let _ = write!(self.out, ",\"{name}\":");
            match self.rng.below(8) {
                0 => self.put("true"),
                1 => self.put("null"),
                2 | 3 => self.number(),
                4 => {
                    self.put("[");
                    self.number();
                    self.put(",");
                    self.number();
                    self.put("]");
                }
                _ => {
                    self.put("\"");
                    let count = self.rng.range(1, 5);
                    self.words(count, far);
                    self.put("\"");
                }
            }
        }
        self.put("}");
    }

    pub(super) fn records(&mut self, bytes: usize, far: u64) {
        let end = self.out.len() + bytes;
        self.put("[");
        self.record(far);
        while self.out.len() < end {
            self.put(",");
            self.record(far);
        }
        self.put("]");
    }

    /// One entry of a tool list.
    pub(super) fn tool(&mut self) {
        let name = self.rng.pick(TOOLS);
        let n = self.rng.below(100);
        let _ = write!(self.out, "{{\"name\":\"{name}_{n}\",\"description\":\"");
        let count = self.rng.range(8, 60);
        self.words(count, 20);
        self.put(".\",\"inputSchema\":{\"type\":\"object\",\"properties\":{");
        let fields = self.rng.range(1, 6);
        let first = self.rng.number() as usize;
        for i in 0..fields as usize {
            if i > 0 {
                self.put(",");
            }
            let field = NAMES[first.wrapping_add(i) % NAMES.len()];
            let kind = self.rng.pick(&["string", "integer", "number", "boolean"]);
            let _ = write!(
                self.out,
                "\"{field}\":{{\"type\":\"{kind}\",\"description\":\""
            );
            let count = self.rng.range(3, 16);
            self.words(count, 10);
            self.put("\"}");
        }
        self.put("},\"required\":[\"");
        let field = self.rng.pick(NAMES);
        self.put(field);
        self.put("\"]},\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}");
    }

    pub(super) fn arguments(&mut self, far: u64) {
        self.put("{\"");
        let name = self.rng.pick(NAMES);
        self.put(name);
        self.put("\":\"");
        let count = self.rng.range(1, 12);
        self.words(count, far);
        self.put("\"");
        if self.rng.permille(500) {
            let name = self.rng.pick(&["limit", "depth", "level", "timeout"]);
            let _ = write!(self.out, ",\"{name}\":");
            self.number();
        }
        if self.rng.permille(150) {
            self.put(",\"target\":\"C:\\\\temp\\\\");
            self.word(far);
            self.put(".txt\"");
        }
        self.put("}");
    }
}
