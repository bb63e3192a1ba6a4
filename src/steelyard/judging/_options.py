"""Options of `judge`, and those that tests without a task of their own are judged by."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, SkipValidation, field_validator

from steelyard.judging._entries import CaseIsolation, as_entry
from steelyard.judging._reward_ladder import Reward, binary, graduated, pass_rate
from steelyard.judging.checkers import MatchMode
from steelyard.judging.checkers._outcome import Checker
from steelyard.options import EntryText, Flag, ProgramOptions, ToleranceOptions
from steelyard.schemas import Entry, Limits, Policy, Task, TaskChecker

COMPILE_TIMEOUT_S = 30.0
_REWARDS = {"graduated": graduated, "binary": binary, "pass_rate": pass_rate}
OF_TASKS = (
    "entry",
    "match_mode",
    "abs_tol",
    "rel_tol",
    "sequences_alike",
    "ignore_case",
)


class RunningOptions(ProgramOptions):
    """Options that no task decides: compiling, running, rewards. `limits` apply to each case."""

    usual_limits: ClassVar[Mapping[str, str]] = {
        "cpu_ms": str(Limits().cpu_ms),
        "memory_mib": str(Limits().memory_mib),
    }

    checker: Annotated[
        SkipValidation[Checker | TaskChecker] | None,
        Flag(group="Comparison", takes=TaskChecker | None),
    ] = Field(default=None, exclude=True)
    """Decides on outputs in place of `match_mode`."""
    reward: Annotated[
        Reward | None, Flag(takes=Literal["graduated", "binary", "pass_rate"] | None)
    ] = Field(default=None, exclude=True)
    """Takes the place of the reward ladder: `pass_rate`, `binary` or `graduated`."""
    partial_credit: Annotated[bool, Flag(group="Comparison")] = True
    """Reward each passed test, or only a program that passes all."""
    compile_only: Annotated[bool, Flag(group="Tests")] = False
    """Judge compiling alone; run no test. The program passes if it compiles."""
    fail_fast: Annotated[bool, Flag(group="Limits")] = False
    """Stop at the first failure; skip the rest."""
    isolation: Annotated[CaseIsolation, Flag(group="Advanced")] = "per_case"
    """Run each case in its own process, or all calls of a program in one."""
    policy: Annotated[
        str | Policy | None,
        Flag("POLICY", group="Advanced", takes=Annotated[str, Field(max_length=2_000)] | None),
    ] = None
    """Restrict Python source: no-imports, or a list of allowed modules such as math,collections."""
    compile_timeout_s: Annotated[float, Flag("S", group="Limits")] = Field(
        default=COMPILE_TIMEOUT_S, gt=0, le=86_400
    )
    """CPU time for compiling, in seconds."""
    binary_cache_dir: Annotated[str | Path | None, Flag("DIR", group="Output", local=True)] = None
    """Folder of the compile cache; None is the configured one."""

    @field_validator("reward", mode="before")
    @classmethod
    def _named_reward(cls, given: object) -> object:
        return _REWARDS.get(given, given) if isinstance(given, str) else given


class ComparisonOptions(ToleranceOptions):
    """Options of jobs that compare outputs."""

    match_mode: MatchMode | None = None
    """Comparison of outputs or values; None is the task's or the specification's, else exact."""
    sequences_alike: Annotated[bool, Flag(group="Advanced")] = False
    """For calls, a list equals a tuple."""
    ignore_case: Annotated[bool, Flag(group="Advanced")] = False
    """Printed words and lines match in any case."""


class JudgeOptions(RunningOptions, ComparisonOptions):
    """Options of `judge`."""

    entry: Annotated[Entry | str, Flag("ENTRY", group="Program", takes=EntryText)] = "stdio"
    """Entry point of a Python program: stdio, function:NAME, class:NAME.METHOD, methods:NAME,
    asserts or asserts:NAME."""

    def task(self) -> Task:
        """Return a task without tests that is judged by these options.

        Raises:
            UsageError: if the entry is unknown.
        """
        return Task(id="tests", prompt="", **stated(self))


def stated(options: JudgeOptions) -> dict[str, Any]:
    """Return the fields of a task that options state, which are not the defaults.

    Raises:
        UsageError: if the entry is unknown.
    """
    given = {name: getattr(options, name) for name in OF_TASKS}
    given["entry"] = str(as_entry(given["entry"]))
    usual = {name: Task.model_fields[name].default for name in given}
    return {name: value for name, value in given.items() if value not in (None, usual[name])}
