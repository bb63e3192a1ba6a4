"""Write tasks as a package that a framework loads as an environment.

A package holds the tasks, as `steelyard datasets export` writes them, and one short file that hands
them to the framework's adapter; options of the reward can be edited there.
"""

import json
import keyword
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from string import Template
from typing import Any

from steelyard._printable import nearest
from steelyard._replaced_files import hidden
from steelyard.datasets import EXPORTS, OnFault, with_sized_tests
from steelyard.errors import TestsError, UsageError
from steelyard.judging import loaded
from steelyard.reports import counted
from steelyard.schemas import Record, RowFault, Task
from steelyard.training.adapters._known_adapters import Package, all_adapters

__all__ = ["Environment", "environment_packages", "export_environment"]


class Environment(Record):
    """A package that `export_environment` has written."""

    framework: str
    folder: str
    tasks: int
    turns: int
    commands: tuple[str, ...]
    """Commands that install and run it."""


_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


def environment_packages() -> dict[str, Package]:
    """Return the package of each framework, by the framework's name."""
    found = (getattr(module, "PACKAGE", None) for module in all_adapters())
    return {each.framework: each for each in found if each is not None}


def export_environment(
    tasks: Iterable[Task],
    folder: str | Path,
    *,
    framework: str,
    turns: int = 1,
    show_hidden: bool = False,
    on_fault: OnFault | None = None,
) -> Environment:
    """Write a package whose name is the folder's, which must not exist.

    Args:
        tasks: The tasks, taken one at a time.
        folder: The package's folder, such as `my-tasks`.
        framework: The framework that loads the package.
        turns: Replies of one conversation at most. After a reply that fails, the model gets the
            first failing case.
        show_hidden: Show the model failing cases that are not in the category `visible`, too.
        on_fault: Receives each task that is left out, as it has no tests that can be read. None:
            such a task is an error.

    Raises:
        UsageError: for an unknown framework, a name that cannot be a package's, or a folder that
            exists or cannot be written.
        TestsError: if there is no task; nothing is written then.
    """
    path = Path(folder)
    packages = environment_packages()
    package = packages.get(framework)
    if package is None:
        raise UsageError(
            f"unknown framework {framework!r}{nearest(framework, packages)}; "
            f"use one of {', '.join(packages)}"
        )
    if turns < 1:
        raise UsageError(f"turns must be a number above 0, got {turns}")
    module = _module_of(path)
    try:
        if path.exists() or path.is_symlink():
            raise UsageError(f"{path} exists; name a new folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        new = hidden(path)
        new.mkdir()
    except OSError as error:
        raise _unwritable(path, error) from error
    names: dict[str, object] = {
        "name": module.replace("_", "-"),
        "module": module,
        "turns": turns,
        "folder": shlex.quote(str(path)),
        "show_hidden": show_hidden,
        "version": version("steelyard"),
        "options": f"turns={turns}" + ", show_hidden=True" * show_hidden,
    }
    try:
        rows = new / _filled(package.tasks, names)
        rows.parent.mkdir(parents=True)
        number = 0
        with rows.open("w", encoding="utf-8") as out:
            for row in _rows(tasks, on_fault):
                out.write(f"{json.dumps(package.row_of(row, module))}\n")
                number += 1
        if not number:
            raise TestsError("there is no task; name a data set that has some")
        names["about"] = counted(number, "programming task")
        for name, text in package.files.items():
            file = new / _filled(name, names)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_filled(text, names), encoding="utf-8")
        new.rename(path)  # unlike `replace`, it keeps a folder that was made meanwhile
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return Environment(
        framework=framework,
        folder=str(path),
        tasks=number,
        turns=turns,
        commands=tuple(_filled(command, names) for command in package.commands),
    )


def _rows(tasks: Iterable[Task], on_fault: OnFault | None) -> Iterator[dict[str, Any]]:
    """Yield the row of each task that can be judged."""
    for task in tasks:
        try:
            whole = with_sized_tests(task)
            if not loaded(whole).suite.cases:
                raise TestsError("there are no tests")
        except TestsError as error:
            if on_fault is None:
                raise TestsError(f"task {task.id}: {error}") from error
            origin = task.provenance
            on_fault(RowFault(file=origin.file or task.id, row=origin.row, message=str(error)))
            continue
        yield json.loads(EXPORTS["trainer"](whole))


def _filled(text: str, names: Mapping[str, object]) -> str:
    return Template(text).substitute(names)


def _module_of(folder: Path) -> str:
    """Return the name of the package's module."""
    name = folder.name
    module = name.replace("-", "_")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"the folder's name {name!r} is not a package's; use a to z, 0 to 9, - and _"
        )
    hidden = {name for each in environment_packages().values() for name in each.hides}
    if module in {"steelyard", *hidden, *keyword.kwlist, *sys.stdlib_module_names}:
        raise UsageError(f"{name!r} is the name of a module of Python or of a framework; rename it")
    return module


def _unwritable(folder: Path, error: OSError) -> UsageError:
    return UsageError(f"{folder} cannot be written: {error.strerror}; name another folder")
