"""Follow work under way, so that a page shows each case as it is judged.

1. Submissions are judged in the background, and stored with their judgement when they end.
2. A `LiveStore` keeps work under way, and what ended within the last hour. It is kept in memory, so
   a service that starts again has forgotten it.
3. A part of the page is sent again whenever it changes, as server-sent events. The page also asks
   for the part now and then, so it works where events do not come through.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
"""

import asyncio
import secrets
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from steelyard.authoring.challenges.submissions import CurrentProblem
from steelyard.errors import SteelyardError
from steelyard.logs import logger
from steelyard.schemas import CaseResult, Event, OnEvent, SubmissionReport
from steelyard.service._auth import Caller, may_see
from steelyard.service._error_responses import Problem, problem_of, unexpected
from steelyard.service._gate import has_room
from steelyard.service._running import Stop, run_admitted
from steelyard.service._state import Services, services_of
from steelyard.service.records import SubmissionRequest, looked_up, submitted

_log = logger("service")
_MOST = 512
_KEPT_S = 3_600.0
_LOOK_S = 0.25
_PING_S = 15.0
T = TypeVar("T", bound="Followed")


@dataclass(kw_only=True)
class Followed(ABC):
    """Work that a page follows."""

    owner: str
    """The account of the caller."""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    started: float = field(default_factory=time.monotonic)

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """True if nothing more will happen."""

    @property
    @abstractmethod
    def shown(self) -> int:
        """The number of results so far: the page changes with it."""


@dataclass(kw_only=True)
class LiveSubmission(Followed):
    """A submission that is being judged."""

    problem: str
    names: tuple[str, ...]
    """The names of the suite's cases, in order."""
    cases: dict[str, CaseResult] = field(default_factory=dict)
    """The results so far, by name."""
    digest: str = ""
    """The digest of the stored submission; empty until it is stored."""
    problem_found: Problem | None = None
    """The reason why nothing was stored."""
    task: "asyncio.Task[None] | None" = None

    @property
    def is_done(self) -> bool:
        """True if nothing more will happen."""
        return bool(self.digest) or self.problem_found is not None

    @property
    def shown(self) -> int:
        """The number of results so far."""
        return len(self.cases)


class LiveStore:
    """The work of one kind that pages follow.

    Args:
        most: Limit on what is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, Followed] = OrderedDict()

    def add(self, work: Followed) -> None:
        """Keep work.

        Raises:
            Problem: 429 if too much is kept that has not ended.
        """
        until = time.monotonic() - _KEPT_S
        for each in list(self._kept.values()):
            if each.is_done and (each.started < until or len(self._kept) >= self._most):
                del self._kept[each.id]
        unfinished = [each.owner for each in self._kept.values() if not each.is_done]
        if not has_room(unfinished.count(work.owner), len(unfinished), self._most):
            raise Problem(
                429,
                "queue-full",
                "Too many requests wait",
                f"{len(unfinished)} others wait already, {unfinished.count(work.owner)} of them "
                "this caller's; try again later",
                headers={"Retry-After": "5"},
            )
        self._kept[work.id] = work

    def find(self, live_id: str) -> Followed | None:
        """Return work, if it is kept."""
        return self._kept.get(live_id)


def live_submissions(request: Request) -> LiveStore:
    """Return the submissions that pages follow."""
    return live_store_of(request, LiveSubmission, _MOST)


async def start_live(request: Request, caller: Caller, body: SubmissionRequest) -> LiveSubmission:
    """Start to judge a submission, and return it as soon as its cases are known.

    Raises:
        Problem: 404 if there is no such problem, 429 if too many are under way.
        UsageError: if the problem has no suite.
    """
    services, store = services_of(request), live_submissions(request)
    body.check(services.settings.service)
    names = await asyncio.to_thread(_case_names, services, body.problem)
    live = LiveSubmission(owner=caller.owner, problem=body.problem, names=names)
    store.add(live)
    stop = Stop(services.settings.service.max_request_s)
    work = partial(submitted, stop.over(services), caller, body, _shown_in(live, stop))
    live.task = asyncio.create_task(
        _judge(live, lambda: run_admitted(services.gate, services.threads, caller, stop, work))
    )
    return live


async def _judge(live: LiveSubmission, work: Callable[[], Awaitable[SubmissionReport]]) -> None:
    try:
        live.digest = (await work()).submission
    except Problem as problem:
        live.problem_found = problem
    except SteelyardError as error:
        live.problem_found = problem_of(error)
    except Exception:  # noqa: BLE001  (nobody awaits the task: the page shows it, the log has it)
        _log.exception("unexpected error", problem=live.problem)
        live.problem_found = unexpected()


def _case_names(services: Services, problem: str) -> tuple[str, ...]:
    with services.database.read() as reader:
        with looked_up():
            reader.problem(problem)
        return tuple(case.name for case in CurrentProblem.read(reader, problem).decided)


def _shown_in(live: LiveSubmission, stop: Stop) -> OnEvent:
    def show(event: Event) -> None:
        stop.at_event(event)
        if event.case is not None:
            live.cases[event.case.name] = event.case

    return show


def live_store_of(request: Request, kind: type[Followed], most: int) -> LiveStore:
    """Return the store of a request's application for one kind of work."""
    state = request.app.state
    if not hasattr(state, "live"):
        state.live = {}
    stores: dict[type[Followed], LiveStore] = state.live
    return stores.setdefault(kind, LiveStore(most))


def found_live(store: LiveStore, kind: type[T], caller: Caller, live_id: str) -> T:
    """Return the work that a path names.

    Raises:
        Problem: 404 if it is not kept, or another caller's.
    """
    work = store.find(live_id)
    if not isinstance(work, kind) or not may_see(caller, "page", work.owner):
        raise Problem(
            404,
            "not-stored",
            "It is not under way",
            "it ended more than an hour ago, or the service has started again since; look at the "
            "list of submissions, and submit again if it is not there",
        )
    return work


def live_stream(request: Request, work: Followed, text: Callable[[], str]) -> StreamingResponse:
    """Return a stream of a part of a page, sent again with each new result until the work ends.

    Args:
        request: The request that it answers.
        work: What the part shows.
        text: Returns the part as HTML.
    """
    shown = -1

    async def look() -> str | None:
        nonlocal shown
        if work.is_done:
            return None
        if work.shown == shown:
            return ""
        shown = work.shown
        return text()

    return part_stream(request, look)


def part_stream(request: Request, look: Callable[[], Awaitable[str | None]]) -> StreamingResponse:
    """Return a stream of a part of a page, until the work that it shows has ended.

    Args:
        request: The request that it answers.
        look: Returns the part as HTML, empty if it has not changed; None at the end.
    """
    return StreamingResponse(
        _messages(request, look),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _messages(
    request: Request, look: Callable[[], Awaitable[str | None]]
) -> AsyncGenerator[bytes, None]:
    sent = time.monotonic()
    async for part in _parts(request, look):
        if part:
            sent = time.monotonic()
            yield format_sse_event(data_str=part)
        elif time.monotonic() - sent > _PING_S:
            sent = time.monotonic()
            yield b": waiting\n\n"  # finds out whether the browser is still there
    if not request.app.state.ending:
        yield format_sse_event(event="end", data_str="end")


async def _parts(request: Request, look: Callable[[], Awaitable[str | None]]) -> AsyncIterator[str]:
    while not request.app.state.ending:
        part = await look()
        if part is None:
            return
        yield part
        await asyncio.sleep(_LOOK_S)
