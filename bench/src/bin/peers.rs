//! The peers as a worker.

use std::process::ExitCode;
use wireline_bench::peers;
use wireline_bench::worker::{self, Method};

fn main() -> ExitCode {
    let method = |name, run| Method {
        name,
        run,
        stream: None,
    };
    let mut methods = vec![
        method("memchr", peers::parts::memchr),
        method("simdutf8", peers::parts::simdutf8),
    ];
    #[cfg(feature = "peer-serde")]
    methods.extend([
        method("serde_json", peers::serde_json::std_utf8),
        method("simdutf8+serde_json", peers::serde_json::simd_utf8),
    ]);
    #[cfg(feature = "peer-sonic")]
    methods.extend([
        method("sonic-rs:iter", peers::sonic_rs::object_iter),
        method("sonic-rs:typed", peers::sonic_rs::typed),
        method("sonic-rs:typed+digits", peers::sonic_rs::typed_and_digits),
    ]);
    #[cfg(feature = "peer-simd")]
    methods.push(method("simd-json", peers::simd_json::tape));
    #[cfg(feature = "peer-jiter")]
    methods.push(method("jiter", peers::jiter::skip));
    #[cfg(feature = "peer-rmcp")]
    methods.push(method("rmcp", peers::rmcp::codec));
    worker::main(&methods)
}
