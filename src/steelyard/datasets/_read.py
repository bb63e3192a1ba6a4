"""Read tasks from files, folders and hubs."""

from collections.abc import Iterator
from pathlib import Path

from steelyard.datasets.formats import FORMATS, format_with, task_of
from steelyard.datasets.rows import OnFault, RowError, read_rows
from steelyard.schemas import RowFault, Task

__all__ = ["read_tasks"]


def read_tasks(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002  (its name in the command, too)
    on_fault: OnFault,
) -> Iterator[Task]:
    """Yield the tasks of a data set, one row at a time.

    Memory holds one row, the tasks that the caller keeps, and the id of every task.

    Args:
        source: A file (`.jsonl`, `.json`, `.parquet`, also gzipped; `.html`), a folder of such
            files, or `hf:NAME[:CONFIG][@SPLIT]` for a data set of Hugging Face.
        format: The name of a format; None recognises each row by its fields.
        on_fault: Receives each row that is left out, with the reason.

    Raises:
        DatasetError: if the source does not exist, the format is unknown, or a package for it
            is not installed.
    """
    forms = FORMATS if format is None else format_with(format)
    first_rows: dict[str, str] = {}
    for row in read_rows(source, on_fault):
        try:
            task = task_of(row, forms)
            place = first_rows.setdefault(task.id, f"{row.file}:{row.number}")
            if place != f"{row.file}:{row.number}":
                raise RowError(f"the id {task.id} is also the id of {place}; keep one")
        except RowError as error:
            on_fault(RowFault(file=row.file, row=row.number, message=str(error)))
        else:
            yield task
