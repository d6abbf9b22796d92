"""What a tool's result or a prompt's message is made of."""

from __future__ import annotations

import base64
import collections
import contextlib
import dataclasses
import decimal
import enum
import pathlib
import sys
import uuid
from collections.abc import Mapping, Set, ValuesView
from typing import Any

__all__ = ["Content", "audio", "embedded", "image", "link", "plain", "text"]


class Content(dict[str, Any]):
    """A piece of content, as the protocol writes it."""


def text(value: str) -> Content:
    """Text.

    >>> text("hello")
    {'type': 'text', 'text': 'hello'}
    """
    return Content(type="text", text=value)


def image(data: bytes, mime_type: str = "image/png") -> Content:
    """An image.

    >>> image(b"\\x89PNG")
    {'type': 'image', 'data': 'iVBORw==', 'mimeType': 'image/png'}
    """
    return Content(type="image", data=_base64(data), mimeType=mime_type)


def audio(data: bytes, mime_type: str = "audio/wav") -> Content:
    """A sound."""
    return Content(type="audio", data=_base64(data), mimeType=mime_type)


def link(uri: str, name: str, mime_type: str | None = None) -> Content:
    """A link to a resource."""
    content = Content(type="resource_link", uri=uri, name=name)
    if mime_type is not None:
        content["mimeType"] = mime_type
    return content


def embedded(uri: str, value: str | bytes, mime_type: str | None = None) -> Content:
    """A resource, with what is in it."""
    return Content(type="resource", resource=contents(uri, value, mime_type))


def contents(uri: str, value: str | bytes, mime_type: str | None) -> dict[str, Any]:
    """What is in a resource."""
    entry: dict[str, Any] = {"uri": uri}
    if mime_type is not None:
        entry["mimeType"] = mime_type
    if isinstance(value, str):
        entry["text"] = value
    else:
        entry["blob"] = _base64(value)
    return entry


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON has it: data classes, models and structs as objects, enumerations as their
    values, decimals, UUIDs and paths as text. What JSON has no name for stays as it is, and is refused when it is written."""
    if value is None or isinstance(value, (str, int, float)) and not isinstance(value, enum.Enum):
        return value
    if depth > 200:
        # Too deep for any peer, or without an end.
        raise ValueError("the value is nested too deep, or holds itself")
    if isinstance(value, enum.Enum):
        return plain(value.value, depth + 1)
    if isinstance(value, Mapping):
        return {_key(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, _ARRAYS):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, (decimal.Decimal, uuid.UUID, pathlib.PurePath)):
        # As pydantic and msgspec write them: a number would lose digits.
        return str(value)
    if hasattr(type(value), "__pydantic_serializer__") and "pydantic" in sys.modules:
        adapter = sys.modules["pydantic"].TypeAdapter(type(value))
        return adapter.dump_python(value, mode="json", by_alias=True)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: plain(getattr(value, field.name), depth + 1) for field in fields}
    if hasattr(type(value), "__struct_fields__") and "msgspec" in sys.modules:
        return sys.modules["msgspec"].to_builtins(value)
    if callable(moment := getattr(value, "isoformat", None)):
        return moment()
    return _foreign(value)


_ARRAYS = (list, tuple, Set, ValuesView, collections.deque, range)


def _foreign(value: Any) -> Any:
    """What the libraries that made the schemas write, such as a `timedelta`; bytes are said otherwise: with
    :func:`image`, :func:`audio` or :func:`embedded`."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return value
    for library, function in (("pydantic_core", "to_jsonable_python"), ("msgspec", "to_builtins")):
        if library in sys.modules:
            with contextlib.suppress(Exception):
                return getattr(sys.modules[library], function)(value)
    return value


def _key(key: Any) -> Any:
    return key.value if isinstance(key, enum.Enum) else key
