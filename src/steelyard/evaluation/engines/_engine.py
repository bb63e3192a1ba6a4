"""The interface of all engines."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, Protocol

from steelyard.schemas import EngineJob, EngineNode, EngineResult

__all__ = ["Engine", "EngineName"]

EngineName = Literal["local", "ray"]
"""`local`: the cells of this machine. `ray`: the nodes of a Ray cluster."""


class Engine(Protocol):
    """Runs jobs. Threads do not share it, and one run ends before the next begins."""

    @property
    def nodes(self) -> tuple[EngineNode, ...]:
        """The machines, with the isolation that was found on each, and those that take no work."""

    def run(
        self,
        jobs: Iterable[EngineJob | None],
        blobs: Mapping[str, bytes],
        *,
        stop: Callable[[], bool] | None = None,
        max_cost_usd: float | None = None,
        spent_usd: float = 0.0,
    ) -> Iterator[EngineResult]:
        """Yield the result of each job once, in order of completion.

        Jobs are taken from their iterable shortly before their turn, so that memory is bounded.
        A job that the infrastructure failed is tried again; what a candidate did wrong is a value.
        Closing the iterator ends the jobs that are under way.

        Args:
            jobs: Jobs with different keys. None means that the next job is not ready yet: the
                engine asks again soon, and takes results meanwhile.
            blobs: The blobs that jobs name, by SHA-256.
            stop: Called before jobs are taken; after it returns True, the jobs under way are
                finished and no other job begins.
            max_cost_usd: Hard limit on the cost of models in all jobs, in US dollars. A job begins
                only if its own `max_cost_usd` fits.
            spent_usd: What earlier runs have spent of it.

        Raises:
            BudgetError: if the next job does not fit into `max_cost_usd`; all results of jobs that
                began were given before.
            IsolationError: if the isolation of every machine is too weak.
            InfrastructureError: if no machine is left.
        """
