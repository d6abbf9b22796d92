"""Servers of typed functions.

>>> from wireline.server import Context, Server
>>> server = Server("weather", "1.0")
>>> @server.tool
... async def forecast(city: str, days: int = 1, *, context: Context) -> str:
...     '''The forecast for a city.
...
...     Args:
...         city: Its name, in English.
...     '''
...     context.progress(1, days)
...     return f"sun in {city}"
>>> @server.resource("weather://stations", mime_type="text/plain")
... def stations() -> str:
...     return "Oslo"
>>> @server.prompt
... def compare(a: str, b: str) -> str:
...     "Compares two cities."
...     return f"Compare the weather of {a} and {b}."
>>> [tool["inputSchema"]["required"] for tool in server.tools]
[['city']]

``server.run()`` serves standard input and output; :meth:`Server.session` makes a session over any
streams.
"""

from wireline.aio import RequestError

from ._content import audio, embedded, image, link, text
from ._context import Context
from ._functions import ToolError, ToolResult
from ._schema import ArgumentError, SchemaError
from ._server import Server

__all__ = [
    "ArgumentError",
    "Context",
    "RequestError",
    "SchemaError",
    "Server",
    "ToolError",
    "ToolResult",
    "audio",
    "embedded",
    "image",
    "link",
    "text",
]
