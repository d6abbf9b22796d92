"""Clients, over whatever there is."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

import wireline
from wireline._types import LogLevel

from ._loop import running_loop
from ._process import (
    LEFT_BEHIND,
    POLL,
    REAPED,
    Process,
    StderrHook,
    abort,
    checked_grace,
    close,
    start_process,
)
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

PAGES = 1000
"""Pages of a list that are taken."""


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
        while len(seen) < PAGES:
            page = await self.request(method, None if cursor is None else {"cursor": cursor})
            entries += _member(method, page, member, list)
            if page.get("nextCursor") is None:
                return entries
            cursor = _member(method, page, "nextCursor", str)
            if cursor in seen:
                text = f"{method} gives the cursor {cursor!r} twice: its list has no end"
                raise wireline.RemoteProtocolError(text, kind="endless-list")
            seen.add(cursor)
        text = f"{method} has given {PAGES} pages, and says that there are more"
        raise wireline.RemoteProtocolError(text, kind="endless-list")

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
        result = await self.request("resources/read", {"uri": uri})
        return _member("resources/read", result, "contents", list)

    async def get_prompt(self, name: str, arguments: Mapping[str, str] | None = None) -> Any:
        """A prompt, with ``messages``."""
        return await self.request("prompts/get", {"name": name, "arguments": dict(arguments or {})})

    async def complete(self, ref: Mapping[str, Any], name: str, value: str) -> Any:
        """What an argument of a prompt or a template could be."""
        params = {"ref": dict(ref), "argument": {"name": name, "value": value}}
        result = await self.request("completion/complete", params)
        return _member("completion/complete", result, "completion", dict)

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


M = TypeVar("M")


def _member(method: str, result: Any, name: str, kind: type[M]) -> M:
    """A member of a result, which is of the server's making."""
    value = result.get(name) if isinstance(result, dict) else None
    if not isinstance(value, kind):
        text = f"the answer to {method} is none: its {name} is {type(value).__name__}"
        raise wireline.RemoteProtocolError(text, kind="bad-response")
    return value


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
    opening = _Opening(
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
    async with opening as client:
        yield client


class _Opening:
    """A session over streams, while a block runs. The functions that are for programs are each one
    asynchronous generator and no more, since a loop that ends closes all of them at once."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        process: Process | None,
        *,
        legacy: bool = False,
        handlers: Mapping[str, Handler] | None = None,
        on_notification: Callable[[str, Any], object] | None = None,
        on_event: Callable[[wireline.Event], object] | None = None,
        grace: float = WAIT_AFTER_CLOSE,
        **options: Any,
    ) -> None:
        try:
            self._loop = running_loop()
            self._writer = writer
            self._process = process
            self._legacy = legacy
            self._grace = checked_grace(grace)
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
            self._session = Session(
                connection,
                reader,
                writer,
                handlers=handlers,
                on_notification=on_notification,
                on_event=on_event,
            )
            timeout = options.get("request_timeout", self._session.request_timeout)
            self._session.request_timeout = timeout
        except BaseException:
            if writer is not None:
                abort(writer)
            raise

    async def __aenter__(self) -> Client:
        session = self._session
        self._running = self._loop.create_task(session.run())
        try:
            session.connection.connect(now=self._loop.time(), legacy=self._legacy)
            session.flush()
            failure = await session.opened()
            if failure is not None:
                if failure in ("closed", "closed-while-probing"):
                    raise _ClosedWhileOpening(failure)
                if failure == "timed-out":
                    raise TimeoutError("the server did not answer in time")
                why = failure if session.refusal is None else f"{failure}: {session.refusal}"
                text = f"no session came about: {why}"
                raise wireline.RemoteProtocolError(text, kind=failure) from session.refusal
        except BaseException:
            await self.__aexit__()
            raise
        return Client(session)

    async def __aexit__(self, *_: object) -> None:
        await to_the_end(
            _leave(self._session, self._writer, self._running, self._grace, self._process)
        )


async def _leave(
    session: Session,
    writer: asyncio.StreamWriter,
    running: asyncio.Task[None],
    grace: float,
    process: Process | None,
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
    if running.done() and not running.cancelled() and isinstance(error := running.exception(), Exception):
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
            async with _Opening(reader, writer, None, **options) as client:
                yield client
        finally:
            restore()


@contextlib.asynccontextmanager
async def connect_tcp(host: str, port: int, **options: Any) -> AsyncIterator[Client]:
    """Opens a session over a TCP connection. Keyword arguments are those of
    :func:`connect_streams`. Raises :class:`OSError` if there is no connection."""
    running_loop()
    reader, writer = await asyncio.open_connection(host, port)
    async with _Opening(reader, writer, None, **options) as client:
        yield client


@contextlib.asynccontextmanager
async def connect_unix(path: str, **options: Any) -> AsyncIterator[Client]:
    """Opens a session over a Unix socket. Keyword arguments are those of :func:`connect_streams`.
    Raises :class:`OSError` if there is no connection."""
    running_loop()
    reader, writer = await asyncio.open_unix_connection(path)
    async with _Opening(reader, writer, None, **options) as client:
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

    Each of these waits is `grace` seconds at most (the last one a second, if that is more), and half
    a second is for what is left in the pipes: leaving takes no longer, whatever the server does. What
    it has started and left in its process group is sent the same signals.

    `env` is the whole environment; without it the server inherits ours. `stderr` is given what the
    server writes to standard error, as it comes; without it that goes to our own. A server that
    ends when it is probed for the modern era is started again and spoken to in the legacy era.
    Further keyword arguments are those of :func:`connect_streams`.

    Raises :class:`OSError` if the program cannot be started.
    """
    command = [program, *arguments]
    while True:
        opened = False
        async with await start_process(command, env, cwd, stderr, grace) as process:
            try:
                opening = _Opening(process.reader, process.writer, process, legacy=legacy, **options)
                async with opening as client:
                    opened = True
                    yield client
                return
            except _ClosedWhileOpening as error:
                # Of this server, and not of one that the block connects to.
                if opened or legacy or not error.probing:
                    raise
        legacy = True
