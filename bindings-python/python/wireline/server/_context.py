"""What a tool knows of the call that it answers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from asyncio import CancelledError
from collections.abc import Awaitable
from typing import Any

from wireline._types import LogLevel
from wireline.aio._session import RequestContext, RequestError, Session

__all__ = ["Ask", "Context", "asked"]


class Ask(BaseException):
    """The client has to be asked first, and calls again with the answer: revisions without requests
    of servers. Not an `Exception`, so that a tool's own handlers do not take it."""

    def __init__(self, requests: dict[str, tuple[str, Any]], state: str | None) -> None:
        super().__init__("the client is asked first")
        self.requests = requests
        self.state = state


def asked(group: BaseExceptionGroup[Any]) -> Ask | None:
    """What the tasks of a group ask, together, if that is all that ended them."""
    requests: dict[str, tuple[str, Any]] = {}
    state: str | None = None
    for error in group.exceptions:
        if isinstance(error, CancelledError):
            continue
        found = asked(error) if isinstance(error, BaseExceptionGroup) else error
        if not isinstance(found, Ask):
            return None
        requests.update(found.requests)
        state = found.state
    return Ask(requests, state) if requests else None


class Context:
    """A call. A function that has a parameter with this annotation is given it.

    In revisions from 2026-07-28 on a server sends no requests: there :meth:`request`,
    :meth:`elicit`, :meth:`sample` and :meth:`roots` end the call, the client gathers the answer,
    and the function is called anew, and is then given the answers that came. So what stands before
    them runs again.

    These four are for async functions: a function in a thread cannot await them. In revisions before
    2026-07-28 each waits for the client as long as its `timeout` says, in seconds, and infinity is for
    ever; without it as long as the server's `request_timeout` and `hard_timeout` (60 s and 600 s).
    :class:`TimeoutError` then. From 2026-07-28 on nothing waits here, and how long a user may think is
    the client's matter.
    """

    def __init__(self, request: RequestContext, seal: bytes) -> None:
        self._request = request
        self._seal = seal
        self._asked = 0
        self._answers: dict[str, Any] = {}
        params = request.params if isinstance(request.params, dict) else {}
        self.meta: dict[str, Any] = params.get("_meta") or {}
        if request.modern:
            state = params.get("requestState")
            if isinstance(state, str):
                self._answers.update(_unseal(state, seal, request.method))
            given = params.get("inputResponses")
            if isinstance(given, dict):
                self._answers.update(given)

    @property
    def session(self) -> Session:
        """The session that the call came over."""
        return self._request.session

    @property
    def revision(self) -> str:
        """The revision that the call follows."""
        return self._request.revision

    @property
    def cancelled(self) -> bool:
        """Whether the client has given up. An async function is cancelled then; one that runs in a
        thread should look here."""
        return self._request.cancelled

    def progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> Awaitable[None]:
        """Tells the client how the call gets on, if it asked. What is not greater than the last time is
        left out; what is not finite is a :class:`ValueError`.

        A function in a thread waits here for a client that takes nothing, until the call is cancelled;
        an async one can await what is returned. If it does not, what such a client would be told is left out.
        """
        return self._request.progress(progress, total, message)

    def log(self, level: LogLevel, data: Any, logger: str | None = None) -> Awaitable[None]:
        """Sends a log message, if the client asked for messages of this level. A client that takes
        nothing is waited for as in :meth:`progress`."""
        return self._request.log(level, data, logger)

    async def request(self, method: str, params: Any = None, *, timeout: float | None = None) -> Any:
        """Asks the client: ``elicitation/create``, ``sampling/createMessage`` or ``roots/list``."""
        if not self._request.modern:
            # No progress is asked for, so the two are one.
            return await self.session.request(method, params, timeout=timeout, hard_timeout=timeout)
        key = str(self._asked)
        self._asked += 1
        if key in self._answers:
            return self._answers[key]
        state = _sealed(self._answers, self._seal, self._request.method) if self._answers else None
        raise Ask({key: (method, {} if params is None else params)}, state)

    async def elicit(
        self, message: str, schema: dict[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any] | None:
        """Asks the user to fill in a form; ``None`` if they decline or cancel. `schema` is an object of
        plain members."""
        params: dict[str, Any] = {"message": message, "requestedSchema": schema}
        if self.revision >= "2025-11-25":
            params["mode"] = "form"
        answer = await self.request("elicitation/create", params, timeout=timeout)
        if not isinstance(answer, dict) or answer.get("action") != "accept":
            return None
        content = answer.get("content")
        return content if isinstance(content, dict) else {}

    async def sample(
        self, messages: list[Any], max_tokens: int, *, timeout: float | None = None, **options: Any
    ) -> Any:
        """Asks the client's model. `options` are further members of the request."""
        params = {"messages": messages, "maxTokens": max_tokens, **options}
        return await self.request("sampling/createMessage", params, timeout=timeout)

    async def roots(self, *, timeout: float | None = None) -> list[Any]:
        """Asks for the client's roots."""
        answer = await self.request("roots/list", timeout=timeout)
        roots = answer.get("roots") if isinstance(answer, dict) else None
        return roots if isinstance(roots, list) else []


def _sealed(answers: dict[str, Any], seal: bytes, method: str) -> str:
    """Answers of earlier rounds, so that the client can carry them and cannot change them."""
    text = json.dumps(answers).encode()
    sign = hmac.digest(seal, method.encode() + b"\0" + text, hashlib.sha256)
    return base64.urlsafe_b64encode(sign + text).decode()


def _unseal(state: str, seal: bytes, method: str) -> dict[str, Any]:
    try:
        data = base64.urlsafe_b64decode(state.encode())
    except ValueError:
        data = b""
    sign, text = data[:32], data[32:]
    right = hmac.digest(seal, method.encode() + b"\0" + text, hashlib.sha256)
    if not hmac.compare_digest(sign, right):
        raise RequestError(-32602, "Invalid params: requestState is not one that this server gave")
    answers = json.loads(text)
    return answers if isinstance(answers, dict) else {}
