"""What a client is told of while a block runs, in either era."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

import wireline

from ._session import ConnectionClosed, RequestError, Session, _Waiting
from ._shield import to_the_end

__all__ = ["Subscription", "SubscriptionError", "Watched", "listening", "watching"]

log = logging.getLogger("wireline")

LISTS = ("tools", "prompts", "resources")

UNSUBSCRIBING = 2.0
"""Seconds that a server is given to answer that it is told no more of."""


class SubscriptionError(Exception):
    """A subscription did not come about: the server ended it before it began, or does not tell of what was
    asked for."""


class Subscription:
    """What a server tells of.

    ``notifications`` is that as the protocol writes it: ``resourceSubscriptions``, the URIs;
    ``toolsListChanged``, ``promptsListChanged`` and ``resourcesListChanged``.
    """

    def __init__(self, notifications: dict[str, Any], over: asyncio.Future[Any]) -> None:
        self.notifications = notifications
        self._over = over

    @property
    def open(self) -> bool:
        """Whether the server still tells of changes."""
        return not self._over.done()

    async def ended(self) -> None:
        """Waits until the server tells of no more changes. Returns when it has ended the subscription, or
        the block has; raises :class:`ConnectionClosed` when the connection has closed, and
        :class:`RequestError` for an error."""
        await asyncio.shield(self._over)


@contextlib.asynccontextmanager
async def listening(session: Session, uris: Sequence[str], lists: bool) -> AsyncIterator[Subscription]:
    """A subscription of the modern era."""
    loop = asyncio.get_running_loop()
    handle = await session.sent(
        lambda: session.connection.listen(
            now=loop.time(), tools=lists, prompts=lists, resources=lists, uris=uris or None
        )
    )
    opened: asyncio.Future[Any] = loop.create_future()
    over: asyncio.Future[Any] = loop.create_future()

    def open_(event: wireline.Subscribed) -> None:
        if opened.done():
            return
        try:
            opened.set_result(event.notifications)
        except Exception as error:
            # The program's `loads` failed.
            opened.set_exception(error)

    session._waiting[handle] = _Waiting(over, None, None, {}, opened=open_)
    try:
        session.flush()
        await asyncio.wait([opened, over], return_when=asyncio.FIRST_COMPLETED)
        if over.done():
            over.result()
            raise SubscriptionError("the server ended the subscription before it began")
        subscription = Subscription(_granted(opened.result(), uris, lists), over)
        over.add_done_callback(_warn)
        yield subscription
    finally:
        over.remove_done_callback(_warn)
        if session._waiting.pop(handle, None) is not None:
            session._stop(handle)
        _leave(over)
        if opened.done():
            opened.exception()


def _granted(notifications: Any, uris: Sequence[str], lists: bool) -> dict[str, Any]:
    """What a server grants, if it is what was asked for."""
    given = notifications if isinstance(notifications, dict) else {}
    granted = {f"{it}ListChanged": True for it in LISTS if lists and given.get(f"{it}ListChanged") is True}
    told = given.get("resourceSubscriptions")
    refused = [uri for uri in uris if not isinstance(told, list) or uri not in told]
    if refused:
        raise SubscriptionError(f"the server does not tell of changes of {', '.join(refused)}")
    if lists and not uris and not granted:
        raise SubscriptionError("the server does not tell of changes of its lists")
    return {**granted, "resourceSubscriptions": list(uris)} if uris else granted


def _warn(over: asyncio.Future[Any]) -> None:
    if over.cancelled() or isinstance(over.exception(), ConnectionClosed):
        return
    error = over.exception()
    log.warning("the server has ended a subscription%s", "" if error is None else f": {error}")


def _leave(over: asyncio.Future[Any]) -> None:
    """A block is left; how its subscription ended, if nobody waited for that, is nobody's matter."""
    if not over.done():
        over.set_result(None)
    elif not over.cancelled():
        over.exception()


class Watched:
    """A resource that blocks of a session of the legacy era are told of. A server knows only whether it is
    subscribed to, so the first block subscribes, and the last one unsubscribes."""

    __slots__ = ("blocks", "subscribed", "turn")

    def __init__(self) -> None:
        self.blocks = 0
        self.subscribed = False
        # What is asked of the server of one resource is asked in order.
        self.turn = asyncio.Lock()


@contextlib.asynccontextmanager
async def watching(
    session: Session, watched: dict[str, Watched], uris: Sequence[str], lists: bool
) -> AsyncIterator[Subscription]:
    """A subscription of the legacy era: resources are subscribed to, and of lists each client is told."""
    declared: dict[str, Any] = session.connection.peer_capabilities or {}
    given = {f"{it}ListChanged": declared.get(it, {}).get("listChanged") is True for it in LISTS}
    granted = _granted({**given, "resourceSubscriptions": list(uris)}, uris, lists)
    held: list[tuple[str, Watched]] = []

    async def leave() -> None:
        for _, it in held:
            it.blocks -= 1
        with contextlib.suppress(OSError, wireline.ProtocolError):
            async with asyncio.timeout(UNSUBSCRIBING):
                for uri, it in held:
                    with contextlib.suppress(RequestError):
                        await _unsubscribe(session, uri, it)
        for uri, it in held:
            if it.blocks == 0 and watched.get(uri) is it:
                del watched[uri]

    over: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    session.at_end.append(over)
    try:
        for uri in uris:
            it = watched.setdefault(uri, Watched())
            # From here on the server may take itself to be subscribed to.
            it.blocks += 1
            held.append((uri, it))
            async with it.turn:
                if not it.subscribed:
                    await session.request("resources/subscribe", {"uri": uri})
                    it.subscribed = True
        yield Subscription(granted, over)
    finally:
        if over in session.at_end:
            session.at_end.remove(over)
        _leave(over)
        await to_the_end(leave())


async def _unsubscribe(session: Session, uri: str, watched: Watched) -> None:
    async with watched.turn:
        if watched.blocks == 0:
            watched.subscribed = False
            await session.request("resources/unsubscribe", {"uri": uri})
