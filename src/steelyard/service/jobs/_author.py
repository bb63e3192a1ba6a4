"""Author a problem: `POST /v1/author`."""

from typing import Annotated, Any

from fastapi import Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from steelyard.authoring import NO_MODEL, AuthorOptions, require_request
from steelyard.schemas import AuthorReport, Limits, ProblemName, Specification
from steelyard.service._async import ACCEPTED
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._judge_request import check_limits, check_source
from steelyard.service._problems import Problem
from steelyard.service._state import services_of
from steelyard.service.jobs._allowed import allowed_models, allowed_spending
from steelyard.service.jobs._answer import answer
from steelyard.settings import Settings

router = new_router("/v1", tag="author")

_Model = Annotated[str, Field(min_length=3, max_length=200)]


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


@router.post(
    "/author", responses={200: {"model": AuthorReport}, **ACCEPTED}, response_class=Response
)
async def author(
    body: AuthorRequest, request: Request, caller: Caller = Depends(allow("author"))
) -> Response:
    """Turn a request into a specification, a suite and solutions, as a run."""
    payload = author_payload(services_of(request).settings, body)
    return await answer(request, caller, "author", payload)


def _check(settings: Settings, body: AuthorRequest) -> None:
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
    _check(settings, body)
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
