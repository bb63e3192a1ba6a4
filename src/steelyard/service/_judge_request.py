"""Read the body of `/v1/judge`: a program, its tests, and the options of `judge`."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from steelyard.errors import UsageError
from steelyard.judging import (
    CaseIsolation,
    JudgeOptions,
    LoadedTask,
    MatchMode,
    RowReader,
    as_entry,
    load_json_tests,
    task_limits,
)
from steelyard.schemas import Limits, Task, TaskChecker
from steelyard.service._problems import Problem
from steelyard.settings import ServiceSettings

_USUAL = Limits()
_OF_TASKS = frozenset(
    {
        "tests",
        "entry",
        "match_mode",
        "abs_tol",
        "rel_tol",
        "sequences_alike",
        "ignore_case",
        "checker",
    }
)
"""Fields that a request with a task leaves out."""
_Name = Annotated[str, Field(max_length=100)]


class JudgeRequest(BaseModel):
    """A program, its tests, and the options of `judge` that are not objects of Python."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "program": "print(sum(map(int, input().split())))",
                    "language": "python",
                    "tests": [
                        {"input": "1 2\n", "expected": "3\n"},
                        {"input": "20 22\n", "expected": "42\n", "name": "larger"},
                    ],
                }
            ]
        },
    )

    program: str
    """The program's text, or a model's reply that holds it."""
    tests: list[dict[str, Any] | str] = Field(default=[], fail_fast=True)
    """Cases as in a JSON file of tests; for assertions also their text."""
    task: dict[str, Any] | None = None
    """A task as `datasets export` writes it, in place of the tests and of what it decides:
    `entry`, comparison and checker."""
    language: _Name | None = None
    """A name from `/v1/languages`; None is the label of the reply's code block, else Python.
    A task's own language goes first, which is Python if it names none."""
    compiler: _Name | None = None
    flags: list[str] | None = Field(default=None, max_length=100)
    entry: Annotated[str, Field(max_length=300)] = "stdio"
    """`stdio`, or for Python `function:NAME`, `class:NAME.METHOD`, `methods:NAME`, `asserts` or
    `asserts:NAME`."""
    match_mode: MatchMode = "exact"
    abs_tol: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    rel_tol: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    sequences_alike: bool = False
    ignore_case: bool = False
    checker: TaskChecker | None = None
    reward: Literal["graduated", "binary", "pass_rate"] | None = None
    """None is `graduated`, or `binary` without partial credit."""
    partial_credit: bool = True
    compile_only: bool = False
    fail_fast: bool = False
    isolation: CaseIsolation = "per_case"
    preload: list[_Name] = Field(default=[], max_length=100)
    policy: Annotated[str, Field(max_length=2_000)] | None = None
    compile_timeout_s: float = Field(default=30.0, gt=0, le=86_400)
    limits: Limits | None = None
    seed: int | None = Field(default=0, ge=0, lt=1 << 32)

    def loaded(self) -> LoadedTask:
        """Return the task that the request states, with its tests.

        Raises:
            UsageError: if the request states tests both ways, or the tests cannot be read.
        """
        own = self.model_fields_set & _OF_TASKS
        if self.task is not None:
            if own:
                raise UsageError(f"{min(own)} is the task's own; leave it out, or give tests")
            return RowReader(JudgeOptions()).read(self.task)
        fields = {name: getattr(self, name) for name in _OF_TASKS - {"tests"}}
        fields["entry"] = str(as_entry(self.entry))
        task = Task(id="tests", prompt="", **fields)
        return LoadedTask(task, load_json_tests(self.tests, entry=as_entry(self.entry)))

    def check(self, settings: ServiceSettings) -> None:
        """Refuse what this service does not judge.

        Raises:
            Problem: 422 for a program, tests or limits beyond the service's.
            UsageError: if a task cannot be read.
        """
        check_source(self.program, settings)
        checker, limits, count = self.checker, self.limits, len(self.tests)
        times_s = [self.compile_timeout_s, *map(_timeout_of, self.tests)]
        if self.task is not None:
            row = self.loaded()
            checker, limits = row.task.checker, task_limits(row.task, self.limits)
            count = len(row.suite)
            times_s += [case.timeout or 0.0 for case in row.suite.cases]
        if checker is not None:
            check_source(checker.source, settings)
        check_count(count, settings)
        check_limits(limits, settings)
        _check_most("time", max(times_s), settings.max_time_s, "s")


def check_count(tests: int, settings: ServiceSettings) -> None:
    """Refuse too many tests.

    Raises:
        Problem: 422.
    """
    if tests > settings.max_tests:
        raise Problem(
            422,
            "too-many-tests",
            "A program has too many tests",
            f"{tests:,} tests are given, and {settings.max_tests:,} are allowed",
            limit=settings.max_tests,
        )


def check_source(source: str, settings: ServiceSettings) -> None:
    """Refuse a program that is too large.

    Raises:
        Problem: 422.
    """
    size = len(source.encode("utf-8", "replace"))
    if size > settings.max_source_kib << 10:
        raise Problem(
            422,
            "source-too-large",
            "A program is too large",
            f"a program may have {settings.max_source_kib:,} KiB, got {size:,} bytes",
            limit_kib=settings.max_source_kib,
        )


def check_limits(limits: Limits | None, settings: ServiceSettings, *, time_s: float = 0.0) -> None:
    """Refuse limits beyond the service's.

    Args:
        limits: Of a program.
        settings: With the service's own limits.
        time_s: A further time that must be within the service's.

    Raises:
        Problem: 422.
    """
    own = limits or _USUAL
    _check_most("time", max(own.cpu_ms / 1000, time_s), settings.max_time_s, "s")
    _check_most("wall time", own.wall_ms / 1000, settings.max_time_s + 1, "s")
    _check_most("memory", max(own.memory_mib, own.stack_mib), settings.max_memory_mib, "MiB")
    _check_most("output", max(own.output_mib, own.file_mib), settings.max_output_mib, "MiB")


def _timeout_of(test: dict[str, Any] | str) -> float:
    given = test.get("timeout") if isinstance(test, dict) else None
    return given if isinstance(given, int | float) else 0.0


def _check_most(what: str, value: float, most: float, unit: str) -> None:
    if value > most:
        raise Problem(
            422,
            f"{what.replace(' ', '-')}-limit-too-high",
            f"The {what} limit is beyond the service's",
            f"the {what} limit may be {most:g} {unit} at most, got {value:g} {unit}",
            limit=most,
        )
