"""Show what a test asks and expects, next to what a program did with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.schemas import (
    AuthoredCase,
    CaseResult,
    Specification,
    Verdict,
    VerifyResult,
)
from steelyard.service._auth import Caller, may_see
from steelyard.service.records import shown_names

_MOST_CHARS = 20_000
_MOST_FAILURES = 20


@dataclass(frozen=True)
class Asked:
    """A test's input and expected output, as text."""

    input: str
    expected: str
    is_call: bool = False
    """True if a function is called, so that its output is not what it prints."""


@dataclass(frozen=True)
class Failure:
    """A test that a program failed."""

    case: CaseResult
    asked: Asked | None = None
    """None if the test's text is not kept."""
    hidden: bool = False
    """True if the reader may not see the test."""


def _failed(result: VerifyResult) -> tuple[CaseResult, ...]:
    """Return the first tests that a program failed, without those that were skipped."""
    failed = (each for each in result.cases if each.verdict not in (Verdict.AC, Verdict.SK))
    return tuple(each for each, _ in zip(failed, range(_MOST_FAILURES), strict=False))


def failures_in(
    result: VerifyResult, request: Mapping[str, Any] | None, most: int = _MOST_FAILURES
) -> tuple[Failure, ...]:
    """Return the failed tests of a judgement, with their texts from its request.

    Args:
        result: The judgement.
        request: A request as `/v1/judge` takes it; None if it is gone.
        most: Limit on the number of tests.
    """
    failed = _failed(result)[:most]
    asked = _asked_in(request, {each.name for each in failed}) if failed and request else {}
    return tuple(Failure(each, asked.get(each.name)) for each in failed)


def failures_on(
    result: VerifyResult,
    cases: Sequence[AuthoredCase],
    specification: Specification,
    caller: Caller,
) -> tuple[Failure, ...]:
    """Return the failed tests of a judgement on a stored suite.

    Who may read suites sees each test, and everybody sees the examples of the statement.

    Args:
        result: The judgement.
        cases: The suite's.
        specification: With the examples that everybody sees.
        caller: The reader.
    """
    by_name = {each.name: each for each in cases}
    shown = shown_names(cases, specification, caller)

    def failure(case: CaseResult) -> Failure:
        own = by_name.get(case.name)
        if case.name not in shown and not may_see(caller, "test"):
            return Failure(case, hidden=True)
        return Failure(case, None if own is None else _asked_of(own))

    return tuple(map(failure, _failed(result)))


def shown_input(case: AuthoredCase) -> str:
    """Return an input as it is stored: an expression is not expanded."""
    given = case.input
    return given.expression if given.args is None else shown_call(given.args)


def _asked_of(case: AuthoredCase) -> Asked:
    expected = shown_value(case.expected) if case.has_expected else "unknown"
    return Asked(shown_input(case), expected, is_call=True)


def _asked_in(request: Mapping[str, Any], names: set[str]) -> dict[str, Asked]:
    called = str(request.get("entry", "stdio")).partition(":")[2]
    found: dict[str, Asked] = {}
    for number, test in enumerate(request.get("tests", ()), start=1):
        name = str(number) if isinstance(test, str) else test.get("name") or str(number)
        if name in names:
            found[name] = _asked(test, called)
    return found


def _asked(test: Mapping[str, Any] | str, called: str) -> Asked:
    """Return the texts of a test as JSON has it; an encoded value in it is not decoded."""
    if isinstance(test, str):
        return Asked(_cut(test), "", is_call=True)
    if "code" in test:
        return Asked(_cut(str(test["code"])), "", is_call=True)
    if "input" in test:
        return Asked(_cut(str(test["input"])), _cut(str(test["expected"])))
    given = [shown_value(each) for each in test.get("args") or ()]
    given += [f"{name}={shown_value(each)}" for name, each in (test.get("kwargs") or {}).items()]
    raised = test.get("expected_exception")
    outcome = f"raises {raised}" if raised else shown_value(test.get("expected"))
    return Asked(f"{called}({', '.join(given)})", outcome, is_call=True)


def _cut(text: str) -> str:
    if len(text) <= _MOST_CHARS:
        return text
    return f"{text[:_MOST_CHARS]}\n... {len(text):,} characters in all"
