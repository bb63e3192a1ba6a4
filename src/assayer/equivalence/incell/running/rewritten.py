"""Test files as pytest rewrites them, made once by the fork server and taken over by its runs."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import types
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from assayer.equivalence.incell.running.project import PLACE

_MOST_FILES = 200


def prepare(source: str) -> None:
    """Rewrites the project's test files, and has pytest take them from memory.

    What pytest calls for it is its own affair: where it is called otherwise, pytest does the work
    in each run.

    Args:
        source: Where the cell shows the project.
    """
    with suppress(ImportError, AttributeError):
        from _pytest.assertion import rewrite

        real = rewrite._rewrite_test
        known: dict[str, tuple[bytes, Any, types.CodeType]] = {}
        for path in _test_files(source):
            with suppress(Exception):
                first, code = real(path, None)  # type: ignore[arg-type]
                place = f"{PLACE}/{path.relative_to(source)}"
                known[place] = path.read_bytes(), first, _moved(code, place)

        def rewritten(path: Path, config: Any) -> tuple[Any, types.CodeType]:
            kept = known.get(str(path))
            if kept is None or path.read_bytes() != kept[0]:
                return real(path, config)
            # Some versions give the file's hash first, others its status.
            return (kept[1] if isinstance(kept[1], bytes) else os.stat(path)), kept[2]

        rewrite._rewrite_test = rewritten  # type: ignore[assignment]


def load_plugins(blocked: Collection[str]) -> None:
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


def _test_files(source: str) -> list[Path]:
    found: list[Path] = []
    for pattern in ("test_*.py", "*_test.py", "conftest.py"):
        found += Path(source).rglob(pattern)
    return sorted(found)[:_MOST_FILES]


def _moved(code: types.CodeType, place: str) -> types.CodeType:
    """The code as if it had been read elsewhere."""
    constants = tuple(
        _moved(each, place) if isinstance(each, types.CodeType) else each for each in code.co_consts
    )
    return code.replace(co_filename=place, co_consts=constants)
