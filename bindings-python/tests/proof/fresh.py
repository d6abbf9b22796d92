"""In a fresh environment with nothing but the wheel: it imports, how quickly is told, and does its work."""

import subprocess
import sys
import time

STARTS = 15


def started(code: str) -> float:
    """Milliseconds that an interpreter takes with this program, when nothing is in its way."""
    times = []
    for _ in range(STARTS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-c", code], check=True)
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


import wireline  # noqa: E402
from wireline.server import Server  # noqa: E402

took = started("import wireline") - started("pass")
# What makes an import slow is what it imports in turn: nothing of the standard library but `__future__`.
code = "import sys; before = set(sys.modules); import wireline; print(*sys.modules.keys() - before)"
loaded = subprocess.run([sys.executable, "-I", "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
assert all(name.split(".")[0] in ("wireline", "__future__") for name in loaded), loaded
message = wireline.parse(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
assert message.id == 1
assert wireline.encode_result(message.id, {}) == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'

server = Server("fresh")


@server.tool
def add(a: int, b: int) -> int:
    return a + b


assert server.tools[0]["inputSchema"]["required"] == ["a", "b"]
assert not {"pydantic", "msgspec", "anyio"} & set(sys.modules)
version = ".".join(map(str, sys.version_info[:3]))
print(f"Python {version}: works; import wireline takes {took:.1f} ms")
