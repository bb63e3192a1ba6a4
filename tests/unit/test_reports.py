"""What the results of all jobs share: one verdict, one JSON form, one look in a notebook."""

import json
import math

import pytest
from pydantic import ValidationError

from steelyard.schemas import (
    CaseResult,
    Comparison,
    CompileResult,
    GrowthComparison,
    InvalidCase,
    MutationScore,
    ProfileReport,
    Reason,
    Report,
    RunResult,
    Share,
    StrengthReport,
    Survivor,
    Verdict,
    VerifyResult,
)
from tests.unit.comparing.sample_comparisons import SAMPLES as COMPARISONS
from tests.unit.profiling.sample_reports import SAMPLES as PROFILES

REPORTS: dict[str, Report] = {
    **{f"compare {name}": make() for name, make in COMPARISONS.items()},
    **{f"profile {name}": make() for name, make in PROFILES.items()},
    "solve": RunResult(status="success", stop="efficient", tests_passed=2, tests=2),
    "strength": StrengthReport(
        cases=3,
        validity=Share(count=2, of=3),
        invalid=(InvalidCase(case="<b>", broken=("n < 2",)),),
        mutation=MutationScore(
            mutants=4, killed=2, never_killed=1, low=0.5, high=2 / 3, possible=9, searched=9
        ),
        killed_by_verdict={Verdict.WA: 2},
        survivors=(Survivor(name="line 1: <b>", kind="mutant", killing_input=([1], "x")),),
    ),
    "growth": GrowthComparison(first=ProfileReport(), second=ProfileReport(), growth="they <b>"),
}


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_reads_its_own_json_and_says_whether_it_passed(name: str) -> None:
    report = REPORTS[name]
    plain = json.loads(report.to_json())
    assert plain["passed"] is report.passed
    assert {"notes", "seconds", "isolation"} <= plain.keys()
    if "not_finite" not in name and "hostile" not in name:  # which JSON cannot hold as they are
        assert type(report).model_validate_json(report.to_json()) == report


@pytest.mark.parametrize("name", REPORTS)
def test_the_line_that_the_service_sends_is_the_same_object(name: str) -> None:
    report = REPORTS[name]
    line = report.to_json_line()
    assert "\n" not in line
    assert json.loads(line, parse_constant=pytest.fail) == report.to_dict()


@pytest.mark.parametrize("message", ["\ud800", "\u2028", "\x00", '"'])
def test_what_a_program_printed_is_in_the_line(message: str) -> None:
    case = CaseResult(name="1", verdict=Verdict.WA, message=message, cpu_ms=math.inf)
    report = VerifyResult(
        success=False, reward=0.5, details="", compile=CompileResult(ok=True), cases=(case,)
    )
    line = report.to_json_line()
    assert json.loads(line.encode(), parse_constant=pytest.fail) == report.to_dict()


def test_an_unknown_field_is_still_refused() -> None:
    with pytest.raises(ValidationError, match="extra"):
        Comparison.model_validate({"function": "m:f", "verdict": "accepted", "past": 1})


def test_what_a_program_wrote_cannot_control_the_terminal_that_shows_its_report() -> None:
    hostile = "\x1b]0;owned\x07\u202e"
    reason = Reason(code="test-fails", text=hostile, rejects=True)
    for report in (
        Comparison(function="m:f", verdict="rejected", reasons=(reason,)),
        RunResult(status="failed", stop="budget", reason=hostile),
        GrowthComparison(first=ProfileReport(), second=ProfileReport(), growth=hostile),
    ):
        assert "\\x1b]0;owned\\x07\\u202e" in str(report)
        assert all(line.isprintable() for line in str(report).splitlines())


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_in_a_notebook_is_escaped(name: str) -> None:
    report = REPORTS[name]
    shown = report._repr_html_()
    assert type(report).__name__ in shown
    assert ("did not pass" in shown) is not report.passed
    assert "<b>" not in shown
    assert "<script" not in shown
    assert all(char.isprintable() or char == "\n" for char in shown)


def test_a_report_is_short_as_text() -> None:
    assert str(REPORTS["solve"]) == "success (efficient): 2 of 2 tests passed"
    for report in REPORTS.values():
        assert str(report)
