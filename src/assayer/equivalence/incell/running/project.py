"""The project's scratch tree: laid out anew for each run, the candidate's text in its place."""

from __future__ import annotations

import os
import shutil
import sys
import types
from collections.abc import Iterable, Mapping
from contextlib import suppress

PLACE = "/w/project"


def lay_out(source: str, edits: Mapping[str, bytes | None], place: str = PLACE) -> None:
    """Copies the project to where it may be written, and edits it.

    Args:
        source: Where the cell shows it, read-only.
        edits: New contents of files, by relative path; None takes the file away.
        place: Where it goes.
    """
    _copy(source, place)
    edit(edits, place)


def edit(edits: Mapping[str, bytes | None], place: str = PLACE) -> None:
    """Gives files of the scratch tree new contents; None takes a file away."""
    for name, content in edits.items():
        path = os.path.join(place, name)
        if content is None:
            with suppress(FileNotFoundError):
                os.unlink(path)
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


def _copy(source: str, place: str) -> None:
    os.mkdir(place)
    with os.scandir(source) as entries:
        for entry in entries:
            target = f"{place}/{entry.name}"
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), target)
            elif entry.is_dir():
                _copy(entry.path, target)
            else:
                shutil.copyfile(entry.path, target)


def settle(import_roots: Iterable[str], place: str = PLACE) -> None:
    """Makes the scratch tree the working folder, and finds modules in it first."""
    os.chdir(place)
    for root in reversed([os.path.normpath(f"{place}/{root}") for root in import_roots]):
        if root in sys.path:
            sys.path.remove(root)
        sys.path.insert(0, root)
    sys.dont_write_bytecode = True


def belongs(module: types.ModuleType, place: str = PLACE) -> bool:
    """Whether a module comes out of the scratch tree."""
    file = getattr(module, "__file__", None)
    if isinstance(file, str):
        return file.startswith(f"{place}/")
    return any(str(each).startswith(place) for each in getattr(module, "__path__", ()))


def owned(place: str = PLACE) -> dict[str, types.ModuleType]:
    """The loaded modules that come out of the scratch tree."""
    return {name: module for name, module in list(sys.modules.items()) if belongs(module, place)}
