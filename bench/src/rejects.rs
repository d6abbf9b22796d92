//! Lines that a validating reader refuses, and a few that it must take.
//!
//! A peer counts in the comparison only if it refuses every bad line here: a
//! reader that looks for the id and skips the rest is fast, but it passes on text
//! that the next reader takes for something else. Derived from RFC 8259, RFC 3629
//! and JSON-RPC 2.0.

/// A line and whether it is a message.
pub struct Vector {
    pub name: String,
    pub line: Vec<u8>,
    pub good: bool,
}

/// Values that are no JSON, by name. Each is put in every place of `PLACES`.
const VALUES: &[(&str, &[u8])] = &[
    // Numbers.
    ("zero before a digit", b"01"),
    ("minus alone", b"-"),
    ("minus before zero and digit", b"-01"),
    ("plus sign", b"+1"),
    ("point first", b".5"),
    ("point last", b"1."),
    ("point before e", b"1.e5"),
    ("e without digits", b"1e"),
    ("e sign without digits", b"1e+"),
    ("minus point", b"-.5"),
    ("two points", b"1.2.3"),
    ("hexadecimal", b"0x1F"),
    ("NaN", b"NaN"),
    ("Infinity", b"Infinity"),
    ("minus Infinity", b"-Infinity"),
    ("underscore in number", b"1_000"),
    ("letter after number", b"12a"),
    ("two minus signs", b"--1"),
    // Literals.
    ("tru", b"tru"),
    ("True", b"True"),
    ("nul", b"nul"),
    ("nulll", b"nulll"),
    ("fals", b"fals"),
    ("truefalse", b"truefalse"),
    ("bare word", b"word"),
    ("nothing", b""),
    // Strings.
    ("raw tab", b"\"a\tb\""),
    ("raw carriage return", b"\"a\rb\""),
    ("raw NUL", b"\"a\0b\""),
    ("raw 0x1F", b"\"a\x1fb\""),
    (
        "raw control after 40 bytes",
        b"\"0123456789012345678901234567890123456789\x01\"",
    ),
    ("escape x", b"\"\\x41\""),
    ("escape quote single", b"\"\\'\""),
    ("escape digit", b"\"\\0\""),
    ("escape capital U", b"\"\\U0041\""),
    ("escape raw tab", b"\"\\\t\""),
    ("escape u without digits", b"\"\\u\""),
    ("escape u with three digits", b"\"\\u123\""),
    ("escape u with a letter g", b"\"\\u12g4\""),
    ("escape u with sign", b"\"\\u+123\""),
    (
        "bad escape after 40 bytes",
        b"\"0123456789012345678901234567890123456789\\q\"",
    ),
    ("single quotes", b"'a'"),
    ("string without end", b"\"abc"),
    ("two strings", b"\"a\"\"b\""),
    // Arrays and objects.
    ("comma last in array", b"[1,]"),
    ("comma first in array", b"[,1]"),
    ("two commas in array", b"[1,,2]"),
    ("no comma in array", b"[1 2]"),
    ("array without end", b"[1"),
    ("array ended as object", b"[1}"),
    ("colon in array", b"[1:2]"),
    ("comma last in object", b"{\"a\":1,}"),
    ("comma first in object", b"{,\"a\":1}"),
    ("comma alone in object", b"{,}"),
    ("no colon", b"{\"a\" 1}"),
    ("two colons", b"{\"a\"::1}"),
    ("no value", b"{\"a\":}"),
    ("name alone", b"{\"a\"}"),
    ("second name alone", b"{\"a\":1,\"b\"}"),
    ("name without quotes", b"{a:1}"),
    ("number as name", b"{1:2}"),
    ("no comma in object", b"{\"a\":1 \"b\":2}"),
    ("semicolon in object", b"{\"a\":1;\"b\":2}"),
    ("object ended as array", b"{\"a\":1]"),
    ("object without end", b"{\"a\":1"),
    ("raw control in name", b"{\"a\x01\":1}"),
    ("bad escape in name", b"{\"\\y\":1}"),
    ("closed twice", b"[1]]"),
    // White space and comments.
    ("comment", b"/**/1"),
    ("comment to line end", b"1//"),
    ("form feed", b"\x0c1"),
    ("vertical tab", b"1\x0b"),
    ("NUL outside string", b"1\0"),
    ("no-break space", b"\xc2\xa01"),
    // UTF-8.
    ("continuation byte alone", b"\"\x80\""),
    ("two-byte overlong", b"\"\xc0\xaf\""),
    ("two-byte overlong C1", b"\"\xc1\xbf\""),
    ("three-byte overlong", b"\"\xe0\x80\xaf\""),
    ("four-byte overlong", b"\"\xf0\x80\x80\xaf\""),
    ("surrogate", b"\"\xed\xa0\x80\""),
    ("above U+10FFFF", b"\"\xf4\x90\x80\x80\""),
    ("byte F5", b"\"\xf5\x80\x80\x80\""),
    ("byte FF", b"\"\xff\""),
    ("two-byte cut", b"\"\xc3\""),
    ("three-byte cut", b"\"\xe2\x82\""),
    ("four-byte cut", b"\"\xf0\x9f\x98\""),
    ("three-byte cut by ASCII", b"\"\xe2\x82a\""),
    (
        "bad byte after 40 bytes",
        b"\"0123456789012345678901234567890123456789\xfe\"",
    ),
    ("bad byte in name", b"{\"\xff\":1}"),
    ("bad byte outside string", b"\xff"),
];

/// Where a bad value can stand; `@` is where it goes.
const PLACES: &[(&str, &str)] = &[
    (
        "params",
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[0,@,{"k":1}],"z":""}}"#,
    ),
    (
        "result before the id",
        r#"{"result":{"content":[{"type":"text","text":"t"}],"x":{"y":@}},"jsonrpc":"2.0","id":1}"#,
    ),
    (
        "unknown member",
        r#"{"jsonrpc":"2.0","extra":@,"id":1,"method":"m"}"#,
    ),
    ("id", r#"{"jsonrpc":"2.0","id":@,"method":"m"}"#),
    ("method", r#"{"jsonrpc":"2.0","id":1,"method":@}"#),
];

/// Whole lines that are no message.
const LINES: &[(&str, &[u8])] = &[
    // The text's end.
    ("byte after the text", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}x"),
    ("brace after the text", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}}"),
    ("comma after the text", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"},"),
    ("NUL after the text", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\0"),
    ("bad byte after the text", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\xff"),
    ("second text", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"} {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"m\"}"),
    ("cut in the last brace", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\""),
    ("cut in a string", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m"),
    ("cut after a colon", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"),
    ("cut after an escape", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\\"),
    ("cut in params", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":[1,2"),
    // Between members.
    ("comma last", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",}"),
    ("comma first", b"{,\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}"),
    ("no comma", b"{\"jsonrpc\":\"2.0\" \"id\":1,\"method\":\"m\"}"),
    ("no colon", b"{\"jsonrpc\" \"2.0\",\"id\":1,\"method\":\"m\"}"),
    ("form feed between members", b"{\"jsonrpc\":\"2.0\",\x0c\"id\":1,\"method\":\"m\"}"),
    ("bad byte in an unknown name", b"{\"jsonrpc\":\"2.0\",\"\xff\":0,\"id\":1,\"method\":\"m\"}"),
    ("bad escape in an unknown name", b"{\"jsonrpc\":\"2.0\",\"\\q\":0,\"id\":1,\"method\":\"m\"}"),
    ("raw control in an unknown name", b"{\"jsonrpc\":\"2.0\",\"\x02\":0,\"id\":1,\"method\":\"m\"}"),
    // No object.
    ("number", b"5"),
    ("null", b"null"),
    ("string", b"\"s\""),
    ("plain text", b"Server listening on port 3000"),
    // The envelope.
    ("id twice", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"m\"}"),
    ("id twice, once escaped", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"\\u0069d\":2,\"method\":\"m\"}"),
    ("method twice", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"method\":\"n\"}"),
    ("params twice", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{},\"params\":{}}"),
    ("result twice", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"result\":{}}"),
    ("jsonrpc missing", b"{\"id\":1,\"method\":\"m\"}"),
    ("jsonrpc 1.0", b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"m\"}"),
    ("jsonrpc a number", b"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"m\"}"),
    ("id null", b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}"),
    ("id 1.5", b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}"),
    ("id true", b"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"m\"}"),
    ("id an object", b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}"),
    ("id an array", b"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"m\"}"),
    ("method a number", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}"),
    ("method null", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}"),
    ("params an array", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[1]}"),
    ("params a string", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":\"p\"}"),
    ("result an array", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}"),
    ("result without id", b"{\"jsonrpc\":\"2.0\",\"result\":{}}"),
    ("error a string", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"e\"}"),
    ("result and error", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{\"code\":1,\"message\":\"e\"}}"),
    ("method and result", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"result\":{}}"),
    ("no kind", b"{\"jsonrpc\":\"2.0\",\"id\":1}"),
];

/// Lines that are messages.
const GOOD: &[(&str, &[u8])] = &[
    ("good request", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
    ("good id 0", b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}"),
    ("good text id", b"{\"jsonrpc\":\"2.0\",\"id\":\"a-1\",\"method\":\"ping\"}"),
    ("good escaped member name", b"{\"jsonrpc\":\"2.0\",\"\\u0069d\":1,\"m\\u0065thod\":\"ping\"}"),
    ("good escaped method", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools\\/list\"}"),
    ("good white space", b" { \"jsonrpc\" : \"2.0\" ,\t\"id\" : 1 , \"method\" : \"ping\" } "),
    ("good notification", b"{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}"),
    ("good null params", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}"),
    ("good result", b"{\"result\":{},\"jsonrpc\":\"2.0\",\"id\":1}"),
    ("good error", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"m\"}}"),
    ("good error with null id", b"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"m\"}}"),
    ("good unknown member", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"extra\":[1,-0.5e-7,{\"a\":null}]}"),
    ("good raw separators", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\u{2028}\u{85}\u{1F600}\"}}".as_bytes()),
    ("good escapes", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\ude00\"}}"),
];

/// Every vector that stands here.
pub fn all() -> Vec<Vector> {
    let mut all = Vec::new();
    for (place, frame) in PLACES {
        let (before, after) = frame.split_once('@').expect("a place for the value");
        for (name, value) in VALUES {
            let line = [before.as_bytes(), value, after.as_bytes()].concat();
            all.push(Vector {
                name: format!("{name} ({place})"),
                line,
                good: false,
            });
        }
    }
    let fixed = LINES
        .iter()
        .map(|v| (v, false))
        .chain(GOOD.iter().map(|v| (v, true)));
    all.extend(fixed.map(|((name, line), good)| Vector {
        name: (*name).to_owned(),
        line: line.to_vec(),
        good,
    }));
    all
}
