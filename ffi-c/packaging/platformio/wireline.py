"""Links libwireline.a for the board's core. `make install-platformio` lays the folder out."""

import os

Import("env")  # noqa: F821, PlatformIO's

TARGETS = {
    "cortex-m0": "thumbv6m-none-eabi",
    "cortex-m0plus": "thumbv6m-none-eabi",
    "cortex-m1": "thumbv6m-none-eabi",
    "cortex-m3": "thumbv7m-none-eabi",
    "cortex-m4": "thumbv7em-none-eabi",
    "cortex-m7": "thumbv7em-none-eabi",
    "cortex-m23": "thumbv8m.base-none-eabi",
    "cortex-m33": "thumbv8m.main-none-eabi",
    "cortex-m55": "thumbv8m.main-none-eabi",
    "cortex-m85": "thumbv8m.main-none-eabi",
    "esp32c2": "riscv32imc-unknown-none-elf",
    "esp32c3": "riscv32imc-unknown-none-elf",
    "esp32c5": "riscv32imac-unknown-none-elf",
    "esp32c6": "riscv32imac-unknown-none-elf",
    "esp32c61": "riscv32imac-unknown-none-elf",
    "esp32h2": "riscv32imac-unknown-none-elf",
    "esp32h4": "riscv32imafc-unknown-none-elf",
    "esp32p4": "riscv32imafc-unknown-none-elf",
}

whole = DefaultEnvironment()  # noqa: F821, PlatformIO's
board = whole.BoardConfig()
core = board.get("build.cpu", "") or board.get("build.mcu", "")
target = TARGETS.get(core) or TARGETS.get(board.get("build.mcu", ""))
if target is None:
    raise SystemExit(f"wireline: no Rust target is known for {core!r}; see docs/c-chips.md")
# The floating-point ABI is one for the whole image.
if "-mfloat-abi=hard" in " ".join(str(flag) for flag in whole.get("CCFLAGS", [])):
    target += "hf"

# SCons runs this file in the library's folder.
folder = os.path.join(os.getcwd(), "lib", target)
if not os.path.exists(os.path.join(folder, "libwireline.a")):
    raise SystemExit(
        f"wireline: {folder}/libwireline.a is not there: make -C ffi-c install-platformio DIR={os.getcwd()} TARGET={target}"
    )
whole.Append(LIBPATH=[folder], LIBS=["wireline"])
