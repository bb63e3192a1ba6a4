"""Plan the inputs of a profile and the limits of the largest one."""

import math
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import GeneratorError, UsageError
from steelyard.profiling._records import AnyInputs, InputSource, Point
from steelyard.profiling._subject import Subject
from steelyard.profiling.inputs import (
    FolderSource,
    GeneratorSource,
    Parameter,
    SpecificationSource,
    diagonal,
    grid,
    ladder,
)
from steelyard.schemas import Limits, Specification

MOST_RUN_MS = 4_000
"""CPU time of one counted run; it takes a tenth of that where the counts are enough."""
_LEAST_RUN_MS = 1_000
"""The least limit of a timed run. The usual limit is the budget, which an endless program takes."""
_WALL_SHARE = 1.5
"""Wall time of a run over its CPU time. Time that other processes take is not in it."""
_LEAST_MEMORY_MIB = 1_024
_MOST_TIME_MS, _MOST_MEMORY_MIB = 3_600_000, 1 << 18
"""The largest limits that a user may set."""


@dataclass(frozen=True)
class Wanted:
    """Limits of the largest input; None: no limit."""

    time_ms: float | None = None
    memory_mib: float | None = None
    run_ms: float | None = None
    """CPU and wall time at which one run is ended; None: as the budget allows."""

    def __post_init__(self) -> None:
        for name, value, most, unit in (
            ("time", self.time_ms, _MOST_TIME_MS, "ms"),
            ("memory", self.memory_mib, _MOST_MEMORY_MIB, "MiB"),
            ("run's", self.run_ms, _MOST_TIME_MS, "ms"),
        ):
            if value is not None and not 0 < value <= most:
                raise UsageError(
                    f"the {name} limit must be above 0 and at most {most:,} {unit}, "
                    f"got {value:,.10g} {unit}"
                )

    def for_timed_runs(self, budget_ms: float, counted_ms: float = 0.0) -> Limits:
        """Return the limits of timed runs: wide enough to show that a program needs too much.

        Args:
            budget_ms: CPU time of all timed runs.
            counted_ms: CPU time of the longest counted run.
        """
        by_budget = min(max(budget_ms, _LEAST_RUN_MS), _MOST_TIME_MS)
        return self._limits(max(by_budget, 2 * counted_ms, 2 * (self.time_ms or 0)))

    def for_counted_runs(self) -> Limits:
        """Return the limits of counted runs, which do not depend on the budget."""
        return self._limits(MOST_RUN_MS)

    def _limits(self, cpu_ms: float) -> Limits:
        wall_ms = _WALL_SHARE * cpu_ms
        if self.run_ms is not None:
            cpu_ms = wall_ms = self.run_ms
        return Limits(
            cpu_ms=math.ceil(cpu_ms),
            wall_ms=math.ceil(wall_ms),
            memory_mib=max(_LEAST_MEMORY_MIB, math.ceil(2 * (self.memory_mib or 0))),
        )


@dataclass(frozen=True)
class Plan:
    """The inputs that a program is measured on."""

    source: InputSource
    sizes: tuple[Point, ...]
    """Ascending, m at its default."""
    parameter: Parameter | None
    seed: int
    points: tuple[Point, ...] = ()
    """All that a folder has; empty for a generator."""

    @classmethod
    def of(
        cls,
        inputs: AnyInputs,
        subject: Subject,
        *,
        max_n: int | None,
        min_n: int | None,
        parameter: Parameter | str | None,
        seed: int,
        budget_s: float,
    ) -> "Plan":
        """Return the plan for a caller's inputs and bounds.

        Raises:
            UsageError: if it gives no sizes; GeneratorError if there are no inputs.
        """
        if isinstance(parameter, str):
            parameter = Parameter.parse(parameter)
        if isinstance(inputs, str | Path):
            path = Path(inputs)
            if path.is_dir():
                folder = FolderSource(path, calls=subject.is_called)
                return cls._of_folder(folder, max_n, min_n, seed)
            inputs = GeneratorSource.from_file(path, subject.pool, calls=subject.is_called)
        if isinstance(inputs, Specification):
            if parameter is not None:
                raise UsageError("a specification has one size; leave the parameter out")
            source = SpecificationSource(
                inputs, calls=subject.is_called, seed=seed, budget_s=budget_s
            )
            return cls(source, source.points(min_n, max_n), None, seed)
        if isinstance(inputs, FolderSource):
            return cls._of_folder(inputs, max_n, min_n, seed)
        if isinstance(inputs, GeneratorSource):
            says = inputs.says
            max_n = says.n_max if max_n is None else max_n
            min_n = says.n_min if min_n is None else min_n
            if parameter is None and says.m_max is not None:
                parameter = Parameter("m", says.m_min or 1, says.m_max, says.m_default or "n")
        if not callable(getattr(inputs, "get", None)):
            raise UsageError(
                "inputs must be the path of a generator or a folder, a Specification, or an "
                f"InputSource, got {type(inputs).__name__}"
            )
        if max_n is None:
            raise UsageError(
                "the largest n is unknown; give max_n, or define N_MAX in the generator"
            )
        sizes = diagonal(ladder(1 if min_n is None else min_n, max_n), parameter)
        if isinstance(inputs, GeneratorSource):
            inputs.check(sizes, seed)
            inputs.plan(sizes)
        return cls(inputs, sizes, parameter, seed)

    @classmethod
    def _of_folder(
        cls, folder: FolderSource, max_n: int | None, min_n: int | None, seed: int
    ) -> "Plan":
        points = tuple(
            point
            for point in sorted(folder.points)
            if (min_n or 0) <= point.n <= (math.inf if max_n is None else max_n)
        )
        if not points:
            raise GeneratorError(
                "no input in the folder is within the bounds of n; widen the bounds"
            )
        ms = {point.m for point in points if point.m}
        parameter = Parameter("m", min(ms), max(ms), "n") if len(ms) > 1 else None
        # For each n its largest m is the ladder; all of them are the grid.
        sizes = tuple({point.n: point for point in points}.values())
        return cls(folder, sizes, parameter, seed, points if parameter else ())

    @property
    def largest(self) -> Point:
        """The size that the limits apply to."""
        return self.sizes[-1]

    def grid_up_to(self, n: int) -> tuple[Point, ...]:
        """Return points that vary n and m independently, up to this n."""
        if self.parameter is None:
            return ()
        if self.points:
            return tuple(point for point in self.points if point.n <= n)
        valid = self.source.valid if isinstance(self.source, GeneratorSource) else None
        return grid(self.sizes[0].n, n, self.parameter, valid)
