"""The submissions of one service: kept in memory for a time, and run in turns."""

import asyncio
import json
import time
from collections import Counter, OrderedDict
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from fastapi import Request

from steelyard.errors import LanguageError, SteelyardError
from steelyard.judging import checker_for
from steelyard.logs import logger
from steelyard.schemas import TestCase
from steelyard.service._auth import Caller
from steelyard.service._problems import Problem
from steelyard.service._rights import may_see
from steelyard.service._shares import has_room
from steelyard.service._state import Services, services_of
from steelyard.service._work import Stop, run_accepted
from steelyard.service.compat._archives import unpacked
from steelyard.service.compat._callbacks import deliver
from steelyard.service.compat._judge0_submission import DEFAULT_FIELDS, Submission
from steelyard.service.compat._judge0_tables import status_of_run
from steelyard.service.compat._programs import TIMEOUTS, Ran, build, run

_log = logger("service")
_LINES = checker_for("lines")
_KEPT_S = 3_600.0
_MOST_BYTES = 256 << 20
_MOST_KEPT = 50_000
_MOST_CALLBACKS = 4
_LOOKED_AT = 100
_COMPILE_ERROR, _INTERNAL_ERROR = 6, 13


class Book:
    """The submissions of one service. Used from one event loop.

    A result is kept for an hour, and for less if many come; unfinished ones are always kept.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept: OrderedDict[str, tuple[float, Submission]] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._bytes = 0
        self._calls: set[asyncio.Task[None]] = set()
        self._calling = asyncio.Semaphore(_MOST_CALLBACKS)
        self._unfinished: Counter[str] = Counter()

    def has_room(self, caller: Caller, more: int) -> bool:
        """Return True if a caller may start more submissions."""
        own, taken = self._unfinished[caller.owner], self._unfinished.total()
        return has_room(own, taken, self._services.settings.service.most_waiting, more)

    def find(self, token: str, caller: Caller) -> Submission | None:
        """Return a caller's submission; None if there is none with this token."""
        kept = self._kept.get(token)
        return kept[1] if kept is not None and may_see(caller, "peer", kept[1].owner) else None

    def start(self, submission: Submission, caller: Caller) -> tuple[asyncio.Task[None], Stop]:
        """Keep a submission and run it as soon as the gate admits it."""
        self._forget_old()
        self._kept[submission.token] = (time.monotonic(), submission)
        stop = Stop(self._services.settings.service.max_request_s)
        task = asyncio.create_task(self._run(submission, caller, stop))
        self._unfinished[caller.owner] += 1
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task, stop

    async def _run(self, submission: Submission, caller: Caller, stop: Stop) -> None:
        services = stop.over(self._services)
        try:
            submission.status, submission.result = await run_accepted(
                services.gate,
                services.threads,
                caller,
                stop,
                lambda: _judged(services, stop, submission),
            )
        except LanguageError as error:  # its own options, which fit no program
            submission.status = _COMPILE_ERROR
            submission.result = {"compile_output": str(error).encode()}
        except (SteelyardError, Problem) as error:
            submission.status = _INTERNAL_ERROR
            submission.result = {"message": str(getattr(error, "detail", error)).encode()}
        except Exception:  # noqa: BLE001  (nobody awaits it; the log has the traceback)
            _log.exception("unexpected error", caller=caller.owner)
            submission.status = _INTERNAL_ERROR
            submission.result = {"message": b"an unexpected error"}
        submission.finished = datetime.now(UTC)
        self._unfinished -= Counter({caller.owner: 1})  # without callers that have none
        self._bytes += submission.size
        if submission.given["callback_url"]:
            call = asyncio.create_task(self._call_back(submission))
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)

    async def _call_back(self, submission: Submission) -> None:
        """Send a result to its caller's own address."""
        body = json.dumps(submission.shown(DEFAULT_FIELDS, coded=True)).encode()
        async with self._calling:
            sent = await asyncio.to_thread(deliver, submission.given["callback_url"], body)
        _log.info("callback", submission=submission.token, sent=sent)

    def _forget_old(self) -> None:
        limit = time.monotonic() - _KEPT_S
        for token, (made, submission) in list(islice(self._kept.items(), _LOOKED_AT)):
            if submission.finished is None:
                continue
            full = self._bytes > _MOST_BYTES or len(self._kept) > _MOST_KEPT
            if made > limit and not full:
                return
            self._bytes -= submission.size
            del self._kept[token]


def book_of(request: Request) -> Book:
    """Return the submissions of a request's service."""
    state = request.app.state
    book: Book | None = getattr(state, "judge0", None)
    if book is None:
        book = state.judge0 = Book(services_of(request))
    return book


def _judged(services: Services, stop: Stop, submission: Submission) -> tuple[int, dict[str, Any]]:
    """Return the status of a submission after all its runs, and its result."""
    submission.status = 2
    program = submission.program
    if submission.archive:
        try:
            program = replace(program, files=unpacked(services.pool, submission.archive))
            program.check(services.settings.service)
        except Problem as problem:
            return _COMPILE_ERROR, {"compile_output": str(problem.detail).encode()}
    built = build(services.pool, program)
    times, memories = [], []
    status, ran = 3, None
    expected = submission.expected
    wanted = None if expected is None else TestCase(expected=expected)
    for _ in range(int(submission.given["number_of_runs"])):
        if stop():
            raise stop.problem()
        ran = run(services.pool, program, built)
        done = ran.execution
        if done is None:
            return _COMPILE_ERROR, _not_compiled(ran)
        times.append((done.cpu_ms, done.wall_ms))
        memories.append(done.memory_mib)
        status, message = status_of_run(done)
        if status == 3 and not (wanted is None or _LINES.check(wanted, done.stdout).passed):
            status = 4
        if status != 3:
            break
    assert ran is not None
    done = ran.execution
    assert done is not None
    cpu_ms, wall_ms = (sum(each) / len(times) for each in zip(*times, strict=True))
    return status, {
        "stdout": done.stdout or None,
        "stderr": done.stderr or None,
        "compile_output": ran.compile_output.encode() or None,
        "message": message.encode() if message else None,
        "time": f"{cpu_ms / 1_000:.3f}",
        "wall_time": f"{wall_ms / 1_000:.3f}",
        "memory": round(sum(memories) / len(memories) * 1_024),
        "exit_code": done.exit_code,
        "exit_signal": done.signal,
    }


def _not_compiled(ran: Ran) -> dict[str, Any]:
    late = "Compilation time limit exceeded." if ran.compile_stop in TIMEOUTS else ""
    return {"compile_output": (late or ran.compile_output).encode()}
