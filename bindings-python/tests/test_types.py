"""What a type checker takes a message to be is what it is."""

from __future__ import annotations

from typing import Any, Literal, assert_type

import pytest
import wireline

LINES = b"""{"jsonrpc":"2.0","id":1,"method":"ping"}
{"jsonrpc":"2.0","id":"a","method":"ping"}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1e2,"result":{}}
{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"no"}}
{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}
{"jsonrpc":"2.0","error":{"code":-32600,"message":"no","data":null}}
{"jsonrpc":"2.0","id":null,"method":"ping"}
{"jsonrpc":"2.0","id":null,"result":{}}
"""


def described(item: wireline.Message | wireline.Fault) -> tuple[object, ...]:
    """The annotations are the checker's; that they are true is tested below."""
    match item:
        case wireline.Request():
            assert_type(item.id, int | str | Any)
            assert_type(item.raw_id, bytes)
            assert_type(item.method, str)
            assert_type(item.raw_method, bytes)
            return item.id, item.raw_id, item.method, item.raw_method
        case wireline.Notification():
            assert_type(item.id, None)
            assert_type(item.method, str)
            return item.id, item.raw_id, item.method, item.raw_method
        case wireline.Result():
            assert_type(item.id, int | str | Any)
            assert_type(item.raw_result, bytes)
            return item.id, item.raw_id, item.raw_result
        case wireline.Error():
            assert_type(item.id, int | str | None)
            assert_type(item.raw_error, bytes)
            return item.id, item.raw_id, item.code, item.raw_data
        case wireline.Fault():
            assert_type(item.id, int | str | None)
            return item.kind, item.id, item.raw_id
    raise AssertionError(item)


def test_the_types_are_those_of_the_stubs() -> None:
    told = [described(item) for item in wireline.Decoder().feed(LINES)]
    assert told == [
        (1, b"1", "ping", b'"ping"'),
        ("a", b'"a"', "ping", b'"ping"'),
        (None, None, "notifications/initialized", b'"notifications/initialized"'),
        (100, b"1e2", b"{}"),
        ("a", b'"a"', -32600, None),
        (None, None, -32600, None),
        (None, None, -32600, b"null"),
        ("bad-id", None, None),
        ("bad-id", None, None),
    ]
    # Everything that JSON-RPC calls an id.
    lines = b"""{"jsonrpc":"2.0","id":null,"method":"x"}
{"jsonrpc":"2.0","id":1.5,"method":"x"}
{"jsonrpc":"2.0","id":null,"result":5}
"""
    assert [described(item) for item in wireline.Decoder(profile="json-rpc").feed(lines)] == [
        (None, b"null", "x", b'"x"'),
        (1.5, b"1.5", "x", b'"x"'),
        (None, b"null", b"5"),
    ]
