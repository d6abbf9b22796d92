"""Wireline's messages as the SDK's, and back, in whichever line of the SDK is installed."""

from __future__ import annotations

import importlib
from typing import Any

import wireline

__all__ = ["LineError", "SessionMessage", "line_of", "received", "streams"]

try:
    types: Any = importlib.import_module("mcp_types")
    SDK = 2
except ImportError:
    types = importlib.import_module("mcp.types")
    SDK = 1

SessionMessage: Any = importlib.import_module("mcp.shared.message").SessionMessage


class LineError(wireline.RemoteProtocolError, ValueError):
    """A line that is no message, as it is put on the read stream. A `ValueError`, as the SDK's own
    are."""


def received(item: wireline.Message | wireline.Fault) -> Any:
    """What the SDK's read streams carry: a `SessionMessage`, or an exception for a line that is no
    message."""
    if isinstance(item, wireline.Fault):
        return LineError.from_fault(item)
    try:
        message = _MAKE[item.kind](item)
    except (ValueError, RecursionError) as error:
        # A number of more digits than Python takes, say.
        return error
    if isinstance(message, Exception):
        return message
    if SDK == 1:
        message = types.JSONRPCMessage.model_construct(message)
    return SessionMessage(message)


# The envelope has been checked, so the models are not asked to check it again.


def _request(item: Any) -> Any:
    fields: dict[str, Any] = {"method": item.method, "jsonrpc": "2.0", "id": item.id}
    return _with_params(types.JSONRPCRequest, fields, item)


def _notification(item: Any) -> Any:
    return _with_params(types.JSONRPCNotification, {"method": item.method, "jsonrpc": "2.0"}, item)


def _with_params(model: Any, fields: dict[str, Any], item: Any) -> Any:
    params = item.params
    if params is not None or item.null_params:
        fields["params"] = params
    return model.model_construct(**fields)


def _result(item: Any) -> Any:
    return types.JSONRPCResponse.model_construct(jsonrpc="2.0", id=item.id, result=item.result)


def _error(item: Any) -> Any:
    if item.id is None and SDK == 1:
        # Its model has no place for an error that answers nothing in particular.
        return LineError(f"an error without an id: {item.message}", kind="no-id")
    fields: dict[str, Any] = {"code": item.code, "message": item.message}
    if item.raw_data is not None:
        fields["data"] = item.data
    error = types.ErrorData.model_construct(**fields)
    return types.JSONRPCError.model_construct(jsonrpc="2.0", id=item.id, error=error)


_MAKE = {"request": _request, "notification": _notification, "result": _result, "error": _error}


def line_of(message: Any) -> str:
    """A `SessionMessage`'s line, as the SDK writes it."""
    if SDK == 1:
        text: str = message.message.model_dump_json(by_alias=True, exclude_none=True)
    else:
        text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
    return text + "\n"


def streams() -> tuple[Any, Any, Any, Any]:
    """A server's streams, of the SDK's kind: the writer and reader of what comes in, and of what goes
    out. They hold nothing: who sends waits until it is taken."""
    if SDK == 2:
        make: Any = importlib.import_module("mcp.shared._context_streams").create_context_streams
        return *make(0), *make(0)
    import anyio

    return *anyio.create_memory_object_stream[Any](0), *anyio.create_memory_object_stream[Any](0)
