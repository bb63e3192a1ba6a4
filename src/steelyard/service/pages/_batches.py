"""The pages of batches: send lines of JSON, watch the verdicts come in as a table."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, File, Form, Path, Request, Response, UploadFile

from steelyard.judging import view
from steelyard.schemas import Verdict, VerifyResult
from steelyard.service._auth import Caller, allow
from steelyard.service._batch import Batch, batch_lines
from steelyard.service._error_responses import Problem, request_id_of
from steelyard.service._running import Stop
from steelyard.service._state import services_of
from steelyard.service.pages._cases import Failure, failures_in
from steelyard.service.pages._live import (
    Followed,
    LiveStore,
    found_live,
    live_store_of,
    live_stream,
)
from steelyard.service.pages._render import check_csrf, fragment, fragment_text, page
from steelyard.service.pages._route import page_router, redirect

router = page_router()
_MOST_LINES = 2_000
_MOST_BATCHES = 16
_MOST_ROWS = 500
_SHORT_WAIT_S = 0.5
"""What is judged within this time needs no live page."""
_Id = Annotated[str, Path(max_length=100)]


@dataclass(frozen=True)
class BatchRow:
    """The row of one line."""

    name: str
    """The line's own `id`, or its number."""
    answer: bytes
    """As `/v1/judge/batch` gives it."""
    verdict: str = ""
    """Of the first case that failed; AC if all passed. Empty if the line was refused."""
    reward: float = 0.0
    passed: int = 0
    cases: int = 0
    slowest_ms: float = 0.0
    details: str = ""
    failures: tuple[Failure, ...] = ()

    @classmethod
    def of(cls, index: int, answer: bytes, line: bytes) -> "BatchRow":
        """Return the row of the answer to a line."""
        value: dict[str, Any] = json.loads(answer)
        name = str(value["id"])[:200] if "id" in value else f"line {index + 1}"
        if "result" not in value:
            return cls(name, answer, details=str(value["problem"].get("detail", "")))
        result = VerifyResult.model_validate(value["result"])
        verdicts = [case.verdict for case in result.cases]
        failed = next((each for each in verdicts if each is not Verdict.AC), Verdict.AC)
        return cls(
            name,
            answer,
            verdict=str(failed if result.compile.ok else Verdict.CE),
            reward=result.reward,
            passed=verdicts.count(Verdict.AC),
            cases=len(verdicts),
            slowest_ms=max((case.cpu_ms for case in result.cases), default=0.0),
            details=result.details,
            failures=failures_in(result, json.loads(line), most=1),
        )


@dataclass(kw_only=True)
class LiveBatch(Followed):
    """A batch that is being judged, or was."""

    count: int
    rows: dict[int, BatchRow] = field(default_factory=dict)
    stop: Stop
    task: "asyncio.Task[None] | None" = None

    @property
    def is_done(self) -> bool:
        """True if nothing more will happen."""
        return self.task is not None and self.task.done()

    @property
    def shown(self) -> int:
        """The number of verdicts so far."""
        return len(self.rows)

    @property
    def totals(self) -> tuple[int, int, int]:
        """The numbers of programs that passed, failed and were refused so far."""
        verdicts = [each.verdict for each in self.rows.values()]
        passed, refused = verdicts.count("AC"), verdicts.count("")
        return passed, len(verdicts) - passed - refused, refused

    @property
    def mean_reward(self) -> float | None:
        """The mean over the programs that were judged so far."""
        rewards = [each.reward for each in self.rows.values() if each.verdict]
        return sum(rewards) / len(rewards) if rewards else None


@router.get("/new/batch")
def form(request: Request, _: Caller = Depends(allow("judge"))) -> Response:
    """Show the form for a batch."""
    return page(request, "new-batch.html", most=_most(request))


@router.post("/new/batch", dependencies=[Depends(check_csrf)])
async def new_batch(
    request: Request,
    lines: Annotated[str, Form()] = "",
    file: Annotated[UploadFile | None, File()] = None,
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Start to judge a batch."""
    content = lines.encode("utf-8", "replace")
    if file is not None and file.filename:
        content += b"\n" + await file.read()
    given = batch_lines(content, _most(request))
    if not given:
        raise Problem(
            422,
            "batch-empty",
            "The batch has no program",
            "give lines of JSON in the text area, or choose a file of them",
        )
    live = LiveBatch(owner=caller.owner, count=len(given), stop=Stop(float("inf")))
    _batches(request).add(live)
    batch = Batch(services_of(request), caller, request_id_of(request.scope))
    live.task = asyncio.create_task(_judge(live, batch, given))
    await asyncio.wait([live.task], timeout=_SHORT_WAIT_S)
    return redirect(request, f"/pages/batches/{live.id}")


@router.get("/batches/{live_id}")
def batch(live_id: _Id, request: Request, caller: Caller = Depends(allow("judge"))) -> Response:
    """Show the verdicts of a batch so far."""
    values = _shown(_found(request, caller, live_id))
    if "hx-request" in request.headers:
        return fragment(request, "batch-part.html", **values)
    return page(request, "batch.html", **values)


@router.get("/batches/{live_id}/events")
async def follow(
    live_id: _Id, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Send the verdicts as they come."""
    live = _found(request, caller, live_id)
    return live_stream(
        request, live, lambda: fragment_text(request, "batch-part.html", **_shown(live))
    )


@router.get("/batches/{live_id}/answers")
def answers(live_id: _Id, request: Request, caller: Caller = Depends(allow("judge"))) -> Response:
    """Return the answers so far as lines of JSON, in the order of the batch."""
    rows = _found(request, caller, live_id).rows
    content = b"".join(rows[index].answer + b"\n" for index in sorted(rows))
    headers = {"Content-Disposition": 'attachment; filename="verdicts.jsonl"'}
    return Response(content, media_type="application/x-ndjson", headers=headers)


@router.get("/batches/{live_id}/{number}")
def line(
    live_id: _Id,
    number: Annotated[int, Path(ge=1, le=1_000_000)],
    request: Request,
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Show the judgement of one line."""
    live = _found(request, caller, live_id)
    row = live.rows.get(number - 1)
    if row is None:
        raise Problem(
            404, "not-stored", "The line has no verdict", "the batch has no such line, or not yet"
        )
    answer = json.loads(row.answer)
    result = VerifyResult.model_validate(answer["result"]) if "result" in answer else None
    return page(
        request,
        "batch-line.html",
        live=live,
        row=row,
        number=number,
        result=result,
        problem=answer.get("problem"),
        blocks=view(result, failure=False) if result else (),
    )


@router.post("/batches/{live_id}/cancel", dependencies=[Depends(check_csrf)])
async def cancel(
    live_id: _Id, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Leave the rest of a batch out."""
    live = _found(request, caller, live_id)
    live.stop.leave()
    return redirect(request, f"/pages/batches/{live.id}")


async def _judge(live: LiveBatch, batch: Batch, lines: Sequence[bytes]) -> None:
    async for index, answer in batch.answers(list(lines), live.stop):
        live.rows[index] = BatchRow.of(index, answer, lines[index])


def _shown(live: LiveBatch) -> dict[str, Any]:
    return {"live": live, "most": _MOST_ROWS}


def _most(request: Request) -> int:
    return min(_MOST_LINES, services_of(request).settings.service.max_batch)


def _batches(request: Request) -> LiveStore:
    return live_store_of(request, LiveBatch, _MOST_BATCHES)


def _found(request: Request, caller: Caller, live_id: str) -> LiveBatch:
    return found_live(_batches(request), LiveBatch, caller, live_id)
