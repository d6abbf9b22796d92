"""What a tool tells of how it gets on never fails it, if it is a number."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sessions import META, in_time, run, said, served
from test_connection import Pair

import wireline
from wireline.aio import Client
from wireline.server import Context, Server

numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**40), 10**40)


def sent(progress: float, total: float | None = None) -> Any:
    """The parameters of a notification of this progress."""
    pair = Pair("2025-11-25").opened()
    _, theirs = pair.call(progress=True)
    pair.server.data_to_send()
    pair.server.send_progress(theirs, progress, total)
    message = wireline.parse(pair.server.data_to_send()[:-1])
    assert isinstance(message, wireline.Notification)
    return message


@pytest.mark.parametrize(
    ("progress", "token"),
    [
        (0.5, b"0.5"),
        (1e300, b"1e+300"),
        (1 / 7, b"0.14285714285714285"),
        (1 / 700, b"1.428571428571428e-3"),
        (-1 / 700, b"-1.42857142857142e-3"),
        (1.7976931348623157e308, b"1.79769313486231e308"),
        (10**25, b"1e25"),
        (123456789012345678901234, b"1.234567890123456e23"),
        (18446744073709551615, b"18446744073709551615"),
    ],
)
def test_a_progress_has_room_for_20_characters(progress: float, token: bytes) -> None:
    raw = sent(progress).raw_params
    assert b'"progress":%b}' % token in raw


@given(numbers)
def test_a_progress_is_told_as_exactly_as_there_is_room(progress: float) -> None:
    told = sent(progress).params["progress"]
    if len(repr(progress)) <= 20:
        assert told == progress
    assert math.isclose(told, progress, rel_tol=1e-12)


def test_a_total_is_told_as_it_is() -> None:
    assert sent(1, 1 / 700).params["total"] == 1 / 700
    assert b'"total":12345678901234567890123' in sent(1, 12345678901234567890123).raw_params


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_no_number_fails_a_tool(revision: str, asked: bool) -> None:
    server = Server("s")

    @server.tool
    async def work(context: Context) -> str:
        for number in (1 / 700, 2 / 700, 2 / 700, 1 / 3, 0, 10**25, 10**25 + 1):
            context.progress(number, 1 / 700)
        return "done"

    @server.tool
    def work_in_a_thread(context: Context) -> str:
        context.progress(1 / 700)
        context.progress(1 / 700)
        return "done"

    seen: list[float] = []

    async def body(client: Client) -> None:
        def progress(told: float, total: float | None, text: str | None) -> None:
            seen.append(told)

        hook = progress if asked else None
        assert said(await client.call_tool("work", progress=hook)) == "done"
        # What does not rise is left out.
        assert seen == ([pytest.approx(it) for it in (1 / 700, 2 / 700, 1 / 3, 1e25)] if asked else [])
        assert said(await client.call_tool("work_in_a_thread", progress=hook)) == "done"

    run(body, server, revision)


@pytest.mark.parametrize("asked", [True, False])
def test_what_is_no_number_is_a_value_error(asked: bool) -> None:
    server = Server("s")
    raised: list[str] = []

    @server.tool
    async def work(context: Context) -> None:
        for given in ((math.nan, None), (math.inf, None), (1, -math.inf), (1, math.nan)):
            with pytest.raises(ValueError) as caught:
                context.progress(*given)
            raised.append(str(caught.value))
        with pytest.raises(TypeError, match="progress must be int or float, not str"):
            context.progress("1")  # type: ignore[arg-type]

    async def main() -> None:
        async with served(server) as peer:
            meta = {**META, "progressToken": 5} if asked else META
            peer.send(wireline.encode_request(1, "tools/call", {"name": "work", "arguments": {}, "_meta": meta}))
            answer = await peer.next()
            assert "isError" not in answer["result"], answer

    in_time(main())
    assert raised == [
        "progress is nan; it must be finite",
        "progress is inf; it must be finite",
        "total is -inf; it must be finite",
        "total is nan; it must be finite",
    ]
