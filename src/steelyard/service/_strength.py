"""Measure how strong a suite is: `POST /v1/strength`."""

from typing import Annotated, Any

from fastapi import Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from steelyard.judging import MatchMode, as_entry, load_json_tests
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Specification, StrengthReport
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._judge_request import check_count, check_limits, check_source
from steelyard.service._running import ACCEPTED, Stopping, answer_measured
from steelyard.service._state import services_of
from steelyard.settings import ServiceSettings
from steelyard.strength import measure_strength

router = new_router("/v1", tag="strength")
_Programs = Annotated[list[str], Field(max_length=50)]


class StrengthRequest(BaseModel):
    """A suite, a right program, and the options of `measure_strength`."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "tests": [{"args": [2], "expected": 4}, {"args": [-3], "expected": 9}],
                    "solution": "def square(x):\n    return x * x\n",
                    "entry": "function:square",
                    "mutants": 20,
                }
            ]
        },
    )

    tests: list[dict[str, Any]] = Field(min_length=1, fail_fast=True)
    """Cases as in a JSON file of tests."""
    solution: str
    """A right program, which passes every case."""
    specification: Specification | None = None
    wrong: _Programs = []
    slow: _Programs = []
    references: _Programs = []
    mutants: int = Field(default=200, ge=0, le=2_000)
    entry: Annotated[str, Field(max_length=300)] = "class:Solution.solve"
    match_mode: MatchMode | None = None
    limits: Limits | None = None
    seed: int | None = Field(default=0, ge=0, lt=1 << 31)

    def check(self, settings: ServiceSettings) -> None:
        """Refuse what is beyond the service's limits.

        Raises:
            Problem: 422.
        """
        for source in (self.solution, *self.wrong, *self.slow, *self.references):
            check_source(source, settings)
        check_count(len(self.tests), settings)
        check_limits(self.limits, settings)


@router.post(
    "/strength", responses={200: {"model": StrengthReport}, **ACCEPTED}, response_class=Response
)
async def strength(
    body: StrengthRequest, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Measure how strong a suite of a Python program is, by the programs that it kills."""
    body.check(services_of(request).settings.service)
    return await answer_measured(request, caller, "strength", body, measured)


def measured(pool: CellPool, stop: Stopping, body: StrengthRequest) -> bytes:
    """Return the report as JSON.

    Raises:
        Problem: if it was stopped.
        SteelyardError: as `measure_strength`.
    """
    entry = as_entry(body.entry)
    report = measure_strength(
        load_json_tests(body.tests, entry=entry),
        _bytes(body.solution),
        spec=body.specification,
        wrong=list(map(_bytes, body.wrong)),
        slow=list(map(_bytes, body.slow)),
        references=list(map(_bytes, body.references)),
        mutants=body.mutants,
        entry=entry,
        match_mode=body.match_mode,
        pool=pool,
        limits=body.limits,
        seed=body.seed,
        on_event=stop.at_event,
    )
    return report.to_json_line().encode()


def _bytes(source: str) -> bytes:
    return source.encode("utf-8", "surrogatepass")  # a text could be taken for a file's name
