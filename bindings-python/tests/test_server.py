"""Servers of typed functions, over streams inside one process."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import enum
import logging
import math
import socket
import threading
import time
from collections.abc import Awaitable
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
import pydantic
import pytest
import wireline
from sessions import connected, run, said
from wireline.aio import Client, RequestError, serve_streams
from wireline.server import (
    Context,
    SchemaError,
    Server,
    ToolError,
    ToolResult,
    audio,
    embedded,
    image,
    link,
    text,
)

ERAS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]


class Unit(enum.Enum):
    C = "celsius"
    F = "fahrenheit"


@dataclasses.dataclass
class Place:
    lat: float
    lon: float
    name: str = "here"


class Options(TypedDict):
    unit: NotRequired[Unit]
    days: int


class Model(pydantic.BaseModel):
    """A model of pydantic's."""

    name: str
    size: int = pydantic.Field(ge=1, default=1)


class Struct(msgspec.Struct):
    """A struct of msgspec's."""

    name: str
    size: Annotated[int, msgspec.Meta(ge=1)] = 1


def weather() -> Server:
    server = Server("weather", "1.0", title="Weather", instructions="Ask for cities.")

    @server.tool
    async def forecast(city: str, days: int = 1, *, context: Context) -> str:
        """The forecast for a city.

        Args:
            city: Its name.
            days: How many days
                from today on.
        """
        for day in range(1, days + 1):
            context.progress(day, days, f"day {day}")
        return f"sun in {city}"

    @server.tool(title="Add", annotations={"readOnlyHint": True}, inline=True)
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool
    def boom() -> None:
        raise ValueError("boom ✗")

    @server.tool
    async def hang(context: Context) -> None:
        await asyncio.Event().wait()

    @server.resource("weather://stations", mime_type="text/plain")
    def stations() -> str:
        """Every station."""
        return "Oslo"

    @server.resource("weather://raw", mime_type="application/octet-stream")
    def raw() -> bytes:
        return bytes(range(256))

    @server.resource("weather://{city}/{day}")
    async def day(city: str, day: int) -> dict[str, Any]:
        return {"city": city, "day": day}

    @server.prompt
    def compare(a: str, b: str = "Oslo") -> str:
        """Compares two cities.

        Args:
            a: The first.
        """
        return f"Compare {a} and {b}."

    @server.completion("compare", "a")
    def cities(value: str) -> list[str]:
        return [it for it in ("Oslo", "Odense", "Rome") if it.startswith(value)]

    return server


@pytest.mark.parametrize("revision", [*ERAS, None])
def test_all_that_a_server_does(revision: str | None) -> None:
    async def body(client: Client) -> None:
        assert client.revision == (revision or "2026-07-28")
        assert client.server_info["name"] == "weather"
        assert client.instructions == "Ask for cities."
        tools = {tool["name"]: tool for tool in await client.list_tools()}
        assert tools["forecast"]["description"] == "The forecast for a city."
        assert tools["forecast"]["inputSchema"] == {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Its name."},
                "days": {"type": "integer", "description": "How many days from today on.", "default": 1},
            },
            "required": ["city"],
            "additionalProperties": False,
        }
        assert tools["add"]["annotations"] == {"readOnlyHint": True}
        seen: list[Any] = []
        result = await client.call_tool(
            "forecast", {"city": "Rome", "days": 3}, progress=lambda *told: seen.append(told)
        )
        assert said(result) == "sun in Rome"
        texts = [None] * 3 if revision == "2024-11-05" else ["day 1", "day 2", "day 3"]
        assert seen == [(at + 1, 3, texts[at]) for at in range(3)]
        result = await client.call_tool("add", {"a": 2, "b": 3})
        assert (said(result), result["structuredContent"]) == ("5", {"result": 5})
        result = await client.call_tool("boom")
        assert result["isError"] is True and said(result) == "boom ✗"
        assert [it["uri"] for it in await client.list_resources()] == ["weather://stations", "weather://raw"]
        [template] = await client.list_resource_templates()
        assert template["uriTemplate"] == "weather://{city}/{day}"
        [contents] = await client.read_resource("weather://stations")
        assert contents == {"uri": "weather://stations", "mimeType": "text/plain", "text": "Oslo"}
        [contents] = await client.read_resource("weather://raw")
        assert contents["blob"].startswith("AAECAwQF")
        [contents] = await client.read_resource("weather://S%C3%A3o/3")
        assert contents["text"] == '{"city": "São", "day": 3}'
        [prompt] = await client.list_prompts()
        assert prompt["arguments"] == [
            {"name": "a", "description": "The first.", "required": True},
            {"name": "b", "required": False},
        ]
        answer = await client.get_prompt("compare", {"a": "Rome"})
        assert answer["messages"] == [
            {"role": "user", "content": {"type": "text", "text": "Compare Rome and Oslo."}}
        ]
        if revision != "2024-11-05":
            found = await client.complete({"type": "ref/prompt", "name": "compare"}, "a", "O")
            assert found["values"] == ["Oslo", "Odense"]
        if client.revision != "2026-07-28":
            await client.ping()

    run(body, weather(), revision)


@pytest.mark.parametrize("revision", ERAS)
def test_what_does_not_exist(revision: str) -> None:
    async def fails(code: int, what: Awaitable[Any]) -> None:
        with pytest.raises(RequestError) as caught:
            await what
        assert caught.value.code == code, caught.value

    async def body(client: Client) -> None:
        await fails(-32602, client.call_tool("none"))
        await fails(-32602, client.get_prompt("none"))
        await fails(-32602, client.get_prompt("compare"))
        await fails(-32602 if revision == "2026-07-28" else -32002, client.read_resource("weather://none"))
        await fails(-32601, client.request("weather/none"))
        await fails(-32602, client.request("tools/call", {}))
        await fails(-32602, client.request("tools/list", {"cursor": "5"}))
        wrong = client.call_tool("add", {"a": 1, "b": "x"})
        if revision < "2025-11-25":
            await fails(-32602, wrong)
        else:
            result = await wrong
            assert result["isError"] and said(result) == "Invalid arguments: b must be an integer, not a string"

    run(body, weather(), revision)


def test_a_cancelled_task_cancels_the_call() -> None:
    stopped = threading.Event()
    server = Server("s")

    @server.tool
    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    @server.tool
    def busy(context: Context) -> None:
        while not context.cancelled:
            time.sleep(0.005)
        stopped.set()

    async def body(client: Client) -> None:
        for name in ("hang", "busy"):
            stopped.clear()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await client.call_tool(name)
            assert await asyncio.to_thread(stopped.wait, 5)
        assert client.session.connection.in_flight == (0, 0)
        assert (await client.list_tools())[0]["name"] == "hang"

    run(body, server)


def test_a_call_times_out() -> None:
    async def body(client: Client) -> None:
        with pytest.raises(TimeoutError, match="no answer in time"):
            await client.call_tool("hang", timeout=0.05)
        assert said(await client.call_tool("add", {"a": 1, "b": 1})) == "2"

    run(body, weather())


class NoText(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text either")


CYCLIC: list[Any] = []
CYCLIC.append(CYCLIC)


def bad_server() -> Server:
    server = Server("bad")
    values: dict[str, Any] = {
        "nan": math.nan,
        "infinity": {"x": [math.inf]},
        "raw": b"\x00\xff",
        "inside": {"x": b"\x00"},
        "cyclic": CYCLIC,
        "objects": object(),
        "keys": {(1, 2): 3},
        "surrogate": {"x": "\ud800"},
        "only_surrogate": "\udfff",
    }

    def offer(name: str, value: Any) -> None:
        def give() -> Any:
            return value

        server.tool(name=name)(give)

    for name, value in values.items():
        offer(name, value)
    failures: dict[str, BaseException] = {
        "no_text": NoText(),
        "empty": ValueError(),
        "lone": ValueError("\ud800!"),
        "told": ToolError("the sensor is off"),
        "leaves": SystemExit(3),
        "stops": StopIteration(),
        "deep": RecursionError("too deep"),
    }

    def fail(name: str, failure: BaseException) -> None:
        def give() -> None:
            raise failure

        server.tool(name=name)(give)

    for name, failure in failures.items():
        fail(name, failure)

    @server.tool
    def refuses() -> None:
        raise RequestError(-32000, "not today", {"again": "tomorrow"})

    @server.tool
    def refuses_badly() -> None:
        raise RequestError(-32000, "\ud800", {"again": math.nan})

    @server.tool
    def huge() -> str:
        return "x" * 20_000_000

    @server.tool
    def fine() -> str:
        return "fine"

    return server


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_bad_values_leave_the_protocol_intact(revision: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)

    async def body(client: Client) -> None:
        for name in (
            "nan", "infinity", "raw", "inside", "cyclic", "objects", "keys", "surrogate", "only_surrogate",
        ):  # fmt: skip
            with pytest.raises(RequestError) as caught:
                await client.call_tool(name)
            assert caught.value.code == -32603, name
            assert caught.value.message.startswith("Internal error"), name
        expected = {
            "no_text": "NoText",
            "empty": "ValueError",
            "lone": "?!",
            "told": "the sensor is off",
            "leaves": "the function ended the program: SystemExit(3)",
            "deep": "too deep",
        }
        for name, words in expected.items():
            result = await client.call_tool(name)
            assert result["isError"] and said(result) == words
        assert "StopIteration" in said(await client.call_tool("stops"))
        with pytest.raises(RequestError) as caught:
            await client.call_tool("refuses")
        assert (caught.value.code, caught.value.message) == (-32000, "not today")
        assert caught.value.data == {"again": "tomorrow"}
        with pytest.raises(RequestError):
            await client.call_tool("refuses_badly")
        with pytest.raises(wireline.RemoteProtocolError) as remote:
            await client.call_tool("huge")
        assert remote.value.kind == "too-long"
        assert said(await client.call_tool("fine")) == "fine"

    run(body, bad_server(), revision)


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_the_client_is_asked(revision: str) -> None:
    server = Server("asking")
    runs = 0

    @server.tool
    async def who(context: Context) -> str:
        nonlocal runs
        runs += 1
        form = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        name = await context.elicit("What is your name?", form)
        roots = await context.roots()
        answer = await context.sample([{"role": "user", "content": text("hello")}], max_tokens=10)
        return f"{name} {[it['uri'] for it in roots]} {answer['content']['text']}"

    async def elicit(params: Any, request: Any) -> Any:
        assert params["message"] == "What is your name?"
        return {"action": "accept", "content": {"name": "Ada"}}

    handlers = {
        "elicitation/create": elicit,
        "roots/list": lambda params, request: {"roots": [{"uri": "file:///r"}]},
        "sampling/createMessage": lambda params, request: {
            "role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m",
        },  # fmt: skip
    }

    async def body(client: Client) -> None:
        result = await client.call_tool("who")
        assert said(result) == "{'name': 'Ada'} ['file:///r'] hi"
        assert runs == (4 if revision == "2026-07-28" else 1)

    run(body, server, revision, handlers=handlers)


def test_state_that_the_client_has_changed_is_refused() -> None:
    server = weather()

    @server.tool
    async def who(context: Context) -> str:
        return str(await context.roots())

    async def main() -> Any:
        ours, theirs = socket.socketpair()
        serving = asyncio.create_task(
            serve_streams(server.session, *await asyncio.open_connection(sock=theirs))
        )
        reader, writer = await asyncio.open_connection(sock=ours)
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"roots": {}},
        }
        params = {"name": "who", "arguments": {}, "_meta": meta, "requestState": "AAAA"}
        writer.write(wireline.encode_request(1, "tools/call", params))
        answer = wireline.parse((await reader.readline())[:-1])
        writer.close()
        await serving
        return answer.error

    error = asyncio.run(main())
    assert error["code"] == -32602 and "requestState" in error["message"]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_changes_are_told(revision: str) -> None:
    server = weather()
    told: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()

    async def body(client: Client) -> None:
        async with client.subscribed("weather://stations", lists=True):
            server.resource_updated("weather://stations")
            server.resource_updated("weather://raw")
            method, params = await told.get()
            assert method == "notifications/resources/updated"
            assert params["uri"] == "weather://stations"

            @server.tool
            def late() -> str:
                return "late"

            assert (await told.get())[0] == "notifications/tools/list_changed"
            server.remove("late")
            assert (await told.get())[0] == "notifications/tools/list_changed"
        server.resource_updated("weather://stations")
        if client.revision == "2025-11-25":
            await client.ping()
        else:
            await client.list_tools()
        assert told.empty()

    run(body, server, revision, on_notification=lambda *it: told.put_nowait(it))


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_log_messages(revision: str) -> None:
    server = Server("logs")
    logged: list[Any] = []

    @server.tool
    def work(context: Context) -> str:
        context.log("info", "quiet")
        context.log("error", {"disk": "full"}, logger="disk")
        return "done"

    async def body(client: Client) -> None:
        if revision == "2025-11-25":
            await client.request("logging/setLevel", {"level": "warning"})
            await client.call_tool("work")
        else:
            await client.call_tool("work")
            assert logged == []
            await client.call_tool("work", log_level="warning")
        [(method, params)] = logged
        assert method == "notifications/message"
        assert (params["level"], params["data"], params["logger"]) == ("error", {"disk": "full"}, "disk")

    run(body, server, revision, on_notification=lambda *it: logged.append(it))


def test_contents_and_results() -> None:
    server = Server("contents")

    @server.tool
    def media() -> list[Any]:
        return [text("a"), image(b"1"), audio(b"2"), link("x://y", "y"), embedded("x://z", b"3")]

    @server.tool
    def whole() -> ToolResult:
        return ToolResult(["text"], structured={"a": Place(1, 2)}, is_error=True, meta={"x/y": 1})

    @server.tool
    def place() -> Place:
        return Place(1.5, 2.5)

    @server.tool
    def model() -> Model:
        return Model(name="m")

    @server.tool
    def struct() -> Struct:
        return Struct("s")

    @server.tool
    def several() -> list[Unit]:
        return [Unit.C]

    async def body(client: Client) -> None:
        result = await client.call_tool("media")
        assert [it["type"] for it in result["content"]] == ["text", "image", "audio", "resource_link", "resource"]
        result = await client.call_tool("whole")
        assert result["isError"] and result["_meta"]["x/y"] == 1
        assert result["structuredContent"] == {"a": {"lat": 1, "lon": 2, "name": "here"}}
        expected = {
            "place": {"lat": 1.5, "lon": 2.5, "name": "here"},
            "model": {"name": "m", "size": 1},
            "struct": {"name": "s", "size": 1},
            "several": {"result": ["celsius"]},
        }
        tools = {tool["name"]: tool for tool in await client.list_tools()}
        for name, structured in expected.items():
            result = await client.call_tool(name)
            assert result["structuredContent"] == structured
            assert tools[name]["outputSchema"]["type"] == "object"

    run(body, server)


class Word(str, enum.Enum):
    U = "u"


def test_what_announces_a_schema_is_structured_whatever_it_returns() -> None:
    server = Server("s")

    @server.tool
    def optional(some: bool) -> str | None:
        return "x" if some else None

    @server.tool
    def number(some: bool) -> int | None:
        return 5 if some else None

    @server.tool
    def literal() -> Literal["u"]:
        return "u"

    @server.tool
    def word() -> Word:
        return Word.U

    @server.tool
    def annotated() -> Annotated[str, "a note"]:
        return "y"

    @server.tool
    def blocks() -> list:  # type: ignore[type-arg]
        return [text("a"), link("a:b", "b")]

    async def body(client: Client) -> None:
        tools = {tool["name"]: tool for tool in await client.list_tools()}
        for name, arguments, structured, words in (
            ("optional", {"some": True}, {"result": "x"}, ["x"]),
            ("optional", {"some": False}, {"result": None}, []),
            ("number", {"some": True}, {"result": 5}, ["5"]),
            ("number", {"some": False}, {"result": None}, []),
            ("literal", {}, {"result": "u"}, ["u"]),
            ("word", {}, {"result": "u"}, ["u"]),
            ("annotated", {}, {"result": "y"}, ["y"]),
            ("blocks", {}, None, ["a", None]),
        ):
            result = await client.call_tool(name, arguments)
            assert result.get("structuredContent") == structured, name
            assert ("outputSchema" in tools[name]) == (structured is not None), name
            assert [it.get("text") for it in result["content"]] == words, name

    run(body, server)


def test_definitions_stand_at_the_root() -> None:
    server = Server("s")

    @server.tool
    def both(a: list[Struct], b: dict[str, Model], c: Struct) -> list[Struct]:
        return a

    [tool] = server.tools
    schema = tool["inputSchema"]
    assert schema["properties"]["a"]["items"] == {"$ref": "#/$defs/Struct"}
    assert "Struct" in schema["$defs"] and "$defs" not in schema["properties"]["a"]["items"]
    assert tool["outputSchema"]["properties"]["result"]["items"] == {"$ref": "#/$defs/Struct"}
    assert tool["outputSchema"]["$defs"]["Struct"]["type"] == "object"


def test_arguments_become_what_is_annotated() -> None:
    server = Server("types")
    given: dict[str, Any] = {}

    @server.tool
    def take(
        place: Place,
        options: Options,
        model: Model,
        struct: Struct,
        sort: Literal["up", "down"],
        pair: tuple[int, str],
        many: set[int],
        ratio: float,
        size: Annotated[int, pydantic.Field(ge=2)],
        maybe: int | None = None,
        note: Annotated[str, "A note."] = "",
        anything: Any = None,
    ) -> None:
        given.update(locals())

    right: dict[str, Any] = {
        "place": {"lat": 1, "lon": 2.5},
        "options": {"days": 3.0, "unit": "celsius"},
        "model": {"name": "m", "size": 2},
        "struct": {"name": "s"},
        "sort": "up",
        "pair": [1, "x"],
        "many": [1, 2, 2],
        "ratio": 1,
        "size": 2,
    }
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"place": {"lat": 1}}, "place.lon is missing"),
        ({"place": {"lat": 1, "lon": 2, "x": 1}}, "place.x is not known"),
        ({"options": {"days": 1, "unit": "kelvin"}}, "options.unit must be one of 'celsius', 'fahrenheit'"),
        ({"model": {"name": "m", "size": 0}}, "model.size"),
        ({"struct": {"name": 5}}, "struct"),
        ({"sort": "sideways"}, "sort must be one of"),
        ({"pair": [1]}, "pair must be an array of 2"),
        ({"many": "no"}, "many must be an array, not a string"),
        ({"ratio": True}, "ratio must be a number, not a boolean"),
        ({"size": 1}, "size"),
        ({"maybe": "x"}, "maybe must be an integer, not a string; or maybe must be null"),
        ({"extra": 1}, "extra is not known"),
    ]

    async def body(client: Client) -> None:
        await client.call_tool("take", right)
        assert given["place"] == Place(1.0, 2.5)
        assert given["options"] == {"days": 3, "unit": Unit.C}
        assert given["model"] == Model(name="m", size=2) and given["struct"] == Struct("s")
        assert given["pair"] == (1, "x") and given["many"] == {1, 2}
        assert type(given["ratio"]) is float and given["maybe"] is None
        for change, words in wrong:
            result = await client.call_tool("take", {**right, **change})
            assert result["isError"] is True and words in said(result), (change, said(result))
        result = await client.call_tool("take", {})
        assert "place is missing" in said(result)

    run(body, server)
    schema = server.tools[0]["inputSchema"]["properties"]
    assert schema["note"]["description"] == "A note."
    assert schema["maybe"] == {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}
    assert schema["size"]["minimum"] == 2


@dataclasses.dataclass
class Tree:
    children: list[Tree]


def test_functions_that_have_no_schema() -> None:
    server = Server("s")

    def variadic(*values: int) -> None: ...

    def keys(value: dict[int, str]) -> None: ...

    def recursive(value: Tree) -> None: ...

    def positional(value: int, /) -> None: ...

    def unknown(value: threading.Lock) -> None: ...

    for function in (variadic, keys, recursive, positional, unknown):
        with pytest.raises(SchemaError):
            server.tool(function)
    assert server.tools == []
    with pytest.raises(SchemaError, match="takes"):

        @server.resource("x://{a}")
        def other(b: str) -> str:
            return b

    server.tool(name="x")(lambda: None)
    with pytest.raises(ValueError, match="offered already"):
        server.tool(name="x")(lambda: None)
    with pytest.raises(KeyError):
        server.remove("y")
    with pytest.raises(ValueError, match="page_size"):
        Server("s", page_size=0)


def test_pages() -> None:
    server = Server("pages", page_size=3)
    for at in range(10):
        server.tool(name=f"tool{at}")(lambda: None)

    async def body(client: Client) -> None:
        page = await client.request("tools/list")
        assert len(page["tools"]) == 3 and page["nextCursor"]
        assert [tool["name"] for tool in await client.list_tools()] == [f"tool{at}" for at in range(10)]

    run(body, server)


def test_methods_of_the_programs_own() -> None:
    server = Server("own", answer_unparsable=False)

    @server.method("acme/sum")
    async def total(params: Any, request: Any) -> Any:
        return {"sum": sum(params["of"])}

    async def body(client: Client) -> None:
        assert (await client.request("acme/sum", {"of": [1, 2, 3]}))["sum"] == 6

    run(body, server)


def test_a_variable_of_a_template_is_one_segment() -> None:
    server = Server("s")

    @server.resource("file:///{name}")
    def one(name: str) -> str:
        return f"one {name}"

    @server.resource("tree:///{+path}")
    def tree(path: str) -> str:
        return f"tree {path}"

    async def body(client: Client) -> None:
        async def read(uri: str) -> str:
            return str((await client.read_resource(uri))[0]["text"])

        assert await read("file:///a%20b%3Fc") == "one a b?c"
        assert await read("tree:///a/b%2Fc") == "tree a/b/c"
        for uri in ("file:///..%2fetc", "file:///a%2F", "file:///%2e.", "file:///a%00", "tree:///a%00b"):
            with pytest.raises(RequestError, match="not found"):
                await client.read_resource(uri)

    run(body, server)


class Strict(pydantic.BaseModel, strict=True):
    """A model that takes no other type than its own."""

    when: datetime.date
    pair: tuple[int, int]
    unit: Unit
    size: Annotated[int, pydantic.Field(alias="Size")]

    @pydantic.computed_field
    def area(self) -> int:
        return self.pair[0] * self.pair[1]


@dataclasses.dataclass
class Made:
    name: str = "x"
    length: int = dataclasses.field(init=False, default=1)


def test_strict_models_and_what_is_given_out() -> None:
    server = Server("s")

    @server.tool
    def same(value: Strict) -> Strict:
        return value

    @server.tool
    def made() -> Made:
        return Made()

    async def body(client: Client) -> None:
        given = {"when": "2026-07-28", "pair": [2, 3], "unit": "celsius", "Size": 5}
        result = await client.call_tool("same", {"value": given})
        assert result["structuredContent"] == {**given, "area": 6}
        wrong = await client.call_tool("same", {"value": {**given, "Size": "5"}})
        assert wrong["isError"] and "value.Size" in said(wrong)
        tools = {tool["name"]: tool for tool in await client.list_tools()}
        taken, out = tools["same"]["inputSchema"], tools["same"]["outputSchema"]
        assert "area" not in str(taken) and "area" in out["required"] and "Size" in out["properties"]
        assert tools["made"]["outputSchema"]["required"] == ["name", "length"]
        assert (await client.call_tool("made"))["structuredContent"] == {"name": "x", "length": 1}

    run(body, server)


class Level(enum.IntEnum):
    LOW = 3


class Share(float):
    def __repr__(self) -> str:
        return f"Share({float(self)})"


def test_numbers_of_classes_of_the_program() -> None:
    server = Server("s")

    @server.tool
    async def run_on(context: Context) -> None:
        context.progress(Level.LOW, Share(4.5))

    seen: list[Any] = []

    async def body(client: Client) -> None:
        await client.call_tool("run_on", progress=lambda *told: seen.append(told))

    run(body, server)
    assert seen == [(3, 4.5, None)]
    assert wireline.encode_result(Level.LOW, {}) == wireline.encode_result(3, {})
