"""Types that several modules name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

__all__ = ["Dumps", "Kind", "Loads", "Profile", "Role"]

Kind: TypeAlias = Literal["request", "notification", "result", "error"]
"""The kind of a message."""

Profile: TypeAlias = Literal["mcp", "json-rpc"]
"""Which payloads an envelope may carry: MCP's objects, or whatever JSON-RPC 2.0 allows."""

Role: TypeAlias = Literal["client", "server"]
"""A side of a session."""

Loads: TypeAlias = Callable[[bytes], Any]
"""Reads JSON: ``orjson.loads``, ``msgspec.json.decode``, …"""

Dumps: TypeAlias = Callable[[Any], "str | bytes"]
"""Writes JSON: ``orjson.dumps``, ``msgspec.json.encode``, …"""
