"""Measure how a program grows: `POST /v1/profile`."""

from typing import Annotated

from fastapi import Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from steelyard.judging import as_entry
from steelyard.profiling import GeneratorSource, profile
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, ProfileReport
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._judge_request import check_limits, check_source
from steelyard.service._running import ACCEPTED, Stopping, answer_measured
from steelyard.service._state import services_of
from steelyard.settings import ServiceSettings

router = new_router("/v1", tag="profile")
_Name = Annotated[str, Field(max_length=100)]
_Size = Annotated[int, Field(ge=1, le=10**12)]


class ProfileRequest(BaseModel):
    """A program, a generator of its inputs, and the options of `profile`."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "program": "print(sum(int(x) for x in open(0)))",
                    "generator": "def generate(n, seed):\n"
                    "    return ''.join(f'{i}\\n' for i in range(n))\n",
                    "max_n": 100_000,
                    "budget_s": 2,
                }
            ]
        },
    )

    program: str
    generator: str
    """The text of a Python module that defines `generate(n, seed)`; it runs in a cell."""
    max_n: _Size | None = None
    min_n: _Size | None = None
    parameter: Annotated[str, Field(max_length=200)] | None = None
    language: _Name | None = None
    compiler: _Name | None = None
    flags: list[str] | None = Field(default=None, max_length=100)
    entry: Annotated[str, Field(max_length=300)] = "stdio"
    preload: list[_Name] = Field(default=[], max_length=100)
    run_limit_ms: float | None = Field(default=None, gt=0, le=86_400_000)
    budget_s: float = Field(default=8.0, gt=0, le=86_400)
    limits: Limits | None = None
    """Limits of the largest input; only those that are set count."""
    seed: int | None = Field(default=0, ge=0, lt=1 << 31)

    def check(self, settings: ServiceSettings) -> None:
        """Refuse what is beyond the service's limits.

        Raises:
            Problem: 422.
        """
        for source in (self.program, self.generator):
            check_source(source, settings)
        time_s = max(self.budget_s, (self.run_limit_ms or 0) / 1000)
        check_limits(self.limits, settings, time_s=time_s)


@router.post(
    "/profile", responses={200: {"model": ProfileReport}, **ACCEPTED}, response_class=Response
)
async def profile_one(
    body: ProfileRequest, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Measure how a program's time and memory grow, and predict the largest input."""
    body.check(services_of(request).settings.service)
    return await answer_measured(request, caller, "profile", body, profiled)


def profiled(pool: CellPool, stop: Stopping, body: ProfileRequest) -> bytes:
    """Return the report of a profile as JSON.

    Raises:
        Problem: if it was stopped.
        SteelyardError: as `profile`.
    """
    entry = as_entry(body.entry)
    report = profile(
        body.program.encode("utf-8", "surrogatepass"),
        inputs=GeneratorSource(
            body.generator.encode("utf-8", "surrogatepass"),
            pool,
            calls=entry.kind != "stdio",
        ),
        max_n=body.max_n,
        min_n=body.min_n,
        parameter=body.parameter,
        language=body.language,
        compiler=body.compiler,
        flags=body.flags,
        entry=entry,
        preload=body.preload,
        run_limit_ms=body.run_limit_ms,
        budget_s=body.budget_s,
        pool=pool,
        limits=body.limits,
        seed=body.seed,
        on_event=stop.at_event,
    )
    return report.to_json_line().encode()
