"""A server on the Python SDK 1.x."""

import asyncio

from mcp.server.fastmcp import Context, FastMCP

server = FastMCP("live-py1")


@server.tool(description="Gives the text back.")
def echo(text: str) -> str:
    return text


@server.tool(description="Works in steps, and tells of each.")
async def slow(steps: int, ctx: Context) -> str:
    for step in range(1, steps + 1):
        await ctx.report_progress(step, steps, f"step {step}")
        await asyncio.sleep(0.01)
    return f"done {steps}"


@server.tool(description="Fails.")
def boom() -> str:
    raise ValueError("boom ✗")


@server.resource("test://hello", mime_type="text/plain")
def hello() -> str:
    return "Hello, wörld 😀"


server.run("stdio")
