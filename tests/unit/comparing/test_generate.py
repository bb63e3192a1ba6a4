"""Calls that Hypothesis makes up: from annotations, from what was recorded, the same each time."""

import copy
import dataclasses
import enum
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypedDict

import numpy as np
import pytest

from steelyard.comparing.calls.incell.generate import generated
from steelyard.comparing.calls.incell.near import Source, source_of
from tests.unit.comparing.patched_processes import shown_plain_and_patched
from tests.unit.comparing.planted_pairs import PAIRS, is_endless, outcome


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Order:
    name: str
    amounts: list[int]
    colour: Colour = Colour.RED


class Options(TypedDict):
    wide: bool


class Counter:
    def __init__(self, start: int) -> None:
        self.start = start

    def count(self, to, step=1):
        return range(self.start, to, step)


def _annotated(numbers: list[int], size: int = 3, *, name: str | None = None) -> None: ...


def _bare(rows, by="id", *rest, **named): ...


def _drawn(function, recorded=(), count: int = 60, seed: int = 1):
    """Without an end in time: only the count is bounded."""
    made = generated(function, recorded, source_of(function), count=count, seed=seed, seconds=1e6)
    assert made.calls, made.notes
    return made.calls


def _found_by(pair) -> int:
    made = generated(
        pair.original, pair.recorded, source_of(pair.original), count=60, seed=0, seconds=1e6
    )
    return sum(
        outcome(pair.original, copy.deepcopy(call)) != outcome(pair.candidate, copy.deepcopy(call))
        for call in made.calls
        if not is_endless(call)
    )


FOUND_WITHOUT_MUTANTS = (
    "last chunk",
    "order of ties",
    "negative modulo",
    "empty",
    "nan",
    "sharp s",
    "digits",
    "order kept",
    "edge of a limit",
    "equal element",
    "equal records",
    "white space",
    "equal values",
    "first of a month",
    "window too wide",
    "falsy value",
)


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(pair, id=pair.name, marks=pytest.mark.exhaustive if index % 3 else ())
        for index, pair in enumerate(PAIRS)
        if pair.name in FOUND_WITHOUT_MUTANTS
    ],
)
def test_a_planted_bug_is_found_without_mutants(pair) -> None:
    assert _found_by(pair) > 0


class TestGenerated:
    def test_the_same_seed_gives_the_same_calls(self) -> None:
        first, again, other = (repr(_drawn(_annotated, seed=i)) for i in (7, 7, 8))
        assert first == again != other

    def test_so_it_does_with_the_deterministic_patches_and_other_modules(self) -> None:
        script = (
            "import sys\n"
            "from steelyard.comparing.calls.incell import generate, near\n"
            "if sys.argv[1] == 'patched':\n"
            "    import numpy, steelyard.schemas\n"
            "    from steelyard.comparing.steadiness.incell import patches\n    patches.apply()\n"
            "def f(numbers: list[int], k: float, text='x'): pass\n"
            "known = [(([1], 2.0), {})]\n"
            "how = {'count': 50, 'seed': 1, 'seconds': 1e6}\n"
            "made = generate.generated(f, known, near.Source(), **how)\n"
            "assert len(made.calls) == 50\n"
            "print(made)\n"
        )
        plain, patched = shown_plain_and_patched(script)
        assert plain == patched != ""

    def test_nothing_is_printed_and_no_file_is_left(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        _drawn(_annotated)
        assert list(tmp_path.iterdir()) == []
        assert capfd.readouterr() == ("", "")

    def test_annotations_are_kept_to(self) -> None:
        sizes = set()
        for args, kwargs in _drawn(_annotated):
            given = dict(zip(("numbers", "size"), args, strict=False)) | kwargs
            assert all(type(number) is int for number in given["numbers"])
            assert type(given.get("size", 0)) is int
            assert isinstance(given.get("name"), str | None)
            sizes.add(len(given["numbers"]))
        assert 0 in sizes
        assert max(sizes) > 6

    def test_defaults_are_left_out_now_and_then(self) -> None:
        calls = _drawn(_annotated)
        assert {len(args) for args, _ in calls} == {1, 2}
        assert {tuple(kwargs) for _, kwargs in calls} >= {(), ("name",)}

    def test_small_ones_come_first(self) -> None:
        sizes = [len(repr(call)) for call in _drawn(_annotated)]
        assert sum(sizes[:20]) < sum(sizes[-20:])

    def test_all_differ_from_each_other_and_from_those_recorded(self) -> None:
        recorded = [(([1, 2],), {}), (([],), {})]
        shown = [repr(call) for call in [*_drawn(_annotated, recorded), *recorded]]
        assert len(shown) == len(set(shown))

    def test_recorded_values_serve_where_nothing_is_annotated(self) -> None:
        rows = [{"id": 1, "name": "a"}, {"id": 2, "name": "b", "note": None}]
        calls = _drawn(_bare, [((rows,), {}), ((rows[:1], "name", 5), {"deep": True})])
        drawn = [row for args, _ in calls for row in args[0]]
        assert {type(args[0]) for args, _ in calls} == {list}
        assert {type(row["id"]) for row in drawn} == {int}
        assert {type(row["name"]) for row in drawn} == {str}
        assert len({row["id"] for row in drawn}) > 5
        assert {"note" in row for row in drawn} == {True, False}
        assert {type(args[1]) for args, _ in calls if len(args) > 1} == {str}
        assert any(len(args) > 3 for args, _ in calls)
        assert {True, False} <= {kwargs.get("deep") for _, kwargs in calls}

    def test_parts_repeat_so_that_something_ties(self) -> None:
        calls = _drawn(_bare, [(([{"id": 3}, {"id": 4}],), {})])
        assert any(
            len(args[0]) > 1 and len({row["id"] for row in args[0]}) < len(args[0])
            for args, _ in calls
        )

    def test_a_method_is_called_on_recorded_objects(self) -> None:
        counter = Counter(5)
        calls = _drawn(Counter.count, [((counter, 9), {})])
        assert {type(args[0]) for args, _ in calls} == {Counter}
        assert {args[0].start for args, _ in calls} == {5}
        assert all(args[0] is not counter for args, _ in calls)
        assert len({args[1] for args, _ in calls if len(args) > 1}) > 5

    def test_a_method_without_an_object_gives_a_note(self) -> None:
        made = generated(Counter.count, [], Source(), count=5, seed=1, seconds=1e6)
        assert made.calls == []
        assert "no object to call the method on" in made.notes[0]

    def test_types_of_many_kinds(self) -> None:
        def function(
            order: Order,
            options: Options,
            mode: Literal["r", "w"],
            pairs: dict[str, tuple[int, float]],
            names: Sequence[str] | None,
        ) -> None: ...

        for args, _ in _drawn(function, count=30):
            order, options, mode, pairs, names = args
            assert type(order) is Order
            assert type(order.colour) is Colour
            assert list(options) == ["wide"]
            assert mode in ("r", "w")
            assert all(isinstance(value[1], float) for value in pairs.values())
            assert names is None or all(type(name) is str for name in names)

    def test_arrays_keep_dtype_and_dimensions(self) -> None:
        calls = _drawn(_bare, [((np.zeros((2, 3), np.int16),), {})])
        assert {(args[0].dtype.name, args[0].ndim) for args, _ in calls} == {("int16", 2)}
        assert len({args[0].shape for args, _ in calls}) > 3

    def test_most_whole_numbers_stay_where_loops_end_and_some_do_not(self) -> None:
        calls = _drawn(_annotated, [(([1], 4), {})], count=200)
        sizes = [abs(args[1]) for args, _ in calls if len(args) > 1]
        large = [size for size in sizes if size > 1000]
        assert 0 < len(large) < len(sizes) / 3
        assert max(large) > 2**53

    def test_an_annotation_does_not_change_how_many_dimensions_arrays_have(self) -> None:
        def function(row: np.ndarray, rows: list[np.ndarray], n: int) -> None: ...

        recorded = [((np.arange(3), [np.ones(2)], 1), {}), ((np.arange(5), [], 2), {})]
        calls = _drawn(function, recorded, count=100)
        assert {(args[0].ndim, args[0].dtype.name) for args, _ in calls} == {(1, "int64")}
        assert {row.ndim for args, _ in calls for row in args[1]} == {1}
        assert any(args[0].size == 0 for args, _ in calls)

    def test_recorded_calls_do_change_it(self) -> None:
        recorded = [((np.zeros(2),), {}), ((np.zeros((1, 2, 3)),), {})]
        assert {args[0].ndim for args, _ in _drawn(_bare, recorded)} == {1, 3}

    def test_recorded_tuples_say_what_a_bare_annotation_leaves_open(self) -> None:
        def function(lines: list[tuple], end: tuple) -> None: ...

        calls = _drawn(function, [(([(1, "a"), (2, "b")], (1, 2)), {})])
        kinds = {tuple(map(type, line)) for args, _ in calls for line in args[0]}
        assert kinds == {(int, str)}
        assert {len(args[1]) for args, _ in calls} == {2}

    def test_texts_have_odd_characters_that_the_source_points_to(self) -> None:
        def function(text):
            return text.splitlines()

        texts = [args[0] for args, _ in _drawn(function, [(("one\ntwo\n",), {})], count=100)]
        odd = [text for text in texts if text.splitlines() != text.removesuffix("\n").split("\n")]
        assert len(texts) / 10 < len(odd) < len(texts)
        assert any("\u2028" in text for text in texts)

    def test_literals_and_their_neighbours_are_drawn(self) -> None:
        def function(size: int) -> bool:
            return size > 4711

        assert {4710, 4711, 4712} <= {
            (*args, *kwargs.values())[0] for args, kwargs in _drawn(function, count=200)
        }

    def test_an_argument_that_nothing_is_known_of_gets_no_value(self) -> None:
        def function(a: "Missing", b: "int") -> None: ...  # noqa: F821

        made = generated(function, [], Source(), count=20, seed=1, seconds=1e6)
        assert made.calls == []
        assert "argument a has no annotation, and no call of it was recorded" in made.notes[0]
        made = generated(function, [(("x", 1), {})], Source(), count=20, seed=1, seconds=1e6)
        assert {tuple(map(type, args)) for args, _ in made.calls} == {(str, int)}

    def test_the_count_and_the_time_bound_it(self) -> None:
        assert len(_drawn(_annotated, count=7)) == 7
        late = generated(_annotated, [], Source(), count=500, seed=1, seconds=-1)
        assert len(late.calls) <= 1
        assert "s was reached" in late.notes[0]

    def test_one_possible_call_is_no_endless_search(self) -> None:
        def function() -> None: ...

        def of_bool(flag: bool) -> None: ...

        assert _drawn(function) == [((), {})]
        assert len(_drawn(of_bool)) == 2

    def test_without_hypothesis_it_says_so(self) -> None:
        script = (
            "import sys\nsys.modules['hypothesis'] = None\n"
            "from steelyard.comparing.calls.incell.generate import generated\n"
            "from steelyard.comparing.calls.incell.near import Source\n"
            "print(generated(lambda a=1: a, [], Source(), count=5, seed=1, seconds=5))\n"
        )
        shown = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout
        assert "calls=[]" in shown
        assert "Hypothesis cannot be loaded, so it generates no calls" in shown

    def test_a_function_without_a_signature(self) -> None:
        made = generated(iter, [], Source(), count=3, seed=1, seconds=1e6)
        assert made.calls == []
        assert len(made.notes) == 1
