"""A client's block can be left whatever its server does, within the time that `grace` gives, and leaves nothing open."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wireline
from sessions import DISCOVERED, Peer, call, in_time, opened, pair
from wireline.aio import ConnectionClosed, Session, connect_process, connect_streams, connect_tcp, serve_tcp
from wireline.server import Server

OPENS = f"""
import json, os, signal, subprocess, sys, time, warnings
import wireline
# What it leaves open is none of the client's matter, also where Python tells of that.
warnings.simplefilter("ignore")
def open_session():
    while True:
        request = json.loads(sys.stdin.readline())
        if request["method"] == "server/discover":
            os.write(1, wireline.encode_result(request["id"], {DISCOVERED!r}))
            return
"""
"""A server by hand, up to where the session is open."""

FLOOD = """
line = wireline.encode_notification("notifications/message", {"level": "info", "data": "x" * 1000}) * 60
def flood():
    while True:
        os.write(1, line)
"""

SERVERS = {
    "a child in a session of its own holds the output": """
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True, stderr=-3)
open("child", "w").write(str(child.pid))
open_session()
sys.stdin.read()
""",
    "writes on and on, whether or not there is input": FLOOD + "open_session()\nflood()\n",
    "writes on and on, and ignores SIGTERM": FLOOD
    + "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen_session()\nflood()\n",
    "ignores SIGTERM and the end of its input": """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open_session()
while True:
    time.sleep(600)
""",
    "reads nothing more": "open_session()\nwhile True:\n    time.sleep(600)\n",
    "closes its output and lives on": "open_session()\nos.close(1)\nwhile True:\n    time.sleep(600)\n",
}

USE = """
import asyncio, os, sys, time
from wireline.aio import connect_process

async def main():
    async with connect_process(sys.executable, sys.argv[1], grace=0.4) as client:
        if sys.argv[2] == "pending":
            # More than a pipe holds, so that its end waits behind it.
            asking = asyncio.create_task(client.request("x/y", {"x": "y" * 1_000_000}))
            await asyncio.sleep(0.05)
        start = time.monotonic()
    took = time.monotonic() - start
    for fd in range(3, 64):
        try:
            kind = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            continue
        assert not kind.startswith("pipe:"), kind
    if sys.argv[2] == "pending":
        try:
            await asking
        except ConnectionError as error:
            print(type(error).__name__)
    print("took", took)

asyncio.run(main())
"""


@pytest.mark.parametrize("pending", ["idle", "pending"])
@pytest.mark.parametrize("name", SERVERS)
def test_a_block_is_left_whatever_the_server_does(name: str, pending: str, tmp_path: Path) -> None:
    server, client = tmp_path / "server.py", tmp_path / "client.py"
    server.write_text(OPENS + SERVERS[name])
    client.write_text(USE)
    try:
        # In a process of its own: what hangs there could not be cancelled.
        done = subprocess.run(
            [sys.executable, "-W", "error", str(client), str(server), pending],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=40,
        )
    finally:
        if (child := tmp_path / "child").exists():
            os.kill(int(child.read_text()), signal.SIGKILL)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    words = done.stdout.split()
    if pending == "pending":
        assert words.pop(0) == "ConnectionClosed"
    # The end of input, SIGTERM, SIGKILL, and time for a machine that has other work.
    assert float(words[1]) < 3 * 0.4 + 10


INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
INITIALIZED = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}


@pytest.mark.parametrize("method", ["ping", "x/unknown", "roots/list"])
def test_a_server_that_asks_and_takes_no_answer_is_read_no_more(method: str) -> None:
    async def main() -> None:
        peer, streams = await pair()

        async def answer() -> None:
            request = await peer.asked("initialize")
            peer.send(wireline.encode_result(request["id"], INITIALIZED))
            await peer.asked("notifications/initialized")

        opening = asyncio.create_task(answer())
        handlers: dict[str, Any] = {"roots/list": lambda params, context: {"roots": [], "x": "y" * 1000}}
        # So little is held back that all of it is answered in time under Python's checks, too.
        options: dict[str, Any] = {"max_held_back": 256 * 1024}
        async with connect_streams(*streams, legacy=True, handlers=handlers, grace=0.1, **options) as client:
            await opening
            peer.reader._transport.pause_reading()  # type: ignore[attr-defined]
            asked = 0
            unsent, writer = 0, client.session._writer
            while asked < 600_000:
                peer.send(*(wireline.encode_request(asked + at, method) for at in range(2000)))
                asked += 2000
                try:
                    async with asyncio.timeout(0.5):
                        await peer.writer.drain()
                except TimeoutError:
                    break
                unsent = max(unsent, writer.transport.get_write_buffer_size())
            else:
                raise AssertionError("it reads on and on")
            assert unsent < 8 << 20, unsent
            # Once they are taken, there is an answer to each.
            peer.reader._transport.resume_reading()  # type: ignore[attr-defined]
            seen: set[int] = set()
            while len(seen) < asked:
                seen.add((await peer.next())["id"])
        peer.writer.close()
        await peer.writer.wait_closed()

    in_time(main())


def test_a_server_that_takes_nothing_is_not_waited_for_beyond_the_timeout() -> None:
    async def main() -> None:
        peer, streams = await pair()

        async def answer() -> None:
            request = await peer.asked("server/discover")
            peer.send(wireline.encode_result(request["id"], DISCOVERED))

        opening = asyncio.create_task(answer())
        async with connect_streams(*streams, request_timeout=0.1, grace=0.1) as client:
            await opening
            peer.reader._transport.pause_reading()  # type: ignore[attr-defined]
            for timeout in (None, None, 0.05):
                with pytest.raises(TimeoutError):
                    await client.call_tool("t", {"x": "y" * 1_000_000}, timeout=timeout)
        assert client.session._writer.transport.get_write_buffer_size() == 0
        peer.writer.close()

    in_time(main())


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.EIO, errno.ECONNRESET])
def test_whatever_breaks_a_connection_it_is_closed(number: int) -> None:
    async def main() -> None:
        async with opened() as (client, peer):
            asking = asyncio.create_task(client.call_tool("t"))
            await peer.asked("tools/call")
            # As asyncio does when the socket gives an error.
            transport: Any = client.session._writer.transport
            transport._fatal_error(OSError(number, os.strerror(number)))
            with pytest.raises(ConnectionClosed):
                await asking
            for closed in (client.list_tools(), client.notify("x/y")):
                with pytest.raises(ConnectionClosed):
                    await closed

    in_time(main())


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.EHOSTUNREACH])
def test_a_server_s_connection_that_breaks_ends_it_alone(number: int, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        transports: list[Any] = []
        server = Server("s")

        def make(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Session:
            transports.append(writer.transport)
            return server.session(reader, writer)

        tcp = await serve_tcp(make, "127.0.0.1", 0)
        async with connect_tcp("127.0.0.1", tcp.sockets[0].getsockname()[1]) as client:
            transports[0]._fatal_error(OSError(number, os.strerror(number)))
            with pytest.raises(ConnectionClosed):
                await client.request("x/y")
        tcp.close()
        await tcp.wait_closed()

    in_time(main())
    assert caplog.records == []


async def refuses(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(wireline.encode_error(json.loads(line)["id"], -32603, "no"))


async def says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def takes_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    reader._transport.pause_reading()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("serve", "options", "error"),
    [
        (refuses, {}, wireline.RemoteProtocolError),
        (says_nothing, {"probe_timeout": 0.05, "request_timeout": 0.05}, TimeoutError),
        (says_nothing, {"revisions": ["1999-01-01"]}, ValueError),
        (says_nothing, {"no_such_option": 1}, TypeError),
        (says_nothing, {"on_event": says_nothing}, TypeError),
        (
            takes_nothing,
            {
                "capabilities": {"experimental": {"x": {"y": "z" * 8_000_000}}},
                "probe_timeout": 0.05,
                "request_timeout": 0.05,
            },
            TimeoutError,
        ),
    ],
    ids=["refused", "timed out", "revision", "option", "async hook", "takes nothing"],
)
def test_no_socket_is_left_where_no_session_comes_about(serve: Any, options: Any, error: type[Exception]) -> None:
    async def main() -> None:
        writers: list[asyncio.StreamWriter] = []

        async def serves(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writers.append(writer)
            await serve(reader, writer)

        server = await asyncio.start_server(serves, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(error):
            async with connect_tcp("127.0.0.1", port, grace=0.1, **options):
                raise AssertionError("there is no session")
        await asyncio.sleep(0)
        ours = [it for it in Path("/proc/self/fd").iterdir() if is_socket_to(it, port)]
        assert ours == []
        for writer in writers:
            writer.transport.abort()
        server.close()
        await server.wait_closed()

    in_time(main())


def is_socket_to(path: Path, port: int) -> bool:
    try:
        it = socket.socket(fileno=os.dup(int(path.name)))
    except OSError:
        return False
    with it:
        try:
            return bool(it.getpeername()[1] == port)
        except (OSError, IndexError):
            return False



SERVED = "from wireline.server import Server; Server('s').run()"


def test_a_file_is_read_no_further_ahead_than_its_answers_are_taken(tmp_path: Path) -> None:
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    count = 1_000_000
    (tmp_path / "stdin").write_bytes(wireline.encode_request(0, "initialize", INITIALIZE) + ping * count)
    with (tmp_path / "stdin").open("rb", buffering=0) as file:
        server = subprocess.Popen([sys.executable, "-c", SERVED], stdin=file, stdout=subprocess.PIPE)
        assert server.stdout is not None
        # The position is the server's too.
        still = before = 0
        while still < 25:
            time.sleep(0.02)
            position = file.tell()
            still = still + 1 if position == before > 0 else 0
            before = position
        assert position < 12 << 20, position
        got = 0
        while data := os.read(server.stdout.fileno(), 1 << 20):
            got += data.count(b"\n")
        server.stdout.close()
        assert (server.wait(10), got) == (0, count + 1)


@pytest.mark.parametrize(("stdin", "stdout"), [("/proc/self/mem", "/dev/null"), ("stdin", "/dev/full")])
def test_a_file_that_cannot_be_read_or_written_ends_the_server(stdin: str, stdout: str, tmp_path: Path) -> None:
    (tmp_path / "stdin").write_bytes(wireline.encode_request(0, "initialize", INITIALIZE) + call(1, "none"))
    with (tmp_path / stdin).open("rb") as file, open(stdout, "wb") as out:
        done = subprocess.run([sys.executable, "-c", SERVED], stdin=file, stdout=out, stderr=-1, timeout=30)
    assert done.returncode == 0
    [line] = done.stderr.decode().splitlines()
    assert "No space left" in line if "full" in stdout else "Input/output error" in line


def test_what_is_not_served_any_more_is_not_read_either() -> None:
    code = """
import asyncio, os
from wireline.aio._streams import over_descriptors

async def main():
    read, write = os.pipe()
    null = os.open("/dev/null", os.O_WRONLY)
    reader, writer, restore = await over_descriptors(read, null)
    restore()
    writer.close()
    # Nothing reads here any more.
    os.write(write, b"for others")
    await asyncio.sleep(0.05)
    print(os.read(read, 100).decode(), len(asyncio.all_tasks()))

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, timeout=30)
    assert (done.stdout, done.stderr) == (b"for others 1\n", b"")


async def answers(peer: Peer, results: Callable[[int], Any]) -> None:
    count = 0
    with contextlib.suppress(asyncio.IncompleteReadError):
        while True:
            message = await peer.next()
            if "id" in message:
                peer.send(wireline.encode_result(message["id"], {**results(count), "resultType": "complete"}))
                count += 1


@pytest.mark.parametrize("value", [None, 7, "x", {}, True])
def test_a_result_without_what_it_should_have_is_the_server_s_fault(value: Any) -> None:
    async def main() -> None:
        made = {"tools": value, "contents": value, "completion": [value], "nextCursor": None}
        async with opened() as (client, peer):
            answering = asyncio.create_task(answers(peer, lambda count: made))
            for asked in (
                client.list_tools(),
                client.read_resource("file:///x"),
                client.complete({"type": "ref/prompt", "name": "p"}, "x", "y"),
            ):
                with pytest.raises(wireline.RemoteProtocolError) as caught:
                    await asked
                assert caught.value.kind == "bad-response"
            made.update(tools=[], nextCursor=5)
            with pytest.raises(wireline.RemoteProtocolError, match="nextCursor is int"):
                await client.list_tools()
        await answering

    in_time(main())


def test_a_list_without_an_end_is_given_up() -> None:
    async def main() -> None:
        async with opened() as (client, peer):
            answering = asyncio.create_task(
                answers(peer, lambda count: {"tools": [{"name": str(count)}], "nextCursor": str(count)})
            )
            with pytest.raises(wireline.RemoteProtocolError) as caught:
                await client.list_tools()
            assert caught.value.kind == "endless-list"
        await answering

    in_time(main())


def test_nothing_is_asked_of_a_server_that_has_closed_its_input(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(OPENS + "open_session()\nos.close(0)\ntime.sleep(600)\n")

    async def main() -> None:
        async with connect_process(sys.executable, str(tmp_path / "server.py"), grace=0.1) as client:
            while not client.session._writer.is_closing():
                await asyncio.sleep(0.01)
            with pytest.raises(ConnectionClosed):
                await client.list_tools()
            with pytest.raises(ConnectionClosed):
                async with client.subscribed("file:///x"):
                    raise AssertionError("it cannot have been asked for")
            assert client.session.connection.in_flight == (0, 0)

    in_time(main())


class Odd(BaseException):
    """Is no `Exception`."""


@pytest.mark.parametrize("error", [Odd, asyncio.CancelledError, RuntimeError])
def test_a_hook_ends_no_session_whatever_it_raises(error: type[BaseException], caplog: pytest.LogCaptureFixture) -> None:
    def hook(*_: object) -> None:
        raise error

    async def main() -> None:
        async with opened(on_notification=hook, on_event=hook) as (client, peer):
            asking = asyncio.create_task(client.call_tool("t", progress=hook))
            request = await peer.asked("tools/call")
            token = request["params"]["_meta"]["progressToken"]
            peer.send(
                wireline.encode_notification("notifications/progress", {"progressToken": token, "progress": 1}),
                wireline.encode_notification("x/y"),
                wireline.encode_result(request["id"], {"content": [], "resultType": "complete"}),
            )
            assert (await asking)["content"] == []

    in_time(main())
    assert {record.message for record in caplog.records} == {"a callback failed"}


@pytest.mark.parametrize("name", ["on_event", "on_notification", "progress", "stderr"])
def test_hooks_are_plain_functions(name: str) -> None:
    async def hook(*_: object) -> None:
        raise AssertionError("it would not be awaited")

    async def main() -> None:
        with pytest.raises(TypeError, match=f"{name} is an async function"):
            if name == "stderr":
                async with connect_process(sys.executable, stderr=hook):
                    raise AssertionError("it was started")
            elif name == "progress":
                async with opened() as (client, _):
                    await client.call_tool("t", progress=hook)
            else:
                peer, streams = await pair()
                peer.writer.close()
                async with connect_streams(*streams, **{name: hook}):  # type: ignore[arg-type]
                    raise AssertionError("there is no session")

    in_time(main())


@pytest.mark.parametrize("grace", [-1, float("nan")])
def test_a_grace_that_is_none_is_refused_before_anything_is_started(grace: float, tmp_path: Path) -> None:
    async def main() -> None:
        with pytest.raises(ValueError, match="grace is"):
            async with connect_process("touch", str(tmp_path / "started"), grace=grace):
                raise AssertionError("it was started")

    in_time(main())
    assert not (tmp_path / "started").exists()


CARELESS = {
    "left open": """
async def main():
    global kept
    kept = connect()
    await (await kept.__aenter__()).call_tool("t")
""",
    "dropped": """
async def main():
    await (await connect().__aenter__()).call_tool("t")
""",
    "in a task": """
async def use():
    async with connect() as client:
        done.set()
        await client.call_tool("hang")
async def main():
    global done, task
    done = asyncio.Event()
    task = asyncio.create_task(use())
    await done.wait()
""",
    "interrupted": """
async def main():
    async with connect() as client:
        signal.raise_signal(signal.SIGINT)
        await client.call_tool("hang")
""",
    "interrupted twice": """
async def main():
    async with connect() as client:
        for at in (0.1, 0.3):
            threading.Timer(at, os.kill, (os.getpid(), signal.SIGINT)).start()
        await client.call_tool("hang")
""",
    "exits": """
async def main():
    async with connect() as client:
        sys.exit(3)
""",
}


@pytest.mark.parametrize("name", CARELESS)
def test_a_careless_program_leaves_no_server(name: str, tmp_path: Path) -> None:
    server = OPENS + """
open(sys.argv[1], "w").write(str(os.getpid()))
open_session()
while line := sys.stdin.readline():
    request = json.loads(line)
    if request.get("params", {}).get("name") == "t":
        os.write(1, wireline.encode_result(request["id"], {"content": [], "resultType": "complete"}))
# It needs a signal to end.
time.sleep(600)
"""
    program = f"""
import asyncio, os, signal, sys, threading
from wireline.aio import connect_process
def connect():
    return connect_process(sys.executable, "server.py", "pid", grace=0.5)
{CARELESS[name]}
asyncio.run(main())
"""
    (tmp_path / "server.py").write_text(server)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=40
    )
    interrupted = name.startswith("interrupted")
    assert done.returncode == (-signal.SIGINT if interrupted else 3 if name == "exits" else 0), done.stderr
    if not interrupted:
        assert done.stderr == ""
    # Its own standard error was ours, so it is known to have ended: that it was told to is what is seen here.
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_block_may_be_cancelled_at_any_moment(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(OPENS + "open_session()\nsys.stdin.read()\n")

    async def use(moments: list[str]) -> None:
        async with connect_process(sys.executable, str(tmp_path / "server.py"), grace=2):
            moments.append("open")
        moments.append("left")

    def left() -> set[str]:
        links = set()
        for it in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(OSError):
                links.add(os.readlink(it))
        return {it for it in links if it.startswith(("pipe:", "socket:"))}

    async def main() -> None:
        ticks = 0
        moments: list[str] = []
        while "left" not in moments:
            before, task = left(), asyncio.create_task(use(moments := []))
            for tick in range(ticks):
                # The first ones of the loop, and then of the clock.
                await asyncio.sleep(0 if tick < 12 else 0.005)
            if not task.cancel():
                break
            await asyncio.wait([task])
            assert task.cancelled() or task.exception() is None
            # What closed is gone in the loop's next turns.
            for _ in range(3):
                await asyncio.sleep(0)
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert left() <= before
            ticks += 1
        assert ticks > 15

    in_time(main())


@pytest.mark.parametrize(("closed", "name"), [("<&-", "input"), (">&-", "output"), ("<&- >&-", "input")])
def test_standard_streams_that_are_closed_are_not_taken(closed: str, name: str) -> None:
    """Their numbers are the event loop's by then."""
    shell = f'exec "{sys.executable}" -W error -c "{SERVED}" {closed}'
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"OSError: [Errno 9] standard {name} is closed"
    assert done.stderr.count("Traceback") == 1


def test_a_loop_that_ends_while_it_serves_says_nothing_of_it() -> None:
    code = """
import asyncio
from wireline.aio import connect_tcp, serve_tcp
from wireline.server import Server

server = Server("s")

@server.tool
async def hang() -> None:
    begun.set()
    await asyncio.Event().wait()

async def main():
    global begun
    begun = asyncio.Event()
    tcp = await serve_tcp(server.session, "127.0.0.1", 0)
    async with connect_tcp(*tcp.sockets[0].getsockname(), grace=0) as client:
        calling = asyncio.create_task(client.call_tool("hang"))
        await begun.wait()
    await asyncio.wait([calling])
    print(repr(calling.exception()))

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-W", "ignore::ResourceWarning", "-c", code], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ConnectionClosed" in done.stdout


def test_a_flood_of_bad_lines_leaves_turns_of_the_loop_to_others() -> None:
    async def main() -> None:
        ours, theirs = socket.socketpair()
        _, writer = await asyncio.open_connection(sock=ours)
        reader = asyncio.StreamReader(limit=1 << 20)
        reader.feed_data(b'{"jsonrpc":"2.0","id":1,"method":"x\n' * 50_000)
        reader.feed_eof()
        running = asyncio.create_task(Session(wireline.Connection("client"), reader, writer).run())
        turns = 0
        while not running.done():
            await asyncio.sleep(0)
            turns += 1
        # One for each piece that is read.
        assert turns >= 6
        writer.close()
        await writer.wait_closed()
        theirs.close()

    in_time(main())


def test_what_outlives_sigterm_in_a_server_s_group_is_killed(tmp_path: Path) -> None:
    child = "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(600)"
    (tmp_path / "server.py").write_text(
        f"""
{OPENS}
child = subprocess.Popen([sys.executable, "-c", {child!r}], stdout=subprocess.PIPE)
child.stdout.readline()
open({str(tmp_path / "child")!r}, "w").write(str(child.pid))
open_session()
time.sleep(600)
"""
    )

    async def main() -> None:
        async with connect_process(sys.executable, str(tmp_path / "server.py"), grace=0.3):
            pass

    in_time(main())
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{(tmp_path / 'child').read_text()}/stat").read_text().split()[2] == "Z":
                return
        except FileNotFoundError:
            return
        time.sleep(0.01)
    os.kill(int((tmp_path / "child").read_text()), signal.SIGKILL)
    raise AssertionError("it still runs")
