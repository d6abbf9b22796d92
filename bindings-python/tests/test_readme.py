"""The programs in the README and in docs/python.md run as they stand."""

from __future__ import annotations

import subprocess
import sys

import pytest
from programs import programs


def test_there_are_programs() -> None:
    names = [name for name, _ in programs()]
    assert len([name for name in names if name.startswith("README")]) >= 3
    assert len(names) >= 5


@pytest.mark.parametrize(("name", "program"), programs(), ids=[name for name, _ in programs()])
def test_program(name: str, program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    if "print(" in program:
        assert done.stdout, f"{name} printed nothing"
    assert b"Traceback" not in done.stderr
