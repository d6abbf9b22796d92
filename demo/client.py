"""client.py COMMAND...: uses the weather station, on the official Python SDK."""

import asyncio
import sys

from mcp import Client, Implementation, MCPError, StdioServerParameters


async def progress(done: float, total: float | None, message: str | None) -> None:
    pass


async def main() -> None:
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with Client(server, client_info=Implementation(name="demo", version="1.0.0")) as client:
        await client.list_tools()
        await client.list_resources()
        for sensor in ("temperature", "pressure", "humidity"):
            await client.call_tool("read_sensor", {"sensor": sensor})
        await client.call_tool("calibrate", progress_callback=progress)
        await client.read_resource("station://manual")
        try:
            await client.read_resource("station://attic")
        except MCPError:
            pass


asyncio.run(main())
