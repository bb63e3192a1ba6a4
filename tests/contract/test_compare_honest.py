"""Honest code is not refused: what a rewrite may do, and what a project's tests may need."""

from pathlib import Path

import pytest

from steelyard.comparing import _reasons as reasons
from steelyard.comparing.timing._paired import cases_of
from tests.contract.compare_projects import (
    BaselineOf,
    baseline_of,
    baselines_in,
    behaviour,
    first_difference,
    make_project,
)

pytestmark = [pytest.mark.xdist_group("compare_honest"), pytest.mark.usefixtures("file_view")]

MODULE = '''
import itertools
import tempfile
import time
import typing
from pathlib import Path


class Compiling:
    """Replaces the code of what it decorates at the first call."""

    def __call__(self, function):
        def lazily(*args, __lazily=None, **kwargs):
            return Compiling.compiled(__lazily)(*args, **kwargs)

        lazily.__kwdefaults__ = {"_Compiling__lazily": lazily}
        lazily.__wrapped__ = function
        return lazily

    @staticmethod
    def compiled(function):
        names = {}
        exec("def lazily(n):\\n    return wrapped(n)", names)
        function.__globals__["wrapped"] = function.__wrapped__
        function.__code__ = names["lazily"].__code__
        function.__kwdefaults__.clear()
        return function


def documented(n):
    """Give twice as much.

    >>> documented(2)
    4
    """
    return n + n


def tested_in_parts(n: int):
    return n + n


@Compiling()
def compiled(n: int):
    return n + n


def of_moment(n: int):
    return time.asctime(time.gmtime(n))


def goods_file():
    return tempfile.NamedTemporaryFile("w", prefix="goods-", suffix=".txt", delete=False)


def stored(n: int):
    with goods_file() as file:
        file.write("x" * n)
    return {"path": Path(file.name), "folder": [file.name, file.name]}


def neighbours(values: list[int]):
    for left, right in zip(values, values[1:]):
        yield left, right


def doubled(values: list[int]):
    return (value for row in (values, values) for value in row)


def early(values: list[int]):
    return map(values.__getitem__, range(len(values)))


def runs(values: list[int]):
    return itertools.groupby(values)


def adjacent(values: list[int]):
    return itertools.pairwise(values)


class Range:
    def __init__(self, n: int):
        self.n = n

    def total(self):
        return sum(range(self.n))


def scaler(factor: int):
    def scaled(values):
        scaled.calls += 1
        found = []
        for value in values:
            found.append(value * factor)
        return found

    scaled.calls = 0
    return scaled


def lengths(words: list[str]):
    found = {}
    for word in set(words):
        found[word] = len(word)
    return {"count": len(found), "lengths": found}


def kinds(n: int):
    return [int | str, list[int | None], typing.Union[int, str]][: max(n, 1)]
'''

TESTS = """
import unittest
from pathlib import Path

from shop import goods


class TestParts(unittest.TestCase):
    def test_in_parts(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertEqual(goods.tested_in_parts(n), 2 * n)


def test_documented():
    assert goods.documented(3) == 6
    assert "twice" in goods.documented.__doc__


def test_compiled():
    assert goods.compiled(3) == 6
    assert goods.compiled(4) == 8


def test_of_moment():
    assert goods.of_moment(0).endswith("1970")


def test_stored():
    assert goods.stored(3)["path"].read_text() == "xxx"
    assert goods.stored(3) != goods.stored(3)


def test_lazy():
    assert list(goods.neighbours([1, 2, 3])) == [(1, 2), (2, 3)]
    assert list(goods.doubled([1, 2])) == [1, 2, 1, 2]
    assert len(list(goods.doubled([1, 2, 3]))) == 6
    assert list(goods.early([1, 2])) == [1, 2]
    assert next(goods.neighbours([4, 5, 6])) == (4, 5)
    assert [(n, list(group)) for n, group in goods.runs([1, 1, 2])] == [(1, [1, 1]), (2, [2])]
    assert list(goods.adjacent([1, 2, 3])) == [(1, 2), (2, 3)]


def test_total():
    three = goods.Range(3)
    assert three.total() == three.total() == 3
    assert goods.Range(4).total() == 6


def test_scaler():
    twice = goods.scaler(2)
    assert twice([1, 2]) == [2, 4]
    assert len(twice([])) == 0
    assert twice.calls == 2
    goods.scaler(3)([1])


def test_lengths():
    words = "the order of these keys hangs on a seed for each process".split()
    assert goods.lengths(words)["lengths"]["keys"] == 4
    assert goods.lengths(words[:1]) == {"count": 1, "lengths": {"the": 3}}


def test_kinds():
    assert goods.kinds(1) == [int | str]
    assert goods.kinds(3)
"""

ALIKE = {
    "no docstring": ("documented", "def documented(n):\n    return 2 * n"),
    "subTest in the first test": (
        "tested_in_parts",
        """
        def tested_in_parts(n: int):
            return 2 * n
    """,
    ),
    "a decorator that sets code": (
        "compiled",
        """
        @Compiling()
        def compiled(n: int):
            return 2 * n
    """,
    ),
    "a moment as text": (
        "of_moment",
        """
        def of_moment(n: int):
            return str(time.asctime(time.gmtime(n)))
    """,
    ),
    "names of temporary files": (
        "stored",
        """
        def stored(n: int):
            with (
                tempfile.TemporaryFile(),
                goods_file() as file,
                tempfile.TemporaryDirectory(),
            ):
                file.write(n * "x")
            return {"path": Path(file.name), "folder": [file.name, file.name]}
    """,
    ),
    "zip for a generator": (
        "neighbours",
        """
        def neighbours(values: list[int]):
            return zip(values, values[1:])
    """,
    ),
    "chain for a generator": (
        "doubled",
        """
        def doubled(values: list[int]):
            return itertools.chain(values, values)
    """,
    ),
    "a generator for map": (
        "early",
        """
        def early(values: list[int]):
            return (values[at] for at in range(len(values)))
    """,
    ),
    "groupby": (
        "runs",
        """
        def runs(values: list[int]):
            return itertools.groupby(values, None)
    """,
    ),
    "pairwise": (
        "adjacent",
        """
        def adjacent(values: list[int]):
            return zip(values, values[1:])
    """,
    ),
    "one more private attribute": (
        "Range.total",
        """
        def total(self):
            self._last = self.n
            return self.n * (self.n - 1) // 2 if self.n > 0 else 0
    """,
    ),
    "keys in an order that hangs on the hash seed": (
        "lengths",
        """
        def lengths(words: list[str]):
            found = {word: len(word) for word in words}
            return {"count": len(found), "lengths": found}
    """,
    ),
    "unions in another order": (
        "kinds",
        """
        def kinds(n: int):
            return [str | int, list[None | int], typing.Union[str, int]][: max(n, 1)]
    """,
    ),
}

DIFFERENT = {
    "another temporary file": (
        "stored",
        """
        def stored(n: int):
            with goods_file() as file:
                file.write("x" * n)
            with goods_file() as more:
                more.write("x" * n)
            return {"path": Path(file.name), "folder": [file.name, more.name]}
    """,
        "result['folder'][1]",
    ),
    "a list for a generator": (
        "neighbours",
        """
        def neighbours(values: list[int]):
            return list(zip(values, values[1:]))
    """,
        "result",
    ),
    "an iterator over a list for a generator": (
        "neighbours",
        """
        def neighbours(values: list[int]):
            return iter(list(zip(values, values[1:])))
    """,
        "result",
    ),
    "another item": (
        "doubled",
        """
        def doubled(values: list[int]):
            return itertools.chain(values, values[:1], values[1:2])
    """,
        "items",
    ),
    "a public attribute": (
        "Range.total",
        """
        def total(self):
            self.last = self.n
            return sum(range(self.n))
    """,
        "arguments.self.last",
    ),
    "another function": (
        "scaler",
        """
        def scaler(factor: int):
            def scaled(values):
                scaled.calls += 1
                return [value * min(factor, 2) for value in values]
            scaled.calls = 0
            return scaled
    """,
        "result[0]: 3 != 2",
    ),
    "other keys in order": (
        "lengths",
        """
        def lengths(words: list[str]):
            found = {word: len(word) for word in words}
            return {"lengths": found, "count": len(found)}
    """,
        "result: keys in order",
    ),
    "another value behind keys in any order": (
        "lengths",
        """
        def lengths(words: list[str]):
            found = {word: min(len(word), 5) for word in words}
            return {"count": len(found), "lengths": found}
    """,
        "result['lengths']['process']",
    ),
    "another union": (
        "kinds",
        """
        def kinds(n: int):
            return [bytes | int, list[None | int], typing.Union[str, int]][: max(n, 1)]
    """,
        "result[0]",
    ),
}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> BaselineOf:
    ini = {"pytest.ini": "[pytest]\naddopts = --doctest-modules\n"}
    return baselines_in(make_project(tmp_path_factory.mktemp("honest"), MODULE, TESTS, **ini))


@pytest.mark.parametrize("what", ALIKE)
def test_an_honest_rewrite_is_alike(original: BaselineOf, what: str) -> None:
    qualname, candidate = ALIKE[what]
    baseline = original(qualname)
    assert not baseline.dropped_tests
    found = behaviour(baseline, candidate)
    assert found.verdict == "same", found
    assert all(case.outcome == "same" for case in found.cases), found


@pytest.mark.parametrize("what", DIFFERENT)
def test_what_looks_like_one_is_different(original: BaselineOf, what: str) -> None:
    qualname, candidate, where = DIFFERENT[what]
    found = behaviour(original(qualname), candidate)
    assert found.verdict == "different"
    assert first_difference(found).startswith(where), found


def test_a_function_that_a_call_returns_is_compared_by_its_own_calls(
    original: BaselineOf,
) -> None:
    baseline = original("scaler")
    candidate = """
        def scaler(factor: int):
            def scaled(values):
                scaled.calls += 1
                return [factor * value for value in values]
            scaled.calls = 0
            return scaled
    """
    cases = {case.name.rpartition("::")[2]: case for case in behaviour(baseline, candidate).cases}
    assert (cases["test_scaler"].outcome, cases["test_scaler"].calls) == ("same", 5)
    assert {case.outcome for case in cases.values()} == {"same", "not-comparable"}
    assert cases_of(baseline) == {}  # to call the factory alone would tell nothing


def test_random_numbers_of_numpy_are_nobodys_side_effect(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    module = """
        import numpy as np

        def noise(n: int):
            return np.random.rand(n % 100).sum()
    """
    tests = "from shop.goods import noise\n\ndef test_noise():\n    assert noise(3) > 0\n"
    baseline = baseline_of(make_project(tmp_path, module, tests), "noise", generate=4)
    found = behaviour(baseline, "def noise(n: int):\n    return np.random.rand(n % 100).sum()\n")
    assert found.verdict == "same", found


RANDOM = """
    import random
    import uuid


    def drawn(n: int):
        return [random.random() for _ in range(n)]


    def identified(n: int):
        return [uuid.uuid4() for _ in range(n)]


    def frozen(n: int):
        return n + random.random()
"""
NEED_A_SEQUENCE = """
    from shop import goods


    def test_drawn():
        assert len(set(goods.drawn(3))) == 3


    def test_identified():
        assert {each.version for each in goods.identified(2)} == {4}


    def test_each_is_another():
        assert len(set(goods.identified(3))) == 3
"""


def test_random_numbers_are_a_sequence_if_tests_need_one(tmp_path: Path) -> None:
    root = make_project(tmp_path, RANDOM, NEED_A_SEQUENCE)
    baseline = baseline_of(root, "drawn", generate=2)
    assert not baseline.dropped_tests
    same = behaviour(
        baseline,
        """
        def drawn(n: int):
            return [random.random() for _ in [None] * n]
    """,
    )
    assert same.verdict == "same", same
    once = behaviour(baseline, "def drawn(n: int):\n    return [random.random()] * n\n")
    assert once.verdict == "different"


def test_what_fails_only_in_the_harness_is_said_to(tmp_path: Path) -> None:
    tests = """
        import datetime
        import sys

        from shop.goods import frozen


        def test_present():
            assert 3 < frozen(3) < 4
            assert datetime.date.today().year > 2024


        def test_wrong():
            assert frozen(3) == 0
    """
    baseline = baseline_of(make_project(tmp_path, RANDOM, tests), "frozen", generate=0)
    why = {name.rpartition("::")[2]: text for name, text in baseline.dropped_tests.items()}
    assert why["test_present"].startswith("it passes outside of the harness")
    assert why["test_wrong"].startswith("it fails with the original")
    assert any("passes outside of the harness" in each.text for each in reasons.of_calls(baseline))
