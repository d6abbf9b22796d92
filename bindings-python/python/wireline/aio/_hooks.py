"""The program's own functions that are told of things."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from typing import Any

__all__ = ["call_hook", "plain_function"]

log = logging.getLogger("wireline")


def call_hook(hook: Callable[..., object], *arguments: object) -> None:
    """Calls a hook of the program's; what it raises ends nothing but the program, where that is meant.
    A cancellation is of what the hook looked at."""
    try:
        hook(*arguments)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        log.exception("a callback failed")


def plain_function(name: str, hook: Any) -> None:
    """Refuses an async function where what it returns would not be waited for.

    >>> async def told(event): ...
    >>> plain_function("on_event", told)
    Traceback (most recent call last):
    TypeError: on_event is an async function; it has to be a plain one, which may start a task
    """
    if inspect.iscoroutinefunction(hook):
        raise TypeError(f"{name} is an async function; it has to be a plain one, which may start a task")
