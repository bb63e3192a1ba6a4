"""The certificate: each figure counts what it is named for, and says what it left out."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.errors import UsageError
from steelyard.families import as_compact
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    Event,
    Limits,
    OutputEvidence,
    Parameter,
    Specification,
    StrengthReport,
)
from steelyard.strength import StrengthMeasurement, StrengthOptions, ordered_by_kills

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
LATE = SOLUTION.replace("return total", "while nums[2:]: pass\n        return total")
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
        CASES,
        SOLUTION,
        wrong=[WRONG, RIGHT],
        slow=[SLOW],
        references=[RIGHT, WRONG, LATE],
        limits=Limits(cpu_ms=1_000),
        pool=pool,
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
    assert report.unsearched
    assert not report.passed
    assert any("strength is unproved" in note for note in report.notes)
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
        assert each.mutants_high is not None
        can_die = each.mutants.of - report.mutation.never_killed
        assert each.mutants_high == pytest.approx(each.mutants.count / can_die)
        assert each.backed is None, "nothing speaks for these outputs"


def test_a_suite_is_ordered_by_kills_and_loses_only_twins(report: StrengthReport) -> None:
    assert report.twins == (("again", "mixed"),)
    assert sorted(report.order) == ["empty", "mixed", "ones"]
    assert report.order[-1] == "empty"


def test_references_are_counted_by_what_they_answer(report: StrengthReport) -> None:
    shares = [str(each.agrees) for each in report.independence.references]
    assert shares == ["4 of 4", "3 of 4", "2 of 2"], (
        "small cases run first, and limits are no answer"
    )
    assert all(0 <= (each.likeness or 0) < 0.5 for each in report.independence.references[:2])
    assert report.independence.backed is None


def test_a_copy_with_other_names_is_no_second_opinion(pool: CellPool) -> None:
    copy = re.sub(r"\bn\b", "number", SOLUTION.replace("total", "result"))
    report = steelyard.measure_strength(CASES, SOLUTION, references=[copy], mutants=0, pool=pool)
    (reference,) = report.independence.references
    assert reference.likeness == 1.0
    assert any("shares 100% of its syntax with the solution" in note for note in report.notes)


def test_a_suite_that_nothing_was_run_against_is_unproved(pool: CellPool) -> None:
    report = steelyard.measure_strength(CASES, SOLUTION, mutants=0, pool=pool)
    assert report.unmeasured
    assert not report.passed
    assert any("no program was run that the suite should kill" in note for note in report.notes)
    proved = steelyard.measure_strength(CASES, SOLUTION, mutants=0, wrong=[WRONG], pool=pool)
    assert proved.passed


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
    assert {event.job for event in events} == {"strength"}
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


SPEC = Specification(
    title="Positive sum",
    description="Sum the positive numbers.",
    parameters=(Parameter(name="nums", type="list[int]"),),
    returns="int",
    constraints=("len(nums) <= 5", "all(-9 <= n <= 9 for n in nums)"),
)


def authored(name: str, args: list[Any], expected: object, **fields: Any) -> AuthoredCase:
    return AuthoredCase(
        name=name,
        category="basic",
        origin="test",
        input=as_compact(args),
        expected=expected,
        has_expected=True,
        **fields,
    )


def test_an_authored_suite_is_checked_against_its_specification(pool: CellPool) -> None:
    backed = OutputEvidence(independent=2, agree=2)
    suite = AuthoredSuite(
        spec_digest=SPEC.digest,
        cases=(
            authored("one", [[5]], 5, trust="trusted", evidence=OutputEvidence(truth="example")),
            authored("large", [[99, -1]], 99, evidence=backed),
            authored("twin", [[5]], 5, evidence=OutputEvidence(independent=2, agree=1)),
            AuthoredCase(name="open", category="edge", origin="test", input=as_compact([[1]])),
        ),
    )
    report = steelyard.measure_strength(suite, SOLUTION, spec=SPEC, mutants=9, pool=pool)
    assert report.cases == 3
    assert str(report.validity) == "2 of 3"
    (invalid,) = report.invalid
    assert (invalid.case, invalid.broken) == ("large", ("all(-9 <= n <= 9 for n in nums)",))
    assert report.bounds is not None
    assert report.bounds.count == report.bounds.of - len(report.missed_bounds) == 0
    assert "the length of nums <= 5" in report.missed_bounds
    assert str(report.independence.backed) == "2 of 3"
    shares = [each.backed for each in report.by_category]
    assert sum(each.count for each in shares if each) == 2
    assert sum(each.of for each in shares if each) == 3
    assert (report.independence.trusted, report.independence.provisional) == (1, 2)
    assert "1 cases without an expected output were left out" in report.notes
    assert not report.passed


def test_tests_of_another_form_are_checked_against_a_specification_too(
    tmp_path: Path, pool: CellPool
) -> None:
    (tmp_path / "spec.json").write_text(SPEC.model_dump_json())
    cases = [{"args": [], "kwargs": {"nums": [1]}, "expected": 1}, {"args": [[10]], "expected": 10}]
    report = steelyard.measure_strength(
        cases, SOLUTION, spec=tmp_path / "spec.json", mutants=0, pool=pool
    )
    assert str(report.validity) == "1 of 2"
    assert report.bounds is not None
    assert report.bounds.of >= 3
    (tmp_path / "spec.json").write_text("{}")
    with pytest.raises(UsageError, match=r"spec\.json: title is missing"):
        steelyard.measure_strength(cases, SOLUTION, spec=tmp_path / "spec.json", pool=pool)


def test_inputs_beyond_the_suite_are_tried_on_survivors(pool: CellPool) -> None:
    cases = [{"args": [[3]], "expected": 3}, {"args": [[4, 5]], "expected": 9}]
    weak = steelyard.measure_strength(cases, SOLUTION, spec=SPEC, candidates=(), pool=pool)
    candidates = ([[3]], [[100, -1]], [[-1]], [[]], [[1, -1]], [[2]], [[6]], [[7]], [[8]])
    report = steelyard.measure_strength(
        cases, SOLUTION, spec=SPEC, candidates=candidates, pool=pool
    )
    assert weak.mutation is not None
    assert report.mutation is not None
    assert report.mutation.killed == weak.mutation.killed
    assert report.mutation.searched == 7  # without known and invalid ones
    assert report.mutation.never_killed < weak.mutation.never_killed
    assert report.mutation.high < 1.0
    known = {each.name: each.killing_input for each in report.survivors}
    assert known["line 6: n > 0 -> True"] == ([-1],)
    assert not report.passed


def test_inputs_beyond_the_suite_are_made_from_its_specification(pool: CellPool) -> None:
    cases = [{"args": [[3]], "expected": 3}]
    report = steelyard.measure_strength(cases, SOLUTION, spec=SPEC, pool=pool)
    assert report.mutation is not None
    assert 3 < report.mutation.searched <= 60
    killed = [each for each in report.survivors if each.killing_input is not None]
    assert killed
    assert all(isinstance(each.killing_input, tuple) for each in killed)


IN_PLACE = SPEC.model_copy(update={"output_type": "in-place", "returns": "list[int]"})


def test_a_call_that_changes_its_argument_is_compared_by_that(pool: CellPool) -> None:
    suite = AuthoredSuite(
        spec_digest=IN_PLACE.digest,
        cases=(authored("two", [[2, 1]], [1, 2]), authored("none", [[]], [])),
    )
    body = "class Solution:\n    def solve(self, nums):\n        "
    report = steelyard.measure_strength(
        suite,
        f"{body}nums.sort()",
        spec=IN_PLACE,
        wrong=[f"{body}return sorted(nums)"],
        references=[f"{body}nums[:] = sorted(nums); return 'done'"],
        pool=pool,
    )
    assert str(report.wrong) == "1 of 1"
    assert str(report.independence.references[0].agrees) == "2 of 2"


def test_a_suite_ordered_by_kills_lists_them_and_keeps_unknown_cases(pool: CellPool) -> None:
    suite = AuthoredSuite(
        spec_digest=SPEC.digest,
        cases=(
            authored("empty", [[]], 0),
            authored("mixed", [[1, -2, 1]], 2),
            authored("again", [[1, -2, 1]], 2),
            AuthoredCase(name="open", category="edge", origin="test", input=as_compact([[1]])),
        ),
    )
    measured = StrengthMeasurement(suite, SOLUTION.encode(), StrengthOptions(spec=SPEC, pool=pool))
    ordered = ordered_by_kills(suite, measured.matrices)
    assert [case.name for case in ordered.cases] == ["mixed", "empty", "open"]
    assert "line 6: n > 0 -> True" in ordered.cases[0].kills
    assert ordered.cases[2].kills == ()


def test_standard_inputs_are_checked_against_the_specification(pool: CellPool) -> None:
    spec = Specification.model_validate(
        {
            "title": "Sum",
            "description": "The sum of the positive numbers.",
            "returns": "int",
            "parameters": [{"name": "nums", "type": "list[int]"}],
            "constraints": ["1 <= len(nums) <= 3", "all(-9 <= x <= 9 for x in nums)"],
            "examples": [{"args": [[3, -1, 4]], "expected": 7}],
        }
    )
    solution = "n, *nums = map(int, open(0).read().split())\nprint(sum(x for x in nums if x > 0))\n"
    cases = [
        {"name": "right", "input": "3\n3 -1 9\n", "expected": "12\n"},
        {"name": "empty", "input": "0\n", "expected": "0\n"},
        {"name": "short", "input": "2\n5\n", "expected": "5\n"},
    ]
    report = steelyard.measure_strength(
        cases, solution, spec=spec, entry="stdio", mutants=4, pool=pool
    )
    assert str(report.validity) == "1 of 3"
    assert {each.case: each.broken for each in report.invalid} == {
        "empty": ("1 <= len(nums) <= 3",),
        "short": ("the documented form of arguments: expected more in line 2",),
    }
    assert str(report.bounds) == "2 of 4"
    assert not report.passed
