"""Sessions: both roles, all revisions, events, errors, time."""

from __future__ import annotations

import json
import math
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
import wireline
from hypothesis import given, settings
from hypothesis import strategies as st

LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
EVERY = [*LEGACY, MODERN]
SERVER: dict[str, Any] = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True},
    "logging": {},
}


class Pair:
    """A client and a server, and what each was told."""

    def __init__(self, revision: str | None = None, **client: Any) -> None:
        revisions = None if revision is None else [revision]
        self.client = wireline.Connection("client", revisions=revisions, **client)
        self.server = wireline.Connection("server", capabilities=SERVER)
        self.now = 0.0

    def to_server(self) -> list[wireline.Event]:
        return self.server.receive_data(self.client.data_to_send(), self.now)

    def to_client(self) -> list[wireline.Event]:
        return self.client.receive_data(self.server.data_to_send(), self.now)

    def opened(self) -> Pair:
        self.client.connect(now=self.now)
        while self.client.bytes_to_send or self.server.bytes_to_send:
            self.to_server()
            self.to_client()
        assert self.client.state == "ready"
        return self

    def call(self, **options: Any) -> tuple[int, int]:
        """A call's handles: the client's, and the server's."""
        return self.call_with({"name": "t"}, **options)

    def call_with(self, params: dict[str, Any], **options: Any) -> tuple[int, int]:
        """The same of a call with these parameters."""
        ours = self.client.send_request("tools/call", params, now=self.now, **options)
        event = self.to_server()[-1]
        assert isinstance(event, wireline.RequestReceived)
        return ours, event.handle


def last(events: list[wireline.Event]) -> Any:
    return events[-1]


@pytest.mark.parametrize("revision", EVERY)
def test_a_call_in_every_revision(revision: str) -> None:
    pair = Pair(revision).opened()
    assert pair.client.revision == revision
    assert pair.client.peer_capabilities == SERVER
    ours, theirs = pair.call(progress=True, meta={"x/y": 1})
    info = pair.server.incoming(theirs)
    assert info is not None
    assert (info.method, info.revision, info.wants_progress) == ("tools/call", revision, True)
    pair.server.send_progress(theirs, 1, 3, "one")
    pair.server.send_progress(theirs, 2.5)
    first, second = pair.to_client()
    match first:
        case wireline.ProgressReceived(handle, progress, total, text):
            assert (handle, progress, total) == (ours, 1, 3)
            assert text == (None if revision == "2024-11-05" else "one")
        case _:
            raise AssertionError(first)
    assert isinstance(second, wireline.ProgressReceived) and second.progress == 2.5
    pair.server.send_result(theirs, {"content": []}, meta={"a/b": True})
    [event] = pair.to_client()
    match event:
        case wireline.RequestEnded(handle, "result", result):
            assert handle == ours and result["content"] == []
            assert result["_meta"]["a/b"] is True
        case _:
            raise AssertionError(event)
    assert pair.client.in_flight == pair.server.in_flight == (0, 0)
    assert event.broken == ()


def test_a_client_of_both_eras_falls_back() -> None:
    client = wireline.Connection("client")
    client.connect(now=0)
    states = [client.state]
    assert b"server/discover" in client.data_to_send()
    answer = b'{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}\n'
    client.receive_data(answer, 0)
    assert [*states, client.state] == ["probing", "opening"]
    request = json.loads(client.data_to_send())
    assert request["method"] == "initialize"
    assert request["params"]["protocolVersion"] == "2025-11-25"


def test_a_probe_that_nobody_answers() -> None:
    client = wireline.Connection("client", probe_timeout=2)
    client.connect(now=100)
    client.data_to_send()
    assert client.next_timeout() == 102.0
    assert client.expire(101.9) == []
    client.expire(102.0)
    assert b'"initialize"' in client.data_to_send()


def test_assumed_and_legacy_openings() -> None:
    client = wireline.Connection("client")
    client.assume(MODERN, {"tools": {}})
    assert (client.state, client.peer_capabilities) == ("ready", {"tools": {}})
    client.send_request("tools/list", now=0)
    assert b"2026-07-28" in client.data_to_send()
    client = wireline.Connection("client")
    client.connect(now=0, legacy=True)
    assert b'"initialize"' in client.data_to_send()


@pytest.mark.parametrize("revision", EVERY)
def test_cancelling(revision: str) -> None:
    pair = Pair(revision).opened()
    ours, theirs = pair.call()
    [ended] = pair.client.cancel(ours, "no longer needed")
    assert isinstance(ended, wireline.RequestEnded)
    assert (ended.handle, ended.outcome, ended.result) == (ours, "cancelled", None)
    [event] = pair.to_server()
    match event:
        case wireline.RequestCancelled(handle, reason):
            assert (handle, reason) == (theirs, "no longer needed")
        case _:
            raise AssertionError(event)
    for call in (
        lambda: pair.server.send_result(theirs, {}),
        lambda: pair.server.send_progress(theirs, 1),
        lambda: pair.client.cancel(ours),
    ):
        with pytest.raises(wireline.LocalProtocolError) as caught:
            call()
        assert caught.value.kind == "stale-handle"
    late = b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}\n'
    [event] = pair.client.receive_data(late, 0)
    assert isinstance(event, wireline.Ignored) and event.reason == "late"


def test_time_outs() -> None:
    pair = Pair("2025-11-25", request_timeout=5, hard_timeout=12).opened()
    ours, theirs = pair.call(progress=True)
    assert pair.client.next_timeout() == 5.0
    pair.now = 4.0
    pair.server.send_progress(theirs, 1)
    pair.to_client()
    assert pair.client.next_timeout() == 9.0
    for pair.now in (8.0, 11.5):
        pair.server.send_progress(theirs, pair.now)
        pair.to_client()
    assert pair.client.next_timeout() == 12.0
    assert pair.client.expire(11.999) == []
    [event] = pair.client.expire(12.0)
    assert isinstance(event, wireline.RequestEnded)
    assert (event.handle, event.outcome) == (ours, "timed-out")
    assert pair.client.next_timeout() is None
    assert isinstance(last(pair.to_server()), wireline.RequestCancelled)
    usual, _ = pair.call()
    assert pair.client.next_timeout() == 12.0 + 5.0
    pair.client.cancel(usual)
    pair.call(timeout=math.inf, hard_timeout=math.inf)
    assert pair.client.next_timeout() is None


@settings(max_examples=300, deadline=None)
@given(st.floats(0, 1e7), st.floats(0.001, 600))
def test_a_due_time_is_due_when_it_has_come(now: float, timeout: float) -> None:
    client = wireline.Connection("client")
    client.assume(MODERN, {"tools": {}})
    client.send_request("tools/list", now=now, timeout=timeout)
    due = client.next_timeout()
    assert due is not None and abs(due - now - timeout) < 0.01
    assert len(client.expire(due)) == 1


@pytest.mark.parametrize("now", [-1.0, math.nan, math.inf])
def test_times_that_are_none(now: float) -> None:
    client = wireline.Connection("client")
    for call in (
        lambda: client.connect(now=now),
        lambda: client.receive_data(b"", now),
        lambda: client.expire(now),
    ):
        with pytest.raises(ValueError, match="now is"):
            call()
    assert client.state == "idle"


def test_the_input_ends() -> None:
    pair = Pair("2025-06-18").opened()
    ours, theirs = pair.call()
    ping = pair.client.ping(now=0)
    pair.client.receive_data(b'{"jsonrpc":"2.0","me', 0)
    events = pair.client.close()
    assert [type(event) for event in events] == [
        wireline.Ignored,
        wireline.RequestEnded,
        wireline.RequestEnded,
        wireline.StateChanged,
    ]
    assert events[0].fault is not None and events[0].fault.kind == "truncated"
    ended = [event for event in events if isinstance(event, wireline.RequestEnded)]
    assert {event.handle for event in ended} == {ours, ping}
    assert {event.outcome for event in ended} == {"closed"}
    assert pair.client.close() == []
    assert pair.client.state == "closed"
    with pytest.raises(wireline.LocalProtocolError) as caught:
        pair.client.send_request("tools/list", now=0)
    assert caught.value.kind == "not-ready"
    # What the peer asked for may still be answered.
    pair.server.close()
    pair.server.send_result(theirs, {})
    assert pair.server.data_to_send()


def test_before_the_session_is_open() -> None:
    client = wireline.Connection("client")
    with pytest.raises(wireline.LocalProtocolError, match="not ready") as caught:
        client.send_request("tools/list", now=0)
    assert caught.value.kind == "not-ready"
    client.connect(now=0, legacy=True)
    with pytest.raises(wireline.LocalProtocolError) as caught:
        client.send_request("tools/list", now=0)
    assert (caught.value.kind, caught.value.rule) == ("gate", "R58")
    assert "R58" in str(caught.value)
    with pytest.raises(wireline.LocalProtocolError):
        client.connect(now=0)


def test_rules_broken_are_facts_beside_the_event() -> None:
    pair = Pair("2025-11-25").opened()
    [event] = pair.client.receive_data(b'{"jsonrpc":"2.0","id":99,"result":{}}\n', 0)
    assert isinstance(event, wireline.Ignored)
    assert (event.reason, event.broken) == ("unknown-id", ("R18",))
    _, theirs = pair.call()
    line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"again"}}\n'
    [event] = pair.server.receive_data(line, 0)
    assert isinstance(event, wireline.Ignored) and event.reason == "duplicate-id"
    assert "R16" in event.broken
    pair.server.send_result(theirs, {})


def test_faults_are_told_and_answered_by_their_id() -> None:
    pair = Pair("2025-11-25").opened()
    [event] = pair.server.receive_data(b"hello\n", 0)
    match event:
        case wireline.Ignored("fault", None, fault):
            assert fault is not None and fault.kind == "not-json" and fault.position > 0
        case _:
            raise AssertionError(event)
    assert pair.server.data_to_send() == b""
    pair.server.receive_data(b'{"jsonrpc":"2.0","id":"x","method":5}\n', 0)
    answer = json.loads(pair.server.data_to_send())
    assert (answer["id"], answer["error"]["code"]) == ("x", -32600)


def test_an_answer_that_is_none() -> None:
    pair = Pair("2025-11-25").opened()
    ours, _ = pair.call()
    [event] = pair.client.receive_data(b'{"jsonrpc":"2.0","id":1,"result":{},"error":{}}\n', 0)
    assert isinstance(event, wireline.RequestEnded)
    assert (event.handle, event.outcome, event.message) == (ours, "bad-response", None)
    assert event.fault is not None and event.fault.kind in ("conflict", "bad-error")
    assert event.broken


def test_pings_are_answered_in_the_same_call() -> None:
    pair = Pair("2025-11-25").opened()
    pair.client.ping(now=0)
    assert pair.to_server() == []
    [event] = pair.to_client()
    assert isinstance(event, wireline.RequestEnded) and event.outcome == "result"


def test_errors_are_sent() -> None:
    pair = Pair("2025-11-25").opened()
    ours, theirs = pair.call()
    pair.server.send_error(theirs, -32602, "Unknown tool: t", {"name": "t"})
    [event] = pair.to_client()
    assert isinstance(event, wireline.RequestEnded)
    assert (event.handle, event.outcome) == (ours, "error")
    assert event.error == {"code": -32602, "message": "Unknown tool: t", "data": {"name": "t"}}


def test_input_is_asked_for() -> None:
    pair = Pair(MODERN, capabilities={"elicitation": {"form": {}}}).opened()
    ours, theirs = pair.call()
    form = {"mode": "form", "message": "name?", "requestedSchema": {"type": "object", "properties": {}}}
    pair.server.ask(theirs, {"who": ("elicitation/create", form)}, 'a "state"\n')
    [event] = pair.to_client()
    match event:
        case wireline.InputRequired(handle, requests, state, round):
            assert (handle, state, round) == (ours, 'a "state"\n', 1)
            assert requests["who"]["method"] == "elicitation/create"
        case _:
            raise AssertionError(event)
    answers = {"who": {"action": "accept", "content": {"name": "Ada"}}}
    pair.client.retry(ours, {"name": "t"}, answers, state, now=0)
    [event] = pair.to_server()
    assert isinstance(event, wireline.RequestReceived)
    assert event.params["inputResponses"] == answers
    assert event.params["requestState"] == 'a "state"\n'
    pair.server.send_result(event.handle, {"content": []})
    assert last(pair.to_client()).handle == ours


def test_subscriptions() -> None:
    pair = Pair(MODERN).opened()
    ours = pair.client.listen(now=0, tools=True, uris=["file:///a"])
    [event] = pair.to_server()
    assert isinstance(event, wireline.RequestReceived)
    assert event.method == "subscriptions/listen"
    pair.server.accept(event.handle, tools=True, uris=["file:///a"])
    [opened] = pair.to_client()
    assert isinstance(opened, wireline.Subscribed)
    assert opened.notifications == {"toolsListChanged": True, "resourceSubscriptions": ["file:///a"]}
    pair.server.changed("tools")
    # URIs are not kept: of a resource, each subscription that named it is told by its handle.
    pair.server.changed("resource", "file:///a")
    pair.server.changed_for(event.handle, "resource", "file:///a")
    pair.server.changed("prompts")
    told = pair.to_client()
    assert [it.method for it in told if isinstance(it, wireline.NotificationReceived)] == [
        "notifications/tools/list_changed",
        "notifications/resources/updated",
    ]
    assert len(told) == 2
    pair.server.end_subscription(event.handle)
    assert any(isinstance(it, wireline.RequestEnded) and it.handle == ours for it in pair.to_client())


def test_changes_in_the_legacy_era() -> None:
    pair = Pair("2025-06-18").opened()
    pair.server.changed("tools")
    [event] = pair.to_client()
    match event:
        case wireline.NotificationReceived("notifications/tools/list_changed", None):
            pass
        case _:
            raise AssertionError(event)
    with pytest.raises(ValueError, match="what changes"):
        pair.server.changed("resource")


def test_log_messages() -> None:
    pair = Pair("2025-06-18").opened()
    pair.server.log("warning", {"disk": "full"}, logger="disk")
    [event] = pair.to_client()
    assert isinstance(event, wireline.NotificationReceived)
    assert event.params == {"level": "warning", "logger": "disk", "data": {"disk": "full"}}
    pair.client.send_request("logging/setLevel", {"level": "error"}, now=0)
    pair.to_server()
    pair.to_client()
    pair.server.log("warning", "quiet")
    assert pair.to_client() == []
    with pytest.raises(ValueError, match="no level"):
        pair.server.log("loud", "x")  # type: ignore[arg-type]


def test_a_server_asks_its_client() -> None:
    pair = Pair("2025-06-18", capabilities={"roots": {}}).opened()
    ours = pair.server.send_request("roots/list", now=0)
    [event] = pair.to_client()
    assert isinstance(event, wireline.RequestReceived) and event.method == "roots/list"
    pair.client.send_result(event.handle, {"roots": []})
    [ended] = pair.to_server()
    assert isinstance(ended, wireline.RequestEnded) and ended.handle == ours
    with pytest.raises(wireline.LocalProtocolError) as caught:
        pair.server.send_request("sampling/createMessage", {"messages": [], "maxTokens": 1}, now=0)
    assert caught.value.kind == "gate"


def test_batches_of_2025_03_26() -> None:
    pair = Pair("2025-03-26").opened()
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "t"}}
    batch = [call | {"id": "a"}, {"jsonrpc": "2.0", "id": "b", "method": "ping"}, call | {"id": "c"}]
    events = pair.server.receive_data(json.dumps(batch).encode() + b"\n", 0)
    handles = [event.handle for event in events if isinstance(event, wireline.RequestReceived)]
    assert len(handles) == 2 and pair.server.data_to_send() == b""
    pair.server.send_result(handles[1], {"n": 2})
    pair.server.send_error(handles[0], -32602, "no")
    answers = json.loads(pair.server.data_to_send())
    assert sorted(answer["id"] for answer in answers) == ["a", "b", "c"]


def test_tasks_of_2025_11_25() -> None:
    server = wireline.Connection(
        "server", capabilities={"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}
    )
    pair = Pair("2025-11-25")
    pair.server = server
    pair.opened()
    ours, theirs = pair.call_with({"name": "t", "task": {}}, progress=True)
    now = "2025-11-25T00:00:00Z"
    task = {"taskId": "1", "status": "working", "createdAt": now, "lastUpdatedAt": now, "ttl": None}
    server.send_result(theirs, {"task": task}, task=True)
    assert isinstance(last(pair.to_client()), wireline.RequestEnded)
    server.send_progress(theirs, 1)
    [event] = pair.to_client()
    assert isinstance(event, wireline.ProgressReceived) and event.handle == ours
    server.end_task(theirs)
    pair.client.end_task(ours)
    with pytest.raises(wireline.LocalProtocolError):
        server.send_progress(theirs, 2)


def test_limits_hold_for_what_comes_in() -> None:
    server = wireline.Connection("server", max_message=256, max_incoming=1)
    long = b'{"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":"' + b"x" * 500 + b'"}}\n'
    server.receive_data(long, 0)
    answer = json.loads(server.data_to_send())
    assert answer["error"]["data"] == {"limit": "too-long", "max": 256, "length": len(long) - 1}
    server = wireline.Connection("server", max_message=100, max_discard=200)
    server.receive_data(b"x" * 300, 0)
    with pytest.raises(wireline.LocalProtocolError) as caught:
        server.receive_data(b"\n", 0)
    assert caught.value.kind == "closed"


def test_too_many_at_once() -> None:
    client = wireline.Connection("client", max_outgoing=2)
    client.assume(MODERN, {"tools": {}})
    client.send_request("tools/list", now=0)
    handle = client.send_request("tools/list", now=0)
    with pytest.raises(wireline.LocalProtocolError, match="too many") as caught:
        client.send_request("tools/list", now=0)
    assert caught.value.kind == "table-full"
    client.cancel(handle)
    client.send_request("tools/list", now=0)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"role": "peer"}, "role is"),
        ({"revisions": ["2025-01-01"]}, "is no revision"),
        ({"revisions": []}, "revisions is empty"),
        ({"request_timeout": 0.0}, "request_timeout is"),
        ({"hard_timeout": math.nan}, "hard_timeout is"),
        ({"max_incoming": 70_000}, "max_incoming is"),
        ({"max_outgoing": 0}, "max_outgoing is 0"),
        ({"cache_ttl": -1.0}, "cache_ttl is"),
        ({"cache_scope": "mine"}, "no cache scope"),
        ({"max_depth": 1}, "max_depth is"),
    ],
)
def test_arguments_out_of_range(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        wireline.Connection(**{"role": "client", **arguments})


def test_the_other_role_does_that() -> None:
    client, server = wireline.Connection("client"), wireline.Connection("server")
    calls: list[Callable[[], object]] = [
        lambda: server.connect(now=0),
        lambda: server.listen(now=0),
        lambda: client.accept(1),
        lambda: client.changed("tools"),
        lambda: client.log("info", 1),
    ]
    for call in calls:
        with pytest.raises(wireline.LocalProtocolError, match="only a") as caught:
            call()
        assert caught.value.kind == "wrong-role"


def test_bad_values_change_nothing() -> None:
    pair = Pair("2025-11-25").opened()
    _, theirs = pair.call(progress=True)
    for result in ({"x": math.nan}, {"x": b"bytes"}, [1], {"x": object()}, b"{"):
        with pytest.raises(wireline.LocalProtocolError) as caught:
            pair.server.send_result(theirs, result)
        assert caught.value.kind == "bad-value"
    pair.server.send_progress(theirs, 2)
    for progress in (1, 2, math.nan, math.inf, 1e300):
        with pytest.raises(wireline.LocalProtocolError) as caught:
            pair.server.send_progress(theirs, progress)
            pair.server.send_progress(theirs, 1)
        assert caught.value.kind == "bad-progress"
    with pytest.raises(TypeError):
        pair.server.send_progress(theirs, "3")  # type: ignore[arg-type]
    pair.to_client()
    pair.server.send_result(theirs, {})
    assert last(pair.to_client()).outcome == "result"


def test_events_are_frozen() -> None:
    pair = Pair("2025-11-25").opened()
    _, theirs = pair.call()
    pair.client.close()
    for event in pair.server.close():
        with pytest.raises(AttributeError):
            event.broken = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        wireline.RequestReceived()
    assert "RequestReceived" not in repr(pair.server) and "server" in repr(pair.server)
    assert theirs


class Wire:
    """Bytes on their way, cut anywhere."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.data = b""

    def some(self) -> bytes:
        size = self.chance.choice([1, 7, 64, 500, len(self.data)])
        part, self.data = self.data[:size], self.data[size:]
        return part


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from([None, *EVERY]),
    st.randoms(use_true_random=False),
    st.lists(
        st.sampled_from(["call", "answer", "fail", "cancel", "progress", "noise", "time", "pass", "ping"]),
        max_size=60,
    ),
)
def test_every_request_ends_once(revision: str | None, chance: random.Random, steps: list[str]) -> None:
    pair = Pair(revision, request_timeout=30, hard_timeout=90)
    to_server, to_client = Wire(chance), Wire(chance)
    pair.client.connect(now=0)
    asked: dict[int, int] = {}
    working: dict[int, int] = {}
    done = [0]

    def client_told(events: list[wireline.Event]) -> None:
        for event in events:
            if isinstance(event, wireline.RequestEnded):
                assert event.handle in asked
                asked[event.handle] += 1

    def server_told(events: list[wireline.Event]) -> None:
        for event in events:
            match event:
                case wireline.RequestReceived(handle=handle):
                    assert handle not in working
                    working[handle] = 0
                case wireline.RequestCancelled(handle):
                    del working[handle]

    def flow(everything: bool = False) -> None:
        for _ in range(200 if everything else 1):
            to_server.data += pair.client.data_to_send()
            to_client.data += pair.server.data_to_send()
            server_told(pair.server.receive_data(to_server.some(), pair.now))
            client_told(pair.client.receive_data(to_client.some(), pair.now))
            done_now = not (to_server.data or to_client.data)
            if everything and done_now and not (pair.client.bytes_to_send or pair.server.bytes_to_send):
                return

    for step in steps:
        match step:
            case "call" | "ping":
                try:
                    if step == "ping":
                        handle = pair.client.ping(now=pair.now)
                    else:
                        handle = pair.client.send_request(
                            "tools/call", {"name": "t"}, now=pair.now, progress=chance.random() < 0.5
                        )
                    assert handle not in asked
                    asked[handle] = 0
                except wireline.LocalProtocolError as error:
                    assert error.kind in ("not-ready", "gate")
            case "answer" if working:
                handle = chance.choice(list(working))
                del working[handle]
                pair.server.send_result(handle, {"content": [], "n": chance.random()})
            case "fail" if working:
                handle = chance.choice(list(working))
                del working[handle]
                pair.server.send_error(handle, -32602, "no")
            case "progress" if working:
                handle = chance.choice(list(working))
                working[handle] += 1
                pair.server.send_progress(handle, working[handle])
            case "cancel":
                open_ = [handle for handle, ends in asked.items() if ends == 0]
                if open_:
                    client_told(pair.client.cancel(chance.choice(open_)))
            case "noise":
                if to_client.data.endswith(b"\n") or not to_client.data:
                    to_client.data += chance.choice([b"log line\n", b"\xff\n", b"{\n", b"\r\n"])
            case "time":
                pair.now += chance.choice([0.5, 20.0, 40.0])
                client_told(pair.client.expire(pair.now))
            case _:
                flow()
    flow(everything=True)
    client_told(pair.client.close())
    assert all(ends == 1 for ends in asked.values()), asked
    assert pair.client.in_flight[1] == 0
    assert done == [0]


def test_two_threads_use_one_connection() -> None:
    client, server = wireline.Connection("client"), wireline.Connection("server", capabilities=SERVER)
    client.assume(MODERN, {"tools": {}})
    ended: list[int] = []
    sent: list[int] = []

    def ask() -> None:
        for _ in range(500):
            while True:
                try:
                    sent.append(client.send_request("tools/list", now=0))
                    break
                except wireline.LocalProtocolError as error:
                    assert error.kind == "table-full"

    def serve() -> None:
        while len(ended) < 1000 and any(thread.is_alive() for thread in threads[:2]) or client.bytes_to_send:
            for event in server.receive_data(client.data_to_send(), 0):
                assert isinstance(event, wireline.RequestReceived)
                server.send_result(event.handle, {"tools": []})
            for answer in client.receive_data(server.data_to_send(), 0):
                assert isinstance(answer, wireline.RequestEnded)
                ended.append(answer.handle)

    threads = [threading.Thread(target=ask) for _ in range(2)] + [threading.Thread(target=serve)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ended) == sorted(sent) and len(set(ended)) == 1000


def test_what_events_tell_is_read_by_the_hook() -> None:
    seen: list[bytes] = []

    def loads(data: bytes) -> Any:
        seen.append(data)
        return "read by the hook"

    pair = Pair("2025-11-25", loads=loads).opened()
    ours, theirs = pair.call(progress=True)
    pair.server.send_progress(theirs, 1, 3, "one")
    [told] = pair.to_client()
    assert isinstance(told, wireline.ProgressReceived) and told.handle == ours
    seen.clear()
    values: list[Any] = [told.progress, told.total, told.text]
    assert values == ["read by the hook"] * 3
    assert seen == [b"1", b"3", b'"one"']


def modern(identity: Any, method: str = "tools/call", **params: Any) -> bytes:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return wireline.encode_request(identity, method, {"name": "t", "_meta": meta, **params})


def asked(events: list[wireline.Event]) -> list[Any]:
    return [event.message.id for event in events if isinstance(event, wireline.RequestReceived) and event.message]


def holding(**options: Any) -> wireline.Connection:
    return wireline.Connection("server", capabilities=SERVER, max_incoming=2, **options)


def test_requests_beyond_the_table_wait_and_come_in_their_order() -> None:
    server = holding(max_held_back=1 << 20)
    events = server.receive_data(b"".join(modern(at) for at in range(6)), 0.0)
    assert (asked(events), server.held_back, server.bytes_to_send) == ([0, 1], 4, 0)
    # What takes no slot does not wait, nor does it overtake.
    assert asked(server.receive_data(modern("d", "server/discover") + modern(6), 0.0)) == []
    assert json.loads(server.data_to_send())["id"] == "d"
    come = asked(events)
    while server.in_flight[0]:
        first = events.pop(0)
        assert isinstance(first, wireline.RequestReceived)
        server.send_result(first.handle, {"content": []})
        events += server.receive_data(b"", 0.0)
        come += asked(events[-1:]) if len(come) < 7 else []
    assert (come, server.held_back) == (list(range(7)), 0)
    assert [json.loads(line)["id"] for line in server.data_to_send().splitlines()] == list(range(7))


def test_a_request_that_waits_is_cancelled_unseen() -> None:
    server = holding(max_held_back=1 << 20)
    [first, _] = server.receive_data(b"".join(modern(at) for at in range(5)), 0.0)
    cancel = wireline.encode_notification("notifications/cancelled", {"requestId": 3})
    assert server.receive_data(cancel, 0.0) == []
    assert server.held_back == 2
    # A slot that is freed by the same bytes is taken by them too.
    cancel = wireline.encode_notification("notifications/cancelled", {"requestId": 0})
    ended, next_one = server.receive_data(cancel, 0.0)
    assert isinstance(ended, wireline.RequestCancelled) and isinstance(first, wireline.RequestReceived)
    assert ended.handle == first.handle and asked([next_one]) == [2]
    assert server.held_back == 1
    server.close()
    assert server.held_back == 0


def test_what_waits_is_bounded() -> None:
    lines = b"".join(modern(at) for at in range(6))
    server = holding()
    assert asked(server.receive_data(lines, 0.0)) == [0, 1]
    refused = [json.loads(line) for line in server.data_to_send().splitlines()]
    assert [it["id"] for it in refused] == [2, 3, 4, 5] and server.held_back == 0
    server = holding(max_held_back=2000)
    assert asked(server.receive_data(lines, 0.0)) == [0, 1]
    refused = [json.loads(line) for line in server.data_to_send().splitlines()]
    assert [it["id"] for it in refused] == [4, 5] and server.held_back == 2
