"""Import a framework when its adapter is used; read the rows of tasks."""

import importlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from steelyard.datasets.rows import read_rows, refuse
from steelyard.errors import UsageError

Rows: TypeAlias = Path | Iterable[Mapping[str, Any]]
"""A mapping for each task, or a file with one as JSON on each line."""


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
