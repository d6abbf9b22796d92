"""The event loop that all of this runs on."""

from __future__ import annotations

import asyncio

__all__ = ["running_loop"]


def running_loop() -> asyncio.AbstractEventLoop:
    """The running loop of asyncio, of anyio's backend of that name too.

    >>> running_loop()
    Traceback (most recent call last):
    RuntimeError: wireline.aio needs a running event loop of asyncio; on trio, use Connection or wireline.mcp
    """
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        text = "wireline.aio needs a running event loop of asyncio; on trio, use Connection or wireline.mcp"
        raise RuntimeError(text) from None
