"""Strength of a suite: what kills a mutant is found, and nothing else counts as a kill."""

from collections.abc import Mapping, Sequence

import pytest

from steelyard.errors import TestsError, ToolchainError, UsageError
from steelyard.judging import (
    Outcome,
    ValueChecker,
    as_entry,
    load_tests,
    value_checker_for,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, TestCase, Verdict
from steelyard.strength import Bench, KillMatrix, Mutant, mutants_of
from steelyard.toolchains import find_toolchain

ENTRY = as_entry("class:Solution.solve")
FIRST = """
class Solution:
    def solve(self, nums, target):
        for i in range(len(nums)):
            if nums[i] == target:
                return i
        return -1
"""
CASES = [
    {"args": [[4, 2, 2], 2], "expected": 1},
    {"args": [[], 1], "expected": -1},
    {"args": [[7], 7], "expected": 0},
    {"args": [[1, 2, 3], 9], "expected": -1},
]


def bench(
    pool: CellPool,
    solution: str = FIRST,
    cases: Sequence[Mapping[str, object]] = CASES,
    limits: Limits | None = None,
) -> Bench:
    """The bench of a solution, for cases that it passes."""
    return Bench(
        solution.encode(),
        find_toolchain("python"),
        load_tests(cases, entry=ENTRY),
        entry=ENTRY,
        checker=value_checker_for("exact"),
        pool=pool,
        limits=limits or Limits(),
    )


def changed(before: str, after: str, source: str = FIRST) -> Mutant:
    """A mutant that replaces a part of the solution, which occurs once."""
    assert source.count(before) == 1
    start = source.index(before)
    return Mutant(before, "test", 1, source.encode(), start, start + len(before), after)


def only(matrix: KillMatrix) -> tuple[Verdict, ...]:
    """The verdicts of the one program."""
    (row,) = matrix.rows
    return row.verdicts


def test_every_case_is_run_with_every_mutant(pool: CellPool) -> None:
    found = mutants_of(FIRST, pool=pool)
    matrix = bench(pool).mutants(found)
    assert matrix.cases == ("1", "2", "3", "4")
    assert [row.name for row in matrix.rows] == [mutant.name for mutant in found]
    by_name = {row.name: row.verdicts for row in matrix.rows}
    ac, wa, rte = Verdict.AC, Verdict.WA, Verdict.RTE
    assert by_name["line 5: nums[i] == target -> nums[i] != target"] == (wa, ac, wa, wa)
    assert by_name["line 4: range(len(nums)) -> range(len(nums) + 1)"] == (ac, rte, ac, rte)
    assert by_name["line 7: -1 -> 1"] == (ac, wa, ac, wa)
    assert len(matrix.killed) > 15


def test_a_mutant_ends_by_time_by_memory_or_by_sleeping(pool: CellPool) -> None:
    strength = bench(pool)
    endless = changed("return -1", "while True: pass")
    late = (Verdict.AC, Verdict.TLE, Verdict.SK, Verdict.SK)
    assert only(strength.mutants([endless])) == late
    asleep = changed("return -1", "__import__('time').sleep(3600)")
    assert only(strength.mutants([asleep])) == late
    greedy = changed("return -1", "return len(b'x' * (1 << 29)) * 0 - 1")
    small = bench(pool, limits=Limits(memory_mib=48))
    assert only(small.mutants([greedy])) == (Verdict.AC, Verdict.MLE, Verdict.SK, Verdict.SK)


def test_a_mutant_that_ends_its_process_is_killed_by_that_case_alone(pool: CellPool) -> None:
    gone = changed("return i", "__import__('os')._exit(0)")
    verdicts = (Verdict.RTE, Verdict.AC, Verdict.RTE, Verdict.AC)
    assert only(bench(pool).mutants([gone])) == verdicts


def test_an_endless_loop_is_not_paid_for_in_every_case(pool: CellPool) -> None:
    endless = changed("for i", "while True: pass\n        for i")
    tle, skipped = Verdict.TLE, Verdict.SK
    matrix = bench(pool).mutants([endless])
    assert only(matrix) == (tle, skipped, skipped, skipped)
    assert matrix.killed_by([2, 3]) == (0, 0)
    assert matrix.killed_by([0, 2]) == (1, 1)


@pytest.mark.parametrize("solution", ["class Solution: pass", FIRST.replace("-1", "0"), "def f(:"])
def test_a_solution_that_fails_the_suite_measures_nothing(pool: CellPool, solution: str) -> None:
    with pytest.raises(UsageError, match=r"^the solution (fails case|does not compile)"):
        bench(pool, solution)


def test_no_cases_measure_nothing(pool: CellPool) -> None:
    with pytest.raises(TestsError, match="there are no tests"):
        bench(pool, cases=[])


STATE = """
class Solution:
    def solve(self, n):
        self.seen = []
        self.seen.append(n)
        return len(self.seen)
"""
ONES = [{"args": [n], "expected": 1} for n in range(6)]


def test_state_that_one_case_leaves_to_the_next_kills_nothing(pool: CellPool) -> None:
    keeps = changed("self.seen = []", "self.seen = getattr(self, 'seen', [])", STATE)
    strength = bench(pool, STATE, ONES)
    assert strength.shares
    assert only(strength.mutants([keeps])) == (Verdict.AC,) * 6


def test_a_solution_that_keeps_state_has_a_process_for_each_case(pool: CellPool) -> None:
    keeps = STATE.replace("self.seen = []", "self.seen = getattr(self, 'seen', [])")
    strength = bench(pool, keeps, ONES)
    assert not strength.shares
    harmless = changed("len(self.seen)", "len(self.seen) + 0", keeps)
    assert only(strength.mutants([harmless])) == (Verdict.AC,) * 6


def test_whole_programs_run_alone_and_must_compile(pool: CellPool) -> None:
    strength, python = bench(pool), find_toolchain("python")
    wrong = FIRST.replace("== target", ">= target").encode()
    right = b"class Solution:\n    def solve(self, a, x): return a.index(x) if x in a else -1\n"
    matrix = strength.programs([("wrong", wrong, python), ("right", right, python)])
    assert [row.name for row in matrix.survivors] == ["right"]
    assert matrix.rows[0].how is Verdict.WA
    assert matrix.kills(0) == ("wrong",)
    with pytest.raises(UsageError, match=r"^other\.py does not compile: .*; correct this line$"):
        strength.programs([("other.py", b"def f(:", python)])


@pytest.mark.parametrize(
    "text",
    ["def f(:", "x = " + "(" * 3_000 + ")" * 3_000, "x = 1\0"],
    ids=["syntax", "deep", "nul"],
)
def test_a_text_that_cannot_be_parsed_is_a_wrong_call(pool: CellPool, text: str) -> None:
    with pytest.raises(UsageError, match=r"^the program cannot be parsed"):
        mutants_of(text, pool=pool)


def test_a_text_that_is_hard_to_compile_harms_its_cell_alone(pool: CellPool) -> None:
    hard = "def f(x):\n    return " + " + ".join(["x"] * 4_000) + "\n"
    assert len(mutants_of(hard, most=5, pool=pool)) <= 5


class AcceptsAll(ValueChecker):
    """A checker that is broken: no mutant would ever be killed."""

    __slots__ = ()

    def check(self, case: TestCase, output: bytes) -> Outcome:
        return Outcome(passed=True)


def test_a_judge_that_kills_nothing_is_noticed(pool: CellPool) -> None:
    plain = value_checker_for("exact")
    blind = Bench(
        FIRST.encode(),
        find_toolchain("python"),
        load_tests(CASES, entry=ENTRY),
        entry=ENTRY,
        checker=AcceptsAll(plain.mode, plain.tolerance),
        pool=pool,
        limits=Limits(),
    )
    with pytest.raises(ToolchainError, match='a program that always fails passes case "1"'):
        blind.mutants(mutants_of(FIRST, most=1, pool=pool))


LONG = """
import time

class Solution:
    def solve(self, n):
        end = time.process_time() + n / 1000
        while n > 99 and time.process_time() < end:
            pass
        return n * 2
"""


def test_cases_that_take_long_run_with_mutants_that_no_other_case_kills(pool: CellPool) -> None:
    cases = [{"args": [n], "expected": 2 * n} for n in (1, 20, 300)]
    strength = bench(pool, LONG, cases)
    by_light = changed("n * 2", "n * 2 + (n == 20)", LONG)
    by_heavy = changed("n * 2", "n * 2 + (n == 300)", LONG)
    first, second = strength.mutants([by_light, by_heavy]).rows
    assert first.verdicts == (Verdict.AC, Verdict.WA, Verdict.SK)
    assert second.verdicts == (Verdict.AC, Verdict.AC, Verdict.WA)
