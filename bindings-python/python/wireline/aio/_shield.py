"""What has to be done to its end."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Coroutine
from typing import Any

__all__ = ["to_the_end"]


async def to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Does what a block has to do when it is left, however often its task is cancelled meanwhile: once,
    as asyncio does, or over and over, as the cancel scopes of anyio do. The cancellation is raised
    afterwards. `work` must come to an end by itself.

    >>> async def main() -> None:
    ...     async def leave() -> None:
    ...         await asyncio.sleep(0.01)
    ...         print("left")
    ...     leaving = asyncio.create_task(to_the_end(leave()))
    ...     await asyncio.sleep(0)
    ...     leaving.cancel()
    ...     await asyncio.wait([leaving])
    ...     print(leaving.cancelled())
    >>> asyncio.run(main())
    left
    True
    """
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    # Where anyio is in use, it is told, rather than outlasted.
    anyio: Any = sys.modules.get("anyio")
    with contextlib.nullcontext() if anyio is None else anyio.CancelScope(shield=True):
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        raise cancelled
    task.result()
