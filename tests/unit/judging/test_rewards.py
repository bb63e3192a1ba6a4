"""The reward policies, to the letter."""

import pytest

from steelyard.judging import binary, graduated, pass_rate
from steelyard.schemas import CaseResult, CompileResult, Diagnostic, Verdict, VerifyResult

WARNING = Diagnostic(severity="warning", message="unused variable")


def result(verdicts: str, *, ok: bool = True, warned: bool = False) -> VerifyResult:
    cases = tuple(CaseResult(name=str(i), verdict=v) for i, v in enumerate(verdicts.split()))
    return VerifyResult(
        success=ok and bool(cases) and all(c.verdict is Verdict.AC for c in cases),
        reward=0,
        details="",
        compile=CompileResult(ok=ok, warnings=(WARNING,) if warned else ()),
        cases=cases,
    )


@pytest.mark.parametrize(
    ("verdicts", "ok", "warned", "reward"),
    [
        ("", False, False, 0.0),
        ("CE CE", False, False, 0.0),
        ("", True, False, 0.5),
        ("", True, True, 0.3),
        ("AC AC", True, False, 1.0),
        ("AC AC", True, True, 1.0),
        ("WA WA", True, False, 0.5),
        ("WA WA", True, True, 0.3),
        ("AC WA", True, False, 0.75),
        ("AC TLE", True, True, 0.65),
        ("AC SK SK SK", True, False, 0.625),
        ("SK SK", True, False, 0.5),
    ],
)
def test_each_step_of_the_ladder(verdicts: str, ok: bool, warned: bool, reward: float) -> None:
    assert graduated(result(verdicts, ok=ok, warned=warned)) == pytest.approx(reward)


@pytest.mark.parametrize(
    ("verdicts", "ok", "warned", "reward"),
    [
        ("", False, False, 0.0),
        ("AC AC", True, True, 1.0),
        ("AC WA", True, False, 0.0),
        ("AC WA", True, True, 0.0),
        ("", True, False, 0.0),
        ("SK", True, False, 0.0),
    ],
)
def test_binary_gives_one_only_if_all_pass(
    verdicts: str, ok: bool, warned: bool, reward: float
) -> None:
    assert binary(result(verdicts, ok=ok, warned=warned)) == reward


@pytest.mark.parametrize(
    ("verdicts", "ok", "reward"),
    [
        ("", False, 0.0),
        ("CE CE", False, 0.0),
        ("", True, 0.0),
        ("AC AC", True, 1.0),
        ("AC WA", True, 0.5),
        ("AC SK SK SK", True, 0.25),
    ],
)
def test_pass_rate_is_the_share_of_cases_that_passed(
    verdicts: str, ok: bool, reward: float
) -> None:
    assert pass_rate(result(verdicts, ok=ok, warned=True)) == reward
