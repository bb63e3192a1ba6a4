"""Solve and author problems with models: `POST /solve` and `POST /v1/author`.

1. A request names models that the service offers, and may spend what the service allows.
2. It becomes a job, and is answered with the job's result, or with the run to follow.
"""

import asyncio
import time
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Body, Depends, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from steelyard.authoring import NO_MODEL, AuthorOptions, require_request
from steelyard.schemas import (
    AuthorReport,
    Limits,
    ProblemInput,
    ProblemName,
    RunResult,
    SolutionLanguage,
    Specification,
)
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._job import Job, JobKind, Run
from steelyard.service._judge_request import check_count, check_limits, check_source
from steelyard.service._problems import MEDIA_TYPE, Problem, request_id_of
from steelyard.service._replies import key_of
from steelyard.service._running import (
    ACCEPTED,
    Stop,
    asks_async,
    preferred_wait_s,
    run_response,
    started,
    watched,
)
from steelyard.service._state import services_of
from steelyard.service.jobs._runs import queue_of
from steelyard.settings import Settings
from steelyard.solving import SolveOptions

solve_router = new_router(tag="solve")
_Model = Annotated[str, Field(min_length=3, max_length=200)]
_EXAMPLE = {
    "task_id": "sum-of-numbers",
    "prompt": "Read n, then n integers. Print their sum.",
    "constraints": {"runtime_limit": 2000, "memory_limit": 512},
    "unit_tests": [{"input": "2\n20 22\n", "output": "42\n"}],
    "input_bounds": {"n": 100_000},
}
_POLL_S = 0.2


class SolveQuery(BaseModel):
    """The options of solving."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    planner: _Model | None = None
    """One of the service's models; None is the service's own choice."""
    coder: _Model | None = None
    analyst: _Model | None = None
    language: SolutionLanguage = "cpp"
    max_iter: int = Field(default=3, ge=1, le=50)
    max_plans: int = Field(default=2, ge=1, le=10)
    diminish_delta: float = Field(default=0.05, ge=0, lt=1)
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=0)
    allow_unmeasured: bool = False
    budget_s: float = Field(default=8.0, gt=0, le=600)
    seed: int | None = Field(default=0, ge=0, lt=1 << 31)


@solve_router.post(
    "/solve", responses={200: {"model": RunResult}, **ACCEPTED}, response_class=Response
)
@solve_router.post(
    "/v1/solve", responses={200: {"model": RunResult}, **ACCEPTED}, response_class=Response
)
async def solve(
    body: Annotated[ProblemInput, Body(examples=[_EXAMPLE])],
    query: Annotated[SolveQuery, Query()],
    request: Request,
    caller: Caller = Depends(allow("author")),
) -> Response:
    """Drive models to a program that is right and efficient, as a run that outlives the request."""
    payload = solve_payload(services_of(request).settings, body, query)
    return await answer(request, caller, "solve", payload)


def _check_problem(settings: Settings, problem: ProblemInput) -> None:
    own = settings.service
    check_source(problem.prompt, own)
    check_source(problem.input_generator or "", own)
    check_count(len(problem.unit_tests), own)
    limits = problem.constraints
    cpu_ms = round(limits.runtime_limit)
    check_limits(
        Limits(cpu_ms=max(1, cpu_ms), wall_ms=max(1, cpu_ms), memory_mib=int(limits.memory_limit)),
        own,
    )


def solve_payload(settings: Settings, problem: ProblemInput, query: SolveQuery) -> dict[str, Any]:
    """Return a job that solves a problem.

    Raises:
        Problem: 422 if it is beyond the service's limits.
    """
    _check_problem(settings, problem)
    own = settings.models
    usual = {"planner": own.planner, "coder": own.coder, "analyst": own.analyst}
    named = {role: getattr(query, role) for role in usual}
    options = SolveOptions.of(
        **{
            **query.model_dump(),
            **allowed_models(settings, named, usual),
            **allowed_spending(settings, query.max_cost_usd, query.max_tokens),
        }
    )
    return {
        "problem": problem.model_dump(mode="json"),
        "options": options.model_dump(mode="json"),
    }


author_router = new_router("/v1", tag="author")


class AuthorRequest(BaseModel):
    """A request, or a specification, and the options of authoring."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [{"request": "the sum of a list of integers", "max_cost_usd": 0.5}]
        },
    )

    request: Annotated[str, Field(min_length=1, max_length=20_000)] | None = None
    """What is asked for, in prose."""
    specification: Specification | None = None
    """In place of a request."""
    solution: list[str] = Field(default=[], max_length=20)
    """Source texts of right solutions."""
    name: ProblemName | None = None
    """The name to store the problem under, as a new one or as a new version; None stores none."""
    writer: _Model | None = None
    """One of the service's models, or `none`; None is the service's own choice."""
    solver: _Model | None = None
    checker: _Model | None = None
    solutions: int = Field(default=2, ge=1, le=8)
    """Solutions that are written without sight of each other."""
    cases: int = Field(default=60, ge=1, le=1_000)
    small_cases: int | None = Field(default=None, ge=0, le=20_000)
    """Further inputs that solutions choose, most of them small; None: 13 for each of `cases`."""
    mutants: int = Field(default=200, ge=0, le=10_000)
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=0)
    limits: Limits | None = None
    seed: int | None = Field(default=0, ge=0, lt=1 << 31)


@author_router.post(
    "/author", responses={200: {"model": AuthorReport}, **ACCEPTED}, response_class=Response
)
async def author(
    body: AuthorRequest, request: Request, caller: Caller = Depends(allow("author"))
) -> Response:
    """Turn a request into a specification, a suite and solutions, as a run."""
    payload = author_payload(services_of(request).settings, body)
    return await answer(request, caller, "author", payload)


def _check_request(settings: Settings, body: AuthorRequest) -> None:
    if (body.request is None) == (body.specification is None):
        raise Problem(
            422,
            "usage-error",
            "The call is wrong",
            "give one of the two: a request, or a specification",
        )
    if body.request is not None:
        require_request(body.request)
    for source in body.solution:
        check_source(source, settings.service)
    check_limits(body.limits, settings.service)


def author_payload(settings: Settings, body: AuthorRequest) -> dict[str, Any]:
    """Return a job that authors a problem.

    Raises:
        Problem: 422 if it is beyond the service's limits.
    """
    _check_request(settings, body)
    own = settings.models
    usual = {"writer": own.planner, "solver": own.coder, "checker": own.planner}
    named = {role: getattr(body, role) for role in usual}
    own_names = {role: None if name == NO_MODEL else name for role, name in named.items()}
    models = allowed_models(settings, own_names, usual)
    models |= {role: NO_MODEL for role, name in named.items() if name == NO_MODEL}
    options = AuthorOptions.of(
        solutions=body.solutions,
        cases=body.cases,
        small_cases=body.small_cases,
        mutants=body.mutants,
        limits=body.limits,
        seed=body.seed,
        **models,
        **allowed_spending(settings, body.max_cost_usd, body.max_tokens),
    )
    specification = body.specification
    return {
        "request": body.request,
        "name": body.name,
        "specification": None if specification is None else specification.model_dump(mode="json"),
        "solution": body.solution,
        "options": options.model_dump(mode="json", exclude_none=True),
    }


async def answer(
    request: Request, caller: Caller, kind: JobKind, payload: dict[str, Any]
) -> Response:
    """Return a job's result; 202 if the client would rather follow it, or it takes too long.

    If the client goes away, the job is cancelled, unless an Idempotency-Key lets it ask again.

    Raises:
        Problem: as `started`; 499 if the client is gone.
        DatabaseError: if the job cannot be stored.
    """
    job = await started(request, caller, kind, payload)
    if asks_async(request):
        return run_response(job, 202)
    jobs = queue_of(request)
    longest_s = services_of(request).settings.service.max_request_s
    preferred_s = preferred_wait_s(request)
    wait_s = longest_s if preferred_s is None else min(longest_s, preferred_s)
    stop = Stop(wait_s)
    async with watched(request, stop):
        job = await _ended(request, job, stop)
    if stop.is_gone and not job.has_ended:
        if key_of(request) is None:
            await asyncio.to_thread(jobs.cancel, job.id)
        raise stop.problem()
    whole = await asyncio.to_thread(jobs.get, job.id)
    return _response(request, Run(**dict(job)) if whole is None else whole)


async def _ended(request: Request, job: Job, stop: Stop) -> Job:
    """Return the job once it has ended, or nobody waits any longer."""
    jobs, begun = queue_of(request), time.monotonic()
    while not (job.has_ended or stop() or request.app.state.ending):
        await asyncio.sleep(min(2.0, _POLL_S + (time.monotonic() - begun) / 50))
        found = await asyncio.to_thread(jobs.find, job.id)
        job = job if found is None else found
    return job


def _response(request: Request, job: Run) -> Response:
    if not job.has_ended:
        return run_response(job, 202)
    if job.state == "cancelled":
        raise Problem(
            409, "run-cancelled", "The run was cancelled", "the run was cancelled; send it again"
        )
    headers = {"Location": f"/v1/runs/{job.id}"}
    if job.problem is not None:
        document = {**job.problem, "request_id": request_id_of(request.scope)}
        return JSONResponse(document, job.problem["status"], headers, media_type=MEDIA_TYPE)
    return JSONResponse(job.result, 200, headers)


def allowed_models(
    settings: Settings, named: Mapping[str, str | None], usual: Mapping[str, str]
) -> dict[str, str]:
    """Return the models of a request by role.

    A name may lead to a file or to an address, so a request only names what the service offers.

    Args:
        settings: With the models that the service offers.
        named: The request's models by role; None for the usual one.
        usual: The service's own choice.

    Raises:
        Problem: 422 for a model that is not offered.
    """
    own = settings.models
    offered = dict.fromkeys((own.planner, own.coder, own.analyst, *settings.service.models))
    for role, name in named.items():
        if name is not None and name not in offered:
            raise Problem(
                422,
                "model-not-offered",
                "The service does not offer this model",
                f"{role}: the service offers {', '.join(offered)}; got {name[:100]!r}",
            )
    return {role: named.get(role) or name for role, name in usual.items()}


def allowed_spending(
    settings: Settings, max_cost_usd: float | None, max_tokens: int | None
) -> dict[str, float | int | None]:
    """Return the limits on what a request spends on models: its own, or the service's.

    Raises:
        Problem: 422 for a limit beyond the service's.
    """
    own = settings.service
    _check_limit("cost", max_cost_usd, own.max_job_cost_usd, "US dollars")
    _check_limit("token", max_tokens, own.max_job_tokens, "tokens")
    return {
        "max_cost_usd": own.max_job_cost_usd if max_cost_usd is None else max_cost_usd,
        "max_tokens": own.max_job_tokens if max_tokens is None else max_tokens,
    }


def _check_limit(what: str, asked: float | None, most: float | None, unit: str) -> None:
    if asked is not None and most is not None and asked > most:
        raise Problem(
            422,
            f"{what}-limit-too-high",
            f"The {what} limit is beyond the service's",
            f"a run may have {most:g} {unit} at most, got {asked:g}",
            limit=most,
        )
