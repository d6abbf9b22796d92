//! Streams that are nearly right: most of what random bytes would never hit.

use std::vec::Vec;

/// Choices, taken from an input's bytes; when they are used up, all are 0.
pub(super) struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Source(bytes)
    }

    pub(super) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound.max(1)
    }

    pub(super) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn take(&mut self, bytes: usize) -> &'a [u8] {
        let (front, back) = self.0.split_at(bytes.min(self.0.len()));
        self.0 = back;
        front
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const LONGEST: usize = 16 * 1024;

const NAMES: &[&str] = &[
    "jsonrpc",
    "id",
    "method",
    "params",
    "result",
    "error",
    "_meta",
    "progressToken",
    "requestId",
    "progress",
    "resultType",
    "protocolVersion",
    "code",
    "message",
    "data",
    "supported",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/subscriptionId",
    "name",
    "",
    "i\\u0064",
    "meth\\u006fd",
    "json\\u0072pc",
    "\\u005fmeta",
    "a\\/b",
    "\\ud83d\\ude00",
    "\\ud800",
    "x\\udc00y",
    "ID",
    "params\\u0000",
];

const VALUES: &[&[u8]] = &[
    b"0", b"-0", b"1", b"7", b"-1", b"1.0", b"1e2", b"1.5", b"10e-1", b"9007199254740993",
    b"18446744073709551616", b"-9223372036854775808", b"0.0000001", b"1E+400", b"123456789012345678901234567890123",
    b"true", b"false", b"null", b"\"\"", b"\"a\"", b"\"ping\"", b"\"2.0\"", b"\"2\\u002e0\"", b"\"1.0\"",
    b"\"tools\\/list\"", b"\"\\ud83d\\ude00\"", b"\"\\ud83d\"", b"\"\xc3\xa9\"", b"\"\xf0\x9f\x98\x80 \\n\\\\ \\\"\"",
    b"{}", b"[]", b"[1,2]", b"{\"a\":{\"b\":[]}}", b"\"2025-06-18\"", b"-32600", b"\"complete\"",
    b"\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
    // and what is no JSON:
    b"01", b"1.", b"-", b"1e", b"nul", b"tru e", b"\"\\x\"", b"\"\\u12g4\"", b"\"\t\"", b"\"\xff\"",
    b"\"\xe2\x82\"", b"\"\xed\xa0\x80\"", b"'a'", b"", b"NaN", b"\"",
];

/// How many of [`VALUES`] are JSON.
const GOOD: usize = 37;

const NOISE: &[&[u8]] = &[
    b"",
    b" ",
    b"\t\r",
    b"boot ok",
    b"\x1b[32mready\x1b[0m",
    b"\xef\xbb\xbf",
    b"5",
    b"null",
    b"\"s\"",
    b"\r",
    b"\0",
    b"{",
    b"}",
    b"[",
    b"[]",
    b"[1]",
    b"\xff\xfe",
    b"\xe2\x80\xa8",
    b"Listening on 127.0.0.1",
    b"[INFO] x",
    b"-",
    b"\x85",
    b"# comment",
    b"\xef\xbb",
    b"\xef",
];

/// A stream of lines.
pub(super) fn stream(source: &mut Source<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    if source.below(8) == 1 {
        out.extend_from_slice(b"\xef\xbb\xbf");
    }
    loop {
        let from = out.len();
        line(source, &mut out);
        damage(source, &mut out, from);
        if out.len() > LONGEST {
            out.truncate(LONGEST);
            return out;
        }
        if source.is_empty() {
            // Mostly, the last line is ended.
            if source.byte() == 0 && from % 4 != 3 {
                out.push(b'\n');
            }
            return out;
        }
        let end: &[u8] = source.pick(&[
            b"\n", b"\n", b"\n", b"\r\n", b"\r\n", b"\n\n", b" \n", b"\r\r\n",
        ]);
        out.extend_from_slice(end);
    }
}

/// Breaks the line that begins at `from`, now and then.
fn damage(source: &mut Source<'_>, out: &mut Vec<u8>, from: usize) {
    let length = out.len() - from;
    if length == 0 {
        return;
    }
    match source.below(16) {
        1 => {
            let at = from + source.below(length);
            out.truncate(at);
        }
        2 => {
            let at = from + source.below(length);
            out[at] = source.byte();
        }
        3 => {
            let at = from + source.below(length);
            out.insert(at, source.byte());
        }
        4 => {
            let at = from + source.below(length);
            out.remove(at);
        }
        5 => {
            // A second copy of a part of it.
            let at = from + source.below(length);
            let end = (at + 1 + source.below(24)).min(out.len());
            let part = out[at..end].to_vec();
            out.splice(at..at, part);
        }
        6 => out.extend_from_slice(source.pick(NOISE)),
        _ => {}
    }
}

fn line(source: &mut Source<'_>, out: &mut Vec<u8>) {
    match source.below(16) {
        0..=9 => message(source, out),
        10 => out.extend_from_slice(source.pick(NOISE)),
        11 => {
            let bytes = source.below(40);
            out.extend_from_slice(source.take(bytes));
        }
        12 => {
            // A batch.
            let elements = source.below(4);
            out.push(b'[');
            space(source, out);
            for index in 0..elements {
                if index > 0 {
                    out.push(b',');
                }
                space(source, out);
                match source.below(4) {
                    0 => any(source, out, 3),
                    _ => message(source, out),
                }
                space(source, out);
            }
            out.push(b']');
        }
        13 => any(source, out, 6),
        14 => {
            // Long, with the id before or after what makes it so.
            let filler = 16 * source.below(256);
            let first = source.below(2) == 0;
            out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",");
            if first {
                out.extend_from_slice(b"\"id\":\"first\",");
            }
            out.extend_from_slice(b"\"method\":\"a/b\",\"params\":{\"text\":\"");
            out.extend(core::iter::repeat_n(b'x', filler));
            out.extend_from_slice(b"\"}");
            if !first {
                out.extend_from_slice(b",\"id\":\"last\"");
            }
            out.push(b'}');
        }
        _ => {
            // Deep.
            let depth = source.below(140);
            let bracket = source.pick(b"[[{");
            out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"a\":");
            for _ in 0..depth {
                out.push(bracket);
                if bracket == b'{' {
                    out.extend_from_slice(b"\"k\":");
                }
            }
            any(source, out, 0);
            for _ in 0..depth {
                out.push(if bracket == b'{' { b'}' } else { b']' });
            }
            out.extend_from_slice(b"},\"id\":3}");
        }
    }
}

/// White space, seldom.
fn space(source: &mut Source<'_>, out: &mut Vec<u8>) {
    let text: &[u8] = match source.below(12) {
        1 => b" ",
        2 => b"\r",
        3 => b" \t ",
        _ => b"",
    };
    out.extend_from_slice(text);
}

fn name(source: &mut Source<'_>, out: &mut Vec<u8>, name: &str) {
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.push(b'"');
    space(source, out);
    out.push(b':');
    space(source, out);
}

/// A message, with its members in any order, some missing, some more.
pub(super) fn message(source: &mut Source<'_>, out: &mut Vec<u8>) {
    let kind = source.byte();
    let mut members: Vec<&str> = match kind % 8 {
        0 | 1 => Vec::from(["jsonrpc", "id", "method", "params"]),
        2 => Vec::from(["jsonrpc", "method", "params"]),
        3 => Vec::from(["result", "jsonrpc", "id"]),
        4 => Vec::from(["error", "jsonrpc", "id"]),
        5 => Vec::from(["jsonrpc", "id", "method"]),
        6 => Vec::from(["method", "params", "jsonrpc", "id"]),
        _ => Vec::from(["jsonrpc", "id"]),
    };
    if kind & 8 != 0 {
        members.rotate_left(1);
    }
    if kind & 16 != 0 {
        members.reverse();
    }
    if kind & 0x60 == 0x60 {
        let at = source.below(members.len() + 1);
        members.insert(at, source.pick(NAMES));
    }
    if kind & 0x80 != 0 && source.below(4) == 1 {
        members.remove(source.below(members.len()));
    }
    out.push(b'{');
    space(source, out);
    for (index, member) in members.iter().enumerate() {
        if index > 0 {
            out.push(b',');
            space(source, out);
        }
        name(source, out, member);
        if source.below(24) == 1 {
            any(source, out, 2);
            continue;
        }
        match *member {
            "jsonrpc" => out.extend_from_slice(b"\"2.0\""),
            "id" => {
                let id: &[u8] = source.pick(&[
                    b"1",
                    b"\"a\"",
                    b"0",
                    b"-7",
                    b"\"\\u0061\"",
                    b"null",
                    b"1.5",
                    b"2e1",
                    b"\"\xc3\xa9\"",
                ]);
                out.extend_from_slice(id);
            }
            "method" => {
                let method: &[u8] = source.pick(&[
                    b"\"ping\"",
                    b"\"tools/call\"",
                    b"\"tools\\/call\"",
                    b"\"notifications/progress\"",
                    b"\"notifications/cancelled\"",
                    b"\"\\u0070ing\"",
                ]);
                out.extend_from_slice(method);
            }
            "params" | "result" => body(source, out, 0),
            "error" => error(source, out),
            _ => any(source, out, 3),
        }
        space(source, out);
    }
    out.push(b'}');
    space(source, out);
}

/// An object with members that are captured.
fn body(source: &mut Source<'_>, out: &mut Vec<u8>, depth: usize) {
    out.push(b'{');
    let members = source.below(4);
    for index in 0..members {
        if index > 0 {
            out.push(b',');
        }
        space(source, out);
        let member = source.pick(NAMES);
        name(source, out, member);
        if member == "_meta" && depth < 3 {
            body(source, out, depth + 1);
        } else {
            any(source, out, 2);
        }
        space(source, out);
    }
    out.push(b'}');
}

fn error(source: &mut Source<'_>, out: &mut Vec<u8>) {
    let shape = source.byte();
    let mut members = Vec::from(["code", "message"]);
    if shape & 1 != 0 {
        members.push("data");
    }
    if shape & 2 != 0 {
        members.reverse();
    }
    if shape & 12 == 12 {
        members.remove(0);
    }
    out.push(b'{');
    for (index, member) in members.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        name(source, out, member);
        match (*member, source.below(8)) {
            ("code", 2..) => out.extend_from_slice(b"-32600"),
            ("message", 2..) => out.extend_from_slice(b"\"no\\n\""),
            ("data", 2..4) => out.extend_from_slice(b"{\"supported\":[\"2025-06-18\"],\"x\":1}"),
            ("data", 4..6) => body(source, out, 1),
            _ => any(source, out, 2),
        }
    }
    out.push(b'}');
}

/// Any value; seldom one that is no JSON.
pub(super) fn any(source: &mut Source<'_>, out: &mut Vec<u8>, depth: usize) {
    let choice = source.byte();
    if depth > 0 && choice % 8 == 7 {
        let object = choice & 8 != 0;
        let items = source.below(4);
        out.push(if object { b'{' } else { b'[' });
        for index in 0..items {
            if index > 0 {
                out.push(b',');
            }
            space(source, out);
            if object {
                let member = source.pick(NAMES);
                name(source, out, member);
            }
            any(source, out, depth - 1);
            space(source, out);
        }
        out.push(if object { b'}' } else { b']' });
        return;
    }
    let among = if choice > 240 {
        VALUES
    } else {
        &VALUES[..GOOD]
    };
    out.extend_from_slice(among[usize::from(choice) % among.len()]);
}
