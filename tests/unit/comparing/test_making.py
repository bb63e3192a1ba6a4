"""Which calls others are made from, which of those made are kept, and that a seed settles it."""

import pickle
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from steelyard.comparing.calls.incell.bases import sampled, trimmed
from steelyard.comparing.calls.incell.paths import Path as Lines
from steelyard.comparing.calls.incell.paths import by_turns

MODULE = """
LIMITS = (100, 500)


def prices(weights, rates):
    if len(rates) != len(LIMITS) + 1:
        raise ValueError("rates")
    return [rates[sum(weight > limit for limit in LIMITS)] for weight in weights]
"""
SCRIPT = """
import pickle, sys
from steelyard.comparing.steadiness.incell import patches
patches.apply()
from steelyard.comparing.calls.incell.making import run_making
from steelyard.comparing.incell.told import MakeUpCalls, NewCall
from steelyard.project_runs.incell.task import Context, Function

seed, count = map(int, sys.argv[1:])
calls = [(([n + i for i in range(60)], [3, 5, 8]), {}) for n in range(9)] + [(([], [1, 2, 3]), {})]
asked = MakeUpCalls(
    tests=["many"] * 9 + ["none"], calls=[pickle.dumps(call, 5) for call in calls],
    methods=[], count=count, seed=seed, seconds=1e6, call_seconds=60,
)
made = []
def tell(record):
    if isinstance(record, NewCall) and record.is_known and not record.shown:
        made.append(record.call)
run_making(asked, Context(Function("post", "post.py", "prices"), tell, None))
sys.stdout.buffer.write(pickle.dumps(made))
"""


def _made(folder: Path, seed: int, count: int = 40) -> list[bytes]:
    folder.joinpath("post.py").write_text(MODULE)
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(seed), str(count)],
        capture_output=True,
        check=True,
        cwd=folder,
        env={"PYTHONHASHSEED": "0"},
    )
    return pickle.loads(ended.stdout)


def test_the_seed_settles_which_calls_are_made(tmp_path: Path) -> None:
    first, again, other = (_made(tmp_path, seed) for seed in (1, 1, 2))
    assert first == again
    assert set(first) != set(other)
    assert len(first) == len(set(first)) == 40


def test_few_of_those_kept_are_large_or_fail_alike(tmp_path: Path) -> None:
    calls = [pickle.loads(data) for data in _made(tmp_path, 3)]
    sizes = [len(call[0][0]) for call in calls if isinstance(call[0][0], list)]
    assert sum(size < 20 for size in sizes) > len(calls) / 2
    wrong = [call for call in calls if len(call[0]) > 1 and len(call[0][1]) != 3]
    assert 0 < len(wrong) <= len(calls) / 3


COUNTING = """
def total(count, names, by=1):
    return sum(range(count))


def half(count, names, by=1):
    return count // 2


def deep(count, names, by=1):
    return 0 if count <= 0 else 1 + deep(count - 1, names)
"""


@pytest.mark.exhaustive
def test_large_numbers_are_kept_where_calls_with_them_end(tmp_path: Path) -> None:
    tmp_path.joinpath("post.py").write_text(COUNTING)
    largest = {}
    for name in ("total", "half", "deep"):
        script = SCRIPT.replace('"prices"', f'"{name}"').replace(
            "call_seconds=60", "call_seconds=0.1"
        )
        script = script.replace("(([n + i for i in range(60)], [3, 5, 8]), {})", "((n, ['a']), {})")
        script = script.replace("(([], [1, 2, 3]), {})", "((0, []), {})")
        ended = subprocess.run(
            [sys.executable, "-c", script, "1", "60"],
            capture_output=True,
            check=True,
            cwd=tmp_path,
            env={"PYTHONHASHSEED": "0"},
        )
        calls = [pickle.loads(data) for data in pickle.loads(ended.stdout)]
        counts = [args[0] if args else kwargs["count"] for args, kwargs in calls]
        largest[name] = max(counts)
        assert len(calls) > 20
    assert largest["half"] >= 2**31
    # In C it would count for days, and no signal would end it.
    assert largest["total"] < 2**31
    # How deep calls may go is the interpreter's affair: what calls itself may become a loop.
    assert largest["deep"] < 1_000


PLANTING = """
import pickle, sys
from steelyard.comparing.steadiness.incell import patches
patches.apply()
from steelyard.comparing.calls.incell.making import run_planting
from steelyard.comparing.incell.told import NewCall, PlantLiterals
from steelyard.project_runs.incell.task import Context, Function

asked = PlantLiterals(
    calls=[pickle.dumps(((3, ["a"]), {}), 5)], literals=["1000000000000000", "40"],
    count=20, seed=1, call_seconds=0.1,
)
made = []
def tell(record):
    if isinstance(record, NewCall):
        made.append(record.call)
run_planting(asked, Context(Function("post", "post.py", "total"), tell, None))
sys.stdout.buffer.write(pickle.dumps(made))
"""


def test_a_large_literal_is_planted_only_where_the_call_ends(tmp_path: Path) -> None:
    tmp_path.joinpath("post.py").write_text(COUNTING)
    ended = subprocess.run(
        [sys.executable, "-c", PLANTING],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={"PYTHONHASHSEED": "0"},
        timeout=100,
    )
    calls = [pickle.loads(data) for data in pickle.loads(ended.stdout)]
    counts = [args[0] for args, _ in calls]
    assert 40 in counts
    assert max(counts) < 2**31  # in C it would count for days


class TestSampled:
    def test_each_test_has_its_share_whatever_it_recorded(self) -> None:
        groups = ["busy"] * 100 + ["quiet"] * 2
        chosen = sampled([10] * 102, groups, most=8)
        assert Counter(groups[place] for place in chosen) == {"busy": 6, "quiet": 2}

    def test_small_and_large_ones_are_taken(self) -> None:
        assert sampled(list(range(50)), ["a"] * 50, most=4) == [0, 1, 48, 49]

    def test_all_of_few(self) -> None:
        assert sampled([5, 1], ["a", "b"], most=9) == [0, 1]
        assert sampled([], [], most=9) == []


class TestTrimmed:
    def test_what_goes_together_stays_together(self) -> None:
        weights = list(range(100))
        call = ((weights, [10 * weight for weight in weights], list(range(101))), {"n": 3})
        (args, kwargs) = trimmed(call, random.Random(1))
        assert 3 <= len(args[0]) <= 6
        assert args[1] == [10 * weight for weight in args[0]]
        assert len(args[2]) == len(args[0]) + 1
        assert kwargs == {"n": 3}
        assert len(call[0][0]) == 100

    def test_a_matrix_stays_square(self) -> None:
        call = (([[10 * i + j for j in range(9)] for i in range(9)],), {})
        made = trimmed(call, random.Random(1))[0][0]
        assert {len(row) for row in made} == {len(made)}

    def test_texts_keep_a_stretch(self) -> None:
        text = "".join(f"{i:03}" for i in range(200))
        made = trimmed(((text,), {}), random.Random(1))[0][0]
        assert len(made) <= 40
        assert made in text

    def test_records_keep_their_fields(self) -> None:
        row = dict.fromkeys("abcdefghij", 1)
        assert trimmed((([row],), {}), random.Random(1)) is None
        made = trimmed((([row] * 30, (1, "a", 2.0, None, 1, 2, 3)), {}), random.Random(1))
        assert {len(each) for each in made[0][0]} == {10}
        assert len(made[0][1]) == 7

    def test_what_is_small_is_left_alone(self) -> None:
        assert trimmed((([1, 2], "abc"), {}), random.Random(1)) is None


class TestPaths:
    @staticmethod
    def _ways(x: int) -> str:
        if x > 3:
            return "large"
        return "small"

    def _lines(self, x: int) -> frozenset:
        lines = Lines(self._ways)
        lines.start()
        self._ways(x)
        return lines.stop()

    def test_calls_are_told_apart_by_the_lines_that_they_run(self) -> None:
        assert self._lines(1) == self._lines(2) != self._lines(9)
        assert self._lines(9)

    @pytest.mark.parametrize("often", [100, 1_000])
    def test_a_path_that_is_rare_comes_early(self, often: int) -> None:
        paths = ["usual"] * often + ["rare"] * 3
        order = by_turns(paths, [False] * len(paths))
        assert sorted(order) == list(range(len(paths)))
        assert {place for place in order[:60] if place >= often} == {often, often + 1, often + 2}

    def test_failures_come_half_as_often(self) -> None:
        order = by_turns(["a", "b"] * 50, [False, True] * 50)
        assert sum(place % 2 for place in order[:30]) == 10
