"""The official SDK on our transports: what it is given is what its own parser makes of the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
import vectors
import wireline
from mcp import ClientSession
from mcp.types import JSONRPCMessage
from wireline.mcp import LineError, StdioServerParameters, stdio_client
from wireline.mcp._messages import received

SERVER = """
import anyio
from mcp.server.fastmcp import FastMCP
from wireline.mcp import stdio_server

server = FastMCP("on-wireline", log_level="ERROR")

@server.tool()
def echo(text: str) -> str:
    print("a print that must not reach the protocol")
    return text

async def main() -> None:
    async with stdio_server() as (read, write):
        inner = server._mcp_server
        await inner.run(read, write, inner.create_initialization_options())

anyio.run(main)
"""


def test_messages_are_those_of_the_sdks_parser() -> None:
    same = 0
    for vector in vectors.every():
        if vector.settings.get("profile") == "json-rpc" or len(vector.data) > 65536:
            continue
        for item in wireline.Decoder().feed(vector.data):
            if not isinstance(item, wireline.Message):
                assert isinstance(received(item), LineError)
                continue
            try:
                expected = JSONRPCMessage.model_validate_json(item.raw)
            except ValueError:
                # Ids such as 1.0, and members that are unknown to it: docs/python.md names them.
                continue
            ours: Any = received(item)
            if isinstance(ours, Exception):
                # A number of more digits than Python makes an integer of.
                assert isinstance(ours, ValueError)
                continue
            if type(ours.message.root) is not type(expected.root) or expected.root.model_extra:
                continue
            assert ours.message.root.model_dump(exclude={"params", "result", "error"}) == (
                expected.root.model_dump(exclude={"params", "result", "error"})
            )
            assert ours.message.model_dump_json(by_alias=True) is not None
            same += 1
    assert same > 150


def test_a_session_of_the_sdk_on_both_transports(tmp_path: Path) -> None:
    path = tmp_path / "server.py"
    path.write_text(SERVER)
    errors = tmp_path / "stderr"

    async def main() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=[str(path)])
        with anyio.fail_after(30), errors.open("w") as log:
            async with (
                stdio_client(parameters, errlog=log) as (read, write),
                ClientSession(read, write) as session,
            ):
                await session.initialize()
                text = "héllo 😀 \u2028 \u0085"
                result = await session.call_tool("echo", {"text": text})
                [content] = result.content
                assert content.type == "text" and content.text == text
                long = "ø€😀" * 100_000
                result = await session.call_tool("echo", {"text": long})
                assert result.content[0].text == long  # type: ignore[union-attr]

    anyio.run(main)
    # The warning that names the caller is taken by this line of the SDK, which writes it to its log.
    assert "a print that must not reach the protocol" in errors.read_text()


def test_an_id_of_more_digits_than_python_takes_harms_no_other() -> None:
    line = b'{"jsonrpc":"2.0","id":1' + b"0" * 5000 + b',"method":5}\n'
    short = b'{"jsonrpc":"2.0","id":1e5000,"method":5}\n'
    for bad in (line, short):
        [fault] = wireline.Decoder(max_id=6000).feed(bad)
        made = received(fault)
        assert isinstance(made, LineError) and made.id is None
    with pytest.raises(wireline.RemoteProtocolError) as caught:
        wireline.parse(short.strip())
    assert caught.value.kind == "bad-method" and caught.value.id is None


def test_what_was_printed_stays_out_of_the_protocol_at_the_end_too(tmp_path: Path) -> None:
    path = tmp_path / "server.py"
    # What is printed is not flushed, by Python and by C.
    path.write_text(SERVER.replace('    print("a print', '    LIBC.printf(b"by C ")\n    print("a print').replace(
        "import anyio\n", "import anyio, ctypes\nLIBC = ctypes.CDLL(None)\n", 1))
    opening = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        b'"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n'
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"t"}}}\n'
    )
    pipe = subprocess.PIPE
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen([sys.executable, str(path)], stdin=pipe, stdout=pipe, stderr=pipe, env=buffered) as server:
        assert server.stdin is not None and server.stdout is not None and server.stderr is not None
        server.stdin.write(opening)
        server.stdin.flush()
        lines = [server.stdout.readline(), server.stdout.readline()]
        server.stdin.close()
        lines += server.stdout.readlines()
        told = server.stderr.read()
        assert server.wait(30) == 0
    assert [json.loads(it)["id"] for it in lines] == [1, 2]
    assert b"by C " in told and b"a print that must not reach" in told


@pytest.mark.parametrize("backend", ["asyncio"])
def test_a_bad_line_harms_no_other(backend: str, tmp_path: Path) -> None:
    lines = b"\xff\xfe not utf-8\n" + b"x" * 5000 + b'\n\n{"jsonrpc":"2.0","method":"n"}\n'
    code = f"import sys; sys.stdout.buffer.write({lines!r}); sys.stdout.flush(); sys.stdin.read()"

    async def main() -> list[Any]:
        parameters = StdioServerParameters(command=sys.executable, args=["-c", code])
        with anyio.fail_after(20):
            async with stdio_client(parameters, max_message=4096) as (read, _):
                return [await read.receive() for _ in range(3)]

    first, second, third = anyio.run(main, backend=backend)
    assert isinstance(first, LineError) and isinstance(first, ValueError) and first.kind == "not-json"
    assert isinstance(second, LineError) and second.offset == 0
    assert third.message.root.method == "n"
