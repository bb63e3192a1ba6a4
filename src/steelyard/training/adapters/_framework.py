"""Import a framework when its adapter is used; read the rows of tasks."""

import importlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from steelyard.errors import UsageError

__all__ = ["Rows", "framework", "rows_of"]

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
        UsageError: if the file cannot be read, a line is not a JSON object, or there is no row.
    """
    found = _read(rows) if isinstance(rows, Path) else [dict(row) for row in rows]
    if not found:
        raise UsageError("there are no rows; give one for each task")
    return found


def _read(path: Path) -> list[dict[str, Any]]:
    found = []
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise UsageError(f"{path}:{number}: the line is not an object; write a row")
                found.append(row)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name a JSONL file") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not JSONL: {error}; write one row a line") from error
    return found
