//! Link arguments of a Node addon.

fn main() {
    let wasm = std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    if !wasm {
        napi_build::setup();
    }
}
