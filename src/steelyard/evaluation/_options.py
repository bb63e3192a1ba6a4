"""Options of `evaluate`, and the tasks of a benchmark that they select."""

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, field_validator, model_validator

from steelyard.errors import UsageError
from steelyard.evaluation.engines import EngineName
from steelyard.options import Flag, ModelText, SpendingOptions, whole_numbers
from steelyard.schemas import DateWindow, IsolationLevel, SampleOrigin, SolutionLanguage, Task

_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts of an evaluation, numbered from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str | None) -> "Shard":
        """Return the shard in a text such as `2/8`; the whole for None.

        Raises:
            UsageError: if the text is not one.
        """
        if text is None:
            return cls()
        found = _SHARD.fullmatch(text)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise UsageError(f"shard must be I/N with I from 1 to N, got {text!r}")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(slots=True)
class Selection:
    """The tasks to evaluate; it counts what it leaves out."""

    window: DateWindow
    pattern: str | None = None
    """A glob over ids and tags, such as `HumanEval/1*`; several are separated by commas."""
    limit: int | None = None
    shard: Shard = Shard()
    undated: int = 0
    """Tasks that the window leaves out because they have no date."""
    outside: int = 0
    """Tasks that were published outside the window."""

    def of(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Yield the selected tasks, in order.

        The limit counts before tasks are dealt to shards in turn: all shards together are the
        whole.
        """
        count = 0
        patterns = [each.strip() for each in (self.pattern or "").split(",")]
        for task in tasks:
            names = (task.id, *task.tags)
            named = any(fnmatch.fnmatchcase(name, each) for name in names for each in patterns)
            if not (named or self.pattern is None) or not self._is_within(task.published):
                continue
            count += 1
            if self.limit is not None and count > self.limit:
                return
            if (count - 1) % self.shard.of == self.shard.number - 1:
                yield task

    def _is_within(self, published: date | None) -> bool:
        after, before = self.window.after, self.window.before
        if after is None and before is None:
            return True
        if published is None:
            self.undated += 1
            return False
        inside = (after is None or published >= after) and (before is None or published < before)
        self.outside += not inside
        return inside


_REPEATS = 3
"""Runs of each right program with `efficiency`."""

Count = Annotated[int, Field(ge=1, le=100_000)]


class EvaluateOptions(SpendingOptions):
    """Options of `evaluate`. What is set in `limits` replaces the limits of all tasks."""

    group: ClassVar[str] = "Tests"
    usual_limits: ClassVar[Mapping[str, str]] = {
        "cpu_ms": "the task's, or 5000",
        "memory_mib": "the task's, or 512",
    }

    samples: Annotated[Path | None, Flag("FILE", group="Program", local=True)] = None
    """Samples to judge: JSONL, JSON, gzip or parquet."""
    model: Annotated[ModelText | None, Flag("MODEL", group="Models")] = None
    """provider:model that writes the samples; with `solve`, the model of all roles."""
    solve: Annotated[bool, Flag(group="Advanced")] = False
    """Write each program with a whole run of solve."""
    n: Annotated[Count, Flag("N")] = 1
    """Samples for each task and seed that a model writes."""
    seeds: Annotated[
        tuple[Annotated[int, Field(ge=0, lt=1 << 31)], ...], Flag("S,...", read=whole_numbers)
    ] = (0,)
    """Seeds of models and runs; each gives `n` samples."""
    replans: Annotated[int, Flag("N", group="Advanced")] = Field(default=2, ge=0, le=49)
    """With `solve`, programs that a run may write again."""
    language: Annotated[str | None, Flag("NAME", group="Program")] = None
    """Programming language of programs; None is the sample's, the task's, or python."""
    k: Annotated[tuple[Count, ...], Flag("K,...", read=whole_numbers)] = (1, 10, 100)
    """The k of pass@k and its relatives. A k above the number of samples gives no figure."""
    limit: Annotated[Count | None, Flag("N")] = None
    """Number of tasks to take, from the first; None is all."""
    filter: Annotated[str | None, Flag("GLOB,...")] = None
    """Take tasks whose id or tag matches: HumanEval/1*."""
    after: Annotated[date | None, Flag("DATE")] = None
    """First day of publication to take."""
    before: Annotated[date | None, Flag("DATE")] = None
    """First day of publication that is too late."""
    shard: Annotated[str | None, Flag("I/N", group="Advanced")] = None
    """Take the I-th of N parts; `merge` joins them."""
    allow_missing: bool = False
    """Evaluate the other tasks if some have no sample."""
    slack: Annotated[float, Flag("X", group="Comparison")] = Field(
        default=1.0, ge=1, le=100, allow_inf_nan=False
    )
    """Let programs run X times their time limit: they pass, but slowly (pass@k, not eff@k)."""
    all_cases: Annotated[bool, Flag(group="Output")] = False
    """Run all cases of a program that fails one."""
    efficiency: Annotated[bool, Flag(group="Comparison")] = False
    """Time right programs and references for ENAMEL and Beyond."""
    mutants: Annotated[int, Flag("N")] = Field(default=0, ge=0, le=10_000)
    """Mutants of each reference that measure the strength of its tests."""
    engine: Annotated[EngineName, Flag(group="Advanced")] = "local"
    """Judge on this machine, or on a Ray cluster."""
    cluster: Annotated[
        Annotated[str, Field(min_length=3, max_length=300)] | None,
        Flag("HOST:PORT", group="Advanced"),
    ] = None
    """With `engine` ray, the head of the cluster; None is RAY_ADDRESS, or this machine."""
    jobs: Annotated[int | None, Flag("N", group="Limits")] = Field(default=None, ge=1, le=4_096)
    """Number of programs that each machine judges in parallel; None is one for each core."""
    require: Annotated[IsolationLevel | None, Flag("LEVEL", group="Limits")] = None
    """Weakest isolation to accept; None is the setting sandbox.require."""
    plots: Annotated[bool, Flag(group="Output")] = True
    """Draw runtime curves with plotnine."""

    @field_validator("seeds", "k", mode="before")
    @classmethod
    def _one_is_several(cls, value: object) -> object:
        return (value,) if isinstance(value, int) else value

    @field_validator("seeds", "k")
    @classmethod
    def _distinct(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value:
            raise ValueError("give at least one")
        return tuple(dict.fromkeys(value))

    @model_validator(mode="after")
    def _has_one_origin(self) -> Self:
        if self.samples is not None and (self.solve or self.model is not None):
            name = "solve" if self.solve else "model"
            raise UsageError(f"{name}: samples are judged without a model; leave it out")
        if self.samples is None and not self.solve and self.model is None:
            raise UsageError("there is nothing to evaluate; give samples, model or solve")
        if self.after is not None and self.before is not None and self.after >= self.before:
            raise UsageError(f"no day is both from {self.after} and before {self.before}")
        if self.cluster is not None and self.engine != "ray":
            raise UsageError("cluster is for the engine ray; choose engine ray, or omit cluster")
        Shard.parse(self.shard)
        return self

    @property
    def origin(self) -> SampleOrigin:
        """The source of programs."""
        if self.samples is not None:
            return "samples"
        return "solve" if self.solve else "model"

    @property
    def repeats(self) -> int:
        """Runs of each right program."""
        return _REPEATS if self.efficiency else 1

    def selection(self) -> Selection:
        """Return the selection of tasks."""
        window = DateWindow(after=self.after, before=self.before)
        return Selection(window, self.filter, self.limit, Shard.parse(self.shard))

    def shaping(self) -> dict[str, Any]:
        """Return the options that shape samples, verdicts or the choice of tasks, as plain JSON."""
        names = {
            "language",
            "limit",
            "filter",
            "after",
            "before",
            "slack",
            "all_cases",
            "efficiency",
            "mutants",
            "limits",
        }
        if self.origin != "samples":
            names |= {"n", "seeds"}
        if self.origin == "solve":
            names |= {"replans"}
        shaping = self.model_dump(mode="json", include=names)
        if self.limits is not None:
            shaping["limits"] = self.limits.model_dump(exclude_unset=True)
        return shaping

    def solve_language(self) -> SolutionLanguage:
        """Return the language of programs that `solve` writes.

        Raises:
            UsageError: if it writes no such programs.
        """
        if self.language not in (None, "cpp", "python"):
            raise UsageError(f"solve writes cpp or python, not {self.language}; change language")
        return "python" if self.language == "python" else "cpp"
