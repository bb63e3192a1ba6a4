"""Judge submissions in the background, so that a page shows each case as it is judged.

What is under way is kept in memory. A submission is stored with its judgement when it ends.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

from fastapi import Request

from steelyard.challenges.submissions import CurrentProblem
from steelyard.errors import SteelyardError
from steelyard.logs import logger
from steelyard.schemas import CaseResult, Event, OnEvent, SubmissionReport
from steelyard.service._auth import Caller
from steelyard.service._problems import Problem, problem_of, unexpected
from steelyard.service._state import Services, services_of
from steelyard.service._work import Stop, run_admitted
from steelyard.service.pages._live_book import Followed, LiveBook, book_of
from steelyard.service.records import SubmissionRequest, looked_up, submitted

_log = logger("service")
_MOST = 512


@dataclass(kw_only=True)
class Live(Followed):
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


def live_submissions(request: Request) -> LiveBook:
    """Return the submissions that pages follow."""
    return book_of(request, Live, _MOST)


async def start_live(request: Request, caller: Caller, body: SubmissionRequest) -> Live:
    """Start to judge a submission, and return it as soon as its cases are known.

    Raises:
        Problem: 404 if there is no such problem, 429 if too many are under way.
        UsageError: if the problem has no suite.
    """
    services, book = services_of(request), live_submissions(request)
    body.check(services.settings.service)
    names = await asyncio.to_thread(_case_names, services, body.problem)
    live = Live(owner=caller.owner, problem=body.problem, names=names)
    book.add(live)
    stop = Stop(services.settings.service.max_request_s)
    work = partial(submitted, stop.over(services), caller, body, _shown_in(live, stop))
    live.task = asyncio.create_task(
        _judge(live, lambda: run_admitted(services.gate, services.threads, caller, stop, work))
    )
    return live


async def _judge(live: Live, work: Callable[[], Awaitable[SubmissionReport]]) -> None:
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


def _shown_in(live: Live, stop: Stop) -> OnEvent:
    def show(event: Event) -> None:
        stop.at_event(event)
        if event.case is not None:
            live.cases[event.case.name] = event.case

    return show
