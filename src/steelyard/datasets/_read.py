"""Read tasks from files, folders and hubs."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from steelyard.datasets.formats import Mapped, check_columns, formats_for, mapped_columns, task_of
from steelyard.datasets.rows import OnFault, RowError, read_rows
from steelyard.schemas import RowFault, Task


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
            place = first_rows.setdefault(task.id, f"{row.file}:{row.number}")
            if place != f"{row.file}:{row.number}":
                raise RowError(f"the id {task.id} is also the id of {place}; keep one")
        except RowError as error:
            on_fault(RowFault(file=row.file, row=row.number, message=str(error)))
        else:
            yield task, partial(mapped_columns, row, formats)
