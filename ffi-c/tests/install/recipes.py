"""recipes.py FOLDER: runs the recipes for ESP-IDF, Zephyr and PlatformIO in FOLDER with stand-ins for what these build
systems provide, and looks at what each would link."""

import json
import os
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1]).resolve()
TARGET = "riscv32imac-unknown-none-elf"


def cmake(recipe, settings, head):
    script = folder / f"{recipe}.cmake"
    script.write_text(head + f'include("{folder / recipe / "CMakeLists.txt"}")\n')
    run = subprocess.run(["cmake", *(f"-D{it}" for it in settings), "-P", script], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


IDF = """
function(idf_component_register)
  message("REGISTER ${ARGN}")
endfunction()
function(target_link_libraries)
  message("LINK ${ARGN}")
endfunction()
set(COMPONENT_LIB component)
"""
ZEPHYR = """
function(zephyr_include_directories)
  message("INCLUDE ${ARGN}")
endfunction()
function(zephyr_library_import)
  message("LINK ${ARGN}")
endfunction()
"""

code, said = cmake("esp-idf", ["IDF_TARGET=esp32c6"], IDF)
assert code == 0 and f"esp-idf/lib/{TARGET}/libwireline.a" in said and "REGISTER INCLUDE_DIRS;include" in said, said
code, said = cmake("esp-idf", ["IDF_TARGET=esp32c3"], IDF)
assert code != 0 and "install-esp-idf" in said and "TARGET=riscv32imc-unknown-none-elf" in said.replace("\n", ""), said
code, said = cmake("esp-idf", ["IDF_TARGET=esp32s3"], IDF)
assert code != 0 and "esp32s3" in said, said

riscv = ["CONFIG_WIRELINE=y", "CONFIG_RISCV=y", "CONFIG_RISCV_ISA_EXT_A=y"]
code, said = cmake("zephyr", riscv, ZEPHYR)
assert code == 0 and f"zephyr/lib/{TARGET}/libwireline.a" in said, said
code, said = cmake("zephyr", [*riscv, "CONFIG_FLOAT_HARD=y"], ZEPHYR)
assert code != 0 and "LINK" not in said and "CONFIG_FLOAT_HARD is not supported on RISC-V" in " ".join(said.split()), said
code, said = cmake("zephyr", [], ZEPHYR)
assert code == 0 and "LINK" not in said, said
arm = ["CONFIG_WIRELINE=y", "CONFIG_CPU_CORTEX_M4=y", "CONFIG_FP_HARDABI=y"]
code, said = cmake("zephyr", arm, ZEPHYR)
assert code != 0 and "thumbv7em-none-eabihf" in said, said
code, said = cmake("zephyr", ["CONFIG_WIRELINE=y"], ZEPHYR)
assert code != 0 and "no Rust target" in said, said


class Environment(dict):
    def __init__(self, board, flags=()):
        super().__init__(CCFLAGS=list(flags), LIBPATH=[], LIBS=[])
        self.board = board

    def BoardConfig(self):
        return self.board

    def Append(self, **more):
        for name, values in more.items():
            self[name] += values


def platformio(board, flags=()):
    whole = Environment(board, flags)
    place = folder / "platformio"
    source = (place / "wireline.py").read_text()
    names = {"Import": lambda *_: None, "DefaultEnvironment": lambda: whole, "env": whole}
    before = os.getcwd()
    os.chdir(place)
    try:
        exec(compile(source, "wireline.py", "exec"), names)
    finally:
        os.chdir(before)
    return whole


linked = platformio({"build.mcu": "esp32c6", "build.cpu": ""})
assert linked["LIBS"] == ["wireline"] and linked["LIBPATH"][0].endswith(TARGET), linked
for board, flags, word in (
    ({"build.cpu": "cortex-m4"}, ["-mfloat-abi=hard"], "thumbv7em-none-eabihf"),
    ({"build.cpu": "xtensa"}, [], "no Rust target"),
):
    try:
        platformio(board, flags)
    except SystemExit as end:
        assert word in str(end), end
    else:
        raise AssertionError(board)
assert json.loads((folder / "platformio" / "library.json").read_text())["version"].count(".") == 2
