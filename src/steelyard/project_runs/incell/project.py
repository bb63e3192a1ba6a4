"""The project's scratch tree: laid out anew for each run, the candidate's text in its place."""

from __future__ import annotations

import os
import re
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from steelyard.project_runs.incell.task import Layout

PLACE = "/w/project"
METADATA = ".steelyard-metadata"
"""The folder of a project's own metadata; what is installed comes before it on `sys.path`."""
_WRITTEN_NS = 1_761_717_605 * 10**9
"""When the project's files were last changed, in every run alike."""
_KEPT_BY_TOOLS = re.compile(
    r"__pycache__|\.(pytest_cache|hypothesis|mypy_cache|ruff_cache|git|lock)|\.coverage(\..*)?"
)
"""Files and folders of Python, pytest, Hypothesis and others, wherever tests have them lie: in the
working folder of a test, in the one above the project, in a temporary one."""


def is_kept_by_tools(name: str) -> bool:
    """Return if a file or folder of this name is a tool's own."""
    return _KEPT_BY_TOOLS.fullmatch(name) is not None


def lay_out(layout: Layout, place: str = PLACE) -> None:
    """Writes the project's files."""
    os.mkdir(place)
    for folder in layout.folders:
        os.mkdir(f"{place}/{folder}")
    at, view = 0, memoryview(layout.content)
    for path, size, executable in layout.files:
        fd = os.open(f"{place}/{path}", os.O_WRONLY | os.O_CREAT, 0o755 if executable else 0o644)
        rest = view[at : at + size]
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.utime(fd, ns=(_WRITTEN_NS, _WRITTEN_NS))
        os.close(fd)
        at += size
    for path, target in layout.links.items():
        os.symlink(target, f"{place}/{path}")


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


def settle(import_roots: Iterable[str], place: str = PLACE) -> None:
    """Makes the scratch tree the working folder, and finds modules in it first."""
    os.chdir(place)
    own: set[str] = set()
    for root in reversed([os.path.normpath(f"{place}/{root}") for root in import_roots]):
        if root in sys.path:
            sys.path.remove(root)
        sys.path.insert(0, root)
        own.update(name for name in _modules_in(root) if name not in sys.stdlib_module_names)
    # pytest and its plugins have loaded what they need: pluggy's own tests are to find this one.
    for name in [name for name in sys.modules if name.partition(".")[0] in own]:
        del sys.modules[name]
    sys.path.append(f"{place}/{METADATA}")
    sys.dont_write_bytecode = True


def _modules_in(root: str) -> Iterator[str]:
    for entry in os.scandir(root):
        if entry.name.endswith(".py") or os.path.exists(f"{entry.path}/__init__.py"):
            yield entry.name.removesuffix(".py")


def belongs(module: types.ModuleType, place: str = PLACE) -> bool:
    """Return if a module comes out of the scratch tree."""
    try:
        file = getattr(module, "__file__", None)
    except ReferenceError:  # a weak proxy of one that is gone
        return False
    if isinstance(file, str):
        return file.startswith(f"{place}/")
    return any(str(each).startswith(place) for each in getattr(module, "__path__", ()))


def owned(place: str = PLACE) -> dict[str, types.ModuleType]:
    """The loaded modules that come out of the scratch tree."""
    return {name: module for name, module in list(sys.modules.items()) if belongs(module, place)}
