"""The repository's vectors, however the stream is cut."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import pytest
import vectors
import wireline
from vectors import Item, Vector

ALL = vectors.every()
# The two with lines of many MiB are cut at seeded places and not at every one.
SMALL = 64 * 1024


def pieces(data: bytes, cuts: Iterable[int]) -> Iterator[bytes]:
    start = 0
    for cut in [*cuts, len(data)]:
        yield data[start:cut]
        start = cut


def run(vector: Vector, parts: Iterable[bytes]) -> list[Any]:
    decoder = wireline.Decoder(**vector.arguments())  # type: ignore[arg-type]
    items: list[Any] = []
    for part in parts:
        if decoder.closed:
            break
        items += decoder.feed(part)
    items += decoder.finish()
    return items


def number(token: bytes) -> int:
    return int(Decimal(token.decode()))


def seen(item: Any) -> dict[str, bytes]:
    """An item as the fields of a vector, raw values as they came."""
    fields: dict[str, Any] = {}
    if isinstance(item, wireline.Fault):
        fields["id"] = item.raw_id
        if item.raw_id is None:
            fields["hint"] = item.raw_id_hint
        fields["method"] = item.raw_method
        if item.limit is not None:
            fields["limit"] = str(item.limit).encode()
        if item.category in ("limit", "envelope"):
            fields["shape"] = " ".join(item.shape).encode() or None
    else:
        fields["id"] = item.raw_id
        fields["method"] = item.raw_method
        if item.raw_id and b"\\" in item.raw_id:
            fields["id-text"] = item.id.encode()
        if item.raw_method and b"\\" in item.raw_method:
            fields["method-text"] = item.method.encode()
        fields["params"] = item.raw_params
        fields["result"] = item.raw_result
        flags = [name for name, on in (("bom", item.bom), ("null-params", item.null_params)) if on]
        fields["flags"] = " ".join(flags).encode() or None
    if item.batch:
        index, last = item.batch
        fields["batch"] = (f"{index} last" if last else str(index)).encode()
    return {key: value for key, value in fields.items() if value is not None}


def check_error(item: wireline.Error, fields: dict[str, bytes]) -> None:
    assert item.code == number(fields.pop("error.code"))
    assert item.message == json.loads(fields.pop("error.message"))
    assert item.raw_data == fields.pop("error.data", None)
    assert item.error["code"] == item.code
    assert item.raw_error is not None and item.raw_error.startswith(b"{")


def check_meta(item: wireline.Message, fields: dict[str, bytes]) -> None:
    meta = item.meta
    found = {
        "progress-token": meta.progress_token,
        "request-id": meta.request_id,
        "subscription-id": meta.subscription_id,
        "progress": meta.progress,
        "protocol-version": meta.protocol_version,
        "log-level": meta.log_level,
        "result-type": meta.result_type,
        "client-capabilities": meta.client_capabilities,
        "supported": meta.supported,
    }
    for name, value in found.items():
        token = fields.pop(f"meta.{name}", None)
        expected = None if token is None else json.loads(token)
        assert value == expected, name
        if name.endswith("-id") or name == "progress-token":
            assert not isinstance(value, float)


def check(item: Any, expected: Item) -> None:
    fields = dict(expected.fields)
    assert item.kind == expected.kind
    if isinstance(item, wireline.Fault):
        assert (item.offset, item.length) == (expected.at, expected.of)
        if "shape" not in fields:
            fields["shape"] = seen(item).get("shape", b"")
    else:
        assert expected.at is None
        classes = {
            "request": wireline.Request,
            "notification": wireline.Notification,
            "result": wireline.Result,
            "error": wireline.Error,
        }
        assert type(item) is classes[expected.kind]
        if isinstance(item, wireline.Error):
            check_error(item, fields)
        check_meta(item, fields)
        # A fault's limit and shape are no fields of a message.
    assert seen(item) == {key: value for key, value in fields.items() if value or key != "shape"}


def check_all(items: list[Any], expected: list[Item]) -> None:
    assert [str(item.kind) for item in items] == [item.kind for item in expected]
    for item, wanted in zip(items, expected, strict=True):
        check(item, wanted)


def same(items: list[Any]) -> list[Any]:
    """What must not depend on the cuts: all but what lies where."""
    return [
        (type(item), item.kind, item.position, item.line, item.batch)
        + (
            (item.offset, item.length, item.raw_id, item.raw_id_hint, item.excerpt)
            if isinstance(item, wireline.Fault)
            else (item.raw, item.raw_id, item.raw_method, item.raw_params, item.bom)
        )
        for item in items
    ]


def test_there_are_vectors() -> None:
    assert sum(len(vector.items) for vector in ALL) > 900


@pytest.mark.parametrize("vector", ALL, ids=str)
def test_whole(vector: Vector) -> None:
    check_all(run(vector, [vector.data]), vector.items)


@pytest.mark.parametrize("vector", [it for it in ALL if len(it.data) <= SMALL], ids=str)
def test_every_cut(vector: Vector) -> None:
    data = vector.data
    whole = same(run(vector, [data]))
    assert same(run(vector, [data[i : i + 1] for i in range(len(data))])) == whole
    step = 1 if len(data) <= 4200 else len(data) // 800
    for cut in range(0, len(data) + 1, step):
        assert same(run(vector, pieces(data, [cut]))) == whole, cut
    chance = random.Random(f"cuts of {vector}")
    for _ in range(8):
        cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.randrange(1, 9)))
        assert same(run(vector, pieces(data, cuts))) == whole, cuts


@pytest.mark.parametrize("vector", [it for it in ALL if len(it.data) > SMALL], ids=str)
def test_long_lines_in_pieces(vector: Vector) -> None:
    data = vector.data
    for size in (65536, 1_000_003):
        items = run(vector, [data[i : i + size] for i in range(0, len(data), size)])
        check_all(items, vector.items)


@pytest.mark.parametrize("vector", ALL, ids=str)
def test_crlf(vector: Vector) -> None:
    data = vector.data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    if b"\r\n" in vector.data or "limit-discard" in vector.settings:
        # Lengths would differ: CRs that are no line ends are part of what is counted.
        data = vector.data
    check_all(run(vector, [data]), vector.items)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_other_buffers(kind: Any) -> None:
    for vector in ALL:
        if len(vector.data) <= SMALL:
            check_all(run(vector, [kind(vector.data)]), vector.items)


def stream_events(vector: Vector, parts: Iterable[bytes]) -> list[Any]:
    arguments = vector.arguments()
    del arguments["batches"]
    decoder = wireline.StreamDecoder(**arguments)  # type: ignore[arg-type]
    events: list[Any] = []
    for part in parts:
        if decoder.closed:
            break
        events += decoder.feed(part)
    return events + decoder.finish()


def joined(events: list[Any]) -> list[tuple[Any, ...]]:
    """Each message or fault with its bodies joined."""
    found: list[tuple[Any, ...]] = []
    bodies: dict[str, bytes] = {}
    for event in events:
        match event:
            case wireline.Body(part, data):
                bodies[part] = bodies.get(part, b"") + data
            case wireline.Head(kind=None):
                pass
            case wireline.Head():
                assert event.final
                found.append(
                    (event.kind, event.raw_id, event.raw_method, bodies, event.null_params)
                )
                bodies = {}
            case wireline.Fault():
                found.append((event.kind, event.offset, event.length, event.raw_id))
                bodies = {}
    return found


def expected_of_stream(item: Item) -> tuple[Any, ...]:
    if item.at is not None:
        return (item.kind, item.at, item.of, item.fields.get("id"))
    return (item.kind, item.fields.get("id"), item.fields.get("method"))


SINGLE = [it for it in ALL if it.settings.get("batches") != "on"]


@pytest.mark.parametrize("vector", SINGLE, ids=str)
def test_streamed(vector: Vector) -> None:
    data = vector.data
    small = len(data) <= SMALL
    ways = [[data], [data[i : i + 65536] for i in range(0, len(data), 65536)]]
    if small:
        ways.append([data[i : i + 1] for i in range(len(data))])
        if len(data) <= 400:
            ways += [list(pieces(data, [cut])) for cut in range(len(data) + 1)]
    for way in ways:
        found = joined(stream_events(vector, way))
        assert len(found) == len(vector.items)
        for event, item in zip(found, vector.items, strict=True):
            if item.at is not None:
                assert event == expected_of_stream(item)
                continue
            assert event[:3] == expected_of_stream(item)
            # A body beside the one that counts is handed out as well, and means nothing.
            part = {"request": "params", "notification": "params"}.get(item.kind, item.kind)
            body = None if event[4] and event[3].get(part) == b"null" else event[3].get(part)
            if part == "error":
                assert body is not None and body.startswith(b"{")
            else:
                assert body == item.fields.get(part)


def test_parse() -> None:
    ran = 0
    for vector in ALL:
        framed = b"\n" in vector.data[:-1] or b"\r" in vector.data or vector.data.startswith(b"\xef\xbb\xbf")
        single = len(vector.items) == 1 and vector.data.endswith(b"\n") and not framed
        if not single or {"batches", "limit-discard"} & set(vector.settings):
            continue
        arguments = vector.arguments()
        for name in ("batches", "eof_completes_line", "max_discard"):
            del arguments[name]
        line, item = vector.data[:-1], vector.items[0]
        try:
            message: Any = wireline.parse(line, **arguments)  # type: ignore[arg-type]
        except wireline.RemoteProtocolError as error:
            assert (error.kind, error.offset) == (item.kind, item.at)
            message = error.fault
            assert str(error) == str(message)
        check(message, item)
        ran += 1
    assert ran > 300
