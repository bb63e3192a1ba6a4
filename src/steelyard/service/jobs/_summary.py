"""Name a run in a few words, and what came of it: for lists, pages and titles of all kinds."""

from collections.abc import Mapping
from typing import Any

from steelyard.errors import UsageError
from steelyard.job import Job
from steelyard.jobs import job
from steelyard.reports import visible
from steelyard.service._job import JobKind, Summary

_MOST_SUBJECT = 60
_MOST_OUTCOME = 100


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
    own = job(kind)
    subject = "" if payload is None else _short(_subject(own, payload), _MOST_SUBJECT)
    if problem is not None:
        return Summary(subject=subject, outcome=_failure(problem), passed=False)
    if result is None:
        return Summary(subject=subject)
    report = own.report.model_validate_json(result)
    outcome = _short(own.outcome(report), _MOST_OUTCOME)
    return Summary(subject=subject, outcome=outcome, passed=report.passed, seconds=report.seconds)


def _subject(own: Job[Any, Any, Any], payload: Mapping[str, Any]) -> str:
    try:
        request, fields = own.read(payload)
        return str(request.subject(own.options.of(**fields)))
    except UsageError:  # such as one of an earlier version
        return ""


def _failure(problem: Mapping[str, object]) -> str:
    why = str(problem.get("detail", "")).partition(";")[0]
    return _short(f"failed, {why}".removesuffix(", "), _MOST_OUTCOME)


def _short(text: str, most: int) -> str:
    """Return the first line of a text from outside, shortened."""
    line = visible(next(iter(text.strip().splitlines()), "")).strip()
    return line if len(line) <= most else f"{line[: most - 3].rstrip()}..."
