//! Pseudo-random numbers, and lines that mean nothing.

use wireline::mcp::Side;

/// Splitmix: every seed gives another sequence.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

/// More than the ceiling of these decoders.
const TOO_LONG: usize = 5_000;

/// A line of noise for a side, LF included. Requests in `working` are being worked on there:
/// their ids are taken.
pub fn line(random: &mut Random, to: Side, working: &[(i64, bool)]) -> Vec<u8> {
    let fixed: &[&[u8]] = &[
        b"Listening on 127.0.0.1:8080",
        b"\x1b[32mready\x1b[0m",
        b"",
        b"\r",
        b"   \t ",
        b"null",
        b"42",
        b"\xef\xbb\xbf",
        b"\xff\xfe\x00",
        br#"{"jsonrpc":"2.0","id":1,"resu"#,
        br#"{"jsonrpc":"2.0","id":0,"result":{"a":"#,
        b"{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"a\":\"\xff\"}}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\xe2\x82\"}}",
        br#"{"jsonrpc":"2.0","id":0,"result":{}}{"jsonrpc":"2.0","id":1,"result":{}}"#,
        br#"{"jsonrpc":"2.0","id":"0","result":{}}"#,
        br#"{"jsonrpc":"2.0","id":"1","error":{"code":1,"message":"no"}}"#,
        br#"{"jsonrpc":"2.0","id":4000000,"result":{"resultType":"input_required","requestState":"s"}}"#,
        br#"{"jsonrpc":"2.0","id":-1,"error":{"code":-32601,"message":"no"}}"#,
        br#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
        br#"{"jsonrpc":"1.0","id":0,"result":{}}"#,
        br#"{"id":1,"result":{}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"0"}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4000000}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"0","progress":1}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
        br#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}"#,
        br#"{"jsonrpc":"2.0","method":7}"#,
    ];
    let filler = |from: &str, length: usize, to: &str| {
        let mut line = from.as_bytes().to_vec();
        line.extend(std::iter::repeat_n(b'x', length));
        line.extend_from_slice(to.as_bytes());
        line
    };
    let mut line = match random.below(40) {
        0 => filler("", 64 << 10, ""),
        1 => filler(
            r#"{"jsonrpc":"2.0","id":"n","result":{"t":""#,
            TOO_LONG,
            "\"}}",
        ),
        2 => filler(
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"t":""#,
            TOO_LONG,
            "\"}}",
        ),
        // A request that is too long is answered; nobody has asked for that answer.
        3 => filler(
            r#"{"jsonrpc":"2.0","id":"n","method":"tools/call","params":{"t":""#,
            TOO_LONG,
            "\"}}",
        ),
        4 if to == Side::Client => b"[]".to_vec(),
        5 if to == Side::Client => br#"[{"jsonrpc":"2.0","id":0,"result":{}}]"#.to_vec(),
        6..=15 if !working.is_empty() => {
            let (id, modern) = working[random.below(working.len())];
            let meta = match modern {
                true => {
                    r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
                }
                false => "",
            };
            let (method, params) = match to {
                Side::Server => ("tools/call", r#""name":"again""#),
                Side::Client => ("roots/list", r#""x":1"#),
            };
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{meta}}}}}"#
            )
            .into_bytes()
        }
        _ => fixed[random.below(fixed.len())].to_vec(),
    };
    line.extend_from_slice(if random.one_in(4) { b"\r\n" } else { b"\n" });
    line
}
