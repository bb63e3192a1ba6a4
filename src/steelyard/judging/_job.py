"""The job of judging: one program against its tests, or against a task."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from steelyard.errors import UsageError
from steelyard.job import Job, JobRequest, Needs
from steelyard.judging._entries import as_entry
from steelyard.judging._judges import prepared, row_of, task_limits
from steelyard.judging._loading import load_json_tests
from steelyard.judging._options import JudgeOptions
from steelyard.judging._view import view
from steelyard.options import Flag, Options
from steelyard.reports import counted
from steelyard.schemas import TaskChecker, Verdict, VerifyResult

_PREAMBLE = re.compile(r"\s*(#|//|/\*|\*|import\b|from\b|using\b|package\b|use\b|\"\"\"|```|$)")
"""The beginnings of lines that many programs share."""


class JudgeRequest(JobRequest):
    """A program with its tests, or with a task that holds them."""

    program: Annotated[str | bytes, Flag("PROGRAM", takes=str, is_source=True)]
    """Text of the program, or a model's reply that holds it."""
    tests: Annotated[list[dict[str, Any] | str], Flag(group="Tests")] = Field(
        default=[], fail_fast=True
    )
    """Cases as in a JSON file of tests; for assertions also their text."""
    task: Annotated[dict[str, Any] | None, Flag(group="Tests")] = None
    """A task as `datasets export` writes it, in place of the tests and of what it decides: entry,
    comparison and checker."""

    def subject(self, options: Options) -> str:
        """Name the function that is called, else the first line of the program's own."""
        return subject_of(self.program, str(getattr(options, "entry", "stdio")))

    def needs(self, options: Options) -> Needs:
        """Return what the request asks of a service, with what its task adds."""
        assert isinstance(options, JudgeOptions)
        needs = super().needs(options)
        count, checker = len(self.tests), options.checker
        times_s = [options.compile_timeout_s, *map(_timeout_of, self.tests)]
        if self.task is not None:
            if self.tests:
                raise UsageError("tests: the task decides this; leave it out")
            row = row_of(self.task, options)
            needs = needs._replace(limits=task_limits(row.task, options.limits))
            count, checker = len(row.suite), row.task.checker
            times_s += [case.timeout or 0.0 for case in row.suite.cases]
        if isinstance(checker, TaskChecker):
            needs = needs._replace(sources=(*needs.sources, checker.source))
        return needs._replace(tests=count, time_s=max(times_s))


def subject_of(program: str | bytes, entry: str) -> str:
    """Name a program: by the function that is called, else by its first line of its own."""
    _, _, called = entry.partition(":")
    if called:
        return called
    text = program.decode("utf-8", "replace") if isinstance(program, bytes) else program
    return next((line for line in text.splitlines() if not _PREAMBLE.match(line)), "program")


def run(request: JudgeRequest, options: JudgeOptions, _folder: Path | None) -> VerifyResult:
    """Judge one program against its tests.

    What the program does wrong is in the result.
    """
    tests = request.task or load_json_tests(request.tests, entry=as_entry(options.entry))
    judge, source = prepared(request.program, tests, options)
    return judge.judge(source, on_event=options.on_event)


def outcome(result: VerifyResult) -> str:
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


def _timeout_of(test: dict[str, Any] | str) -> float:
    given = test.get("timeout") if isinstance(test, Mapping) else None
    return given if isinstance(given, int | float) else 0.0


JOB = Job(
    name="judge",
    request=JudgeRequest,
    options=JudgeOptions,
    report=VerifyResult,
    run=run,
    view=view,
    outcome=outcome,
    advice="Use it whenever you have written a program and know some inputs with their "
    "outputs. Fix the program by the first failures: each has a verdict, a message "
    "and the outputs. If `passed` is true, every test passed.",
    tool=("program", "tests", "language", "entry", "match_mode", "limits"),
    quick=True,
    example={
        "program": "print(sum(map(int, input().split())))",
        "language": "python",
        "tests": [
            {"input": "1 2\n", "expected": "3\n"},
            {"input": "20 22\n", "expected": "42\n", "name": "larger"},
        ],
    },
)
