"""Read a problem as somebody writes it: a specification, a suite, solutions."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from steelyard.challenges.submissions import store_problem
from steelyard.families import as_compact, expand
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    CaseCategory,
    CaseFacts,
    CompactInput,
    ProblemName,
    Specification,
    StoredSolution,
)
from steelyard.service._judge_request import check_count, check_source
from steelyard.service._state import Services
from steelyard.settings import ServiceSettings

_MOST_SOLUTIONS = 50


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
    store_problem(
        services.database,
        form.name,
        spec,
        suite,
        solutions,
        reason=form.reason,
        pool=services.pool,
    )
