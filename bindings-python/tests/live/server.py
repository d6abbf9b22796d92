"""A server on `wireline.server` that offers what the servers of the repository's `tests/live` offer."""

from __future__ import annotations

import asyncio
from typing import Any

from wireline.server import Context, Server, text

server = Server("live-wireline-python", "1.0.0", page_size=4)


@server.tool
def echo(text: str) -> str:
    """Gives the text back."""
    print("a print that must not reach the protocol")
    return text


@server.tool
async def slow(steps: int, context: Context) -> str:
    """Works in steps, and tells of each."""
    for step in range(1, steps + 1):
        context.progress(step, steps, f"step {step}")
        await asyncio.sleep(0.05)
    return f"done {steps}"


@server.tool
def boom() -> None:
    """Fails."""
    raise ValueError("boom ✗")


@server.tool
async def hang() -> None:
    """Never answers."""
    await asyncio.Event().wait()


@server.tool
async def ask(context: Context) -> str:
    """Asks the user for a name."""
    form = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    answer = await context.elicit("What is your name?", form)
    return "the user said nothing" if answer is None else f"the user said {answer['name']}"


@server.tool
async def sample(context: Context) -> str:
    """Asks the model."""
    message = {"role": "user", "content": text("Say hello.")}
    answer = await context.sample([message], max_tokens=100)
    return f"the model said {answer['content']['text']}"


@server.tool
async def roots(context: Context) -> str:
    """Asks for the roots."""
    return "\n".join(root["uri"] for root in await context.roots())


@server.resource("test://hello", mime_type="text/plain")
def hello() -> str:
    return "Hello, wörld 😀"


@server.resource("test://hello/{name}", mime_type="text/plain")
def hello_to(name: str) -> str:
    return f"Hello, {name}"


@server.prompt
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Please greet {name}."


@server.completion("greet", "name")
def complete(value: str) -> list[Any]:
    return [name for name in ("Ada", "Alan", "Grace") if name.startswith(value)]


server.run()
