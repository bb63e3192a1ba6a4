"""List, show and store problems, and their suites: `/v1/problems` and `/v1/suites`.

A `ProblemForm` is a problem as somebody writes it: a specification, a suite, solutions.
"""

from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from steelyard.authoring.challenges import submissions
from steelyard.families import as_compact, expand
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    CaseCategory,
    CaseFacts,
    CompactInput,
    ProblemName,
    ProblemSummary,
    Specification,
    SpecVersion,
    StoredSolution,
    SuiteVersion,
    json_text,
)
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router
from steelyard.service._bounds import check_count, check_source
from steelyard.service._error_responses import Problem
from steelyard.service._reads import Page, PageQuery, ProblemFilter, Text, fresh_or, page_of
from steelyard.service._replies import answered_once
from steelyard.service._running import Stop, in_cells
from steelyard.service._state import Services, services_of
from steelyard.service.records._messages import (
    FullDigest,
    Name,
    ProblemDetail,
    Solution,
    SpecDetail,
    SuiteDetail,
    SuiteStrength,
    looked_up,
    version_for,
)
from steelyard.settings import ServiceSettings
from steelyard.storage import Reader, problem_page, problem_summary, suite_page

router = new_router("/v1", tag="problems")
suites_router = new_router("/v1", tag="suites")
_UNCHANGED = {"description": "As the client has it."}
_MOST_SOLUTIONS = 50


class ProblemQuery(PageQuery):
    """The part of the list of problems."""

    search: Text = ""
    """Words in any case. The name contains all of them, or the title and tags do."""
    tag: list[Text] = Field(default=[], max_length=20)
    """Tags that the problem has, in any case."""


def problems_on(reader: Reader, query: ProblemQuery) -> Page[ProblemSummary]:
    """Return a page of problems."""
    (after,) = query.after(str) or ("",)
    found = problem_page(
        reader, search=query.search, tags=query.tag, after=after, most=query.limit + 1
    )
    return page_of(found, query, lambda each: (each.name,))


def problem_detail(reader: Reader, caller: Caller, name: str) -> ProblemDetail:
    """Return a problem in its current version.

    Raises:
        Problem: 404 if it is not stored.
    """
    with looked_up():
        summary = problem_summary(reader, name)
    specs, suites = reader.spec_versions(name), reader.suite_versions(name)
    return ProblemDetail(
        problem=summary,
        specification=reader.spec(specs[-1].spec) if specs else None,
        suite=version_for(caller, suites[-1]) if suites else None,
        solutions=tuple(
            Solution.of(each) for each in reader.solutions(name) if each.role != "submission"
        ),
    )


@router.get("/problems", response_model=Page[ProblemSummary])
def problems(
    query: Annotated[ProblemQuery, Query()],
    request: Request,
    _: Caller = Depends(allow("judge")),
) -> Page[ProblemSummary]:
    """Return problems by name."""
    with services_of(request).database.read() as reader:
        return problems_on(reader, query)


class CaseForm(CaseFacts):
    """A case of a suite, in which only the input is needed."""

    name: Annotated[str, Field(max_length=200)] = ""
    """Empty for `case` and the number."""
    category: CaseCategory = "basic"
    origin: Annotated[str, Field(min_length=1, max_length=200)] = "by hand"
    input: CompactInput | list[JsonValue] | Annotated[str, Field(max_length=20_000)]
    """The arguments of the call: a list, an expression such as `[[0] * 1000, 5]`, or both with
    their digest as in `suite.json`."""

    def case(self, number: int) -> AuthoredCase:
        """Return the case.

        Args:
            number: Of the case in the suite, from 1.

        Raises:
            UsageError: if the expression cannot be expanded.
        """
        fields = {name: getattr(self, name) for name in CaseFacts.model_fields}
        fields["name"] = self.name or f"case {number}"
        fields["has_expected"] = self.has_expected or "expected" in self.model_fields_set
        return AuthoredCase(**fields, input=self._compact())

    def _compact(self) -> CompactInput:
        if isinstance(self.input, CompactInput):
            return self.input
        if isinstance(self.input, str):
            return as_compact(expand(self.input), self.input)
        return as_compact(self.input)


class SuiteForm(BaseModel):
    """A suite, as `suite.json` has it or shorter."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cases: list[CaseForm] = Field(fail_fast=True)
    time_limit_ms: float | None = Field(default=None, gt=0, le=600_000)
    """CPU time for a case; null for 2,000."""
    spec_digest: str | None = None
    """If it is given, it must be that of the specification."""


class SolutionForm(BaseModel):
    """A program in Python for a problem."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["optimised", "brute-force", "reference", "wrong", "slow"] = "reference"
    source: str
    origin: Annotated[str, Field(max_length=200)] = "by hand"


class ProblemForm(BaseModel):
    """A problem, or new versions of one."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "name": "widest-gap",
                    "specification": {
                        "title": "Widest gap",
                        "description": "Return the largest difference of neighbours once the "
                        "numbers are sorted.",
                        "parameters": [{"name": "nums", "type": "list[int]"}],
                        "returns": "int",
                        "constraints": ["1 <= len(nums) <= 1000"],
                        "examples": [{"args": [[3, 9, 5]], "expected": 4}],
                        "tags": ["sorting"],
                    },
                    "suite": {
                        "cases": [
                            {"input": [[3, 9, 5]], "expected": 4},
                            {"input": "[[7] * 1000]", "expected": 0, "category": "stress"},
                        ]
                    },
                    "solutions": [
                        {
                            "role": "optimised",
                            "source": "class Solution:\n    def solve(self, nums):\n"
                            "        nums = sorted(nums)\n        return max((b - a for a, b in "
                            "zip(nums, nums[1:])), default=0)\n",
                        }
                    ],
                }
            ]
        },
    )

    name: ProblemName
    specification: Specification
    suite: SuiteForm
    solutions: list[SolutionForm] = Field(default=[], max_length=_MOST_SOLUTIONS)
    reason: Annotated[str, Field(max_length=2_000)] = ""
    """Why the problem is new or changes."""

    def check(self, settings: ServiceSettings) -> None:
        """Refuse what is beyond the service's limits.

        Raises:
            Problem: 422.
        """
        for each in self.solutions:
            check_source(each.source, settings)
        check_count(len(self.suite.cases), settings)


@router.post(
    "/problems",
    status_code=201,
    responses={201: {"model": ProblemDetail}},
    response_class=Response,
)
async def store_problem(
    body: ProblemForm, request: Request, caller: Caller = Depends(allow("author"))
) -> Response:
    """Store a problem, or new versions of one.

    The specification, each input and each expected output are checked first. Nothing is stored if
    one is wrong.
    """
    body.check(services_of(request).settings.service)

    def work(services: Services, _: Stop) -> bytes:
        store(services, body)
        with services.database.read() as reader:
            return json_text(problem_detail(reader, caller, body.name)).encode()

    async def make() -> Response:
        content = await in_cells(request, caller, work)
        headers = {"Location": f"/v1/problems/{body.name}"}
        return Response(content, 201, headers, media_type="application/json")

    return await answered_once(request, caller, make)


@router.get("/problems/{name}", response_model=ProblemDetail, responses={304: _UNCHANGED})
def problem(name: Name, request: Request, caller: Caller = Depends(allow("judge"))) -> Response:
    """Return a problem in its current version."""
    with services_of(request).database.read() as reader:
        return fresh_or(request, json_text(problem_detail(reader, caller, name)))


@router.get("/problems/{name}/versions", response_model=Page[SpecVersion])
def versions(
    name: Name,
    query: Annotated[PageQuery, Query()],
    request: Request,
    _: Caller = Depends(allow("judge")),
) -> Page[SpecVersion]:
    """Return the versions of a problem's specification, the first one first."""
    (after,) = query.after(int) or (0,)
    with services_of(request).database.read() as reader, looked_up():
        found = reader.spec_versions(name)[after : after + query.limit + 1]
    return page_of(found, query, lambda each: (each.number,))


@router.get(
    "/problems/{name}/versions/{number}", response_model=SpecDetail, responses={304: _UNCHANGED}
)
def version(
    name: Name,
    number: Annotated[int, Path(ge=1, lt=1 << 31)],
    request: Request,
    _: Caller = Depends(allow("judge")),
) -> Response:
    """Return a version of a problem's specification, which never changes."""
    with services_of(request).database.read() as reader:
        with looked_up():
            found = reader.spec_versions(name)
        if number > len(found):
            raise Problem(
                404,
                "not-stored",
                "The database has no such record",
                f"problem {name} has {len(found)} versions of its specification",
            )
        own = found[number - 1]
        detail = SpecDetail(version=own, specification=reader.spec(own.spec))
    return fresh_or(request, json_text(detail), digest=own.digest, immutable=True)


def store(services: Services, form: ProblemForm) -> None:
    """Check a problem and store it.

    Raises:
        UsageError: if something does not fit together; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    spec = form.specification
    suite = AuthoredSuite(
        spec_digest=form.suite.spec_digest or spec.digest,
        cases=tuple(each.case(number) for number, each in enumerate(form.suite.cases, 1)),
        time_limit_ms=form.suite.time_limit_ms,
    )
    solutions = tuple(
        StoredSolution(
            problem=form.name,
            role=each.role,
            source=each.source,
            origin=each.origin,
        )
        for each in form.solutions
    )
    submissions.store_problem(
        services.database,
        form.name,
        spec,
        suite,
        solutions,
        reason=form.reason,
        pool=services.pool,
    )


@suites_router.get("/suites", response_model=Page[SuiteVersion])
def suites(
    query: Annotated[ProblemFilter, Query()],
    request: Request,
    caller: Caller = Depends(allow("judge")),
) -> Page[SuiteVersion]:
    """Return versions of suites, by problem and number."""
    after = query.after(str, int) or ("", 0)
    with services_of(request).database.read() as reader:
        found = suite_page(
            reader, problem=query.problem, after=(after[0], after[1]), most=query.limit + 1
        )
    shown = [version_for(caller, each) for each in found]
    return page_of(shown, query, lambda each: (each.problem, each.number))


@suites_router.get("/suites/{digest}", response_model=SuiteDetail, responses={304: _UNCHANGED})
def suite(digest: FullDigest, request: Request, _: Caller = Depends(allow("author"))) -> Response:
    """Return a suite with its cases and expected outputs, which never changes."""
    with services_of(request).database.read() as reader, looked_up():
        detail = SuiteDetail(digest=digest, suite=reader.suite(digest))
    return fresh_or(request, json_text(detail), digest=digest, immutable=True)


@suites_router.get(
    "/suites/{digest}/strength", response_model=SuiteStrength, responses={304: _UNCHANGED}
)
def strength(
    digest: FullDigest, request: Request, _: Caller = Depends(allow("author"))
) -> Response:
    """Return the certificates of a suite's strength, the oldest first."""
    with services_of(request).database.read() as reader, looked_up():
        found = reader.strengths(digest)
        if not found:
            reader.suite(digest)  # there may be no such suite
    return fresh_or(request, json_text(SuiteStrength(items=found)))
