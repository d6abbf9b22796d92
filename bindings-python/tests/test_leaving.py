"""What is left behind when a session ends, is cancelled, or its peer takes nothing: nothing, and in bounded memory."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
import wireline
from sessions import call, connected, in_time, opened, said, served
from wireline.aio import Client, ConnectionClosed, connect_process, connect_tcp
from wireline.server import Context, Server

SLOW = """
import os, sys, time
from wireline.server import Server
server = Server("slow")

@server.tool
def sleep() -> None:
    time.sleep(600)

@server.tool
def pid() -> int:
    return os.getpid()

server.run()
"""


def script(tmp_path: Path) -> str:
    path = tmp_path / "server.py"
    path.write_text(SLOW)
    return str(path)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("how", ["anyio", "asyncio", "twice"])
def test_a_server_s_process_ends_with_a_block_that_is_cancelled(how: str, tmp_path: Path) -> None:
    pids: list[int] = []

    async def use() -> None:
        # Its input is closed, and it still works: SIGTERM is needed.
        async with connect_process(sys.executable, script(tmp_path), grace=0.3) as client:
            pids.append((await client.call_tool("pid"))["structuredContent"]["result"])
            await client.call_tool("sleep")

    async def main() -> None:
        if how == "anyio":
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(use)
                    while not pids:
                        await anyio.sleep(0.01)
                    scope.cancel()
            assert scope.cancelled_caught
        else:
            task = asyncio.create_task(use())
            while not pids:
                await asyncio.sleep(0.01)
            task.cancel()
            if how == "twice":
                await asyncio.sleep(0.05)
                task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert is_gone(pids[0])

    in_time(main())


def test_a_function_in_a_thread_does_not_keep_the_process(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, script(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(call(1, "pid") + call(2, "sleep"))
    server.stdin.flush()
    server.stdout.readline()
    server.communicate(timeout=25)
    assert server.returncode == 0


def test_functions_in_threads_wait_for_one_and_are_not_called_if_cancelled() -> None:
    server = Server("s")
    begun, go_on = threading.Event(), threading.Event()
    calls: list[str] = []

    @server.tool
    def wait(name: str) -> str:
        calls.append(name)
        begun.set()
        go_on.wait(20)
        return threading.current_thread().name

    async def main() -> None:
        async with connected(server) as client:
            waiting = [asyncio.create_task(client.call_tool("wait", {"name": str(at)})) for at in range(40)]
            await asyncio.to_thread(begun.wait, 20)
            # More than there are threads: those that have not begun are never called.
            while len(calls) < 32:
                await asyncio.sleep(0.01)
            for it in waiting[32:]:
                it.cancel()
            await asyncio.wait(waiting[32:])
            await client.list_tools()
            go_on.set()
            names = {said(await it) for it in waiting[:32]}
            assert len(names) == 32 and all(it.startswith("wireline-") for it in names)
        assert sorted(calls, key=int) == [str(at) for at in range(32)]

    in_time(main())


def test_an_error_inside_the_block_is_no_reason_to_start_again() -> None:
    async def closes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.close()

    async def main() -> None:
        closing = await asyncio.start_server(closes, "127.0.0.1", 0)
        port = closing.sockets[0].getsockname()[1]
        blocks = 0
        code = "from wireline.server import Server; Server('s').run()"
        with pytest.raises(ConnectionClosed):
            async with connect_process(sys.executable, "-c", code):
                blocks += 1
                async with connect_tcp("127.0.0.1", port):
                    raise AssertionError("it closes when it is probed")
        assert blocks == 1
        closing.close()

    in_time(main())


def test_a_subscription_that_is_cancelled_while_it_opens_is_taken_back() -> None:
    async def main() -> None:
        async with opened() as (client, peer):

            async def subscribe() -> None:
                async with client.subscribed("file:///x"):
                    raise AssertionError("it was never acknowledged")

            task = asyncio.create_task(subscribe())
            request = await peer.asked("subscriptions/listen")
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            cancelled = await peer.asked("notifications/cancelled")
            assert cancelled["params"]["requestId"] == request["id"]
            assert client.session.connection.in_flight == (0, 0)

    in_time(main())


def test_a_legacy_subscription_that_is_cancelled_while_it_opens_is_taken_back() -> None:
    async def main() -> None:
        server = Server("s")
        asked: list[Any] = []
        hold = asyncio.Event()

        @server.resource("file:///x")
        def x() -> str:
            return ""

        @server.method("resources/subscribe")
        async def subscribe(params: Any, context: Any) -> Any:
            asked.append(params["uri"])
            if len(asked) == 2:
                hold.set()
                await asyncio.Event().wait()
            return {}

        @server.method("resources/unsubscribe")
        def unsubscribe(params: Any, context: Any) -> Any:
            asked.append("-" + params["uri"])
            return {}

        async def use(client: Client) -> None:
            async with client.subscribed("file:///x", "file:///y"):
                raise AssertionError("the second one is never answered")

        async with connected(server, "2025-11-25") as client:
            task = asyncio.create_task(use(client))
            await hold.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert asked == ["file:///x", "file:///y", "-file:///x", "-file:///y"]

    in_time(main())


def telling() -> tuple[Server, list[int]]:
    server = Server("s")
    told = [0]

    @server.tool
    def in_a_thread(context: Context) -> None:
        for told[0] in range(1, 5001):
            context.log("info", "x" * 1000)

    @server.tool
    async def waits(context: Context) -> None:
        for told[0] in range(1, 5001):
            await context.log("info", "x" * 1000)

    @server.tool
    async def does_not_wait(context: Context) -> None:
        for told[0] in range(1, 5001):
            context.log("info", "x" * 1000)
            await context.progress(told[0]) if told[0] == 5000 else context.progress(told[0])

    return server, told


@pytest.mark.parametrize("name", ["in_a_thread", "waits", "does_not_wait"])
def test_what_a_peer_does_not_take_is_waited_for_or_left_out(name: str) -> None:
    async def main() -> None:
        server, told = telling()
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/logLevel": "info",
            "progressToken": 1,
        }
        params = {"name": name, "arguments": {}, "_meta": meta}
        async with served(server) as peer:
            peer.reader._transport.pause_reading()  # type: ignore[attr-defined]
            peer.send(wireline.encode_request(1, "tools/call", params))
            while not (sessions := list(server._subscriptions._sessions)):
                await asyncio.sleep(0)
            [session] = sessions
            still = 0
            while still < 20:
                before = told[0]
                await asyncio.sleep(0.01)
                still = still + 1 if told[0] == before > 0 else 0
            unsent = session._writer.transport.get_write_buffer_size() + session.connection.bytes_to_send
            assert unsent < 1_000_000, unsent
            assert (told[0] == 5000) == (name == "does_not_wait")
            peer.reader._transport.resume_reading()  # type: ignore[attr-defined]
            count = 0
            while True:
                message = await peer.next()
                if message.get("method") == "notifications/message":
                    count += 1
                elif "id" in message:
                    break
            assert count < 5000 if name == "does_not_wait" else count == 5000

    in_time(main())


def test_standard_output_may_be_set_up_while_it_is_guarded() -> None:
    code = """
import sys
from wireline.aio import guarded_stdio
with guarded_stdio():
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True, newline="", write_through=True)
    print(sys.stdout.name, sys.stdout.mode, sys.stdout.line_buffering, sys.stdout.write_through, sys.stdout.encoding)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr == "<stdout> w True False utf-8\n"
