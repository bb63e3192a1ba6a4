"""Arrays and tables like a given one, of the libraries that the process has loaded already."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

_LONGEST = 100_000
"""Rows; beyond it none are added."""


def variants(value: object) -> Iterator[Any]:
    """Arrays of the same dtype or tables of the same columns; none for any other value."""
    numpy: Any = sys.modules.get("numpy")
    pandas: Any = sys.modules.get("pandas")
    made: Iterator[Any] = iter(())
    if numpy is not None and isinstance(value, numpy.ndarray):
        made = _arrays(numpy, value)
    elif numpy is not None and isinstance(value, numpy.generic):
        made = _scalars(numpy, value)
    elif pandas is not None and isinstance(value, (pandas.DataFrame, pandas.Series)):
        made = _tables(numpy, pandas, value)
    while True:
        try:
            yield next(made)
        except StopIteration:
            return
        except Exception:  # a kind of array that does not take the change; its later ones go, too
            return


def _scalars(numpy: Any, value: Any) -> Iterator[Any]:
    kind = type(value)
    if isinstance(value, numpy.bool_):
        yield kind(not value)
    elif isinstance(value, numpy.integer):
        top = numpy.iinfo(kind)
        numbers = (int(value) + 1, int(value) - 1, 0, -int(value), int(top.max), int(top.min))
        yield from (kind(number) for number in numbers if top.min <= number <= top.max)
    elif isinstance(value, numpy.floating):
        floats = (0.0, value + 1, -value, math.nan, math.inf, -0.0, value / 2)
        yield from (kind(number) for number in floats)


def _arrays(numpy: Any, value: Any) -> Iterator[Any]:
    if value.ndim == 0:
        return
    rows = len(value)
    middle = rows // 2
    if rows:
        yield value[:0].copy()
        yield from (_set(value, middle, number) for number in _numbers(numpy, value.dtype))
        if rows < _LONGEST:
            yield numpy.concatenate([value, value[:1]])
        yield value[:1].copy()
    if rows > 1:
        yield value[::-1].copy()
        yield _set(value, middle, value[0])
        yield value[:-1].copy()
    if value.ndim > 1:
        yield value[:, :1].copy()
        yield value[:, ::-1].copy()
        yield numpy.asfortranarray(value)
        if value.ndim == 2 and value.shape[0] != value.shape[1]:
            yield value.T.copy()
        yield value[:, :0].copy()
    if rows and value.dtype.kind in "iuf":
        yield numpy.sort(value, axis=0)
        yield numpy.zeros_like(value)
    if value.dtype.kind in "if":
        yield -value
    if rows and rows < _LONGEST:
        yield numpy.concatenate([value, value])


def _numbers(numpy: Any, dtype: Any) -> list[Any]:
    """What is put into one row: of a float array what breaks sums and orders."""
    if dtype.kind == "f":
        return [numpy.nan, numpy.inf, -0.0]
    if dtype.kind == "c":
        return [numpy.nan]
    if dtype.kind in "iu":
        return [0, numpy.iinfo(dtype).max]
    if dtype.kind in "mM":
        return ["NaT"]
    return []


def _set(value: Any, row: int, part: Any) -> Any:
    made = value.copy()
    made[row] = part
    return made


def _tables(numpy: Any, pandas: Any, value: Any) -> Iterator[Any]:
    rows = len(value)
    whole = list(range(rows))
    if rows:
        yield value.iloc[:0].copy()
        yield from _with_missing(numpy, pandas, value)
        if rows < _LONGEST:
            yield value.iloc[[*whole, 0]].copy()
        yield value.iloc[:1].copy()
    if rows > 1:
        yield value.iloc[::-1].copy()
        yield value.iloc[:-1].copy()
        yield value.iloc[1:].copy()
        yield value.iloc[1:].reset_index(drop=True)
    if isinstance(value, pandas.DataFrame) and value.shape[1] > 1:
        yield value.iloc[:, ::-1].copy()
    if rows and rows < _LONGEST:
        yield pandas.concat([value, value])


def _with_missing(numpy: Any, pandas: Any, value: Any) -> Iterator[Any]:
    """The table with one value missing, in each column that can lack one without a change."""
    row = len(value) // 2
    if isinstance(value, pandas.Series):
        if _takes_missing(value.dtype):
            made = value.copy()
            made.iloc[row] = numpy.nan if value.dtype.kind == "f" else None
            yield made
        return
    for column, dtype in enumerate(value.dtypes):
        if _takes_missing(dtype):
            made = value.copy()
            made.iloc[row, column] = numpy.nan if dtype.kind == "f" else None
            yield made


def _takes_missing(dtype: Any) -> bool:
    return getattr(dtype, "kind", "") in tuple("fOM")
