"""Standard input and output that belong to the protocol alone."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from .._stdio import above_standard, flush_printed, is_open

__all__ = ["StdoutWarning", "guarded_stdio"]


class StdoutWarning(RuntimeWarning):
    """Something was printed to standard output, which carries the protocol. It has been written to
    standard error instead."""


class _Guard(io.TextIOBase):
    """Stands in for ``sys.stdout``: writes elsewhere, to standard error unless told otherwise, and
    names the caller once for each place in the program."""

    def __init__(self, instead: Any = None) -> None:
        self._seen: set[tuple[str, int]] = set()
        self._instead = instead

    @property
    def _file(self) -> Any:
        return sys.stderr if self._instead is None else self._instead

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return "backslashreplace"

    @property
    def name(self) -> str:
        return "<stdout>"

    @property
    def mode(self) -> str:
        return "w"

    @property
    def line_buffering(self) -> bool:
        return True

    @property
    def write_through(self) -> bool:
        return False

    def reconfigure(
        self,
        *,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        line_buffering: bool | None = None,
        write_through: bool | None = None,
    ) -> None:
        """Is for programs that set up their standard output wherever they run. What is written goes to
        standard error, which stays as it is."""
        self.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        # What is written past this object, to the descriptor, goes the same way.
        return 1

    @property
    def buffer(self) -> Any:
        self._tell()
        return getattr(self._file, "buffer", None)

    def write(self, text: str) -> int:
        if text.strip():
            self._tell()
        if self._file is not None:
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def _tell(self) -> None:
        try:
            frame = sys._getframe(2)
            name, place = f"{frame.f_code.co_qualname}()", (frame.f_code.co_filename, frame.f_lineno)
        except ValueError:
            # A thread whose own function is `print`, say.
            name, place = "a thread without Python code", ("<thread>", 1)
        if place in self._seen:
            return
        self._seen.add(place)
        warnings.warn_explicit(
            f"{name} wrote to standard output, which carries the protocol; "
            "it went to standard error instead",
            StdoutWarning,
            *place,
        )


@contextlib.contextmanager
def guarded_stdio() -> Iterator[tuple[int, int]]:
    """Takes standard input and output for the protocol: gives new descriptors for both, and lets
    descriptor 0 read nothing and descriptor 1, and ``sys.stdout``, write to standard error. So
    nothing that is printed, by Python, by a C library or by a child process, gets between the
    messages; Python code that prints is named in a :class:`StdoutWarning`. On leaving all is as it
    was. :class:`OSError` if one of them was closed when Python began: its number is another file's by
    now, perhaps the event loop's.

    >>> from wireline.aio import guarded_stdio
    >>> with guarded_stdio() as (stdin, stdout):
    ...     apart = stdin > 2 and stdout > 2
    >>> apart
    True
    """
    for name, stream in (("input", sys.__stdin__), ("output", sys.__stdout__)):
        if stream is None:
            raise OSError(errno.EBADF, f"standard {name} is closed")
    if sys.stdout is not None:
        sys.stdout.flush()
    # Asked before anything is opened, which would take the place of one that is closed.
    with_errors = is_open(2)
    stdin, stdout = above_standard(0), above_standard(1)
    before_in, before_out = sys.stdin, sys.stdout
    null = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(null, 0)
        if with_errors:
            os.dup2(2, 1)
        else:
            sink = os.open(os.devnull, os.O_WRONLY)
            os.dup2(sink, 1)
            os.close(sink)
    finally:
        os.close(null)
    sys.stdout = _Guard()
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    try:
        yield stdin, stdout
    finally:
        flush_printed(before_out)
        sys.stdin, sys.stdout = before_in, before_out
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        os.close(stdin)
        os.close(stdout)
