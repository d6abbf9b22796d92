"""A session over a pair of streams, in either role."""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import logging
import math
import threading
from collections.abc import Awaitable, Callable, Generator, Mapping
from typing import Any, TypeAlias

import wireline
from wireline._types import LogLevel, Role

from ._hooks import call_hook, plain_function
from ._loop import running_loop

__all__ = ["ConnectionClosed", "Handler", "RequestContext", "RequestError", "Session"]

log = logging.getLogger("wireline")

INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603

READ = 256 * 1024
"""Bytes that are read at once."""

HELD_BACK = 16 * 1024 * 1024
"""Bytes of the peer's requests that wait, at most, while as many are worked on as may be at once."""

UNSENT = 256 * 1024
"""Bytes that the peer has not taken, from which on it is told no more of what it could do without."""

UNREAD = 1024 * 1024
"""Bytes of answers to pings and of refusals that a server has not taken, from which on no more of it is read."""

LOOK = 0.1
"""Seconds after which a thread that waits for the peer looks whether anybody waits for its call."""

GRACE = 5.0
"""Seconds that a server's requests are given to begin, and again to end, after its input has."""


class RequestError(Exception):
    """An error as an answer: the peer's, where it is raised by a request; ours, where a handler
    raises it.

    >>> from wireline.aio import RequestError
    >>> RequestError(-32602, "Unknown city", {"city": "Atlantis"})
    RequestError(-32602, 'Unknown city', {'city': 'Atlantis'})
    """

    code: int
    message: str
    data: Any

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(code, message, data)
        self.code = code
        self.message = message
        self.data = data

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class ConnectionClosed(ConnectionError):
    """The connection closed before there was an answer."""


Handler: TypeAlias = Callable[[Any, "RequestContext"], Any]
"""Answers a request: it is given the parameters and a context, and returns the result, or an
awaitable of it."""

Progress: TypeAlias = Callable[[float, "float | None", "str | None"], object]
"""Is told how a request gets on: progress, total, message."""


class RequestContext:
    """A request of the peer that is being worked on. Its methods may be called from any thread."""

    __slots__ = ("_session", "cancelled", "handle", "method", "params", "revision")

    def __init__(self, session: Session, event: wireline.RequestReceived) -> None:
        self._session = session
        self.handle = event.handle
        self.method = event.method
        self.revision = event.revision
        self.params: Any = None
        self.cancelled = False

    @property
    def session(self) -> Session:
        """The session that it came over."""
        return self._session

    @property
    def modern(self) -> bool:
        """Whether it is of a revision without a handshake (2026-07-28)."""
        return self.revision >= "2026-07-28"

    def progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> Awaitable[None]:
        """Tells the peer how the request gets on; nothing is sent if it did not ask, if `progress` is
        not greater than the last time, or if the request was cancelled. :class:`ValueError` for what
        is not finite.

        A peer that takes nothing is waited for: in a thread by the call itself, until the request is
        cancelled, in an async function by what the call returns, where that is awaited. Where it is
        not, what such a peer would be told is left out.
        """
        for name, number in (("progress", progress), ("total", total)):
            if isinstance(number, float) and not math.isfinite(number):
                raise ValueError(f"{name} is {number}; it must be finite")

        def send() -> None:
            try:
                self._session.connection.send_progress(self.handle, progress, total, message)
            except wireline.LocalProtocolError as error:
                if error.kind == "stale-handle":
                    self.cancelled = True
                elif error.kind != "bad-progress":
                    raise

        return self._session.tell(send, self)

    def log(self, level: LogLevel, data: Any, logger: str | None = None) -> Awaitable[None]:
        """Sends a log message, if the client asked for messages of this level. A peer that takes
        nothing is waited for as in :meth:`progress`."""
        handle = self.handle if self.modern else None

        def send() -> None:
            try:
                self._session.connection.log(level, data, handle=handle, logger=logger)
            except wireline.LocalProtocolError as error:
                if error.kind not in ("stale-handle", "not-ready"):
                    raise

        return self._session.tell(send, self)


class _Told:
    """What may be awaited when the peer is told something: until it takes more. What there was no room
    for is told then."""

    __slots__ = ("_late", "_session")

    def __init__(self, session: Session, late: Callable[[], None] | None) -> None:
        self._session = session
        self._late = late

    def __await__(self) -> Generator[Any, None, None]:
        return self._wait().__await__()

    async def _wait(self) -> None:
        late, self._late = self._late, None
        await self._session.roomy()
        if late is not None:
            late()
            self._session.flush()


class Session:
    """A connection that is driven over streams.

    After the end of the input the peer's requests are still worked on and answered, unless the
    connection broke; :meth:`abandon` ends them.

    `handlers` answer the peer's requests, by method; `fallback` those of other methods.
    `on_notification` is given each notification's method and parameters; `on_event` every event,
    for logging and counting.
    """

    def __init__(
        self,
        connection: wireline.Connection,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        handlers: Mapping[str, Handler] | None = None,
        fallback: Handler | None = None,
        on_notification: Callable[[str, Any], object] | None = None,
        on_event: Callable[[wireline.Event], object] | None = None,
    ) -> None:
        plain_function("on_notification", on_notification)
        plain_function("on_event", on_event)
        self.connection = connection
        self.handlers: dict[str, Handler] = dict(handlers or {})
        self.fallback = fallback
        self.on_notification = on_notification
        self.on_event = on_event
        self.request_timeout: float | None = 60.0
        self.server_info: Any = None
        self.instructions: str | None = None
        self._reader = reader
        self._writer = writer
        self._loop = running_loop()
        self._role: Role = connection.role
        self._waiting: dict[int, _Waiting] = {}
        self._working: dict[int, tuple[asyncio.Task[None], RequestContext]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: float | None = None
        self._ready: asyncio.Future[str | None] = self._loop.create_future()
        self.refusal: RequestError | None = None
        """The error that a server gave for why no session came about."""
        self._closed = asyncio.Event()
        self._flush_due = False
        self._go_on_due = False
        self._thread = threading.get_ident()
        self._choked = False
        self._unchoking: asyncio.Task[None] | None = None
        self._turns: collections.deque[asyncio.Future[None]] = collections.deque()
        self._giving: dict[int, asyncio.Task[None]] = {}
        self._for_end: list[asyncio.Future[None]] = []
        self._said = 0
        self.at_end: list[asyncio.Future[Any]] = []

    # What the host does.

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
        """Sends a request and waits for its result.

        `timeout` is in seconds, from one progress to the next, and `hard_timeout` for all of it; infinity
        is never. They count from when the request is sent: while there are as many as `max_outgoing`
        allows, further ones wait for their turn. A peer that does not take what was sent before is
        waited for as long as `timeout` says as well. If the task that waits is cancelled, so is the
        request. Raises :class:`RequestError` for an error as an answer,
        :class:`TimeoutError`, :class:`ConnectionClosed`, :class:`wireline.RemoteProtocolError` for an
        answer that is none, and :class:`wireline.LocalProtocolError` for what may not be sent.
        """
        plain_function("progress", progress)
        try:
            async with asyncio.timeout(self.request_timeout if timeout is None else timeout):
                await self.drained()
        except TimeoutError:
            raise TimeoutError("the peer does not take what it is sent") from None
        options: dict[str, Any] = {
            "progress": progress is not None,
            "timeout": timeout,
            "hard_timeout": hard_timeout,
            "log_level": log_level,
            "meta": meta,
        }
        handle = await self.sent(
            lambda: self.connection.send_request(method, params, now=self._loop.time(), **options)
        )
        return await self._answer(handle, _Waiting(self._loop.create_future(), progress, params, options))

    async def ping(self) -> None:
        """Asks whether the peer is there (revisions before 2026-07-28)."""
        handle = await self.sent(lambda: self.connection.ping(now=self._loop.time()))
        await self._answer(handle, _Waiting(self._loop.create_future(), None, None, {}))

    async def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification."""
        await self.drained()
        with self._closing():
            self.connection.send_notification(method, params)
        self.flush()

    async def drained(self) -> None:
        """Waits until the transport takes more, if it has been given more than it could send.
        :class:`ConnectionClosed` if it never will."""
        try:
            await self._writer.drain()
        except OSError as error:
            raise ConnectionClosed(f"the connection closed: {error}") from error

    @contextlib.contextmanager
    def _closing(self) -> Generator[None, None, None]:
        """What may not be done since the connection is closed raises that."""
        try:
            yield
        except wireline.LocalProtocolError as error:
            if self._closed.is_set() and error.kind in ("not-ready", "closed"):
                raise ConnectionClosed("the connection closed") from error
            raise

    async def sent(self, send: Callable[[], int]) -> int:
        """A request's handle, once there is room for one more: they take their turns. `send` sends it,
        and raises :class:`wireline.LocalProtocolError` of the kind ``table-full`` where there is none."""
        turn: asyncio.Future[None] | None = None
        if self._turns:
            turn = self._loop.create_future()
            self._turns.append(turn)
        while True:
            if turn is not None:
                try:
                    await turn
                except asyncio.CancelledError:
                    if turn.cancelled():
                        with contextlib.suppress(ValueError):
                            self._turns.remove(turn)
                    else:
                        self._next_turn()
                    raise
            try:
                if self._writer.is_closing():
                    # The peer has closed its input, say, and may still talk.
                    raise ConnectionClosed("the connection closed")
                with self._closing():
                    return send()
            except wireline.LocalProtocolError as error:
                # If none is on its way, none ends.
                if error.kind != "table-full" or self.connection.in_flight[1] == 0:
                    self._next_turn()
                    raise
            except BaseException:
                self._next_turn()
                raise
            turn = self._loop.create_future()
            self._turns.appendleft(turn)

    def _next_turn(self) -> None:
        """One of ours has ended, so another may be sent."""
        while self._turns:
            turn = self._turns.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    async def _answer(self, handle: int, waiting: _Waiting) -> Any:
        self._waiting[handle] = waiting
        self.flush()
        try:
            return await waiting.future
        except asyncio.CancelledError:
            if self._waiting.pop(handle, None) is not None:
                self._stop(handle)
            raise

    def _stop(self, handle: int) -> None:
        giving = self._giving.pop(handle, None)
        if giving is not None and giving is not asyncio.current_task():
            giving.cancel()
        try:
            self.connection.cancel(handle)
        except wireline.LocalProtocolError:
            return
        self._next_turn()
        self.flush()

    # Bytes.

    def flush(self) -> None:
        """Hands what is to be sent to the transport."""
        self._flush_due = False
        data = self.connection.data_to_send()
        if data and not self._writer.is_closing():
            self._writer.write(data)
            if not self._choked and self._writer.transport.get_write_buffer_size() >= UNSENT:
                self._choked = True
                self._unchoking = self._loop.create_task(self._unchoke())
        self._schedule()

    async def _unchoke(self) -> None:
        try:
            with contextlib.suppress(OSError):
                await self._writer.drain()
        finally:
            self._choked = False

    def tell(self, send: Callable[[], None], context: RequestContext) -> Awaitable[None]:
        """Tells the peer what it could do without, if it takes it, from any thread: see
        :meth:`RequestContext.progress`."""
        if not self._has_room():
            if threading.get_ident() == self._thread:
                return _Told(self, send)
            self._wait_for_room(context)
        send()
        self.flush_soon()
        return _Told(self, None)

    def _has_room(self) -> bool:
        """Whether the peer takes what it is told."""
        return not self._choked and self.connection.bytes_to_send < UNSENT

    def _wait_for_room(self, context: RequestContext) -> None:
        """Waits, in a thread that is not the loop's, until the peer takes what it is told or is gone, the
        request is cancelled, or the loop has ended."""
        waiting = self.roomy()
        try:
            room = asyncio.run_coroutine_threadsafe(waiting, self._loop)
        except RuntimeError:
            # The loop is closed.
            waiting.close()
            return
        while not (context.cancelled or self._loop.is_closed()):
            if concurrent.futures.wait([room], LOOK).done:
                return
        room.cancel()
        if self._loop.is_closed():
            # It may have ended without a look at what it was given.
            waiting.close()

    async def roomy(self) -> None:
        """Waits until the peer takes what it is told, or is gone."""
        self.flush()
        with contextlib.suppress(OSError):
            await self._writer.drain()

    def flush_soon(self) -> None:
        """The same from any thread, in the next turn of the loop."""
        if not self._flush_due:
            self._flush_due = True
            try:
                self._loop.call_soon_threadsafe(self.flush)
            except RuntimeError:
                # The loop is closed; nobody is there to be told.
                pass

    def _schedule(self) -> None:
        at = self.connection.next_timeout()
        if at == self._timer_at:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_at = at
        if at is not None:
            self._timer = self._loop.call_at(at, self._expire)

    def _expire(self) -> None:
        self._timer = self._timer_at = None
        for event in self.connection.expire(self._loop.time()):
            self._take(event)
        self.flush()

    async def run(self) -> None:
        """Reads until the input ends, and then ends all that waits. To be run once, in a task.

        A server stops reading while its answers are not taken: memory is bounded by what is read at
        once, the transport's buffer and the requests that are being worked on. A client goes on, since
        its own requests may be what is not taken, until it owes :data:`UNREAD` bytes of answers that
        no handler gives; those of handlers wait before they are written.
        """
        orderly = False
        try:
            while data := await self._reader.read(READ):
                before = self.connection.bytes_to_send
                for event in self.connection.receive_data(data, self._loop.time()):
                    self._take(event)
                self._said += max(0, self.connection.bytes_to_send - before)
                self.flush()
                await self._taken()
                if len(data) == READ:
                    # There may be more, which `read` gives at once; others have a turn first.
                    await asyncio.sleep(0)
            # What waited for others to end is still begun.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    while self.connection.held_back:
                        await self._one_ended()
            orderly = True
        except OSError as error:
            # Of sockets, terminals and files, each in its own way; a system's time-out among them.
            log.debug("the connection broke: %r", error)
        except wireline.LocalProtocolError as error:
            # A line without an end, beyond max_discard.
            log.warning("%s", error)
        finally:
            self._end(orderly)

    async def _taken(self) -> None:
        """Waits for the peer to take what was said to it, where that is due before more of it is read."""
        if self._role == "server":
            await self._writer.drain()
        elif self._writer.is_closing() or self._writer.transport.get_write_buffer_size() == 0:
            self._said = 0
        elif self._said >= UNREAD:
            await self._writer.drain()
            self._said = 0

    def _end(self, orderly: bool) -> None:
        try:
            for event in self.connection.close():
                self._take(event)
        finally:
            self._closed.set()
            if not orderly:
                self.abandon()
            for task in list(self._giving.values()):
                task.cancel()
            self._giving.clear()
            waiting = [it.future for it in self._waiting.values()]
            self._waiting.clear()
            for future in (*waiting, *self._turns, *self.at_end):
                if not future.done():
                    future.set_exception(ConnectionClosed("the connection closed"))
            self._turns.clear()
            self.at_end.clear()
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._timer_at = None
            if not self._ready.done():
                self._ready.set_result("closed")

    def abandon(self) -> None:
        """Cancels the peer's requests that are being worked on."""
        for task, context in list(self._working.values()):
            context.cancelled = True
            task.cancel()

    async def idle(self) -> None:
        """Waits until no request of the peer is being worked on, or nothing can be sent any more."""
        while self._working and not self._writer.is_closing():
            await asyncio.wait([task for task, _ in self._working.values()], timeout=0.1)
        # The last answers may still wait for the end of the loop's turn.
        self.flush()

    async def closed(self) -> None:
        """Waits until the input has ended."""
        await self._closed.wait()

    async def opened(self) -> str | None:
        """Waits until the session is open; returns why it is not, or ``None``."""
        return await asyncio.shield(self._ready)

    # Events.

    def _take(self, event: wireline.Event) -> None:
        """Acts on what happened. What a hook of the program's raises, and a value that cannot be read,
        end nothing but what they belong to."""
        if self.on_event is not None:
            call_hook(self.on_event, event)
        try:
            self._act(event)
        except Exception:
            log.exception("what came cannot be taken: %r", event)

    def _act(self, event: wireline.Event) -> None:
        match event:
            case wireline.RequestReceived():
                self._begin(event)
            case wireline.RequestEnded(handle):
                waiting = self._waiting.pop(handle, None)
                giving = self._giving.pop(handle, None)
                if giving is not None:
                    giving.cancel()
                self._next_turn()
                if waiting is not None:
                    _settle(waiting.future, event)
            case wireline.ProgressReceived(handle):
                waiting = self._waiting.get(handle)
                if waiting is not None and waiting.progress is not None:
                    call_hook(waiting.progress, event.progress, event.total, event.text)
            case wireline.NotificationReceived(method):
                if self.on_notification is not None:
                    call_hook(self.on_notification, method, event.params)
            case wireline.RequestCancelled(handle):
                working = self._working.pop(handle, None)
                if working is not None:
                    working[1].cancelled = True
                    working[0].cancel()
            case wireline.InputRequired(handle):
                if handle in self._waiting:
                    self._giving[handle] = self._loop.create_task(self._give_input(event))
            case wireline.Subscribed(handle):
                waiting = self._waiting.get(handle)
                if waiting is not None and waiting.opened is not None:
                    waiting.opened(event)
            case wireline.StateChanged(state):
                self._state(state, event)
            case wireline.Ignored("fault"):
                log.debug("a line that is no message: %s", event.fault or event.message)
            case _:
                pass

    def _state(self, state: str, event: wireline.StateChanged) -> None:
        try:
            match event.message:
                case wireline.Result(_, result):
                    self._introduce(result)
                case wireline.Error(_, code, message, data) if state == "failed":
                    self.refusal = RequestError(code, message, data)
        finally:
            if not self._ready.done():
                if state == "ready":
                    self._ready.set_result(None)
                elif state == "failed":
                    self._ready.set_result(event.failure)

    def _introduce(self, result: Any) -> None:
        """What a server says of itself."""
        if not isinstance(result, dict):
            return
        info = result.get("serverInfo")
        meta = result.get("_meta")
        if info is None and isinstance(meta, dict):
            info = meta.get("io.modelcontextprotocol/serverInfo")
        self.server_info = info
        self.instructions = result.get("instructions")

    # The peer's requests.

    def _begin(self, event: wireline.RequestReceived) -> None:
        handler = self.handlers.get(event.method, self.fallback)
        if handler is None:
            self._fail(event.handle, METHOD_NOT_FOUND, "Method not found")
            self._go_on_soon()
            return
        context = RequestContext(self, event)
        task = self._loop.create_task(self._work(handler, context, event))
        self._working[event.handle] = (task, context)

    async def _work(
        self, handler: Handler, context: RequestContext, event: wireline.RequestReceived
    ) -> None:
        handle = context.handle
        try:
            try:
                params = event.params
            except ValueError as error:
                # A number of more digits than Python takes, say.
                raise RequestError(INVALID_PARAMS, f"Invalid params: {error}") from error
            context.params = params
            result = handler({} if params is None else params, context)
            if isinstance(result, Awaitable):
                result = await result
            if result is not ANSWERED:
                if self._choked:
                    # The slot stays taken meanwhile, so that no more of them are begun.
                    await self.roomy()
                self._respond(handle, result)
        except RequestError as error:
            self._fail(handle, error.code, error.message, error.data)
        except BaseException as error:
            # The peer does not want it any more, or is gone; else something else was cancelled, or the
            # handler has cancelled its own task.
            if not (is_cancelled(error) and context.cancelled):
                if not is_cancelled(error):
                    log.exception("%s failed", context.method)
                data = {"exception": type(error).__name__}
                self._fail(handle, INTERNAL_ERROR, "Internal error", data)
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
        finally:
            self._working.pop(handle, None)
            self._go_on_soon()

    def _respond(self, handle: int, result: Any) -> None:
        try:
            if isinstance(result, Reply):
                self.connection.send_result(handle, result.result, meta=result.meta)
            else:
                self.connection.send_result(handle, {} if result is None else result)
        except wireline.LocalProtocolError as error:
            if error.kind == "stale-handle":
                return
            log.error("a result cannot be sent: %s", error)
            self._fail(handle, INTERNAL_ERROR, f"Internal error: {error}")

    def _go_on_soon(self) -> None:
        """Sends the answers that come in one turn of the loop together, and takes up what waited for one of
        these requests to end."""
        if not self._go_on_due:
            self._go_on_due = True
            self._loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        self._go_on_due = False
        for waiter in self._for_end:
            if not waiter.done():
                waiter.set_result(None)
        self._for_end.clear()
        if self.connection.held_back and not self._closed.is_set():
            try:
                events = self.connection.receive_data(b"", self._loop.time())
            except wireline.LocalProtocolError:
                # The input has ended badly; so does the session.
                events = []
            for event in events:
                self._take(event)
        self.flush()

    async def _one_ended(self) -> None:
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._for_end.append(waiter)
        await waiter

    def _fail(self, handle: int, code: int, message: str, data: Any = None) -> None:
        for it in (data, None, None):
            try:
                self.connection.send_error(handle, code, message, it)
                return
            except wireline.LocalProtocolError as error:
                if error.kind == "stale-handle":
                    return
                if error.kind == "gate":
                    code = INVALID_PARAMS if code == -32002 else INTERNAL_ERROR
                log.error("an error cannot be sent as it is: %s", error)
            except Exception:
                # The hook cannot write the data, or the text is none.
                code, message = INTERNAL_ERROR, "Internal error"

    async def _give_input(self, event: wireline.InputRequired) -> None:
        """Answers what a server of the modern era asks before it goes on, by the same handlers that
        answer its requests in the legacy era."""
        waiting = self._waiting.get(event.handle)
        if waiting is None:
            return
        answers: dict[str, Any] = {}
        try:
            state = event.state
            if not isinstance(state, str | None):
                text = f"the answer is none: its requestState is {type(state).__name__}"
                raise wireline.RemoteProtocolError(text, kind="bad-response")
            for key, asked in (event.requests or {}).items():
                handler = self.handlers.get(asked["method"], self.fallback)
                if handler is None:
                    raise RequestError(METHOD_NOT_FOUND, f"no handler for {asked['method']}")
                context = _AskedContext(self, asked["method"])
                answer = handler(asked.get("params") or {}, context)
                answers[key] = await answer if isinstance(answer, Awaitable) else answer
            self.connection.retry(
                event.handle,
                waiting.params,
                answers,
                state,
                now=self._loop.time(),
                **waiting.options,
            )
            self.flush()
        except BaseException as error:
            if self._waiting.pop(event.handle, None) is not None:
                self._stop(event.handle)
                if not waiting.future.done():
                    told = error if isinstance(error, Exception) else RuntimeError(f"no input was given: {error!r}")
                    waiting.future.set_exception(told)
            if not isinstance(error, Exception):
                raise
        finally:
            if self._giving.get(event.handle) is asyncio.current_task():
                del self._giving[event.handle]


class _AskedContext(RequestContext):
    """Input that is asked for inside a result: there is no request to tell of."""

    __slots__ = ()

    def __init__(self, session: Session, method: str) -> None:
        self._session = session
        self.handle = 0
        self.method = method
        self.revision = "2026-07-28"
        self.params = None
        self.cancelled = False

    def progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> Awaitable[None]:
        return _Told(self._session, None)


class Reply:
    """A result, and members for its ``_meta``."""

    __slots__ = ("meta", "result")

    def __init__(self, result: Any, meta: Any = None) -> None:
        self.result = result
        self.meta = meta


class _Answered:
    """What a handler returns that has answered by itself."""


ANSWERED = _Answered()


class _Waiting:
    """A request of ours."""

    __slots__ = ("future", "opened", "options", "params", "progress")

    def __init__(
        self,
        future: asyncio.Future[Any],
        progress: Progress | None,
        params: Any,
        options: dict[str, Any],
        opened: Callable[[wireline.Subscribed], None] | None = None,
    ) -> None:
        self.future = future
        # Is told when a subscription begins.
        self.opened = opened
        self.progress = progress
        self.params = params
        self.options = options


def is_cancelled(error: BaseException) -> bool:
    """Whether the current task is cancelled, rather than that something in it was."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def _settle(future: asyncio.Future[Any], event: wireline.RequestEnded) -> None:
    if future.done():
        return
    try:
        match event.outcome:
            case "result":
                future.set_result(event.result)
            case "error":
                error = event.error
                future.set_exception(RequestError(error["code"], error["message"], error.get("data")))
            case "timed-out":
                future.set_exception(TimeoutError("no answer in time"))
            case "closed":
                future.set_exception(ConnectionClosed("the connection closed before there was an answer"))
            case "cancelled":
                # A peer cancels nothing of ours but a subscription.
                future.set_result(None)
            case outcome:
                fault = event.fault
                future.set_exception(
                    wireline.RemoteProtocolError(
                        f"the answer is none: {fault or outcome}",
                        kind=outcome,
                        offset=None if fault is None else fault.offset,
                        id=None if fault is None else fault.id,
                        rules=event.broken,
                        fault=fault,
                    )
                )
    except Exception as error:
        # The program's `loads` failed.
        future.set_exception(error)
