"""A known form of rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from steelyard.datasets.formats._fields import Fields

TaskFields = dict[str, Any]
"""Fields of a `Task`. It is validated as a whole, so their values may be of any type here."""
TestedOn = Literal["real rows", "rows built from the documented fields"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of rows."""

    path: str
    """Its name, or the names from the outermost to the innermost with points between."""
    category: str = ""
    """The category of the cases in it."""


Columns = Mapping[str, tuple[Column, ...]]
"""Columns by the field of a task that they become."""


@dataclass(frozen=True, slots=True)
class Format:
    """A form of a data set's rows. A data set that is published in two forms has two."""

    name: str
    fields: str
    """Fields that every row has, and by which it is recognised, with spaces between."""
    columns: Columns
    """Empty if columns have the names of a task's fields."""
    form: str
    """The form of the tests; see `FORMS`."""
    license: str
    """As the data set's publisher states it; empty if rows have licences of their own."""
    url: str
    tested_on: TestedOn
    change: Callable[[Fields], Mapping[str, object]] | None = None
    """Returns columns to add to a row, or to replace: what no mapping expresses.

    Raises RowError for a row that cannot be judged.
    """
    read: Callable[[Fields], TaskFields] | None = None
    """Reads a whole row in place of the mapping, which then only shows where fields are from."""
    also: Callable[[Mapping[str, object]], bool] | None = None
    """Distinguishes the form from another one with the same fields."""

    def recognises(self, row: Mapping[str, object]) -> bool:
        """Return True if a row has this form."""
        known = all(name in row for name in self.fields.split())
        return known and (self.also is None or self.also(row))
