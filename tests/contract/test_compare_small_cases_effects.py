"""Small programs whose effects, property tests and order of awaited calls decide a verdict."""

from pathlib import Path

import pytest

from steelyard.comparing import CompareBaseline
from steelyard.comparing._behaving import behaviour_of
from steelyard.schemas import Behaviour, Reason
from tests.contract.compare_projects import (
    baseline_of,
    first_difference,
    make_project,
    version_of,
)

pytestmark = [pytest.mark.xdist_group("compare_effects"), pytest.mark.usefixtures("file_view")]


def compared(baseline: CompareBaseline, candidate: str) -> tuple[Behaviour, list[Reason]]:
    found, reasons = behaviour_of(baseline, version_of(baseline, candidate))
    return found, [reason for reason in reasons if reason.rejects]


def test_a_file_under_tmp_path_counts_by_its_content(tmp_path: Path) -> None:
    module = """
        def save(lines, path):
            with open(path, "w") as file:
                for line in lines:
                    file.write(line + "\\n")
        """
    tests = """
        import pytest
        from shop.goods import save

        @pytest.mark.parametrize("lines", [["a"], ["a", "b"], ["", "x", "y"]])
        def test_save(lines, tmp_path):
            path = tmp_path / "out.txt"
            save(lines, path)
            assert path.read_text().splitlines() == lines

        def test_save_elsewhere(tmp_path_factory):
            path = tmp_path_factory.mktemp("saved") / "out.txt"
            save(["a", "b"], path)
            assert path.read_text().split() == ["a", "b"]
        """
    baseline = baseline_of(make_project(tmp_path, module, tests), "save")
    assert not baseline.dropped_tests
    found, _ = compared(
        baseline,
        'def save(lines, path):\n    open(path, "w").write("\\n".join(lines))\n',
    )
    changed = [each.path for each in found.side_effects]
    assert [path.rpartition("pytest-0/")[2] for path in changed] == [
        "saved0/out.txt",
        *(f"test_save_lines{number}_0/out.txt" for number in range(3)),
    ]
    honest = """
        def save(lines, path):
            with open(path, "w") as file:
                file.writelines(f"{line}\\n" for line in lines)
        """
    assert compared(baseline, honest)[1] == []


def test_mutual_classes_and_dead_modules_get_a_verdict(tmp_path: Path) -> None:
    module = """
        class Book:
            pages = []

        class Page:
            book = Book
            known = {"book": Book}

            def __init__(self, number):
                self.number, self.next = number, self

        Book.page = Page
        Book.first = Page(1)

        def total(numbers):
            total = 0
            for number in numbers:
                total += Page(number).number
            return total
        """
    tests = """
        import sys
        import types
        import weakref
        import pytest
        from shop.goods import Book, Page, total

        sys.modules["shop.gone"] = weakref.proxy(types.ModuleType("shop.gone"))

        @pytest.mark.parametrize("count", [1, 2, 5, 9])
        def test_total(count):
            assert total(range(count)) == sum(range(count))
        """
    baseline = baseline_of(make_project(tmp_path, module, tests), "total", generate=20)
    found, rejecting = compared(
        baseline, "def total(numbers):\n    return sum(Page(n).number for n in numbers)\n"
    )
    assert (found.verdict, rejecting) == ("same", [])


def test_property_tests_are_evidence(tmp_path: Path) -> None:
    module = """
        def squares(numbers):
            found = []
            for number in numbers:
                found.append(number * number)
            return found
        """
    tests = """
        from hypothesis import given, settings, strategies as st
        from shop.goods import squares

        @given(st.lists(st.integers()))
        def test_squares(numbers):
            assert len(squares(numbers)) == len(numbers)

        @settings(max_examples=50, derandomize=False)
        @given(st.lists(st.integers(-9, 9)))
        def test_small(numbers):
            assert all(each >= 0 for each in squares(numbers))

        def test_plain():
            assert squares([1, 2]) == [1, 4]
        """
    root = make_project(tmp_path, module, tests)
    baseline = baseline_of(root, "squares")
    assert not baseline.dropped_tests
    found, rejecting = compared(
        baseline, "def squares(numbers):\n    return [n * n for n in numbers]\n"
    )
    assert (found.verdict, found.side_effects, rejecting) == ("same", (), [])
    assert not (root / ".hypothesis").exists()
    wrong, _ = compared(
        baseline, "def squares(numbers):\n    return [n * n if n < 200 else n for n in numbers]\n"
    )
    assert wrong.verdict == "different"


def test_a_failing_property_test_is_told(tmp_path: Path) -> None:
    module = "def halved(n):\n    return n // 2\n"
    tests = """
        from hypothesis import given, strategies as st
        from shop.goods import halved

        @given(st.integers())
        def test_halved(n):
            assert 2 * halved(n) + n % 2 == n

        def test_plain():
            assert halved(4) == 2
        """
    baseline = baseline_of(make_project(tmp_path, module, tests), "halved")
    found, _ = compared(baseline, "def halved(n):\n    return int(n / 2)\n")
    assert found.verdict == "different"


ASYNC = """
import asyncio

async def fetch(key):
    await asyncio.sleep(0)
    return key * 2

async def waiting(n):
    await asyncio.sleep(0)
    return n * n

async def fetch_all(keys):
    found = []
    for key in keys:
        found.append(await fetch(key))
    return found

async def streamed(keys):
    for key in keys:
        await asyncio.sleep(0)
        yield key * 2
"""
ASYNC_TESTS = """
import asyncio
import pytest
from shop.goods import fetch_all, streamed, waiting

@pytest.mark.parametrize("n", range(6))
def test_waiting(n):
    assert asyncio.run(waiting(n)) == n * n

@pytest.mark.parametrize("n", range(6))
def test_fetch_all(n):
    assert asyncio.run(fetch_all(range(n))) == [2 * i for i in range(n)]

@pytest.mark.parametrize("n", range(6))
def test_streamed(n):
    async def taken():
        return [each async for each in streamed(range(n))]
    assert asyncio.run(taken()) == [2 * i for i in range(n)]
"""


SEQUENTIAL = {
    "waiting": "async def waiting(n):\n    await asyncio.sleep(0)\n    return n ** 2\n",
    "fetch_all": "async def fetch_all(keys):\n    return [await fetch(key) for key in keys]\n",
    "streamed": """
        async def streamed(keys):
            for key in keys:
                await asyncio.sleep(0)
                yield key + key
        """,
}
AT_ONCE = {
    "waiting": "async def waiting(n):\n    return n * n\n",
    "streamed": "async def streamed(keys):\n    for key in keys:\n        yield key * 2\n",
}
GATHERED = """
    async def fetch_all(keys):
        return list(await asyncio.gather(*[fetch(key) for key in keys]))
    """


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_whether_an_async_function_gives_way_counts(tmp_path: Path, name: str) -> None:
    baseline = baseline_of(make_project(tmp_path, ASYNC, ASYNC_TESTS), name)
    assert behaviour_of(baseline, version_of(baseline, SEQUENTIAL[name]))[1] == []
    if name in AT_ONCE:
        found, _ = compared(baseline, AT_ONCE[name])
        assert first_difference(found) == "gives way: True != False"
        return
    (reason,) = behaviour_of(baseline, version_of(baseline, GATHERED))[1]
    assert (reason.code, reason.rejects) == ("awaits-differ", False)
    assert "1 times, with 0 tasks of its own at work != 1 times, with 1 tasks" in reason.text
    assert "keys=range(0, 1)" in reason.text


def test_rows_are_written_to_a_database_of_a_fixture(tmp_path: Path) -> None:
    module = """
        def store(con, rows):
            for row in rows:
                con.execute("insert into sold values (?, ?)", row)
            con.commit()
            return len(rows)
        """
    tests = """
        import sqlite3
        import pytest
        from shop.goods import store

        @pytest.fixture
        def con(tmp_path):
            con = sqlite3.connect(tmp_path / "shop.db")
            con.execute("create table sold (name, price)")
            yield con
            con.close()

        @pytest.mark.parametrize("count", range(6))
        def test_store(con, count):
            assert store(con, [(f"n{i}", i) for i in range(count)]) == count
            assert con.execute("select count(*) from sold").fetchone() == (count,)
        """
    baseline = baseline_of(make_project(tmp_path, module, tests), "store")
    honest = """
        def store(con, rows):
            con.executemany("insert into sold values (?, ?)", rows)
            con.commit()
            return len(rows)
        """
    found, rejecting = compared(baseline, honest)
    assert (found.verdict, rejecting) == ("same", [])
    two_commits = """
        def store(con, rows):
            for part in (rows[:1], rows[1:]):
                con.executemany("insert into sold values (?, ?)", part)
                con.commit()
            return len(rows)
        """
    assert compared(baseline, two_commits)[1] == []
    careless = honest.replace("rows)\n", "[(name, 0) for name, _ in rows])\n", 1)
    found, _ = compared(baseline, careless)
    assert first_difference(found).startswith("arguments.con.tables['sold']")
