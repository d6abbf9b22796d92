"""What the Python clients of `wireline serve` have in common: the steps that they take, and how they tell of them.

A client is run as `CLIENT ERA FOLDER COMMAND...`, FOLDER being what the server serves, and prints one line of JSON: its SDK, the revision, and
for each step null if it went as it should, {"none": why} if the SDK has no such thing, or {"failed": how}.
"""

import contextlib
import json
import pathlib
import sys
import traceback

TEXT = "héllo 😀 \" \\ \n\t end \u2028 \u0085 \u202e."
BIG = "ø€😀" * 40_000
SAMPLED = "a model's answer ✓"
HELLO = "Hello, wörld 😀"
TOOLS = {"echo", "add", "fail", "hang", "three_steps", "ask", "sample", "roots", "log"}
LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
METHOD_NOT_FOUND, INVALID_PARAMS, RESOURCE_NOT_FOUND = -32601, -32602, -32002

era, folder, *command = sys.argv[1:]
folder = pathlib.Path(folder)
MODERN = era == "modern"
NO_RESOURCE = INVALID_PARAMS if MODERN else RESOURCE_NOT_FOUND
taken: dict[str, dict | None] = {}


@contextlib.contextmanager
def step(name: str):
    """A step; what goes wrong in it does not end the session."""
    taken[name] = {"failed": "it was not finished"}
    try:
        yield
    except Exception as error:
        traceback.print_exc()
        taken[name] = {"failed": f"{type(error).__name__}: {error}"}
    else:
        taken[name] = None


def none(name: str, why: str) -> None:
    taken[name] = {"none": why}


async def fails(code: int, what, error_type, code_of) -> None:
    """Waits for something that must end in an error of this code."""
    try:
        result = await what
    except error_type as error:
        assert code_of(error) == code, f"error {code_of(error)} instead of {code}: {error}"
    else:
        raise AssertionError(f"an error {code} was due, and not {result}")


async def pages(fetch, of) -> list:
    """Every entry of a list; `fetch` takes a cursor."""
    page = await fetch(None)
    entries, count = list(of(page)), 1
    while (cursor := next_cursor(page)) is not None:
        page = await fetch(cursor)
        entries += of(page)
        count += 1
    return entries


def next_cursor(page):
    return getattr(page, "next_cursor", None) or getattr(page, "nextCursor", None)


def report(sdk: str, version: str, revision: str) -> None:
    print(json.dumps({"sdk": sdk, "version": version, "revision": revision, "steps": taken}))
