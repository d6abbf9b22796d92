"""Clients, over whatever there is."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import wireline
from wireline._types import LogLevel

from ._loop import running_loop
from ._process import LEFT_BEHIND, POLL, REAPED, StderrHook, abort, close, start_process
from ._process import Process as _Process
from ._session import HELD_BACK, ConnectionClosed, Handler, Progress, Session
from ._shield import to_the_end
from ._streams import over_descriptors
from ._subscription import Subscription, Watched, listening, watching

__all__ = [
    "Client",
    "connect_process",
    "connect_stdio",
    "connect_streams",
    "connect_tcp",
    "connect_unix",
]

log = logging.getLogger("wireline")

WAIT_AFTER_CLOSE = 2.0
"""Seconds that a server may take to end after its input was closed, and again after SIGTERM."""


class Client:
    """A client's end of an open session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._watched: dict[str, Watched] = {}

    @property
    def revision(self) -> str | None:
        """The revision that is spoken."""
        return self.session.connection.revision

    @property
    def server_info(self) -> Any:
        """Who the server says it is."""
        return self.session.server_info

    @property
    def capabilities(self) -> Any:
        """What the server can do, as far as the protocol has names for it."""
        return self.session.connection.peer_capabilities

    @property
    def instructions(self) -> str | None:
        """The server's hints for a model."""
        return self.session.instructions

    async def request(
        self,
        method: str,
        params: Any = None,
        *,
        timeout: float | None = None,
        hard_timeout: float | None = None,
        progress: Progress | None = None,
        log_level: LogLevel | None = None,
        meta: Any = None,
    ) -> Any:
        """Sends a request and waits for its result: see :meth:`Session.request`."""
        return await self.session.request(
            method,
            params,
            timeout=timeout,
            hard_timeout=hard_timeout,
            progress=progress,
            log_level=log_level,
            meta=meta,
        )

    async def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification."""
        await self.session.notify(method, params)

    async def ping(self) -> None:
        """Asks whether the server is there (revisions before 2026-07-28)."""
        await self.session.ping()

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        hard_timeout: float | None = None,
        progress: Progress | None = None,
        log_level: LogLevel | None = None,
    ) -> Any:
        """Calls a tool; the result has ``content``, perhaps ``structuredContent``, and ``isError`` where
        the tool failed. Of the time-outs see :meth:`Session.request`: without `hard_timeout` a call
        ends after 600 s (the option of that name), whatever `timeout` is."""
        params = {"name": name, "arguments": dict(arguments or {})}
        return await self.request(
            "tools/call",
            params,
            timeout=timeout,
            hard_timeout=hard_timeout,
            progress=progress,
            log_level=log_level,
        )

    async def _all(self, method: str, member: str) -> list[Any]:
        entries: list[Any] = []
        cursor: str | None = None
        seen: set[str] = set()
        while True:
            page = await self.request(method, None if cursor is None else {"cursor": cursor})
            entries += page.get(member) or []
            cursor = page.get("nextCursor")
            if cursor is None:
                return entries
            if cursor in seen:
                text = f"{method} gives the cursor {cursor!r} twice: its list has no end"
                raise wireline.RemoteProtocolError(text, kind="endless-list")
            seen.add(cursor)

    async def list_tools(self) -> list[Any]:
        """Every tool, all pages."""
        return await self._all("tools/list", "tools")

    async def list_resources(self) -> list[Any]:
        """Every resource, all pages."""
        return await self._all("resources/list", "resources")

    async def list_resource_templates(self) -> list[Any]:
        """Every resource template, all pages."""
        return await self._all("resources/templates/list", "resourceTemplates")

    async def list_prompts(self) -> list[Any]:
        """Every prompt, all pages."""
        return await self._all("prompts/list", "prompts")

    async def read_resource(self, uri: str) -> Any:
        """A resource's ``contents``."""
        return (await self.request("resources/read", {"uri": uri}))["contents"]

    async def get_prompt(self, name: str, arguments: Mapping[str, str] | None = None) -> Any:
        """A prompt, with ``messages``."""
        return await self.request("prompts/get", {"name": name, "arguments": dict(arguments or {})})

    async def complete(self, ref: Mapping[str, Any], name: str, value: str) -> Any:
        """What an argument of a prompt or a template could be."""
        params = {"ref": dict(ref), "argument": {"name": name, "value": value}}
        return (await self.request("completion/complete", params))["completion"]

    @contextlib.asynccontextmanager
    async def subscribed(self, *uris: str, lists: bool = False) -> AsyncIterator[Subscription]:
        """Asks to be told of changes while the block runs, in either era: of resources by their URIs,
        and of lists. They come to ``on_notification``.

        The block is given a :class:`Subscription`, which says of what the server tells, and when it
        has ended that: a warning is logged then, and the block goes on. Raises :class:`RequestError` where
        the server refuses, and :class:`SubscriptionError` where it does not tell of one of the URIs, or
        of any list. Blocks may be inside one another, and of the same URIs.
        """
        session = self.session
        making = (
            listening(session, uris, lists)
            if session.connection.revision == "2026-07-28"
            else watching(session, self._watched, uris, lists)
        )
        async with making as subscription:
            yield subscription


@contextlib.asynccontextmanager
async def connect_streams(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    legacy: bool = False,
    handlers: Mapping[str, Handler] | None = None,
    on_notification: Callable[[str, Any], object] | None = None,
    on_event: Callable[[wireline.Event], object] | None = None,
    grace: float = WAIT_AFTER_CLOSE,
    **options: Any,
) -> AsyncIterator[Client]:
    """Opens a session over a pair of streams, which it closes when the block is left.

    `handlers` answer what the server asks, by method, such as ``elicitation/create``, in either era;
    their capabilities are declared. `on_notification` and `on_event` are plain functions and no async
    ones. `grace` is how many seconds what is still to be sent, and what still comes, has on leaving;
    then the connection is aborted. Further keyword arguments are those of
    :class:`wireline.Connection`. With `legacy` there is no probe for the modern era.

    Raises :class:`ConnectionClosed` if the connection ends before the session is open,
    :class:`TimeoutError` if the server does not answer in time, and
    :class:`wireline.RemoteProtocolError` if no session comes about; its cause is the server's error, if it gave one.
    """
    session = _session(
        reader,
        writer,
        None,
        legacy=legacy,
        handlers=handlers,
        on_notification=on_notification,
        on_event=on_event,
        grace=grace,
        **options,
    )
    async with session as client:
        yield client


@contextlib.asynccontextmanager
async def _session(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    process: _Process | None,
    *,
    legacy: bool = False,
    handlers: Mapping[str, Handler] | None = None,
    on_notification: Callable[[str, Any], object] | None = None,
    on_event: Callable[[wireline.Event], object] | None = None,
    grace: float = WAIT_AFTER_CLOSE,
    **options: Any,
) -> AsyncIterator[Client]:
    loop = running_loop()
    try:
        declared = dict(options.pop("capabilities", None) or {})
        for method, name in (
            ("elicitation/create", "elicitation"),
            ("sampling/createMessage", "sampling"),
            ("roots/list", "roots"),
        ):
            if handlers and method in handlers:
                declared.setdefault(name, {})
        options.setdefault("max_held_back", HELD_BACK)
        connection = wireline.Connection("client", capabilities=declared, **options)
        session = Session(
            connection,
            reader,
            writer,
            handlers=handlers,
            on_notification=on_notification,
            on_event=on_event,
        )
        session.request_timeout = options.get("request_timeout", session.request_timeout)
    except BaseException:
        abort(writer)
        raise
    running = loop.create_task(session.run())
    try:
        connection.connect(now=loop.time(), legacy=legacy)
        session.flush()
        failure = await session.opened()
        if failure is not None:
            if failure in ("closed", "closed-while-probing"):
                raise _ClosedWhileOpening(failure)
            if failure == "timed-out":
                raise TimeoutError("the server did not answer in time")
            why = failure if session.refusal is None else f"{failure}: {session.refusal}"
            raise wireline.RemoteProtocolError(f"no session came about: {why}", kind=failure) from session.refusal
        yield Client(session)
    finally:
        await to_the_end(_leave(session, writer, running, grace, process))


async def _leave(
    session: Session,
    writer: asyncio.StreamWriter,
    running: asyncio.Task[None],
    grace: float,
    process: _Process | None,
) -> None:
    """Closes a session's output, and lets its input end."""
    loop = running_loop()
    closing = close(writer)
    until = loop.time() + grace if process is None else process.let_end()
    waiting: set[asyncio.Future[None]] = {closing, running}
    try:
        while waiting and (left := until - loop.time()) > 0:
            if process is not None:
                if process.has_ended:
                    # A child of its that holds its output would keep this open.
                    until = min(until, loop.time() + LEFT_BEHIND)
                    process = None
                left = min(left, POLL)
            _, waiting = await asyncio.wait(waiting, timeout=left)
    finally:
        session.abandon()
        running.cancel()
        if not closing.done():
            # The peer takes nothing.
            abort(writer)
    await asyncio.wait([running, closing], timeout=REAPED)
    if running.done() and not running.cancelled() and (error := running.exception()) is not None:
        log.error("the session failed", exc_info=error)


class _ClosedWhileOpening(ConnectionClosed):
    """The server ended before there was a session."""

    def __init__(self, failure: str) -> None:
        super().__init__("the server closed the connection before the session was open")
        self.probing = failure == "closed-while-probing"


@contextlib.asynccontextmanager
async def connect_stdio(**options: Any) -> AsyncIterator[Client]:
    """Opens a session over the program's own standard input and output: for a client that is
    started by its server. Keyword arguments are those of :func:`connect_streams`."""
    from ._guard import guarded_stdio

    running_loop()
    with guarded_stdio() as (stdin, stdout):
        reader, writer, restore = await over_descriptors(stdin, stdout)
        try:
            async with connect_streams(reader, writer, **options) as client:
                yield client
        finally:
            restore()


@contextlib.asynccontextmanager
async def connect_tcp(host: str, port: int, **options: Any) -> AsyncIterator[Client]:
    """Opens a session over a TCP connection. Keyword arguments are those of
    :func:`connect_streams`. Raises :class:`OSError` if there is no connection."""
    running_loop()
    reader, writer = await asyncio.open_connection(host, port)
    async with connect_streams(reader, writer, **options) as client:
        yield client


@contextlib.asynccontextmanager
async def connect_unix(path: str, **options: Any) -> AsyncIterator[Client]:
    """Opens a session over a Unix socket. Keyword arguments are those of :func:`connect_streams`.
    Raises :class:`OSError` if there is no connection."""
    running_loop()
    reader, writer = await asyncio.open_unix_connection(path)
    async with connect_streams(reader, writer, **options) as client:
        yield client


@contextlib.asynccontextmanager
async def connect_process(
    program: str,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    stderr: StderrHook | None = None,
    grace: float = WAIT_AFTER_CLOSE,
    legacy: bool = False,
    **options: Any,
) -> AsyncIterator[Client]:
    """Starts a server and opens a session with it; on leaving, ends it as the specification asks:
    its input is closed, then it is waited for, sent SIGTERM, waited for, and killed.

    Each of these waits is `grace` seconds at most (the last one a second, if that is more): leaving
    takes no longer, whatever the server does. What it has started is ended with it, unless that is
    in a session of its own.

    `env` is the whole environment; without it the server inherits ours. `stderr` is given what the
    server writes to standard error, as it comes; without it that goes to our own. A server that
    ends when it is probed for the modern era is started again and spoken to in the legacy era.
    Further keyword arguments are those of :func:`connect_streams`.

    Raises :class:`OSError` if the program cannot be started.
    """
    command = [program, *arguments]
    while True:
        async with contextlib.AsyncExitStack() as stack:
            process = await stack.enter_async_context(start_process(command, env, cwd, stderr, grace))
            session = _session(process.reader, process.writer, process, legacy=legacy, **options)
            try:
                client = await stack.enter_async_context(session)
            except _ClosedWhileOpening as error:
                if legacy or not error.probing:
                    raise
                legacy = True
                continue
            yield client
            return
