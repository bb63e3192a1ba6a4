"""Walks over data of a project: bounded, each object once, whatever is mutual or shared in it."""

import functools
import itertools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from steelyard.comparing.calls.incell.parts import ordered
from steelyard.comparing.effects.incell.state import State, _places
from steelyard.comparing.recording.incell.recording import Recorder
from steelyard.project_runs.incell.project import PLACE
from steelyard.values.incell.snapshot import snapshot
from steelyard.values.incell.walking import each_once, pickle_bytes, plain_bytes


def nested(leaf: object, wrap: Callable[[Any], object], depth: int = 60) -> Any:
    """A value whose parts are shared at each of many levels: unfolded it is larger than memory."""
    for _ in range(depth):
        leaf = wrap(leaf)
    return leaf


UNFOLDING: dict[str, Any] = {
    "lists": nested(1, lambda inner: [inner, inner]),
    "tuples": nested(1, lambda inner: (inner, inner)),
    "values": nested(1, lambda inner: {"left": inner, "right": inner}),
    "keys": {nested(1, lambda inner: (inner, inner), 20): 1},
    # Marshal writes each element of a set twice, hence each level doubles what is below.
    "sets": nested(1, lambda inner: frozenset([inner])),
}


def test_each_object_comes_once_and_the_walk_ends() -> None:
    following = {"a": ["b", "c"], "b": ["a", "d"], "c": ["b", "d"], "d": ["a"]}
    found = each_once("ab", following.__getitem__, most=10, key=str)
    assert list(found) == ["a", "b", "c", "d"]
    endless = each_once([object()], lambda _: [object(), object()], most=1_000)
    assert len(list(endless)) == 1_000


def test_plain_bytes_are_those_of_the_value_and_never_many() -> None:
    shared = [1, "x"]
    alike = plain_bytes({"k": [shared, shared]}, most=100)
    assert alike is not None
    assert alike == plain_bytes({"k": [[1, "x"], [1, "x"]]}, most=100)
    assert alike != plain_bytes({"k": [[1, "x"], [True, "x"]]}, most=100)
    assert plain_bytes(list(range(100)), most=99) is None
    assert plain_bytes(list(range(100)), most=100) is not None
    assert plain_bytes([object()], most=100) is None
    for name, value in UNFOLDING.items():
        assert plain_bytes(value, most=100_000) is None, name
    endless: list[Any] = []
    endless.append(endless)
    assert plain_bytes(endless, most=100_000) is None


def test_a_pickle_stops_where_it_is_too_long() -> None:
    class Endless:
        def __reduce__(self) -> tuple[Any, ...]:
            return list, (), None, itertools.repeat(b"x" * 1_000)

    assert pickle_bytes(Endless(), most=1 << 20) is None
    assert pickle_bytes(lambda: None, most=1 << 20) is None
    data = pickle_bytes(([1], {"k": 2}), most=1 << 20)
    assert data is not None
    assert pickle_bytes(([1], {"k": 2}), most=len(data)) == data
    assert pickle_bytes(([1], {"k": 2}), most=len(data) - 1) is None


@pytest.fixture
def shop() -> Iterator[types.ModuleType]:
    """A module of the project, as if it had been loaded in a cell."""
    module = types.ModuleType("shop_of_walks")
    module.__file__ = f"{PLACE}/shop_of_walks.py"
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


def held_by(module: types.ModuleType, text: str) -> types.ModuleType:
    exec(text, vars(module))
    return module


MUTUAL = {
    "two": "class Page: size = 1\nclass Book: size = 2\nPage.book, Book.page = Book, Page",
    "itself": "class Node:\n    size = 1\nNode.kind = Node",
    "three": "class A: pass\nclass B: pass\nclass C: size = 3\nA.b, B.c, C.a = B, C, A\nA.c = C",
    "inner": "class Outer:\n    class Inner: size = 1\nOuter.Inner.outer = Outer",
}


@pytest.mark.parametrize("text", MUTUAL.values(), ids=MUTUAL)
def test_classes_that_name_each_other_are_each_looked_at_once(
    text: str, shop: types.ModuleType
) -> None:
    classes = {value for value in vars(held_by(shop, text)).values() if isinstance(value, type)}
    places = [place for place, _, _ in itertools.islice(_places(), 10_000)]
    own = [place for place in places if place.startswith("shop_of_walks.")]
    assert len(own) == len(classes) + text.count("class Inner")
    assert not State().look()


@pytest.mark.parametrize("name", UNFOLDING)
def test_data_of_a_module_that_unfolds_is_watched(name: str, shop: types.ModuleType) -> None:
    held_by(shop, "COUNT = [0]")
    shop.DATA = [0, UNFOLDING[name]]  # type: ignore[attr-defined]
    state = State()
    assert not state.look()
    shop.DATA[0] = shop.COUNT[0] = 1
    found = state.look()
    assert {"shop_of_walks.COUNT", "shop_of_walks.DATA"} <= found.keys()


def test_sets_are_ordered_by_their_content_whatever_their_elements_say() -> None:
    class Loud:
        def __init__(self, number: int) -> None:
            self.number = number

        def __repr__(self) -> str:
            raise AssertionError("it was asked")

    few = [Loud(number) for number in (3, 1, 2)]
    assert [each.number for each in ordered(set(few))] == [1, 2, 3]  # type: ignore[attr-defined]
    assert len(ordered({UNFOLDING["sets"], UNFOLDING["tuples"][0] is None})) == 2


def test_a_key_unfolds_to_a_bounded_text() -> None:
    wide = tuple(((number,),) for number in range(20_000))
    document = snapshot({"result": {(wide,) * 60}})
    assert len(document) < 60 * len(repr(wide))
    one, other = (snapshot({"result": {(wide, end)}}) for end in (1, 2))
    assert one != other


def test_what_records_a_function_is_no_data_of_the_project() -> None:
    def plain(number: int) -> int:
        return number

    told: list[Any] = []
    for function in (plain, functools.lru_cache(plain)):
        recorder = Recorder(lambda *_, **said: told.append(said), keeps_arguments=True)
        recorded = recorder.wrap(function)
        before = snapshot({"result": {"table": [recorded, function]}})
        recorder.begin("test")
        recorded(1)
        assert told
        assert snapshot({"result": {"table": [recorded, function]}}) == before
        assert snapshot({"result": recorded}) == snapshot({"result": function})
