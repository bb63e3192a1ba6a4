"""The interface of all engines, the way to open one by its name, and the engine of one machine."""

import os
import platform
from contextlib import AbstractContextManager, closing
from typing import Literal, get_args

from steelyard.errors import UsageError
from steelyard.evaluation.engines._engine import Engine, Machine
from steelyard.evaluation.engines._jobs import Node, requiring
from steelyard.evaluation.engines._ray import open_ray
from steelyard.schemas import IsolationLevel
from steelyard.settings import current_settings

EngineName = Literal["local", "ray"]
"""`local`: the cells of this machine. `ray`: the nodes of a Ray cluster."""
JOB_TIMEOUT_S = 3_600.0
"""A solve run with slow models takes minutes; the programs in it have limits of their own."""


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
    settings = requiring(current_settings().sandbox, require or "none")
    if name == "ray":
        address = address or os.environ.get("RAY_ADDRESS")
        return open_ray(address, jobs, settings.require, job_timeout_s)
    host = platform.node() or "local"
    return closing(Engine({host: Machine(Node(host, jobs, settings, job_timeout_s))}))
