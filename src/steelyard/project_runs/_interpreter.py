"""Which interpreter a project is run in."""

import re
import sys
from pathlib import Path

from steelyard.errors import LanguageError

_LEAST_PYTHON = (3, 11)


def interpreter_of(root: Path) -> str:
    """That of the project's own environment, or else the one that runs this."""
    for folder in (".venv", "venv"):
        path = root / folder / "bin" / "python"
        if path.exists():
            return str(path)
    return sys.executable


def require_version(version: str) -> None:
    """Refuses what is too old.

    Raises:
        LanguageError: where it is.
    """
    numbers = re.search(r"(\d+)\.(\d+)", version)
    if numbers and tuple(map(int, numbers.groups())) < _LEAST_PYTHON:
        least = ".".join(map(str, _LEAST_PYTHON))
        raise LanguageError(
            f"{version} is too old: {least} or later is needed; choose another interpreter"
        )
