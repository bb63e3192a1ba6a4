"""Import a framework when its adapter is used."""

import importlib
from typing import Any

from steelyard.errors import UsageError

__all__ = ["framework"]


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
