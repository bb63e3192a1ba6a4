"""Which kinds of arguments are known, and which neighbours of them are tried."""

import pickle
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from steelyard.comparing.calls.incell.known import Known
from steelyard.comparing.calls.incell.neighbours import neighbours


def _annotated(
    items: Iterable[int], table: dict[str, list[float]], pair: tuple[int, str] | None = None
) -> None: ...


def _bare(rows, size=None, *rest) -> None: ...


ROWS = [{"name": "a", "price": 1}, {"name": "b", "price": 2, "note": None}]
RECORDED = [((ROWS, 3, (1, 2), (5, 6)), {}), ((ROWS[:1],), {})]


@pytest.mark.parametrize(
    ("args", "is_known"),
    [
        (([1], {}), True),
        ((iter([1]), {"a": [1, 2.5]}), True),
        (({1: 2}.keys(), {}, (1, "a")), True),
        ((["a"], {}), False),
        (([None], {}), False),
        ((None, {}), False),
        (([], [("a", 1)]), False),
        (([], {"a": [None]}), False),
        (([], {}, (1, "a", 2)), False),
        (([], {}, [1, "a"]), False),
    ],
)
def test_an_annotation_tells(args: tuple[Any, ...], is_known: bool) -> None:
    assert Known(_annotated, []).covers((args, {})) == is_known


@pytest.mark.parametrize(
    ("args", "is_known"),
    [
        (([],), True),
        ((ROWS * 3, None), True),
        (([{"name": "", "price": -1}], 7, (8, 9)), True),
        (([{}],), False),
        (([{"name": "a"}],), False),
        (([{"name": 1, "price": 1}],), False),
        (([{"name": "a", "price": None}],), False),
        ((tuple(ROWS),), False),
        ((ROWS, "3"), False),
        ((ROWS, 3, (1, 2, 3)), False),
        ((), False),
    ],
)
def test_recorded_calls_and_defaults_tell(args: tuple[Any, ...], is_known: bool) -> None:
    assert Known(_bare, RECORDED).covers((args, {})) == is_known


def test_what_is_recorded_counts_beyond_an_annotation() -> None:
    def function(items: Sequence[int]) -> None: ...

    assert not Known(function, []).covers((({1},), {}))
    assert Known(function, [(({2},), {})]).covers((({1},), {}))


def test_neighbours_need_only_the_standard_library_to_be_loaded() -> None:
    calls = [(([1, 2], {"a": 1}, b"x", 5), {})]
    made = list(neighbours(calls, ["items", "table", "data", "size"]))
    assert len(made) > 12
    script = (
        "import pickle, sys\n"
        "for call in pickle.load(sys.stdin.buffer):\n"
        "    args, _ = pickle.loads(call)\n"
        "    print(*(type(each).__name__ for each in args))\n"
        "assert not any(name.startswith('steelyard') for name in sys.modules)\n"
    )
    pickles = pickle.dumps([pickle.dumps(call, 5) for call, _, _ in made])
    shown = subprocess.run(
        [sys.executable, "-Ic", script], input=pickles, capture_output=True, check=True
    ).stdout.decode()
    for kind in ("chain", "tuple", "dict_values", "Items", "deque", "memoryview", "dict_items"):
        assert kind in shown.split(), shown


def test_an_iterator_fails_at_its_end() -> None:
    made = neighbours([(([1, 2],), {})], ["items"])
    (call,) = (call for call, _, shown in made if "fails" in shown)
    (items,), _ = pickle.loads(pickle.dumps(call, 5))
    found = []
    with pytest.raises(ZeroDivisionError):
        found += [next(items) for _ in range(2)] + list(items)
    assert next(items, None) is None
