"""The size of stress inputs: the solution is fast there, and the brute force is not."""

import pytest
from pydantic import JsonValue

from steelyard.errors import UsageError
from steelyard.inputs import MainSize, inputs_of
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Specification, StressSize
from steelyard.strength import fit_limit, measure_strength, stress_size

FAST = "class Solution:\n    def solve(self, nums):\n        return len(set(nums))\n"
SLOW = """
class Solution:
    def solve(self, nums):
        return sum(all(nums[j] != nums[i] for j in range(i)) for i in range(len(nums)))
"""


class Lists:
    """Lists of numbers: of different ones, unless all are to be equal."""

    def kinds(self, n: int) -> list[str]:
        return ["equal", "different"]

    def args(self, n: int, kind: str) -> list[JsonValue]:
        return [[0] * n if kind == "equal" else list(range(n))]


def test_a_size_tells_the_brute_force_from_the_solution(pool: CellPool) -> None:
    # By margin: at 16,384 the brute force does some 8,000 times the work of the solution, so that
    # it takes over twice 100 ms there on a machine that is 30 times as fast.
    found = stress_size(FAST, SLOW, Lists(), most_n=16_384, limit_ms=100, pool=pool)
    assert found.separates
    assert found.reason == ""
    assert found.kind == "different", "the brute force ends early on equal numbers"
    assert 256 <= found.n <= 16_384
    assert found.time_limit_ms == 100
    assert found.solution_ms < 30
    assert found.brute_force_ms is not None
    assert found.brute_force_ms >= 200
    assert found.brute_force_growth != ""


@pytest.mark.exhaustive
def test_a_short_limit_is_proposed_if_the_brute_force_is_not_much_slower(pool: CellPool) -> None:
    # By the clock of the process: this brute force takes 800 ms on every machine.
    slow = (
        "import time\n"
        "class Solution:\n"
        "    def solve(self, nums):\n"
        "        while len(nums) == 64 and time.process_time() < 0.8:\n"
        "            pass\n"
        "        return len(set(nums))\n"
    )
    found = stress_size(FAST, slow, Lists(), most_n=64, pool=pool)
    assert (found.n, found.separates, found.time_limit_ms) == (64, True, 200)


@pytest.mark.exhaustive
def test_a_small_bound_makes_the_brute_force_good_enough(pool: CellPool) -> None:
    found = stress_size(FAST, SLOW, Lists(), most_n=40, pool=pool)
    assert not found.separates
    assert found.n == 40
    assert "the brute force takes" in found.reason
    assert found.time_limit_ms in (200, 500), "the shortest that the solution meets easily"


def size(limit_ms: float, *, separates: bool) -> StressSize:
    return StressSize(
        n=64,
        time_limit_ms=limit_ms,
        separates=separates,
        solution_ms=5,
        brute_force_ms=300,
        reason="" if separates else "too fast",
    )


def test_a_limit_that_suits_all_cases_stays() -> None:
    found = size(500, separates=True)
    assert fit_limit(found, [1, 2], [3, 149], [9, 9]) is found
    assert fit_limit(found, [1, 2], [3, 20], [9, 9]) is found


def test_a_limit_is_no_longer_than_ten_times_what_the_solution_takes() -> None:
    found = size(500, separates=True)
    assert fit_limit(found, [1, 2], [3, 19], [9, 9]).time_limit_ms == 200
    assert fit_limit(found, [1, 2], [3, 9], [9, 9]).time_limit_ms == 100
    assert fit_limit(found, [], [], []).time_limit_ms == 100, "the solution took 5 ms"
    slower = found.model_copy(update={"solution_ms": 15})
    assert fit_limit(slower, [1], [0], [0]).time_limit_ms == 200
    shortened = fit_limit(found, [1, 2], [3, 9], [9, 9])
    assert shortened == found.model_copy(update={"time_limit_ms": 100})


def test_a_case_of_the_suite_may_separate() -> None:
    found = fit_limit(size(200, separates=False), [7, 90, 8], [3, 20, 5], [9, 650, 0])
    assert (found.n, found.separates, found.time_limit_ms, found.reason) == (90, True, 200, "")
    assert (found.solution_ms, found.brute_force_ms) == (20, 650)
    assert fit_limit(size(200, separates=False), [7, 8], [3, 20], [9, 1_001]).time_limit_ms == 500


def test_a_slower_case_of_the_suite_asks_for_a_longer_limit() -> None:
    found = fit_limit(size(500, separates=True), [7, 8], [3, 390], [9, 600])
    assert (found.separates, found.time_limit_ms) == (False, 4_000)
    assert "390 ms on a case" in found.reason
    assert fit_limit(size(500, separates=True), [7], [390], [4_100]).time_limit_ms == 2_000


def test_without_a_brute_force_the_largest_size_sets_the_limit(pool: CellPool) -> None:
    found = stress_size(FAST, None, Lists(), most_n=300, pool=pool)
    assert (found.n, found.separates, found.brute_force_ms) == (300, False, None)


def test_a_search_ends_with_its_budget(pool: CellPool) -> None:
    found = stress_size(SLOW, SLOW, Lists(), most_n=512, budget_s=0.001, pool=pool)
    assert not found.separates
    assert "not found within 0.001 s" in found.reason


def test_a_program_that_fails_has_no_growth(pool: CellPool) -> None:
    fails = "class Solution:\n    def solve(self, nums):\n        return nums[-20]\n"
    with pytest.raises(UsageError, match=r"^the brute force fails at n = 1: it raised IndexError"):
        stress_size(FAST, fails, Lists(), most_n=16, pool=pool)
    with pytest.raises(UsageError, match=r"^the solution fails at n = 16: it raised IndexError"):
        stress_size(fails, None, Lists(), most_n=16, pool=pool)


SPEC = Specification.model_validate(
    {
        "title": "Different",
        "description": "The number of different items.",
        "returns": "int",
        "parameters": [{"name": "nums", "type": "list[int]"}],
        "constraints": ["1 <= len(nums) <= 32768", "all(0 <= x <= 10**9 for x in nums)"],
        "examples": [{"args": [[1, 2, 1]], "expected": 2}],
    }
)
SMALL = [{"args": [[1, 2, 1]], "expected": 2}, {"args": [[7]], "expected": 1}]


def test_the_main_size_of_a_specification() -> None:
    inputs = inputs_of(SPEC)
    assert inputs.size == MainSize("len(nums)", 1, 32_768)
    assert inputs.size_of(([1, 2, 3],)) == 3


def test_a_size_that_does_not_grow_is_a_note(pool: CellPool) -> None:
    narrow = SPEC.model_copy(
        update={"constraints": ("1 <= len(nums) <= 5", "all(0 <= x <= 9 for x in nums)")}
    )
    report = measure_strength(SMALL, FAST, spec=narrow, slow=[SLOW], mutants=0, pool=pool)
    assert report.growth is None
    assert any("growth was not measured" in note for note in report.notes)


def test_growth_is_in_the_certificate(pool: CellPool) -> None:
    # By margin: at 32,768 different numbers the brute force takes 500 million steps of a generator,
    # and 400 ms are enough to tell it from the solution.
    report = measure_strength(
        SMALL, FAST, spec=SPEC, slow=[SLOW], mutants=0, limits=Limits(cpu_ms=200), pool=pool
    )
    growth = report.growth
    assert growth is not None
    assert (growth.separates, growth.quantity, growth.time_limit_ms) == (True, "len(nums)", 200)
    assert 16 <= growth.n <= 32_768
    assert str(growth.cases) == "0 of 2"
    assert str(report.slow) == "0 of 1"
    assert any("no case has len(nums) >=" in note for note in report.notes)
    assert not report.passed
    large = [*SMALL, {"args": [list(range(growth.n))], "expected": growth.n}]
    report = measure_strength(
        large, FAST, slow=[SLOW], mutants=0, limits=Limits(cpu_ms=200), pool=pool
    )
    assert str(report.slow) == "1 of 1"
