"""Make a validated task of a row."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from steelyard._printable import printable
from steelyard.datasets.formats._columns import present, read_columns
from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._known_formats import FORMATS, Format, format_of
from steelyard.datasets.rows import Row, RowError
from steelyard.errors import TestsError, UsageError
from steelyard.judging import loaded
from steelyard.reports import clause
from steelyard.schemas import Task, fault_of_record

_SHOWN_FIELDS = 8
_MAX_MESSAGE = 400


@dataclass(frozen=True, slots=True)
class Mapped:
    """The columns of a row, and the fields that they became."""

    format: str
    form: str
    """The form that reads the tests; empty for Steelyard's own rows."""
    columns: Mapping[str, tuple[str, ...]]
    """The columns that became each field of the task."""
    left: tuple[str, ...]
    """Columns that became none."""
    added: tuple[str, ...] = ()
    """Columns that the format makes of others."""


def task_of(row: Row, forms: tuple[Format, ...] = FORMATS) -> Task:
    """Return the task of a row, whose tests are known to load.

    Args:
        row: The row.
        forms: The forms that it may have; its fields decide.

    Raises:
        RowError: if the row has no known format, lacks something, contradicts itself, or has
            no tests.
    """
    form = format_of(row.fields, forms)
    if form is None:
        names = ", ".join(sorted(row.fields)[:_SHOWN_FIELDS]) or "none"
        known = forms[0].name if len({each.name for each in forms}) == 1 else "a known data set"
        raise RowError(
            clause(f"not a row of {known}: its fields are {names}; check the file", _MAX_MESSAGE)
        )
    try:
        fields = _fields_of(row.fields, form)
    except TestsError as error:
        raise RowError(clause(f"tests: {error}", _MAX_MESSAGE)) from error
    if form.name != "steelyard":
        fields["source"] = form.name
    fields["provenance"] = _provenance(fields, row, form)
    try:
        task = Task.model_validate(fields)
        if not task.tests and not task.sized_tests:
            raise RowError("the row has no tests; get the part of the data set that has them")
        if task.tests:
            loaded(task.model_copy(update={"sized_tests": ()}))
    except ValidationError as error:
        raise RowError(
            clause(fault_of_record(error, fields, Task, "a task"), _MAX_MESSAGE)
        ) from error
    except (TestsError, UsageError) as error:
        raise RowError(clause(f"tests: {error}", _MAX_MESSAGE)) from error
    return task


def mapped_columns(row: Row, forms: tuple[Format, ...] = FORMATS) -> Mapped | None:
    """Return which columns of a row become which fields; None for a row of no known format."""
    form = format_of(row.fields, forms)
    if form is None:
        return None
    columns: dict[str, tuple[str, ...]] = {name: (name,) for name in row.fields}
    if form.columns:
        changed = {**row.fields, **(form.change(Fields(row.fields)) if form.change else {})}
        columns = present(changed, form.columns)
    used = {path for paths in columns.values() for path in paths}
    roots = used | {path.partition(".")[0] for path in used}
    left = tuple(name for name in row.fields if name not in roots)
    added = tuple(path for path in used if path.partition(".")[0] not in row.fields)
    return Mapped(form.name, form.form, columns, left, tuple(sorted(added)))


def _fields_of(row: Mapping[str, object], form: Format) -> dict[str, Any]:
    if form.read:
        return form.read(Fields(row))
    if form.change:
        row = {**row, **form.change(Fields(row))}
    return read_columns(row, form.columns, form.form, form.name)


def _provenance(fields: dict[str, Any], row: Row, form: Format) -> dict[str, Any]:
    """Return where the row is from. What the row itself states has precedence."""
    stated = fields.get("provenance") or {}
    if not isinstance(stated, dict):
        raise RowError('"provenance" is not an object; write {"source": "..."}')
    found = {
        "file": printable(PurePath(row.file).name),
        "row": row.number,
        "license": form.license,
        "url": form.url,
        "digest": row.digest,
    }
    return found | {name: value for name, value in stated.items() if value not in ("", None)}
