"""What polars, pyarrow, xarray, SQLAlchemy and numba make, in a snapshot: by its plain content."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from steelyard.values.incell import snapshot_arrays, snapshot_plans, snapshot_walk

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry
Pairs = list[tuple[str, object]]


def _values(value: Any) -> Pairs:
    """The values of a column with its type: as numpy has them, unless some are missing."""
    kind = value.dtype if hasattr(value, "dtype") else value.type
    content: object = None
    with suppress(ImportError):
        import numpy as np

        if not np.asarray(value.is_null()).any():
            content = snapshot_arrays.Unshared(np.asarray(value))
    return [(".dtype", str(kind)), ("", tuple(value) if content is None else content)]


def _polars_series(value: Any) -> Pairs:
    return [*_values(value), (".name", value.name)]


def _polars_frame(value: Any) -> Pairs:
    pairs: Pairs = [(".columns", tuple(value.columns)), (".height", value.height)]
    return [*pairs, *((f"[{series.name!r}]", series) for series in value.get_columns())]


def _arrow_table(value: Any) -> Pairs:
    names = value.column_names
    labels = [
        f".column({at})" if name in names[:at] else f"[{name!r}]" for at, name in enumerate(names)
    ]
    columns = zip(labels, value.columns, strict=True)
    return [(".schema", value.schema), (".num_rows", value.num_rows), *columns]


def _arrow_schema(value: Any) -> Pairs:
    return [(".fields", list(value)), (".metadata", dict(value.metadata or {}))]


def _arrow_field(value: Any) -> Pairs:
    return [("", str(value)), (".metadata", dict(value.metadata or {}))]


def _arrow_scalar(value: Any) -> Pairs:
    return [(".type", str(value.type)), ("", value.as_py())]


def _labelled(value: Any) -> Pairs:
    """What xarray holds: values with dimensions, coordinates and attributes."""
    parts = value.to_dict(data="array")
    return [("" if name == "data" else f".{name}", part) for name, part in parts.items()]


def _typed_list(value: Any) -> Pairs:
    return [(".type", str(value._list_type)), ("", list(value) if value._typed else [])]


def _typed_dict(value: Any) -> Pairs:
    return [(".type", str(value._dict_type)), ("", dict(value) if value._typed else {})]


def _row(walk: Walk, value: Any) -> Entry:
    fields = [".<fields>", ["t", [str(name) for name in value._fields]]]
    return ["t", walk.items(tuple(value)), None, fields]


def _shown(_walk: Walk, value: Any) -> Entry:
    return ["v", str(value)]


def _opaque(_walk: Walk, value: object) -> Entry:
    return snapshot_plans.opaque(value)


_PLAIN: dict[Callable[[Any], Pairs], str] = {
    _polars_series: "polars.series.series.Series",
    _polars_frame: "polars.dataframe.frame.DataFrame",
    _values: "pyarrow.lib.Array pyarrow.lib.ChunkedArray",
    _arrow_table: "pyarrow.lib.Table pyarrow.lib.RecordBatch",
    _arrow_schema: "pyarrow.lib.Schema",
    _arrow_field: "pyarrow.lib.Field",
    _arrow_scalar: "pyarrow.lib.Scalar",
    _labelled: (
        "xarray.Variable xarray.core.variable.Variable xarray.DataArray"
        " xarray.core.dataarray.DataArray xarray.Dataset xarray.core.dataset.Dataset"
    ),
    _typed_list: "numba.typed.typedlist.List",
    _typed_dict: "numba.typed.typeddict.Dict",
}
_OTHERS: dict[str, snapshot_plans.Handler] = {
    "sqlalchemy.engine.row.Row": _row,
    "pyarrow.lib.DataType": _shown,
    "pyarrow.lib.Buffer": lambda walk, value: _shown(walk, value.to_pybytes()),
    "polars.datatypes.classes.DataType": _shown,
    "polars.lazyframe.frame.LazyFrame": _opaque,
    "polars.expr.expr.Expr": _opaque,
}


def _by_parts(parts: Callable[[Any], Pairs]) -> snapshot_plans.Handler:
    return lambda walk, value: ["o", None, None, walk.fields(parts(value))]


def register() -> None:
    """Makes the walk know these types."""
    library = snapshot_plans.LIBRARY
    for parts, names in _PLAIN.items():
        library.update((name, (_by_parts(parts), False)) for name in names.split())
    library.update((name, (handler, False)) for name, handler in _OTHERS.items())
