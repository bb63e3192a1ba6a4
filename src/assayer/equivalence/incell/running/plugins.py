"""Loads what every session of pytest needs, before any run."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Collection
from contextlib import suppress


def load(blocked: Collection[str]) -> None:
    """Imports the plug-ins that pytest has and will find installed, so that no run has to.

    Args:
        blocked: Names of those that are never used.
    """
    with suppress(ImportError, AttributeError):
        from _pytest.config import default_plugins

        for name in (*(f"_pytest.{each}" for each in default_plugins), "pdb", "hypothesis"):
            with suppress(ImportError):
                importlib.import_module(name)
    for plugin in importlib.metadata.entry_points(group="pytest11"):
        if plugin.name not in blocked:
            with suppress(BaseException):
                plugin.load()
