"""Hold what the routers of one service share, and count for Prometheus what they do."""

from collections import Counter as Counts
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from fastapi import Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from steelyard.sandbox import CellPool
from steelyard.schemas import Spending, VerifyResult
from steelyard.service._gate import Gate
from steelyard.service._job import Jobs
from steelyard.service._tokens import TokenBook
from steelyard.settings import Settings
from steelyard.storage import Database
from steelyard.toolchains import CompileCache

_LATENCIES_S = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


def utc_clock() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)


class Metrics:
    """The figures of one service. Threads may share them."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = self._counter("requests", "Requests.", "route", "method", "status")
        self._seconds = Histogram(
            "steelyard_request_seconds",
            "Time until a response ends.",
            ("route",),
            buckets=_LATENCIES_S,
            registry=self.registry,
        )
        self._verdicts = self._counter("verdicts", "Judged cases.", "verdict")
        self._compiles = self._counter("compiles", "Compiled programs.", "cached")
        self._jobs = self._gauge("jobs", "Runs that wait for a worker, and that run.", "state")
        self._model_tokens = self._counter(
            "model_tokens", "Tokens of language models.", "kind", "direction"
        )
        self._model_replies = self._counter(
            "model_replies",
            "Replies of language models, and of the cache of replies.",
            "kind",
            "source",
        )
        self._model_cost = self._counter("model_cost_usd", "Cost of language models.", "kind")

    def count_request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request whose response has ended."""
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_verdicts(self, result: VerifyResult) -> None:
        """Count the verdicts of one judgement."""
        self._compiles.labels("yes" if result.compile.cached else "no").inc()
        for verdict, number in Counts(case.verdict for case in result.cases).items():
            self._verdicts.labels(verdict.value).inc(number)

    def count_spending(self, kind: str, spending: Spending) -> None:
        """Count what the models of one run cost."""
        self._model_tokens.labels(kind, "in").inc(spending.tokens_in)
        self._model_tokens.labels(kind, "out").inc(spending.tokens_out)
        self._model_replies.labels(kind, "model").inc(spending.calls)
        self._model_replies.labels(kind, "cache").inc(spending.cached_calls)
        self._model_cost.labels(kind).inc(spending.cost_usd or 0.0)

    def set_jobs(self, counts: Mapping[str, int]) -> None:
        """Report how many jobs wait and run."""
        for state, number in counts.items():
            self._jobs.labels(state).set(number)

    def watch(self, gates: Mapping[str, Gate], cells: int) -> None:
        """Report the state of the cells and of what waits for them, as it is when asked."""
        working = self._gauge("working", "Requests that are worked on.", "gate")
        waiting = self._gauge("waiting", "Requests that wait for their turn.", "gate")
        for name, gate in gates.items():
            working.labels(name).set_function(partial(getattr, gate, "working"))
            waiting.labels(name).set_function(partial(getattr, gate, "waiting"))
        self._gauge("cells", "Programs that can run at once.").set(cells)

    def text(self) -> bytes:
        """Return all figures in the format of Prometheus."""
        return generate_latest(self.registry)

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"steelyard_{name}", meaning, labels, registry=self.registry)

    def _gauge(self, name: str, meaning: str, *labels: str) -> Gauge:
        return Gauge(f"steelyard_{name}", meaning, labels, registry=self.registry)


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
