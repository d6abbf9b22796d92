"""What a server asks its client takes as long as the program says; and what loops the package runs on."""

from __future__ import annotations

import asyncio
import dataclasses
import decimal
import pathlib
import sys
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pydantic
import pydantic.dataclasses
import pytest
from sessions import connected, in_time, said
from wireline.aio import (
    connect_process,
    connect_stdio,
    connect_streams,
    connect_tcp,
    connect_unix,
    serve_stdio,
    serve_streams,
    serve_tcp,
    serve_unix,
)
from wireline.server import Context, Server

FORM = {"type": "object", "properties": {}}


def asking(timeout: float | None, **options: Any) -> Server:
    server = Server("s", **options)

    def tool(ask: Callable[[Context], Awaitable[Any]]) -> None:
        async def asks(context: Context) -> str:
            try:
                return str(await ask(context))
            except TimeoutError:
                return "timed out"

        server.tool(name=f"ask-{len(server.tools)}")(asks)

    tool(lambda context: context.elicit("?", FORM, timeout=timeout))
    tool(lambda context: context.sample([], 5, timeout=timeout, temperature=1))
    tool(lambda context: context.roots(timeout=timeout))
    tool(lambda context: context.request("elicitation/create", {"message": "?", "requestedSchema": FORM}, timeout=timeout))
    return server


ANSWERS: dict[str, Any] = {
    "elicitation/create": {"action": "accept", "content": {"x": 1}},
    "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "x"}, "model": "m"},
    "roots/list": {"roots": [{"uri": "file:///x"}]},
}


def handlers(go_on: asyncio.Event, seen: list[Any]) -> dict[str, Any]:
    async def answer(params: Any, context: Any) -> Any:
        seen.append((context.method, params))
        await go_on.wait()
        return ANSWERS[context.method]

    return dict.fromkeys(ANSWERS, answer)


@pytest.mark.parametrize("tool", [f"ask-{at}" for at in range(4)])
def test_a_question_ends_when_the_program_says(tool: str) -> None:
    async def main() -> None:
        go_on = asyncio.Event()
        async with connected(asking(0.05), "2025-11-25", handlers=handlers(go_on, [])) as client:
            assert said(await client.call_tool(tool)) == "timed out"
            go_on.set()

    in_time(main())


@pytest.mark.parametrize("tool", [f"ask-{at}" for at in range(4)])
@pytest.mark.parametrize("timeout", [20, float("inf")])
def test_a_question_outlasts_the_time_outs_of_its_server(tool: str, timeout: float) -> None:
    async def main() -> None:
        go_on, seen = asyncio.Event(), []  # type: ignore[var-annotated]
        server = asking(timeout, request_timeout=0.05, hard_timeout=0.05)
        async with connected(server, "2025-11-25", handlers=handlers(go_on, seen)) as client:
            calling = asyncio.create_task(client.call_tool(tool))
            # Past the server's own time-outs.
            await asyncio.wait([calling], timeout=0.3)
            go_on.set()
            assert said(await calling) != "timed out"
            assert "timeout" not in seen[0][1]

    in_time(main())


def test_anyio_on_asyncio() -> None:
    program = "from wireline.server import Server; Server('s').run()"

    async def main() -> None:
        revisions: list[str | None] = []

        async def use() -> None:
            with anyio.fail_after(30):
                async with connect_process(sys.executable, "-c", program) as client:
                    revisions.append(client.revision)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(use)
            tasks.start_soon(use)
        assert revisions == ["2026-07-28"] * 2

    anyio.run(main)


def entering(context: Any) -> Any:
    return context.__aenter__()


@pytest.mark.parametrize(
    "make",
    [
        lambda: entering(connect_process(sys.executable)),
        lambda: entering(connect_tcp("127.0.0.1", 1)),
        lambda: entering(connect_unix("nowhere")),
        lambda: entering(connect_stdio()),
        lambda: entering(connect_streams(None, None)),  # type: ignore[arg-type]
        lambda: serve_stdio(Server("s").session),
        lambda: serve_streams(Server("s").session, None, None),  # type: ignore[arg-type]
        lambda: serve_tcp(Server("s").session, "127.0.0.1", 0),
        lambda: serve_unix(Server("s").session, "nowhere"),
    ],
)
def test_without_a_loop_of_asyncio_that_is_what_is_said(make: Callable[[], Any]) -> None:
    """As under trio."""
    coroutine = make()
    with pytest.raises(RuntimeError, match="needs a running event loop of asyncio"):
        coroutine.send(None)


ID = uuid.UUID("12345678-1234-5678-1234-567812345678")


@dataclasses.dataclass
class Plain:
    id: uuid.UUID
    price: decimal.Decimal


class Model(pydantic.BaseModel):
    id: uuid.UUID
    price: decimal.Decimal = pydantic.Field(serialization_alias="cost")


@pydantic.dataclasses.dataclass
class Checked:
    id: uuid.UUID
    price: decimal.Decimal = pydantic.Field(serialization_alias="cost")


VALUES: dict[str, tuple[Any, Any]] = {
    "data class": (Plain(ID, decimal.Decimal("1.10")), {"id": str(ID), "price": "1.10"}),
    "model": (Model(id=ID, price=decimal.Decimal("1.10")), {"id": str(ID), "cost": "1.10"}),
    "checked": (Checked(ID, decimal.Decimal("1.10")), {"id": str(ID), "cost": "1.10"}),
    "mapping": ({"a": [ID, decimal.Decimal("1e3")]}, {"a": [str(ID), "1E+3"]}),
    "path": ({"path": pathlib.PurePosixPath("/a/b")}, {"path": "/a/b"}),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_of_common_types_are_written(name: str) -> None:
    server = Server("s")
    value, written = VALUES[name]

    async def some() -> Any:
        return value

    some.__annotations__["return"] = type(value) if name != "mapping" else dict[str, Any]
    server.tool(some)

    async def main() -> None:
        async with connected(server) as client:
            result = await client.call_tool("some")
            assert result.get("structuredContent") == written, result

    in_time(main())
