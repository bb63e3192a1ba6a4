"""The size of stress inputs: the solution is fast there, and the brute force is not."""

import pytest

from steelyard.authoring.strength import stress_size
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool

FAST = "class Solution:\n    def solve(self, nums):\n        return len(set(nums))\n"
SLOW = """
class Solution:
    def solve(self, nums):
        return sum(all(nums[j] != nums[i] for j in range(i)) for i in range(len(nums)))
"""


def args_of(n: int) -> list[list[int]]:
    return [list(range(n))]


def test_a_size_tells_the_brute_force_from_the_solution(pool: CellPool) -> None:
    found = stress_size(FAST, SLOW, args_of, most_n=16_384, limit_ms=100, budget_s=1.5, pool=pool)
    assert found.separates
    assert found.reason == ""
    assert 256 <= found.n < 16_384
    assert found.time_limit_ms == 100
    assert found.solution_ms < 30
    assert found.brute_force_growth != ""


def test_a_small_bound_makes_the_brute_force_good_enough(pool: CellPool) -> None:
    found = stress_size(FAST, SLOW, args_of, most_n=40, budget_s=0.2, pool=pool)
    assert not found.separates
    assert found.n == 40
    assert "the brute force takes" in found.reason
    assert found.time_limit_ms == 500


def test_without_a_brute_force_the_largest_size_sets_the_limit(pool: CellPool) -> None:
    found = stress_size(FAST, None, args_of, most_n=300, budget_s=0.2, pool=pool)
    assert (found.n, found.separates, found.brute_force_ms) == (300, False, None)


def test_a_program_that_fails_has_no_growth(pool: CellPool) -> None:
    fails = "class Solution:\n    def solve(self, nums):\n        return nums[-20]\n"
    with pytest.raises(UsageError, match=r"^the brute force was not timed at any size"):
        stress_size(FAST, fails, args_of, most_n=16, budget_s=0.2, pool=pool)
    with pytest.raises(UsageError, match=r"^the solution fails at n = 16: it raised IndexError"):
        stress_size(
            fails, None, lambda n: [list(range(33 - n))], most_n=16, budget_s=0.2, pool=pool
        )
