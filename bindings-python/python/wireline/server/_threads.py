"""Threads for functions that are not async. Unlike those of an executor they do not keep the process alive: one that
never returns ends with it."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import contextvars
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["Threads"]

MOST = 32
"""Threads at once; further calls wait for one."""

IDLE = 5.0
"""Seconds that a thread waits for another call before it ends."""


class _Job:
    """A call that somebody waits for."""

    __slots__ = ("call", "future", "loop")

    def __init__(self, call: Callable[[], Any]) -> None:
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        context = contextvars.copy_context()
        self.call: Callable[[], Any] = lambda: context.run(call)


class Threads:
    """Up to `most` threads, each started when it is needed. Loops may share them."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        # In order; one that is given up is taken out of the middle.
        self._jobs: collections.OrderedDict[_Job, None] = collections.OrderedDict()
        self._changed = threading.Condition()
        self._count = 0
        self._idle = 0

    async def call(self, call: Callable[[], Any]) -> Any:
        """Calls a function in a thread, in the caller's context, and gives what it returns or raises. If
        the task is cancelled meanwhile, the function goes on; if it has not begun, it is not called, and
        nothing is kept of it.

        >>> asyncio.run(Threads().call(lambda: 2 + 3))
        5
        """
        job = _Job(call)
        with self._changed:
            self._jobs[job] = None
            if self._idle < len(self._jobs) and self._count < self._most:
                self._start(job)
            else:
                self._changed.notify()
        try:
            return await job.future
        finally:
            with self._changed:
                self._jobs.pop(job, None)

    def _start(self, job: _Job) -> None:
        self._count += 1
        try:
            threading.Thread(target=self._work, name=f"wireline-{self._count}", daemon=True).start()
        except BaseException:
            self._count -= 1
            # Where there is a thread, the call waits for it.
            if self._count == 0:
                del self._jobs[job]
                raise

    def _next(self) -> _Job | None:
        """The next call; ``None`` if the thread is not needed any more."""
        with self._changed:
            if not self._jobs:
                self._idle += 1
                try:
                    self._changed.wait_for(lambda: self._jobs, IDLE)
                finally:
                    self._idle -= 1
            if not self._jobs:
                self._count -= 1
                return None
            return self._jobs.popitem(last=False)[0]

    def _work(self) -> None:
        while (job := self._next()) is not None:
            result: Any = None
            failure: BaseException | None = None
            try:
                result = job.call()
            except BaseException as error:
                failure = error
            # Where the loop is closed, nobody waits.
            with contextlib.suppress(RuntimeError):
                job.loop.call_soon_threadsafe(_settle, job.future, result, failure)
            # Nothing of the call is held on to while there is none.
            del job, result, failure


def _settle(future: asyncio.Future[Any], result: Any, failure: BaseException | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)
