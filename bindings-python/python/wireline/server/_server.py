"""A server of typed functions."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import threading
from collections.abc import Callable
from typing import Any, TypeVar, overload

import wireline
from wireline.aio._serve import serve_stdio
from wireline.aio._session import (
    ANSWERED,
    HELD_BACK,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    Handler,
    Reply,
    RequestContext,
    RequestError,
    Session,
)

from ._content import Content, contents, plain, text
from ._context import Ask
from ._failure import failure_text
from ._functions import Function, Prompt, Resource, Tool, ToolError, ToolResult
from ._schema import ArgumentError, name_of, written
from ._subscriptions import Offered, Subscriptions
from ._threads import Threads

__all__ = ["Server"]

log = logging.getLogger("wireline")

RESOURCE_NOT_FOUND = -32002

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class Server:
    """A server of typed functions. What it offers may change, and changes be told, from any thread.

    `options` are those of :class:`wireline.Connection`: limits, time-outs, revisions, hooks.
    `page_size` is how many entries a list's page has; without it, all.
    """

    def __init__(
        self,
        name: str,
        version: str = "0",
        *,
        title: str | None = None,
        instructions: str | None = None,
        page_size: int | None = None,
        **options: Any,
    ) -> None:
        if page_size is not None and page_size < 1:
            raise ValueError(f"page_size is {page_size}; it must be at least 1")
        self._options: dict[str, Any] = {
            "name": name,
            "version": version,
            "title": title,
            "instructions": instructions,
            **options,
        }
        self._page_size = page_size
        self._tools: dict[str, Tool] = {}
        self._resources: dict[str, Resource] = {}
        self._prompts: dict[str, Prompt] = {}
        self._completers: dict[tuple[str, str], Function] = {}
        self._methods: dict[str, Handler] = {}
        # What is offered may change in one thread while a session lists it in another.
        self._lock = threading.RLock()
        self._subscriptions = Subscriptions()
        self._threads = Threads()
        self._seal = secrets.token_bytes(32)

    # What is offered.

    @overload
    def tool(self, function: F, /) -> F: ...

    @overload
    def tool(
        self,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        annotations: dict[str, Any] | None = None,
        inline: bool = False,
    ) -> Callable[[F], F]: ...

    def tool(
        self,
        function: Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        annotations: dict[str, Any] | None = None,
        inline: bool = False,
    ) -> Any:
        """Offers a function as a tool. Its schema is made of its annotations and its docstring.

        A function that is not async runs in one of the server's 32 threads, unless `inline` says that
        it is quick; a generator is run to its end, and its values are a list. An exception is a failure
        of the tool, told to the model with its text. :class:`SchemaError` for a function of which no
        schema can be made.
        """

        def offer(function: F) -> F:
            entry = _given(title=title, description=description, annotations=annotations)
            tool = Tool(function, inline, name or name_of(function), entry)
            self._add(self._tools, tool.entry["name"], tool, "tools")
            return function

        return offer if function is None else offer(function)

    def resource(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        inline: bool = False,
    ) -> Callable[[F], F]:
        """Offers a function as a resource, or as a template where the URI has variables, ``{name}``, or
        ``{+path}`` for one that may hold slashes. The function returns `str` or `bytes`."""

        def offer(function: F) -> F:
            entry = _given(name=name, title=title, description=description, mimeType=mime_type)
            resource = Resource(function, inline, uri, entry)
            self._add(self._resources, uri, resource, "resources")
            return function

        return offer

    @overload
    def prompt(self, function: F, /) -> F: ...

    @overload
    def prompt(
        self,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        inline: bool = False,
    ) -> Callable[[F], F]: ...

    def prompt(
        self,
        function: Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        inline: bool = False,
    ) -> Any:
        """Offers a function as a prompt. Its arguments come as strings, and are read as JSON where it takes
        none. It returns text, or a list of messages with `role` and `content`."""

        def offer(function: F) -> F:
            entry = _given(title=title, description=description)
            prompt = Prompt(function, inline, name or name_of(function), entry)
            self._add(self._prompts, prompt.entry["name"], prompt, "prompts")
            return function

        return offer if function is None else offer(function)

    def completion(self, of: str, argument: str, *, inline: bool = False) -> Callable[[F], F]:
        """Offers a function that completes an argument of a prompt, by its name, or a variable of a
        template, by its URI. It is given what has been typed, and returns a list of strings."""

        def offer(function: F) -> F:
            with self._lock:
                self._completers[of, argument] = Function(function, inline)
            return function

        return offer

    def method(self, name: str) -> Callable[[F], F]:
        """Answers a method of the program's own, or one that this class would answer itself: the
        function is given the parameters and a :class:`wireline.aio.RequestContext`."""

        def offer(function: F) -> F:
            self._methods[name] = function
            return function

        return offer

    def _add(self, table: dict[str, Any], name: str, entry: Any, what: Offered) -> None:
        # One entry that cannot be written would be the end of the whole list.
        written(entry.entry, name)
        with self._lock:
            if name in table:
                raise ValueError(f"{name!r} is offered already")
            table[name] = entry
        self._subscriptions.changed(what)

    def remove(self, name: str) -> None:
        """Takes back what was offered under a name or a URI."""
        tables: list[tuple[dict[str, Any], Offered]] = [
            (self._tools, "tools"),
            (self._resources, "resources"),
            (self._prompts, "prompts"),
        ]
        with self._lock:
            changed: list[Offered] = [what for table, what in tables if table.pop(name, None) is not None]
        for what in changed:
            self._subscriptions.changed(what)
        if not changed:
            raise KeyError(name)

    def resource_updated(self, uri: str) -> None:
        """Tells each client that asked to be told of changes of this URI that the resource has changed."""
        self._subscriptions.updated(uri)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools, as they are listed."""
        return [tool.entry for tool in self._every(self._tools)]

    def _every(self, table: dict[str, T]) -> list[T]:
        with self._lock:
            return list(table.values())

    # Sessions.

    def run(self) -> None:
        """Serves standard input and output until the input ends."""
        asyncio.run(self.serve())

    async def serve(self) -> None:
        """The same, inside a loop that runs already."""
        await serve_stdio(self.session)

    def session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Session:
        """A session over streams; it is to be run: see :func:`wireline.aio.serve_streams`."""
        options = dict(self._options)
        declared = dict(options.pop("capabilities", None) or {})
        declared.setdefault("logging", {})
        if self._tools:
            declared.setdefault("tools", {"listChanged": True})
        if self._resources:
            declared.setdefault("resources", {"subscribe": True, "listChanged": True})
        if self._prompts:
            declared.setdefault("prompts", {"listChanged": True})
        if self._completers:
            declared.setdefault("completions", {})
        options.setdefault("max_held_back", HELD_BACK)
        connection = wireline.Connection("server", capabilities=declared, **options)
        session = Session(connection, reader, writer, handlers=self._handlers())
        self._subscriptions.join(session)
        return session

    def _handlers(self) -> dict[str, Handler]:
        return {
            "tools/list": self._list(lambda: self.tools, "tools"),
            "tools/call": self._call,
            "resources/list": self._list(lambda: self._entries(template=False), "resources"),
            "resources/templates/list": self._list(
                lambda: self._entries(template=True), "resourceTemplates"
            ),
            "resources/read": self._read,
            "resources/subscribe": self._watch,
            "resources/unsubscribe": self._unwatch,
            "prompts/list": self._list(lambda: [it.entry for it in self._every(self._prompts)], "prompts"),
            "prompts/get": self._get,
            "completion/complete": self._complete,
            "subscriptions/listen": self._listen,
            **self._methods,
        }

    def _entries(self, template: bool) -> list[dict[str, Any]]:
        return [it.entry for it in self._every(self._resources) if it.is_template is template]

    def _list(self, entries: Callable[[], list[dict[str, Any]]], member: str) -> Handler:
        def answer(params: Any, request: RequestContext) -> Any:
            every, size = entries(), self._page_size
            cursor = params.get("cursor")
            start = 0
            if cursor is not None:
                start = int(cursor) if re.fullmatch(r"[0-9]{1,9}", str(cursor)) else -1
                if size is None or start < 1 or start >= len(every):
                    raise RequestError(INVALID_PARAMS, "Invalid params: cursor")
            if size is None:
                return {member: every}
            page: dict[str, Any] = {member: every[start : start + size]}
            if start + size < len(every):
                page["nextCursor"] = str(start + size)
            return page

        return answer

    async def _call(self, params: Any, request: RequestContext) -> Any:
        tool = self._tools.get(params["name"])
        if tool is None:
            raise RequestError(INVALID_PARAMS, f"Unknown tool: {params['name']}")
        arguments = params.get("arguments")
        try:
            if arguments is not None and not isinstance(arguments, dict):
                raise RequestError(INVALID_PARAMS, "Invalid params: arguments")
            read = tool.parameters.read(arguments or {})
        except ArgumentError as error:
            if request.revision < "2025-11-25":
                raise RequestError(INVALID_PARAMS, f"Invalid arguments: {error}") from None
            return _failed(f"Invalid arguments: {error}")
        try:
            made = await tool(request, self._seal, self._threads, read)
        except Ask as ask:
            return _ask(request, ask)
        except RequestError:
            raise
        except ToolError as error:
            return _failed(failure_text(error))
        except Exception as error:
            log.warning("the tool %s failed", tool.entry["name"], exc_info=error)
            return _failed(failure_text(error))
        return _result(tool, made)

    async def _read(self, params: Any, request: RequestContext) -> Any:
        uri = params["uri"]
        found = self._resources.get(uri)
        arguments: dict[str, Any] | None = {}
        if found is None or found.is_template:
            for found in self._every(self._resources):
                if found.is_template and (arguments := found.match(uri)) is not None:
                    break
            else:
                code = INVALID_PARAMS if request.modern else RESOURCE_NOT_FOUND
                raise RequestError(code, "Resource not found", {"uri": uri})
        try:
            made = await found(request, self._seal, self._threads, arguments or {})
        except Ask as ask:
            return _ask(request, ask)
        if isinstance(made, dict) and "contents" in made:
            return made
        if not isinstance(made, (str, bytes)):
            made = json.dumps(plain(made), ensure_ascii=False, allow_nan=False)
        return {"contents": [contents(uri, made, found.entry.get("mimeType"))]}

    def _watch(self, params: Any, request: RequestContext) -> Any:
        self._subscriptions.subscribe(request.session, params["uri"])
        return {}

    def _unwatch(self, params: Any, request: RequestContext) -> Any:
        self._subscriptions.unsubscribe(request.session, params["uri"])
        return {}

    def _listen(self, params: Any, request: RequestContext) -> Any:
        wanted = params.get("notifications") or {}
        given = wanted.get("resourceSubscriptions")
        uris = [it for it in given if isinstance(it, str)] if isinstance(given, list) else None
        request.session.connection.accept(
            request.handle,
            tools=wanted.get("toolsListChanged") is True,
            prompts=wanted.get("promptsListChanged") is True,
            resources=wanted.get("resourcesListChanged") is True,
            uris=uris,
        )
        self._subscriptions.listen(request.session, request.handle, uris or ())
        return ANSWERED

    async def _get(self, params: Any, request: RequestContext) -> Any:
        prompt = self._prompts.get(params["name"])
        if prompt is None:
            raise RequestError(INVALID_PARAMS, f"Unknown prompt: {params['name']}")
        arguments = params.get("arguments") or {}
        if not isinstance(arguments, dict):
            raise RequestError(INVALID_PARAMS, "Invalid params: arguments")
        try:
            read = prompt.parameters.read_text(arguments)
        except ArgumentError as error:
            raise RequestError(INVALID_PARAMS, f"Invalid arguments: {error}") from None
        try:
            made = await prompt(request, self._seal, self._threads, read)
        except Ask as ask:
            return _ask(request, ask)
        answer: dict[str, Any] = {"messages": _messages(made)}
        if "description" in prompt.entry:
            answer["description"] = prompt.entry["description"]
        return answer

    async def _complete(self, params: Any, request: RequestContext) -> Any:
        ref, argument = params["ref"], params["argument"]
        of = ref.get("name") if ref.get("type") == "ref/prompt" else ref.get("uri")
        name, value = argument.get("name"), argument.get("value")
        if not all(isinstance(it, str) for it in (of, name, value)):
            raise RequestError(INVALID_PARAMS, "Invalid params: ref or argument")
        completer = self._completers.get((of, name))
        if completer is None:
            if of not in self._prompts and of not in self._resources:
                raise RequestError(INVALID_PARAMS, f"Unknown reference: {of}")
            return {"completion": {"values": []}}
        first = completer.parameters.names[0] if completer.parameters.names else "value"
        values = [str(it) for it in await completer(request, self._seal, self._threads, {first: value})]
        completion: dict[str, Any] = {"values": values[:100]}
        if len(values) > 100:
            completion.update(total=len(values), hasMore=True)
        return {"completion": completion}


def _given(**entries: Any) -> dict[str, Any]:
    return {name: value for name, value in entries.items() if value is not None}


def _ask(request: RequestContext, ask: Ask) -> Any:
    connection = request.session.connection
    try:
        connection.ask(request.handle, ask.requests, ask.state)
    except wireline.LocalProtocolError as error:
        # R95: nothing is asked of a client that has not declared that it answers it.
        if error.rule != "R95":
            raise
        connection.fail_for_capability(request.handle, _needed(ask))
    return ANSWERED


def _needed(ask: Ask) -> dict[str, Any]:
    """The capabilities without which a client cannot be asked."""
    needed: dict[str, Any] = {}
    for method, params in ask.requests.values():
        given = params if isinstance(params, dict) else {}
        if method == "elicitation/create":
            needed.setdefault("elicitation", {})["url" if given.get("mode") == "url" else "form"] = {}
        elif method == "sampling/createMessage":
            tools: dict[str, Any] = {"tools": {}} if "tools" in given or "toolChoice" in given else {}
            needed.setdefault("sampling", {}).update(tools)
        else:
            needed["roots"] = {}
    return needed


def _failed(said: str) -> dict[str, Any]:
    return {"content": [text(said)], "isError": True}


def _result(tool: Tool, made: Any) -> Any:
    """What a tool returned, as a result."""
    if isinstance(made, ToolResult):
        answer: dict[str, Any] = {"content": [_content(it) for it in made.content]}
        if made.structured is not None:
            answer["structuredContent"], _ = _json(tool, made.structured)
        if made.is_error:
            answer["isError"] = True
        return Reply(answer, made.meta) if made.meta else answer
    content: list[Any] | None = None
    if made is None:
        content = []
    elif isinstance(made, (str, Content)):
        content = [_content(made)]
    elif isinstance(made, list) and made and all(isinstance(it, Content) for it in made):
        content = made
    # Clients refuse a result without the structured content that a schema announces.
    if content is not None and "outputSchema" not in tool.entry:
        return {"content": content}
    if isinstance(made, (bytes, bytearray, memoryview)):
        raise RequestError(
            INTERNAL_ERROR,
            f"Internal error: the tool {tool.entry['name']} returned bytes, which JSON has not; "
            "image(), audio() and embedded() carry them",
        )
    value, said = _json(tool, made)
    answer = {"content": [text(said)] if content is None else content}
    if "outputSchema" in tool.entry:
        answer["structuredContent"] = {"result": value} if tool.wrapped else value
    elif isinstance(value, dict):
        answer["structuredContent"] = value
    return answer


def _json(tool: Tool, made: Any) -> tuple[Any, str]:
    """What a tool returned, as a value of JSON and as its text."""
    try:
        value = plain(made)
        return value, json.dumps(value, ensure_ascii=False, allow_nan=False)
    except Exception as error:
        raise RequestError(
            INTERNAL_ERROR,
            f"Internal error: what the tool {tool.entry['name']} returned is not JSON: {failure_text(error)}",
        ) from error


def _content(value: Any) -> Any:
    return text(value) if isinstance(value, str) else value


def _messages(made: Any) -> list[Any]:
    if isinstance(made, (str, Content)):
        made = [made]
    messages = []
    for it in made:
        if isinstance(it, (str, Content)):
            messages.append({"role": "user", "content": _content(it)})
        else:
            entry = dict(plain(it))
            if isinstance(entry.get("content"), str):
                entry["content"] = text(entry["content"])
            messages.append(entry)
    return messages
