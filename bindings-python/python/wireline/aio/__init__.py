"""Clients and servers over asyncio: child processes, standard input and output, sockets.

>>> import asyncio, sys
>>> from wireline.aio import connect_process
>>> program = '''
... from wireline.server import Server
... server = Server("adder")
... @server.tool
... def add(a: int, b: int) -> int:
...     "Adds two numbers."
...     return a + b
... server.run()
... '''
>>> async def main():
...     async with connect_process(sys.executable, "-c", program) as client:
...         return await client.call_tool("add", {"a": 2, "b": 3})
>>> asyncio.run(main())["structuredContent"]
{'result': 5}
"""

from ._client import (
    Client,
    connect_process,
    connect_stdio,
    connect_streams,
    connect_tcp,
    connect_unix,
)
from ._guard import StdoutWarning, guarded_stdio
from ._serve import serve_stdio, serve_streams, serve_tcp, serve_unix
from ._session import ConnectionClosed, RequestContext, RequestError, Session
from ._subscription import Subscription, SubscriptionError

__all__ = [
    "Client",
    "ConnectionClosed",
    "RequestContext",
    "RequestError",
    "Session",
    "StdoutWarning",
    "Subscription",
    "SubscriptionError",
    "connect_process",
    "connect_stdio",
    "connect_streams",
    "connect_tcp",
    "connect_unix",
    "guarded_stdio",
    "serve_stdio",
    "serve_streams",
    "serve_tcp",
    "serve_unix",
]
