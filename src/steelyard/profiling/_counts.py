"""The counted runs of a profile: over its sizes, over other seeds, and over the grid."""

from collections.abc import Callable, Sequence

from steelyard.profiling._fault import FaultOf
from steelyard.profiling._plan import Plan
from steelyard.profiling._records import CountedRun, Counter, Point
from steelyard.profiling._work import Counted, count_work
from steelyard.profiling.fitting import noisy_share
from steelyard.profiling.inputs import GeneratorSource
from steelyard.schemas import Limits

_MOVED_FROM = 0.08
"""A block whose counts differ by more between two inputs of one size is moved by chance."""
_MOVED_SHARE = 0.02
"""Of all work; blocks below it do not matter."""
_PROBED = (-4, -5)
"""Places among the sizes, from the largest, where that is looked at: large enough to tell, and
small enough to be quick."""


class Counts:
    """Counts the work of one program on the inputs of a plan."""

    def __init__(
        self,
        counter: Counter,
        plan: Plan,
        limits: Limits,
        budget_ms: float,
        fault_of: FaultOf,
        progress: Callable[[CountedRun], None],
    ) -> None:
        """`budget_ms` is of the plan's seed; all others together get as much."""
        self.counter = counter
        self._plan, self._limits, self._budget_ms = plan, limits, budget_ms
        self._fault_of, self._progress = fault_of, progress
        self.ladder = self._count(plan.sizes, plan.seed, budget_ms)
        """With one run at each size."""
        self._more: list[tuple[CountedRun, ...]] = []

    @property
    def seeds(self) -> tuple[int, ...]:
        """Of the inputs that were counted on."""
        return tuple(range(self._plan.seed, self._plan.seed + 1 + len(self._more)))

    def unrepeated(self) -> Point | None:
        """A size where the same input gave other counts, or None."""
        known = self.ladder.with_work
        if not known:
            return None
        run = known[len(known) // 2]
        given = self._plan.source.get(run.point, self._plan.seed)
        same = self.counter.run(given, self._limits).work == run.work
        return None if same else run.point

    @property
    def has_more_seeds(self) -> bool:
        """Whether there are other inputs of the same sizes."""
        known = self.ladder.with_work
        return isinstance(self._plan.source, GeneratorSource) and len(known) >= -min(_PROBED)

    def moved_by_chance(self) -> bool:
        """Whether another input of the same size gives quite other counts.

        One series then tells little of growth: its wandering looks like it.
        """
        if not self.has_more_seeds:
            return False
        known = {self.ladder.with_work[place].point: place for place in _PROBED}
        others = self._count(tuple(known), self._plan.seed + 1, self._budget_ms).with_work
        return any(
            noisy_share(
                self.ladder.with_work[known[run.point]].work or {}, run.work or {}, _MOVED_SHARE
            )
            > _MOVED_FROM
            for run in others
        )

    def of_seeds(self, number: int) -> tuple[CountedRun, ...]:
        """The runs on inputs of so many seeds, the plan's and those after it."""
        points = [run.point for run in self.ladder.with_work]
        while len(self._more) < number - 1:
            seed = self._plan.seed + 1 + len(self._more)
            self._more.append(self._count(points, seed, self._budget_ms / 2).with_work)
        more = (run for runs in self._more[: number - 1] for run in runs)
        return (*self.ladder.with_work, *more)

    def on_grid(self, points: Sequence[Point]) -> tuple[CountedRun, ...]:
        """The runs at points that vary n and m apart."""
        return self._count(points, self._plan.seed, self._budget_ms).with_work

    def _count(self, points: Sequence[Point], seed: int, budget_ms: float) -> Counted:
        return count_work(
            points, self._plan.source, self.counter, self._limits,
            seed=seed, budget_ms=budget_ms, fault_of=self._fault_of, progress=self._progress,
        )  # fmt: skip
