"""Containers: order, multiplicity, nesting, cycles, and what is shared."""

import collections
import types
import weakref
from typing import Any, NamedTuple

import pytest

from steelyard.values.snapshots import Tolerance
from tests.unit.values.snapshot_pairs import EQUAL, Make, differences, of_roots, table

DEEP = 30_000


class Point(NamedTuple):
    x: int
    y: int


class Place(NamedTuple):
    x: int
    y: int


class MyList(list[Any]):
    pass


class MyDict(dict[str, Any]):
    pass


class Node:
    def __init__(self, name: str) -> None:
        self.name = name
        self.near: set[Node] = set()


def tuple_of(*names: str) -> Any:
    return NamedTuple("T", [(name, int) for name in names])(*range(len(names)))


def defaulting_to_list() -> Any:
    return collections.defaultdict(list)


def same_list_twice() -> list[list[int]]:
    part = [1]
    return [part, part]


def itself() -> list[Any]:
    value: list[Any] = [1]
    value.append(value)
    return value


def ring(size: int) -> list[Any]:
    first: list[Any] = []
    last = first
    for _ in range(size - 1):
        last.append([])
        last = last[0]
    last.append(first)
    return first


def deep(kind: type, end: object, depth: int = DEEP) -> Any:
    value = end
    for _ in range(depth):
        value = kind((value,))
    return value


def deep_dict(end: object) -> Any:
    value = end
    for _ in range(20_000):
        value = {"a": value}
    return value


def doubling(times: int) -> Any:
    value: Any = ()
    for _ in range(times):
        value = (value, value)
    return value


def with_attribute(value: Any, name: str, attribute: object) -> Any:
    setattr(value, name, attribute)
    return value


def graph(*edges: str) -> set[Node]:
    nodes = {name: Node(name) for edge in edges for name in edge}
    for one, other in edges:
        nodes[one].near.add(nodes[other])
    return set(nodes.values())


def moved_to_end() -> collections.OrderedDict[str, int]:
    value = collections.OrderedDict(a=1, b=2)
    value.move_to_end("a")
    return value


@table(
    ("list", lambda: [1, [2]], lambda: [1, [2]], EQUAL),
    ("list item", lambda: [1, [2]], lambda: [1, [3]], "value result[1][0]: 2 != 3"),
    ("list and tuple", lambda: [1], lambda: (1,), "type result: [1] != (1,)"),
    ("list is longer", lambda: [1], lambda: [1, 2], "extra result[1]: nothing != 2"),
    (
        "list is shorter",
        lambda: [1, 2, 3],
        lambda: [1],
        "missing result[1:]: 2 more: [2, 3] != nothing",
    ),
    (
        "order of a list",
        lambda: [1, 2],
        lambda: [2, 1],
        "value result[0]: 1 != 2\nvalue result[1]: 2 != 1",
    ),
    (
        "breadth first",
        lambda: [[[1]], 2],
        lambda: [[[0]], 3],
        "value result[1]: 2 != 3\nvalue result[0][0][0]: 1 != 0",
    ),
    ("list subclass", lambda: MyList([1]), lambda: [1], "type result: MyList([1]) != [1]"),
    (
        "list subclass state",
        lambda: with_attribute(MyList([1]), "x", 1),
        lambda: with_attribute(MyList([1]), "x", 2),
        "value result.x: 1 != 2",
    ),
    (
        "list subclass without state",
        lambda: with_attribute(MyList([1]), "x", 1),
        lambda: MyList([1]),
        "missing result.x: 1 != nothing",
    ),
    ("tuple", lambda: (1, (2, (3,))), lambda: (1, (2, (4,))), "value result[1][1][0]: 3 != 4"),
    ("empty tuples", lambda: ((), ()), lambda: ((), ()), EQUAL),
    ("named tuple", lambda: Point(1, 2), lambda: Point(1, 3), "value result.y: 2 != 3"),
    (
        "named tuples",
        lambda: Point(1, 2),
        lambda: Place(1, 2),
        "type result: Point(x=1, y=2) != Place(x=1, y=2)",
    ),
    (
        "named tuple and tuple",
        lambda: Point(1, 2),
        lambda: (1, 2),
        "type result: Point(x=1, y=2) != (1, 2)",
    ),
    (
        "named tuple fields",
        lambda: tuple_of("a", "b"),
        lambda: tuple_of("a", "c"),
        "value result.<fields>[1]: 'b' != 'c'",
    ),
    (
        "deque",
        lambda: collections.deque([1]),
        lambda: collections.deque([2]),
        "value result[0]: 1 != 2",
    ),
    (
        "deque length",
        lambda: collections.deque([1], 3),
        lambda: collections.deque([1]),
        "missing result.maxlen: 3 != nothing",
    ),
    (
        "deque and list",
        lambda: collections.deque([1]),
        lambda: [1],
        "type result: deque([1]) != [1]",
    ),
    ("set", lambda: {1, 2, 3}, lambda: {3, 2, 1}, EQUAL),
    (
        "set of mixed",
        lambda: {1, "a", None, (1, 2), 2.5},
        lambda: {2.5, (1, 2), None, "a", 1},
        EQUAL,
    ),
    (
        "set differs",
        lambda: {1, 2},
        lambda: {1, 3},
        "missing result{2}: 2 != nothing\nextra result{3}: nothing != 3",
    ),
    (
        "set and frozenset",
        lambda: {1},
        lambda: frozenset({1}),
        "type result: {1} != frozenset({1})",
    ),
    ("set of tuples", lambda: {(1, (2,)), (1, (3,))}, lambda: {(1, (3,)), (1, (2,))}, EQUAL),
    (
        "set of sets",
        lambda: {frozenset({1, (2, (3,))}), frozenset()},
        lambda: {frozenset(), frozenset({(2, (3,)), 1})},
        EQUAL,
    ),
    (
        "set of sets differs",
        lambda: {frozenset({1, 2})},
        lambda: {frozenset({1, 3})},
        (
            "missing result{frozenset({1, 2})}: frozenset({1, 2}) != nothing\n"
            "extra result{frozenset({1, 3})}: nothing != frozenset({1, 3})"
        ),
    ),
    (
        "set with an int for a bool",
        lambda: {True},
        lambda: {1},
        "missing result{True}: True != nothing\nextra result{1}: nothing != 1",
    ),
    ("empty set", set, frozenset, "type result: set() != frozenset()"),
    (
        "graph of sets",
        lambda: graph("ab", "bc", "ca", "cd"),
        lambda: graph("ca", "cd", "bc", "ab"),
        EQUAL,
    ),
    ("set with nan", lambda: {float("nan"), 1.0}, lambda: {1.0, float("nan")}, EQUAL),
    ("dict", lambda: {"a": 1}, lambda: {"a": 1}, EQUAL),
    ("dict value", lambda: {"a": [1]}, lambda: {"a": [2]}, "value result['a'][0]: 1 != 2"),
    (
        "dict key",
        lambda: {"a": 1},
        lambda: {"b": 1},
        "missing result['a']: 1 != nothing\nextra result['b']: nothing != 1",
    ),
    (
        "dict order",
        lambda: {"a": 1, "b": 2},
        lambda: {"b": 2, "a": 1},
        "order result: keys in order 'a', 'b' != keys in order 'b', 'a'",
    ),
    (
        "dict order and value",
        lambda: {"a": 1, "b": 2},
        lambda: {"b": 3, "a": 1},
        "order result: keys in order 'a', 'b' != keys in order 'b', 'a'\nvalue result['b']: 2 != 3",
    ),
    (
        "dict key types",
        lambda: {1: "a"},
        lambda: {True: "a"},
        "missing result[1]: 'a' != nothing\nextra result[True]: nothing != 'a'",
    ),
    (
        "dict float key",
        lambda: {1.0: 1},
        lambda: {1: 1},
        "missing result[1.0]: 1 != nothing\nextra result[1]: nothing != 1",
    ),
    (
        "dict tuple key",
        lambda: {(1, (2,)): 1},
        lambda: {(1, (2,)): 2},
        "value result[(1, (2,))]: 1 != 2",
    ),
    (
        "dict object keys",
        lambda: {Node("a"): 1, Node("b"): 2},
        lambda: {Node("a"): 1, Node("b"): 3},
        "value result[Node(name='b', near=set())]: 2 != 3",
    ),
    (
        "dict subclass",
        lambda: MyDict(a=1),
        lambda: {"a": 1},
        "type result: MyDict({'a': 1}) != {'a': 1}",
    ),
    ("ordered dict", lambda: collections.OrderedDict(b=2, a=1), moved_to_end, EQUAL),
    (
        "ordered dict order",
        lambda: collections.OrderedDict(a=1, b=2),
        moved_to_end,
        "order result: keys in order 'a', 'b' != keys in order 'b', 'a'",
    ),
    (
        "default dict",
        defaulting_to_list,
        defaulting_to_list,
        EQUAL,
    ),
    (
        "default factory",
        lambda: collections.defaultdict(list),
        lambda: collections.defaultdict(set),
        "value result.default_factory: list != set",
    ),
    (
        "default dict and dict",
        lambda: collections.defaultdict(list, a=1),
        lambda: {"a": 1},
        "type result: defaultdict({'a': 1}) != {'a': 1}",
    ),
    (
        "counter",
        lambda: collections.Counter("aab"),
        lambda: collections.Counter("abb"),
        "value result['a']: 2 != 1\nvalue result['b']: 1 != 2",
    ),
    (
        "chain map",
        lambda: collections.ChainMap({"a": 1}, {}),
        lambda: collections.ChainMap({}, {"a": 1}),
        "missing result.maps[0]['a']: 1 != nothing\nextra result.maps[1]['a']: nothing != 1",
    ),
    (
        "mapping proxy",
        lambda: types.MappingProxyType({"a": 1}),
        lambda: types.MappingProxyType({"a": 2}),
        "value result['a']: 1 != 2",
    ),
    (
        "keys",
        {"a": 1}.keys,
        {"b": 1}.keys,
        "missing result.mapping['a']: 1 != nothing\nextra result.mapping['b']: nothing != 1",
    ),
    (
        "user list",
        lambda: collections.UserList([1]),
        lambda: collections.UserList([2]),
        "value result.data[0]: 1 != 2",
    ),
    ("itself", itself, itself, EQUAL),
    ("rings", lambda: ring(3), lambda: ring(3), EQUAL),
    (
        "rings of other lengths",
        lambda: ring(2),
        lambda: ring(3),
        (
            "aliasing result[0][0] is a separate object in the candidate, "
            "result in the original\n"
            "aliasing result[0][0][0] is result in the candidate, result[0] in the original\n"
            "aliasing result[0][0][0][0] is result[0] in the candidate, result in the original"
        ),
    ),
    ("shared", same_list_twice, same_list_twice, EQUAL),
    (
        "shared in one",
        same_list_twice,
        lambda: [[1], [1]],
        "aliasing result[1] is a separate object in the candidate, result[0] in the original",
    ),
    (
        "shared in the other",
        lambda: [[1], [1]],
        same_list_twice,
        "aliasing result[1] is result[0] in the candidate, a separate object in the original",
    ),
    ("shared tuples", lambda: [(1, (2,))] * 2, lambda: [(1, (2,)), (1, (2,))], EQUAL),
    (
        "shared frozen sets",
        lambda: [frozenset({1})] * 2,
        lambda: [frozenset({1}), frozenset({1})],
        EQUAL,
    ),
    ("shared text", lambda: ["ab" * 500] * 2, lambda: ["ab" * 500, "ab" * 500], EQUAL),
    (
        "shared in a shared tuple",
        lambda: [([1],)] * 2,
        lambda: [([1],), ([1],)],
        (
            "aliasing result[1][0] is a separate object in the candidate, "
            "result[0][0] in the original"
        ),
    ),
    (
        "shared bytearray",
        lambda: [bytearray(b"a")] * 2,
        lambda: [bytearray(b"a"), bytearray(b"a")],
        "aliasing result[1] is a separate object in the candidate, result[0] in the original",
    ),
    ("doubling tuples", lambda: doubling(200), lambda: doubling(200), EQUAL),
    ("doubling tuples differ", lambda: doubling(200), lambda: doubling(201), "extra"),
    ("deep list", lambda: deep(list, 1), lambda: deep(list, 1), EQUAL),
    ("deep list differs", lambda: deep(list, 1), lambda: deep(list, 2), "value"),
    ("deep tuple", lambda: deep(tuple, 1, 20_000), lambda: deep(tuple, 2, 20_000), "value"),
    ("deep dict", lambda: deep_dict(1), lambda: deep_dict(2), "value"),
    ("deep frozen sets", lambda: deep(frozenset, 1, 5000), lambda: deep(frozenset, 1, 5000), EQUAL),
    ("dead reference", lambda: weakref.ref(Node("a")), lambda: weakref.ref(Node("b")), EQUAL),
)
def test_containers(original: Make, candidate: Make, said: str) -> None:
    found = differences(original(), candidate())
    if " " in said or not said:
        assert found == said
    else:
        assert found.startswith(f"{said} result")
        assert found.count("\n") <= 1


def test_the_order_of_keys_can_be_left_out() -> None:
    values = {"a": 1, "b": {1: 2, 3: 4}}, {"b": {3: 4, 1: 2}, "a": 1}
    assert differences(*values, dict_order=False) == EQUAL
    assert differences(*values).startswith("order result: ")


def test_a_result_that_is_an_argument() -> None:
    items = [1]
    said = of_roots(
        {"result": items, "arguments.items": items}, {"result": [1], "arguments.items": items}
    )
    assert said == (
        "aliasing result is a separate object in the candidate, arguments.items in the original"
    )
    said = of_roots(
        {"result": [[1]], "arguments.items": items}, {"result": [items], "arguments.items": items}
    )
    assert said == (
        "aliasing result[0] is arguments.items in the candidate, a separate object in the original"
    )


def test_a_root_that_one_side_lacks() -> None:
    assert of_roots({"a": 1}, {"b": 2}) == "missing a: 1 != nothing\nextra b: nothing != 2"


def test_sharing_within_sets_that_nobody_can_order_proves_nothing() -> None:
    def make(which: int) -> list[Any]:
        nodes = [Node("a"), Node("a")]
        return [set(nodes), nodes[which]]

    found = {differences(make(0), make(which)) for which in (0, 1) for _ in range(20)}
    assert not any(said.startswith("aliasing") for said in found)


@pytest.mark.parametrize("most", [1, 3])
def test_differences_are_bounded(most: int) -> None:
    found = differences(list(range(100)), list(range(1, 101)), most=most)
    assert len(found.splitlines()) == most
    assert found.startswith("value result[0]: 0 != 1")


def test_a_tolerance_does_not_add_up() -> None:
    shared = (1.0, (0,))
    near = (1.0 + 0.8e-6, (0,))
    far = (1.0 + 1.6e-6, (0,))
    tolerance = Tolerance(absolute=1e-6)
    assert differences([shared, near, near], [near, near, far], tolerance=tolerance) == EQUAL
    assert differences([shared, near, shared], [near, far, far], tolerance=tolerance) != EQUAL
