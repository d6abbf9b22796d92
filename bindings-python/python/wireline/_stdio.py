"""Standard streams that carry the protocol."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any


def is_open(descriptor: int) -> bool:
    """Whether a descriptor is one of an open file."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def above_standard(descriptor: int) -> int:
    """A copy of a descriptor that is none of the three standard ones, whichever of them are closed."""
    if sys.platform == "win32":
        copy = os.dup(descriptor)
        if copy <= 2:
            os.close(copy)
            raise OSError(f"a copy of descriptor {descriptor} became descriptor {copy}")
        return copy
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)


def flush_printed(stream: Any) -> None:
    """Writes what was printed, by Python or by C, to where descriptor 1 leads now: it must not leave
    when it leads back to the protocol."""
    if stream is not None:
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    with contextlib.suppress(Exception):
        import ctypes

        ctypes.CDLL(None).fflush(None)
