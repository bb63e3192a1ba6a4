"""Hold what the routers of one service share."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import Request

from steelyard.sandbox import CellPool
from steelyard.service._gate import Gate
from steelyard.service._job import Jobs
from steelyard.service._metrics import Metrics
from steelyard.service._tokens import TokenBook
from steelyard.settings import Settings
from steelyard.storage import Database
from steelyard.toolchains import CompileCache


def utc_clock() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Services:
    """The things that the routers of one service share; held in `app.state.services`."""

    settings: Settings
    pool: CellPool
    """Where quick judgements run."""
    cache: CompileCache
    """Where quick judgements keep compiled programs."""
    gate: Gate
    """Admits quick work, as much at once as there are cells."""
    long_gate: Gate
    """Admits work that takes seconds, one at a time: it measures, and others would disturb it."""
    threads: Executor
    """Where quick work runs."""
    long_threads: Executor
    """Where work of the long gate runs."""
    database: Database
    tokens: TokenBook
    metrics: Metrics
    jobs: Jobs | None = None
    """The queue of long jobs; None if this service has none."""
    workers_alive: Callable[[], int] = int
    """Gives the number of this service's processes that run jobs."""
    clock: Callable[[], datetime] = utc_clock


def services_of(request: Request) -> Services:
    """Return the services of a request's application, for `Depends`."""
    services: Services = request.app.state.services
    return services
