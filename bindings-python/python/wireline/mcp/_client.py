"""The client's transport: a server in a process of its own."""

from __future__ import annotations

import codecs
import importlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import anyio
import anyio.lowlevel
import anyio.to_thread

import wireline

from ._messages import line_of, received

_sdk: Any = importlib.import_module("mcp.client.stdio")

StdioServerParameters: Any = _sdk.StdioServerParameters
"""The SDK's own, so that the two can be mixed."""

get_default_environment: Any = _sdk.get_default_environment
get_windows_executable_command: Any = importlib.import_module(
    "mcp.os.win32.utilities"
).get_windows_executable_command

__all__ = ["StdioServerParameters", "get_default_environment", "stdio_client"]

logger = logging.getLogger("wireline.mcp")

PROCESS_TERMINATION_TIMEOUT = 2.0
"""Seconds that a server is given to end after its input was closed."""

FORCE_KILL_TIMEOUT = 2.0
"""Seconds from SIGTERM to SIGKILL."""

_KILL_REAP_TIMEOUT = 2.0
"""Seconds until the end of a killed process has been seen."""

_WRITER_FLUSH_TIMEOUT = 0.5
"""Seconds in which what was accepted is still written."""

_DRAIN_TIMEOUT = 0.1
"""Seconds in which what a server that has ended left behind is read."""

_EXIT_POLL_INTERVAL = 0.01


@asynccontextmanager
async def stdio_client(
    server: Any,
    errlog: TextIO = sys.stderr,
    *,
    max_message: int = 16777216,
    max_depth: int = 127,
) -> AsyncIterator[tuple[Any, Any]]:
    """Starts a server and gives the streams that the SDK's client sessions run on. On leaving, the
    server is ended as the specification asks, also when the task is cancelled: its input is closed,
    it is waited for, its process group is sent SIGTERM, waited for, and killed.

    A line that is no message is put on the read stream as a :class:`LineError`, and the next line
    is read as if it had not been.

    Raises:
        OSError: if the server cannot be started.
    """
    command = await _get_executable_command(server.command)
    process = await _create_platform_compatible_process(
        command=command,
        args=server.args,
        env=get_default_environment() | (server.env or {}),
        errlog=errlog,
        cwd=server.cwd,
    )
    # From here on nothing may await before the task group is entered, or a cancellation in between
    # would leave the process running.
    read_writer, read_stream = anyio.create_memory_object_stream[Any](0)
    write_stream, write_reader = anyio.create_memory_object_stream[Any](0)
    decoder = wireline.Decoder(max_message=max_message, max_depth=max_depth)
    decode = _to_utf8(server.encoding, server.encoding_error_handler)
    leaving = False
    written = anyio.Event()
    drained = anyio.Event()

    async def reader() -> None:
        try:
            async with read_writer:
                try:
                    while True:
                        try:
                            data = await process.stdout.receive()
                        except anyio.EndOfStream:
                            return
                        # One at a time: nothing more is read before what came was taken.
                        for item in decoder.feed(decode(data)):
                            try:
                                await read_writer.send(received(item))
                            except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                                return
                finally:
                    await _drain(process)
                    drained.set()
        except anyio.ClosedResourceError:
            pass
        except (anyio.BrokenResourceError, OSError):
            if not leaving:
                logger.exception("Reading from the MCP server's stdout failed mid-session")

    async def writer() -> None:
        try:
            async with write_reader:
                async for message in write_reader:
                    text = line_of(message)
                    await process.stdin.send(
                        text.encode(server.encoding, server.encoding_error_handler)
                    )
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            # The session learns of it by the end of what it reads, and does not wait for ever.
            await read_writer.aclose()
        finally:
            written.set()

    async def leave() -> None:
        # The reader goes over to draining: a server that is stuck in writing reads nothing.
        read_stream.close()
        write_stream.close()
        with anyio.move_on_after(_WRITER_FLUSH_TIMEOUT):
            await written.wait()
        await _stop(process, drained)
        for stream in (read_stream, write_stream, read_writer, write_reader):
            await stream.aclose()
        await anyio.lowlevel.checkpoint()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(reader)
        tasks.start_soon(writer)
        try:
            yield read_stream, write_stream
        finally:
            leaving = True
            with anyio.CancelScope(shield=True):
                await leave()
            tasks.cancel_scope.cancel()
    await anyio.lowlevel.cancel_shielded_checkpoint()


def _to_utf8(encoding: str, errors: str) -> Any:
    """What makes UTF-8 of what comes in. UTF-8 itself passes as it is: its faults are told line by
    line."""
    if codecs.lookup(encoding).name == "utf-8" and errors == "strict":
        return lambda data: data
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    return lambda data: decoder.decode(data).encode("utf-8", "surrogatepass")


async def _drain(process: Any) -> None:
    """Reads what nobody wants any more, so that the server can end."""
    ended = (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)
    with anyio.CancelScope(shield=True), suppress(*ended):
        while True:
            await process.stdout.receive()


async def _close(stream: Any) -> None:
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stream.aclose()


async def _stop(process: Any, drained: anyio.Event) -> None:
    """Ends the server."""
    await _close(process.stdin)
    if not await _ended(process, PROCESS_TERMINATION_TIMEOUT):
        await _terminate_process_tree(process)
        if not await _ended(process, _KILL_REAP_TIMEOUT):
            logger.warning(
                "MCP server process %d is still alive after the kill escalation; abandoning it",
                process.pid,
            )
    # What it has still written is read, unless a child of its holds its output open.
    with anyio.move_on_after(_DRAIN_TIMEOUT):
        await drained.wait()
    await _close(process.stdout)
    # A child of the server's that holds its output would keep this open.
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    close = getattr(transport, "close", None)
    if callable(close):
        with suppress(PermissionError):
            close()


async def _ended(process: Any, seconds: float) -> bool:
    """Whether the process ends in time. Its status is asked for and not waited for: the latter also
    waits for the end of its output, which a child of its may hold open."""
    deadline = anyio.current_time() + seconds
    while process.returncode is None:
        if anyio.current_time() >= deadline:
            return False
        await anyio.sleep(_EXIT_POLL_INTERVAL)
    return True


async def _terminate_process_tree(process: Any, timeout_seconds: float | None = None) -> None:
    """Ends the server and all that it has started."""
    if sys.platform == "win32":
        windows: Any = importlib.import_module("mcp.os.win32.utilities")
        await windows.terminate_windows_process_tree(process)
        return
    # A process that was started with a session of its own leads a group of its own number.
    group = process.pid
    seconds = FORCE_KILL_TIMEOUT if timeout_seconds is None else timeout_seconds
    try:
        os.killpg(group, signal.SIGTERM)
    except ProcessLookupError:
        return
    except PermissionError:
        logger.warning("not allowed to signal process group %d; waiting for it", group)
    with anyio.move_on_after(seconds):
        while _group_lives(group):
            # Asking for the status lets go of a leader that has ended.
            _ = process.returncode
            await anyio.sleep(_EXIT_POLL_INTERVAL)
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


async def _get_executable_command(command: str) -> str:
    """The command, as the system finds it."""
    if sys.platform == "win32":
        found: str = await anyio.to_thread.run_sync(
            get_windows_executable_command, command, abandon_on_cancel=True
        )
        return found
    return command


async def _create_platform_compatible_process(
    command: str,
    args: list[str],
    env: dict[str, str] | None = None,
    errlog: TextIO = sys.stderr,
    cwd: Path | str | None = None,
) -> Any:
    """Starts the server, in a group of its own."""
    if sys.platform == "win32":
        windows: Any = importlib.import_module("mcp.os.win32.utilities")
        return await windows.create_windows_process(command, args, env, errlog, cwd)
    return await anyio.open_process(
        [command, *args], env=env, stderr=errlog, cwd=cwd, start_new_session=True
    )
