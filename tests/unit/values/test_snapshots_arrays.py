"""Arrays and tables of third parties: values, data types, shapes, and shared memory."""

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from tests.unit.values.snapshot_pairs import (
    EQUAL,
    Make,
    Tolerance,
    differences,
    of_roots,
    table,
)

STRUCTURED = np.dtype([("x", "i4"), ("y", "f8")], align=True)


class Tagged(np.ndarray):
    tag = "class"


def tagged(tag: str) -> Any:
    value = np.arange(3).view(Tagged)
    value.tag = tag
    return value


def structured(y: float) -> Any:
    value = np.zeros(2, STRUCTURED)
    value["y"] = [0.5, y]
    return value


def masked(values: list[float], mask: list[bool]) -> Any:
    return np.ma.array(values, mask=mask)


def views() -> list[Any]:
    base = np.arange(6)
    return [base, base[2:]]


@table(
    ("array", lambda: np.arange(4.0), lambda: np.arange(4.0), EQUAL),
    (
        "element",
        lambda: np.arange(12.0).reshape(3, 4),
        lambda: changed(np.arange(12.0).reshape(3, 4)),
        "value result[2, 1]: 9.0 != 9.5 (1 of 12 differ, by up to 0.5, relative 0.053)",
    ),
    (
        "dtype",
        lambda: np.arange(4),
        lambda: np.arange(4.0),
        "type result: int64 (4,) != float64 (4,)",
    ),
    (
        "dtype and shape",
        lambda: np.zeros((2, 3), "i4"),
        lambda: np.zeros(6, "i8"),
        "type result: int32 (2, 3) != int64 (6,)",
    ),
    (
        "shape",
        lambda: np.zeros((2, 3)),
        lambda: np.zeros((3, 2)),
        "value result: float64 (2, 3) != float64 (3, 2)",
    ),
    (
        "byte order",
        lambda: np.arange(3, dtype="<i4"),
        lambda: np.arange(3, dtype=">i4"),
        "type result: int32 (3,) != int32 (big-endian) (3,)",
    ),
    ("memory order", lambda: np.ones((2, 3)), lambda: np.ones((2, 3), order="F"), EQUAL),
    ("strided", lambda: np.arange(6)[::2], lambda: np.array([0, 2, 4]), EQUAL),
    ("nan", lambda: np.array([np.nan, 1]), lambda: np.array([-np.nan, 1]), EQUAL),
    (
        "nan and a number",
        lambda: np.array([np.nan]),
        lambda: np.array([1.0]),
        "value result[0]: nan != 1.0",
    ),
    (
        "negative zero",
        lambda: np.array([-0.0]),
        lambda: np.array([0.0]),
        "value result[0]: -0.0 != 0.0",
    ),
    ("no dimension", lambda: np.array(1.0), lambda: np.array(2.0), "value result: 1.0 != 2.0"),
    ("no dimension and scalar", lambda: np.array(1.0), lambda: np.float64(1.0), "type"),
    (
        "empty",
        lambda: np.zeros((0, 3)),
        lambda: np.zeros((0, 4)),
        "value result: float64 (0, 3) != float64 (0, 4)",
    ),
    (
        "float16",
        lambda: np.array([1.1], "f2"),
        lambda: np.array([1.2], "f2"),
        "value result[0]: 1.1 != 1.2",
    ),
    ("complex", lambda: np.array([1j]), lambda: np.array([2j]), "value result[0]: 1j != 2j"),
    (
        "bool",
        lambda: np.array([True, False]),
        lambda: np.array([True, True]),
        "value result[1]: False != True (1 of 2 differ)",
    ),
    ("long double", lambda: np.array([1], "g"), lambda: np.array([2], "g"), "value"),
    (
        "text",
        lambda: np.array(["a", "b"]),
        lambda: np.array(["a", "c"]),
        "value result[1]: 'b' != 'c'",
    ),
    ("text width", lambda: np.array(["a"]), lambda: np.array(["a"], "U2"), "type"),
    ("bytes", lambda: np.array([b"a"]), lambda: np.array([b"b"]), "value result[0]: b'a' != b'b'"),
    (
        "objects",
        lambda: np.array([1, "a", None], object),
        lambda: np.array([1, "a", None], object),
        EQUAL,
    ),
    (
        "objects differ",
        lambda: np.array([[1, 2], [3, 4]], object),
        lambda: np.array([[1, 2], [3, 4.0]], object),
        "type result[1, 1]: 4 != 4.0",
    ),
    (
        "times",
        lambda: np.array(["2020-01-01", "NaT"], "M8[D]"),
        lambda: np.array(["2020-01-01", "NaT"], "M8[D]"),
        EQUAL,
    ),
    (
        "times differ",
        lambda: np.array(["2020-01-01"], "M8[D]"),
        lambda: np.array(["2020-01-02"], "M8[D]"),
        "value result[0]: 2020-01-01 != 2020-01-02",
    ),
    (
        "unit of times",
        lambda: np.array(["2020-01-01"], "M8[D]"),
        lambda: np.array(["2020-01-01"], "M8[s]"),
        "type result: datetime64[D] (1,) != datetime64[s] (1,)",
    ),
    ("structured", lambda: structured(1.0), lambda: structured(1.0), EQUAL),
    (
        "structured differs",
        lambda: structured(1.0),
        lambda: structured(2.0),
        "value result['y'][1]: 1.0 != 2.0 (1 of 2 differ, by up to 1, relative 0.5)",
    ),
    (
        "structured scalar",
        lambda: structured(1.0)[1],
        lambda: structured(2.0)[1],
        "value result['y']: 1.0 != 2.0",
    ),
    ("subclass", lambda: tagged("a"), lambda: tagged("b"), "value result.tag: 'a' != 'b'"),
    ("subclass and array", lambda: tagged("a"), lambda: np.arange(3), "type"),
    ("matrix", lambda: np.asmatrix(np.eye(2)), lambda: np.eye(2), "type"),
    ("masked", lambda: masked([1, 2], [False, True]), lambda: masked([1, 9], [False, True]), EQUAL),
    (
        "masked elsewhere",
        lambda: masked([1, 2], [False, True]),
        lambda: masked([1, 2], [True, False]),
        "value",
    ),
    ("float scalar", lambda: np.float64(1), lambda: np.float64(1), EQUAL),
    (
        "float scalar and float",
        lambda: np.float64(1),
        lambda: 1.0,
        "type result: float64(1.0) != 1.0",
    ),
    (
        "scalar types",
        lambda: np.float32(1),
        lambda: np.float64(1),
        "type result: float32(1.0) != float64(1.0)",
    ),
    ("int scalar", lambda: np.int64(1), lambda: np.int64(2), "value result: int64(1) != int64(2)"),
    ("int scalar and int", lambda: np.int64(1), lambda: 1, "type result: int64(1) != 1"),
    ("bool scalar", lambda: np.bool_(True), lambda: True, "type"),
    ("nan scalar", lambda: np.float32("nan"), lambda: np.float32("nan"), EQUAL),
    ("time scalar", lambda: np.datetime64("NaT"), lambda: np.datetime64("NaT"), EQUAL),
    (
        "time scalars differ",
        lambda: np.timedelta64(1, "s"),
        lambda: np.timedelta64(1, "m"),
        "value",
    ),
    ("text scalar", lambda: np.str_("a"), lambda: np.str_("b"), "value"),
    ("dtype object", lambda: np.dtype("f8"), lambda: np.dtype("f4"), "type"),
    ("ufunc", lambda: np.sin, lambda: np.cos, "value"),
    ("generator", lambda: np.random.default_rng(1), lambda: np.random.default_rng(1), EQUAL),
    (
        "generator differs",
        lambda: np.random.default_rng(1),
        lambda: np.random.default_rng(2),
        "value",
    ),
    ("random state", lambda: np.random.RandomState(1), lambda: np.random.RandomState(2), "value"),
    ("views", views, views, EQUAL),
    (
        "views and copies",
        views,
        lambda: [np.arange(6), np.arange(6)[2:]],
        (
            "aliasing result[1] is on separate memory in the candidate, on the memory "
            "of result[0] in the original"
        ),
    ),
    (
        "views of other elements",
        lambda: two_views(0),
        lambda: two_views(3),
        (
            "aliasing result[1] is on other elements of result[0] in the candidate, on "
            "the memory of result[0] in the original"
        ),
    ),
    (
        "interleaved",
        lambda: interleaved(np.arange(6)),
        lambda: [part.copy() for part in interleaved(np.arange(6))],
        EQUAL,
    ),
    (
        "sparse",
        lambda: scipy.sparse.csr_array(np.eye(3)),
        lambda: scipy.sparse.csr_array(np.eye(3)),
        EQUAL,
    ),
    (
        "sparse format",
        lambda: scipy.sparse.csr_array(np.eye(3)),
        lambda: scipy.sparse.csc_array(np.eye(3)),
        "type",
    ),
    (
        "sparse value",
        lambda: scipy.sparse.csr_array(np.eye(3)),
        lambda: scipy.sparse.csr_array(np.diag([1, 1, 2.0])),
        "value result.data[2]: 1.0 != 2.0 (1 of 3 differ, by up to 1, relative 0.5)",
    ),
    (
        "sparse order",
        lambda: coordinates([0, 1], [2, 0]),
        lambda: coordinates([1, 0], [0, 2]),
        EQUAL,
    ),
    (
        "sparse shape",
        lambda: scipy.sparse.csr_array((2, 3)),
        lambda: scipy.sparse.csr_array((3, 2)),
        "value",
    ),
)
def test_arrays(original: Make, candidate: Make, said: str) -> None:
    found = differences(original(), candidate())
    if " " in said or not said:
        assert found == said
    else:
        assert found.startswith(f"{said} result")


def changed(array: Any) -> Any:
    array[2, 1] += 0.5
    return array


def two_views(start: int) -> list[Any]:
    base = np.zeros(6)
    return [base, base[start : start + 3]]


def interleaved(array: Any) -> list[Any]:
    return [array[::2], array[1::2]]


def coordinates(rows: list[int], columns: list[int]) -> Any:
    return scipy.sparse.coo_array((np.array([1.0, 1.0]), (rows, columns)), shape=(3, 3))


def test_a_view_of_an_argument_is_not_a_copy() -> None:
    base = np.arange(6)
    said = of_roots(
        {"arguments.a": base, "result": base[1:]}, {"arguments.a": base, "result": base[1:].copy()}
    )
    assert said == (
        "aliasing result is on separate memory in the candidate, "
        "on the memory of arguments.a in the original"
    )


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_a_tolerance_holds_for_arrays(dtype: str) -> None:
    one = np.array([1, 2, np.nan, 5], dtype)
    near = one * np.array(1 + 2e-3, dtype)
    tolerance = Tolerance(relative=1e-2)
    assert differences(one, near, tolerance=tolerance) == EQUAL
    assert differences(one, near) != EQUAL
    assert differences(one, near, tolerance=Tolerance(relative=1e-4)).startswith("value result[0]")


def test_a_tolerance_leaves_whole_numbers_alone() -> None:
    one = np.array([10**9])
    assert differences(one, one + 1, tolerance=Tolerance(relative=1e-3)) != EQUAL


def test_only_the_first_elements_are_shown() -> None:
    said = differences(np.zeros(100), np.ones(100)).splitlines()
    assert len(said) == 3
    assert said[0] == "value result[0]: 0.0 != 1.0 (100 of 100 differ, by up to 1, relative 1)"


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
