"""What every session of pytest does alike, done once before any run.

It rests on functions of pytest's own that are not public. Where a version of pytest has them
otherwise, each session does the work itself.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any


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


def prepare(arguments: Sequence[str]) -> None:
    """Registers pytest's own plug-ins, and looks through all that are loaded for fixtures.

    Args:
        arguments: What the command line of every session begins with.
    """
    with suppress(Exception):
        _prepare_config(list(arguments))
    with suppress(Exception):
        _pass_over_what_has_no_fixtures()


def _prepare_config(arguments: list[str]) -> None:
    """The first session in each process finds its configuration half made."""
    from _pytest import config

    real: Any = config.get_config
    prepared = [real(arguments)]
    manager: Any = prepared[0].pluginmanager
    manager.load_setuptools_entrypoints("pytest11")
    manager.load_setuptools_entrypoints = lambda _group, _name=None: 0  # they are there already

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


def _pass_over_what_has_no_fixtures() -> None:
    from _pytest import fixtures

    manager: Any = fixtures.FixtureManager
    real, definition = manager.parsefactories, fixtures.FixtureFunctionDefinition
    # By their ids, as a module may have any `__hash__`; and kept, so that no other gets the id.
    without = {
        id(module): module
        for module in list(sys.modules.values())
        if not any(
            isinstance(each, definition) for each in getattr(module, "__dict__", {}).values()
        )
    }

    def parsefactories(self: Any, *args: Any, **more: Any) -> Any:
        if id(more.get("holder", args[0] if args else None)) in without:
            return None
        return real(self, *args, **more)

    manager.parsefactories = parsefactories
