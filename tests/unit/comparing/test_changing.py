"""Arguments become those of another call in place: the same objects, another state."""

import collections
import dataclasses
import pickle
from typing import Any

import pytest

from steelyard.comparing.calls.incell.changing import become, chosen_pairs, spots


class Node:
    def __init__(self, name: str, inner: Any = None) -> None:
        self.name = name
        self.inner = inner

    def __getstate__(self) -> dict[str, Any]:
        return dict(vars(self))


class Slotted:
    __slots__ = ("name", "values")

    def __init__(self, name: str, values: list[int]) -> None:
        self.name, self.values = name, values


@dataclasses.dataclass(frozen=True)
class Frozen:
    values: tuple[int, ...]


@dataclasses.dataclass
class Line:
    price: int


class Named(list[int]):
    pass


CHANGED = [
    ([1, 2], [3]),
    ({1, 2}, {3}),
    ({"a": 1, "b": 2}, {"b": 3, "c": 4}),
    (bytearray(b"ab"), bytearray(b"c")),
    (collections.deque([1, 2], 2), collections.deque([3], 2)),
    (collections.Counter("aab"), collections.Counter("bcc")),
    ([[1], [2]], [[3], [4], [5]]),
    (Line(1), Line(2)),
]


@pytest.mark.parametrize(("one", "two"), CHANGED, ids=[type(one).__name__ for one, _ in CHANGED])
def test_what_can_change_becomes_another(one: Any, two: Any) -> None:
    call = pickle.loads(pickle.dumps(((one, 5), {})))
    held = call[0][0]
    donor = pickle.loads(pickle.dumps(((two, 6), {"more": 7})))
    changed = become(call, donor, ((one, 5), {}))
    assert changed is not None
    assert changed[0][0] is held
    assert held == two
    assert changed[0][1:] == (6,)
    assert changed[1] == {"more": 7}


def test_what_is_inside_keeps_its_identity() -> None:
    rows = [[1], [2]]
    node = Node("a", {"rows": rows})
    assert become(((node,), {}), ((Node("b", {"rows": [[3], [4]]}),), {}), ((Node("a"),), {}))
    assert node.name == "b"
    assert node.inner["rows"] is rows
    assert rows == [[3], [4]]


def test_slots_are_changed_too() -> None:
    one, values = Slotted("a", [1]), [1]
    one.values = values
    assert become(((), {"it": one}), ((), {"it": Slotted("b", [2])}), ((), {"it": one}))
    assert (one.name, values) == ("b", [2])
    assert one.values is values


def test_what_a_call_put_on_an_object_stays() -> None:
    one, before, donor = Node("a"), Node("a"), Node("b")
    vars(before)["old"] = vars(one)["old"] = 1
    vars(one)["kept"] = 7
    assert become(((one,), {}), ((donor,), {}), ((before,), {}))
    assert vars(one) == {"name": "b", "inner": None, "kept": 7}


def test_a_circle_is_gone_round_once() -> None:
    one, two = Node("a"), Node("b")
    one.inner, two.inner = one, two
    assert become(((one,), {}), ((two,), {}), ((one,), {}))
    assert one.name == "b"
    assert one.inner is one


@pytest.mark.parametrize(
    "value",
    [5, "a", (1, [2]), Frozen((1,)), Named([1]), print, Node, 1.5, frozenset({1}), object()],
)
def test_what_never_changes_is_left_out(value: object) -> None:
    assert spots(((value,), {"named": value})) == {}


def test_what_is_held_cannot_be_changed() -> None:
    data = bytearray(b"abc")
    with memoryview(data):
        assert not become(((data,), {}), ((bytearray(b"d"),), {}), ((data,), {}))


def test_arrays_of_one_shape_are_filled_anew() -> None:
    numpy = pytest.importorskip("numpy")
    one, two = numpy.arange(3), numpy.arange(3) + 5
    assert become(((one,), {}), ((two,), {}), ((one.copy(),), {}))
    assert one.tolist() == [5, 6, 7]
    changed = become(((one,), {}), ((numpy.arange(4),), {}), ((one.copy(),), {}))
    assert changed is not None
    made: Any = changed[0][0]
    assert made.tolist() == [0, 1, 2, 3]
    assert one.tolist() == [5, 6, 7]


def test_pairs_differ_in_what_can_change_and_not_in_the_rest_where_that_can_be() -> None:
    calls: list[Any] = [
        (([1, 2], 5), {}),
        (([3, 4], 6), {}),
        (([7, 8], 5), {}),
        ((7, 5), {}),
        (([1, 2], 9), {}),
    ]
    pairs = chosen_pairs([pickle.dumps(call) for call in calls], pickle.loads)
    assert (0, 2) in pairs
    assert not [pair for pair in pairs if 3 in pair]
    assert not {(0, 4), (4, 0)} & set(pairs)


def test_there_are_few_pairs_and_what_cannot_be_loaded_has_none() -> None:
    calls = [b"no pickle", *(pickle.dumps((([n],), {})) for n in range(300))]
    pairs = chosen_pairs(calls, pickle.loads)
    assert 10 < len(pairs) < 50
    assert pairs == chosen_pairs(calls, pickle.loads)
    assert chosen_pairs([pickle.dumps((([1],), {}))] * 3, pickle.loads) == []
