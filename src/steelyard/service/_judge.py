"""Judge programs against their tests: one, or many, one a line.

`POST /v1/judge` and `POST /v1/judge/batch`.
"""

import asyncio
import inspect
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from starlette.requests import ClientDisconnect

from steelyard.errors import SteelyardError
from steelyard.judging import (
    Judge,
    Judges,
    RunningOptions,
    as_entry,
    binary,
    graduated,
    language_of_program,
    pass_rate,
    program_of,
)
from steelyard.logs import logger
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import OnEvent, VerifyResult
from steelyard.service._auth import Caller, allow, caller_of
from steelyard.service._body import StrictRequest, StrictRoute, new_router, read_json
from steelyard.service._judge_request import JudgeRequest
from steelyard.service._problems import Problem, invalid, problem_of, request_id_of, unexpected
from steelyard.service._replies import answered_once, key_of
from steelyard.service._running import (
    ACCEPTED,
    Stop,
    Stopping,
    accepted,
    asks_async,
    run_accepted,
    run_admitted,
    watched,
)
from steelyard.service._state import Services, services_of
from steelyard.toolchains import CompileCache

_log = logger("service")
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
_REWARDS = {"graduated": graduated, "binary": binary, "pass_rate": pass_rate}


class DirectRoute(StrictRoute):
    """A route whose endpoint takes a JSON `body`, the `request` and a `caller` by `allow`.

    What is not JSON that fits the body's type takes FastAPI's way, which makes the errors. That
    way costs about half of all that a request costs the event loop.
    """

    def get_route_handler(self) -> Any:
        """Return the handler."""
        handle = super().get_route_handler()
        endpoint: Any = self.endpoint
        parameters = inspect.signature(endpoint).parameters
        body_type: Any = parameters["body"].annotation
        read = TypeAdapter(body_type).validate_python
        admitted = asynccontextmanager(parameters["caller"].default.dependency)

        async def directly(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            response: Response
            known = await caller_of(strict)  # no body is read for a stranger
            try:
                is_json = request.headers.get("content-type") == "application/json"
                body = read(await strict.json()) if is_json and await strict.body() else None
            except (ValidationError, ClientDisconnect):
                body = None
            if body is None:
                response = await handle(strict)
            else:
                async with admitted(strict, known) as caller:
                    response = await endpoint(body=body, request=strict, caller=caller)
            return response

        return directly


router = new_router("/v1", tag="judge", route=DirectRoute)
batch_router = new_router("/v1", tag="judge")


@router.post(
    "/judge", responses={200: {"model": VerifyResult}, **ACCEPTED}, response_class=Response
)
async def judge(
    body: JudgeRequest, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Judge one program against its tests, and answer when it is judged.

    What the program does wrong is in the result, with status 200.
    """
    services = services_of(request)
    if asks_async(request):
        body.check(services.settings.service)
        return await accepted(request, caller, "judge", body)

    async def make() -> Response:
        stop = Stop(services.settings.service.max_request_s)
        async with watched(request, stop):
            content = await judge_one(services, caller, stop, body)
        return Response(content, media_type="application/json")

    return await answered_once(request, caller, make)


async def judge_one(
    services: Services, caller: Caller, stop: Stop, body: JudgeRequest, *, of_batch: bool = False
) -> bytes:
    """Return the result of one judgement as JSON, once a cell is free.

    Args:
        services: The service's.
        caller: Who asks.
        stop: The wish to stop.
        body: The request.
        of_batch: It is one of many, which were accepted together: it uses one cell.

    Raises:
        Problem: if the request is beyond the limits, too many wait, or it was stopped.
        SteelyardError: as `judge`.
    """
    body.check(services.settings.service)
    run, workers = (run_accepted, 1) if of_batch else (run_admitted, None)
    work = partial(_judged, stop.over(services), stop, body, workers)
    return await run(services.gate, services.threads, caller, stop, work)


def _judged(services: Services, stop: Stop, body: JudgeRequest, workers: int | None) -> bytes:
    # One judgement may use every cell, as long as it is alone.
    several = services.gate.working > 1
    workers = workers or (1 if several else None)
    result = judged(services.pool, services.cache, stop, body, workers)
    services.metrics.count_verdicts(result)
    return result.to_json_line().encode()


def judged(
    pool: CellPool,
    cache: CompileCache,
    stop: Stopping,
    body: JudgeRequest,
    workers: int | None,
    on_event: OnEvent | None = None,
) -> VerifyResult:
    """Return the result of a judgement.

    Raises:
        Problem: if it was stopped.
        SteelyardError: as `judge`.
    """
    judge, program = _prepared(pool, cache, body)
    try:
        return judge.judge(program, workers=workers, stopped=stop, on_event=on_event)
    except StoppedError:
        raise stop.problem() from None


def _prepared(pool: CellPool, cache: CompileCache, body: JudgeRequest) -> tuple[Judge, bytes]:
    """Return the judge of a request, and the program that its text makes."""
    row = body.loaded()
    options = RunningOptions.of(
        compiler=body.compiler,
        flags=body.flags,
        preload=body.preload,
        seed=body.seed,
        pool=pool,
        limits=body.limits,
        compile_timeout_s=body.compile_timeout_s,
        fail_fast=body.fail_fast,
        reward=_REWARDS[body.reward or ("graduated" if body.partial_credit else "binary")],
        isolation=body.isolation,
        policy=body.policy,
        compile_only=body.compile_only,
    )
    text = program_of(row.task, body.program)
    language = row.task.language or body.language
    if body.task is None:
        language = language or language_of_program(text, as_entry(row.task.entry))
    judge = Judges(options, cache=cache).of(row, language)
    return judge, text.encode("utf-8", "surrogatepass")


class BatchQuery(BaseModel):
    """Options of a batch, in the query; its body has the programs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    order: Literal["done", "input"] = Field(default="done", description="Order of the lines.")


@batch_router.post(
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
            body = JudgeRequest.model_validate(value)
            result = await judge_one(self._services, self._caller, stop, body, of_batch=True)
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
