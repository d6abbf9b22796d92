"""Streams over descriptors, whatever they are: pipes, sockets, terminals, files."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import Callable

__all__ = ["over_descriptors"]

LIMIT = 1024 * 1024
"""Bytes that are read ahead before reading stops for a while (twice as many are kept at most)."""


def _pollable(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    # Of other devices, such as /dev/null, no event loop says when they are ready.
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)


async def over_descriptors(
    stdin: int, stdout: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, Callable[[], None]]:
    """A reader, a writer, and what makes the descriptors as they were. The descriptors stay the
    caller's; copies of them are used."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LIMIT, loop=loop)
    undo: list[Callable[[], None]] = []
    if _pollable(stdin):
        blocking = os.get_blocking(stdin)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        pipe = os.fdopen(os.dup(stdin), "rb", buffering=0)
        await loop.connect_read_pipe(lambda: protocol, pipe)
        undo.append(lambda: os.set_blocking(stdin, blocking))
    else:
        # A file is always ready, and no event loop takes one.
        threading.Thread(target=_read, args=(os.dup(stdin), reader, loop), daemon=True).start()
    blocking_out = os.get_blocking(stdout)
    if _pollable(stdout):
        out = os.fdopen(os.dup(stdout), "wb", buffering=0)
        transport, flow = await loop.connect_write_pipe(_Flow, out)
        undo.append(lambda: os.set_blocking(stdout, blocking_out))
        writer = asyncio.StreamWriter(transport, flow, None, loop)
    else:
        flow = _Flow()
        writer = asyncio.StreamWriter(_FileTransport(os.dup(stdout), flow), flow, None, loop)

    def restore() -> None:
        for step in undo:
            step()

    return reader, writer, restore


class _Flow(asyncio.streams.FlowControlMixin):
    """What a writer without a reader asks of its protocol."""

    def __init__(self) -> None:
        super().__init__()
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if not self._gone.done():
            self._gone.set_result(None)

    def _get_close_waiter(self, stream: asyncio.StreamWriter) -> asyncio.Future[None]:
        return self._gone


class _FileTransport(asyncio.WriteTransport):
    """A file, which takes all that is written at once."""

    def __init__(self, descriptor: int, protocol: asyncio.BaseProtocol) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._protocol = protocol

    def write(self, data: bytes | bytearray | memoryview) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def is_closing(self) -> bool:
        return self._descriptor < 0

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._protocol.connection_lost(None)

    abort = close

    def get_write_buffer_size(self) -> int:
        return 0

    def can_write_eof(self) -> bool:
        return False


def _read(descriptor: int, reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    """Reads a file to its end in a thread."""

    async def give(data: bytes) -> None:
        if data:
            reader.feed_data(data)
        else:
            reader.feed_eof()

    try:
        while True:
            data = os.read(descriptor, 256 * 1024)
            asyncio.run_coroutine_threadsafe(give(data), loop).result()
            if not data:
                return
    except RuntimeError:
        # The loop is gone.
        return
    finally:
        os.close(descriptor)
