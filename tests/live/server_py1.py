"""A server on the Python SDK 1.x."""

import asyncio

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import Completion, SamplingMessage, TextContent
from pydantic import BaseModel

server = FastMCP("live-py1")


class Name(BaseModel):
    name: str


@server.tool(description="Gives the text back.")
def echo(text: str) -> str:
    return text


@server.tool(description="Works in steps, and tells of each.")
async def slow(steps: int, ctx: Context) -> str:
    for step in range(1, steps + 1):
        await ctx.report_progress(step, steps, f"step {step}")
        await asyncio.sleep(0.05)
    return f"done {steps}"


@server.tool(description="Fails.")
def boom() -> str:
    raise ValueError("boom ✗")


@server.tool(description="Never answers.")
async def hang() -> str:
    await asyncio.Event().wait()
    return "never"


@server.tool(description="Asks the user for a name.")
async def ask(ctx: Context) -> str:
    answer = await ctx.elicit("What is your name?", Name)
    return f"the user said {answer.data.name}" if answer.action == "accept" else f"the user's answer: {answer.action}"


@server.tool(description="Asks the model.")
async def sample(ctx: Context) -> str:
    prompt = SamplingMessage(role="user", content=TextContent(type="text", text="Say hello."))
    answer = await ctx.session.create_message([prompt], max_tokens=100)
    return f"the model said {answer.content.text}"


@server.tool(description="Asks for the roots.")
async def roots(ctx: Context) -> str:
    return "\n".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)


@server.resource("test://hello", mime_type="text/plain")
def hello() -> str:
    return "Hello, wörld 😀"


@server.resource("test://hello/{name}", mime_type="text/plain")
def hello_to(name: str) -> str:
    return f"Hello, {name}"


@server.prompt(description="Greets somebody.")
def greet(name: str) -> str:
    return f"Please greet {name}."


@server.completion()
async def complete(ref, argument, context) -> Completion:
    return Completion(values=[name for name in ("Ada", "Alan", "Grace") if name.startswith(argument.value)])


server.run("stdio")
