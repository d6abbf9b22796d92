"""Sessions inside one process, over pairs of sockets: with our own other side, or with one that is written out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import wireline
from wireline.aio import Client, connect_streams, serve_streams
from wireline.server import Server

LIMIT = 30
"""Seconds in which a test is over, or has failed."""


@contextlib.asynccontextmanager
async def connected(server: Server, revision: str | None = None, **options: Any) -> AsyncIterator[Client]:
    """A client of the server, over a pair of sockets."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=theirs)
    serving = asyncio.create_task(serve_streams(server.session, reader, writer))
    if revision is not None:
        options["revisions"] = [revision]
    reader, writer = await asyncio.open_connection(sock=ours)
    async with connect_streams(reader, writer, **options) as client:
        yield client
    await asyncio.wait_for(serving, 10)


def run(body: Callable[[Client], Awaitable[None]], server: Server, *arguments: Any, **options: Any) -> None:
    async def main() -> None:
        async with asyncio.timeout(LIMIT), connected(server, *arguments, **options) as client:
            await body(client)

    asyncio.run(main())


def said(result: Any) -> str:
    [content] = result["content"]
    return str(content["text"])


def in_time(main: Awaitable[Any]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(LIMIT):
            return await main

    return asyncio.run(limited())


class Peer:
    """The other side, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, *lines: bytes) -> None:
        self.writer.write(b"".join(lines))

    async def next(self) -> Any:
        """The next message; the end of the stream is an error."""
        line = await self.reader.readuntil(b"\n")
        return json.loads(line)

    async def until(self, identity: Any) -> Any:
        """The answer to a request, whatever comes before it."""
        while True:
            message = await self.next()
            if message.get("id") == identity and "method" not in message:
                return message

    async def asked(self, method: str) -> Any:
        """The next request or notification of a method, whatever comes before it."""
        while True:
            message = await self.next()
            if message.get("method") == method:
                return message


async def pair() -> tuple[Peer, tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    ours, theirs = socket.socketpair()
    # Little is on its way where nobody reads.
    for it in (ours, theirs):
        it.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
    return Peer(*await asyncio.open_connection(sock=ours, limit=1 << 24)), await asyncio.open_connection(sock=theirs)


@contextlib.asynccontextmanager
async def served(server: Server) -> AsyncIterator[Peer]:
    """A client of the server that is written out."""
    peer, streams = await pair()
    serving = asyncio.create_task(serve_streams(server.session, *streams))
    try:
        yield peer
    finally:
        peer.writer.close()
        await serving


DISCOVERED = {
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}, "resources": {"subscribe": True}, "completions": {}, "logging": {}},
    "resultType": "complete",
    "ttlMs": 0,
    "cacheScope": "private",
}


@contextlib.asynccontextmanager
async def opened(**options: Any) -> AsyncIterator[tuple[Client, Peer]]:
    """A client, and a server of the modern era that is written out."""
    peer, streams = await pair()

    async def discover() -> None:
        request = await peer.asked("server/discover")
        peer.send(wireline.encode_result(request["id"], DISCOVERED))

    opening = asyncio.create_task(discover())
    async with connect_streams(*streams, **options) as client:
        await opening
        try:
            yield client, peer
        finally:
            peer.writer.close()


META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def call(identity: Any, name: str, capabilities: Any = None, **arguments: Any) -> bytes:
    """A tool's call, as a client of the modern era writes it."""
    meta = dict(META)
    if capabilities is not None:
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities
    params = {"name": name, "arguments": arguments, "_meta": meta}
    return wireline.encode_request(identity, "tools/call", params)
