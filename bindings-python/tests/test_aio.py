"""Processes, standard input and output, sockets, and what goes wrong with them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import wireline
from wireline.aio import (
    ConnectionClosed,
    RequestError,
    connect_process,
    connect_tcp,
    connect_unix,
    serve_tcp,
    serve_unix,
)
from wireline.server import Server

SERVER = """
import asyncio, ctypes, os, subprocess, sys, time, warnings
from wireline.server import Server, Context
server = Server("test", "1")

@server.tool
def echo(text: str) -> str:
    return text

@server.tool
def loud() -> str:
    print("printed")
    sys.stdout.write("written\\n")
    os.write(1, b"by descriptor\\n")
    subprocess.run([sys.executable, "-c", "print('by a child')"])
    libc = ctypes.CDLL(None)
    libc.puts(b"by C")
    libc.fflush(None)
    return repr(sys.stdin.read())

@server.tool
async def hang() -> None:
    await asyncio.Event().wait()

@server.tool
def big(size: int) -> str:
    return "x" * size

@server.tool
def noise(size: int) -> None:
    os.write(2, b"e" * size)

server.run()
"""


def script(tmp_path: Path, text: str, name: str = "server.py") -> str:
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def run(main: Any) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(30):
            return await main

    return asyncio.run(limited())


def said(result: Any) -> str:
    return str(result["content"][0]["text"])


def test_a_process(tmp_path: Path) -> None:
    path = script(tmp_path, SERVER)

    async def main() -> None:
        async with connect_process(sys.executable, path) as client:
            assert client.revision == "2026-07-28"
            text = "héllo 😀 \" \\ \n\t \u2028 \u0085"
            assert said(await client.call_tool("echo", {"text": text})) == text
            long = "ø€😀" * 200_000
            assert said(await client.call_tool("echo", {"text": long})) == long
            answers = await asyncio.gather(
                *(client.call_tool("echo", {"text": str(at)}) for at in range(100))
            )
            assert [said(it) for it in answers] == [str(at) for at in range(100)]

    run(main())


def test_nothing_that_is_printed_reaches_the_protocol(tmp_path: Path) -> None:
    path = script(tmp_path, SERVER)
    stderr: list[bytes] = []
    events: list[wireline.Event] = []

    async def main() -> None:
        async with connect_process(
            sys.executable, path, stderr=stderr.append, on_event=events.append
        ) as client:
            # Standard input is the protocol's as well: a tool reads nothing from it.
            assert said(await client.call_tool("loud")) == "''"
            await client.call_tool("loud")

    run(main())
    assert not [event for event in events if isinstance(event, wireline.Ignored)]
    told = b"".join(stderr).decode()
    for words in ("printed", "written", "by descriptor", "by a child", "by C"):
        assert told.count(words + "\n") >= 2, told
    warned = [line for line in told.splitlines() if "StdoutWarning" in line]
    # Each place once, with its function.
    assert len(warned) == 2 and all("server.py:" in line and "loud()" in line for line in warned)


BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def test_what_was_printed_stays_out_of_the_protocol_at_the_end_too(tmp_path: Path) -> None:
    # Printed into a stream of before, and by C, and not flushed.
    path = script(
        tmp_path,
        """
import ctypes, os, sys
from wireline.aio import guarded_stdio
before, libc = sys.stdout, ctypes.CDLL(None)
with guarded_stdio() as (stdin, stdout):
    before.write("late words\\n")
    libc.printf(b"late by C")
    os.write(stdout, os.read(stdin, 100))
""",
    )
    pipe = subprocess.PIPE
    done = subprocess.run([sys.executable, path], input=b"line", capture_output=True, timeout=30, env=BUFFERED)
    assert done.stdout == b"line", done
    assert b"late words" in done.stderr and b"late by C" in done.stderr
    # Without a standard error nothing gets to the protocol either.
    shell = f"exec {sys.executable} {path} 2>&-"
    done = subprocess.run(shell, shell=True, input=b"line", stdout=pipe, timeout=30, env=BUFFERED)
    assert (done.returncode, done.stdout) == (0, b"line")


def test_a_server_that_ends_when_it_is_probed(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
import json, sys
from wireline.server import Server
line = sys.stdin.readline()
if json.loads(line)["method"] != "initialize":
    sys.exit(1)
request = json.loads(line)
result = {"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": {"name": "old", "version": "1"}}
print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
sys.stdin.read()
""",
    )

    async def main() -> None:
        async with connect_process(sys.executable, path) as client:
            assert (client.revision, client.server_info["name"]) == ("2024-11-05", "old")

    run(main())


def test_a_program_that_is_no_server(tmp_path: Path) -> None:
    async def main() -> None:
        with pytest.raises(ConnectionClosed):
            async with connect_process(sys.executable, "-c", "print('hello')"):
                raise AssertionError("it is no server")
        with pytest.raises(FileNotFoundError):
            async with connect_process(str(tmp_path / "none")):
                raise AssertionError("there is no such program")
        with pytest.raises(TimeoutError):
            async with connect_process(
                sys.executable, "-c", "import sys; sys.stdin.read()", probe_timeout=0.05, request_timeout=0.05
            ):
                raise AssertionError("it says nothing")

    run(main())


def test_a_server_that_vanishes(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        SERVER.replace("server.run()", "@server.tool\ndef die() -> None:\n    os._exit(7)\nserver.run()"),
    )

    async def main() -> None:
        async with connect_process(sys.executable, path) as client:
            hanging = asyncio.create_task(client.call_tool("hang"))
            with pytest.raises(ConnectionClosed):
                await client.call_tool("die")
            with pytest.raises(ConnectionClosed):
                await hanging
            for _ in range(2):
                with pytest.raises(ConnectionClosed):
                    await client.list_tools()

    run(main())


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("sys.stdin.read()", 0),
        ("sys.stdin.read(); time.sleep(60)", -signal.SIGTERM),
        ("signal.signal(15, signal.SIG_IGN); print(flush=True); sys.stdin.read(); time.sleep(60)", -9),
    ],
    ids=["at the end of input", "SIGTERM", "SIGKILL"],
)
def test_a_server_is_ended_in_the_order_of_the_specification(program: str, status: int) -> None:
    from wireline.aio._process import start_process

    async def main() -> int | None:
        code = f"import signal, sys, time; {program}"
        async with await start_process([sys.executable, "-c", code], None, None, None, 0.5) as process:
            await asyncio.sleep(0.3)
        return process.process.returncode

    start = time.monotonic()
    assert run(main()) == status
    assert time.monotonic() - start < 10


def test_what_a_server_has_started_ends_with_it(tmp_path: Path) -> None:
    from wireline.aio._process import start_process

    pid = tmp_path / "pid"
    code = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(pid)!r}, "w").write(str(child.pid))
time.sleep(60)
"""

    async def main() -> None:
        async with await start_process([sys.executable, "-c", code], None, None, None, 0.3):
            while not pid.exists() or not pid.read_text():
                await asyncio.sleep(0.02)

    run(main())
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid.read_text()}/stat").read_text().split()[2]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("it still runs")


def test_stderr_is_drained(tmp_path: Path) -> None:
    path = script(tmp_path, SERVER)
    seen = 0

    def hook(data: bytes) -> None:
        nonlocal seen
        seen += len(data)
        raise RuntimeError("a broken hook ends nothing")

    async def main() -> None:
        async with connect_process(sys.executable, path, stderr=hook) as client:
            # More than a pipe holds.
            await client.call_tool("noise", {"size": 1_000_000})
            assert said(await client.call_tool("echo", {"text": "on"})) == "on"

    run(main())
    assert seen == 1_000_000


def raw(path: str, lines: bytes, **options: Any) -> list[Any]:
    done = subprocess.run(
        [sys.executable, path], input=lines, capture_output=True, timeout=30, check=True, **options
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def call(identity: Any, name: str, **arguments: Any) -> bytes:
    params = {"name": name, "arguments": arguments, "_meta": META}
    return wireline.encode_request(identity, "tools/call", params)


def test_input_that_ends_at_once_is_still_answered(tmp_path: Path) -> None:
    path = script(tmp_path, SERVER)
    answers = raw(path, call(1, "echo", text="a") + b"noise\n" + call("x", "echo", text="b"))
    assert {answer["id"] for answer in answers} == {1, "x"}


def test_files_as_input_and_output(tmp_path: Path) -> None:
    path = script(tmp_path, SERVER)
    (tmp_path / "in").write_bytes(call(1, "echo", text="a"))
    with (tmp_path / "in").open("rb") as stdin, (tmp_path / "out").open("wb") as stdout:
        subprocess.run([sys.executable, path], stdin=stdin, stdout=stdout, timeout=30, check=True)
    assert json.loads((tmp_path / "out").read_bytes())["id"] == 1


def test_terminals_and_devices_as_input_and_output(tmp_path: Path) -> None:
    path = script(tmp_path, SERVER)
    null = subprocess.DEVNULL
    subprocess.run([sys.executable, path], stdin=null, stdout=null, timeout=30, check=True)
    ours, theirs = os.openpty()
    server = subprocess.Popen([sys.executable, path], stdin=theirs, stdout=subprocess.PIPE)
    os.close(theirs)
    assert server.stdout is not None
    os.write(ours, call(1, "echo", text="typed") + b"\x04")
    assert json.loads(server.stdout.readline())["result"]["content"][0]["text"] == "typed"
    assert server.wait(10) == 0
    server.stdout.close()
    os.close(ours)


def test_locale_and_environment_change_no_byte(tmp_path: Path) -> None:
    path = script(tmp_path, SERVER)
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    [answer] = raw(path, call(1, "echo", text="ø€😀"), env=environment)
    assert answer["result"]["content"][0]["text"] == "ø€😀"


def test_back_pressure(tmp_path: Path) -> None:
    """A client that asks and does not read does not make the server's memory grow."""
    path = script(tmp_path, SERVER)
    server = subprocess.Popen([sys.executable, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None and server.stdout is not None
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    server.stdin.write(
        b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
        b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
    )
    server.stdin.flush()
    server.stdout.readline()
    os.set_blocking(server.stdin.fileno(), False)
    sent, still = 0, 0
    block = ping * 1500
    while still < 20:
        try:
            sent += os.write(server.stdin.fileno(), block[sent % len(block) :])
            still = 0
        except BlockingIOError:
            still += 1
            time.sleep(0.02)
        assert sent < 64 * 1024 * 1024, "it reads on and on"
    status = Path(f"/proc/{server.pid}/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0])
    os.set_blocking(server.stdin.fileno(), True)
    # Once the answers are read, all is answered.
    wanted = sent // len(ping)
    got = 0
    while got < wanted:
        got += os.read(server.stdout.fileno(), 1 << 20).count(b"\n")
    server.stdin.close()
    server.stdout.close()
    assert server.wait(10) == 0
    assert got == wanted
    assert peak < 80 * 1024, f"{peak} KiB"


def adder() -> Server:
    server = Server("adder")

    @server.tool
    async def add(a: int, b: int) -> int:
        return a + b

    return server


def test_tcp_and_unix_sockets(tmp_path: Path) -> None:
    async def main() -> None:
        server = adder()
        tcp = await serve_tcp(server.session, "127.0.0.1", 0)
        unix = await serve_unix(server.session, str(tmp_path / "socket"))
        port = tcp.sockets[0].getsockname()[1]
        async with connect_tcp("127.0.0.1", port) as one, connect_unix(str(tmp_path / "socket")) as two:
            for client in (one, two):
                result = await client.call_tool("add", {"a": 1, "b": 2})
                assert result["structuredContent"] == {"result": 3}
        tcp.close()
        unix.close()

    run(main())


def test_a_client_that_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    # Over TCP a client that is gone looks like one that has only nothing more to say.
    monkeypatch.setattr("wireline.aio._serve.GRACE", 0.2)

    async def main() -> None:
        stopped = asyncio.Event()
        server = Server("s")

        @server.tool
        async def hang() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                stopped.set()

        tcp = await serve_tcp(server.session, "127.0.0.1", 0)
        port = tcp.sockets[0].getsockname()[1]
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(call(1, "hang"))
        await writer.drain()
        await asyncio.sleep(0.1)
        writer.transport.abort()
        await stopped.wait()
        # The next one is served.
        async with connect_tcp("127.0.0.1", port) as client:
            assert len(await client.list_tools()) == 1
        tcp.close()

    run(main())


def test_a_client_process_that_vanishes(tmp_path: Path) -> None:
    path = script(tmp_path, SERVER)
    server = subprocess.Popen([sys.executable, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(call(1, "hang"))
    server.stdin.flush()
    time.sleep(0.3)
    server.stdout.close()
    server.stdin.close()
    start = time.monotonic()
    assert server.wait(10) == 0
    assert time.monotonic() - start < 2


def test_a_server_that_lies() -> None:
    """Answers that are none, unknown ids, noise, an endless list."""

    async def lie(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            request = json.loads(line)
            identity, method = request.get("id"), request["method"]
            if method == "server/discover":
                result: Any = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}, "prompts": {}},
                               "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}  # fmt: skip
                writer.write(wireline.encode_result(identity, result))
            elif method == "tools/list":
                page = {"tools": [], "nextCursor": "again", "resultType": "complete"}
                writer.write(b"\x00\xff noise\n" + wireline.encode_result(999, {}))
                writer.write(wireline.encode_result(identity, page))
            elif method == "prompts/list":
                writer.write(b'{"jsonrpc":"2.0","id":%d,"result":{},"error":{}}\n' % identity)
            else:
                writer.write(wireline.encode_error(identity, -32000, "no", {"x": 1}))
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(lie, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        broken: list[str] = []
        async with connect_tcp("127.0.0.1", port, on_event=lambda event: broken.extend(event.broken)) as client:
            with pytest.raises(wireline.RemoteProtocolError) as caught:
                await client.list_tools()
            assert caught.value.kind == "endless-list"
            with pytest.raises(wireline.RemoteProtocolError) as caught:
                await client.list_prompts()
            assert caught.value.kind == "bad-response" and caught.value.rules
            assert caught.value.fault is not None
            with pytest.raises(RequestError) as refused:
                await client.call_tool("x")
            assert (refused.value.code, refused.value.data) == (-32000, {"x": 1})
        assert "R18" in broken
        server.close()

    run(main())
