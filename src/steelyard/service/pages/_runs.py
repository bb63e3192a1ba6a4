"""The pages of runs: the list, one followed live, its report."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Query, Request, Response

from steelyard.jobs import JOBS, job
from steelyard.judging import view
from steelyard.reports import Block, Diff, Heading, Text
from steelyard.schemas import (
    Event,
    VerifyResult,
)
from steelyard.service._auth import Caller, allow
from steelyard.service._job import STATE_WORDS, QueuedJob, QueuedRun
from steelyard.service.jobs import (
    EVENTS,
    TURNS,
    JobQueue,
    RunQuery,
    newest_of_each,
    owned,
    queue_of,
    runs_on,
)
from steelyard.service.pages._cases import failures_in
from steelyard.service.pages._live import part_stream
from steelyard.service.pages._render import check_csrf, fragment, fragment_text, page
from steelyard.service.pages._route import page_router, redirect

router = page_router()
_MOST_EVENTS = 300
_MOST_LINES = 2_000
"""Longer programs are not compared: the time grows with the square of the lines."""


@router.get("/runs")
async def runs(
    query: Annotated[RunQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge", "author")),
) -> Response:
    """Show a page of the list of runs."""
    found = await runs_on(request, caller, query)
    kept = [("kind", kind) for kind in query.kind] + [("state", state) for state in query.state]
    after = urlencode([*kept, ("cursor", found.next or "")])
    rests = {
        name: "".join(f"&{name}={value}" for key, value in kept if key == name)
        for name in ("kind", "state")
    }
    return page(
        request,
        "runs.html",
        query=query,
        found=found,
        after=after,
        kinds=list(JOBS),
        states=STATE_WORDS,
        rests=rests,
    )


@router.get("/runs/{run_id}")
async def run(request: Request, job: QueuedJob = Depends(owned)) -> Response:
    """Show a run: its steps, and at its end its report."""
    queue = queue_of(request)
    whole = await asyncio.to_thread(queue.get, job.id)
    assert whole is not None
    progress = _Progress.of(job)
    await asyncio.to_thread(progress.read_on, queue, job.id)
    asked = await asyncio.to_thread(queue.request, job.id) if job.kind == "judge" else None
    return page(
        request,
        "run.html",
        run=whole,
        asked=asked,
        **progress.shown(),
        **_shown(whole, asked),
    )


@router.get("/runs/{run_id}/steps")
async def steps(request: Request, job: QueuedJob = Depends(owned)) -> Response:
    """Show the steps of a run so far; the page asks now and then until the run ends."""
    if job.has_ended:
        return redirect(request, f"/pages/runs/{job.id}", replace=True)
    progress = _Progress.of(job)
    await asyncio.to_thread(progress.read_on, queue_of(request), job.id)
    return fragment(request, "run-part.html", run=job, **progress.shown())


@router.get("/runs/{run_id}/live")
async def live(request: Request, job: QueuedJob = Depends(owned)) -> Response:
    """Send the steps of a run as they come."""
    queue, progress, state = queue_of(request), _Progress.of(job), ""

    async def look() -> str | None:
        nonlocal state
        now = await asyncio.to_thread(queue.find, job.id)
        if now is None or now.has_ended:
            return None
        if not await asyncio.to_thread(progress.read_on, queue, job.id) and now.state == state:
            return ""
        state = now.state
        return fragment_text(request, "run-part.html", run=now, **progress.shown())

    return part_stream(request, look)


@router.post("/runs/{run_id}/cancel", dependencies=[Depends(check_csrf)])
async def cancel(request: Request, job: QueuedJob = Depends(owned)) -> Response:
    """Cancel a run."""
    await asyncio.to_thread(queue_of(request).cancel, job.id)
    return redirect(request, f"/pages/runs/{job.id}")


@dataclass
class _Progress:
    """The steps and turns of a run so far."""

    events: list[Event] = field(default_factory=list)
    """The newest ones, the oldest of them first."""
    turns: list[str] = field(default_factory=list)
    positions: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, job: QueuedJob) -> "_Progress":
        """Return the progress of a run, of which nothing is read yet."""
        return cls(
            positions=dict.fromkeys((EVENTS, TURNS) if job.kind == "solve" else (EVENTS,), 0)
        )

    def read_on(self, queue: JobQueue, job_id: str) -> bool:
        """Read what is new, and return True if there was something."""
        found = {
            stream: queue.so_far(job_id, stream, after=position)
            for stream, position in self.positions.items()
        }
        for stream, values in found.items():
            self.positions[stream] += len(values)
        for batch in found[EVENTS]:
            self.events = [*self.events, *map(Event.model_validate, json.loads(batch))]
        self.events = self.events[-_MOST_EVENTS:]
        self.turns += found.get(TURNS, ())
        return any(found.values())

    def shown(self) -> dict[str, Any]:
        """Return what a template shows."""
        turns = newest_of_each(self.turns)
        before, diffs = "", []
        for turn in turns:
            diffs.append(_diff(before, turn.code) if before and turn.code else ())
            before = turn.code or before
        return {"events": self.events, "turns": list(zip(turns, diffs, strict=True))}


def _shown(run: QueuedRun, asked: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a page shows of the result of a run: its blocks, and the failures of a judge."""
    shown: dict[str, Any] = {"blocks": (), "failures": ()}
    if run.state == "done":
        own = job(run.kind)
        result = own.report.model_validate(run.result)
        shown["blocks"] = own.view(result)
        if isinstance(result, VerifyResult) and result.compile.ok:
            shown["blocks"] = view(result, failure=False)  # the first one is among all below
            shown["failures"] = failures_in(result, asked)
    return shown


def _diff(before: str, after: str) -> tuple[Block, ...]:
    """Return what changed, with three lines around each change; nothing for equal programs."""
    first, second = before.splitlines(), after.splitlines()
    if max(len(first), len(second)) > _MOST_LINES:
        return (Text("The programs are too long to compare.", "quiet"),)
    text = "\n".join(unified_diff(first, second, lineterm=""))
    return (Heading("Changes of the program"), Diff(text)) if text else ()
