"""Open an engine by its name."""

import os
from contextlib import AbstractContextManager, closing
from typing import get_args

from steelyard.errors import UsageError
from steelyard.evaluation.engines._engine import Engine, EngineName
from steelyard.evaluation.engines._local import LocalEngine
from steelyard.evaluation.engines._ray import open_ray
from steelyard.schemas import IsolationLevel
from steelyard.settings import current_settings

__all__ = ["open_engine"]

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
