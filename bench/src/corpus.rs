//! The corpora: streams of messages as the SDKs write them, made from a fixed seed.
//!
//! Two orders of members are in use on the wire. The TypeScript SDK writes
//! `method, params, jsonrpc, id` and `result, jsonrpc, id`, with the id behind
//! a body of any size; the Python and Rust SDKs write `jsonrpc, id` first.
//! Every corpus has half of each.

use crate::rng::Rng;
use std::fmt::Write;

const MIB: usize = 1 << 20;

/// A corpus: its name, its size, and the digest of its bytes.
pub struct Corpus {
    pub name: &'static str,
    pub about: &'static str,
    /// At least so many bytes; the last message is whole.
    pub bytes: usize,
    pub sha256: &'static str,
    make: fn(&mut Stream<'_>),
}

/// Every corpus.
pub const ALL: &[Corpus] = &[
    Corpus {
        name: "small",
        about: "requests, notifications, results, errors, pings",
        bytes: 16 * MIB,
        sha256: "f05f2947b309ee085c542b738e4c16cdfce89ad455e3ea156c93d3dc8a531a57",
        make: small,
    },
    Corpus {
        name: "mixed",
        about: "a third each of requests, notifications and results; text of 1-64 KiB, structured content, base64, tool lists",
        bytes: 64 * MIB,
        sha256: "a94d52b6bc84a5c2e5342e005947b02d609b1c7cc52fb0aa6fc5a6d5ccee175f",
        make: mixed,
    },
    Corpus {
        name: "text",
        about: "results with 64 KiB-1 MiB of text",
        bytes: 32 * MIB,
        sha256: "d955428f2bc1b43a76c51b7e41237aef85131030c995ad478f06d93a5fc140e0",
        make: text,
    },
    Corpus {
        name: "numbers",
        about: "results with dense arrays of numbers, 16-256 KiB",
        bytes: 32 * MIB,
        sha256: "819f635225fe41e5de2747b3ad689180c5e35e183f90518e3c7f607d78d0abc3",
        make: numbers,
    },
    Corpus {
        name: "line-text",
        about: "one line of 64 MiB: text",
        bytes: 64 * MIB,
        sha256: "b2c42c0ff6aeda88e91f380c7ea1d7d8c0dc4e07fae69844dce49ce2846dcb4e",
        make: line_text,
    },
    Corpus {
        name: "line-dense",
        about: "one line of 64 MiB: numbers and small objects",
        bytes: 64 * MIB,
        sha256: "68109ba4549134ddeea10b9068d25bb3cfacdf0dee6bb88b519a3cb07e2e15bd",
        make: line_dense,
    },
];

impl Corpus {
    /// The corpus of this name.
    pub fn named(name: &str) -> Option<&'static Corpus> {
        ALL.iter().find(|c| c.name == name)
    }

    /// The whole corpus.
    pub fn generate(&self) -> Vec<u8> {
        self.generate_to(self.bytes)
    }

    /// The corpus with another size. A stream of messages cut short is a
    /// prefix of the full one; a single line is a shorter line.
    pub fn generate_to(&self, bytes: usize) -> Vec<u8> {
        let mut out = String::with_capacity(bytes + bytes / 8 + MIB);
        let mut stream = Stream {
            rng: Rng::new(0x5749_5245_4C49_4E45),
            out: &mut out,
            bytes,
            next_id: 0,
            id_last: false,
        };
        (self.make)(&mut stream);
        out.into_bytes()
    }
}

struct Stream<'o> {
    rng: Rng,
    out: &'o mut String,
    bytes: usize,
    next_id: u64,
    id_last: bool,
}

/// What a text looks like; decides how many escapes it holds.
#[derive(Clone, Copy)]
enum Prose {
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
    "the", "a", "of", "to", "and", "in", "for", "with", "value", "server", "request", "file", "line", "returns", "error", "message",
    "protocol", "buffer", "when", "is", "not", "found", "result", "list", "tool", "resource", "client", "each", "byte", "stream", "read",
    "write", "after", "before", "open", "closed", "connection", "timeout", "while", "handling", "package", "module", "function", "index",
    "update", "release", "changed", "directory", "configuration", "parameter",
];

const WORDS_FAR: &[&str] = &[
    "größe", "Übersicht", "naïve", "café", "señal", "façade", "сервер", "сообщение", "ошибка", "файл", "δίκτυο", "αρχείο", "日本語",
    "ファイル", "消息", "服务器", "请求", "오류", "서버", "שלום", "خادم", "नमस्ते", "✓", "→", "…", "—", "😀", "🚀", "🎉", "👩‍💻",
];

const NAMES: &[&str] = &[
    "name", "path", "size", "count", "status", "created_at", "updated_at", "owner", "title", "description", "items", "total", "score",
    "enabled", "tags", "url", "version", "kind", "offset", "length",
];

const TOOLS: &[&str] = &[
    "echo", "read_file", "write_file", "list_directory", "search_files", "get_weather", "query_database", "git_log", "git_diff",
    "fetch_url", "run_tests", "create_issue", "get_temperature", "set_relay", "read_sensor",
];

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Stream<'_> {
    fn put(&mut self, s: &str) {
        self.out.push_str(s);
    }

    fn num(&mut self, n: u64) {
        let _ = write!(self.out, "{n}");
    }

    fn full(&self) -> bool {
        self.out.len() >= self.bytes
    }

    /// An id as the SDKs count them; a few clients use strings.
    fn id(&mut self) {
        let id = self.next_id;
        self.next_id += 1;
        if self.rng.permille(60) {
            let tail = self.rng.next();
            let _ = write!(self.out, "\"{:08x}-{:04x}-{id}\"", tail >> 32, tail & 0xFFFF);
        } else {
            self.num(id);
        }
    }

    /// A request, `params` written by the caller as one member or not at all.
    fn request(&mut self, method: &str, params: impl FnOnce(&mut Self)) {
        if self.id_last {
            let _ = write!(self.out, "{{\"method\":\"{method}\"");
            params(self);
            self.put(",\"jsonrpc\":\"2.0\",\"id\":");
            self.id();
            self.put("}\n");
        } else {
            self.put("{\"jsonrpc\":\"2.0\",\"id\":");
            self.id();
            let _ = write!(self.out, ",\"method\":\"{method}\"");
            params(self);
            self.put("}\n");
        }
    }

    fn notification(&mut self, method: &str, params: impl FnOnce(&mut Self)) {
        if self.id_last {
            let _ = write!(self.out, "{{\"method\":\"{method}\"");
            params(self);
            self.put(",\"jsonrpc\":\"2.0\"}\n");
        } else {
            let _ = write!(self.out, "{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\"");
            params(self);
            self.put("}\n");
        }
    }

    /// A response; `member` is `result` or `error`.
    fn response(&mut self, member: &str, body: impl FnOnce(&mut Self)) {
        if self.id_last {
            let _ = write!(self.out, "{{\"{member}\":");
            body(self);
            self.put(",\"jsonrpc\":\"2.0\",\"id\":");
            self.id();
            self.put("}\n");
        } else {
            self.put("{\"jsonrpc\":\"2.0\",\"id\":");
            self.id();
            let _ = write!(self.out, ",\"{member}\":");
            body(self);
            self.put("}\n");
        }
    }

    /// The `_meta` of 2026-07-28, with the comma before it if asked for.
    fn meta(&mut self, comma: bool) {
        if comma {
            self.put(",");
        }
        self.put("\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcp\",\"version\":\"0.1.0\"},\"io.modelcontextprotocol/clientCapabilities\":{}}");
    }

    fn word(&mut self, far: u64) {
        let word = if self.rng.permille(far) { self.rng.pick(WORDS_FAR) } else { self.rng.pick(WORDS) };
        self.put(word);
    }

    fn words(&mut self, count: u64, far: u64) {
        for i in 0..count {
            if i > 0 {
                self.put(" ");
            }
            self.word(far);
        }
    }

    /// About `bytes` of text inside a string, with `far` of 1000 words outside ASCII.
    fn prose(&mut self, bytes: usize, style: Prose, far: u64) {
        let end = self.out.len() + bytes;
        while self.out.len() < end {
            match style {
                Prose::Plain => {
                    let count = self.rng.range(6, 14);
                    self.words(count, far);
                    let stop = self.rng.pick(&[". ", ". ", ", ", "; ", ".\\n", ": ", "? ", ".\\n\\n"]);
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

    fn base64(&mut self, bytes: usize) {
        for _ in 0..bytes.div_ceil(8) {
            let mut bits = self.rng.next();
            for _ in 0..8 {
                self.out.push(char::from(BASE64[(bits & 63) as usize]));
                bits >>= 6;
            }
        }
    }

    /// A number as measurements, embeddings and counters write it.
    fn number(&mut self) {
        let n = self.rng.next();
        let sign = if n & 1 == 0 { "" } else { "-" };
        let _ = match (n >> 1) & 7 {
            0 | 1 => write!(self.out, "{}", (n >> 8) & 0xFFF),
            2 => write!(self.out, "{sign}{}", (n >> 8) & 0xFFFF_FFFF),
            3 => write!(self.out, "{sign}{}.{}", (n >> 8) & 0xFF, (n >> 16) & 0x3F),
            4 | 5 => write!(self.out, "{sign}0.{:08}", (n >> 8) % 100_000_000),
            6 => write!(self.out, "{sign}0.{:016}", (n >> 8) % 10_000_000_000_000_000),
            _ => write!(self.out, "{sign}{}.{:05}e{sign}{}", (n >> 8) % 9 + 1, (n >> 12) % 100_000, (n >> 40) % 12),
        };
    }

    fn numbers(&mut self, bytes: usize) {
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
    fn record(&mut self, far: u64) {
        let id = self.rng.below(1_000_000);
        let _ = write!(self.out, "{{\"id\":{id}");
        let first = self.rng.next() as usize;
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

    fn records(&mut self, bytes: usize, far: u64) {
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
    fn tool(&mut self) {
        let name = self.rng.pick(TOOLS);
        let n = self.rng.below(100);
        let _ = write!(self.out, "{{\"name\":\"{name}_{n}\",\"description\":\"");
        let count = self.rng.range(8, 60);
        self.words(count, 20);
        self.put(".\",\"inputSchema\":{\"type\":\"object\",\"properties\":{");
        let fields = self.rng.range(1, 6);
        let first = self.rng.next() as usize;
        for i in 0..fields as usize {
            if i > 0 {
                self.put(",");
            }
            let field = NAMES[first.wrapping_add(i) % NAMES.len()];
            let kind = self.rng.pick(&["string", "integer", "number", "boolean"]);
            let _ = write!(self.out, "\"{field}\":{{\"type\":\"{kind}\",\"description\":\"");
            let count = self.rng.range(3, 16);
            self.words(count, 10);
            self.put("\"}");
        }
        self.put("},\"required\":[\"");
        let field = self.rng.pick(NAMES);
        self.put(field);
        self.put("\"]},\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}");
    }

    fn arguments(&mut self, far: u64) {
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

    fn tools_call(&mut self, far: u64) {
        self.request("tools/call", |s| {
            let tool = s.rng.pick(TOOLS);
            let _ = write!(s.out, ",\"params\":{{\"name\":\"{tool}\",\"arguments\":");
            s.arguments(far);
            match s.rng.below(8) {
                0..3 => s.meta(true),
                3..5 => {
                    let token = s.next_id;
                    let _ = write!(s.out, ",\"_meta\":{{\"progressToken\":{token}}}");
                }
                _ => {}
            }
            s.put("}");
        });
    }

    fn progress(&mut self, far: u64) {
        self.notification("notifications/progress", |s| {
            let token = s.next_id;
            let step = s.rng.below(100);
            let _ = write!(s.out, ",\"params\":{{\"progressToken\":{token},\"progress\":{step}.0,\"total\":100.0,\"message\":\"");
            let count = s.rng.range(2, 9);
            s.words(count, far);
            s.put("\"}");
        });
    }

    fn log(&mut self, far: u64) {
        self.notification("notifications/message", |s| {
            let level = s.rng.pick(&["debug", "info", "warning", "error"]);
            let _ = write!(s.out, ",\"params\":{{\"level\":\"{level}\",\"logger\":\"server\",\"data\":\"");
            let bytes = s.rng.range(40, 300) as usize;
            s.prose(bytes, Prose::Plain, far);
            s.put("\"}");
        });
    }

    fn small_result(&mut self, far: u64) {
        self.response("result", |s| {
            s.put("{\"content\":[{\"type\":\"text\",\"text\":\"");
            let style = s.rng.pick(&[Prose::Plain, Prose::Plain, Prose::Code, Prose::Json]);
            let bytes = s.rng.log_range(24, 768) as usize;
            s.prose(bytes, style, far);
            s.put("\"}]");
            if s.rng.permille(250) {
                s.put(",\"structuredContent\":");
                s.record(far);
            }
            s.put(",\"isError\":false}");
        });
    }

    fn text_body(&mut self, bytes: usize, style: Prose, far: u64) {
        self.put("{\"content\":[{\"type\":\"text\",\"text\":\"");
        self.prose(bytes, style, far);
        self.put("\"}],\"isError\":false}");
    }

    fn one_small(&mut self) {
        let far = 40;
        match self.rng.below(100) {
            0..22 => self.tools_call(far),
            22..28 => self.request("ping", |s| {
                if s.rng.permille(300) {
                    s.put(",\"params\":{");
                    s.meta(false);
                    s.put("}");
                }
            }),
            28..32 => {
                let method = self.rng.pick(&["tools/list", "resources/list", "prompts/list", "resources/templates/list"]);
                self.request(method, |s| {
                    if s.rng.permille(500) {
                        s.put(",\"params\":{");
                        s.meta(false);
                        s.put("}");
                    }
                });
            }
            32..37 => self.request("resources/read", |s| {
                s.put(",\"params\":{\"uri\":\"file:///srv/data/");
                s.word(far);
                let n = s.rng.below(1000);
                let _ = write!(s.out, "/{n}.txt\"");
                if s.rng.permille(400) {
                    s.meta(true);
                }
                s.put("}");
            }),
            37..50 => self.progress(far),
            50..57 => self.log(far),
            57..60 => self.notification("notifications/cancelled", |s| {
                let id = s.next_id;
                let _ = write!(s.out, ",\"params\":{{\"requestId\":{id},\"reason\":\"");
                let count = s.rng.range(2, 6);
                s.words(count, far);
                s.put("\"}");
            }),
            60..62 => {
                let method = self.rng.pick(&["notifications/initialized", "notifications/tools/list_changed"]);
                self.notification(method, |_| {});
            }
            62..90 => self.small_result(far),
            90..95 => self.response("result", |s| s.put("{}")),
            _ => self.response("error", |s| {
                let code = s.rng.pick(&[-32700, -32600, -32601, -32602, -32603, -32000, -32002]);
                let _ = write!(s.out, "{{\"code\":{code},\"message\":\"");
                let count = s.rng.range(2, 9);
                s.words(count, far);
                s.put("\"}");
            }),
        }
    }

    fn one_result(&mut self) {
        let far = 140;
        match self.rng.below(20) {
            0..10 => self.response("result", |s| {
                let style = s.rng.pick(&[Prose::Plain, Prose::Code, Prose::Code, Prose::Json, Prose::Json, Prose::Json, Prose::Paths]);
                let bytes = s.rng.log_range(1_280, 65_536) as usize;
                s.text_body(bytes, style, far);
            }),
            10..14 => self.response("result", |s| {
                s.put("{\"content\":[{\"type\":\"text\",\"text\":\"");
                let bytes = s.rng.log_range(512, 8_192) as usize;
                s.prose(bytes, Prose::Json, far);
                s.put("\"}],\"structuredContent\":{\"result\":");
                let bytes = s.rng.log_range(1_024, 32_768) as usize;
                s.records(bytes, far);
                s.put("},\"isError\":false}");
            }),
            14..17 => self.response("result", |s| {
                s.put("{\"contents\":[{\"uri\":\"file:///srv/data/image.png\",\"mimeType\":\"image/png\",\"blob\":\"");
                let bytes = s.rng.log_range(1_280, 65_536) as usize;
                s.base64(bytes);
                s.put("\"}]}");
            }),
            _ => self.response("result", |s| {
                s.put("{\"tools\":[");
                let count = s.rng.range(4, 40);
                for i in 0..count {
                    if i > 0 {
                        s.put(",");
                    }
                    s.tool();
                }
                s.put("]}");
            }),
        }
    }
}

fn small(s: &mut Stream<'_>) {
    while !s.full() {
        s.one_small();
        s.id_last = s.rng.permille(500);
    }
}

fn mixed(s: &mut Stream<'_>) {
    let far = 60;
    while !s.full() {
        s.id_last = s.rng.permille(500);
        match s.rng.below(3) {
            0 => match s.rng.below(5) {
                0 => s.request("tools/list", |_| {}),
                1 => s.request("completion/complete", |s| {
                    s.put(",\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"review\"},\"argument\":");
                    s.put("{\"name\":\"language\",\"value\":\"");
                    s.word(far);
                    s.put("\"}}");
                }),
                _ => s.tools_call(far),
            },
            1 => {
                if s.rng.permille(500) {
                    s.progress(far);
                } else {
                    s.log(far);
                }
            }
            _ => s.one_result(),
        }
    }
}

fn text(s: &mut Stream<'_>) {
    while !s.full() {
        s.id_last = s.rng.permille(500);
        s.response("result", |s| {
            let bytes = s.rng.log_range(65_536, 1_048_576) as usize;
            s.text_body(bytes, Prose::Plain, 20);
        });
    }
}

fn numbers(s: &mut Stream<'_>) {
    while !s.full() {
        s.id_last = s.rng.permille(500);
        s.response("result", |s| {
            s.put("{\"content\":[],\"structuredContent\":{\"data\":");
            let bytes = s.rng.log_range(16_384, 262_144) as usize;
            s.numbers(bytes);
            s.put("}}");
        });
    }
}

fn line_text(s: &mut Stream<'_>) {
    s.id_last = true;
    s.response("result", |s| s.text_body(s.bytes - 100, Prose::Plain, 20));
}

fn line_dense(s: &mut Stream<'_>) {
    s.id_last = true;
    s.response("result", |s| {
        let end = s.bytes - 1000;
        s.put("{\"content\":[],\"structuredContent\":{\"rows\":[");
        s.numbers(400);
        while s.out.len() < end {
            s.put(",");
            if s.rng.permille(500) { s.record(20) } else { s.numbers(300) }
        }
        s.put("]}}");
    });
}
