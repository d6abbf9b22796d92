//! Picks the linker script for the target.

fn main() {
    println!("cargo::rerun-if-changed=link");
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let script = match arch.as_str() {
        "arm" => "cortex-m.x",
        "riscv32" => "riscv.x",
        other => panic!("these images are for bare-metal arm and riscv32, not {other}"),
    };
    let dir = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-link-arg-bins=-T{dir}/link/{script}");
}
