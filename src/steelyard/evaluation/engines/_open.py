"""The interface of all engines, and the way to open one by its name."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from typing import Literal, Protocol, get_args

from steelyard.errors import UsageError
from steelyard.evaluation.engines._local import LocalEngine
from steelyard.evaluation.engines._ray import open_ray
from steelyard.schemas import EngineJob, EngineNode, EngineResult, IsolationLevel
from steelyard.settings import current_settings

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


JOB_TIMEOUT_S = 3_600.0
"""A solve run with slow models takes minutes; the programs in it have limits of their own."""
_LEVELS = get_args(IsolationLevel)  # from weak to strong


def open_engine(
    name: EngineName = "local",
    *,
    jobs: int | None = None,
    require: IsolationLevel | None = None,
    address: str | None = None,
    job_timeout_s: float = JOB_TIMEOUT_S,
) -> AbstractContextManager[Engine]:
    """Open an engine for a `with` statement.

    Args:
        name: `local` or `ray`.
        jobs: Jobs that each machine runs in parallel; None for one per core.
        require: The weakest isolation that a machine may have; None, or a weaker one than the
            setting `sandbox.require`, is the setting.
        address: For `ray`, `HOST:PORT` of the cluster's head. None is the environment variable
            `RAY_ADDRESS`, or else this machine.
        job_timeout_s: Wall time of one job in seconds. A job that takes longer is tried again.

    Raises:
        UsageError: for an invalid argument, or if Ray is not installed.
        IsolationError: if the isolation of this machine, or of every node, is weaker than required.
        InfrastructureError: if no cluster answers at the address.
    """
    if name not in get_args(EngineName):
        raise UsageError(f"unknown engine {name!r}; use {' or '.join(get_args(EngineName))}")
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs must be 1 or more, got {jobs}")
    if address is not None and name != "ray":
        raise UsageError("address is for the engine ray; leave it out")
    if not 0 < job_timeout_s <= 86_400:
        raise UsageError(f"job_timeout_s must be above 0 and at most 86,400, got {job_timeout_s}")
    settings = current_settings().sandbox
    level = max(require or "none", settings.require, key=_LEVELS.index)
    settings = settings.model_copy(update={"require": level})
    if name == "ray":
        return open_ray(address or os.environ.get("RAY_ADDRESS"), jobs, level, job_timeout_s)
    return closing(LocalEngine(jobs, settings, job_timeout_s))
