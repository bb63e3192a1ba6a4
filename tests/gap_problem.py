"""A stored problem with right and wrong solutions, for tests of submissions and challenges."""

from collections.abc import Sequence
from itertools import pairwise

from pydantic import JsonValue

from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    OutputEvidence,
    Parameter,
    SpecExample,
    Specification,
    StoredSolution,
)
from steelyard.storage import Database
from tests.stored_problems import an_input

NAME = "gap"
SPEC = Specification(
    title="Widest gap",
    description="Return the largest difference of neighbours once the numbers are sorted.",
    parameters=(Parameter(name="nums", type="list[int]"),),
    returns="int",
    constraints=("1 <= len(nums) <= 1000", "all(-1000 <= x <= 1000 for x in nums)"),
    examples=(SpecExample(args=([3, 9, 5],), expected=4), SpecExample(args=([7],), expected=0)),
)
OPTIMISED = """\
class Solution:
    def solve(self, nums):
        nums = sorted(nums)
        return max((b - a for a, b in zip(nums, nums[1:])), default=0)
"""
BRUTE_FORCE = """\
class Solution:
    def solve(self, nums):
        best = 0
        for a in nums:
            above = [b for b in nums if b > a]
            if above:
                best = max(best, min(above) - a)
        return best
"""
NEGATIVES_FORGOTTEN = OPTIMISED.replace("sorted(nums)", "sorted(abs(x) for x in nums)")
"""Right for every example, and for every input without negative numbers."""
FAILS_LONG = OPTIMISED.replace("        return", "        assert len(nums) < 9\n        return")


def gap(nums: Sequence[int]) -> int:
    ordered = sorted(nums)
    return max((b - a for a, b in pairwise(ordered)), default=0)


def case(name: str, *nums: int, **changes: object) -> AuthoredCase:
    fields: dict[str, object] = {
        "name": name,
        "category": "basic",
        "origin": "family uniform",
        "input": an_input(list(nums)),
        "expected": gap(nums),
        "has_expected": True,
        "trust": "trusted",
        "evidence": OutputEvidence(independent=2, agree=2, inputs=9, exhaustive_to="len <= 2"),
    }
    return AuthoredCase.model_validate(fields | changes)


EXAMPLE = case("example 1", 3, 9, 5, origin="example 1", evidence=OutputEvidence(truth="example"))
CASES = (EXAMPLE, case("small", 1, 2), case("edge", 5, 5, category="edge"), case("five", 9, 1, 4))


def suite(*cases: AuthoredCase, **changes: object) -> AuthoredSuite:
    fields = {"spec_digest": SPEC.digest, "cases": cases or CASES}
    return AuthoredSuite.model_validate(fields | changes)


def solution(source: str, role: str = "optimised", **fields: JsonValue) -> StoredSolution:
    return StoredSolution.model_validate({"problem": NAME, "role": role, "source": source} | fields)


RIGHT = (solution(OPTIMISED), solution(BRUTE_FORCE, "brute-force"))


def store(
    database: Database, *solutions: StoredSolution, cases: Sequence[AuthoredCase] = CASES
) -> None:
    with database.change() as change:
        change.store_problem(NAME, SPEC, suite(*cases), solutions or RIGHT, reason="authored")
