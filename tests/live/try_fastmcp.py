"""FastMCP as a client of `wireline serve`, in either era. See steps.py."""

import asyncio
import base64
from importlib.metadata import version

import anyio
import mcp_types as types
import steps
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp import MCPError
from steps import step


async def fails(code, what) -> None:
    await steps.fails(code, what, MCPError, lambda error: error.code)


async def main() -> None:
    seen, logged, updated = [], [], asyncio.Event()

    async def on_progress(progress, total, message):
        seen.append((progress, total))

    async def on_log(params):
        logged.append(params.level)

    async def on_message(message):
        if isinstance(message, types.ResourceUpdatedNotification):
            assert str(message.params.uri) == "file:///watched.txt", message
            updated.set()

    async def elicit(message, response_type, params, context):
        assert message == "What is your name?", message
        return {"name": "Ada"}

    async def sample(messages, params, context):
        assert messages[0].content.text == "Say hello." and params.max_tokens == 100, params
        return steps.SAMPLED

    async with Client(
        StdioTransport(steps.command[0], steps.command[1:], keep_alive=False),
        mode="auto" if steps.MODERN else "legacy",
        sampling_handler=sample,
        elicitation_handler=elicit,
        roots=["file:///a/root"],
        log_handler=on_log,
        message_handler=on_message,
        progress_handler=on_progress,
    ) as client:
        with step("open"):
            assert client.protocol_version == ("2026-07-28" if steps.MODERN else "2025-11-25"), client.protocol_version
            assert client.session.server_info.name == "wireline-serve", client.session.server_info
        with step("tools"):
            tools = await client.list_tools()
            assert steps.TOOLS <= {tool.name for tool in tools}, tools
        with step("resources"):
            uris = {str(it.uri) for it in await client.list_resources()}
            assert {"file:///hello.txt", "file:///data.bin", "file:///notes/a%20b.md"} <= uris, uris
        with step("templates"):
            templates = await client.list_resource_templates()
            assert [it.uri_template for it in templates] == ["file:///{path}"], templates
        with step("prompts"):
            greet = next(it for it in await client.list_prompts() if it.name == "greet")
            assert [(it.name, it.required) for it in greet.arguments] == [("name", True), ("tone", False)]
        with step("call"):
            for text in (steps.TEXT, steps.BIG):
                result = await client.call_tool("echo", {"text": text})
                assert not result.is_error and result.content[0].text == text
            result = await client.call_tool("add", {"a": 2**53, "b": 1})
            assert result.structured_content == {"sum": 2**53 + 1}, result
            result = await client.call_tool("fail", {"message": "boom ✗"}, raise_on_error=False)
            assert result.is_error and result.content[0].text == "boom ✗"
        with step("progress"):
            seen.clear()
            result = await client.call_tool("three_steps", {})
            assert result.content[0].text == "three steps done"
            await asyncio.sleep(0.05)
            assert seen == [(1, 3), (2, 3), (3, 3)], seen
        with step("cancel"):
            with anyio.move_on_after(0.2):
                await client.call_tool("hang", {})
                raise AssertionError("`hang` answered")
            assert (await client.call_tool("echo", {"text": "on"})).content[0].text == "on"
        with step("read"):
            contents = await client.read_resource("file:///hello.txt")
            assert contents[0].text == steps.HELLO, contents
            contents = await client.read_resource("file:///data.bin")
            assert base64.b64decode(contents[0].blob) == bytes(range(256)), contents
        with step("get"):
            result = await client.get_prompt("greet", {"name": "Ada", "tone": "terse"})
            assert result.messages[0].content.text == "Please greet Ada, and be terse.", result
        with step("complete"):
            result = await client.complete(types.PromptReference(name="greet"), {"name": "name", "value": "A"})
            assert result.values == ["Ada", "Alan"], result
        with step("errors"):
            await fails(steps.INVALID_PARAMS, client.call_tool("no-such-tool", {}))
            await fails(steps.INVALID_PARAMS, client.get_prompt("greet", {}))
            await fails(steps.NO_RESOURCE, client.read_resource("file:///nowhere"))
            for method, code in (("wireline/none", steps.METHOD_NOT_FOUND), ("tools/call", steps.INVALID_PARAMS)):
                request = types.Request(method=method, params=types.RequestParams())
                await fails(code, client.session.send_request(request, types.EmptyResult))
        with step("elicit"):
            result = await client.call_tool("ask", {})
            assert result.content[0].text == 'the user said {"name":"Ada"}', result
        with step("sample"):
            result = await client.call_tool("sample", {})
            assert result.content[0].text == f"the model said {steps.SAMPLED}", result
        with step("roots"):
            result = await client.call_tool("roots", {})
            assert result.content[0].text == "file:///a/root", result
        with step("log"):
            if steps.MODERN:
                await client.call_tool("log", {}, meta={"io.modelcontextprotocol/logLevel": "warning"})
            else:
                await client.set_logging_level("warning")
                await client.call_tool("log", {})
            await asyncio.sleep(0.05)
            assert logged == steps.LEVELS[3:], logged
        if steps.MODERN:
            steps.none("updates", "its client opens no subscriptions")
            steps.none("ping", "2026-07-28 has none")
        else:
            with step("updates"):
                await client.session.subscribe_resource("file:///watched.txt")
                (steps.folder / "watched.txt").write_text("changed")
                await asyncio.wait_for(updated.wait(), 10)
                await client.session.unsubscribe_resource("file:///watched.txt")
            with step("ping"):
                await client.ping()
        revision = client.protocol_version
    steps.report("PyPI fastmcp", version("fastmcp"), revision)


asyncio.run(main())
