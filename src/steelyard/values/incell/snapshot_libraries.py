"""What pyarrow, xarray, SQLAlchemy and numba make, in a snapshot."""

from __future__ import annotations

import sys
from typing import Any

from steelyard.values.incell import (
    snapshot_arrays,
    snapshot_frames,
    snapshot_plans,
    snapshot_walk,
)

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry
Pairs = list[tuple[str, object]]


def _arrow_values(value: Any) -> Pairs:
    """The logical content of an arrow array: its values, and where there are none."""
    arrow = sys.modules["pyarrow"]
    kind = value.type
    parts: Pairs = [(".type", str(kind))]
    if arrow.types.is_integer(kind) or arrow.types.is_floating(kind):
        if value.null_count:
            parts.append((".is_null()", _as_numpy(value.is_null())))
            value = value.fill_null(arrow.scalar(0, kind))
        parts.append(("", _as_numpy(value)))
    elif arrow.types.is_temporal(kind) and not arrow.types.is_interval(kind):
        width = arrow.int32() if kind.bit_width == 32 else arrow.int64()
        parts.append(("", tuple(value.cast(width).to_pylist())))
    else:
        parts.append(("", tuple(value.to_pylist())))
    return parts


def _as_numpy(value: Any) -> object:
    chunked = isinstance(value, sys.modules["pyarrow"].ChunkedArray)
    array = value.to_numpy() if chunked else value.to_numpy(zero_copy_only=False)
    return snapshot_arrays.Unshared(array)


def _arrow_array(walk: Walk, value: Any) -> Entry:
    return ["v", None, None, walk.fields(_arrow_values(value))]


def _arrow_table(walk: Walk, value: Any) -> Entry:
    pairs: Pairs = [(".schema", value.schema), (".num_rows", value.num_rows)]
    seen: set[str] = set()
    for at, name in enumerate(value.column_names):
        label = f".column({at})" if name in seen else f"[{name!r}]"
        seen.add(name)
        pairs.append((label, snapshot_frames.Column(_arrow_values(value.column(at)))))
    return ["v", None, None, walk.fields(pairs)]


def _arrow_schema(walk: Walk, value: Any) -> Entry:
    fields = tuple(value.field(at) for at in range(len(value.names)))
    pairs: Pairs = [(".fields", fields)]
    if value.metadata:
        pairs.append((".metadata", dict(value.metadata)))
    return ["v", None, None, walk.fields(pairs)]


def _arrow_field(walk: Walk, value: Any) -> Entry:
    body = [value.name, str(value.type), bool(value.nullable)]
    metadata = [(".metadata", dict(value.metadata))] if value.metadata else []
    return ["v", body, None, walk.fields(metadata)]


def _arrow_scalar(walk: Walk, value: Any) -> Entry:
    arrow = sys.modules["pyarrow"]
    return ["v", None, None, walk.fields(_arrow_values(arrow.array([value.as_py()], value.type)))]


def _arrow_type(_walk: Walk, value: Any) -> Entry:
    return ["v", str(value)]


def _arrow_buffer(walk: Walk, value: Any) -> Entry:
    return ["v", None, None, walk.fields([("", value.to_pybytes())])]


def _variable(walk: Walk, value: Any) -> Entry:
    pairs: Pairs = [(".dims", value.dims), ("", _held(value)), (".attrs", dict(value.attrs))]
    return ["o", None, None, walk.fields(pairs)]


def _held(value: Any) -> object:
    numpy = sys.modules["numpy"]
    data = value._data
    return data if isinstance(data, numpy.ndarray) else numpy.asarray(value.values)


def _data_array(walk: Walk, value: Any) -> Entry:
    pairs: Pairs = [(".dims", value.dims), ("", _held(value.variable)), (".name", value.name)]
    pairs += [
        (f".coords[{name!r}]", value._coords[name]) for name in sorted(value._coords, key=repr)
    ]
    return ["o", None, None, walk.fields([*pairs, (".attrs", dict(value.attrs))])]


def _data_set(walk: Walk, value: Any) -> Entry:
    pairs: Pairs = [(".coords", tuple(sorted(map(repr, value._coord_names))))]
    pairs += [(f"[{name!r}]", variable) for name, variable in value._variables.items()]
    return ["o", None, None, walk.fields([*pairs, (".attrs", dict(value.attrs))])]


def _row(walk: Walk, value: Any) -> Entry:
    return [
        "t",
        walk.items(tuple(value)),
        None,
        [".<fields>", ["t", [str(n) for n in value._fields]]],
    ]


def _typed_list(walk: Walk, value: Any) -> Entry:
    items = list(value) if value._typed else []
    return ["o", None, None, walk.fields([(".type", str(value._list_type)), ("", items)])]


def _typed_dict(walk: Walk, value: Any) -> Entry:
    items = dict(value) if value._typed else {}
    return ["o", None, None, walk.fields([(".type", str(value._dict_type)), ("", items)])]


def register() -> None:
    """Makes the walk know these types."""
    library = snapshot_plans.LIBRARY
    for names, handler in (
        (("Array", "ChunkedArray"), _arrow_array),
        (("Table", "RecordBatch"), _arrow_table),
        (("Schema",), _arrow_schema),
        (("Field",), _arrow_field),
        (("Scalar",), _arrow_scalar),
        (("DataType",), _arrow_type),
        (("Buffer",), _arrow_buffer),
    ):
        library.update((f"pyarrow.lib.{name}", (handler, False)) for name in names)
    for name in ("Variable", "core.variable.Variable"):
        library[f"xarray.{name}"] = (_variable, False)
    for name in ("DataArray", "core.dataarray.DataArray"):
        library[f"xarray.{name}"] = (_data_array, False)
    for name in ("Dataset", "core.dataset.Dataset"):
        library[f"xarray.{name}"] = (_data_set, False)
    library["sqlalchemy.engine.row.Row"] = (_row, False)
    library["numba.typed.typedlist.List"] = (_typed_list, False)
    library["numba.typed.typeddict.Dict"] = (_typed_dict, False)
