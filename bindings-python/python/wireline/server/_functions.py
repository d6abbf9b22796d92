"""Functions that are offered, and what is said of them in lists."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import re
import threading
import typing
import urllib.parse
from collections.abc import Callable
from typing import Any

from wireline.aio._session import RequestContext, is_cancelled

from ._content import Content
from ._context import Context, asked
from ._schema import ArgumentError, Parameters, SchemaError, name_of, of_annotation, rooted
from ._threads import Threads

__all__ = ["Function", "Prompt", "Resource", "Tool", "ToolError", "ToolResult"]


class ToolError(Exception):
    """A tool has failed; the text is for the model. Any other exception does the same."""


class ToolResult:
    """A tool's result with all of its parts. `content` is text, a piece of content, or a list of them."""

    def __init__(
        self,
        content: list[Any] | Content | str | None = None,
        *,
        structured: Any = None,
        is_error: bool = False,
        meta: dict[str, Any] | None = None,
    ) -> None:
        self.content = [content] if isinstance(content, (str, dict)) else list(content or [])
        self.structured = structured
        self.is_error = is_error
        self.meta = meta


class Function:
    """A function that is offered, and how to call it."""

    def __init__(self, function: Callable[..., Any], inline: bool, skip: tuple[str, ...] = ()) -> None:
        self.function = function
        self.parameters = Parameters(function, Context, skip)
        is_async = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
        self.threaded = not inline and not is_async

    async def __call__(
        self, request: RequestContext, seal: bytes, threads: Threads, arguments: dict[str, Any]
    ) -> Any:
        if self.parameters.context is not None:
            arguments = {**arguments, self.parameters.context: Context(request, seal)}
        call = functools.partial(_called, self.function, arguments)
        try:
            result = await threads.call(call) if self.threaded else call()
            if inspect.isawaitable(result):
                result = await result
            if inspect.isasyncgen(result):
                async with contextlib.aclosing(result):
                    result = [it async for it in result]
        except SystemExit as error:
            raise _ended(error) from error
        except asyncio.CancelledError as error:
            if is_cancelled(error):
                raise
            raise RuntimeError("what the function waited for was cancelled") from error
        except BaseExceptionGroup as group:
            if (ask := asked(group)) is not None:
                raise ask from None
            raise
        return result


def _called(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Calls a function; a generator is run to its end. What no future can carry, or would end the loop, is
    another exception."""
    try:
        result = function(**arguments)
        return list(result) if inspect.isgenerator(result) else result
    except StopIteration as error:
        raise RuntimeError("the function raised StopIteration") from error
    except SystemExit as error:
        raise _ended(error) from error
    except KeyboardInterrupt as error:
        # One that somebody typed comes to the main thread.
        if threading.current_thread() is threading.main_thread():
            raise
        raise _ended(error) from error


def _ended(error: SystemExit | KeyboardInterrupt) -> RuntimeError:
    return RuntimeError(f"the function ended the program: {error!r}")


_NOTHING_KNOWN = (inspect.Parameter.empty, None, type(None), str, bytes, bytearray, memoryview, list, Any)


class Tool(Function):
    def __init__(
        self, function: Callable[..., Any], inline: bool, name: str, entry: dict[str, Any]
    ) -> None:
        super().__init__(function, inline)
        self.entry: dict[str, Any] = {"name": name}
        self.entry.update(entry)
        if self.parameters.description:
            self.entry.setdefault("description", self.parameters.description)
        self.entry["inputSchema"] = self.parameters.schema
        self.wrapped = False
        returns = self.parameters.returns
        # Of these nothing is known, or nothing is structured.
        if returns in _NOTHING_KNOWN or _unstructured(returns):
            return
        try:
            schema = rooted(of_annotation(returns, output=True).schema)
        except SchemaError:
            return
        if not schema:
            return
        if schema.get("type") != "object":
            self.wrapped = True
            schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
        self.entry["outputSchema"] = rooted(schema)


def _unstructured(annotation: Any) -> bool:
    """Whether what is returned may be a result or content as the protocol has it."""
    if isinstance(annotation, type) and issubclass(annotation, (ToolResult, Content)):
        return True
    return any(_unstructured(it) for it in typing.get_args(annotation))


LONGEST_URI = 8192
"""Characters of a URI that is held against templates: how a text is parted takes longer than it is long."""

_VARIABLE = re.compile(r"\{(\+?)(\w+)\}")


class Resource(Function):
    def __init__(
        self, function: Callable[..., Any], inline: bool, uri: str, entry: dict[str, Any]
    ) -> None:
        super().__init__(function, inline)
        self.uri = uri
        self.variables = [match[2] for match in _VARIABLE.finditer(uri)]
        self.paths = {match[2] for match in _VARIABLE.finditer(uri) if match[1]}
        names = set(self.parameters.names)
        if set(self.variables) != names:
            raise SchemaError(
                f"{name_of(function)} takes {sorted(names)}, and {uri} has {sorted(self.variables)}"
            )
        if len(names) < len(self.variables):
            raise SchemaError(f"{uri} has a variable twice")
        self.is_template = bool(self.variables)
        parts, at = [], 0
        for match in _VARIABLE.finditer(uri):
            parts.append(re.escape(uri[at : match.start()]))
            parts.append(f"(?P<{match[2]}>{'.+' if match[1] else '[^/?#]+'})")
            at = match.end()
        parts.append(re.escape(uri[at:]))
        self.pattern = re.compile("".join(parts))
        self.entry: dict[str, Any] = {"uriTemplate" if self.is_template else "uri": uri}
        self.entry["name"] = entry.pop("name", None) or name_of(function)
        self.entry.update(entry)
        if self.parameters.description:
            self.entry.setdefault("description", self.parameters.description)

    def match(self, uri: str) -> dict[str, Any] | None:
        found = self.pattern.fullmatch(uri) if len(uri) <= LONGEST_URI else None
        if found is None:
            return None
        values = {name: urllib.parse.unquote(value) for name, value in found.groupdict().items()}
        for name, value in values.items():
            # One segment of a path, which an escaped slash would make several, and which leads nowhere else.
            if "\0" in value or name not in self.paths and ("/" in value or value in (".", "..")):
                return None
        try:
            return self.parameters.read_text(values)
        except ArgumentError:
            return None


class Prompt(Function):
    def __init__(
        self, function: Callable[..., Any], inline: bool, name: str, entry: dict[str, Any]
    ) -> None:
        super().__init__(function, inline)
        self.entry: dict[str, Any] = {"name": name}
        self.entry.update(entry)
        if self.parameters.description:
            self.entry.setdefault("description", self.parameters.description)
        arguments = []
        for argument in self.parameters.names:
            schema = self.parameters.schema["properties"][argument]
            one: dict[str, Any] = {"name": argument}
            if "description" in schema:
                one["description"] = schema["description"]
            one["required"] = argument in self.parameters.required
            arguments.append(one)
        if arguments:
            self.entry["arguments"] = arguments
