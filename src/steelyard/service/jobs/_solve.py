"""Solve a problem: `POST /solve`."""

from typing import Annotated, Any

from fastapi import Body, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from steelyard.schemas import Limits, ProblemInput, RunResult, SolutionLanguage
from steelyard.service._async import ACCEPTED
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._judge_request import check_count, check_limits, check_source
from steelyard.service._state import services_of
from steelyard.service.jobs._allowed import allowed_models, allowed_spending
from steelyard.service.jobs._answer import answer
from steelyard.settings import Settings
from steelyard.solving import SolveOptions

router = new_router(tag="solve")
_Model = Annotated[str, Field(min_length=3, max_length=200)]
_EXAMPLE = {
    "task_id": "sum-of-numbers",
    "prompt": "Read n, then n integers. Print their sum.",
    "constraints": {"runtime_limit": 2000, "memory_limit": 512},
    "unit_tests": [{"input": "2\n20 22\n", "output": "42\n"}],
    "input_bounds": {"n": 100_000},
}


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


@router.post("/solve", responses={200: {"model": RunResult}, **ACCEPTED}, response_class=Response)
@router.post(
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


def _check(settings: Settings, problem: ProblemInput) -> None:
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
    _check(settings, problem)
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
