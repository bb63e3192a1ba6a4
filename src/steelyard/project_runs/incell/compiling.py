"""Compiles a project's modules once, as importing them does: no further run has to."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import marshal
import os
from contextlib import suppress
from dataclasses import dataclass

from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.task import Context, Nothing

_MOST = 0xFFFF_FFFF
"""Time and size of a source are so many at most in the file of its bytecode."""


@dataclass(frozen=True)
class Bytecode:
    """A module's bytecode, as its file has it."""

    path: str
    """Relative to the project."""
    content: bytes


def run_compiling(_asked: Nothing, context: Context) -> int:
    """Tell the bytecode of the function's module and of all that it imports of the project."""
    with suppress(Exception):
        importlib.import_module(context.function.module)
    for module in project.owned().values():
        loader = getattr(module, "__loader__", None)
        if type(loader) is not importlib.machinery.SourceFileLoader:
            continue
        with suppress(Exception):
            source = os.stat(loader.path)
            head = [0, int(source.st_mtime) & _MOST, source.st_size & _MOST]
            parts = [importlib.util.MAGIC_NUMBER, *(part.to_bytes(4, "little") for part in head)]
            code = marshal.dumps(loader.get_code(loader.name))
            path = os.path.relpath(importlib.util.cache_from_source(loader.path), project.PLACE)
            context.tell(Bytecode(path, b"".join([*parts, code])))
    return 0
