"""Count the work of a program over sizes, other seeds and the grid of two parameters.

Counted work decides which sizes are run, so the sizes are the same on every machine:

1. Sizes grow until the work of a run is enough to show its class (`Counter.enough_work`), or until
   the next run is expected to do many times as much.
2. All runs together may do a multiple of that work.
3. CPU time is only the last bound, for programs whose time is not in their counts, such as work
   inside a library. If it ends the sizes, the result is `cut_short`.

The work of the largest run is then attributed to source lines (`LineCounts`).
"""

import collections
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from steelyard.errors import GeneratorError
from steelyard.profiling._plan import MOST_RUN_MS, Plan
from steelyard.profiling._records import CountedRun, Counter, Point
from steelyard.profiling._subject import MOST_FAILURES, FaultOf
from steelyard.profiling.fitting import WorkTerm, noisy_share
from steelyard.profiling.inputs import GeneratorSource
from steelyard.sandbox import stay_on_cell_cores
from steelyard.schemas import Limits, LineWork, StopReason

_MOVED_FROM = 0.08
"""Blocks whose counts differ by more between two inputs of one size depend on the seed."""
_MOVED_SHARE = 0.02
"""Share of all work; blocks below it are ignored."""
_PROBED = (-4, -5)
"""Indexes among the sizes, from the largest, that are checked for it: large enough to be
significant, small enough to be quick."""
_GRID_SHARE = 0.5
"""Share of enough work at the default m; m grows to 7.5 times that."""
_LONG_RUN_MS = 2_000.0
"""CPU time of a run, beyond that of the smallest, after which no larger input is tried."""
_MOST_CPU_MS = 15_000.0
"""CPU time of all counted runs on one seed."""
_ENOUGH, _ENOUGH_OF_FEW = 1.0, 3.0
"""Share of `Counter.enough_work` after which no larger input is tried; the second one if fewer
than `_FEW_SIZES` sizes have run."""
_FAR_BEYOND, _FAR_BEYOND_OF_FEW = 4.0, 6.0
"""A run that is expected to do this share is left out."""
_MOST_SHARES = 10.0
"""The share that all runs on one seed may do together."""
_FEW_SIZES, _ENOUGH_SIZES = 7, 6
_ENDS = (StopReason.EXITED, StopReason.SIGNALED)
"""Other ends are limits: no larger size is run after one."""


@dataclass(frozen=True)
class Counted:
    """The counted sizes."""

    runs: tuple[CountedRun, ...] = ()
    """Successful runs, ascending."""
    faults: Mapping[Point, str] = field(default_factory=dict)
    """Faults of the other runs, as the end of the sentence `the program ...`."""
    threads: bool = False
    cut_short: bool = False
    """Whether CPU time ended the sizes, and not the largest size or the counted work."""

    @property
    def with_work(self) -> tuple[CountedRun, ...]:
        """The runs with counts."""
        return tuple(run for run in self.runs if run.work is not None)

    @property
    def most_cpu_ms(self) -> float:
        """CPU time of the longest run."""
        return max((run.execution.cpu_ms for run in self.runs), default=0.0)

    @property
    def notes(self) -> tuple[str, ...]:
        """Reasons why counts or heap are missing, each once, with its smallest size."""
        first = {run.note: run.point for run in reversed(self.runs) if run.note}
        return tuple(f"at {point} {note}" for note, point in first.items())


class Counts:
    """Counts the work of one program on the inputs of a plan."""

    def __init__(
        self,
        counter: Counter,
        plan: Plan,
        limits: Limits,
        fault_of: FaultOf,
        progress: Callable[[CountedRun], None],
    ) -> None:
        self.counter = counter
        self._plan, self._limits = plan, limits
        self._fault_of, self._progress = fault_of, progress
        self.ladder = self._count(plan.sizes, plan.seed)
        """One run at each size."""
        self._more: list[tuple[CountedRun, ...]] = []

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of the counted inputs."""
        return tuple(range(self._plan.seed, self._plan.seed + 1 + len(self._more)))

    def unrepeated(self) -> Point | None:
        """Return a size at which the same input gave different counts, or None."""
        known = self.ladder.with_work
        if not known:
            return None
        run = known[len(known) // 2]
        given = self._plan.source.get(run.point, self._plan.seed)
        same = self.counter.run(given, self._limits).work == run.work
        return None if same else run.point

    @property
    def has_more_seeds(self) -> bool:
        """Tell whether there are other inputs of the same sizes."""
        known = self.ladder.with_work
        return isinstance(self._plan.source, GeneratorSource) and len(known) >= -min(_PROBED)

    def moved_by_chance(self) -> bool:
        """Return whether another input of the same size gives very different counts.

        One series is then unreliable: its variation looks like growth.
        """
        if not self.has_more_seeds:
            return False
        known = {self.ladder.with_work[index].point: index for index in _PROBED}
        others = self._count(tuple(known), self._plan.seed + 1).with_work
        return any(
            noisy_share(
                self.ladder.with_work[known[run.point]].work or {}, run.work or {}, _MOVED_SHARE
            )
            > _MOVED_FROM
            for run in others
        )

    def of_seeds(self, number: int) -> tuple[CountedRun, ...]:
        """Return the runs on inputs of `number` seeds, from the plan's seed on."""
        points = [run.point for run in self.ladder.with_work]
        while len(self._more) < number - 1:
            seed = self._plan.seed + 1 + len(self._more)
            self._more.append(self._count(points, seed).with_work)
        more = (run for runs in self._more[: number - 1] for run in runs)
        return (*self.ladder.with_work, *more)

    def on_grid(self, points: Sequence[Point]) -> tuple[CountedRun, ...]:
        """Return the runs at points that vary n and m independently."""
        return self._count(points, self._plan.seed).with_work

    @property
    def most_of_grid(self) -> int:
        """The largest n at which a grid of n and m is affordable."""
        known = self.ladder.with_work
        affordable = [run.point.n for run in known if share_of(run, self.counter) <= _GRID_SHARE]
        return max(affordable, default=known[0].point.n)

    def _count(self, points: Sequence[Point], seed: int) -> Counted:
        """Return the runs from the smallest input up, until the counts are enough.

        The work of a failed run is not that of its input, so it is only a fault.

        Raises:
            GeneratorError: if not even the smallest input is available.
            InfrastructureError: if the machine failed.
        """
        runs: list[CountedRun] = []
        faults: dict[Point, str] = {}
        threads, cut_short, left_ms, left_shares = False, False, _MOST_CPU_MS, _MOST_SHARES
        ascending = sorted(points, key=lambda point: (point.n * max(point.m, 1), point))
        with stay_on_cell_cores():
            for point in ascending:
                if len(runs) >= _ENOUGH_SIZES:
                    share = _expected([share_of(run, self.counter) for run in runs])
                    far = _FAR_BEYOND_OF_FEW if len(runs) < _FEW_SIZES else _FAR_BEYOND
                    if share > min(far, left_shares):
                        break
                expected_ms = _expected([run.execution.cpu_ms for run in runs])
                if left_ms < 0 or (len(runs) >= _ENOUGH_SIZES and expected_ms > MOST_RUN_MS):
                    cut_short = True
                    break
                try:
                    given = self._plan.source.get(point, seed)
                except GeneratorError:
                    if not (runs or faults):
                        raise
                    break  # the timing, which uses larger inputs, notes it
                run = self.counter.run(given, self._limits)
                left_ms -= run.execution.cpu_ms
                threads |= run.threads
                self._progress(run)
                fault = self._fault_of(run.execution)
                if fault:
                    faults[point] = fault
                    if runs or len(faults) >= MOST_FAILURES or run.execution.stop not in _ENDS:
                        cut_short = bool(runs) and run.execution.stop.out_of_time
                        break
                    continue
                runs.append(run)
                left_shares -= share_of(run, self.counter)
                enough = _ENOUGH_OF_FEW if len(runs) < _FEW_SIZES else _ENOUGH
                if share_of(run, self.counter) - share_of(runs[0], self.counter) > enough:
                    break
                if run.execution.cpu_ms - runs[0].execution.cpu_ms > _LONG_RUN_MS:
                    cut_short = point != ascending[-1]
                    break
        return Counted(tuple(runs), faults, threads, cut_short)


def share_of(run: CountedRun, counter: Counter) -> float:
    """Return the work of a run as a share of what is enough; reading its input is work too."""
    work = sum((run.work or {}).values())
    return work / counter.enough_work + run.input_bytes / counter.enough_bytes


def _expected(figures: Sequence[float]) -> float:
    """Return the least figure of the next size if growth continues as over the last two."""
    if len(figures) < 2:
        return 0.0
    before, last = figures[-2:]
    return last * max(last / max(before, 1e-3), 1.0)


LEAST_LINE_SHARE = 0.005
"""Share of all work; lines below it are left out of the report."""
LINES_A_TERM = 5
_WORD = re.compile(r"\w")


def lines_with_words(lines: Mapping[str, int], source: bytes) -> dict[str, int]:
    """Return the line of each block, without lines of punctuation alone.

    Compilers charge a scope's end, such as calls of destructors, to its closing brace, which is
    useless to a reader.
    """
    texts = source.decode("utf-8", "replace").split("\n")
    return {
        block: line
        for block, line in lines.items()
        if 1 <= line <= len(texts) and _WORD.search(texts[line - 1])
    }


class LineCounts:
    """The work of each line, by class, at the largest counted size.

    Args:
        runs: Counted runs, of which the largest with counts is taken.
        terms: What the work is made of.
        lines: The source line of each block.
    """

    def __init__(
        self, runs: Iterable[CountedRun], terms: Sequence[WorkTerm], lines: Mapping[str, int]
    ) -> None:
        counts = {run.point: run.work for run in runs if run.work}
        work = counts[max(counts)] if counts else {}
        self._total = sum(work.values())
        self._by_line: dict[int, collections.Counter[str]] = {}
        for term in terms:
            for block in term.blocks:
                line, count = lines.get(block), work.get(block, 0)
                if line is not None and count > 0:
                    self._by_line.setdefault(line, collections.Counter())[term.complexity] += count

    def heaviest(self, complexity: str) -> tuple[int, ...]:
        """Return the lines that do most of the work of a class, the heaviest first."""
        own = {line: grown[complexity] for line, grown in self._by_line.items()}
        lines = sorted((line for line in own if own[line] > 0), key=lambda line: (-own[line], line))
        return tuple(lines[:LINES_A_TERM])

    def shares(self) -> tuple[LineWork, ...]:
        """Return the lines that do most of all work, the heaviest first."""
        found = [
            LineWork(
                line=line,
                share=round(grown.total() / self._total, 4),
                classes=tuple(
                    (name, round(count / self._total, 4)) for name, count in grown.most_common()
                ),
            )
            for line, grown in self._by_line.items()
            if grown.total() >= LEAST_LINE_SHARE * self._total
        ]
        return tuple(sorted(found, key=lambda each: (-each.share, each.line)))
