"""A pytest plugin: the SDK's own tests run on Wireline's transports instead of the SDK's.

The modules `mcp.client.stdio` and `mcp.server.stdio` are replaced by ours before any test imports them, seams
that tests reach into included.
"""

import importlib
import sys

import pytest


def take_over() -> None:
    import wireline.mcp._client as client
    import wireline.mcp._server as server

    for name, ours in (("mcp.client.stdio", client), ("mcp.server.stdio", server)):
        importlib.import_module(name)
        package, _, short = name.rpartition(".")
        sys.modules[name] = ours
        setattr(importlib.import_module(package), short, ours)


take_over()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """As the SDK's own conftest has it, which asks for packages that these tests do not."""
    return "asyncio"
