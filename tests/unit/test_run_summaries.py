"""Runs of every kind have a subject, and an outcome in a few words."""

from typing import get_args

import pytest

from steelyard.jobs import JOBS
from steelyard.schemas import (
    AuthorReport,
    AuthorStop,
    Behaviour,
    BehaviourCase,
    CaseResult,
    Comparison,
    CompileResult,
    Diagnostic,
    Interval,
    ProfileReport,
    Reason,
    ReasonCode,
    Report,
    RunResult,
    Speed,
    StopCause,
    StrengthReport,
    TestType,
    ValueDifference,
    Verdict,
    VerifyResult,
)
from steelyard.service.jobs import summary_of

Payload = dict[str, object]
STDIO: Payload = {"program": "import sys\n\n# sum\nprint(sum(map(int, sys.stdin)))", "tests": []}
CALL: Payload = {"program": "def total(n): ...", "entry": "function:total", "tests": []}
PROFILE: Payload = {"program": "", "entry": "function:total", "generator": ""}
COMPARE: Payload = {"function": "shop.cart:dedupe", "program": "", "files": {"shop/cart.py": ""}}
SOLVE: Payload = {"problem": {"task_id": "text-0123456789ab", "prompt": "\nParcel lift\nRead n."}}
AUTHOR: Payload = {
    "request": "Days of a month\nfor every year",
    "name": None,
    "specification": None,
}
STRENGTH: Payload = {"tests": [{"args": [1], "expected": 1}], "solution": ""}


def judged(*verdicts: Verdict) -> VerifyResult:
    cases = tuple(CaseResult(name=str(n), verdict=each) for n, each in enumerate(verdicts))
    return VerifyResult(
        success=set(verdicts) == {Verdict.AC},
        reward=0,
        details="",
        compile=CompileResult(ok=True),
        cases=cases,
    )


def refused(message: str) -> VerifyResult:
    error = Diagnostic(severity="error", message=message)
    compiled = CompileResult(ok=False, errors=(error,))
    return VerifyResult(success=False, reward=0, details="", compile=compiled)


def rejected(code: ReasonCode, *differences: ValueDifference) -> Comparison:
    case = BehaviourCase(
        name="replay 1",
        test_type=TestType.REPLAY_TEST,
        outcome="different",
        differences=differences,
    )
    return Comparison(
        function="shop.cart:dedupe",
        verdict="rejected",
        reasons=(Reason(code=code, text="x"),),
        behaviour=Behaviour(verdict="different", cases=(case,)),
    )


ORDER = ValueDifference(path="result", original="[1, 0]", candidate="[0, 1]", kind="order")
FASTER = Speed(verdict="faster", threshold=0.05, speedup=Interval(low=1.79, mid=1.84, high=1.9))


@pytest.mark.parametrize(
    ("kind", "payload", "report", "subject", "outcome", "passed"),
    [
        (
            "judge",
            STDIO,
            judged(Verdict.AC, Verdict.RTE, Verdict.SK),
            "print(sum(map(int, sys.stdin)))",
            "fails 1 of 3 tests",
            False,
        ),
        ("judge", CALL, judged(Verdict.AC), "total", "passes its test", True),
        ("judge", CALL, refused("expected ';'"), "total", "does not compile", False),
        ("judge", CALL, refused("policy: os"), "total", "uses what is not allowed", False),
        (
            "compare",
            COMPARE,
            rejected("behaviour-differs", ORDER),
            "dedupe",
            "rejected, changes the order",
            False,
        ),
        (
            "compare",
            COMPARE,
            Comparison(function="shop.cart:dedupe", verdict="accepted", speed=FASTER),
            "dedupe",
            "accepted, 1.84 times as fast (1.79 to 1.90)",
            True,
        ),
        (
            "solve",
            SOLVE,
            RunResult(status="success", stop="right", tests=2, tests_passed=2),
            "Parcel lift",
            "solved, 2 of 2 tests passed",
            True,
        ),
        (
            "author",
            AUTHOR,
            AuthorReport(task_id="x", status="open", stop="disputed"),
            "Days of a month",
            "open, solutions disagree",
            False,
        ),
        (
            "strength",
            STRENGTH,
            StrengthReport(cases=1),
            "suite of 1 test",
            "weak, no wrong program was tried",
            False,
        ),
        ("profile", PROFILE, ProfileReport(), "total", "time unsure", False),
    ],
)
def test_a_run_is_named_with_its_outcome(
    kind: str,
    payload: Payload,
    report: Report,
    subject: str,
    outcome: str,
    passed: bool,
) -> None:
    begun = summary_of(kind, payload)
    assert (begun.subject, begun.outcome, begun.passed) == (subject, "", None)
    found = summary_of(kind, payload, result=report.to_json_line())
    assert (found.subject, found.passed) == (subject, passed)
    assert found.outcome.startswith(outcome)


def test_each_reason_and_each_stop_has_words() -> None:
    payloads: dict[str, Payload] = {
        "compare": COMPARE,
        "solve": SOLVE,
        "author": AUTHOR,
    }
    reports: dict[str, list[Report]] = {
        "compare": [rejected(code) for code in get_args(ReasonCode)],
        "solve": [
            RunResult(status="failed", stop=each, reason="x") for each in get_args(StopCause)
        ],
        "author": [
            AuthorReport(task_id="x", status="failed", stop=each, reason="x")
            for each in get_args(AuthorStop)
        ],
    }
    for kind, some in reports.items():
        for report in some:
            found = summary_of(kind, payloads[kind], result=report.to_json_line())
            outcome, _, why = found.outcome.partition(", ")
            assert outcome in ("rejected", "not solved", "not authored"), report
            assert why, report


def test_a_run_that_failed_has_the_reason() -> None:
    problem = {"detail": "planner: models need a key; set one", "title": "A setting is invalid"}
    for kind in JOBS:
        found = summary_of(kind, None, problem=problem)
        assert (found.outcome, found.passed) == ("failed, planner: models need a key", False)


def test_texts_from_outside_are_short_and_on_one_line() -> None:
    payload = {"program": f"print('{'x' * 500}')\x1b[31m", "tests": []}
    subject = summary_of("judge", payload).subject
    assert (len(subject), subject.isprintable(), subject[-3:]) == (60, True, "...")
