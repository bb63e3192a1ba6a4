"""What every session of pytest does alike, done once before any run.

It rests on functions of pytest's own that are not public. Where a version of pytest has them
otherwise, each session does the work itself.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import os
import shutil
import sys
import tempfile
import types
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from steelyard.project_runs.incell.project import METADATA, PLACE


def load(blocked: Collection[str]) -> None:
    """Imports the plug-ins that pytest has and will find installed, so that no run has to.

    Args:
        blocked: Names of those that are never used.
    """
    with suppress(ImportError, AttributeError):
        from _pytest.config import default_plugins

        own = (f"_pytest.{each}" for each in default_plugins)
        for name in (*own, "pdb", "hypothesis", "coverage", "coverage.jsonreport"):
            with suppress(ImportError):
                importlib.import_module(name)
    for plugin in importlib.metadata.entry_points(group="pytest11"):
        if plugin.name not in blocked:
            with suppress(BaseException):
                plugin.load()


_EXAMPLE = """\
import pytest

@pytest.fixture
def given(tmp_path):
    yield tmp_path

@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_value(given, capsys, monkeypatch, value):
    print(value)
    with pytest.raises(ValueError, match="no"):
        raise ValueError("no")

class TestGroup:
    def test_method(self):
        assert self is not None
"""
"""Tests that use what tests use."""


def rehearse(arguments: Sequence[str]) -> None:
    """Runs a session on tests of our own: caches fill, and the interpreter adapts its code.

    Nothing of it stays that a project could meet.

    Args:
        arguments: What the command line of every session begins with.
    """
    import pytest

    path, known, environment = list(sys.path), set(sys.modules), dict(os.environ)
    place = tempfile.mkdtemp(prefix="rehearsal-")
    out, err, null = os.dup(1), os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        for fd in (1, 2):
            os.dup2(null, fd)
        file = f"{place}/test_rehearsal.py"
        Path(file).write_text(_EXAMPLE, encoding="utf-8")
        temporary = f"--basetemp={place}/temporary"
        pytest.main([*arguments, *("--rootdir", place), "--assert=plain", "-q", temporary, file])
    finally:
        for stream in (sys.stdout, sys.stderr):  # or a project's first test would write it
            stream.flush()
        os.dup2(out, 1)
        os.dup2(err, 2)
        for fd in (out, err, null):
            os.close(fd)
        shutil.rmtree(place, ignore_errors=True)
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)
        for name in set(sys.modules) - known:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(place):
                del sys.modules[name]


def prepare(arguments: Sequence[str]) -> None:
    """Registers pytest's own plug-ins, and looks through all that are loaded for fixtures.

    Args:
        arguments: What the command line of every session begins with.
    """
    with suppress(Exception):
        rehearse(arguments)
    with suppress(Exception):
        _prepare_config(list(arguments))
    with suppress(Exception):
        _pass_over_what_has_no_fixtures()


def _prepare_config(arguments: list[str]) -> None:
    """The first session in each process finds its configuration half made."""
    from _pytest import config
    from _pytest.assertion import rewrite

    hook: Any = rewrite.AssertionRewritingHook
    hook._warn_already_imported = lambda _self, _name: None  # `load` imported it

    real: Any = config.get_config
    prepared = [real(arguments)]
    manager: Any = prepared[0].pluginmanager
    manager.load_setuptools_entrypoints("pytest11")
    manager.load_setuptools_entrypoints = functools.partial(_load_the_projects, manager)

    def get_config(args: Any = None, plugins: Any = None, **more: Any) -> Any:
        given = list(args or ())
        if not prepared or given[: len(arguments)] != arguments:
            return real(args, plugins, **more)
        made = prepared.pop()
        made.invocation_params = config.Config.InvocationParams(
            args=given, plugins=plugins, dir=Path.cwd()
        )
        return made

    config.get_config = get_config


def _load_the_projects(manager: Any, group: str, name: str | None = None) -> int:
    """Load the entry points of the project itself, as pluggy does: all others are there already."""
    count = 0
    for each in importlib.metadata.distributions(path=[f"{PLACE}/{METADATA}"]):
        for point in each.entry_points:
            known = manager.get_plugin(point.name) or manager.is_blocked(point.name)
            if point.group == group and name in (None, point.name) and not known:
                manager.register(point.load(), name=point.name)
                count += 1
    return count


def _pass_over_what_has_no_fixtures() -> None:
    """A session looks at each attribute of each plug-in; here the fixtures are known already."""
    from _pytest import fixtures

    manager: Any = fixtures.FixtureManager
    real, definition = manager.parsefactories, fixtures.FixtureFunctionDefinition

    def defined(holder: Any) -> dict[str, Any]:
        held = getattr(holder, "__dict__", {})
        return {name: each for name, each in held.items() if isinstance(each, definition)}

    # By their ids, as a module may have any `__hash__`; and kept, so that no other gets the id.
    modules = {
        id(module): (module, _holding(module, defined(module)))
        for module in list(sys.modules.values())
        if type(module) is types.ModuleType
    }
    own_types = {
        id(each): each
        for name, module in list(sys.modules.items())
        if name.startswith("_pytest.")
        for each in vars(module).values()
        if isinstance(each, type) and not any(defined(base) for base in each.__mro__)
    }

    def parsefactories(self: Any, *args: Any, **more: Any) -> Any:
        holder = more.get("holder")
        if holder is not None and id(holder) in modules:
            known = modules[id(holder)][1]
            return real(self, *args, **more | {"holder": known}) if vars(known) else None
        if holder is not None and id(type(holder)) in own_types and not defined(holder):
            return None
        return real(self, *args, **more)

    manager.parsefactories = parsefactories


def _holding(module: types.ModuleType, held: dict[str, Any]) -> types.ModuleType:
    """A module with nothing else in it."""
    only = types.ModuleType(module.__name__)
    vars(only).clear()
    vars(only).update(held)
    return only
