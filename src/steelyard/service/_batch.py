"""Judge many programs, one a line: `POST /v1/judge/batch`."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from steelyard.errors import SteelyardError
from steelyard.jobs import job
from steelyard.logs import logger
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router, read_json
from steelyard.service._error_responses import (
    Problem,
    invalid,
    problem_of,
    request_id_of,
    unexpected,
)
from steelyard.service._job_routes import bounded, done, stated
from steelyard.service._replies import answered_once, key_of
from steelyard.service._running import Stop, watched
from steelyard.service._state import Services, services_of

_log = logger("service")
_JUDGE = job("judge")
NDJSON = "application/x-ndjson"
_TYPES = frozenset({NDJSON, "application/jsonl", "application/ndjson"})
_LINE = {
    "type": "object",
    "properties": {
        "index": {"type": "integer", "description": "The line's position, from 0."},
        "id": {"description": "The line's own `id`, if it has one."},
        "result": {"description": "As `/v1/judge` answers."},
        "problem": {"description": "The problem document, in place of the result."},
    },
    "required": ["index"],
}
router = new_router("/v1", tag="judge")


class BatchQuery(BaseModel):
    """Options of a batch, in the query; its body has the programs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    order: Literal["done", "input"] = Field(default="done", description="Order of the lines.")


@router.post(
    "/judge/batch",
    response_class=StreamingResponse,
    responses={200: {"content": {NDJSON: {"schema": _LINE}}, "description": "One line each."}},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                NDJSON: {
                    "schema": {"type": "string"},
                    "example": '{"id": "a", "program": "print(1)", "language": "python", '
                    '"tests": [{"input": "", "expected": "1"}]}\n',
                }
            },
        }
    },
)
async def judge_batch(
    request: Request,
    query: Annotated[BatchQuery, Query()],
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Judge many programs: lines of JSON as `/v1/judge` takes them, each with an optional `id`.

    Each line is answered by one line, as soon as it is judged. What is wrong with one line is its
    problem, and the others are judged. With an `Idempotency-Key`, all lines come at the end.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _TYPES:
        raise Problem(
            415,
            "media-type",
            "The body has another type",
            f"send lines of JSON as {NDJSON}, got {kind[:100] or 'no type'}",
        )
    services = services_of(request)
    lines = batch_lines(await request.body(), services.settings.service.max_batch)
    batch = Batch(services, caller, request_id_of(request.scope))
    gone = Stop(float("inf"))

    async def answers() -> AsyncIterator[bytes]:
        async with watched(request, gone):
            async for _, answer in batch.answers(lines, gone, in_order=query.order == "input"):
                yield answer + b"\n"

    async def make() -> Response:
        content = b"".join([each async for each in answers()])
        if gone():
            raise gone.problem()
        return Response(content, media_type=NDJSON)

    if key_of(request) is not None:
        return await answered_once(request, caller, make)
    return StreamingResponse(answers(), media_type=NDJSON)


def batch_lines(content: bytes, most: int) -> list[bytes]:
    """Return the lines of a batch.

    Raises:
        Problem: 422 if there are too many.
    """
    lines = [line for line in content.split(b"\n") if line.strip()]
    if len(lines) > most:
        raise Problem(
            422,
            "batch-too-large",
            "A batch has too many programs",
            f"a batch may have {most:,} lines, got {len(lines):,}",
            limit=most,
        )
    return lines


class Batch:
    """The lines of one request, as many at once as the gate admits."""

    def __init__(self, services: Services, caller: Caller, request_id: str) -> None:
        self._services, self._caller, self._request_id = services, caller, request_id
        self._stops: set[Stop] = set()

    async def answers(
        self, lines: list[bytes], gone: Stop, *, in_order: bool = False
    ) -> AsyncGenerator[tuple[int, bytes], None]:
        """Yield the position of each line and its answer, until nobody waits for more."""
        left = iter(enumerate(lines))
        under_way: dict[asyncio.Task[tuple[int, bytes]], None] = {}
        try:
            while not gone():
                for index, line in left:
                    under_way[asyncio.create_task(self._answer(index, line))] = None
                    if len(under_way) >= self._services.gate.size:
                        break
                if not under_way:
                    return
                if in_order:
                    done = {next(iter(under_way))}
                    await asyncio.wait(done)
                else:
                    done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del under_way[task]
                    yield task.result()
        finally:
            for stop in self._stops:
                stop.leave()
            for task in under_way:
                task.cancel()

    async def _answer(self, index: int, line: bytes) -> tuple[int, bytes]:
        answer: dict[str, Any] = {"index": index}
        stop = Stop(self._services.settings.service.max_request_s)
        self._stops.add(stop)
        try:
            value = await read_json(line)
            if isinstance(value, dict) and "id" in value:
                answer["id"] = value.pop("id")
            given = stated(_JUDGE.body.model_validate(value))
            given = bounded(_JUDGE, given, self._services.settings)
            result = await done(_JUDGE, given, self._services, self._caller, stop, of_batch=True)
        except Problem as problem:
            answer["problem"] = self._document(problem)
        except ValidationError as error:
            answer["problem"] = self._document(invalid(error.errors()))
        except SteelyardError as error:
            answer["problem"] = self._document(problem_of(error))
        except Exception:  # noqa: BLE001  (one line must not end the others)
            _log.exception("unexpected error", request_id=self._request_id)
            answer["problem"] = self._document(unexpected())
        else:
            return index, json.dumps(answer).encode()[:-1] + b', "result": ' + result + b"}"
        finally:
            self._stops.discard(stop)
        return index, json.dumps(answer).encode()

    def _document(self, problem: Problem) -> dict[str, object]:
        return problem.document(self._request_id)
