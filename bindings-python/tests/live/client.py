"""client.py ERA COMMAND…: a session of `wireline.aio` with a server of the repository's `tests/live`."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from wireline.aio import RequestError, connect_process

REVISIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
era, *command = sys.argv[1:]

TEXT = "héllo 😀 \" \\ \n\t end \u2028 \u0085 \u202e."


def elicit(params: Any, request: Any) -> Any:
    assert params["message"] == "What is your name?", params
    return {"action": "accept", "content": {"name": "Ada"}}


def sample(params: Any, request: Any) -> Any:
    return {"role": "assistant", "content": {"type": "text", "text": "hi ✓"}, "model": "none"}


def roots(params: Any, request: Any) -> Any:
    return {"roots": [{"uri": "file:///a/root"}]}


def said(result: Any) -> str:
    return str(result["content"][0]["text"])


async def main() -> None:
    stderr: list[bytes] = []
    handlers = {"elicitation/create": elicit, "sampling/createMessage": sample, "roots/list": roots}
    broken: set[str] = set()
    async with connect_process(
        *command,
        handlers=handlers,
        legacy=era == "legacy",
        stderr=stderr.append,
        on_event=lambda event: broken.update(event.broken),
    ) as client:
        assert client.revision == REVISIONS[era], client.revision
        names = {tool["name"] for tool in await client.list_tools()}
        assert {"echo", "slow", "boom", "hang", "ask", "sample", "roots"} <= names, names
        for text in (TEXT, "ø€😀" * 40_000):
            assert said(await client.call_tool("echo", {"text": text})) == text
        seen: list[Any] = []
        result = await client.call_tool(
            "slow", {"steps": 3}, progress=lambda progress, total, text: seen.append((progress, total))
        )
        assert said(result) == "done 3" and seen == [(1, 3), (2, 3), (3, 3)], (result, seen)
        result = await client.call_tool("boom")
        # What the tool's exception says is not told by every server.
        assert result["isError"], result
        try:
            async with asyncio.timeout(0.3):
                await client.call_tool("hang")
        except TimeoutError:
            pass
        assert said(await client.call_tool("echo", {"text": "on"})) == "on"
        assert "Ada" in said(await client.call_tool("ask"))
        assert said(await client.call_tool("sample")) == "the model said hi ✓"
        assert "file:///a/root" in said(await client.call_tool("roots"))
        [contents] = await client.read_resource("test://hello")
        assert contents["text"] == "Hello, wörld 😀"
        assert (await client.read_resource("test://hello/Ada"))[0]["text"] == "Hello, Ada"
        prompt = await client.get_prompt("greet", {"name": "Ada"})
        assert prompt["messages"][0]["content"]["text"] == "Please greet Ada."
        found = await client.complete({"type": "ref/prompt", "name": "greet"}, "name", "A")
        assert found["values"] == ["Ada", "Alan"], found
        for method, params in (("prompts/get", {"name": "none"}), ("wireline/none", {})):
            try:
                await client.request(method, params)
            except RequestError as error:
                # One SDK has no code of its own for unknown prompts.
                assert error.code in (-32601, -32602, 0), error
            else:
                raise AssertionError("an error was due")
        if era == "legacy":
            await client.ping()
    assert not broken, f"rules were broken: {broken}"
    print(f"{REVISIONS[era]}: all steps passed, with {client.server_info['name']}")


async def limited() -> None:
    async with asyncio.timeout(60):
        await main()


asyncio.run(limited())
