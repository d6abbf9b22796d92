"""Servers in processes of their own, and how they are ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ._hooks import call_hook, plain_function
from ._loop import running_loop
from ._shield import to_the_end

__all__ = ["LEFT_BEHIND", "POLL", "REAPED", "Process", "StderrHook", "abort", "checked_grace", "close", "start_process"]

StderrHook: TypeAlias = Callable[[bytes], object]

POLL = 0.01
"""Seconds between two looks at whether a process has ended. It is not waited for: in several versions
of asyncio that also waits for the end of its output, which a child of its may hold open."""

REAPED = 1.0
"""Seconds, at least, in which the end of a killed process is seen."""

LEFT_BEHIND = 0.5
"""Seconds in which what a server that has ended left behind is read, where its output does not end."""


class Process:
    """A server that runs, while a block does."""

    def __init__(
        self, process: asyncio.subprocess.Process, grace: float, telling: asyncio.Task[None] | None
    ) -> None:
        self.process = process
        assert process.stdout is not None and process.stdin is not None
        self.reader = process.stdout
        self.writer = process.stdin
        self._grace = grace
        self._telling = telling
        self._until: float | None = None

    async def __aenter__(self) -> Process:
        return self

    async def __aexit__(self, *_: object) -> None:
        await to_the_end(self.end())

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended, whatever has become of its output."""
        return self.process.returncode is not None

    def let_end(self) -> float:
        """Closes the server's input, and says until when it may end by itself: by the loop's clock, from
        the first call on."""
        if self._until is None:
            self.writer.close()
            self._until = running_loop().time() + self._grace
        return self._until

    async def end(self) -> None:
        """Ends the server in the specification's order. What it still writes is read and dropped, so
        that it is not stuck in that."""
        loop = running_loop()
        closing = close(self.writer)
        reading = {loop.create_task(_discard(self.reader))}
        if self._telling is not None:
            reading.add(self._telling)
        try:
            if not await self._ends(self.let_end()):
                self._signal("terminate")
                if not await self._ends(loop.time() + self._grace, group=True):
                    self._signal("kill")
                    await self._ends(loop.time() + max(self._grace, REAPED))
            await asyncio.wait(reading, timeout=LEFT_BEHIND)
        finally:
            # Where the loop ends first, nothing is waited for any more.
            if not self.has_ended:
                self._signal("kill")
            # Its output is closed too, though others may hold the other end.
            transport: Any = getattr(self.process, "_transport", None)
            with contextlib.suppress(ProcessLookupError, PermissionError, RuntimeError):
                abort(self.writer)
                if transport is not None:
                    transport.close()
        await asyncio.wait({closing, *reading}, timeout=REAPED)
        for task in reading:
            task.cancel()

    async def _ends(self, until: float, group: bool = False) -> bool:
        loop = running_loop()
        while not self.has_ended or group and self._group_lives():
            left = until - loop.time()
            if left <= 0:
                return False
            await asyncio.sleep(min(POLL, left))
        return True

    # A process that was started with a session of its own leads a group of its own number.

    def _group_lives(self) -> bool:
        if sys.platform == "win32":
            return False
        try:
            os.killpg(self.process.pid, 0)
        except OSError:
            return False
        return True

    def _signal(self, step: str) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self.process.kill() if step == "kill" else self.process.terminate()
                return
            os.killpg(self.process.pid, signal.SIGKILL if step == "kill" else signal.SIGTERM)


async def start_process(
    command: list[str],
    env: Mapping[str, str] | None,
    cwd: str | os.PathLike[str] | None,
    stderr: StderrHook | None,
    grace: float,
) -> Process:
    """Starts a server. It is ended when its block is left."""
    loop = running_loop()
    plain_function("stderr", stderr)
    checked_grace(grace)
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE if stderr is not None else None,
        env=env,
        cwd=cwd,
        limit=1024 * 1024,
        # So that what it has started ends with it.
        start_new_session=sys.platform != "win32",
    )
    # Nothing is awaited from here to the block.
    telling: asyncio.Task[None] | None = None
    if stderr is not None and process.stderr is not None:
        telling = loop.create_task(_tell(process.stderr, stderr))
    return Process(process, grace, telling)


def checked_grace(grace: float) -> float:
    """A time to wait for, in seconds."""
    if not grace >= 0:
        raise ValueError(f"grace is {grace}; it must be 0 or more seconds")
    return grace


async def _tell(stream: asyncio.StreamReader, hook: StderrHook) -> None:
    with contextlib.suppress(OSError):
        while data := await stream.read(65536):
            call_hook(hook, data)


async def _discard(stream: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await stream.read(1 << 20):
            pass


def close(writer: asyncio.StreamWriter) -> asyncio.Task[None]:
    """Closes a writer, and gives what ends once it is closed. It is to be waited for by `asyncio.wait`
    and not to be cancelled, which would cancel what asyncio itself waits for."""

    async def closed() -> None:
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    writer.close()
    return running_loop().create_task(closed())


def abort(writer: asyncio.StreamWriter) -> None:
    """Closes a writer's transport now, whatever is still to be sent."""
    # A pipe's that is closed already has no loop any more.
    with contextlib.suppress(AttributeError):
        writer.transport.abort()
