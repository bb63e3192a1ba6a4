"""Judge one program against its tests: `POST /v1/judge`."""

from functools import partial

from fastapi import Depends, Request, Response

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
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import OnEvent, VerifyResult
from steelyard.service._async import ACCEPTED, accepted, asks_async
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._direct import DirectRoute
from steelyard.service._judge_request import JudgeRequest
from steelyard.service._replies import answered_once
from steelyard.service._state import Services, services_of
from steelyard.service._work import Stop, Stopping, run_accepted, run_admitted, watched
from steelyard.toolchains import CompileCache

router = new_router("/v1", tag="judge", route=DirectRoute)
_REWARDS = {"graduated": graduated, "binary": binary, "pass_rate": pass_rate}


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
