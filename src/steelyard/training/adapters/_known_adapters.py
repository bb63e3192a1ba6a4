"""Find the adapters; import a framework when its adapter is used; read the rows of tasks.

A module of this package is an adapter. Besides functions for its users it may have:

1. `PACKAGE`: the files of an environment, for `steelyard env export --for NAME`.
2. `ENDPOINT`: a path, and what makes its answers, for the server of `http`.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from steelyard.datasets.rows import read_rows, refuse
from steelyard.errors import UsageError
from steelyard.training import adapters

Rows: TypeAlias = Path | Iterable[Mapping[str, Any]]
"""A mapping for each task, or a file with one as JSON on each line."""


Answer: TypeAlias = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Answers the JSON object of a request."""
PROJECT = """\
[project]
name = "$name"
version = "1"
description = "$about, judged by Steelyard"
requires-python = ">=3.11"
dependencies = ["steelyard>=$version", "%s"]

[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[tool.setuptools.package-data]
"*" = ["*.jsonl"]
"""
ONE_PACKAGE = """
[tool.setuptools]
packages = ["$module"]
"""


def _unchanged(row: Mapping[str, Any], module: str) -> Mapping[str, Any]:  # noqa: ARG001
    return row


@dataclass(frozen=True)
class Package:
    """The files of an environment for one framework.

    `$module`, `$name`, `$about`, `$turns`, `$show_hidden`, `$options`, `$version` and `$folder` are
    replaced in all texts.
    """

    framework: str
    """Its name for `--for`."""
    tasks: str
    """Path of the file of tasks."""
    files: Mapping[str, str]
    """Texts by path."""
    commands: tuple[str, ...]
    """Commands that install and run it."""
    hides: tuple[str, ...]
    """Modules that a package of the same name would hide."""
    row_of: Callable[[Mapping[str, Any], str], Mapping[str, Any]] = _unchanged
    """Returns a row of the file of tasks; called with the row and the package's module."""


def all_adapters() -> Iterator[ModuleType]:
    """Yield the module of each adapter."""
    for each in pkgutil.iter_modules(adapters.__path__, f"{adapters.__name__}."):
        yield importlib.import_module(each.name)


def framework(module: str, package: str) -> Any:
    """Return a module of a framework.

    Args:
        module: Its full name.
        package: The package on PyPI that has it.

    Raises:
        UsageError: if it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UsageError(f"{module} cannot be imported: {error}; install {package}") from error


def rows_of(rows: Rows) -> list[dict[str, Any]]:
    """Return the rows in memory.

    Raises:
        UsageError: if the file cannot be read, a row is not a JSON object, or there is no row.
    """
    if isinstance(rows, Path):
        rows = (row.fields for row in read_rows(rows, refuse))
    found = [dict(row) for row in rows]
    if not found:
        raise UsageError("there are no rows; give one for each task")
    return found
