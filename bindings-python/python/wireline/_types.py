"""Types that several modules name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

__all__ = [
    "CacheScope",
    "Dumps",
    "Failure",
    "IgnoredReason",
    "Kind",
    "Loads",
    "LogLevel",
    "Outcome",
    "Profile",
    "Role",
    "State",
]

Kind: TypeAlias = Literal["request", "notification", "result", "error"]
"""The kind of a message."""

Profile: TypeAlias = Literal["mcp", "json-rpc"]
"""Which payloads an envelope may carry: MCP's objects, or whatever JSON-RPC 2.0 allows."""

Role: TypeAlias = Literal["client", "server"]
"""A side of a session."""

State: TypeAlias = Literal["idle", "probing", "opening", "ready", "failed", "closed"]
"""Where a session is."""

Failure: TypeAlias = Literal[
    "no-common-revision",
    "refused",
    "bad-response",
    "too-long",
    "timed-out",
    "closed-while-probing",
    "closed",
]
"""Why no session came about."""

Outcome: TypeAlias = Literal[
    "result",
    "error",
    "bad-response",
    "too-long",
    "too-many-rounds",
    "timed-out",
    "cancelled",
    "closed",
]
"""How a request of ours ended."""

IgnoredReason: TypeAlias = Literal[
    "fault",
    "late",
    "unknown-id",
    "duplicate-id",
    "unknown-target",
    "wrong-side",
    "wrong-state",
    "not-a-request",
]
"""Why what came changes nothing."""

LogLevel: TypeAlias = Literal[
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"
]
"""How grave a log message is."""

CacheScope: TypeAlias = Literal["public", "private"]
"""By whom a result may be kept."""

Loads: TypeAlias = Callable[[bytes], Any]
"""Reads JSON: ``orjson.loads``, ``msgspec.json.decode``, …"""

Dumps: TypeAlias = Callable[[Any], "str | bytes"]
"""Writes JSON: ``orjson.dumps``, ``msgspec.json.encode``, …"""
