"""One try of a job on the machine that does it."""

import time
from collections.abc import Callable, Mapping

from steelyard.errors import SteelyardError
from steelyard.evaluation._work import Worker
from steelyard.evaluation.engines._backlog import failed
from steelyard.schemas import EngineJob, EngineResult

__all__ = ["attempt"]


def attempt(
    worker: Worker,
    job: EngineJob,
    blobs: Mapping[str, bytes],
    *,
    node: str,
    stopped: Callable[[], bool],
) -> EngineResult:
    """Do a job once; an error is data, so that the jobs around it are not disturbed.

    Raises:
        StoppedError: if `stopped` returned True.
    """
    started = time.monotonic()
    try:
        done = worker.do(job, blobs, stopped)
    except SteelyardError as error:
        result = failed(job, error, node=node, seconds=time.monotonic() - started)
        return result.model_copy(update={"isolation": worker.pool.isolation})
    return EngineResult(
        key=job.key,
        value=done.value,
        node=node,
        isolation=worker.pool.isolation,
        seconds=time.monotonic() - started,
        cost_usd=done.cost_usd,
    )
