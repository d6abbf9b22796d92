"""Threads for functions that are not async. Unlike those of an executor they do not keep the process alive: one that
never returns ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["in_thread"]

MOST = 32
"""Threads at once; further calls wait for one."""

Job: TypeAlias = "tuple[asyncio.AbstractEventLoop, asyncio.Future[Any], Callable[[], Any]]"

_jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
_idle = threading.Semaphore(0)
_lock = threading.Lock()
_count = 0


async def in_thread(call: Callable[[], Any]) -> Any:
    """Calls a function in a thread, in the caller's context, and gives what it returns or raises. If the
    task is cancelled meanwhile, the function goes on; if it has not begun, it is not called.

    >>> asyncio.run(in_thread(lambda: 2 + 3))
    5
    """
    global _count
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()
    _jobs.put((loop, future, lambda: context.run(call)))
    if not _idle.acquire(blocking=False):
        with _lock:
            if _count < MOST:
                _count += 1
                threading.Thread(target=_work, name=f"wireline-{_count}", daemon=True).start()
    return await future


def _work() -> None:
    while True:
        loop, future, call = _jobs.get()
        if not future.cancelled():
            result: Any = None
            failure: BaseException | None = None
            try:
                result = call()
            except BaseException as error:
                failure = error
            # Where the loop is closed, nobody waits.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, future, result, failure)
            del result, failure
        # Nothing of the call is held on to while there is none.
        del loop, future, call
        _idle.release()


def _settle(future: asyncio.Future[Any], result: Any, failure: BaseException | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)
