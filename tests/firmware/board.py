"""The boards that the demo images run on, under emulation."""

import json
import os
import pathlib
import random
import select
import socket
import struct
import subprocess
import tempfile
import time

PAINT = struct.pack("<I", 0xA5C3_5A3C)

# By target: the emulator and its machine, and what the chip's register says of it.
BOARDS = {
    "thumbv6m-none-eabi": ("qemu-system-arm", "microbit", "410cc200"),
    "thumbv7em-none-eabihf": ("qemu-system-arm", "mps2-an386", "410fc240"),
    "riscv32imac-unknown-none-elf": ("qemu-system-riscv32", "sifive_e", "40101105"),
}

# How long an answer may take.
PATIENCE = 10


class Failed(Exception):
    pass


def command(target: str, image: str) -> list[str]:
    """What a host's configuration has as the server's command."""
    emulator, machine, _ = BOARDS[target]
    return [emulator, "-M", machine, "-display", "none", "-monitor", "none", "-serial", "stdio", "-kernel", image]


def symbols(image: str) -> dict[str, int]:
    table = subprocess.run(["readelf", "-sW", image], check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in table.splitlines())
    return {row[7]: int(row[1], 16) for row in rows if len(row) == 8 and row[0].rstrip(":").isdigit()}


class Board:
    """A board that runs an image."""

    def __init__(self, target: str, image: str, log: str | None = None) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="wireline-board-")
        self.image = image
        monitor = pathlib.Path(self.folder.name, "monitor")
        more = ["-qmp", f"unix:{monitor},server=on,wait=off"]
        if log:
            # The second UART.
            more += ["-serial", f"file:{log}"]
        self.process = subprocess.Popen(
            [*command(target, image), *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.pending = b""
        self.asked = time.monotonic()
        self.monitor = str(monitor)

    def send(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self, seconds: float = PATIENCE) -> str | None:
        """The next line, or None if none comes in time."""
        until = time.monotonic() + seconds
        while b"\n" not in self.pending:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise Failed(f"the emulator ended: {self.process.stderr.read().decode(errors='replace')[-500:]}")
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode()

    def stack(self) -> int:
        """How deep the stack went: its paint is looked for from below."""
        places = symbols(self.image)
        bottom, top = places["stack_limit"], places["stack_top"]
        dump = pathlib.Path(self.folder.name, "stack")
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(self.monitor)
            with monitor.makefile("rw") as lines:
                lines.readline()
                arguments = {"val": bottom, "size": top - bottom, "filename": str(dump)}
                for request in ({"execute": "qmp_capabilities"}, {"execute": "memsave", "arguments": arguments}):
                    lines.write(json.dumps(request) + "\n")
                    lines.flush()
                    answer = json.loads(lines.readline())
                    if "return" not in answer:
                        raise Failed(f"the emulator's monitor: {answer}")
        words = dump.read_bytes()
        free = 0
        while words[free : free + 4] == PAINT:
            free += 4
        if free == 0 or free == len(words):
            raise Failed("the stack is not painted, or there is no room left in it")
        return len(words) - free

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()


def noise(count: int, seed: int, lines: bool = False) -> bytes:
    """Bytes of every kind, LF only with `lines`."""
    source = random.Random(seed)
    if lines:
        # One in 16, so that many lines begin, some of them like JSON.
        return bytes(source.choice(b"\n{[\"" + source.randbytes(60)) for _ in range(count))
    return bytes(source.choice([*range(10), *range(11, 256)]) for _ in range(count))
