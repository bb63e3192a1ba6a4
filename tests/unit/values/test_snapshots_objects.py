"""Objects by their state, exceptions, functions, iterators, and what cannot be compared."""

import ast
import dataclasses
import functools
import itertools
import operator
import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.unit.values.snapshot_pairs import EQUAL, Make, differences, table

# From Python 3.14 on, iterators of itertools have no state that can be read.
ALIKE, OTHER = (EQUAL, "value") if sys.version_info < (3, 14) else ("not-comparable",) * 2


class Plain:
    def __init__(self, price: object = 1.0) -> None:
        self.price = price


class Sub(Plain):
    pass


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a: object) -> None:
        self.a = a


class MoreSlots(Slots):
    __slots__ = ("__dict__", "a")


class Liar:
    """Says that it is equal to everything."""

    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


@dataclasses.dataclass
class Item:
    name: str
    tags: list[str] = dataclasses.field(default_factory=list)
    seen: int = dataclasses.field(default=0, compare=False)


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object


@dataclasses.dataclass(slots=True)
class Slotted:
    x: int


class Cached:
    @functools.cached_property
    def heavy(self) -> int:
        return 1

    def used(self) -> "Cached":
        assert self.heavy
        return self


class NoState:
    pass


class ShopError(Exception):
    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class NoteError(Exception):
    pass


def named() -> None:
    """A function."""


def other() -> None:
    """Another."""


def other_adder(m: int) -> Any:
    def add(x: int) -> int:
        return x + m

    add.__qualname__ = "adder.<locals>.add"
    return add


def adder(n: object) -> Callable[[int], Any]:
    def add(x: int) -> Any:
        return x + n  # type: ignore[operator]

    return add


def row_class(columns: tuple[str, ...], *, last: bool = False) -> type:
    class Row:
        names = columns

        def first(self) -> str:
            return self.names[0]

    class Last(Row):
        def first(self) -> str:
            return super().first() + self.names[-1]

    return Last if last else Row


def held_lock() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


def caused(cause: BaseException | None, *, context: bool = False) -> Exception:
    error = ValueError("x")
    if context:
        error.__context__ = cause
    else:
        error.__cause__ = cause
        error.__suppress_context__ = True
    return error


def noted(*notes: str) -> Exception:
    error = NoteError("x")
    for note in notes:
        error.add_note(note)
    return error


def raised(make: Callable[[], object]) -> BaseException:
    try:
        make()
    except Exception as error:  # noqa: BLE001
        return error
    raise AssertionError


def advanced(iterator: Iterator[Any], steps: int = 1) -> Iterator[Any]:
    for _ in range(steps):
        next(iterator)
    return iterator


def numbers() -> Iterator[int]:
    yield 1


async def later() -> int:
    return 1


async def many() -> Any:
    yield 1


def coroutine() -> Any:
    made = later()
    made.close()
    return made


@table(
    ("state", Plain, Plain, EQUAL),
    (
        "state differs",
        lambda: [0, 1, 2, Plain()],
        lambda: [0, 1, 2, Plain(1.1)],
        "value result[3].price: 1.0 != 1.1",
    ),
    ("subclass", lambda: Plain(1), lambda: Sub(1), "type result: Plain(price=1) != Sub(price=1)"),
    ("attribute missing", Plain, NoState, "type"),
    ("no state", NoState, NoState, EQUAL),
    ("object", object, object, EQUAL),
    ("slots", lambda: Slots(1), lambda: Slots(1), EQUAL),
    ("slots differ", lambda: Slots([1]), lambda: Slots([2]), "value result.a[0]: 1 != 2"),
    (
        "slot unset",
        lambda: Slots(1),
        lambda: setattr_of(Slots(1), "b", 2),
        "extra result.b: nothing != 2",
    ),
    (
        "slots and attributes",
        lambda: setattr_of(MoreSlots(1), "z", 1),
        lambda: setattr_of(MoreSlots(1), "z", 2),
        "value result.z: 1 != 2",
    ),
    ("equal by its own word", lambda: Liar(1), lambda: Liar(2), "value result.x: 1 != 2"),
    ("dataclass", lambda: Item("a", ["b"]), lambda: Item("a", ["b"]), EQUAL),
    (
        "dataclass differs",
        lambda: Item("a", ["b"]),
        lambda: Item("a", ["c"]),
        "value result.tags[0]: 'b' != 'c'",
    ),
    (
        "dataclass field out of its equality",
        lambda: Item("a", seen=1),
        lambda: Item("a", seen=2),
        "value result.seen: 1 != 2",
    ),
    ("frozen dataclass shared", lambda: [Frozen(1)] * 2, lambda: [Frozen(1), Frozen(1)], EQUAL),
    (
        "frozen dataclass with a list shared",
        lambda: [Frozen([1])] * 2,
        lambda: [Frozen([1]), Frozen([1])],
        ("aliasing result[1].x is a separate object in the candidate, result[0].x in the original"),
    ),
    (
        "object shared",
        lambda: [Plain()] * 2,
        lambda: [Plain(), Plain()],
        "aliasing result[1] is a separate object in the candidate, result[0] in the original",
    ),
    ("slotted dataclass", lambda: Slotted(1), lambda: Slotted(2), "value result.x: 1 != 2"),
    ("cached property", lambda: Cached().used(), Cached, EQUAL),
    (
        "namespace",
        lambda: types.SimpleNamespace(a=1),
        lambda: types.SimpleNamespace(a=2),
        "value result.a: 1 != 2",
    ),
    ("exception", lambda: ValueError("a", 1), lambda: ValueError("a", 1), EQUAL),
    (
        "exception type",
        lambda: ValueError("a"),
        lambda: KeyError("a"),
        "type result: ValueError('a') != KeyError('a')",
    ),
    (
        "exception argument",
        lambda: ValueError("a"),
        lambda: ValueError("b"),
        "value result.args[0]: 'a' != 'b'",
    ),
    (
        "exception attribute",
        lambda: ShopError("a", 1),
        lambda: ShopError("a", 2),
        "value result.code: 1 != 2",
    ),
    (
        "exception cause",
        lambda: caused(KeyError(1)),
        lambda: caused(KeyError(2)),
        "value result.__cause__.args[0]: 1 != 2",
    ),
    (
        "exception without cause",
        lambda: caused(KeyError(1)),
        lambda: caused(None),
        "missing result.__cause__: KeyError(1) != nothing",
    ),
    ("lock", threading.Lock, threading.Lock, ""),
    ("event", threading.Event, threading.Event, ""),
    ("lock that is held", threading.Lock, held_lock, "value"),
    ("lock of another kind", threading.Lock, threading.RLock, "type"),
    (
        "exception context",
        lambda: caused(KeyError(1), context=True),
        lambda: ValueError("x"),
        "missing result.__context__: KeyError(1) != nothing",
    ),
    (
        "exception notes",
        lambda: noted("a"),
        lambda: noted("b"),
        "value result.__notes__[0]: 'a' != 'b'",
    ),
    (
        "exception group",
        lambda: ExceptionGroup("g", [ValueError(1)]),
        lambda: ExceptionGroup("g", [ValueError(2)]),
        "value",
    ),
    (
        "operating system error",
        lambda: OSError(2, "gone", "a"),
        lambda: OSError(2, "gone", "b"),
        "value result.filename: 'a' != 'b'",
    ),
    (
        "attribute error by hand",
        lambda: raised(lambda: object().x),
        lambda: AttributeError("'object' object has no attribute 'x'"),
        EQUAL,
    ),
    (
        "traceback",
        lambda: raised(lambda: int("x")),
        lambda: ValueError("invalid literal for int() with base 10: 'x'"),
        EQUAL,
    ),
    ("class", lambda: Plain, lambda: Plain, EQUAL),
    ("class differs", lambda: Plain, lambda: Sub, "value result: Plain != Sub"),
    ("class and instance", lambda: Plain, lambda: Plain(1), "type result: Plain != Plain(price=1)"),
    ("generic alias", lambda: list[int], lambda: list[str], "value result.__args__[0]: int != str"),
    ("union", lambda: int | str, lambda: int | str, EQUAL),
    ("module", lambda: ast, lambda: ast, EQUAL),
    ("module differs", lambda: ast, lambda: types, "value result: ast != types"),
    ("function", lambda: named, lambda: named, EQUAL),
    ("function differs", lambda: named, lambda: other, "value"),
    ("builtin", lambda: len, lambda: len, EQUAL),
    ("builtin differs", lambda: len, lambda: abs, "value result: builtins.len != builtins.abs"),
    ("closure", lambda: adder(1), lambda: adder(1), EQUAL),
    (
        "closure content",
        lambda: adder(1),
        lambda: adder(2),
        "value result.<closure>.n.cell_contents: 1 != 2",
    ),
    (
        "closure over another name",
        lambda: adder(1),
        lambda: other_adder(2),
        "not-comparable",
    ),
    (
        "lambda default",
        lambda: defaulting(1),
        lambda: defaulting(2),
        "value result.__defaults__[0]: 1 != 2",
    ),
    ("class made here", lambda: row_class(("a",)), lambda: row_class(("a",)), EQUAL),
    (
        "class made here, another field",
        lambda: [row_class(("a",))],
        lambda: [row_class(("b",))],
        "value result[0].names[0]: 'a' != 'b'",
    ),
    (
        "class made here, its base's field",
        lambda: row_class(("a",), last=True),
        lambda: row_class(("b",), last=True),
        "value result.<bases>[0].names[0]: 'a' != 'b'",
    ),
    ("lambda code", lambda: lambda x: x + 1, lambda: lambda x: x * 1, "not-comparable"),
    ("bound method", lambda: [1].append, lambda: [1].append, EQUAL),
    (
        "bound method of another",
        lambda: [1].append,
        lambda: [2].append,
        "value result.__self__[0]: 1 != 2",
    ),
    ("python method", lambda: Cached().used, lambda: Cached().used, EQUAL),
    ("method descriptor", lambda: list.append, lambda: list.pop, "value"),
    (
        "partial",
        lambda: functools.partial(named, 1, a=2),
        lambda: functools.partial(named, 1, a=2),
        EQUAL,
    ),
    (
        "partial differs",
        lambda: functools.partial(named, 1),
        lambda: functools.partial(named, 2),
        "value result.args[0]: 1 != 2",
    ),
    ("item getter", lambda: operator.itemgetter(1), lambda: operator.itemgetter(1), EQUAL),
    (
        "item getter differs",
        lambda: operator.itemgetter(1),
        lambda: operator.itemgetter(2),
        "value",
    ),
    ("syntax tree", lambda: ast.parse("x = 1"), lambda: ast.parse("\n\nx  =  1"), EQUAL),
    (
        "syntax tree differs",
        lambda: ast.parse("x = 1"),
        lambda: ast.parse("x = 2"),
        "value result.body[0].value.value: 1 != 2",
    ),
    ("iterator", lambda: iter([1, 2]), lambda: iter([1, 2]), EQUAL),
    ("iterator further on", lambda: iter([1, 2]), lambda: advanced(iter([1, 2])), "value"),
    ("iterator and list", lambda: iter([1]), lambda: [1], "type"),
    ("iterators of other kinds", lambda: iter([1]), lambda: iter((1,)), "type"),
    ("range iterator", lambda: iter(range(3)), lambda: iter(range(4)), "value"),
    ("text iterator", lambda: iter("ab"), lambda: iter("ac"), "value"),
    ("dict iterator", lambda: iter({"a": 1}), lambda: iter({"b": 1}), "value"),
    ("set iterator", lambda: iter({1, 2}), lambda: iter({2, 1}), EQUAL),
    ("enumerate", lambda: enumerate("ab"), lambda: advanced(enumerate("ab")), "value"),
    ("zip", lambda: zip([1], [2], strict=False), lambda: zip([1], [3], strict=False), "value"),
    ("map", lambda: map(str, [1]), lambda: map(str, [1]), EQUAL),
    ("map of another", lambda: map(str, [1]), lambda: map(int, [1]), "value"),
    ("filter", lambda: filter(None, [1]), lambda: filter(None, [2]), "value"),
    ("reversed", lambda: reversed([1, 2]), lambda: reversed([1, 2]), EQUAL),
    ("chain", lambda: itertools.chain([1], [2]), lambda: itertools.chain([1], [2]), ALIKE),
    ("count", lambda: itertools.count(1), lambda: itertools.count(2), OTHER),
    (
        "islice",
        lambda: itertools.islice(itertools.count(), 5),
        lambda: itertools.islice(itertools.count(), 6),
        OTHER,
    ),
    (
        "permutations",
        lambda: itertools.permutations("ab"),
        lambda: itertools.permutations("ab"),
        ALIKE,
    ),
    ("generator", numbers, numbers, "not-comparable result: generator cannot be compared"),
    ("generator and list", numbers, lambda: [1], "type result: generator != [1]"),
    ("coroutine", coroutine, coroutine, "not-comparable result: coroutine cannot be compared"),
    (
        "asynchronous generator",
        many,
        many,
        "not-comparable result: async_generator cannot be compared",
    ),
    (
        "map over a generator",
        lambda: map(str, numbers()),
        lambda: map(str, numbers()),
        "not-comparable result.<over>[1]: generator cannot be compared",
    ),
    ("thread local", threading.local, threading.local, "not-comparable"),
    (
        "frame",
        lambda: __import__("sys")._getframe(),
        lambda: __import__("sys")._getframe(),
        "not-comparable result: frame cannot be compared",
    ),
    (
        "among others",
        lambda: [1, numbers()],
        lambda: [2, numbers()],
        "value result[0]: 1 != 2\nnot-comparable result[1]: generator cannot be compared",
    ),
    ("proxy", lambda: weakref.proxy(named), lambda: weakref.proxy(named), "not-comparable"),
)
def test_objects(original: Make, candidate: Make, said: str) -> None:
    found = differences(original(), candidate())
    if " " in said or not said:
        assert found == said
    else:
        assert found.startswith(f"{said} result")


def setattr_of(value: Any, name: str, attribute: object) -> Any:
    setattr(value, name, attribute)
    return value


def defaulting(value: object) -> Callable[[], object]:
    return lambda x=value: x


@pytest.mark.parametrize(
    ("original", "candidate"),
    [
        (ValueError("a"), ValueError("b")),
        (OSError(2, "gone"), OSError(2, "away")),
        (noted("a"), noted("b", "c")),
        (caused(KeyError("a")), caused(KeyError("b"))),
    ],
)
def test_messages_can_be_left_out(original: object, candidate: object) -> None:
    assert differences(original, candidate, messages=False) == EQUAL
    assert differences(original, candidate) != EQUAL


def test_without_messages_types_and_attributes_still_count() -> None:
    assert differences(ValueError("a"), TypeError("a"), messages=False).startswith("type result")
    found = differences(ShopError("a", 1), ShopError("b", 2), messages=False)
    assert found == "value result.code: 1 != 2"


def test_references_go_to_what_they_stand_for() -> None:
    one, two = Plain(1), Plain(2)
    assert differences(weakref.ref(one), weakref.ref(two)) == "value result().price: 1 != 2"
    assert differences([one, weakref.ref(one)], [two, weakref.ref(two)]).startswith(
        "value result[0].price"
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: iter([1, 2, 3]),
        lambda: iter({1: 2, 3: 4}),
        lambda: iter({1, 2}),
        lambda: enumerate([1, 2]),
        lambda: zip([1, 2], [3, 4], strict=False),
        lambda: map(str, [1, 2]),
        lambda: filter(None, [1, 2]),
        lambda: reversed([1, 2]),
        lambda: itertools.cycle([1, 2]),
        lambda: itertools.tee([1, 2])[0],
        lambda: itertools.accumulate([1, 2]),
        lambda: itertools.product([1, 2], [3]),
        lambda: itertools.zip_longest([1], [2, 3]),
        lambda: itertools.takewhile(bool, [1, 2]),
        lambda: itertools.islice([1, 2, 3], 2),
        numbers,
        lambda: (x for x in [1, 2]),
    ],
)
def test_nothing_is_consumed(make: Callable[[], Iterator[Any]]) -> None:
    untouched = list(itertools.islice(make(), 1))
    iterator = make()
    differences(iterator, iterator)
    assert list(itertools.islice(iterator, 1)) == untouched
    advanced(iterator := make())
    differences(iterator, iterator)
    rest = make()
    next(rest)
    assert next(iterator, None) == next(rest, None)
