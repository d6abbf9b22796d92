"""sdk_py1.py ERA INFO COMMAND...: the Python SDK 1.x as a client of the board that COMMAND runs. INFO is what its resource says."""

import asyncio
import sys

import anyio
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from pydantic import AnyUrl

_, era, info, command, *arguments = sys.argv
assert era == "legacy"


async def main() -> None:
    seen = []

    async def on_progress(progress, total, message):
        seen.append((progress, total))

    parameters = StdioServerParameters(command=command, args=arguments)
    async with stdio_client(parameters) as (reader, writer), ClientSession(reader, writer) as client:
        opened = await client.initialize()
        assert (opened.serverInfo.name, opened.protocolVersion) == ("board", "2025-11-25"), opened
        names, cursor = [], None
        while True:
            page = await client.list_tools(cursor)
            names += [tool.name for tool in page.tools]
            if (cursor := page.nextCursor) is None:
                break
        assert names == ["led_set", "register_read", "sensor_read"], names

        async def call(name, arguments, **more):
            result = await client.call_tool(name, arguments, **more)
            return result.isError, result.content[0].text

        assert await call("led_set", {"on": True}) == (False, "on")
        assert await call("register_read", {"name": "led"}) == (False, "00000001")
        assert (await call("led_set", {"on": 1}))[0], "the arguments do not fit"
        assert await call("sensor_read", {"samples": 3}, progress_callback=on_progress) == (False, "21.48")
        await asyncio.sleep(0.05)
        assert seen == [(1, 3), (2, 3)], seen
        with anyio.move_on_after(0.2):
            await call("sensor_read", {"samples": 1000})
            raise AssertionError("it was not cancelled")
        # This SDK gives up without telling the server, which goes on: other tools do not mind.
        assert await call("led_set", {"on": False}) == (False, "off")
        try:
            await client.call_tool("led_set", {"on": "x" * 600})
        except McpError as error:
            assert error.error.code == -32600 and error.error.data["limit"] == "too-long", error
        else:
            raise AssertionError("a line over the board's buffer was taken")
        resources = (await client.list_resources()).resources
        assert [str(it.uri) for it in resources] == ["board://info"], resources
        contents = (await client.read_resource(AnyUrl("board://info"))).contents
        assert contents[0].text == info, contents
        await client.send_ping()


asyncio.run(main())
