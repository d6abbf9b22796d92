"""Which sessions there are, and what each is to be told of."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable
from typing import Literal, TypeAlias

import wireline
from wireline.aio._session import Session

__all__ = ["Subscriptions"]

Offered: TypeAlias = Literal["tools", "prompts", "resources"]


class _Wanted:
    """The resources that one session is told of."""

    __slots__ = ("listens", "uris")

    def __init__(self) -> None:
        self.uris: set[str] = set()
        # By the handles of `subscriptions/listen`.
        self.listens: dict[int, frozenset[str]] = {}


class Subscriptions:
    """The sessions of a server. The methods may be called from any thread, and inside one another, as by
    a finaliser."""

    def __init__(self) -> None:
        self._sessions: weakref.WeakKeyDictionary[Session, _Wanted] = weakref.WeakKeyDictionary()
        self._lock = threading.RLock()

    def join(self, session: Session) -> None:
        """A session begins. It leaves when nothing else knows it."""
        with self._lock:
            self._sessions[session] = _Wanted()

    def subscribe(self, session: Session, uri: str) -> None:
        """``resources/subscribe``, before 2026-07-28."""
        with self._lock:
            self._sessions[session].uris.add(uri)

    def unsubscribe(self, session: Session, uri: str) -> None:
        """``resources/unsubscribe``."""
        with self._lock:
            self._sessions[session].uris.discard(uri)

    def listen(self, session: Session, handle: int, uris: Iterable[str]) -> None:
        """``subscriptions/listen``, which has been accepted."""
        with self._lock:
            wanted = self._sessions[session]
            # Of no more than may be open at once anything is kept.
            for it in list(wanted.listens):
                if session.connection.incoming(it) is None:
                    del wanted.listens[it]
            wanted.listens[handle] = frozenset(uris)

    def changed(self, what: Offered) -> None:
        """Tells of a list that has changed."""
        with self._lock:
            sessions = list(self._sessions)
        for session in sessions:
            session.connection.changed(what)
            session.flush_soon()

    def updated(self, uri: str) -> None:
        """Tells of a resource that has changed those that asked for this URI, and no others."""
        told = []
        with self._lock:
            for session, wanted in list(self._sessions.items()):
                listens = [handle for handle, uris in wanted.listens.items() if uri in uris]
                told.append((session, uri in wanted.uris, listens))
        for session, subscribed, listens in told:
            if subscribed:
                session.connection.changed("resource", uri)
            for handle in listens:
                try:
                    session.connection.changed_for(handle, "resource", uri)
                except wireline.LocalProtocolError as error:
                    # It has ended meanwhile.
                    if error.kind != "stale-handle":
                        raise
            if subscribed or listens:
                session.flush_soon()
