"""The tables of pandas in a snapshot, column by column."""

from __future__ import annotations

import sys
from typing import Any

from steelyard.values.incell import snapshot_arrays, snapshot_plans, snapshot_walk

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry
Pairs = list[tuple[str, object]]
Unshared = snapshot_arrays.Unshared


class Column:
    """The values of a table's column: an array, or what one is made of."""

    __slots__ = ("parts",)

    def __init__(self, parts: Pairs) -> None:
        """The parts, the first of which usually are the values, with an empty label."""
        self.parts = parts


def _column(walk: Walk, value: Column) -> Entry:
    return ["v", None, "column", walk.fields(value.parts)]


def _values(array: Any) -> object:
    """The content of a pandas array, with its data type where numpy has none such."""
    numpy, pandas = sys.modules["numpy"], sys.modules["pandas"]
    arrays = pandas.arrays
    if type(array) is numpy.ndarray:
        return Unshared(array)
    name = type(array).__name__
    parts: Pairs = [(".dtype", str(array.dtype))]
    if name in ("NumpyExtensionArray", "PandasArray"):
        return Unshared(array.to_numpy())
    if isinstance(array, pandas.Categorical):
        parts += [
            ("", Unshared(array.codes)),
            (".categories", array.categories),
            (".ordered", bool(array.ordered)),
        ]
    elif isinstance(array, (arrays.DatetimeArray, arrays.TimedeltaArray, arrays.PeriodArray)):
        parts.append(("", Unshared(array.asi8)))
    elif isinstance(array, arrays.IntervalArray):
        parts += [(".left", array.left), (".right", array.right), (".closed", array.closed)]
    elif isinstance(array, arrays.SparseArray):
        parts += [("", Unshared(array.to_dense())), (".fill_value", array.fill_value)]
    elif hasattr(array, "_pa_array"):
        parts.append(("", array._pa_array))
    elif hasattr(array, "_mask") and hasattr(array, "_data"):
        data = array._data.copy()
        data[array._mask] = numpy.zeros((), data.dtype)
        parts += [("", Unshared(data)), (".isna()", Unshared(array._mask))]
    else:
        parts += [(".type", name), ("", Unshared(numpy.asarray(array, dtype=object)))]
    return Column(parts)


def _array(walk: Walk, value: Any) -> Entry:
    found = _values(value)
    parts = found.parts if isinstance(found, Column) else [("", found)]
    return ["o", None, None, walk.fields(parts)]


def _index(walk: Walk, value: Any) -> Entry:
    return ["v", None, None, walk.fields([("", _values(value.array)), (".name", value.name)])]


def _dated_index(walk: Walk, value: Any) -> Entry:
    pairs = [("", _values(value.array)), (".name", value.name), (".freq", _freq(value))]
    return ["v", None, None, walk.fields(pairs)]


def _freq(value: Any) -> object:
    return None if value.freq is None else value.freq.freqstr


def _range_index(walk: Walk, value: Any) -> Entry:
    body = [int(value.start), int(value.stop), int(value.step)]
    return ["v", body, None, walk.fields([(".name", value.name)])]


def _multi_index(walk: Walk, value: Any) -> Entry:
    levels: Pairs = [
        (f".get_level_values({at})", _values(value.get_level_values(at).array))
        for at in range(value.nlevels)
    ]
    return ["v", None, None, walk.fields([*levels, (".names", tuple(value.names))])]


def _series(walk: Walk, value: Any) -> Entry:
    pairs: Pairs = [("", _values(value._values)), (".index", value.index), (".name", value.name)]
    return ["o", None, None, walk.fields(pairs + _about(value))]


def _frame(walk: Walk, value: Any) -> Entry:
    names = list(value.columns)
    seen: dict[str, int] = {}
    pairs: Pairs = [(".columns", value.columns), (".index", value.index)]
    for at, name in enumerate(names):
        label = f"[{name!r}]" if type(name) in (str, int, float, bool) else f".iloc[:, {at}]"
        if label in seen:
            label = f".iloc[:, {at}]"
        seen[label] = at
        pairs.append((label, _values(value._mgr.iget_values(at))))
    return ["o", None, None, walk.fields(pairs + _about(value))]


def _about(value: Any) -> Pairs:
    found: Pairs = []
    if value._attrs:
        found.append((".attrs", value._attrs))
    if not value._flags.allows_duplicate_labels:
        found.append((".flags.allows_duplicate_labels", False))
    return found


def _timestamp(walk: Walk, value: Any) -> Entry:
    zone = value.tzinfo
    fields = [".unit", value.unit]
    if value.fold:
        fields += [".fold", 1]
    if zone is not None:
        fields += [".tzinfo", walk.item(zone)]
    return ["v", str(value.tz_localize(None)), None, fields]


def _timedelta(_walk: Walk, value: Any) -> Entry:
    return ["v", value.isoformat(), None, [".unit", value.unit]]


def _nothing(_walk: Walk, _value: object) -> Entry:
    return ["c", None]


def _interval(walk: Walk, value: Any) -> Entry:
    pairs: Pairs = [(f".{name}", getattr(value, name)) for name in ("left", "right", "closed")]
    return ["v", None, None, walk.fields(pairs)]


def _period(_walk: Walk, value: Any) -> Entry:
    return ["v", [str(value), value.freqstr]]


def _offset(_walk: Walk, value: Any) -> Entry:
    return ["v", value.freqstr]


def _dtype(walk: Walk, value: Any) -> Entry:
    categories = getattr(value, "categories", None)
    return ["v", str(value), None, walk.fields([(".categories", categories)])]


def register() -> None:
    """Makes the walk know these types."""
    snapshot_plans.know(Column, _column, inline=False)
    library = snapshot_plans.LIBRARY
    lines: dict[snapshot_plans.Handler, tuple[str, ...]] = {
        _frame: ("core.frame.DataFrame", "DataFrame"),
        _series: ("core.series.Series", "Series"),
        _range_index: ("core.indexes.range.RangeIndex", "RangeIndex"),
        _multi_index: ("core.indexes.multi.MultiIndex", "MultiIndex"),
        _dated_index: (
            "core.indexes.datetimes.DatetimeIndex",
            "DatetimeIndex",
            "core.indexes.timedeltas.TimedeltaIndex",
            "TimedeltaIndex",
        ),
        _index: ("core.indexes.base.Index", "Index"),
        _array: ("core.arrays.base.ExtensionArray", "api.extensions.ExtensionArray"),
        _interval: ("_libs.interval.Interval", "Interval"),
        _dtype: ("core.dtypes.base.ExtensionDtype", "api.extensions.ExtensionDtype"),
    }
    for handler, names in lines.items():
        library.update((f"pandas.{name}", (handler, False)) for name in names)
    inline: dict[snapshot_plans.Handler, tuple[str, ...]] = {
        _timestamp: ("_libs.tslibs.timestamps.Timestamp", "Timestamp"),
        _timedelta: ("_libs.tslibs.timedeltas.Timedelta", "Timedelta"),
        _nothing: (
            "_libs.tslibs.nattype.NaTType",
            "_libs.missing.NAType",
            "api.typing.NaTType",
            "api.typing.NAType",
        ),
        _period: ("_libs.tslibs.period.Period", "Period"),
        _offset: ("_libs.tslibs.offsets.BaseOffset",),
    }
    for handler, names in inline.items():
        library.update((f"pandas.{name}", (handler, True)) for name in names)
