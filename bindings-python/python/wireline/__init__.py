"""A sans-IO protocol core for the Model Context Protocol: newline-framed JSON-RPC 2.0, read, checked,
classified and written with exact limits, and the sessions above it.

Three levels, each usable alone:

* :class:`Decoder`, :class:`StreamDecoder`, :func:`parse` and the ``encode_…`` functions: messages
  out of bytes, and bytes out of messages;
* :class:`Connection`: one side of a session, without I/O and without a clock;
* :mod:`wireline.aio`: clients and servers over asyncio; :mod:`wireline.mcp`: the transports of
  the official SDK. Both are imported by name only.

>>> import wireline
>>> decoder = wireline.Decoder()
>>> for item in decoder.feed(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\nListening on 8080\\n'):
...     match item:
...         case wireline.Request(method="ping", id=id):
...             print(wireline.encode_result(id, {}))
...         case wireline.Fault(kind, offset):
...             print(kind, "at byte", offset)
b'{"jsonrpc":"2.0","id":1,"result":{}}\\n'
not-json at byte 0
"""

from ._errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from ._wireline import (
    Body,
    Connection,
    Decoder,
    Error,
    ErrorReceived,
    Event,
    Fault,
    Handled,
    Head,
    Ignored,
    Incoming,
    InputRequired,
    Message,
    Meta,
    Notification,
    NotificationReceived,
    ProgressReceived,
    Request,
    RequestCancelled,
    RequestEnded,
    RequestReceived,
    Result,
    StateChanged,
    StreamDecoder,
    Subscribed,
    __version__,
    encode_error,
    encode_notification,
    encode_request,
    encode_result,
    parse,
)

__all__ = [
    "Body",
    "Connection",
    "Decoder",
    "Error",
    "ErrorReceived",
    "Event",
    "Fault",
    "Handled",
    "Head",
    "Ignored",
    "Incoming",
    "InputRequired",
    "LocalProtocolError",
    "Message",
    "Meta",
    "Notification",
    "NotificationReceived",
    "ProgressReceived",
    "ProtocolError",
    "RemoteProtocolError",
    "Request",
    "RequestCancelled",
    "RequestEnded",
    "RequestReceived",
    "Result",
    "StateChanged",
    "StreamDecoder",
    "Subscribed",
    "__version__",
    "encode_error",
    "encode_notification",
    "encode_request",
    "encode_result",
    "parse",
]
