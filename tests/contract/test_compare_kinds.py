"""Every kind of function is found, wrapped, called again and compared."""

from pathlib import Path

import pytest

from steelyard.schemas import TestType
from tests.contract.compare_projects import (
    BaselineOf,
    baseline_of,
    baselines_in,
    behaviour,
    first_difference,
    make_project,
)

pytestmark = [pytest.mark.xdist_group("compare_kinds"), pytest.mark.usefixtures("file_view")]

MODULE = '''
import asyncio
import functools


def loud(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


class Meter:
    def __init__(self, start=0, *, step=1):
        self.value = start
        self.step = step

    def add(self, amount):
        """More."""
        self.value += amount * self.step
        return self.value

    @property
    def double(self):
        return self.value * 2

    @double.setter
    def double(self, value):
        self.value = value // 2

    @functools.cached_property
    def squares(self):
        return [i * i for i in range(self.value)]

    @staticmethod
    def parse(text):
        return int(text.strip())

    @classmethod
    def of(cls, text):
        return cls(cls.parse(text))

    class Inner:
        def twice(self, value):
            return [value, value]


def plain(values, factor=2):
    return [value * factor for value in values]


@loud
def decorated(value):
    return value + 1


@functools.lru_cache
def cached(value):
    return value + 1


def pairs(values):
    for left, right in zip(values, values[1:]):
        yield left, right


async def fetched(value):
    await asyncio.sleep(0)
    return value * 3


async def streamed(count):
    for i in range(count):
        yield i


def total(values):
    return 0 if not values else values[0] + total(values[1:])


def failing(value):
    if value < 0:
        raise ValueError("too small")
    print("seen", value)
    return value


@functools.singledispatch
def told(value):
    return str(value)


@told.register(list)
def told_list(values):
    return " ".join(told(value) for value in values)


def halved(value):
    return value // 2


class Scale:
    BY_NAME = {"halved": halved}

    def __init__(self, factor):
        self.factor = factor

    def __mul__(self, value):
        return self.factor * value

    __rmul__ = __mul__
'''

TESTS = """
import asyncio

import pytest

from shop import goods
from shop.goods import Meter, cached, decorated, failing, fetched, pairs, plain, streamed, total


def test_meter():
    meter = Meter(3, step=2)
    assert meter.add(5) == 13
    assert meter.double == 26
    meter.double = 8
    assert meter.value == 4
    assert meter.squares == [0, 1, 4, 9]
    assert Meter.parse(" 7 ") == 7
    assert Meter.of("5").value == 5
    assert Meter.Inner().twice(4) == [4, 4]


def test_functions():
    assert plain([1, 2]) == [2, 4]
    assert goods.plain([1], factor=3) == [3]
    assert decorated(1) == 2
    assert cached(1) == 2
    assert list(pairs([1, 2, 3])) == [(1, 2), (2, 3)]
    assert asyncio.run(fetched(2)) == 6
    assert total([1, 2, 3]) == 6


def test_streamed():
    async def all_of_them():
        return [item async for item in streamed(3)]

    assert asyncio.run(all_of_them()) == [0, 1, 2]


def test_by_another_name():
    assert goods.told([1, [2, 3]]) == "1 2 3"
    assert goods.Scale.BY_NAME["halved"](5) == 2
    assert 3 * goods.Scale(2) == 6


def test_failing():
    assert failing(1) == 1
    with pytest.raises(ValueError):
        failing(-1)
"""

KINDS = {
    "plain": (
        "plain",
        """
        def plain(values, factor=2):
            return list(map(factor.__mul__, values))
    """,
    ),
    "method": (
        "Meter.add",
        """
        def add(self, amount):
            self.value = self.value + self.step * amount
            return self.value
    """,
    ),
    "init": (
        "Meter.__init__",
        """
        def __init__(self, start=0, *, step=1):
            self.value, self.step = start, step
    """,
    ),
    "property": (
        "Meter.double",
        """
        @property
        def double(self):
            return self.value + self.value
    """,
    ),
    "setter": (
        "Meter.double.setter",
        """
        @double.setter
        def double(self, value):
            self.value = value >> 1
    """,
    ),
    "cached property": (
        "Meter.squares",
        """
        @functools.cached_property
        def squares(self):
            return [i ** 2 for i in range(self.value)]
    """,
    ),
    "static method": (
        "Meter.parse",
        """
        @staticmethod
        def parse(text):
            return int(text)
    """,
    ),
    "class method": (
        "Meter.of",
        """
        @classmethod
        def of(cls, text):
            return cls(int(text.strip()))
    """,
    ),
    "nested class": (
        "Meter.Inner.twice",
        """
        def twice(self, value):
            return [value] * 2
    """,
    ),
    "decorated": (
        "decorated",
        """
        @loud
        def decorated(value):
            return 1 + value
    """,
    ),
    "cached": (
        "cached",
        """
        @functools.lru_cache
        def cached(value):
            return 1 + value
    """,
    ),
    "registered": (
        "told_list",
        """
        @told.register(list)
        def told_list(values):
            return " ".join(map(told, values))
    """,
    ),
    "in a table": (
        "halved",
        """
        def halved(value):
            return value >> 1
    """,
    ),
    "another name": (
        "Scale.__mul__",
        """
        def __mul__(self, value):
            return value * self.factor
    """,
    ),
    "generator": (
        "pairs",
        """
        def pairs(values):
            yield from zip(values, values[1:])
    """,
    ),
    "coroutine": (
        "fetched",
        """
        async def fetched(value):
            await asyncio.sleep(0)
            return 3 * value
    """,
    ),
    "async generator": (
        "streamed",
        """
        async def streamed(count):
            i = 0
            while i < count:
                yield i
                i += 1
    """,
    ),
    "recursive": (
        "total",
        """
        def total(values):
            return sum(values)
    """,
    ),
    "raises and prints": (
        "failing",
        """
        def failing(value):
            if 0 > value:
                raise ValueError('too small')
            print('seen', value)
            return value
    """,
    ),
}

WRONG = {
    "result": (
        "plain",
        """
        def plain(values, factor=2):
            return [v * factor + 1 for v in values]
    """,
        "result[0]: 2 != 3",
    ),
    "type": (
        "plain",
        """
        def plain(values, factor=2):
            return tuple(v * factor for v in values)
    """,
        "result: ",
    ),
    "argument": (
        "plain",
        """
        def plain(values, factor=2):
            values[:] = [v * factor for v in values]
            return list(values)
    """,
        "arguments.values[0]: 1 != 2",
    ),
    "aliasing": (
        "plain",
        """
        def plain(values, factor=2):
            values[:] = [v * factor for v in values]
            return values
    """,
        "arguments.values",
    ),
    "state": (
        "Meter.add",
        """
        def add(self, amount):
            self.value += amount * self.step
            self.last = amount
            return self.value
    """,
        "arguments.self.last: nothing != 5",
    ),
    "state after init": (
        "Meter.__init__",
        """
        def __init__(self, start=0, *, step=1):
            self.value, self.step, self.more = start, step, 1
    """,
        "arguments.self.more",
    ),
    "list for generator": (
        "pairs",
        """
        def pairs(values):
            return list(zip(values, values[1:]))
    """,
        "result",
    ),
    "reused item": (
        "pairs",
        """
        def pairs(values):
            item = [0, 0]
            for left, right in zip(values, values[1:]):
                item[:] = left, right
                yield item
    """,
        "items[0]",
    ),
    "argument empty at the first item": (
        "pairs",
        """
        def pairs(values):
            kept = values[:]
            values.clear()
            yield from zip(kept, kept[1:])
            values[:] = kept
    """,
        "arguments.values[0:] at the first item",
    ),
    "awaited": (
        "fetched",
        """
        async def fetched(value):
            return value * 3.0
    """,
        "result: 6 != 6.0",
    ),
    "exception": (
        "failing",
        """
        def failing(value):
            if value < 0:
                raise TypeError('too small')
            print('seen', value)
            return value
    """,
        "raised: ",
    ),
    "stdout": (
        "failing",
        """
        def failing(value):
            if value < 0:
                raise ValueError('too small')
            return value
    """,
        "stdout",
    ),
}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> BaselineOf:
    return baselines_in(make_project(tmp_path_factory.mktemp("kinds"), MODULE, TESTS))


@pytest.mark.parametrize("kind", KINDS)
def test_a_function_of_each_kind_is_alike_where_it_is(original: BaselineOf, kind: str) -> None:
    qualname, candidate = KINDS[kind]
    found = behaviour(original(qualname), candidate)
    assert found.verdict == "same", found
    of_tests = [case for case in found.cases if case.test_type == TestType.EXISTING_UNIT_TEST]
    assert sum(case.calls for case in of_tests if case.outcome == "same") > 0


@pytest.mark.parametrize("what", WRONG)
def test_what_differs_is_told_by_its_path(original: BaselineOf, what: str) -> None:
    qualname, candidate, where = WRONG[what]
    found = behaviour(original(qualname), candidate)
    assert found.verdict == "different"
    differences = [str(each) for case in found.cases for each in case.differences]
    assert any(each.startswith(where) for each in differences), (first_difference(found), found)


def test_a_candidate_may_bring_helpers_and_imports(original: BaselineOf) -> None:
    candidate = """
        import operator
        from functools import partial

        def _times(factor, values):
            return map(partial(operator.mul, factor), values)

        def plain(values, factor=2):
            return list(_times(factor, values))
    """
    assert behaviour(original("plain"), candidate).verdict == "same"


def test_a_module_that_a_test_loads_by_its_path_is_recorded(tmp_path: Path) -> None:
    tests = """
    import importlib.util
    from pathlib import Path

    path = Path(__file__).parents[1] / "shop/goods.py"
    spec = importlib.util.spec_from_file_location("by_its_path", path)
    goods = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(goods)

    def test_one():
        assert goods.doubled(1) > 1

    def test_two():
        assert goods.doubled(2) > 2
    """
    root = make_project(tmp_path, "def doubled(n):\n    return 2 * n\n", tests)
    found = behaviour(baseline_of(root, "doubled"), "def doubled(n):\n    return 3 * n\n")
    assert first_difference(found) == "result: 2 != 3"
