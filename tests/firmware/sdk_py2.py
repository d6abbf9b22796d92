"""sdk_py2.py ERA INFO COMMAND...: the Python SDK 2.x as a client of the board that COMMAND runs. INFO is what its resource says."""

import asyncio
import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters

_, era, info, command, *arguments = sys.argv
MODERN = era == "modern"


async def main() -> None:
    seen = []

    async def on_progress(progress, total, message):
        seen.append((progress, total))

    parameters = StdioServerParameters(command=command, args=arguments)
    async with Client(parameters, mode="auto" if MODERN else "legacy") as client:
        assert client.server_info.name == "board", client.server_info
        assert client.protocol_version == ("2026-07-28" if MODERN else "2025-11-25"), client.protocol_version
        names, cursor = [], None
        while True:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            if (cursor := page.next_cursor) is None:
                break
        assert names == ["led_set", "register_read", "sensor_read"], names

        async def call(name, arguments, **more):
            result = await client.call_tool(name, arguments, **more)
            return result.is_error, result.content[0].text

        assert await call("led_set", {"on": True}) == (False, "on")
        assert await call("register_read", {"name": "led"}) == (False, "00000001")
        assert (await call("led_set", {"on": 1}))[0], "the arguments do not fit"
        assert await call("sensor_read", {"samples": 3}, progress_callback=on_progress) == (False, "21.48")
        await asyncio.sleep(0.05)
        assert seen == [(1, 3), (2, 3)], seen
        with anyio.move_on_after(0.2):
            await call("sensor_read", {"samples": 1000})
            raise AssertionError("it was not cancelled")
        # Were it still at work, it would be busy.
        assert await call("sensor_read", {"samples": 1}) == (False, "21.45")
        try:
            await client.call_tool("led_set", {"on": "x" * 600})
        except MCPError as error:
            assert error.code == -32600 and error.data["limit"] == "too-long", error
        else:
            raise AssertionError("a line over the board's buffer was taken")
        resources = (await client.list_resources()).resources
        assert [str(it.uri) for it in resources] == ["board://info"], resources
        contents = (await client.read_resource("board://info")).contents
        assert contents[0].text == info, contents


asyncio.run(main())
