"""Both versions are timed on equal terms: with the same caches, and what their tests set up."""

from pathlib import Path

import pytest

from steelyard.comparing._kinds import PAIRS
from steelyard.comparing.incell.told import OddResult, PairTimes, TimeCalls
from steelyard.comparing.recording._versions import ORIGINAL
from steelyard.comparing.timing._paired import cases_of
from tests.contract.compare_projects import baseline_of, make_project, version_of

pytestmark = [pytest.mark.xdist_group("compare_fair"), pytest.mark.usefixtures("file_view")]

CACHED = '''
import functools
import re

PARTS = ["a{}b", "c"]
PATTERN = "|".join(PARTS)
TABLE = {"one": "1 of {}"}


class Texts:
    LATIN = "x [a-z]+ y"


def held(pattern):
    """Whether the pattern is the one that the cache of all versions holds."""
    re.compile(pattern)
    return [key[1] is pattern for key in re._cache if key[1] == pattern]


def found(n: int, default="of the {}", *, more=("a tuple", 2.5, b"of {}")):
    return [
        held("in the code {}"), held(PATTERN), held(TABLE["one"]), held(Texts.LATIN),
        held(default), held(more[0]), held(more[2]), (lambda: held("within {}"))(), n * 2,
    ]
'''
TESTS = """
from shop.goods import found


def test_found():
    assert found(1)[-1] == 2
    assert found(2)[-1] == 4
"""


def test_a_cache_of_all_versions_holds_what_each_of_them_has(tmp_path: Path) -> None:
    baseline = baseline_of(make_project(tmp_path, CACHED, TESTS), "found", generate=2)
    version = version_of(baseline, f"# Unchanged.\n{CACHED}")
    asked = TimeCalls(
        versions=baseline.stand.both(version),
        cases=[calls[:1] for calls in cases_of(baseline).values()],
        made_up=[],
        first=0,
        processes=2,
        seconds=0.001,
        counts_others=False,
    )
    run = baseline.stand.run(PAIRS, asked, ORIGINAL, seconds=60)
    assert len(list(run.told.of(PairTimes))) == 2
    assert list(run.told.of(OddResult)) == []


STORED = """
    import random
    import sqlite3


    def total(path: str, n: int) -> int:
        with sqlite3.connect(path) as stock:
            rows = stock.execute("select price from goods").fetchall()
        found = 0
        for (price,) in rows:
            for _ in range(30):
                pass
            found = found + price * n
        return found


    def counted(n: int):
        if n < 0:
            raise ValueError(n)
        yield from range(n)


    def drawn(n: int) -> list[float]:
        return [random.random() + random.uniform(0, 1) for _ in range(n)]
"""
FIXTURES = """
    import sqlite3

    import pytest

    from shop.goods import counted, drawn, total


    @pytest.fixture
    def path(tmp_path):
        with sqlite3.connect(tmp_path / "stock.db") as stock:
            stock.execute("create table goods (price integer)")
            stock.executemany("insert into goods values (?)", [(i,) for i in range(3_000)])
        return str(tmp_path / "stock.db")


    @pytest.mark.parametrize("n", range(6))
    def test_total(path, n):
        assert total(path, n) == sum(range(3_000)) * n


    def test_drawn():
        assert [len(drawn(n)) for n in range(6)] == [0, 1, 2, 3, 4, 5]
        assert [len(list(counted(n))) for n in range(3)] == [0, 1, 2]
        with pytest.raises(ValueError):
            next(counted(-1))
"""


def test_calls_that_need_what_a_fixture_made_are_not_timed_without_it(tmp_path: Path) -> None:
    root = make_project(tmp_path, STORED, FIXTURES)
    names = ("total", "drawn", "counted")
    total, drawn, counted = (baseline_of(root, name, generate=0) for name in names)
    assert total.calls
    assert not total.dropped_calls
    assert cases_of(total) == {}  # so that they are timed within their tests
    assert sum(map(len, cases_of(drawn).values())) == 6
    assert sum(map(len, cases_of(counted).values())) == 4
