"""A server on FastMCP, for both eras."""

import asyncio

from fastmcp import Context, FastMCP
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel

MODERN = "2026-07-28"
PROMPT = [SamplingMessage(role="user", content=TextContent(type="text", text="Say hello."))]

server = FastMCP("live-fastmcp")


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


def is_modern(ctx: Context) -> bool:
    return ctx.session.protocol_version == MODERN


def wanted(request) -> InputRequiredResult:
    return InputRequiredResult(input_requests={"answer": request})


@server.tool(description="Asks the user for a name.")
async def ask(ctx: Context):
    if is_modern(ctx):
        answer = (ctx.input_responses or {}).get("answer")
        if answer is None:
            schema = Name.model_json_schema()
            return wanted(ElicitRequest(params=ElicitRequestFormParams(message="What is your name?", requested_schema=schema)))
        return f"the user said {answer.content['name']}"
    answer = await ctx.elicit("What is your name?", Name)
    return f"the user said {answer.data.name}" if answer.action == "accept" else f"the user's answer: {answer.action}"


@server.tool(description="Asks the model.")
async def sample(ctx: Context):
    if is_modern(ctx):
        answer = (ctx.input_responses or {}).get("answer")
        if answer is None:
            return wanted(CreateMessageRequest(params=CreateMessageRequestParams(messages=PROMPT, max_tokens=100)))
    else:
        answer = await ctx.session.create_message(PROMPT, max_tokens=100)
    return f"the model said {answer.content.text}"


@server.tool(description="Asks for the roots.")
async def roots(ctx: Context):
    if is_modern(ctx):
        answer = (ctx.input_responses or {}).get("answer")
        if answer is None:
            return wanted(ListRootsRequest())
    else:
        answer = await ctx.session.list_roots()
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


@server.completion
async def complete(ref, argument, context) -> list[str]:
    return [name for name in ("Ada", "Alan", "Grace") if name.startswith(argument.value)]


server.run("stdio", show_banner=False)
