"""Options of `evaluate`, and the tasks of a benchmark that they select."""

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, field_validator, model_validator

from steelyard.errors import UsageError
from steelyard.evaluation.engines import EngineName
from steelyard.options import ModelText, Options
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


class EvaluateOptions(Options):
    """Options of `evaluate`. What is set in `limits` replaces the limits of all tasks."""

    samples: Path | None = None
    """File of samples to judge."""
    model: ModelText | None = None
    """Model that writes the samples, as `provider:model`; with `solve`, the model of all roles."""
    solve: bool = False
    """Write each program with a whole run of `solve`."""
    n: Count = 1
    """Samples for each task and seed that a model writes."""
    seeds: tuple[Annotated[int, Field(ge=0, lt=1 << 31)], ...] = (0,)
    """Seeds of models and runs; each gives `n` samples."""
    replans: int = Field(default=2, ge=0, le=49)
    """With `solve`, the programs that a run may write after its first one."""
    language: str | None = None
    """Language of programs; None is the sample's or the task's, else Python."""
    k: tuple[Count, ...] = (1, 10, 100)
    """The k of pass@k and its relatives. A k above the number of samples gives no figure."""
    limit: Count | None = None
    """Number of tasks to take, from the first."""
    filter: str | None = None
    """Glob over ids and tags; several are separated by commas."""
    after: date | None = None
    """First day of publication to take."""
    before: date | None = None
    """First day of publication that is too late."""
    shard: str | None = None
    """`I/N`: the I-th of N parts, from 1."""
    allow_missing: bool = False
    """Evaluate the tasks that have samples if others of the selection have none."""
    slack: float = Field(default=1.0, ge=1, le=100, allow_inf_nan=False)
    """Programs may run this many times their time limit: right but slow ones count in pass@k, and
    not in eff@k."""
    all_cases: bool = False
    """Run all cases of a program that fails one; else the first failure ends it."""
    efficiency: bool = False
    """Time right programs again, and the references of each task, for ENAMEL's eff@k and Beyond."""
    mutants: int = Field(default=0, ge=0, le=10_000)
    """Largest number of mutants of each task's reference that measure its tests; 0 measures
    nothing."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=0)
    engine: EngineName = "local"
    cluster: Annotated[str, Field(min_length=3, max_length=300)] | None = None
    """For `ray`, `HOST:PORT` of the cluster's head; None is the environment variable
    `RAY_ADDRESS`, else this machine."""
    jobs: int | None = Field(default=None, ge=1, le=4_096)
    """Programs that each machine judges in parallel; None is one for each core."""
    require: IsolationLevel | None = None
    """The weakest isolation that a machine may have; None is the setting `sandbox.require`."""
    plots: bool = True
    """Draw runtime curves, if plotnine is installed."""

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
            raise UsageError("samples are judged without a model; omit model and solve")
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
