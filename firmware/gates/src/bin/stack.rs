//! How deep the stack goes: each decoder is fed the same lines, every kind of good and bad among them, in paint.
//!
//! Prints lines of `stack NAME BYTES` and `state NAME BYTES`.
#![no_std]
#![no_main]

use gates::{device, stack, streamed};

/// Lines as they come. `A` stands for 600 letters, `B` for 150 opening brackets, to pass every ceiling.
const LINES: &[u8] = b"\xef\xbb\xbf\r\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\
{\"method\":\"t\\u006fols\\/call\",\"params\":{\"_meta\":{\"progressToken\":\"a\\u0062\",\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"x\":[1,{\"y\":[]}]},\"io.modelcontextprotocol/logLevel\":\"info\"},\"name\":\"\xf0\x9f\x98\x80\\ud83d\\ude00\",\"text\":\"a\\\"b\"},\"jsonrpc\":\"2.0\",\"id\":\"last\"}\n\
{\"jsonrpc\":\"2.0\",\"id\":1.0e1,\"method\":\"echo\",\"params\":{\"text\":[[[[[[[[[[[[[[[[[[[[[[-0.5e-10]]]]]]]]]]]]]]]]]]]]]]}}\n\
{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":123456789012345678901234567890}}\n\
{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":5,\"progress\":0.25,\"total\":1}}\n\
{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}\n\
{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":-32601,\"message\":\"n\\u00f6\",\"data\":{\"supported\":[\"a\"]}}}\n\
{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"?\"},\"id\":null}\n\
\x02{\"jsonrpc\":\"2.0\",\r\n\"id\":9,\"method\":\"echo\",\"params\":{\"text\":{}}}\x03\n\
{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"a\":\"A\"},\"id\":\"late\"}\n\
{\"jsonrpc\":\"2.0\",\"result\":{\"a\":[A]},\"id\":3}\n\
{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"a\":B},\"id\":3}\n\
{\"jsonrpc\":\"2.0\",\"method\":\"A\",\"id\":3}\n\
{\"jsonrpc\":\"2.0\",\"id\":\"A\",\"method\":\"x\"}\n\
boot ok \x1b[0m\n\
A\n\
\n\
[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},1]\n\
[]\n\
5\n\
{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}\n\
{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"x\"}\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7,\"params\":[1]}\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"\\ud800\":1}\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\x28\"}\n\
{\"jsonrpc\":\"2.0\",\"id\":01,\"method\":\"x\"}\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"} {}\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"meth";

/// The lines, what stands for something longer written out.
fn input() -> impl FnMut() -> Option<u8> {
    let mut rest = LINES.iter();
    let mut again = (0u16, 0u8);
    move || {
        if let (left @ 1.., byte) = again {
            again = (left - 1, byte);
            return Some(byte);
        }
        match *rest.next()? {
            b'A' => again = (599, b'a'),
            b'B' => again = (149, b'['),
            byte => return Some(byte),
        }
        Some(again.1)
    }
}

/// What is written is looked at, so that writing it is not left out.
fn output(line: &[u8]) {
    core::hint::black_box(line);
}

fn lines() {
    let [buffer, out] = gates::memory();
    device::serve_fully(device::decoder(buffer), out, &mut input(), &mut output);
}

fn streams() {
    let [buffer, out] = gates::memory();
    streamed::serve(buffer, out, &mut input(), &mut output);
}

fn report(what: &[u8], bytes: usize) {
    gates::write(what);
    gates::write_number(bytes);
    gates::write(b"\n");
}

#[unsafe(no_mangle)]
fn image() {
    report(b"state line ", device::STATE);
    report(b"state stream ", streamed::STATE);
    report(b"stack line ", stack::depth(lines));
    report(b"stack stream ", stack::depth(streams));
}
