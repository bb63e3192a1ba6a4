"""Options of `judge`, and those that tests without a task of their own are judged by."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, SkipValidation

from steelyard.judging._entries import CaseIsolation, as_entry
from steelyard.judging._rewards import Reward
from steelyard.judging.checkers import MatchMode
from steelyard.judging.checkers._outcome import Checker
from steelyard.options import Options
from steelyard.schemas import Entry, Policy, Task

COMPILE_TIMEOUT_S = 30.0
_OF_TASKS = (
    "entry",
    "match_mode",
    "abs_tol",
    "rel_tol",
    "sequences_alike",
    "ignore_case",
)


class RunningOptions(Options):
    """Options that no task decides: compiling, running, rewards. `limits` apply to each case."""

    language: str | None = None
    """A name from the language table; None is the file's ending, else Python."""
    compiler: str | None = None
    """One of the language's compilers; None is the first that is installed."""
    flags: Sequence[str] | None = None
    """Flags for the compiler; None is the table's."""
    checker: SkipValidation[Checker] | None = Field(default=None, exclude=True)
    """Decides on outputs in place of `match_mode`."""
    reward: Reward | None = Field(default=None, exclude=True)
    """Takes the place of the reward ladder: `pass_rate`, `binary`, or a function of yours."""
    partial_credit: bool = True
    """Reward each passed case; False is `binary`."""
    compile_only: bool = False
    """Judge compiling alone; cases are skipped, and there may be none."""
    fail_fast: bool = False
    """Stop at the first case that fails; the rest are skipped."""
    isolation: CaseIsolation = "per_case"
    """`per_candidate` lets the calls of one program share a process."""
    preload: Sequence[str] = ()
    """For Python, modules to load beforehand, such as `numpy`."""
    policy: str | Policy | None = None
    """For Python, restricts the source text: `no-imports`, or the modules that it may import."""
    compile_timeout_s: float = Field(default=COMPILE_TIMEOUT_S, gt=0, le=86_400)
    """CPU time for compiling."""
    binary_cache_dir: str | Path | None = None
    """Folder of the compile cache; None is the configured one."""


class JudgeOptions(RunningOptions):
    """Options of `judge`."""

    entry: Entry | str = "stdio"
    """`stdio`, or for Python `function:NAME`, `class:NAME.METHOD`, `methods:NAME`, `asserts` or
    `asserts:NAME`."""
    match_mode: MatchMode = "exact"
    """How outputs or values are compared."""
    abs_tol: float | None = None
    """For modes that compare numbers, the largest absolute difference."""
    rel_tol: float | None = None
    """For these, the largest difference relative to the expected number."""
    sequences_alike: bool = False
    """For calls, a list equals a tuple with the same items."""
    ignore_case: bool = False
    """For printed words and lines, `A` to `Z` equal `a` to `z`."""

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
    fields = type(options).model_fields
    given = {name: getattr(options, name) for name in _OF_TASKS}
    given["entry"] = str(as_entry(given["entry"]))
    return {name: value for name, value in given.items() if value != fields[name].default}
