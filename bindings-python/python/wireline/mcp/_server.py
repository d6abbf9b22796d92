"""The server's transport: the process's own standard input and output."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread

import wireline
# Under the name that it has in the SDK, whose own tests put others in its place.
from wireline._stdio import above_standard as _dup_above_std
from wireline._stdio import flush_printed
from wireline.aio._guard import _Guard

from ._messages import line_of, received, streams

__all__ = ["stdio_server"]

READ = 64 * 1024
"""Bytes that are read at once."""

_claims: dict[int, int | None] = {}
"""Descriptors that a transport of this process has taken, and where the wire is meanwhile. One that
could not be given back stays here, so that no later transport serves what stands in for it."""

_claims_lock = threading.Lock()


def _open_stdin_diversion() -> int:
    """What descriptor 0 reads meanwhile: nothing."""
    return os.open(os.devnull, os.O_RDONLY)


def _open_stdout_diversion() -> int:
    """Where descriptor 1 writes meanwhile: standard error, if there is one."""
    try:
        return os.dup(2)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)


def _restore(fd: int, wire: int) -> bool:
    try:
        os.dup2(wire, fd)
    except OSError:
        return False
    return True


class _Claim:
    """A standard stream, taken for the protocol as far as the system allows."""

    def __init__(self, fd: int, stream: Any, divert: Callable[[], int]) -> None:
        self.fd = fd
        self.wire: int | None = None
        self.claimed = False
        # One that another transport has put there stands for the descriptor.
        own = isinstance(stream, _Guard)
        if not own:
            self.buffer = stream.buffer
            with suppress(AttributeError, OSError, ValueError):
                own = self.buffer.fileno() == fd
        if not own:
            return
        with _claims_lock:
            if fd in _claims:
                raise RuntimeError(
                    f"another stdio_server() in this process has already claimed fd {fd}"
                )
            _claims[fd] = None
        self.claimed = True
        try:
            wire = _dup_above_std(fd)
        except OSError:
            return
        _claims[fd] = wire
        try:
            other = divert()
        except OSError:
            return
        try:
            os.dup2(other, fd)
            self.wire = wire
        except OSError:
            # It may have closed the descriptor before it failed.
            _restore(fd, wire)
        finally:
            with suppress(OSError):
                os.close(other)

    def release(self) -> None:
        if not self.claimed:
            return
        self.claimed = False
        wire = _claims.get(self.fd)
        # A thread may still be reading from the copy, so it stays open.
        if wire is None or _restore(self.fd, wire):
            with _claims_lock:
                _claims.pop(self.fd, None)


async def _chunks(claim: _Claim) -> AsyncIterator[bytes]:
    """What comes in: without a thread where the system says when there is something to be read."""
    if claim.wire is None:
        read = getattr(claim.buffer, "read1", claim.buffer.read)
        while data := await anyio.to_thread.run_sync(read, READ, abandon_on_cancel=True):
            yield data
        return
    fd = claim.wire
    waits = sys.platform != "win32"
    while True:
        if waits:
            try:
                await anyio.wait_readable(fd)
            except (OSError, ValueError, NotImplementedError):
                # A file, or a loop that cannot.
                waits = False
                continue
            data = os.read(fd, READ)
        else:
            data = await anyio.to_thread.run_sync(os.read, fd, READ, abandon_on_cancel=True)
        if not data:
            return
        yield data


async def _text(stdin: Any) -> AsyncIterator[bytes]:
    async for line in stdin:
        yield line.encode("utf-8", "surrogatepass")


def _write(claim: _Claim, data: bytes) -> None:
    if claim.wire is None:
        claim.buffer.write(data)
        claim.buffer.flush()
        return
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(claim.wire, rest) :]


@asynccontextmanager
async def stdio_server(
    stdin: Any = None,
    stdout: Any = None,
    *,
    max_message: int = 16777216,
    max_depth: int = 127,
) -> AsyncIterator[tuple[Any, Any]]:
    """Serves over the process's standard input and output; gives the streams that the SDK's servers
    run on.

    While it serves, descriptor 0 reads nothing and descriptor 1 writes to standard error, so that
    nothing that a tool or its children print gets between the messages; Python code that prints is
    named in a :class:`wireline.aio.StdoutWarning`. Both are given back at the end. Text files may be
    given instead, as to the SDK's own; they are used as they are.

    A line that is no message is put on the read stream as a :class:`LineError`; a longer one than
    `max_message` too, with its id.
    """
    claims: list[_Claim] = []
    before = sys.stdout
    try:
        source: AsyncIterator[bytes]
        if stdin is None:
            claims.append(_Claim(0, sys.stdin, _open_stdin_diversion))
            source = _chunks(claims[-1])
        else:
            source = _text(stdin)
        out: _Claim | None = None
        file: Any = stdout
        if stdout is None:
            out = _Claim(1, sys.stdout, _open_stdout_diversion)
            claims.append(out)
            if out.wire is not None:
                # Descriptor 1 leads elsewhere by now, so that what is printed may go there.
                sys.stdout = _Guard(before)

        read_writer, read_stream, write_stream, write_reader = streams()
        decoder = wireline.Decoder(
            max_message=max_message, max_depth=max_depth, eof_completes_line=True
        )

        async def reader() -> None:
            try:
                async with read_writer:
                    async for data in source:
                        for item in decoder.feed(data):
                            await read_writer.send(received(item))
                    for item in decoder.finish():
                        await read_writer.send(received(item))
            except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                await anyio.lowlevel.checkpoint()

        async def writer() -> None:
            try:
                async with write_reader:
                    async for message in write_reader:
                        line = line_of(message)
                        if out is None:
                            await file.write(line)
                            await file.flush()
                        else:
                            await anyio.to_thread.run_sync(_write, out, line.encode())
            except anyio.ClosedResourceError:
                await anyio.lowlevel.checkpoint()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(reader)
            tasks.start_soon(writer)
            yield read_stream, write_stream
    finally:
        if isinstance(sys.stdout, _Guard) and not isinstance(before, _Guard):
            flush_printed(before)
            sys.stdout = before
        for claim in reversed(claims):
            claim.release()
