"""client_py1.py COMMAND...: a session on the Python SDK 1.x."""

import asyncio
import json
import sys
from importlib.metadata import version

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client

TEXT = "héllo 😀 \" \\ \n\t end \u2028 \u0085 \u202e."


async def main() -> None:
    seen = []

    async def on_progress(progress, total, message):
        seen.append(progress)

    parameters = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(parameters) as (reader, writer), ClientSession(reader, writer) as session:
        opened = await session.initialize()
        tools = await session.list_tools()
        assert {"echo", "slow", "boom"} <= {tool.name for tool in tools.tools}
        for text in (TEXT, "ø€😀" * 40_000):
            result = await session.call_tool("echo", {"text": text})
            assert result.content[0].text == text
        result = await session.call_tool("slow", {"steps": 3}, progress_callback=on_progress)
        assert result.content[0].text == "done 3"
        await asyncio.sleep(0.05)
        assert seen == [1, 2, 3], seen
        result = await session.call_tool("boom", {})
        assert result.isError
        try:
            await session.read_resource("test://nowhere")
        except McpError:
            pass
        else:
            raise AssertionError("an error was due")
        await session.send_ping()
    print(json.dumps({"sdk": f"mcp {version('mcp')}", "protocol": opened.protocolVersion}))


asyncio.run(main())
