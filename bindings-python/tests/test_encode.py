"""Lines that are written."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import wireline


def test_each_kind() -> None:
    assert wireline.encode_request(1, "a") == b'{"jsonrpc":"2.0","id":1,"method":"a"}\n'
    assert (
        wireline.encode_request("x", "a/b", {"k": ["ü", None, True, 1.5]})
        == '{"jsonrpc":"2.0","id":"x","method":"a/b","params":{"k":["ü",null,true,1.5]}}\n'.encode()
    )
    assert wireline.encode_notification("n") == b'{"jsonrpc":"2.0","method":"n"}\n'
    assert wireline.encode_result(2, {}) == b'{"jsonrpc":"2.0","id":2,"result":{}}\n'
    assert (
        wireline.encode_error(3, -32601, "Method not found", {"x": 1})
        == b'{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found","data":{"x":1}}}\n'
    )
    assert wireline.encode_error(None, -32700, "Parse error").startswith(b'{"jsonrpc":"2.0","error"')
    assert b'"id":null' in wireline.encode_error(None, -32700, "Parse error", null_id=True)


def test_raw_json_is_checked_and_kept_on_its_line() -> None:
    line = wireline.encode_result(1, b'{\r\n "a": 1\r\n}')
    assert line == b'{"jsonrpc":"2.0","id":1,"result":{ "a": 1}}\n'
    with pytest.raises(wireline.LocalProtocolError, match="no JSON value") as caught:
        wireline.encode_result(1, b'{"a":01}')
    assert caught.value.kind == "bad-value"


def test_long_payloads() -> None:
    text = "x" * 3_000_000
    line = wireline.encode_result(1, {"t": text})
    assert json.loads(line)["result"]["t"] == text


class Odd:
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


cyclic: list[Any] = []
cyclic.append(cyclic)
deep: Any = {}
for _ in range(100_000):
    deep = {"d": deep}


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), b"bytes", object(), {1, 2}, Odd(), cyclic, deep, "\ud800", {(1,): 2}],
    ids=["nan", "infinity", "bytes", "object", "set", "odd", "cyclic", "deep", "surrogate", "tuple-key"],
)
def test_values_that_are_no_json(value: Any) -> None:
    calls: list[Callable[[], bytes]] = [
        lambda: wireline.encode_request(1, "m", {"v": value}),
        lambda: wireline.encode_notification("m", {"v": value}),
        lambda: wireline.encode_result(1, {"v": value}),
        lambda: wireline.encode_error(1, 5, "x", {"v": value}),
    ]
    for call in calls:
        with pytest.raises(wireline.LocalProtocolError) as caught:
            call()
        assert caught.value.kind == "bad-value"
        assert isinstance(str(caught.value), str)


def test_nested_deeper_than_a_peer_takes() -> None:
    value: Any = {}
    for _ in range(125):
        value = {"d": value}
    # In the message's own object that is as deep as a decoder reads.
    [message] = wireline.Decoder().feed(wireline.encode_result(1, value))
    assert isinstance(message, wireline.Result)
    value = {"d": value}
    with pytest.raises(wireline.LocalProtocolError, match="too many containers are open"):
        wireline.encode_result(1, value)
    value = {"d": value}
    with pytest.raises(wireline.LocalProtocolError, match="deeper than the ceiling"):
        wireline.encode_result(1, value)


@pytest.mark.parametrize("value", [[1], "text", 5, True], ids=repr)
def test_payloads_are_objects(value: Any) -> None:
    with pytest.raises(wireline.LocalProtocolError, match="must be JSON objects"):
        wireline.encode_result(1, value)
    assert wireline.encode_result(1, value, profile="json-rpc")


@pytest.mark.parametrize("identity", [2**53, -(2**53), 2**70, "", b"1.5", b"null", b"01", b"1e2", "\ud800"])
def test_ids_that_no_request_may_have(identity: Any) -> None:
    with pytest.raises(wireline.LocalProtocolError) as caught:
        wireline.encode_request(identity, "m")
    assert caught.value.kind == "bad-id"


@pytest.mark.parametrize("identity", [True, 1.0, None, [1], object()])
def test_ids_of_the_wrong_type(identity: Any) -> None:
    with pytest.raises(TypeError):
        wireline.encode_request(identity, "m")


@pytest.mark.parametrize("identity", [2**53, 2**70, -(2**90), "", b"1e2", b"1.0", b'"\\u0041"'])
def test_an_answer_echoes_any_id(identity: Any) -> None:
    line = wireline.encode_result(identity, {})
    token = identity if isinstance(identity, bytes) else json.dumps(identity).encode()
    assert line == b'{"jsonrpc":"2.0","id":' + token + b',"result":{}}\n'


def test_hooks() -> None:
    line = wireline.encode_request(1, "m", {"x": 1}, dumps=lambda value: b'{"p":1}')
    assert line.endswith(b'"params":{"p":1}}\n')
    line = wireline.encode_request(1, "m", {"x": 1}, dumps=lambda value: '{"p":2}')
    assert line.endswith(b'"params":{"p":2}}\n')
    with pytest.raises(TypeError, match="dumps returned int"):
        wireline.encode_request(1, "m", {"x": 1}, dumps=lambda value: 5)  # type: ignore[arg-type, return-value]
    with pytest.raises(wireline.LocalProtocolError, match="no JSON value"):
        wireline.encode_request(1, "m", {"x": 1}, dumps=lambda value: b"{")

    def interrupted(value: object) -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wireline.encode_request(1, "m", {"x": 1}, dumps=interrupted)
