"""The pages of runs: the list, one followed live, its report."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import Depends, Query, Request, Response
from markupsafe import Markup

from steelyard.authoring.calls import shown_call
from steelyard.equivalence import reporting as equivalence
from steelyard.profiling import reporting as profiling
from steelyard.schemas import (
    AuthorReport,
    Comparison,
    Event,
    ProfileReport,
    RunResult,
    StrengthReport,
    VerifyResult,
)
from steelyard.service._auth import Caller, allow
from steelyard.service._job import KINDS, STATE_WORDS, Job, Run
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
from steelyard.service.pages._render import asset_url, check_csrf, fragment, fragment_text, page
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
        kinds=KINDS,
        states=STATE_WORDS,
        rests=rests,
    )


@router.get("/runs/{run_id}")
async def run(request: Request, job: Job = Depends(owned)) -> Response:
    """Show a run: its steps, and at its end its report."""
    queue = queue_of(request)
    whole = await asyncio.to_thread(queue.get, job.id)
    assert whole is not None
    progress = _Progress.of(job)
    await asyncio.to_thread(progress.read_on, queue, job.id)
    shown = _report(whole)
    asked = await asyncio.to_thread(queue.request, job.id) if job.kind == "judge" else None
    if shown["judged"] is not None:
        shown["failures"] = failures_in(shown["judged"], asked)
    return page(
        request,
        "run.html",
        widths=True,
        run=whole,
        asked=asked,
        **progress.shown(),
        report_style=asset_url("report.css"),
        shown_call=shown_call,
        **shown,
    )


@router.get("/runs/{run_id}/steps")
async def steps(request: Request, job: Job = Depends(owned)) -> Response:
    """Show the steps of a run so far; the page asks now and then until the run ends."""
    if job.has_ended:
        return redirect(request, f"/pages/runs/{job.id}", replace=True)
    progress = _Progress.of(job)
    await asyncio.to_thread(progress.read_on, queue_of(request), job.id)
    return fragment(request, "run-part.html", run=job, **progress.shown())


@router.get("/runs/{run_id}/live")
async def live(request: Request, job: Job = Depends(owned)) -> Response:
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
async def cancel(request: Request, job: Job = Depends(owned)) -> Response:
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
    def of(cls, job: Job) -> "_Progress":
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
            diffs.append(diff_lines(before, turn.code) if before and turn.code else ())
            before = turn.code or before
        return {"events": self.events, "turns": list(zip(turns, diffs, strict=True))}


def _report(run: Run) -> dict[str, Any]:
    """Return what a page shows of the result of a run: a report as HTML, or a record."""
    shown: dict[str, Any] = {
        "report": None,
        "solved": None,
        "authored": None,
        "judged": None,
        "failures": (),
        "strength": None,
    }
    if run.state != "done":
        return shown
    if run.kind == "profile":
        profile = ProfileReport.model_validate(run.result)
        shown["report"] = Markup("\n".join(profiling.sections(profile)))  # noqa: S704  (escaped)
    elif run.kind == "compare":
        comparison = Comparison.model_validate(run.result)
        _, *parts = equivalence.sections(comparison)  # without the heading, which the page has
        shown["report"] = Markup("\n".join(parts))  # noqa: S704
    elif run.kind == "solve":
        solved = RunResult.model_validate(run.result)
        shown["solved"] = solved
        if solved.profile is not None:
            shown["report"] = Markup("\n".join(profiling.sections(solved.profile)))  # noqa: S704
    elif run.kind == "author":
        shown["authored"] = AuthorReport.model_validate(run.result)
    elif run.kind == "strength":
        shown["strength"] = StrengthReport.model_validate(run.result)
    else:
        shown["judged"] = VerifyResult.model_validate(run.result)
    return shown


@dataclass(frozen=True)
class DiffLine:
    """A line of a comparison."""

    kind: Literal["same", "added", "removed", "place"]
    text: str


def diff_lines(before: str, after: str) -> tuple[DiffLine, ...] | None:
    """Return what changed, with three lines around each change.

    Returns:
        The lines; none if the programs are equal. None if a program is too long to compare.
    """
    first, second = before.splitlines(), after.splitlines()
    if max(len(first), len(second)) > _MOST_LINES:
        return None
    return tuple(_lines(first, second))


def _lines(first: list[str], second: list[str]) -> Iterator[DiffLine]:
    for number, line in enumerate(unified_diff(first, second, lineterm="")):
        if number < 2:
            continue  # the names of files, which programs do not have
        if line.startswith("@@"):
            yield DiffLine("place", line)
        elif line.startswith("+"):
            yield DiffLine("added", line[1:])
        elif line.startswith("-"):
            yield DiffLine("removed", line[1:])
        else:
            yield DiffLine("same", line[1:])
