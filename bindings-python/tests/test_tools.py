"""Functions of every kind as tools: what is said of them, what they are given, and what is refused when they are offered."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import functools
import ipaddress
import logging
import math
import pathlib
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict, Union

import msgspec
import pydantic
import pytest
from sessions import run, said

import wireline.server
from wireline.aio import Client, RequestError
from wireline.server import Context, SchemaError, Server, ToolResult, text


@dataclasses.dataclass
class Content:
    """Is called as a class of ours is."""

    text: str


class ToolResultOfMine(pydantic.BaseModel):
    value: int


ToolResult_ = ToolResult


def test_only_content_and_results_of_ours_have_no_schema() -> None:
    server = Server("s")

    @server.tool
    def mine() -> Content:
        return Content("x")

    @server.tool
    def others() -> list[ToolResultOfMine]:
        return [ToolResultOfMine(value=1)]

    @server.tool
    def literal() -> Literal["Content", "ToolResult"]:
        return "Content"

    @server.tool
    def pieces() -> list[wireline.server._content.Content]:
        return [text("x")]

    @server.tool
    def perhaps(some: bool) -> Annotated[ToolResult_ | None, "a note"]:
        return ToolResult("x") if some else None

    tools = {it["name"]: it for it in server.tools}
    assert tools["mine"]["outputSchema"]["properties"] == {"text": {"type": "string"}}
    assert "outputSchema" in tools["others"] and "outputSchema" in tools["literal"]
    assert "outputSchema" not in tools["pieces"] and "outputSchema" not in tools["perhaps"]

    async def body(client: Client) -> None:
        assert (await client.call_tool("mine"))["structuredContent"] == {"text": "x"}
        assert (await client.call_tool("others"))["structuredContent"] == {"result": [{"value": 1}]}
        for name, given in (("pieces", {}), ("perhaps", {"some": True})):
            result = await client.call_tool(name, given)
            assert said(result) == "x" and "structuredContent" not in result
        assert (await client.call_tool("perhaps", {"some": False}))["content"] == []

    run(body, server)


@dataclasses.dataclass
class Span:
    """Refuses what does not fit, with every kind of exception."""

    first: int
    last: int = 10

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError("first is beyond last")
        if self.first == -1:
            raise KeyError
        if self.first == 0:
            raise NoText
        if self.first == -5:
            raise SystemExit(3)


class NoText(Exception):
    def __str__(self) -> str:
        raise SystemExit


class Checked(pydantic.BaseModel):
    name: str

    @pydantic.field_validator("name")
    @classmethod
    def _check(cls, name: str) -> str:
        if name == "value":
            raise ValueError("not that one")
        if name == "other":
            raise LookupError("no such name")
        return name


class Made(msgspec.Struct):
    name: str

    def __post_init__(self) -> None:
        if self.name == "value":
            raise ValueError("not that one")
        if self.name == "other":
            raise LookupError("no such name")


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_what_a_class_of_the_program_refuses_are_invalid_arguments(
    revision: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = Server("s")

    @server.tool
    def work(
        span: Span | None = None,
        spans: list[Span] | None = None,
        checked: Checked | None = None,
        made: Made | None = None,
    ) -> str:
        return "done"

    @server.prompt
    def ask(span: Span) -> str:
        return f"{span.first}"

    wrong: list[tuple[dict[str, Any], str]] = [
        ({"span": {"first": 11}}, "span: first is beyond last"),
        ({"span": {"first": -1}}, "span: KeyError"),
        ({"span": {"first": 0}}, "span: NoText"),
        ({"span": {"first": -5}}, "reading them ended the program: SystemExit(3)"),
        ({"spans": [{"first": 1}, {"first": 11}]}, "spans[1]: first is beyond last"),
        ({"checked": {"name": "value"}}, "not that one"),
        ({"checked": {"name": "other"}}, "checked: no such name"),
        ({"made": {"name": "value"}}, "not that one"),
        ({"made": {"name": "other"}}, "made: no such name"),
    ]

    async def body(client: Client) -> None:
        assert said(await client.call_tool("work", {"span": {"first": 1}})) == "done"
        for given, words in wrong:
            if revision < "2025-11-25":
                with pytest.raises(RequestError) as caught:
                    await client.call_tool("work", given)
                assert caught.value.code == -32602 and words in caught.value.message
            else:
                result = await client.call_tool("work", given)
                assert result["isError"] is True and words in said(result), said(result)
        with pytest.raises(RequestError) as caught:
            await client.get_prompt("ask", {"span": '{"first": 11}'})
        assert caught.value.code == -32602

    run(body, server, revision)
    assert not [it for it in caplog.records if it.levelno >= logging.ERROR]


class Unit(enum.Enum):
    C = "celsius"
    F = "fahrenheit"


class Pair(enum.Enum):
    A = [1, 2]


def test_annotations_and_what_is_given_for_them() -> None:
    server = Server("s")
    given: list[Any] = []

    def offer(annotation: Any, *default: Any) -> dict[str, Any]:
        def take(value: Any = None) -> None:
            given.append(value)

        take.__annotations__ = {"value": annotation}
        take.__defaults__ = default
        name = f"t{len(server.tools)}"
        server.tool(name=name)(take)
        return dict(server.tools[-1]["inputSchema"]["properties"]["value"], name=name)

    right: list[tuple[dict[str, Any], list[tuple[Any, Any]], list[Any]]] = [
        (offer(Optional[int]), [(1, 1), (1.0, 1), (None, None)], ["1", True, 1.5]),  # noqa: UP045
        (offer(Union[int, str]), [(1, 1), ("1", "1")], [None, []]),  # noqa: UP007
        (offer(Literal[1, "a", None, True]), [(1, 1), (1.0, 1), ("a", "a"), (None, None), (True, True)], [2, False]),
        (offer(Literal[Unit.C]), [("celsius", Unit.C)], ["fahrenheit"]),
        (offer(Unit), [("fahrenheit", Unit.F)], ["F"]),
        (offer(Pair), [([1, 2], Pair.A)], [[1]]),
        (offer(dict[str, list[int]]), [({"a": [1]}, {"a": [1]})], [{"a": 1}]),
        (offer(int, None), [(1, 1), (None, None)], ["1"]),
        (offer(tuple[int, ...]), [([1, 2], (1, 2))], [["a"]]),
        (offer(pydantic.JsonValue), [({"a": [1]}, {"a": [1]})], []),
    ]

    async def body(client: Client) -> None:
        assert len(await client.list_tools()) == len(right)
        for schema, fits, refused in right:
            for value, expected in fits:
                await client.call_tool(schema["name"], {"value": value})
                assert given[-1] == expected and type(given[-1]) is type(expected), schema
            for value in refused:
                assert (await client.call_tool(schema["name"], {"value": value}))["isError"], (schema, value)

    run(body, server)
    assert right[3][0]["enum"] == ["celsius"] and right[5][0]["enum"] == [[1, 2]]
    assert right[7][0]["anyOf"] == [{"type": "integer"}, {"type": "null"}] and right[7][0]["default"] is None


def test_defaults_that_json_has_not_are_defaults() -> None:
    server = Server("s")

    @server.tool
    def take(
        nan: float = math.nan,
        unit: Unit = Unit.F,
        span: Span = Span(1),  # noqa: B008
        made: Any = object(),
        word: str = "\ud800",
        cyclic: list[Any] = CYCLIC,
    ) -> str:
        return f"{nan} {unit.value} {span.last} {type(made).__name__} {ascii(word)} {len(cyclic)}"

    async def body(client: Client) -> None:
        [tool] = await client.list_tools()
        properties = tool["inputSchema"]["properties"]
        found = {name: it["default"] for name, it in properties.items() if "default" in it}
        assert found == {"unit": "fahrenheit", "span": {"first": 1, "last": 10}}
        assert said(await client.call_tool("take")) == r"nan fahrenheit 10 object '\ud800' 1"

    run(body, server)


CYCLIC: list[Any] = []
CYCLIC.append(CYCLIC)


class Thing:
    """An object with methods."""

    def __init__(self, by: int) -> None:
        self.by = by

    def times(self, value: int) -> int:
        """Multiplies."""
        return self.by * value

    async def later(self, value: int) -> int:
        return self.by * value

    @classmethod
    def of_class(cls, value: int) -> int:
        return value + 1

    @staticmethod
    def of_none(value: int) -> int:
        return value + 2

    def __call__(self, value: int, *, context: Context) -> int:
        """Is called."""
        return self.by * value + 3


class Slotted:
    __slots__ = ()

    async def __call__(self, value: int) -> int:
        return value + 4


def add(value: int, to: int, *, context: Context) -> int:
    """Adds."""
    return value + to


async def add_later(value: int, to: int) -> int:
    return value + to


def test_methods_partial_functions_and_objects() -> None:
    server = Server("s")
    thing = Thing(2)
    offered: dict[str, Any] = {
        "times": thing.times,
        "later": thing.later,
        "of_class": Thing.of_class,
        "of_none": Thing.of_none,
        "Thing": thing,
        "Slotted": Slotted(),
        "add": functools.partial(add, to=5),
        "add_later": functools.partial(functools.partial(add_later), to=6),
        "cached": functools.lru_cache(Thing.of_none),
    }
    for name, function in offered.items():
        server.tool(name="cached")(function) if name == "cached" else server.tool(function)

    async def body(client: Client) -> None:
        tools = {it["name"]: it for it in await client.list_tools()}
        assert list(tools) == list(offered)
        assert tools["times"]["description"] == "Multiplies." and tools["Thing"]["description"] == "Is called."
        assert tools["add"]["description"] == "Adds." and "description" not in tools["add_later"]
        assert tools["add"]["inputSchema"]["required"] == ["value"]
        found = [(await client.call_tool(it, {"value": 10}))["structuredContent"]["result"] for it in tools]
        assert found == [20, 20, 11, 12, 23, 14, 15, 16, 12]

    run(body, server)


@dataclasses.dataclass
class WithInit:
    value: dataclasses.InitVar[int]


class NoDefault(pydantic.BaseModel):
    ratio: float = math.nan


def variadic(*values: int) -> None: ...


def named(**values: int) -> None: ...


def bad_text(value: int) -> None: ...


bad_text.__doc__ = "\ud800"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (variadic, r"variadic: \*values has no place in a schema"),
        (named, r"named: \*\*values has no place in a schema"),
        (Thing.times, "times is a method of a class; offer that of an object"),
        (5, "5 cannot be called"),
        (bad_text, "bad_text: what is said of it is not JSON"),
        (dict.fromkeys, "fromkeys"),
        (dict, "dict"),
    ],
)
def test_what_cannot_be_offered_is_named(function: Any, words: str) -> None:
    server = Server("s")
    for offer in (server.tool, server.prompt):
        with pytest.raises(TypeError, match=words):
            offer(function)
    assert server.tools == []


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (WithInit, "WithInit is made of value, which is none of its fields"),
        (dict[int, str], "take: value: the keys of JSON objects are strings"),
        (enum.Enum("Odd", {"A": object()}), "is not JSON"),
        (Literal[b"x"], "is not JSON"),
        ("NotThere", "NotThere.*is the type defined at module level"),
        ("1 +", "its annotations cannot be read"),
        ([int], "take: value: unhashable"),
        (NoDefault, "take: value: its schema: what is said of it is not JSON"),
        (Iterator[int], "no schema can be made of"),
    ],
)
def test_annotations_of_which_no_schema_can_be_made_are_named(annotation: Any, words: str) -> None:
    server = Server("s")

    def take(value: Any) -> None: ...

    take.__annotations__ = {"value": annotation}
    with pytest.raises(SchemaError, match=words):
        server.tool(take)
    assert server.tools == []


def test_generators_are_run_to_their_end() -> None:
    server = Server("s")
    closed: list[str] = []

    @server.tool
    def count(to: int) -> Iterator[int]:
        yield from range(to)

    @server.tool
    async def count_later(to: int) -> AsyncIterator[int]:
        try:
            for at in range(to):
                await asyncio.sleep(0)
                yield at
        finally:
            closed.append("later")

    @server.tool
    async def fails() -> AsyncIterator[int]:
        yield 1
        raise ValueError("broken")

    @server.tool
    def fails_too() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    @server.prompt
    def several() -> Iterator[str]:
        yield "a"
        yield "b"

    @server.prompt
    async def several_later() -> AsyncIterator[str]:
        yield "a"
        yield "b"

    async def body(client: Client) -> None:
        for name in ("count", "count_later"):
            assert (await client.call_tool(name, {"to": 3}))["structuredContent"] == {"result": [0, 1, 2]}
        for name in ("fails", "fails_too"):
            result = await client.call_tool(name)
            assert result["isError"] and said(result) == "broken"
        for name in ("several", "several_later"):
            assert len((await client.get_prompt(name))["messages"]) == 2
        assert closed == ["later"]
        for tool in await client.list_tools():
            assert tool["outputSchema"]["properties"]["result"]["type"] == "array"

    run(body, server)


def test_what_comes_as_text_is_read_as_what_the_function_takes() -> None:
    server = Server("s")

    @server.prompt
    def ask(word: str, number: int, flag: bool = False, ratio: float | None = None) -> str:
        return f"{word!r} {number!r} {flag!r} {ratio!r}"

    @server.resource("x://{word}/{number}")
    def get(word: str, number: int) -> str:
        return f"{word!r} {number!r}"

    async def body(client: Client) -> None:
        given = {"word": "123", "number": "5", "flag": "true", "ratio": "1.5"}
        answer = await client.get_prompt("ask", given)
        assert answer["messages"][0]["content"]["text"] == "'123' 5 True 1.5"
        [contents] = await client.read_resource("x://123/5")
        assert contents["text"] == "'123' 5"
        for number in ("five", "5.5", "[" * 100_000, "1" * 5000):
            with pytest.raises(RequestError) as caught:
                await client.get_prompt("ask", {**given, "number": number})
            assert caught.value.code == -32602
            assert "number must be an integer" in caught.value.message
        with pytest.raises(RequestError, match="not found"):
            await client.read_resource("x://123/five")

    run(body, server)


def test_results_of_parts() -> None:
    server = Server("s")

    @server.tool
    def one() -> ToolResult:
        return ToolResult("hello")

    @server.tool
    def piece() -> ToolResult:
        return ToolResult(text("hello"))

    @server.tool
    def cyclic() -> ToolResult:
        return ToolResult(structured={"x": CYCLIC})

    @server.tool
    def odd() -> ToolResult:
        return ToolResult([object()])

    @server.tool
    def keys() -> dict[str, int]:
        return {Unit.C: 1}  # type: ignore[dict-item]

    @server.tool
    def interrupts() -> None:
        raise KeyboardInterrupt

    async def body(client: Client) -> None:
        assert said(await client.call_tool("interrupts")) == "the function ended the program: KeyboardInterrupt()"
        for name in ("one", "piece"):
            assert said(await client.call_tool(name)) == "hello"
        for name, words in (("cyclic", "holds itself"), ("odd", "JSON")):
            with pytest.raises(RequestError) as caught:
                await client.call_tool(name)
            assert caught.value.code == -32603 and words in caught.value.message, name
        assert (await client.call_tool("keys"))["structuredContent"] == {"celsius": 1}

    run(body, server)


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Named(NamedTuple):
    a: int


class Identified(TypedDict):
    id: uuid.UUID


@pytest.mark.parametrize(
    ("annotation", "value", "structured"),
    [
        (uuid.UUID, uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        (list[pathlib.PurePosixPath], [pathlib.PurePosixPath("/x")], ["/x"]),
        (decimal.Decimal, decimal.Decimal("1.50"), "1.50"),
        (datetime.timedelta, datetime.timedelta(hours=1), "PT1H"),
        (datetime.date, datetime.date(2026, 7, 28), "2026-07-28"),
        (Optional[ipaddress.IPv4Address], ipaddress.IPv4Address("127.0.0.1"), "127.0.0.1"),  # noqa: UP045
        (pydantic.HttpUrl, pydantic.HttpUrl("http://x/"), "http://x/"),
        (collections.deque[int], collections.deque([1, 2]), [1, 2]),
        (Sequence[int], range(3), [0, 1, 2]),
        (Any, {"a": 1}.keys(), None),
        (Named, Named(1), [1]),
        (Rights, Rights.READ | Rights.WRITE, 3),
        (Identified, {"id": uuid.UUID(int=5)}, None),
    ],
)
def test_what_has_a_schema_can_be_returned(annotation: Any, value: Any, structured: Any) -> None:
    server = Server("s")

    def give() -> Any:
        return value

    give.__annotations__ = {"return": annotation}
    server.tool(give)

    async def body(client: Client) -> None:
        result = await client.call_tool("give")
        if structured is not None:
            assert result["structuredContent"] == {"result": structured}
        elif annotation is Any:
            assert said(result) == '["a"]'
        else:
            assert result["structuredContent"] == {"id": "00000000-0000-0000-0000-000000000005"}

    run(body, server)


def test_flags_are_a_number_and_a_context_may_be_optional() -> None:
    server = Server("s")

    @server.tool
    def take(rights: Rights, context: Context | None = None) -> str:
        return f"{rights.value} {type(context).__name__}"

    async def body(client: Client) -> None:
        [tool] = await client.list_tools()
        assert tool["inputSchema"]["properties"] == {"rights": {"type": "integer"}}
        assert said(await client.call_tool("take", {"rights": 3})) == "3 Context"
        for wrong in (4, "READ"):
            assert (await client.call_tool("take", {"rights": wrong}))["isError"]

    run(body, server)


def test_a_uri_is_held_against_templates_in_a_bounded_time() -> None:
    server = Server("s")

    @server.resource("x://{a}-{b}")
    def parted(a: str, b: str) -> str:
        return f"{a} {b}"

    with pytest.raises(SchemaError, match="has a variable twice"):

        @server.resource("x://{a}/{a}")
        def twice(a: str) -> str:
            return a

    async def body(client: Client) -> None:
        [contents] = await client.read_resource("x://1-2-" + "3" * 8000)
        assert contents["text"] == "1-2 " + "3" * 8000
        for length in (8_000, 1_000_000):
            with pytest.raises(RequestError, match="not found"):
                await client.read_resource("x://" + "-" * length + "/")

    run(body, server)
