"""Name a run in a few words, and what came of it: for lists, pages and titles of all kinds."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from steelyard.equivalence import times_as_fast
from steelyard.profiling import headline
from steelyard.reports import counted, visible
from steelyard.schemas import (
    AuthorReport,
    AuthorStop,
    BehaviourCase,
    Comparison,
    ProfileReport,
    ReasonCode,
    Report,
    RunResult,
    StopCause,
    StrengthReport,
    ValueDifference,
    Verdict,
    VerifyResult,
)
from steelyard.service._job import JobKind, Summary

_MOST_SUBJECT = 60
_MOST_OUTCOME = 100
_PREAMBLE = re.compile(r"\s*(#|//|/\*|\*|import\b|from\b|using\b|package\b|use\b|\"\"\"|```|$)")
"""The beginnings of lines that many programs share."""

_REJECTED: dict[ReasonCode, str] = {
    "does-not-parse": "does not parse",
    "function-missing": "does not define the function",
    "signature-changed": "changes the signature",
    "does-not-import": "cannot be imported",
    "test-fails": "fails a test",
    "behaviour-differs": "behaves differently",
    "not-comparable": "cannot be compared",
    "crashed": "crashes",
    "timed-out": "does not end in time",
    "memory-limit": "needs too much memory",
    "tampers": "tampers with the measurement",
    "remembers-calls": "is faster only if a call is repeated",
    "skips-timed-work": "does less when it is timed",
    "works-elsewhere": "works in other threads or processes",
    "slower": "is slower",
    "not-faster": "is not faster",
    "undecided": "is not shown to be faster",
    "more-memory": "needs more memory",
    "not-called": "no test calls it",
    "too-few-tests": "too few tests",
    "low-coverage": "too little is tested",
    "tests-dropped": "tests were dropped",
    "tests-only": "calls cannot be repeated outside their tests",
    "private-state": "changes private data",
    "changes-others": "changes other functions",
    "slower-import": "is slower to import",
}
_DIFFERS = {
    "value": "gives other values",
    "type": "gives another type",
    "missing": "leaves values out",
    "extra": "adds values",
    "order": "changes the order",
    "aliasing": "shares objects differently",
}
"""What a rewritten function does by the kind of the first difference."""
_UNSOLVED: dict[StopCause, str] = {
    "unproved": "nothing shows that the program is right",
    "unmeasured": "nothing shows that the program is fast enough",
    "pruned": "no plan was allowed",
    "diminishing": "the last tries did not improve it",
    "max-iterations": "the iterations are used up",
    "agent-crashes": "the models' replies were not usable",
    "budget": "the budget is spent",
    "models": "a model did not answer",
    "sandbox": "the machine failed",
    "logs": "files could not be written",
}
_UNAUTHORED: dict[AuthorStop, str] = {
    "disputed": "solutions disagree",
    "no-outputs": "no expected outputs",
    "no-specification": "no usable specification",
    "budget": "the budget is spent",
    "models": "a model did not answer",
    "sandbox": "the machine failed",
    "logs": "files could not be written",
}


def summary_of(
    kind: JobKind,
    payload: Mapping[str, Any] | None,
    *,
    result: str | None = None,
    problem: Mapping[str, object] | None = None,
) -> Summary:
    """Return a run's subject, and once it has ended its outcome.

    Args:
        kind: The kind of the run.
        payload: Its request; None if it cannot be read.
        result: Its result as JSON, if it is done.
        problem: Its problem document, if it failed.
    """
    job = _JOBS[kind]
    subject = "" if payload is None else _short(job.subject(payload), _MOST_SUBJECT)
    if problem is not None:
        return Summary(subject=subject, outcome=_failure(problem), passed=False)
    if result is None:
        return Summary(subject=subject)
    report = job.report.model_validate_json(result)
    outcome = _short(job.outcome(report), _MOST_OUTCOME)
    return Summary(subject=subject, outcome=outcome, passed=report.passed)


def judgement_in_words(result: VerifyResult) -> str:
    """Return what came of judging a program, such as `fails 1 of 33 tests`."""
    if not result.compile.ok:
        first = next(iter(result.compile.errors), None)
        refused = first is not None and first.message.startswith("policy: ")
        return "uses what is not allowed" if refused else "does not compile"
    if result.compile_only or not result.cases:
        return "compiles"
    failed = sum(case.verdict not in (Verdict.AC, Verdict.SK) for case in result.cases)
    return tests_in_words(failed, len(result.cases))


def tests_in_words(failed: int, tests: int) -> str:
    """Return `fails 1 of 33 tests`, or `passes all 33 tests`."""
    if failed:
        return f"fails {failed:,} of {counted(tests, 'test')}"
    return f"passes all {tests:,} tests" if tests > 1 else "passes its test"


def _failure(problem: Mapping[str, object]) -> str:
    why = str(problem.get("detail", "")).partition(";")[0]
    return _short(f"failed, {why}".removesuffix(", "), _MOST_OUTCOME)


def _short(text: str, most: int) -> str:
    """Return the first line of a text from outside, shortened."""
    line = visible(next(iter(text.strip().splitlines()), "")).strip()
    return line if len(line) <= most else f"{line[: most - 3].rstrip()}..."


def _program(payload: Mapping[str, Any]) -> str:
    """Name a program: by the function that is called, else by its first line of its own."""
    _, _, called = str(payload.get("entry", "stdio")).partition(":")
    if called:
        return called
    lines = str(payload.get("program", "")).splitlines()
    return next((line for line in lines if not _PREAMBLE.match(line)), "program")


def _function(payload: Mapping[str, Any]) -> str:
    return str(payload["function"]).rpartition(":")[2]


def _problem_to_solve(payload: Mapping[str, Any]) -> str:
    own = payload["problem"]
    # A text from a page or a file has no name but its hash.
    return str(own["prompt" if str(own["task_id"]).startswith("text-") else "task_id"])


def _problem_to_author(payload: Mapping[str, Any]) -> str:
    specification = payload.get("specification") or {}
    return str(payload.get("name") or specification.get("title") or payload.get("request") or "")


def _suite(payload: Mapping[str, Any]) -> str:
    title = (payload.get("specification") or {}).get("title")
    return str(title or f"suite of {counted(len(payload['tests']), 'test')}")


def _measured(report: ProfileReport) -> str:
    grows = headline(report).partition(". ")[0].replace("Time", "time", 1)
    return grows if report.passed else f"{grows}, not shown to be within its limits"


def _compared(report: Comparison) -> str:
    if report.accepted:
        speed = report.speed and report.speed.speedup
        return f"accepted, {times_as_fast(speed)}" if speed else "accepted"
    reason = next((each for each in report.reasons if each.rejects), None)
    if reason is None:
        return "rejected"
    found = _first_difference(report) if reason.code == "behaviour-differs" else None
    why = _DIFFERS.get(found.kind) if found else None
    return f"rejected, {why or _REJECTED[reason.code]}"


def _first_difference(report: Comparison) -> ValueDifference | None:
    cases: tuple[BehaviourCase, ...] = report.behaviour.cases if report.behaviour else ()
    differing = (each for case in cases if case.outcome == "different" for each in case.differences)
    return next(differing, None)


def _solved(report: RunResult) -> str:
    tests = counted(report.tests, "test")
    passed = f", {report.tests_passed:,} of {tests} passed" if report.tests else ""
    if report.passed:
        return f"solved{passed}"
    return f"not solved, {_UNSOLVED.get(report.stop, report.reason)}"


def _authored(report: AuthorReport) -> str:
    if report.passed:
        return f"authored, {counted(len(report.suite.cases) if report.suite else 0, 'case')}"
    why = _UNAUTHORED.get(report.stop, report.reason)
    return f"{'open' if report.status == 'open' else 'not authored'}, {why}"


def _strength(report: StrengthReport) -> str:
    if report.passed:
        return "strong, no weakness found"
    if report.unmeasured:
        return "weak, no wrong program was tried"
    if report.survivors:
        return f"weak, misses {counted(len(report.survivors), 'wrong or slow program')}"
    return "weak, some inputs or outputs are in doubt"


class _Job(NamedTuple):
    """Name of a kind of run, and the model of its report."""

    subject: Callable[[Mapping[str, Any]], str]
    report: type[Report]
    outcome: Callable[[Any], str]


_JOBS: dict[JobKind, _Job] = {
    "author": _Job(_problem_to_author, AuthorReport, _authored),
    "compare": _Job(_function, Comparison, _compared),
    "judge": _Job(_program, VerifyResult, judgement_in_words),
    "profile": _Job(_program, ProfileReport, _measured),
    "solve": _Job(_problem_to_solve, RunResult, _solved),
    "strength": _Job(_suite, StrengthReport, _strength),
}
