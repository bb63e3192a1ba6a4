"""Compare a rewritten function with its original: `POST /v1/compare`."""

import sys
import tempfile
from pathlib import Path, PurePosixPath
from typing import Annotated

from fastapi import Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from steelyard.equivalence import AcceptMode, CandidateKind, compare
from steelyard.sandbox import CellPool
from steelyard.schemas import Comparison, Limits
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._judge_request import check_limits, check_source
from steelyard.service._problems import Problem
from steelyard.service._running import ACCEPTED, Stopping, answer_measured
from steelyard.service._state import services_of
from steelyard.settings import ServiceSettings

router = new_router("/v1", tag="compare")
_MOST_FILES = 2_000
_Path = Annotated[str, Field(min_length=1, max_length=300)]


class CompareRequest(BaseModel):
    """A rewritten function, its project's files, and the options of `compare`."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "program": "def total(n):\n    return sum(range(1, n + 1))\n",
                    "function": "sums:total",
                    "files": {"sums.py": "def total(n):\n    return sum(range(n + 1))\n"},
                }
            ]
        },
    )

    program: str
    """The function's source, its whole module, or a unified diff."""
    function: Annotated[str, Field(max_length=500)]
    """The original, as `pkg.module:qualified.name`."""
    files: dict[_Path, str] = Field(min_length=1, max_length=_MOST_FILES)
    """The project's files, by their paths in it."""
    kind: CandidateKind = "auto"
    tests: list[_Path] = Field(default=[], max_length=200)
    """Files or folders with tests; empty for all that pytest finds."""
    threshold: float = Field(default=0.05, ge=0.01, le=10)
    accept: AcceptMode = "faster"
    rel_tol: float = Field(default=0.0, ge=0, lt=1)
    abs_tol: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    dict_order: bool = True
    messages: bool = False
    coverage: float = Field(default=0.6, ge=0, le=1)
    generate: int = Field(default=60, ge=0, le=2_000)
    least_cases: int = Field(default=6, ge=1, le=10_000)
    limits: Limits | None = None
    seed: int | None = Field(default=0, ge=0, lt=1 << 31)

    def check(self, settings: ServiceSettings) -> None:
        """Refuse what is beyond the service's limits, and paths that lead out of the project.

        Raises:
            Problem: 422.
        """
        for source in (self.program, *self.files.values()):
            check_source(source, settings)
        check_limits(self.limits, settings)
        _check_paths(self)


@router.post(
    "/compare", responses={200: {"model": Comparison}, **ACCEPTED}, response_class=Response
)
async def compare_one(
    body: CompareRequest, request: Request, caller: Caller = Depends(allow("judge"))
) -> Response:
    """Compare a rewritten Python function with its original in a project."""
    body.check(services_of(request).settings.service)
    return await answer_measured(request, caller, "compare", body, compared)


def compared(pool: CellPool, stop: Stopping, body: CompareRequest) -> bytes:
    """Return the report of a comparison as JSON.

    Raises:
        Problem: if a path is not valid, or it was stopped.
        SteelyardError: as `compare`.
    """
    with tempfile.TemporaryDirectory(prefix="steelyard-compare-") as folder:
        root = Path(folder)
        for name, text in body.files.items():
            file = root / name
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode("utf-8", "surrogatepass"))
            except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
                raise _bad_path(name, "it is a file and a folder at once") from error
        report = compare(
            body.program.encode("utf-8", "surrogatepass"),
            function=body.function,
            root=root,
            kind=body.kind,
            tests=body.tests,
            # The project's own interpreter would be a program that the caller sent.
            python=sys.executable,
            threshold=body.threshold,
            accept=body.accept,
            rel_tol=body.rel_tol,
            abs_tol=body.abs_tol,
            dict_order=body.dict_order,
            messages=body.messages,
            coverage=body.coverage,
            generate=body.generate,
            least_cases=body.least_cases,
            pool=pool,
            limits=body.limits,
            seed=body.seed,
            on_event=stop.at_event,
        )
        return report.to_json_line().encode()


def _check_paths(body: CompareRequest) -> None:
    """Refuse paths that lead out of the project.

    Raises:
        Problem: 422.
    """
    for name in (*body.files, *body.tests):
        parts = PurePosixPath(name).parts
        long = any(len(part.encode("utf-8", "replace")) > 255 for part in parts)
        if name.startswith("/") or ".." in parts or not parts or long or not name.isprintable():
            raise _bad_path(name, "give a relative path inside the project")


def _bad_path(name: str, why: str) -> Problem:
    return Problem(
        422, "path-invalid", "A path of a file is not valid", f"the path {name[:100]!r}: {why}"
    )
