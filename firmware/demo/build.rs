//! Picks the board's memory map for the target.

fn main() {
    println!("cargo::rerun-if-changed=link");
    let target = std::env::var("TARGET").unwrap_or_default();
    let board = match target.as_str() {
        "thumbv6m-none-eabi" => "microbit",
        "thumbv7em-none-eabi" | "thumbv7em-none-eabihf" => "mps2",
        "riscv32imac-unknown-none-elf" => "hifive1",
        other => panic!("there is no board for {other}: docs/firmware.md says how to add one"),
    };
    let dir = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-check-cfg=cfg(board, values(\"microbit\", \"mps2\", \"hifive1\"))");
    println!("cargo::rustc-cfg=board=\"{board}\"");
    println!("cargo::rustc-link-arg-bins=-L{dir}/link");
    println!("cargo::rustc-link-arg-bins=-T{board}.x");
    println!("cargo::rustc-link-arg-bins=-Tsections.x");
    if std::env::var_os("CARGO_FEATURE_LOG").is_some() {
        // The format strings, which stay on the host.
        println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
    }
}
