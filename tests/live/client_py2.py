"""client_py2.py COMMAND...: a session on the Python SDK 2.x, in the newest revision that the server knows."""

import asyncio
import json
import sys
from importlib.metadata import version

from mcp import Client, MCPError, StdioServerParameters

TEXT = "héllo 😀 \" \\ \n\t end \u2028 \u0085 \u202e."


async def main() -> None:
    seen = []

    async def on_progress(progress, total, message):
        seen.append(progress)

    async with Client(StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])) as client:
        tools = await client.list_tools()
        assert {"echo", "slow", "boom"} <= {tool.name for tool in tools.tools}
        for text in (TEXT, "ø€😀" * 40_000):
            result = await client.call_tool("echo", {"text": text})
            assert result.content[0].text == text
        result = await client.call_tool("slow", {"steps": 3}, progress_callback=on_progress)
        assert result.content[0].text == "done 3"
        await asyncio.sleep(0.05)
        assert seen == [1, 2, 3], seen
        result = await client.call_tool("boom", {})
        assert result.is_error
        try:
            await client.read_resource("test://nowhere")
        except MCPError:
            pass
        else:
            raise AssertionError("an error was due")
        protocol = client.protocol_version
    print(json.dumps({"sdk": f"mcp {version('mcp')}", "protocol": protocol}))


asyncio.run(main())
