"""Count the work of a program over sizes, other seeds and the grid of two parameters."""

from collections.abc import Callable, Sequence

from steelyard.profiling._fault import FaultOf
from steelyard.profiling._plan import Plan
from steelyard.profiling._records import CountedRun, Counter, Point
from steelyard.profiling._work import Counted, count_work, share_of
from steelyard.profiling.fitting import noisy_share
from steelyard.profiling.inputs import GeneratorSource
from steelyard.schemas import Limits

_MOVED_FROM = 0.08
"""Blocks whose counts differ by more between two inputs of one size depend on the seed."""
_MOVED_SHARE = 0.02
"""Share of all work; blocks below it are ignored."""
_PROBED = (-4, -5)
"""Indexes among the sizes, from the largest, that are checked for it: large enough to be
significant, small enough to be quick."""

_GRID_SHARE = 0.5
"""Share of enough work at the default m; m grows to 7.5 times that."""


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
        return count_work(
            points,
            self._plan.source,
            self.counter,
            self._limits,
            seed=seed,
            fault_of=self._fault_of,
            progress=self._progress,
        )
