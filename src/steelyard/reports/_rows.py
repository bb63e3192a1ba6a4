"""Make tables of rows that name their cells, and cells of the fields of records."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from steelyard.reports._blocks import Column, Span, Table, TableCell, plain
from steelyard.reports._chart import drawn, ratio_axis
from steelyard.reports._text import count, duration, mebibytes, milliseconds, percent, three_digits


def table(
    rows: Iterable[Mapping[str, object]],
    *columns: Column,
    caption: str = "",
    sortable: bool = False,
) -> Table:
    """Return the table of rows that name their cells by heading, without its empty columns.

    A column whose texts all begin as numbers is one of figures. An axis is fitted to intervals.

    Args:
        rows: What each row shows: lines, cells, and values of other types. None shows nothing.
        columns: Those that are more than a text or a figure.
        caption: What is not shown.
        sortable: Let the reader of a page sort it.
    """
    shown = [{name: _cell(value) for name, value in row.items()} for row in rows]
    known = {column.heading: column for column in columns}
    names = dict.fromkeys(name for row in shown for name in row)
    found = {name: [row.get(name, TableCell("")) for row in shown] for name in names}
    full = {name: own for name, own in found.items() if any(plain(each.line) for each in own)}
    heads = [_fitted(known.get(name, Column(name)), own) for name, own in full.items()]
    return Table(heads, list(zip(*full.values(), strict=True)), caption, sortable)


def cells(record: object, names: str) -> dict[str, TableCell]:
    """Return fields of a record as cells by heading, each in the unit that its name ends in.

    Args:
        record: Whatever has the fields.
        names: Fields with a blank between them. `passed/samples` is a part of a whole;
            `rewards.groups` is a field of a field.
    """
    found = {}
    for name in names.split():
        part, _, whole = name.partition("/")
        words, _, unit = part.rpartition(".")[2].rpartition("_")
        heading = words if unit in _UNITS and words else part.rpartition(".")[2]
        value = attrgetter(part)(record)
        own = _part(value, attrgetter(whole)(record)) if whole else _cell(value, unit)
        found[heading.replace("_", " ")] = own
    return found


_UNITS = {
    "ns": duration,
    "ms": milliseconds,
    "s": lambda seconds: milliseconds(seconds * 1e3),
    "mib": mebibytes,
    "rate": percent,
}


_NUMBER = re.compile(r"[-+$]?\d|(none|unknown|undefined|unbounded)\b")
"""The start of a figure, or the word in its place."""


def _decimals(value: float) -> str:
    return f"{value:.3f}" if 0.001 <= abs(value) < 10 or not value else three_digits(value)


def _part(part: int | None, whole: int | None) -> TableCell:
    share = (part or 0) / whole if whole else None
    return TableCell(f"{part or 0:,} of {whole:,}" if whole else "", share, share)


def _cell(value: Any, unit: str = "") -> TableCell:
    match value:
        case TableCell():
            return value
        case None:
            return TableCell("")
        case int() | float():
            write = _UNITS.get(unit) or (count if isinstance(value, int) else _decimals)
            return TableCell(write(value), value=value if math.isfinite(value) else None)
        case (float(low), float(high)):
            return TableCell(f"{_decimals(low)} to {_decimals(high)}")
        case Mapping():
            return TableCell(", ".join(f"{name} {number:,}" for name, number in value.items()))
        case str() | Span() | Sequence():
            return TableCell(value)
    return TableCell(str(value))


def _fitted(column: Column, own: Sequence[TableCell]) -> Column:
    """Return a column with its kind and its axis, where its cells tell them."""
    texts = [plain(cell.line) for cell in own]
    if not column.kind and all(map(_NUMBER.match, filter(None, texts))):
        column = replace(column, kind="figure")
    ends = [end for each in own for end in drawn(each.interval) or ()]
    marks = [value for _, value, _ in column.marks]
    return replace(column, axis=ratio_axis("", [*ends, *marks])) if ends else column
