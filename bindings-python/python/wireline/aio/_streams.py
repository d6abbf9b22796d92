"""Streams over descriptors, whatever they are: pipes, sockets, terminals, files."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import stat
import threading
from collections.abc import Callable

from ._loop import running_loop

__all__ = ["over_descriptors"]

log = logging.getLogger("wireline")

LIMIT = 1024 * 1024
"""Bytes that are read ahead before reading stops for a while (twice as many are kept at most)."""


def _pollable(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    # Of other devices, such as /dev/null, no event loop says when they are ready.
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)


async def over_descriptors(
    stdin: int, stdout: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, Callable[[], None]]:
    """A reader, a writer, and what closes them and makes the descriptors as they were. The descriptors
    stay the caller's; copies of them are used."""
    loop = running_loop()
    reader = asyncio.StreamReader(limit=LIMIT, loop=loop)
    with contextlib.ExitStack() as undo:
        incoming: asyncio.ReadTransport
        if _pollable(stdin):
            undo.callback(os.set_blocking, stdin, os.get_blocking(stdin))
            protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
            pipe = os.fdopen(os.dup(stdin), "rb", buffering=0)
            incoming, _ = await loop.connect_read_pipe(lambda: protocol, pipe)
        else:
            # A file is always ready, and no event loop takes one.
            incoming = _FileReader(os.dup(stdin), reader, loop)
        undo.callback(incoming.close)
        flow: _Flow
        if _pollable(stdout):
            undo.callback(os.set_blocking, stdout, os.get_blocking(stdout))
            out = os.fdopen(os.dup(stdout), "wb", buffering=0)
            outgoing, flow = await loop.connect_write_pipe(_Flow, out)
            writer = asyncio.StreamWriter(outgoing, flow, None, loop)
        else:
            flow = _Flow()
            writer = asyncio.StreamWriter(_FileTransport(os.dup(stdout), flow), flow, None, loop)
        restore = undo.pop_all().close
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
        try:
            while rest and self._descriptor >= 0:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            # Where there is no more room, say: as with every transport, that ends the connection.
            log.warning("the output cannot be written: %s", error)
            self._close(error)

    def is_closing(self) -> bool:
        return self._descriptor < 0

    def close(self) -> None:
        self._close(None)

    abort = close

    def _close(self, error: OSError | None) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._protocol.connection_lost(error)

    def get_write_buffer_size(self) -> int:
        return 0

    def can_write_eof(self) -> bool:
        return False


class _FileReader(asyncio.ReadTransport):
    """A file that is read in a thread, no further ahead than the reader takes."""

    def __init__(
        self, descriptor: int, reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__()
        self._reader = reader
        self._loop = loop
        self._wanted = threading.Event()
        self._wanted.set()
        self._closed = False
        reader.set_transport(self)
        # A device may never give anything: the thread does not keep the process.
        threading.Thread(target=self._read, args=(descriptor,), daemon=True).start()

    def pause_reading(self) -> None:
        self._wanted.clear()

    def resume_reading(self) -> None:
        self._wanted.set()

    def is_reading(self) -> bool:
        return self._wanted.is_set() and not self._closed

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._closed = True
        self._wanted.set()

    def _read(self, descriptor: int) -> None:
        try:
            while self._wanted.wait() and not self._closed:
                try:
                    data: bytes | OSError = os.read(descriptor, 256 * 1024)
                except OSError as error:
                    data = error
                taken = threading.Event()
                self._loop.call_soon_threadsafe(self._give, data, taken)
                if not data or isinstance(data, OSError):
                    return
                # What it has led to is known before more is read: whether that is wanted at all. A loop
                # that is gone takes nothing.
                while not taken.wait(1):
                    if self._loop.is_closed():
                        return
        except RuntimeError:
            # The loop is closed.
            return
        finally:
            os.close(descriptor)

    def _give(self, data: bytes | OSError, taken: threading.Event) -> None:
        if isinstance(data, OSError):
            log.warning("the input cannot be read: %s", data)
            self._reader.set_exception(data)
        elif data:
            self._reader.feed_data(data)
        else:
            self._reader.feed_eof()
        taken.set()
