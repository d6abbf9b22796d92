"""The standard input and output transports of the official SDK (``mcp`` on PyPI), for its lines 1.x and
2.x, on Wireline's framing. A program moves over by changing an import::

    from wireline.mcp import stdio_server        # was: from mcp.server.stdio import stdio_server
    from wireline.mcp import stdio_client, StdioServerParameters    # was: mcp.client.stdio

What is different is listed in docs/python.md: exact framing, a ceiling for each message, and nothing
that a tool prints between the messages, in either line.
"""

from ._client import StdioServerParameters, get_default_environment, stdio_client
from ._messages import LineError
from ._server import stdio_server

__all__ = [
    "LineError",
    "StdioServerParameters",
    "get_default_environment",
    "stdio_client",
    "stdio_server",
]
