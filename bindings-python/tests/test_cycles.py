"""What refers to itself is collected, and memory that cannot be had is an exception."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import wireline

LINE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"x":1}}\n'


class Holder:
    """Gives its own method as a hook, and keeps what is made with it."""

    kept: Any = None

    def hook(self, data: Any) -> Any:
        return b"{}"


def event(holder: Holder) -> Any:
    connection = wireline.Connection("server", loads=holder.hook)
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    [found] = connection.receive_data(wireline.encode_request(1, "initialize", params), 0.0)
    assert found.message is not None
    return found


KEPT: list[Callable[[Holder], Any]] = [
    lambda holder: wireline.Decoder(loads=holder.hook),
    lambda holder: wireline.Connection("client", loads=holder.hook),
    lambda holder: wireline.Connection("client", dumps=holder.hook),
    lambda holder: wireline.Decoder(loads=holder.hook).feed(LINE),
    lambda holder: wireline.parse(LINE.strip(), loads=holder.hook).meta,
    event,
]


@pytest.mark.parametrize("make", KEPT, ids=["decoder", "loads", "dumps", "messages", "meta", "event"])
def test_a_hook_that_leads_back_is_no_leak(make: Callable[[Holder], Any]) -> None:
    holder = Holder()
    holder.kept = make(holder)
    seen = weakref.ref(holder)
    del holder
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize("size", [1 << 50, 1 << 63])
def test_too_much_memory_is_a_value_error(size: int) -> None:
    # In a process of its own: what is not refused ends it.
    program = f"""
import wireline
try:
    wireline.Connection("server", max_batch_answer={size})
except (ValueError, OverflowError) as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert done.stdout.startswith("ValueError max_batch_answer is "), done


def test_memory_that_is_not_there_is_a_memory_error() -> None:
    program = """
import resource, wireline
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    wireline.Connection("server", max_batch_answer=(1 << 32) - 2)
except MemoryError as error:
    print("MemoryError", error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert done.stdout.startswith("MemoryError"), done
