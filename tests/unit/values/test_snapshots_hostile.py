"""Classes that lie, documents that are none, values beyond every bound."""

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from steelyard.values.incell.snapshot import snapshot
from steelyard.values.snapshots import Tolerance, compare_snapshots, show_call
from tests.unit.values.snapshot_pairs import EQUAL, differences

RAN: list[str] = []


def of_objects(value: object) -> Any:
    array = np.empty(1, object)
    array[0] = value
    return array


def run(what: str) -> Any:
    RAN.append(what)
    raise RuntimeError(what)


class Meta(type):
    def __eq__(cls, other: object) -> bool:
        return run("meta eq") if RAN == ["armed"] else cls is other

    def __hash__(cls) -> int:
        return run("meta hash") if RAN == ["armed"] else 1

    def __instancecheck__(cls, instance: object) -> bool:
        return run("instance check")

    def __getattribute__(cls, name: str) -> Any:
        if RAN == ["armed"] and name in (
            "__class__",
            "__mro__",
            "__dict__",
            "__name__",
            "__qualname__",
            "__module__",
        ):
            run(f"meta {name}")
        return super().__getattribute__(name)


class Metaclassed(metaclass=Meta):
    def __init__(self, x: int = 1) -> None:
        object.__setattr__(self, "x", x)


class Raising:
    def __init__(self, x: int = 1) -> None:
        object.__setattr__(self, "x", x)

    def __getattribute__(self, name: str) -> Any:
        return run(f"get {name}")

    def __getattr__(self, name: str) -> Any:
        return run(f"getattr {name}")

    def __eq__(self, other: object) -> bool:
        return run("eq")

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return run("repr")

    def __bool__(self) -> bool:
        return run("bool")

    def __len__(self) -> int:
        return run("len")

    def __iter__(self) -> Any:
        return run("iter")

    def __reduce_ex__(self, protocol: Any) -> Any:
        return run("reduce")

    def __getstate__(self) -> Any:
        return run("state")


class Disguised:
    @property
    def __class__(self) -> Any:
        return run("class")

    def __init__(self, x: int = 1) -> None:
        self.x = x


class WithoutDict:
    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        return run("dict")

    def __init__(self, x: int = 1) -> None:
        self.x = x


class RaisingList(list[Any]):
    def __iter__(self) -> Any:
        return run("iter")

    def __len__(self) -> int:
        return run("len")

    def __getitem__(self, at: Any) -> Any:
        return run("item")


class RaisingDict(dict[Any, Any]):
    def __iter__(self) -> Any:
        return run("iter")

    def items(self) -> Any:
        return run("items")

    def keys(self) -> Any:
        return run("keys")

    def __getitem__(self, key: Any) -> Any:
        return run("item")


class RaisingStr(str):  # noqa: SLOT000
    def __str__(self) -> str:
        return run("str")

    def __repr__(self) -> str:
        return run("repr")


class RaisingInt(int):
    def __int__(self) -> int:
        return run("int")

    def __index__(self) -> int:
        return run("index")

    def __add__(self, other: Any) -> Any:
        return run("add")


class RaisingError(Exception):
    def __str__(self) -> str:
        return run("str")

    @property
    def args(self) -> Any:  # type: ignore[override]
        return run("args")


class RaisingArray(np.ndarray):
    def __array_finalize__(self, obj: object) -> None:
        if getattr(self, "armed", False):
            run("finalize")


class RaisingKey:
    def __init__(self, x: int) -> None:
        self.x = x

    def __hash__(self) -> int:
        if RAN == ["armed"]:
            run("hash")
        return 1

    def __eq__(self, other: object) -> bool:
        return run("eq") if RAN == ["armed"] else self is other


@pytest.mark.parametrize(
    "make",
    [
        Metaclassed,
        Raising,
        Disguised,
        lambda x=1: RaisingList([x]),
        lambda x=1: RaisingDict(a=x),
        lambda x=1: RaisingStr(x),
        RaisingInt,
        lambda x=1: RaisingError(x),
        lambda x=1: [Raising(x)],
        lambda x=1: {"a": Metaclassed(x)},
        lambda x=1: (Disguised(x),),
        lambda x=1: {RaisingKey(x)},
        lambda x=1: {RaisingKey(x): 1},
        lambda x=1: {RaisingKey(x): x},
        lambda x=1: of_objects(Raising(x)),
    ],
)
def test_no_code_of_the_value_runs(make: Callable[..., Any]) -> None:
    values = make(), make(), make(2)
    RAN[:] = ["armed"]
    assert differences(values[0], values[1]) == EQUAL
    found = differences(values[0], values[2])
    assert RAN == ["armed"]
    assert found.startswith(("value result", "missing result"))
    RAN.clear()


def test_a_hidden_dictionary_cannot_be_compared() -> None:
    assert differences(WithoutDict(), WithoutDict()).startswith("not-comparable result: ")


def test_a_class_by_anothers_name() -> None:
    kind = type("ndarray", (), {"__module__": "numpy"})
    said = differences(kind(), kind())
    assert said == EQUAL or said.startswith("not-comparable")
    kind = type("int", (int,), {"__module__": "builtins"})
    assert differences(kind(1), 1).startswith("type result")
    kind = type("deque", (list,), {"__module__": "collections"})
    assert differences(kind([1]), __import__("collections").deque([1])) != EQUAL


def test_the_original_is_left_as_it_is() -> None:
    value = {"a": [1, {2}], "b": bytearray(b"x")}
    before = repr(value)
    differences(value, value)
    value["b"].append(1)  # type: ignore[attr-defined]
    assert repr(value) != before
    assert value["a"] == [1, {2}]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format":1}',
        b'{"format":2,"roots":[],"lines":[],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result"],"lines":[],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",[0]],"lines":[],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",[-1]],"lines":[["l",[]]],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",[0]],"lines":[[]],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",[0]],"lines":[["l",7]],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",[0]],"lines":[["l"]],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",[]],"lines":[["l",[]]],"shared":[],"rest":null}',
        b'{"format":1,"roots":[7,[0]],"lines":[["l",[]]],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",["int","zz"]],"lines":[["l",[]]],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",[0]],"lines":[["l",[],null,[1,2]]],"shared":[],"rest":null}',
        b'{"format":1,"roots":["result",[0]],"lines":[["l",[]]],"shared":7,"rest":null}',
    ],
)
@pytest.mark.parametrize("tolerance", [None, Tolerance(relative=1e-6)])
def test_what_is_no_document_is_one_difference(text: bytes, tolerance: Tolerance | None) -> None:
    good = snapshot({"result": [{"a": 1}]})
    (found,) = compare_snapshots(good, text, tolerance=tolerance)
    assert found.kind in ("not-comparable", "value", "type", "extra", "missing")
    assert compare_snapshots(text, good, tolerance=tolerance)
    assert isinstance(show_call(text.replace(b"result", b"arguments.x")), str)


@pytest.mark.parametrize(
    "body",
    [
        ["<f8", [3], "<f8", "AAAA"],
        ["<f8", [10**9], "<f8", ""],
        ["<f8", [2], "O", "AAAA"],
        ["<f8", [-1], "<f8", ""],
        ["<f8", "ab", "<f8", ""],
        ["<f8", [1], "<f8", "!!!!"],
        ["<f8", [1], None, 7],
        [1, 2, 3],
    ],
)
def test_arrays_that_are_none(body: list[Any]) -> None:
    def document(content: list[Any]) -> bytes:
        tree = {
            "format": 1,
            "roots": ["result", [0]],
            "lines": [["a", content, "numpy.ndarray"]],
            "shared": [],
            "rest": None,
        }
        return json.dumps(tree).encode()

    whole = [*body[:2], "<f8", base64.b64encode(bytes(8)).decode()]
    (found,) = compare_snapshots(document(whole), document(body))[:1] or compare_snapshots(b"", b"")
    assert found.kind == "not-comparable"
    assert show_call(document(body).replace(b"result", b"arguments.x"))


def test_every_cut_of_a_document_is_survived() -> None:
    value = [{"a": (1, [2.5, {3, (4, (5,))}])}, np.arange(3), ValueError("x")]
    whole = snapshot({"result": value})
    for end in range(0, len(whole), 7):
        assert compare_snapshots(whole, whole[:end])
        assert compare_snapshots(whole, whole[:end] + whole[end + 1 :]) is not None


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: list(range(10_000)), lambda value: value.append(1)),
        (lambda: [[n] for n in range(20_000)], lambda value: value[19_999].append(1)),
        (lambda: ["x" * 50_000], lambda value: value.append(1)),
        (lambda: [np.zeros(50_000)], lambda value: value[0].__setitem__(49_999, 1.0)),
        (lambda: [bytearray(100_000)], lambda value: value[0].__setitem__(99_999, 1)),
        (lambda: {n: {n} for n in range(20_000)}, lambda value: value[19_999].add("a")),
    ],
)
def test_beyond_its_bound_a_snapshot_still_decides(
    make: Callable[[], Any], change: Callable[[Any], None]
) -> None:
    value, same, changed = make(), make(), make()
    change(changed)
    texts = [snapshot({"result": one}, most_bytes=10_000) for one in (value, same, changed)]
    assert max(map(len, texts)) < 10_000 + 200 * 1_000
    assert compare_snapshots(texts[0], texts[1]) == ()
    (found, *_) = compare_snapshots(texts[0], texts[2])
    assert found.kind == "value"


def test_beyond_its_bound_nothing_is_said_under_a_tolerance() -> None:
    one, other = np.zeros(50_000), np.zeros(50_000)
    other[7] = 1e-9
    texts = [snapshot({"result": value}, most_bytes=10_000) for value in (one, other)]
    tolerance = Tolerance(absolute=1e-6)
    (found,) = compare_snapshots(*texts, tolerance=tolerance)
    assert found.kind == "not-comparable"
    assert compare_snapshots(texts[0], texts[0], tolerance=tolerance) == ()


def test_equal_content_gives_the_same_snapshot() -> None:
    one = snapshot({"result": [{"a": {1, "b", (2, (3,))}}]})
    assert one == snapshot({"result": [{"a": {(2, (3,)), "b", 1}}]})
    assert one != snapshot({"result": [{"a": {(2, (4,)), "b", 1}}]})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, "a", None], "[1, 'a', None]"),
        ((1,), "(1,)"),
        ({"a": {1}}, "{'a': {1}}"),
        (b"a", "b'a'"),
        (float("nan"), "nan"),
        (ValueError("x"), "ValueError('x')"),
        (np.arange(3), "ndarray([0, 1, 2], int64 (3,))"),
        (10**50, "0x446c3b15f9926687d2c40534fdb5... (167 bits)"),
        ("x" * 200, "'" + "x" * 74 + "..."),
        ({}, "{}"),
        (frozenset(), "frozenset()"),
        ((n for n in ()), "generator"),
    ],
)
def test_values_are_shown_in_short(value: object, text: str) -> None:
    shown = show_call(snapshot({"arguments.x": value}))
    assert shown == f"x={text}"
    assert len(shown) <= 80


def test_a_value_that_holds_itself_is_shown() -> None:
    value: list[Any] = [1]
    value.append(value)
    assert show_call(snapshot({"arguments.x": value, "result": 1})) == "x=[1, ...]"


def test_a_tolerance_is_no_negative_number() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        Tolerance(relative=-1)
