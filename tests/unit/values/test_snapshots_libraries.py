"""Tables and arrays of libraries that this project does not need itself."""

import datetime as dt
import functools
import importlib
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.values.snapshot_pairs import EQUAL, Tolerance, differences


@functools.cache
def library(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip(name)
        return importlib.import_module(name)


def frame(**columns: Any) -> Callable[[Any], Any]:
    return lambda pd: pd.DataFrame(columns)


def attributed(value: Any, attribute: object) -> Any:
    value.attrs["k"] = attribute
    return value


def columns(pd: Any, *, copy: bool) -> Any:
    """A table and one of its columns: whether they share memory is the library's own business."""
    table = pd.DataFrame({"a": [1, 2]})
    return [table, table["a"].copy() if copy else table["a"]]


def tensors(torch: Any) -> list[Any]:
    base = torch.zeros(4)
    return [base, base[1:]]


def layer(torch: Any, seed: int) -> Any:
    torch.manual_seed(seed)
    return torch.nn.Linear(2, 2)


def labelled(xr: Any, value: int, at: int = 20) -> Any:
    return xr.DataArray([0, value], dims="x", coords={"x": [10, at]}, name="n")


def extra(pydantic: Any) -> Any:
    return pydantic.create_model("M", __config__=pydantic.ConfigDict(extra="allow"))


def typed_dict(typed: Any, value: float) -> Any:
    found = typed.Dict()
    found["a"] = value
    return found


def row(sqlalchemy: Any, value: int) -> Any:
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as connection:
        found = connection.execute(sqlalchemy.text(f"select {value} as a")).one()
    engine.dispose()
    return found


Case = tuple[str, str, Callable[[Any], Any], Callable[[Any], Any], str]

CASES: list[Case] = [
    ("pandas", "frame", frame(a=[1, 2]), frame(a=[1, 2]), EQUAL),
    (
        "pandas",
        "cell",
        lambda pd: pd.DataFrame({"col": range(9)}),
        lambda pd: pd.DataFrame({"col": [*range(7), 0, 8]}),
        "value result['col'][7]: 7 != 0 (1 of 9 differ, by up to 7)",
    ),
    (
        "pandas",
        "frame dtype",
        frame(a=[1, 2]),
        frame(a=[1.0, 2.0]),
        "type result['a']: int64 (2,) != float64 (2,)",
    ),
    ("pandas", "column name", frame(a=[1]), frame(b=[1]), "missing"),
    ("pandas", "column order", frame(a=[1], b=[2]), frame(b=[2], a=[1]), "value"),
    (
        "pandas",
        "index",
        lambda pd: pd.DataFrame({"a": [1]}, index=["x"]),
        lambda pd: pd.DataFrame({"a": [1]}, index=["y"]),
        "value",
    ),
    (
        "pandas",
        "index kind",
        lambda pd: pd.DataFrame({"a": [1]}),
        lambda pd: pd.DataFrame({"a": [1]}, index=[0]),
        "type",
    ),
    (
        "pandas",
        "same column twice",
        lambda pd: pd.DataFrame([[1, 2]], columns=["a", "a"]),
        lambda pd: pd.DataFrame([[1, 3]], columns=["a", "a"]),
        "value result.iloc[:, 1][0]: 2 != 3",
    ),
    (
        "pandas",
        "attrs",
        lambda pd: attributed(pd.DataFrame({"a": [1]}), 1),
        lambda pd: attributed(pd.DataFrame({"a": [1]}), 2),
        "value result.attrs['k']: 1 != 2",
    ),
    ("pandas", "missing", frame(a=[1.0, None]), frame(a=[1.0, None]), EQUAL),
    ("pandas", "text", frame(a=["x", None]), frame(a=["y", None]), "value"),
    ("pandas", "text same", frame(a=["x", None]), frame(a=["x", None]), EQUAL),
    (
        "pandas",
        "series",
        lambda pd: pd.Series([1, 2], name="n"),
        lambda pd: pd.Series([1, 3], name="n"),
        "value result[1]: 2 != 3 (1 of 2 differ, by up to 1)",
    ),
    (
        "pandas",
        "series name",
        lambda pd: pd.Series([1], name="n"),
        lambda pd: pd.Series([1], name="m"),
        "value result.name: 'n' != 'm'",
    ),
    (
        "pandas",
        "series of nullable",
        lambda pd: pd.Series([1, None], dtype="Int64"),
        lambda pd: pd.Series([1, None], dtype="Int64"),
        EQUAL,
    ),
    (
        "pandas",
        "series of nullable differs",
        lambda pd: pd.Series([1, None], dtype="Int64"),
        lambda pd: pd.Series([1, 2], dtype="Int64"),
        "value",
    ),
    (
        "pandas",
        "nullable and numpy",
        lambda pd: pd.Series([1], dtype="Int64"),
        lambda pd: pd.Series([1]),
        "type",
    ),
    (
        "pandas",
        "categories",
        lambda pd: pd.Categorical(["a"], categories=["a", "b"]),
        lambda pd: pd.Categorical(["a"], categories=["a", "c"]),
        "value",
    ),
    (
        "pandas",
        "ordered categories",
        lambda pd: pd.Categorical(["a"], ordered=True),
        lambda pd: pd.Categorical(["a"]),
        "value",
    ),
    (
        "pandas",
        "multi-index",
        lambda pd: pd.MultiIndex.from_tuples([(1, 2)]),
        lambda pd: pd.MultiIndex.from_tuples([(1, 3)]),
        "value result.get_level_values(1)[0]: 2 != 3",
    ),
    (
        "pandas",
        "multi-index names",
        lambda pd: pd.MultiIndex.from_tuples([(1, 2)], names=["a", "b"]),
        lambda pd: pd.MultiIndex.from_tuples([(1, 2)], names=["a", "c"]),
        "value result.names[1]: 'b' != 'c'",
    ),
    (
        "pandas",
        "dates",
        lambda pd: pd.date_range("2020", periods=2),
        lambda pd: pd.date_range("2020", periods=2),
        EQUAL,
    ),
    (
        "pandas",
        "zone of dates",
        lambda pd: pd.date_range("2020", periods=2, tz="UTC"),
        lambda pd: pd.date_range("2020", periods=2),
        "value",
    ),
    (
        "pandas",
        "timestamp",
        lambda pd: pd.Timestamp("2020-01-01"),
        lambda pd: pd.Timestamp("2020-01-01"),
        EQUAL,
    ),
    (
        "pandas",
        "timestamp differs",
        lambda pd: pd.Timestamp("2020-01-01"),
        lambda pd: pd.Timestamp("2020-01-02"),
        "value",
    ),
    (
        "pandas",
        "timestamp and datetime",
        lambda pd: pd.Timestamp("2020-01-01"),
        lambda _: dt.datetime(2020, 1, 1),
        "type",
    ),
    ("pandas", "timedelta", lambda pd: pd.Timedelta("1s"), lambda pd: pd.Timedelta("2s"), "value"),
    ("pandas", "no time", lambda pd: pd.NaT, lambda pd: pd.NaT, EQUAL),
    ("pandas", "no value", lambda pd: pd.NA, lambda pd: pd.NaT, "type"),
    (
        "pandas",
        "interval",
        lambda pd: pd.Interval(1, 2),
        lambda pd: pd.Interval(1, 2, "left"),
        "value result.closed: 'right' != 'left'",
    ),
    (
        "pandas",
        "intervals",
        lambda pd: pd.interval_range(0, 3),
        lambda pd: pd.interval_range(0, 3),
        EQUAL,
    ),
    ("pandas", "period", lambda pd: pd.Period("2020-01"), lambda pd: pd.Period("2020-02"), "value"),
    (
        "pandas",
        "periods",
        lambda pd: pd.period_range("2020", periods=2, freq="M"),
        lambda pd: pd.period_range("2021", periods=2, freq="M"),
        "value",
    ),
    (
        "pandas",
        "sparse",
        lambda pd: pd.arrays.SparseArray([0, 1]),
        lambda pd: pd.arrays.SparseArray([0, 2]),
        "value",
    ),
    ("pandas", "offset", lambda pd: pd.offsets.Day(1), lambda pd: pd.offsets.Day(2), "value"),
    ("pandas", "extension dtype", lambda pd: pd.Int64Dtype(), lambda pd: pd.Int64Dtype(), EQUAL),
    (
        "pandas",
        "copies of a column",
        lambda pd: columns(pd, copy=False),
        lambda pd: columns(pd, copy=True),
        EQUAL,
    ),
    (
        "polars",
        "frame",
        lambda pl: pl.DataFrame({"a": [1, None]}),
        lambda pl: pl.DataFrame({"a": [1, None]}),
        EQUAL,
    ),
    (
        "polars",
        "cell",
        lambda pl: pl.DataFrame({"a": [1, 2]}),
        lambda pl: pl.DataFrame({"a": [1, 3]}),
        "value result['a'][1]: 2 != 3 (1 of 2 differ, by up to 1)",
    ),
    (
        "polars",
        "dtype",
        lambda pl: pl.DataFrame({"a": [1]}),
        lambda pl: pl.DataFrame({"a": [1.0]}),
        "value",
    ),
    (
        "polars",
        "null and zero",
        lambda pl: pl.Series([0, None]),
        lambda pl: pl.Series([0, 0]),
        "type",
    ),
    (
        "polars",
        "null and nan",
        lambda pl: pl.Series([None], dtype=pl.Float64),
        lambda pl: pl.Series([float("nan")]),
        "type",
    ),
    (
        "polars",
        "large and null",
        lambda pl: pl.Series([1 << 60, None]),
        lambda pl: pl.Series([(1 << 60) + 1, None]),
        "value",
    ),
    (
        "polars",
        "text",
        lambda pl: pl.Series(["a"]),
        lambda pl: pl.Series(["b"]),
        "value result[0]: 'a' != 'b'",
    ),
    (
        "polars",
        "name",
        lambda pl: pl.Series("a", [1]),
        lambda pl: pl.Series("b", [1]),
        "value result.name: 'a' != 'b'",
    ),
    ("polars", "nested", lambda pl: pl.Series([[1, 2]]), lambda pl: pl.Series([[1, 3]]), "value"),
    (
        "polars",
        "columns",
        lambda pl: pl.DataFrame({"a": [1]}),
        lambda pl: pl.DataFrame({"b": [1]}),
        "missing",
    ),
    (
        "polars",
        "lazy",
        lambda pl: pl.LazyFrame({"a": [1]}),
        lambda pl: pl.LazyFrame({"a": [1]}),
        "not-comparable",
    ),
    ("pyarrow", "array", lambda pa: pa.array([1, None]), lambda pa: pa.array([1, None]), EQUAL),
    (
        "pyarrow",
        "array differs",
        lambda pa: pa.array([1, 2]),
        lambda pa: pa.array([1, 3]),
        "value result[1]: 2 != 3 (1 of 2 differ, by up to 1)",
    ),
    (
        "pyarrow",
        "array type",
        lambda pa: pa.array([1]),
        lambda pa: pa.array([1], pa.int32()),
        "type",
    ),
    (
        "pyarrow",
        "text",
        lambda pa: pa.array(["a"]),
        lambda pa: pa.array(["b"]),
        "value result[0]: 'a' != 'b'",
    ),
    ("pyarrow", "slices", lambda pa: pa.array([1, 2])[1:], lambda pa: pa.array([3, 2])[1:], EQUAL),
    (
        "pyarrow",
        "chunks",
        lambda pa: pa.chunked_array([[1], [2]]),
        lambda pa: pa.chunked_array([[1, 2]]),
        EQUAL,
    ),
    (
        "pyarrow",
        "table",
        lambda pa: pa.table({"a": [1]}),
        lambda pa: pa.table({"a": [2]}),
        "value result['a'][0]: 1 != 2",
    ),
    (
        "pyarrow",
        "schema",
        lambda pa: pa.schema([("a", pa.int8())]),
        lambda pa: pa.schema([("a", pa.int16())]),
        "value",
    ),
    (
        "pyarrow",
        "metadata",
        lambda pa: pa.schema([], {"a": "b"}),
        lambda pa: pa.schema([], {"a": "c"}),
        "value",
    ),
    ("pyarrow", "scalar", lambda pa: pa.scalar(1), lambda pa: pa.scalar(1), EQUAL),
    ("pyarrow", "scalar differs", lambda pa: pa.scalar("a"), lambda pa: pa.scalar("b"), "value"),
    ("pyarrow", "type", lambda pa: pa.int64(), lambda pa: pa.int64(), EQUAL),
    (
        "pyarrow",
        "times",
        lambda pa: pa.array([1], pa.timestamp("ns")),
        lambda pa: pa.array([2], pa.timestamp("ns")),
        "value",
    ),
    ("torch", "tensor", lambda t: t.arange(3), lambda t: t.arange(3), EQUAL),
    (
        "torch",
        "element",
        lambda t: t.zeros(2, 3),
        lambda t: t.eye(2, 3),
        (
            "value result[0, 0]: 0.0 != 1.0 (2 of 6 differ, by up to 1, relative 1)\n"
            "value result[1, 1]: 0.0 != 1.0"
        ),
    ),
    ("torch", "dtype", lambda t: t.zeros(2), lambda t: t.zeros(2, dtype=t.float64), "type"),
    ("torch", "shape", lambda t: t.zeros(2), lambda t: t.zeros(2, 1), "value"),
    (
        "torch",
        "gradient",
        lambda t: t.zeros(2),
        lambda t: t.zeros(2, requires_grad=True),
        "value result.requires_grad: False != True",
    ),
    (
        "torch",
        "bfloat16",
        lambda t: t.ones(2, dtype=t.bfloat16),
        lambda t: t.zeros(2, dtype=t.bfloat16),
        (
            "value result[0]: 1.0 != 0.0 (2 of 2 differ, by up to 1, relative 1)\nvalue "
            "result[1]: 1.0 != 0.0"
        ),
    ),
    ("torch", "nan", lambda t: t.tensor([float("nan")]), lambda t: t.tensor([float("nan")]), EQUAL),
    ("torch", "sparse", lambda t: t.eye(2).to_sparse(), lambda t: t.eye(2).to_sparse(), EQUAL),
    ("torch", "sparse and dense", lambda t: t.eye(2).to_sparse(), lambda t: t.eye(2), "type"),
    (
        "torch",
        "views",
        tensors,
        lambda t: [part.clone() for part in tensors(t)],
        (
            "aliasing result[1] is on separate memory in the candidate, on the memory "
            "of result[0] in the original"
        ),
    ),
    ("torch", "module", lambda t: layer(t, 1), lambda t: layer(t, 1), EQUAL),
    ("torch", "module differs", lambda t: layer(t, 1), lambda t: layer(t, 2), "value"),
    ("torch", "dtypes", lambda t: t.float32, lambda t: t.float64, "value"),
    ("torch", "size", lambda t: t.zeros(2).shape, lambda _: (2,), "type"),
    ("jax", "array", lambda jax: jax.numpy.arange(3), lambda jax: jax.numpy.arange(3), EQUAL),
    (
        "jax",
        "element",
        lambda jax: jax.numpy.zeros(2),
        lambda jax: jax.numpy.array([0.0, 1.0]),
        "value result[1]: 0.0 != 1.0 (1 of 2 differ, by up to 1, relative 1)",
    ),
    (
        "jax",
        "and numpy",
        lambda jax: jax.numpy.zeros(2),
        lambda _: library("numpy").zeros(2, "f4"),
        "type",
    ),
    ("jax", "key", lambda jax: jax.random.key(0), lambda jax: jax.random.key(1), "value"),
    ("xarray", "array", lambda xr: labelled(xr, 1), lambda xr: labelled(xr, 1), EQUAL),
    (
        "xarray",
        "element",
        lambda xr: labelled(xr, 1),
        lambda xr: labelled(xr, 2),
        "value result[1]: 1 != 2 (1 of 2 differ, by up to 1)",
    ),
    (
        "xarray",
        "dims",
        lambda xr: xr.DataArray([1], dims="x"),
        lambda xr: xr.DataArray([1], dims="y"),
        "value result.dims[0]: 'x' != 'y'",
    ),
    ("xarray", "coords", lambda xr: labelled(xr, 1), lambda xr: labelled(xr, 1, at=7), "value"),
    (
        "xarray",
        "attrs",
        lambda xr: xr.DataArray([1], attrs={"u": "m"}),
        lambda xr: xr.DataArray([1], attrs={"u": "s"}),
        "value result.attrs['u']: 'm' != 's'",
    ),
    (
        "xarray",
        "dataset",
        lambda xr: xr.Dataset({"a": ("x", [1])}),
        lambda xr: xr.Dataset({"a": ("x", [2])}),
        "value result.data_vars['a']['data'][0]: 1 != 2",
    ),
    (
        "attrs",
        "class",
        lambda attrs: attrs.make_class("A", ["x"])(1),
        lambda attrs: attrs.make_class("A", ["x"])(2),
        "value result.x: 1 != 2",
    ),
    (
        "attrs",
        "slots",
        lambda attrs: attrs.make_class("A", ["x"], slots=True)([1]),
        lambda attrs: attrs.make_class("A", ["x"], slots=True)([1]),
        EQUAL,
    ),
    (
        "pydantic",
        "model",
        lambda p: p.create_model("M", x=(int, 1))(x=1),
        lambda p: p.create_model("M", x=(int, 1))(x=2),
        "value result.x: 1 != 2",
    ),
    (
        "pydantic",
        "fields set",
        lambda p: p.create_model("M", x=(int, 1))(x=1),
        lambda p: p.create_model("M", x=(int, 1))(),
        "missing",
    ),
    (
        "pydantic",
        "model same",
        lambda p: p.create_model("M", x=(int, 1))(x=1),
        lambda p: p.create_model("M", x=(int, 1))(x=1),
        EQUAL,
    ),
    ("pydantic", "extra", lambda p: extra(p)(a=1), lambda p: extra(p)(a=2), "value"),
    (
        "pydantic.v1",
        "model",
        lambda p: p.create_model("M", x=(int, 1))(x=1),
        lambda p: p.create_model("M", x=(int, 1))(x=2),
        "value result.x: 1 != 2",
    ),
    ("sqlalchemy", "row", lambda s: row(s, 1), lambda s: row(s, 1), EQUAL),
    (
        "sqlalchemy",
        "row differs",
        lambda s: row(s, 1),
        lambda s: row(s, 2),
        "value result.a: 1 != 2",
    ),
    ("numba.typed", "list", lambda n: n.List([1, 2]), lambda n: n.List([1, 2]), EQUAL),
    ("numba.typed", "list differs", lambda n: n.List([1]), lambda n: n.List([2]), "value"),
    ("numba.typed", "list type", lambda n: n.List([1]), lambda n: n.List([1.0]), "value"),
    ("numba.typed", "without a type", lambda n: n.List(), lambda n: n.List(), EQUAL),
    (
        "numba.typed",
        "dict differs",
        lambda n: typed_dict(n, 1.0),
        lambda n: typed_dict(n, 2.0),
        "value result['a']: 1.0 != 2.0",
    ),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "original", "candidate", "said"),
    [pytest.param(case[0], *case[2:], id=f"{case[0]} {case[1]}") for case in CASES],
)
def test_libraries(
    name: str, original: Callable[[Any], Any], candidate: Callable[[Any], Any], said: str
) -> None:
    module = library(name)
    found = differences(original(module), candidate(module))
    if " " in said or not said:
        assert "\n".join(found.splitlines()[: said.count("\n") + 1]) == said
    else:
        assert found.startswith(f"{said} result")


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_tolerance_holds_for_tables(name: str) -> None:
    module = library(name)
    one, other = (module.DataFrame({"a": [1.0, number]}) for number in (2.0, 2.0 + 1e-9))
    assert differences(one, other, tolerance=Tolerance(relative=1e-6)) == EQUAL
    assert differences(one, other).startswith("value result['a'][1]: 2.0 != 2.000000001")
