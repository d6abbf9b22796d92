"""The Python SDK 2.x as a client of `wireline serve`, in either era. See steps.py."""

import asyncio
import base64
from importlib.metadata import version

import anyio
import mcp_types as types
import steps
from mcp import Client, MCPError, StdioServerParameters
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

    async def elicit(context, params):
        assert params.message == "What is your name?", params
        assert "name" in params.requested_schema["properties"], params
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def sample(context, params):
        assert params.messages[0].content.text == "Say hello." and params.max_tokens == 100, params
        content = types.TextContent(type="text", text=steps.SAMPLED)
        return types.CreateMessageResult(role="assistant", content=content, model="none")

    async def roots(context):
        return types.ListRootsResult(roots=[types.Root(uri="file:///a/root")])

    async with Client(
        StdioServerParameters(command=steps.command[0], args=steps.command[1:]),
        mode="auto" if steps.MODERN else "legacy",
        sampling_callback=sample,
        elicitation_callback=elicit,
        list_roots_callback=roots,
        logging_callback=on_log,
        message_handler=on_message,
    ) as client:
        with step("open"):
            assert client.server_info.name == "wireline-serve", client.server_info
            assert client.protocol_version == ("2026-07-28" if steps.MODERN else "2025-11-25"), client.protocol_version
        with step("tools"):
            tools = await steps.pages(lambda cursor: client.list_tools(cursor=cursor), lambda page: page.tools)
            assert steps.TOOLS <= {tool.name for tool in tools}, tools
        with step("resources"):
            resources = await steps.pages(lambda cursor: client.list_resources(cursor=cursor), lambda page: page.resources)
            assert {"file:///hello.txt", "file:///data.bin", "file:///notes/a%20b.md"} <= {str(it.uri) for it in resources}
        with step("templates"):
            templates = (await client.list_resource_templates()).resource_templates
            assert [it.uri_template for it in templates] == ["file:///{path}"], templates
        with step("prompts"):
            prompts = await steps.pages(lambda cursor: client.list_prompts(cursor=cursor), lambda page: page.prompts)
            greet = next(it for it in prompts if it.name == "greet")
            assert [(it.name, it.required) for it in greet.arguments] == [("name", True), ("tone", False)]
        with step("call"):
            for text in (steps.TEXT, steps.BIG):
                result = await client.call_tool("echo", {"text": text})
                assert not result.is_error and result.content[0].text == text
            result = await client.call_tool("add", {"a": 2**53, "b": 1})
            assert result.structured_content == {"sum": 2**53 + 1}, result
            result = await client.call_tool("fail", {"message": "boom ✗"})
            assert result.is_error and result.content[0].text == "boom ✗"
        with step("progress"):
            result = await client.call_tool("three_steps", {}, progress_callback=on_progress)
            assert result.content[0].text == "three steps done"
            await asyncio.sleep(0.05)
            assert seen == [(1, 3), (2, 3), (3, 3)], seen
        with step("cancel"):
            with anyio.move_on_after(0.2):
                await client.call_tool("hang", {})
                raise AssertionError("`hang` answered")
            assert (await client.call_tool("echo", {"text": "on"})).content[0].text == "on"
        with step("read"):
            contents = (await client.read_resource("file:///hello.txt")).contents
            assert contents[0].text == steps.HELLO, contents
            contents = (await client.read_resource("file:///data.bin")).contents
            assert base64.b64decode(contents[0].blob) == bytes(range(256)), contents
        with step("get"):
            result = await client.get_prompt("greet", {"name": "Ada", "tone": "terse"})
            assert result.messages[0].content.text == "Please greet Ada, and be terse.", result
        with step("complete"):
            of = types.PromptReference(name="greet")
            result = await client.complete(of, {"name": "name", "value": "A"})
            assert result.completion.values == ["Ada", "Alan"], result
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
        with step("updates"):
            if steps.MODERN:
                async with client.listen(resource_subscriptions=["file:///watched.txt"]) as subscription:
                    (steps.folder / "watched.txt").write_text("changed")
                    event = await asyncio.wait_for(anext(aiter(subscription)), 10)
                    assert event.uri == "file:///watched.txt", event
            else:
                await client.subscribe_resource("file:///watched.txt")
                (steps.folder / "watched.txt").write_text("changed")
                await asyncio.wait_for(updated.wait(), 10)
                await client.unsubscribe_resource("file:///watched.txt")
        if steps.MODERN:
            steps.none("ping", "2026-07-28 has none")
        else:
            with step("ping"):
                await client.send_ping()
        revision = client.protocol_version
    steps.report("PyPI mcp", version("mcp"), revision)


asyncio.run(main())
