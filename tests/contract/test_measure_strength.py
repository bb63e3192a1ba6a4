"""The certificate: each figure counts what it is named for, and says what it left out."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Event, StrengthReport

SOLUTION = """
class Solution:
    def solve(self, nums):
        total = 0
        for n in nums:
            if n > 0:
                total += n
        return total
"""
CASES: list[dict[str, Any]] = [
    {"name": "mixed", "args": [[3, -1, 4]], "expected": 7, "category": "basic"},
    {"name": "again", "args": [[3, -1, 4]], "expected": 7, "category": "basic"},
    {"name": "empty", "args": [[]], "expected": 0, "category": "edge"},
    {"name": "ones", "args": [[1, 1]], "expected": 2, "category": "edge"},
]
WRONG = "class Solution:\n    def solve(self, nums): return sum(set(x for x in nums if x > 0))\n"
RIGHT = "class Solution:\n    def solve(self, nums): return sum(x for x in nums if x > 0)\n"
SLOW = SOLUTION.replace(
    "for n in nums", "for n in nums + [0] * (1 << 40 if nums[:1] == [1] else 1)"
)
QUADRATIC = """
class Solution:
    def solve(self, nums):
        seen = []
        for n in nums:
            if n not in set(seen):
                seen.append(n)
        return len(seen)
"""


@pytest.fixture(scope="module")
def report(pool: CellPool) -> StrengthReport:
    return steelyard.measure_strength(
        CASES, SOLUTION, wrong=[WRONG, RIGHT], slow=[SLOW], references=[RIGHT, WRONG], pool=pool
    )


def test_planted_programs_are_killed_or_listed(report: StrengthReport) -> None:
    assert str(report.wrong) == "1 of 2"
    assert str(report.slow) == "1 of 1"
    assert [each.name for each in report.survivors if each.kind == "wrong"] == ["wrong program 2"]
    assert not report.passed


def test_killed_mutants_and_survivors_are_all_mutants(report: StrengthReport) -> None:
    score = report.mutation
    assert score is not None
    survivors = [each for each in report.survivors if each.kind == "mutant"]
    assert score.killed + len(survivors) == score.mutants <= score.possible
    assert sum(report.killed_by_verdict.values()) + score.by_work == score.killed
    assert score.never_killed == len(survivors)  # nothing was searched
    assert 0.5 < score.low <= score.high == 1.0
    assert any("were not searched for" in note for note in report.notes)
    weak = next(each for each in survivors if each.name == "line 6: n > 0 -> n >= 0")
    assert (weak.operator, weak.line, weak.killing_input) == ("comparison", 6, None)
    assert "-            if n > 0:\n+            if n >= 0:" in weak.diff


def test_each_category_counts_by_itself(report: StrengthReport) -> None:
    basic, edge = report.by_category
    assert (basic.category, basic.cases, edge.category, edge.cases) == ("basic", 2, "edge", 2)
    assert (str(basic.wrong), str(edge.wrong)) == ("0 of 2", "1 of 2")
    assert report.mutation is not None
    for each in (basic, edge):
        assert each.mutants is not None
        assert 0 < each.mutants.count <= each.mutants.of <= report.mutation.mutants
        assert each.mutants.count <= report.mutation.killed


def test_a_suite_is_ordered_by_kills_and_loses_only_twins(report: StrengthReport) -> None:
    assert report.twins == (("again", "mixed"),)
    assert sorted(report.order) == ["empty", "mixed", "ones"]
    assert report.order[-1] == "empty"


def test_references_are_counted_by_what_they_answer(report: StrengthReport) -> None:
    shares = [str(each.agrees) for each in report.independence.references]
    assert shares == ["4 of 4", "3 of 4"]
    assert report.independence.backed is None


def test_what_was_not_measured_is_none_and_in_json_too(report: StrengthReport) -> None:
    plain = json.loads(report.to_json())
    assert plain["validity"] is plain["bounds"] is None
    assert StrengthReport.model_validate_json(report.to_json()) == report
    assert "wrong programs    1 of 2 killed" in str(report)


def test_more_work_with_the_same_answers_is_seen_without_a_clock(pool: CellPool) -> None:
    many = {"args": [list(range(60)) * 4], "expected": 60, "name": "many"}
    report = steelyard.measure_strength([many, {"args": [[]], "expected": 0}], QUADRATIC, pool=pool)
    assert report.mutation is not None
    survivors = {each.name: each.work for each in report.survivors}
    work = survivors.get("line 6: set(seen) -> list(seen)")
    assert work is not None
    assert work != 1.0


def test_progress_is_of_the_job_and_only_grows(pool: CellPool) -> None:
    events: list[Event] = []
    asyncio.run(
        steelyard.ameasure_strength(
            CASES[2:], SOLUTION, mutants=4, pool=pool, on_event=events.append
        )
    )
    shares = [event.share for event in events if event.share is not None]
    assert {event.job for event in events} == {"author"}
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_programs_that_read_standard_input_are_measured_too(tmp_path: Path, pool: CellPool) -> None:
    for name, given, answer in (("one", "2 3", "5"), ("two", "0 0", "0")):
        (tmp_path / f"{name}.in").write_text(given)
        (tmp_path / f"{name}.ans").write_text(answer)
    report = steelyard.measure_strength(
        tmp_path,
        "a, b = map(int, input().split())\nprint(a + b)\n",
        wrong=["print(5)"],
        mutants=6,
        pool=pool,
    )
    assert report.mutation is not None
    assert report.mutation.killed == report.mutation.mutants > 0
    assert str(report.wrong) == "1 of 1"


def test_a_planted_program_that_cannot_run_proves_nothing(pool: CellPool) -> None:
    with pytest.raises(UsageError, match=r"^wrong program 1 does not compile"):
        steelyard.measure_strength(CASES, SOLUTION, wrong=["class Solution:"], mutants=0, pool=pool)
    with pytest.raises(UsageError, match="mutants"):
        steelyard.measure_strength(CASES, SOLUTION, mutants=-1, pool=pool)
