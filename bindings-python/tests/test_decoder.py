"""What a decoder does beside reading: buffers, laziness, hooks, limits, misuse."""

from __future__ import annotations

import array
import copy
import gc
import json
import mmap
import pickle
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import pytest
import wireline
from hypothesis import given, settings
from hypothesis import strategies as st

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
CALL = (
    b'{"method":"tools\\/call","params":{"name":"led","_meta":{"progressToken":"t"}},'
    b'"jsonrpc":"2.0","id":"a\\u0062"}\n'
)
ERROR = b'{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no \\"x\\"","data":[1]}}\n'


def only(items: list[wireline.Message | wireline.Fault]) -> wireline.Message:
    """The one item, which is a message."""
    [item] = items
    assert isinstance(item, wireline.Message)
    return item


def test_a_request() -> None:
    [message] = wireline.Decoder().feed(CALL)
    assert isinstance(message, wireline.Request) and isinstance(message, wireline.Message)
    assert (message.kind, message.method, message.id) == ("request", "tools/call", "ab")
    assert (message.raw_id, message.raw_method) == (b'"a\\u0062"', b'"tools\\/call"')
    assert message.params == {"name": "led", "_meta": {"progressToken": "t"}}
    assert message.raw_params == b'{"name":"led","_meta":{"progressToken":"t"}}'
    assert (message.result, message.raw_result, message.error, message.raw_error) == (None,) * 4
    assert message.meta.progress_token == "t"
    assert message.raw == bytes(message) == CALL[:-1]
    assert (message.position, message.line, message.batch) == (0, 1, None)


def test_an_error() -> None:
    [message] = wireline.Decoder().feed(ERROR)
    assert isinstance(message, wireline.Error)
    assert (message.code, message.message, message.data) == (-32601, 'no "x"', [1])
    assert message.error == {"code": -32601, "message": 'no "x"', "data": [1]}


def test_match() -> None:
    def name(item: wireline.Message | wireline.Fault) -> object:
        match item:
            case wireline.Request("ping", _, id):
                return "ping", id
            case wireline.Request(method="tools/call", params={"name": tool}):
                return "call", tool
            case wireline.Notification(method, params):
                return method, params
            case wireline.Result(id, result):
                return id, result
            case wireline.Error(id, code, text):
                return id, code, text
            case wireline.Fault(kind, offset, id):
                return kind, offset, id
        raise AssertionError(item)

    data = PING + CALL + ERROR + b'{"jsonrpc":"2.0","method":"n"}\n{"jsonrpc":"2.0","id":3,"result":{}}\n'
    items = wireline.Decoder().feed(data + b'{"jsonrpc":"2.0","id":9,"method":1}\n')
    assert [name(item) for item in items] == [
        ("ping", 1),
        ("call", "led"),
        (2, -32601, 'no "x"'),
        ("n", None),
        (3, {}),
        ("bad-method", 33, 9),
    ]


def test_places_in_the_stream() -> None:
    decoder = wireline.Decoder()
    items = decoder.feed(PING + b"\nnoise\n" + PING)
    items += decoder.feed(PING[:9])
    assert decoder.pending == 9
    items += decoder.feed(PING[9:])
    places = [(item.position, item.line) for item in items]
    n = len(PING)
    assert places == [(0, 1), (n + 1, 3), (n + 7, 4), (2 * n + 7, 5)]
    assert decoder.finish() == []


def test_the_end_of_input() -> None:
    decoder = wireline.Decoder()
    assert decoder.feed(PING[:20]) == []
    [fault] = decoder.finish()
    assert isinstance(fault, wireline.Fault)
    assert (fault.kind, fault.offset, fault.category) == ("truncated", 20, "stream")
    # As new.
    assert [item.kind for item in decoder.feed(PING)] == ["request"]
    lenient = wireline.Decoder(eof_completes_line=True)
    assert lenient.feed(PING[:-1]) == []
    [message] = lenient.finish()
    assert message.method == "ping"


@pytest.mark.parametrize(
    ("token", "value"),
    [
        (b"9007199254740993", 2**53 + 1),
        (b"-0", 0),
        (b"1.0", 1),
        (b"1e2", 100),
        (b"18446744073709551616", 2**64),
        (b"1e40", 10**40),
        (b"12345678901234567890.0", 12345678901234567890),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"1"', "1"),
    ],
)
def test_ids_are_exact(token: bytes, value: object) -> None:
    message = wireline.parse(b'{"jsonrpc":"2.0","method":"m","id":' + token + b"}")
    assert message.raw_id == token
    assert message.id == value and type(message.id) is type(value)
    answer = wireline.encode_result(token, {})
    assert answer == b'{"jsonrpc":"2.0","id":' + token + b',"result":{}}\n'


def test_an_id_too_large_to_be_written_out() -> None:
    message = wireline.parse(b'{"jsonrpc":"2.0","method":"m","id":1e99999999}')
    assert message.raw_id == b"1e99999999"
    with pytest.raises(ValueError, match="more than 4300 digits"):
        _ = message.id
    assert "1e99999999" in repr(message)


def fed(data: Any) -> list[Any]:
    decoder = wireline.Decoder()
    return [(item.kind, bytes(item)) for item in decoder.feed(data) if isinstance(item, wireline.Message)]


def test_every_kind_of_buffer(tmp_path: Path) -> None:
    data = PING + CALL + ERROR
    expected = fed(data)
    assert len(expected) == 3

    class Bytes(bytes):
        pass

    spread = bytearray(2 * len(data))
    spread[::2] = data
    padded = data + b"\n" * (-len(data) % 4)
    buffers = [
        bytearray(data),
        memoryview(data),
        memoryview(bytearray(data)),
        memoryview(spread)[::2],
        memoryview(data[::-1])[::-1],
        memoryview(padded).cast("I"),
        array.array("B", data),
        Bytes(data),
    ]
    for buffer in buffers:
        assert fed(buffer) == expected, buffer
    path = tmp_path / "session"
    path.write_bytes(data)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert fed(mapped) == expected
        view = memoryview(mapped)
        assert fed(view) == expected
        # Nothing holds on to the mapping, or closing it would fail.
        view.release()
    assert fed(b"") == fed(bytearray()) == []


def test_a_buffer_may_change_after_the_call() -> None:
    buffer = bytearray(PING)
    message = only(wireline.Decoder().feed(buffer))
    buffer[:] = b"x" * len(buffer)
    assert message.raw == PING[:-1]
    assert message.method == "ping"
    # It can also be resized at once: no view of it is left.
    buffer.clear()


def test_what_is_no_buffer() -> None:
    decoder = wireline.Decoder()
    with pytest.raises(TypeError, match="takes bytes, not str; encode the text as UTF-8"):
        decoder.feed("{}")  # type: ignore[arg-type]
    for wrong in (None, 5, [1, 2], object()):
        with pytest.raises(TypeError, match="takes bytes, not"):
            decoder.feed(wrong)  # type: ignore[arg-type]
    released = memoryview(b"abc")
    released.release()
    with pytest.raises(ValueError, match="released"):
        decoder.feed(released)
    assert [item.kind for item in decoder.feed(PING)] == ["request"]


def test_lines_are_not_copied() -> None:
    chunk = PING * 1000
    before = sys.getrefcount(chunk)
    items = wireline.Decoder().feed(chunk)
    assert sys.getrefcount(chunk) == before + 1000
    detached = [item.detach() for item in items if isinstance(item, wireline.Message)]
    assert detached == items
    del items
    assert sys.getrefcount(chunk) == before
    assert detached[7].position == 7 * len(PING)
    assert detached[0].detach() is detached[0]


def test_a_message_is_small_beside_its_chunk() -> None:
    chunk = PING * 10
    [message, *_] = wireline.Decoder().feed(chunk)
    assert sys.getsizeof(message) <= 208


def test_frozen() -> None:
    [message] = wireline.Decoder().feed(PING)
    for name in ("id", "method", "new"):
        with pytest.raises(AttributeError):
            setattr(message, name, 1)
    for kind in (wireline.Message, wireline.Request, wireline.Fault, wireline.Meta, wireline.Head):
        with pytest.raises(TypeError):
            kind()
    with pytest.raises(TypeError):
        type("Sub", (wireline.Request,), {})


def test_equality_and_copies() -> None:
    [a, b] = wireline.Decoder().feed(PING * 2)
    assert a == b and hash(a) == hash(b)
    assert a != wireline.Decoder().feed(CALL)[0]
    assert a != PING and a != 1
    assert copy.copy(a) is a and copy.deepcopy(a) is a
    [fault] = wireline.Decoder().feed(b"x\n")
    assert fault == wireline.Decoder().feed(b"x\n")[0]
    assert fault != wireline.Decoder().feed(b"y\n")[0]
    assert len({fault, wireline.Decoder().feed(b"x\n")[0]}) == 1


def test_representations() -> None:
    items = wireline.Decoder().feed(CALL + b"oops!\n")
    assert repr(items[0]).startswith('Request(method="tools\\/call", id="a\\u0062", params={"name"')
    assert repr(items[1]) == "Fault(kind='not-json', offset=0, length=5, id=None, line=2)"
    assert str(items[1]) == "the line does not begin like JSON at byte 0 of 5"
    assert repr(items[0].meta) == "Meta(progress_token='t')"  # type: ignore[union-attr]
    long = b'{"jsonrpc":"2.0","method":"m","params":{"t":"' + "ü".encode() * 500 + b'"}}'
    assert len(repr(wireline.parse(long))) < 200


def test_exceptions_can_be_pickled() -> None:
    with pytest.raises(wireline.RemoteProtocolError) as caught:
        wireline.parse(b"hello")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.kind, again.offset) == (str(caught.value), "not-json", 0)
    error = pickle.loads(pickle.dumps(wireline.LocalProtocolError("x", kind="gate", rule="R8")))
    assert (str(error), error.kind, error.rule) == ("x", "gate", "R8")


def test_loads_is_called_when_asked() -> None:
    seen: list[bytes] = []

    def loads(data: bytes) -> object:
        seen.append(data)
        return json.loads(data, parse_float=str)

    decoder = wireline.Decoder(loads=loads)
    line = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":1.50}}\n'
    message = only(decoder.feed(line))
    assert seen == []
    assert message.params == {"x": "1.50"}
    assert message.detach().params == {"x": "1.50"}
    assert seen == [b'{"x":1.50}'] * 2
    with pytest.raises(TypeError, match="loads must be callable"):
        wireline.Decoder(loads=3)  # type: ignore[arg-type]

    def broken(data: bytes) -> object:
        raise RuntimeError("broken hook")

    message = only(wireline.Decoder(loads=broken).feed(line))
    with pytest.raises(RuntimeError, match="broken hook"):
        _ = message.params
    assert message.raw_params == b'{"x":1.50}'


def test_a_hook_may_feed_the_same_decoder() -> None:
    decoder: wireline.Decoder

    def loads(data: bytes) -> object:
        return len(decoder.feed(PING))

    decoder = wireline.Decoder(loads=loads)
    assert only(decoder.feed(CALL)).params == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_message", 63),
        ("max_message", 2**32 - 1),
        ("max_depth", 3),
        ("max_depth", 128),
        ("max_id", 0),
        ("max_id", 16385),
        ("max_method", 16385),
        ("max_discard", 0),
        ("max_discard", 1000),
        ("profile", "lsp"),
    ],
)
def test_limits_out_of_range(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        wireline.Decoder(**{name: value})  # type: ignore[arg-type]


def test_limits_of_the_wrong_type() -> None:
    with pytest.raises(TypeError):
        wireline.Decoder(max_message="1")  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        wireline.Decoder(max_message=-1)
    with pytest.raises(TypeError):
        wireline.Decoder(4096)  # type: ignore[call-arg]


def test_a_closed_decoder() -> None:
    decoder = wireline.Decoder(max_message=100, max_discard=200)
    [fault] = decoder.feed(b"x" * 500)
    assert isinstance(fault, wireline.Fault)
    assert (fault.kind, fault.limit) == ("runaway", 200)
    assert decoder.closed
    with pytest.raises(wireline.LocalProtocolError, match="reset") as caught:
        decoder.feed(PING)
    assert caught.value.kind == "closed"
    decoder.reset()
    assert [item.kind for item in decoder.feed(PING)] == ["request"]
    stream = wireline.StreamDecoder(max_message=100, max_discard=200)
    assert [event.kind for event in stream.feed(b"x" * 500)] == ["runaway"]  # type: ignore[union-attr]
    with pytest.raises(wireline.LocalProtocolError, match="reset"):
        stream.feed(PING)
    stream.reset()
    assert len(stream.feed(PING)) == 1


def test_too_long_keeps_the_id() -> None:
    decoder = wireline.Decoder(max_message=64)
    line = b'{"method":"m","params":{"x":"' + b"x" * 1000 + b'"},"jsonrpc":"2.0","id":7}\n'
    [fault] = decoder.feed(line)
    assert isinstance(fault, wireline.Fault)
    assert (fault.kind, fault.id, fault.limit, fault.length) == ("too-long", 7, 64, len(line) - 1)
    assert fault.shape == ("jsonrpc", "method")
    assert len(fault.excerpt) == 48


def test_batches() -> None:
    decoder = wireline.Decoder(batches=True)
    line = b'[{"jsonrpc":"2.0","id":1,"method":"a"},5,{"jsonrpc":"2.0","method":"b"}]\n'
    items = decoder.feed(line)
    assert [item.batch for item in items] == [(0, False), (1, False), (2, True)]
    assert items[1].kind == "not-object"
    [fault] = wireline.Decoder().feed(line)
    assert fault.kind == "batch"


def test_streamed_bodies() -> None:
    decoder = wireline.StreamDecoder(max_id=64)
    body = b'{"blob":"' + b"x" * 100_000 + b'"}'
    line = b'{"result":' + body + b',"jsonrpc":"2.0","id":5}\n'
    events = []
    for at in range(0, len(line), 4096):
        events += decoder.feed(line[at : at + 4096])
    assert isinstance(events[0], wireline.Head) and not events[0].final
    assert events[0].id is None
    pieces = [event.data for event in events if isinstance(event, wireline.Body)]
    assert b"".join(pieces) == body and len(pieces) > 20
    assert isinstance(events[-1], wireline.Head)
    assert (events[-1].kind, events[-1].id, events[-1].length) == ("result", 5, len(line) - 1)
    assert decoder.finish() == []


messages = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": st.text(min_size=1, max_size=20)},
    optional={
        "id": st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=10),
        "params": st.dictionaries(
            st.text(max_size=8).filter(lambda key: not key.startswith("_")),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=20),
                lambda inner: st.lists(inner, max_size=3),
                max_leaves=6,
            ),
            max_size=4,
        ),
    },
)
lines = st.one_of(
    st.tuples(messages, st.booleans()).map(
        lambda it: json.dumps(it[0], ensure_ascii=it[1]).encode("utf-8", "surrogatepass") + b"\n"
    ),
    st.binary(max_size=30),
    st.sampled_from([b"\n", b"\r\n", b"\xef\xbb\xbf", b"{\n", PING, CALL, ERROR]),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(lines, max_size=8).map(b"".join), st.data())
def test_any_stream_however_cut(stream: bytes, data: st.DataObject) -> None:
    decoder = wireline.Decoder(max_message=256)
    whole = decoder.feed(stream) + decoder.finish()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    decoder = wireline.Decoder(max_message=256)
    found: list[Any] = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        piece = stream[start:end]
        found += decoder.feed(data.draw(st.sampled_from([bytes, bytearray, memoryview]))(piece))
    found += decoder.finish()
    assert found == whole
    assert [(item.position, item.line) for item in found] == [
        (item.position, item.line) for item in whole
    ]
    # What is taken for a message is what Python takes for JSON.
    for item in whole:
        if isinstance(item, wireline.Message):
            value = json.loads(item.raw)
            assert value["jsonrpc"] == "2.0"
            assert value.get("method") == item.method
            assert value.get("params") == item.params
            if item.kind == "request":
                assert value["id"] == item.id


@settings(max_examples=200, deadline=None)
@given(messages)
def test_what_is_written_is_read(value: dict[str, Any]) -> None:
    identity, params = value.get("id"), value.get("params")
    if identity == "":
        with pytest.raises(wireline.LocalProtocolError):
            wireline.encode_request("", value["method"])
        return
    if identity is None:
        line = wireline.encode_notification(value["method"], params)
    else:
        line = wireline.encode_request(identity, value["method"], params)
    [message] = wireline.Decoder().feed(line)
    assert isinstance(message, wireline.Message)
    assert (message.method, message.id, message.params) == (value["method"], identity, params)


def test_two_threads_feed_one_decoder() -> None:
    decoder = wireline.Decoder()
    chunk = PING * 200
    counts = [0, 0]
    start = threading.Barrier(2)

    def feed(which: int) -> None:
        start.wait()
        for _ in range(200):
            counts[which] += sum(item.kind == "request" for item in decoder.feed(chunk))

    threads = [threading.Thread(target=feed, args=(which,)) for which in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 2 * 200 * 200
    [last] = decoder.feed(PING)
    assert last.line == 2 * 200 * 200 + 1


def test_objects_go_away() -> None:
    class Hook:
        def __call__(self, data: bytes) -> object:
            return None

    hook = Hook()
    gone = weakref.ref(hook)
    decoder = wireline.Decoder(loads=hook)
    items = decoder.feed(CALL * 3)
    del hook, decoder, items
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        (b"noise", ("R3", "R4")),
        (b'{"jsonrpc":"2.0","id":null,"method":"m"}', ("R15",)),
        (b'{"jsonrpc":"1.0","id":1,"method":"m"}', ("R13",)),
        (b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}', ("R21",)),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"' + b"x" * 100 + b'"}}', ()),
    ],
)
def test_a_fault_names_the_rules_that_were_broken(line: bytes, rules: tuple[str, ...]) -> None:
    [fault] = wireline.Decoder(max_message=100).feed(line + b"\n")
    assert isinstance(fault, wireline.Fault) and fault.rules == rules
    with pytest.raises(wireline.RemoteProtocolError) as caught:
        wireline.parse(line, max_message=100)
    assert caught.value.rules == rules
    [*_, streamed] = wireline.StreamDecoder(max_message=100).feed(line + b"\n")
    assert isinstance(streamed, wireline.Fault) and streamed.rules == rules


def test_the_end_of_the_input() -> None:
    whole = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    for make in (wireline.Decoder, wireline.StreamDecoder):
        # A line feed ends a line, and the end of the input only where it is said to.
        cut: Any = make()
        assert cut.feed(whole[:5]) == [] and [it.kind for it in cut.finish()] == ["truncated"]
        assert cut.finish() == []
        unended: Any = make()
        unended.feed(whole)
        [fault] = unended.finish()
        assert isinstance(fault, wireline.Fault) and fault.kind == "truncated"
        taken: Any = make(eof_completes_line=True)
        taken.feed(whole)
        [last] = taken.finish()
        assert not isinstance(last, wireline.Fault) and (last.kind, last.id) == ("request", 1)
        half: Any = make(eof_completes_line=True)
        half.feed(whole[:-1])
        assert isinstance(half.finish()[0], wireline.Fault)
        # As new: what comes then is another stream, in its first line.
        [bad] = taken.feed(b"noise\n")
        assert (bad.line, bad.position) == (1, 0)
        # A decoder that was closed stays so until it is reset.
        closed: Any = make(max_message=64, max_discard=65)
        closed.feed(b"x" * 100)
        assert closed.closed
        closed.finish()
        assert closed.closed
        closed.reset()
        assert not closed.closed
