"""Every public name is documented, and the examples run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType
from typing import Any

import pytest
import wireline
import wireline.aio
import wireline.mcp
import wireline.server

MODULES = [
    importlib.import_module(it.name)
    for it in pkgutil.walk_packages(wireline.__path__, "wireline.")
] + [wireline]
PUBLIC = [wireline, wireline.aio, wireline.server, wireline.mcp]


def members(module: ModuleType) -> list[tuple[str, Any]]:
    found = []
    for name in module.__all__:
        value = getattr(module, name)
        found.append((f"{module.__name__}.{name}", value))
        if inspect.isclass(value) and value.__module__.startswith("wireline"):
            for attribute, inner in vars(value).items():
                public = not attribute.startswith("_")
                if public and (callable(inner) or inspect.isdatadescriptor(inner)):
                    found.append((f"{module.__name__}.{name}.{attribute}", inner))
    return found


@pytest.mark.parametrize("module", PUBLIC, ids=lambda it: str(it.__name__))
def test_every_public_name_is_documented(module: ModuleType) -> None:
    bare = []
    for name, value in members(module):
        slot = type(value).__name__ == "member_descriptor"
        if not slot and name != "wireline.__version__" and not inspect.getdoc(value):
            bare.append(name)
    assert bare == []


@pytest.mark.parametrize("module", MODULES, ids=lambda it: str(it.__name__))
def test_examples(module: ModuleType) -> None:
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in finder.find(module, module.__name__):
        runner.run(test)
    assert runner.failures == 0
    if module is wireline:
        # Those of the native half, which the finder does not see.
        parser = doctest.DocTestParser()
        for name, value in members(wireline):
            if type(value).__module__ != "typing" and (text := inspect.getdoc(value)):
                example = parser.get_doctest(text, {}, name, name, 0)
                if example.examples:
                    runner.run(example)
        assert runner.failures == 0 and runner.tries > 40


def test_the_version_is_that_of_the_crate() -> None:
    assert wireline.__version__.count(".") == 2
