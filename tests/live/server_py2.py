"""A server on the Python SDK 2.x, for both eras."""

import asyncio
from typing import Annotated

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve, Sample
from mcp_types import Completion, CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("live-py2")


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


def the_user() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


def the_model() -> Sample:
    return Sample([SamplingMessage(role="user", content=TextContent(type="text", text="Say hello."))], max_tokens=100)


def the_roots() -> ListRoots:
    return ListRoots()


@server.tool(description="Asks the user for a name.")
def ask(answer: Annotated[Name, Resolve(the_user)]) -> str:
    return f"the user said {answer.name}"


@server.tool(description="Asks the model.")
def sample(answer: Annotated[CreateMessageResult, Resolve(the_model)]) -> str:
    return f"the model said {answer.content.text}"


@server.tool(description="Asks for the roots.")
def roots(answer: Annotated[ListRootsResult, Resolve(the_roots)]) -> str:
    return "\n".join(str(root.uri) for root in answer.roots)


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
