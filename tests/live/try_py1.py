"""The Python SDK 1.x as a client of `wireline serve`. See steps.py."""

import asyncio
import base64
from importlib.metadata import version

import anyio
import steps
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from pydantic import AnyUrl, BaseModel
from steps import step


def error_code(error: McpError) -> int:
    return error.error.code


async def fails(code, what) -> None:
    await steps.fails(code, what, McpError, error_code)


class Anything(BaseModel):
    method: str
    params: dict | None = None


async def main() -> None:
    seen, logged, updated = [], [], asyncio.Event()

    async def on_progress(progress, total, message):
        seen.append((progress, total))

    async def on_log(params):
        logged.append(params.level)

    async def on_message(message):
        root = getattr(message, "root", None)
        if isinstance(root, types.ResourceUpdatedNotification):
            assert str(root.params.uri) == "file:///watched.txt", root
            updated.set()

    async def elicit(context, params):
        assert params.message == "What is your name?", params
        assert "name" in params.requestedSchema["properties"], params
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def sample(context, params):
        assert params.messages[0].content.text == "Say hello." and params.maxTokens == 100, params
        content = types.TextContent(type="text", text=steps.SAMPLED)
        return types.CreateMessageResult(role="assistant", content=content, model="none")

    async def roots(context):
        return types.ListRootsResult(roots=[types.Root(uri="file:///a/root")])

    parameters = StdioServerParameters(command=steps.command[0], args=steps.command[1:])
    async with (
        stdio_client(parameters) as (reader, writer),
        ClientSession(
            reader,
            writer,
            sampling_callback=sample,
            elicitation_callback=elicit,
            list_roots_callback=roots,
            logging_callback=on_log,
            message_handler=on_message,
        ) as session,
    ):
        with step("open"):
            opened = await session.initialize()
            assert opened.serverInfo.name == "wireline-serve", opened
            assert opened.protocolVersion == types.LATEST_PROTOCOL_VERSION, opened
        with step("tools"):
            tools = await steps.pages(lambda cursor: session.list_tools(cursor), lambda page: page.tools)
            assert steps.TOOLS <= {tool.name for tool in tools}, tools
        with step("resources"):
            resources = await steps.pages(lambda cursor: session.list_resources(cursor), lambda page: page.resources)
            assert {"file:///hello.txt", "file:///data.bin", "file:///notes/a%20b.md"} <= {str(it.uri) for it in resources}
        with step("templates"):
            templates = (await session.list_resource_templates()).resourceTemplates
            assert [it.uriTemplate for it in templates] == ["file:///{path}"], templates
        with step("prompts"):
            prompts = await steps.pages(lambda cursor: session.list_prompts(cursor), lambda page: page.prompts)
            greet = next(it for it in prompts if it.name == "greet")
            assert [(it.name, it.required) for it in greet.arguments] == [("name", True), ("tone", False)]
        with step("call"):
            for text in (steps.TEXT, steps.BIG):
                result = await session.call_tool("echo", {"text": text})
                assert not result.isError and result.content[0].text == text
            result = await session.call_tool("add", {"a": 2**53, "b": 1})
            assert result.structuredContent == {"sum": 2**53 + 1}, result
            result = await session.call_tool("fail", {"message": "boom ✗"})
            assert result.isError and result.content[0].text == "boom ✗"
        with step("progress"):
            result = await session.call_tool("three_steps", {}, progress_callback=on_progress)
            assert result.content[0].text == "three steps done"
            await asyncio.sleep(0.05)
            assert seen == [(1, 3), (2, 3), (3, 3)], seen
        with step("cancel"):
            # This SDK sends no cancellation of its own: it is sent by hand.
            number = session._request_id
            with anyio.move_on_after(0.2):
                await session.call_tool("hang", {})
                raise AssertionError("`hang` answered")
            await session.send_notification(
                types.ClientNotification(
                    types.CancelledNotification(params=types.CancelledNotificationParams(requestId=number, reason="enough"))
                )
            )
            assert (await session.call_tool("echo", {"text": "on"})).content[0].text == "on"
        with step("read"):
            contents = (await session.read_resource(AnyUrl("file:///hello.txt"))).contents
            assert contents[0].text == steps.HELLO, contents
            contents = (await session.read_resource(AnyUrl("file:///data.bin"))).contents
            assert base64.b64decode(contents[0].blob) == bytes(range(256)), contents
        with step("get"):
            result = await session.get_prompt("greet", {"name": "Ada", "tone": "terse"})
            assert result.messages[0].content.text == "Please greet Ada, and be terse.", result
        with step("complete"):
            of = types.PromptReference(type="ref/prompt", name="greet")
            result = await session.complete(of, {"name": "name", "value": "A"})
            assert result.completion.values == ["Ada", "Alan"], result
        with step("errors"):
            await fails(steps.INVALID_PARAMS, session.call_tool("no-such-tool", {}))
            await fails(steps.INVALID_PARAMS, session.get_prompt("greet", {}))
            await fails(steps.NO_RESOURCE, session.read_resource(AnyUrl("file:///nowhere")))
            for method, code in (("wireline/none", steps.METHOD_NOT_FOUND), ("tools/call", steps.INVALID_PARAMS)):
                await fails(code, session.send_request(Anything(method=method, params={}), types.EmptyResult))
        with step("elicit"):
            result = await session.call_tool("ask", {})
            assert result.content[0].text == 'the user said {"name":"Ada"}', result
        with step("sample"):
            result = await session.call_tool("sample", {})
            assert result.content[0].text == f"the model said {steps.SAMPLED}", result
        with step("roots"):
            result = await session.call_tool("roots", {})
            assert result.content[0].text == "file:///a/root", result
        with step("log"):
            await session.set_logging_level("warning")
            await session.call_tool("log", {})
            await asyncio.sleep(0.05)
            assert logged == steps.LEVELS[3:], logged
        with step("updates"):
            await session.subscribe_resource(AnyUrl("file:///watched.txt"))
            (steps.folder / "watched.txt").write_text("changed")
            await asyncio.wait_for(updated.wait(), 10)
            await session.unsubscribe_resource(AnyUrl("file:///watched.txt"))
        with step("ping"):
            await session.send_ping()
    steps.report("PyPI mcp", version("mcp"), opened.protocolVersion)


asyncio.run(main())
