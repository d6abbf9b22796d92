//! The corpora: streams of messages as the SDKs write them, made from a fixed seed.
//!
//! Two orders of members are in use on the wire. The TypeScript SDK writes
//! `method, params, jsonrpc, id` and `result, jsonrpc, id`, with the id behind
//! a body of any size; the Python and Rust SDKs write `jsonrpc, id` first.
//! Every corpus has half of each.

mod messages;
mod pieces;

use crate::rng::Rng;
use pieces::Prose;

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

impl Stream<'_> {
    fn put(&mut self, s: &str) {
        self.out.push_str(s);
    }

    fn full(&self) -> bool {
        self.out.len() >= self.bytes
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
            if s.rng.permille(500) {
                s.record(20)
            } else {
                s.numbers(300)
            }
        }
        s.put("]}}");
    });
}
