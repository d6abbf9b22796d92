"""Whatever a tool prints, and however, nothing of it gets between the messages, and none of it is lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import wireline
from sessions import in_time, said
from wireline.aio import connect_process

SERVER = """
import _thread, asyncio, contextlib, ctypes, io, logging, multiprocessing, os, subprocess, sys, threading
from sys import stdout
from wireline.server import Server

server = Server("prints")
libc = ctypes.CDLL(None)
log = logging.getLogger("program")
log.addHandler(logging.StreamHandler(stdout))



def child():
    print("said by a process of multiprocessing", flush=True)


def forked():
    if (pid := os.fork()) == 0:
        print("said by a fork")
        os._exit(0)
    os.waitpid(pid, 0)


def bare_thread():
    _thread.start_new_thread(print, ("said by a bare thread",))


def process():
    one = multiprocessing.get_context("spawn").Process(target=child)
    one.start()
    one.join()


def fdopen():
    with os.fdopen(1, "w", closefd=False) as file:
        file.write("said by fdopen\\n")


def duplicate():
    copy = os.dup(1)
    os.write(copy, b"said by a copy of the descriptor\\n")
    os.close(copy)


def device():
    with open("/dev/stdout", "w") as file:
        file.write("said by /dev/stdout\\n")


class Dies:
    def __del__(self):
        print("said by a finaliser")


WAYS = {
    "print": lambda: print("said by print"),
    "no_newline": lambda: print("said without a newline ", end=""),
    "surrogate": lambda: print("said with a surrogate \\ud800"),
    "saved": lambda: stdout.write("said by what was saved before\\n"),
    "saved_bytes": lambda: (stdout.buffer.write(b"said in bytes before\\n"), stdout.buffer.flush()),
    "bytes": lambda: (sys.stdout.buffer.write(b"said in bytes\\n"), sys.stdout.buffer.flush()),
    "dunder": lambda: (sys.__stdout__.write("said by __stdout__\\n"), sys.__stdout__.flush()),
    "descriptor": lambda: os.write(1, b"said to the descriptor\\n"),
    "c": lambda: libc.puts(b"said by C"),
    "log": lambda: log.warning("said by a log"),
    "echo": lambda: subprocess.run(["echo", "said by a child"]),
    "thread": lambda: threading.Thread(target=print, args=("said by a thread",)).start(),
    "bare_thread": bare_thread,
    "process": process,
    "fork": forked,
    "fdopen": fdopen,
    "duplicate": duplicate,
    "device": device,
    "finaliser": lambda: Dies() and None,
}


def offer(name, way):
    def tool() -> None:
        way()

    server.tool(name=name)(tool)


for name, way in WAYS.items():
    offer(name, way)


@server.tool
async def in_a_coroutine() -> None:
    print("said by a coroutine")
    asyncio.get_running_loop().call_soon(print, "said by the loop")
    await (await asyncio.create_subprocess_exec("echo", "said by a child of the loop")).wait()


@server.tool
def redirected() -> str:
    with contextlib.redirect_stdout(io.StringIO()) as kept:
        print("kept")
    return kept.getvalue().strip()


@server.tool
def asks() -> str:
    try:
        return input("said by input")
    except EOFError:
        return repr((sys.stdin.read(), os.read(0, 10)))


if __name__ == "__main__":
    server.run()
"""

SAID = [
    "by print", "without a newline", "with a surrogate \\ud800", "by what was saved before", "in bytes before", "in bytes",
    "by __stdout__", "to the descriptor", "by C", "by a log", "by a child", "by a thread", "by a bare thread",
    "by a process of multiprocessing", "by a fork", "by fdopen", "by a copy of the descriptor", "by /dev/stdout",
    "by a finaliser", "by a coroutine", "by the loop", "by a child of the loop", "by input",
]  # fmt: skip


def test_nothing_that_is_printed_gets_between_the_messages(tmp_path: Path) -> None:
    path = tmp_path / "server.py"
    path.write_text(SERVER)
    ignored: list[wireline.Event] = []
    errors = bytearray()

    def note(event: wireline.Event) -> None:
        if isinstance(event, wireline.Ignored):
            ignored.append(event)

    async def main() -> None:
        async with connect_process(sys.executable, str(path), stderr=errors.extend, on_event=note) as client:
            for tool in await client.list_tools():
                result = await client.call_tool(tool["name"])
                assert "isError" not in result, (tool["name"], result)
            assert said(await client.call_tool("redirected")) == "kept"
            assert said(await client.call_tool("asks")) == "('', b'')"
            while b"said by a bare thread" not in errors:
                await asyncio.sleep(0.01)

    in_time(main())
    assert ignored == []
    text = errors.decode()
    for words in SAID:
        assert f"said {words}" in text, (words, text)
    assert "Traceback" not in text
    warned = [line for line in text.splitlines() if "StdoutWarning" in line]
    assert any("<lambda>() wrote" in line for line in warned) and any("Dies.__del__() wrote" in line for line in warned)
    assert any("a thread without Python code wrote" in line for line in warned)


def test_what_is_printed_around_a_server_is_the_programs_own() -> None:
    code = """
from wireline.server import Server
print("before", flush=True)
Server("s").run()
print("after")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', capture_output=True, timeout=60
    )
    first, second, third = done.stdout.splitlines()
    assert (first, third) == (b"before", b"after") and b'"id":1' in second and done.stderr == b""
