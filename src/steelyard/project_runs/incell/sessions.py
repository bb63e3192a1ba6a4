"""A session of pytest in a cell: its command line, and the reason of a failure."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.options import kept_options, kept_places
from steelyard.project_runs.incell.project import PLACE

BLOCKED = ("benchmark", "codspeed", "xdist", "sugar")
"""Plug-ins that change how, or how often, tests are run."""
_IDLE = (
    "cacheprovider",
    "faulthandler",
    "randomly",
    "junitxml",
    "pastebin",
    "setuponly",
    "setupplan",
    "stepwise",
    "unraisableexception",
)
"""Plug-ins that would only write files or cost time here."""
FIRST_ARGUMENTS = tuple(part for name in (*BLOCKED, *_IDLE) for part in ("-p", f"no:{name}"))
"""Begins every session's command line."""
_MOST_WHY = 2_000


@dataclass(frozen=True)
class Session:
    """The tests that a session of pytest runs."""

    tests: list[str]
    """Files, folders and node ids; none: pytest looks by itself."""
    inspired: list[str]
    """Files and folders that are run in addition."""
    left_out: list[str]
    """Node ids."""
    only: list[str]
    """Files, their functions and classes, and node ids, outside which nothing is run; none: no such
    bound."""


@dataclass(frozen=True)
class Collecting:
    """A file is about to be loaded; or a class or folder."""

    test: str


@dataclass(frozen=True)
class Uncollected:
    """A file that cannot be loaded."""

    test: str
    why: str


@dataclass(frozen=True)
class TestBegun:
    """A test, before its set-up."""

    __test__ = False

    test: str


_PROPERTIES = {"derandomize": True, "database": None, "deadline": None}
"""Settings of Hypothesis that hold in each session, whatever a test or a profile sets."""


def run_session(session: Session, plugins: list[Any], *options: str) -> int:
    """Run a session, in which property tests draw the same examples each time.

    Args:
        session: Its tests.
        plugins: Plug-ins of our own.
        options: Further options of the command line.

    Returns:
        pytest's exit status.
    """
    import pytest

    _fix_examples()
    timing: Any = sys.modules.get("_pytest.timing")
    if hasattr(timing, "perf_counter"):  # a session that a test runs prints its seconds
        timing.perf_counter = float
    chosen = [_Chosen(session)] if session.only else []
    return int(pytest.main([*pytest_arguments(session), *options], [*chosen, *plugins]))


def _fix_examples() -> None:
    settings = getattr(sys.modules.get("hypothesis"), "settings", None)
    if settings is None:
        return
    for name, value in _PROPERTIES.items():
        type.__setattr__(settings, name, value)  # its own one refuses
    # Numbers and texts of the project's modules would be among the examples, the candidate's too.
    drawing: Any = sys.modules.get("hypothesis.internal.conjecture.providers")
    if hasattr(drawing, "_get_local_constants"):
        drawing._get_local_constants = drawing.Constants


class _Chosen:
    """A plug-in that passes over all files and tests but those of `only` and `inspired`."""

    def __init__(self, session: Session) -> None:
        self._only = set(session.only)
        self._files = {name.partition("::")[0] for name in (*session.only, *session.inspired)}
        self._inspired = tuple(session.inspired)

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Return True for a file that holds none of the tests."""
        if collection_path.is_dir() or collection_path.name in ("__init__.py", "conftest.py"):
            return None
        path = os.path.relpath(collection_path, project.PLACE)
        return None if path in self._files or path.startswith(self._inspired or "/") else True

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep the tests that are named, or whose file, function or class is."""
        items[:] = [
            item
            for item in items
            if not self._only.isdisjoint(_places_of(item.nodeid))
            or item.nodeid.startswith(self._inspired or "/")
        ]


def _places_of(nodeid: str) -> tuple[str, str, str]:
    """Return a node id, its file, and the function or class of the file that it is in."""
    file, _, rest = nodeid.partition("::")
    return nodeid, file, f"{file}::{rest.partition('::')[0].partition('[')[0]}"


def pytest_arguments(session: Session) -> list[str]:
    """The command line of a session, with the project's own options as far as they fit."""
    return [
        *FIRST_ARGUMENTS,
        *("--rootdir", project.PLACE, "-o", f"addopts={kept_options(project.PLACE)}"),
        *("--tb=short", "--assert=plain", "-q", "--continue-on-collection-errors"),
        *("-W", "ignore::pytest.PytestConfigWarning"),  # of options of plug-ins that are blocked
        *(f"--deselect={test}" for test in session.left_out),
        *_places(session),
    ]


def _places(session: Session) -> list[str]:
    """Return where tests are looked for; nothing if pytest is to look by itself."""
    if not session.inspired:
        return session.tests
    usual = session.tests or kept_places(project.PLACE) or ["."]
    return [*usual, *session.inspired]


def reason_in(text: str) -> str:
    """The lines of a failure that say what it was: the last line of the test, and the error."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("E")), 0)
    errors = [line.removeprefix("E").strip() for line in lines if line.startswith("E")]
    errors = [line for line in errors if line.strip(" ^~")]
    code = [line.strip() for line in lines[:first] if line.strip(" ^~?")]
    at = code[-1:]
    told = ": ".join([*at, *errors] or lines[-1:])
    return told.replace(f"{PLACE}/", "")[:_MOST_WHY]
