"""Serving, over whatever there is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from ._guard import guarded_stdio
from ._loop import running_loop
from ._process import abort, close
from ._session import GRACE, Session
from ._streams import over_descriptors

__all__ = ["MakeSession", "serve_stdio", "serve_streams", "serve_tcp", "serve_unix"]

MakeSession: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Session]
"""Makes the session of one connection."""


async def serve_streams(
    make: MakeSession, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Serves one connection until its input ends, and all that was to be said has been said.

    When the input has ended, requests that wait for others to end have 5 seconds to begin, those that
    are worked on 5 more to end, and the client 5 to take the answers; then what is left is cancelled,
    and the connection aborted.
    """
    running_loop()
    try:
        session = make(reader, writer)
    except BaseException:
        abort(writer)
        raise
    try:
        await session.run()
        with contextlib.suppress(OSError):
            async with asyncio.timeout(GRACE):
                await session.idle()
                await writer.drain()
    finally:
        session.abandon()
        closing = close(writer)
        try:
            await asyncio.wait([closing], timeout=GRACE)
        finally:
            if not closing.done():
                abort(writer)


async def serve_stdio(make: MakeSession) -> None:
    """Serves the program's standard input and output, which belong to the protocol meanwhile: see
    :func:`guarded_stdio`, and :func:`serve_streams` for what becomes of requests when the input ends."""
    running_loop()
    with guarded_stdio() as (stdin, stdout):
        reader, writer, restore = await over_descriptors(stdin, stdout)
        try:
            await serve_streams(make, reader, writer)
        finally:
            restore()


def _connected(
    make: MakeSession,
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The loop ends, where it is cancelled: nobody else has this task, and asyncio would log it.
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await serve_streams(make, reader, writer)

    return serve


async def serve_tcp(make: MakeSession, host: str, port: int) -> asyncio.Server:
    """Serves each connection to a TCP port. There is no authentication: use it behind something
    that has one, or on the loopback interface."""
    running_loop()
    return await asyncio.start_server(_connected(make), host, port)


async def serve_unix(make: MakeSession, path: str) -> asyncio.Server:
    """Serves each connection to a Unix socket."""
    running_loop()
    return await asyncio.start_unix_server(_connected(make), path)
