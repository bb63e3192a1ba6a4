"""Run each kind of job through the library's own functions.

A `RunningJob` gives it what it needs: cells, a folder, events, and the wish to stop.
"""

import asyncio
import contextvars
import fcntl
import inspect
import json
import os
import queue
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Self, TypeVar

from dbos import DBOS
from dbos import error as dbos_error

from steelyard.authoring.challenges.submissions import read_results, store_results
from steelyard.authoring.pipeline import AuthorRequest
from steelyard.errors import UsageError
from steelyard.jobs import job
from steelyard.logs import logger
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import Event
from steelyard.service._error_responses import Problem
from steelyard.service.jobs._solve_events import SolveEvents
from steelyard.service.jobs._table import EVENTS, TURNS, Sealing
from steelyard.settings import current_settings
from steelyard.solving import SolveRequest
from steelyard.storage import open_database

_log = logger("jobs")
_OF_A_CASE = {"name", "verdict", "cpu_ms", "wall_ms", "memory_mib"}
"""What of a case is in an event; the result has the rest."""
_MOST_EVENTS = 5_000
_MOST_TURNS = 1_000
_MOST_WAITING = 1_000
_FLUSH_S = 0.25
_POLL_S = 0.2

_OF_THE_SERVER = ("folder", "logs")
"""Fields of reports that name folders of this machine."""
T = TypeVar("T")


class RunningJob:
    """One job while it runs. Threads share it.

    Args:
        job_id: The job's id.
        folder: For its artefacts; what a dead worker left there is resumed.
        pool: Where programs run.
        most_s: Limit on the time of the job.
        sealing: Seals events and turns.
    """

    def __init__(
        self, job_id: str, folder: Path, pool: CellPool, most_s: float, sealing: Sealing
    ) -> None:
        self.job_id, self.folder, self.pool = job_id, folder, pool.stoppable()
        self._most_s, self._until = most_s, time.monotonic() + most_s
        self._sealing = sealing
        self._stopped = threading.Event()
        self._end: Callable[[], object] | None = None
        self._lock = threading.Lock()
        self._events: queue.Queue[dict[str, Any] | str | None] = queue.Queue(_MOST_WAITING)
        self._written = 0
        self._turns = 0

    def __enter__(self) -> Self:
        """Begin to write events, in the context of the step that runs the job."""
        context = contextvars.copy_context()
        self._writer = threading.Thread(target=context.run, args=(self._write_events,), daemon=True)
        self._writer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._events.put(None)
        self._writer.join()

    def __call__(self) -> bool:
        """Return True if the work should stop."""
        return self._stopped.is_set() or self.is_late

    @property
    def is_stopped(self) -> bool:
        """True if the job was cancelled, or is another worker's now."""
        return self._stopped.is_set()

    @property
    def is_late(self) -> bool:
        """True if the job has used up its time."""
        return time.monotonic() > self._until

    def stop(self) -> None:
        """Stop the work at once: the job was cancelled, or is another worker's now."""
        self._stopped.set()
        self.pool.stop()
        with self._lock:
            if self._end is not None:
                self._end()

    def problem(self) -> Problem:
        """Return the reason for a stop as a problem."""
        if self._stopped.is_set():
            return Problem(499, "job-stopped", "The run was stopped", "the run was stopped")
        return Problem(
            422,
            "job-too-long",
            "The run takes too long",
            f"a run may take {self._most_s:g} s; ask for less",
        )

    def at_event(self, event: Event) -> None:
        """Store an event, and stop the work if it should stop.

        Raises:
            Problem: if it should stop.
        """
        if self():
            raise self.problem()
        self.note(event)

    def note(self, event: Event) -> None:
        """Store an event."""
        plain = event.model_dump(mode="json", exclude_defaults=True, exclude={"case"})
        if event.case is not None:
            plain["case"] = event.case.model_dump(mode="json", include=_OF_A_CASE)
        with suppress(queue.Full):  # progress is not worth waiting for
            self._events.put_nowait(plain)

    def keep_turn(self, text: str) -> None:
        """Store a turn of a solve run, as JSON."""
        with suppress(queue.Full):  # the last one of each turn comes at the end, too
            self._events.put_nowait(text)

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end, or until it should stop.

        Raises:
            Problem: if it was stopped.
        """

        async def run() -> T:
            task = asyncio.ensure_future(work)
            loop = asyncio.get_running_loop()
            with self._lock:
                self._end = lambda: loop.call_soon_threadsafe(task.cancel)
            if self():
                task.cancel()
            loop.call_later(max(0.0, self._until - time.monotonic()), task.cancel)
            try:
                return await task
            finally:
                with self._lock:
                    self._end = None

        try:
            return asyncio.run(run())
        except asyncio.CancelledError:
            raise self.problem() from None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until no other process of this machine works in the job's folder.

        Raises:
            Problem: if the work should stop.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError:
                    if self():
                        raise self.problem() from None
                    time.sleep(_POLL_S)
            yield
        finally:
            os.close(descriptor)

    def _write_events(self) -> None:
        ended = False
        while not ended:
            batch = [self._events.get()]
            if batch[0] is not None and self._written:
                time.sleep(_FLUSH_S)  # so that a job with many events writes few rows
            with suppress(queue.Empty):
                while True:
                    batch.append(self._events.get_nowait())
            ended = None in batch
            events = [each for each in batch if isinstance(each, dict)]
            events = events[: _MOST_EVENTS - self._written]
            turns = [each for each in batch if isinstance(each, str)][: _MOST_TURNS - self._turns]
            self._written += len(events)
            self._turns += len(turns)
            if (events or turns) and not self._stopped.is_set():
                try:
                    for turn in turns:
                        DBOS.write_stream(TURNS, self._sealing.seal(turn))
                    if events:
                        DBOS.write_stream(EVENTS, self._sealing.seal(json.dumps(events)))
                except dbos_error.DBOSBaseException:  # the job is not this worker's any more
                    self.stop()
                except Exception:  # noqa: BLE001  (a job without its progress is still a job)
                    _log.exception("progress cannot be stored", job=self.job_id)


def run_kind(kind: str, work: RunningJob, payload: dict[str, Any]) -> str:
    """Run a job, and return its result as JSON.

    Raises:
        Problem: if the job should stop, or asks for what cannot be done.
        SteelyardError: as the library's function.
    """
    own = job(kind)
    body = own.body.model_validate(payload)
    request, fields = own.read({name: getattr(body, name) for name in body.model_fields_set})
    turns: SolveEvents | None = None
    if isinstance(request, SolveRequest):
        turns = SolveEvents(work.folder / request.problem.task_id, work.keep_turn)

    def at_event(event: Event) -> None:
        work.at_event(event)
        if turns is not None:
            turns.send_changes()

    options = own.options.of(**fields, pool=work.pool, on_event=at_event)
    with work.alone() if own.scope == "author" else nullcontext():
        try:
            done: Any = own.run(request, options, work.folder)
            report = work.wait_for(done) if inspect.iscoroutine(done) else done
        except StoppedError:
            raise work.problem() from None
    if turns is not None:
        turns.send_changes()
    if isinstance(request, AuthorRequest) and request.name is not None and report.suite is not None:
        note = _stored(work, request.name)
        report = report.model_copy(update={"notes": (*report.notes, note)})
    plain = {
        name: "" if name in _OF_THE_SERVER else value for name, value in report.to_dict().items()
    }
    return json.dumps(plain, separators=(",", ":"))


def _stored(work: RunningJob, name: str) -> str:
    """Store the results of authoring as a problem, and return what was stored."""
    try:
        found = read_results(work.folder / "results", name)
        with open_database(current_settings().database_url or None) as database:
            version, _ = store_results(database, found, pool=work.pool)
    except UsageError as error:  # what was paid for is kept
        return f"not stored as {name}: {error}"
    return f"stored as {name}, suite {version.number}"
