"""The messages between planner, pruner, coder, profiler and analyst.

Their names and units are fixed: `runtime_limit` is in ms and `memory_limit` in MiB (which problem
statements write as MB). The profiler's message is `ProfileReport` in `_profile.py`.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, field_validator, model_validator

from steelyard.schemas._base import SCHEMA_VERSION, Given, Message, Record
from steelyard.schemas._profile import ProfileReport
from steelyard.schemas._report import Report
from steelyard.schemas._strength import StressSize

TaskId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
"""An id that is safe as a folder's name: at most 100 letters, digits, `.`, `_` and `-`."""
SolutionLanguage = Literal["cpp", "python"]
SolveStatus = Literal["success", "static_prune_failed", "failed", "sandbox_error"]
StopCause = Literal[
    "efficient",
    "right",
    "unproved",
    "unmeasured",
    "pruned",
    "diminishing",
    "max-iterations",
    "agent-crashes",
    "budget",
    "models",
    "sandbox",
    "logs",
]
"""The reason why the loop stopped.

`efficient`: the program is right and within the limits. `right`: it is accepted although evidence
is missing. `unproved`: nothing but the tests that models were shown, if any, speaks for its
correctness. `unmeasured`: nothing speaks for its efficiency.
`pruned`: no plan passed the static rules. `diminishing`: the last iteration improved by less than
`diminish_delta`. `agent-crashes`: two replies of agents were invalid. `models`: a model could not
be reached. `sandbox`: the machine failed, not the program. `logs`: artefacts could not be
written.
"""


def _names_and_sizes(bounds: Mapping[str, int]) -> Mapping[str, int]:
    wrong = [name for name in bounds if not re.fullmatch(r"\S.{0,99}", name)]
    if wrong:
        raise ValueError(
            f"a bound's name must be 1 to 100 characters on one line, got {wrong[0]!r}"
        )
    return dict(bounds)


Bounds = Annotated[dict[str, int], AfterValidator(_names_and_sizes), Field(max_length=50)]
"""The largest value of each size of the input, such as `{"n": 100000}`."""


def main_bound(bounds: Mapping[str, int]) -> int | None:
    """Return the largest main size: of n or N, else of the first bound; None without bounds."""
    first = next(iter(bounds.values()), None)
    return bounds.get("n", bounds.get("N", first))


class Constraints(Given):
    """Limits of a solution on the largest input."""

    runtime_limit: float = Field(default=2_000, gt=0, le=600_000, allow_inf_nan=False)
    """CPU time in ms."""
    memory_limit: float = Field(default=512, gt=0, le=65_536, allow_inf_nan=False)
    """Memory in MiB."""


class UnitTest(Given):
    """An input and its expected output, as text."""

    input: str
    output: str


class ProblemInput(Given):
    """A problem to solve."""

    task_id: TaskId
    prompt: str = Field(min_length=1, max_length=200_000)
    """The problem statement, in prose."""
    constraints: Constraints = Constraints()
    unit_tests: tuple[UnitTest, ...] = Field(default=(), fail_fast=True)
    input_bounds: Bounds = Field(default_factory=dict)
    """The largest sizes; the planner's if they are empty. The main size is n or N, else the first
    one."""
    input_generator: str | None = None
    """A Python module with `generate(n, seed)`, which replaces the planner's."""
    match_mode: str = "tokens"
    """The comparison of outputs; see `checker_for`."""
    growth: StressSize | None = None
    """The measurements of reference solutions that the time limit follows from."""
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION

    @field_validator("input_bounds")
    @classmethod
    def _has_inputs(cls, bounds: dict[str, int]) -> dict[str, int]:
        largest = main_bound(bounds)
        if largest is not None and largest < 1:
            raise ValueError(f"the largest main size must be 1 or more, got {largest}")
        return bounds


class PlanReply(Record):
    """A plan as the planner writes it."""

    problem_statement: str = Field(min_length=1, max_length=20_000)
    """The problem in the planner's own words."""
    algorithm: str = Field(min_length=1, max_length=20_000)
    input_bounds: Bounds = Field(default_factory=dict)
    pseudocode: str | None = Field(default=None, max_length=20_000)
    input_generator: str | None = Field(default=None, max_length=20_000)
    """A Python module with `generate(n, seed)` that returns the text of one input of size n."""
    expected_complexity: str | None = Field(default=None, max_length=200)


class PlanMessage(PlanReply, Message):
    """The planner's message to the coder: an algorithm, the sizes and the limits."""

    type: Literal["plan"] = "plan"
    constraints: Constraints = Constraints()


class CodeReply(Record):
    """A program as the coder writes it."""

    code_cpp: str = Field(min_length=1, max_length=1_000_000)
    """The whole source text; Python if `language` is `python`."""
    compiler_flags: tuple[str, ...] = Field(default=(), max_length=20)
    """The coder's suggestion. Programs are compiled with the toolchain's own flags: a model's text
    never reaches a command line."""


class CodeMessage(CodeReply, Message):
    """The coder's message to the judge and the profiler."""

    type: Literal["code"] = "code"
    language: SolutionLanguage = "cpp"


def _check_target(verdict: "VerdictReply | VerdictMessage") -> None:
    if verdict.efficient is False and not (verdict.target_agent and verdict.patch):
        raise ValueError("a program that is not efficient needs a target_agent and a patch")


class VerdictReply(Record):
    """The analyst's answer where the figures leave a doubt."""

    efficient: bool
    target_agent: Literal["PLANNER", "CODER"] | None = None
    """The agent that must fix it; None if it is efficient."""
    patch: str | None = Field(default=None, max_length=20_000)
    """The changes to make, in words."""

    @model_validator(mode="after")
    def _says_who_and_what(self) -> Self:
        _check_target(self)
        return self


class VerdictMessage(Message):
    """The verdict on a program: done, or the agent that must change something."""

    type: Literal["verdict"] = "verdict"
    efficient: bool | None
    """True if evidence shows that the program is right and efficient; None if nothing speaks
    against it, and evidence is missing: `reason` names it."""
    target_agent: Literal["PLANNER", "CODER"] | None = None
    """The agent that must fix it, unless it is efficient."""
    patch: str | None = Field(default=None, max_length=20_000)
    """The changes to make, in words."""
    perf_gain: float = Field(default=0.0, allow_inf_nan=False)
    """The share by which this program is cheaper than the best earlier one, at most 1."""
    basis: Literal["tests", "figures", "model"] = "figures"
    """The basis of the decision: a failed test, the measured figures, or a model's opinion."""
    reason: str = ""
    """One line for people."""

    @model_validator(mode="after")
    def _says_who_and_what(self) -> Self:
        _check_target(self)
        return self


class GeneratorReply(Record):
    """A generator of inputs as a model writes it."""

    input_generator: str | None = Field(default=None, max_length=20_000)
    """A Python module with `generate(n, seed)`; None if the model knows of no such input."""
    why: str = Field(default="", max_length=2_000)


class ReferenceReply(Record):
    """A brute force as a model writes it."""

    code_python: str = Field(min_length=1, max_length=100_000)


class Evidence(Record):
    """Evidence for a program, or against it."""

    name: str
    """Such as `brute force` or `portfolio`."""
    claim: Literal["right", "efficient"]
    outcome: Literal["holds", "fails", "missing"]
    detail: str
    """One line with the inputs and figures on which it rests."""

    def __str__(self) -> str:
        return f"{self.name}: {self.detail}"


class PruneFinding(Record):
    """One reason why a plan or a program is too slow for its sizes."""

    rule: str
    evidence: str
    """The words or lines that prove it, shortened."""
    message: str
    """One line with the figures, such as `three nested loops over n at n = 100,000`."""


class Spending(Record):
    """The cost of models."""

    calls: int = 0
    cached_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = 0.0
    """None if the price of a model is unknown."""

    def __str__(self) -> str:
        """Return the cost in one line, for people."""
        calls = self.calls + self.cached_calls
        cost = "price unknown" if self.cost_usd is None else f"${self.cost_usd:.4f}"
        tokens = f"{self.tokens_in + self.tokens_out:,} tokens"
        paid = f"{self.calls:,} paid for: {tokens}, {cost}" if self.calls else "none paid for"
        return f"{'1 reply' if calls == 1 else f'{calls:,} replies'}, {paid}"


class RunReport(Report):
    """The report of a run of models, which can be resumed."""

    stop: str
    reason: str = ""
    """The reason why it stopped, in one line for people."""
    spending: Spending = Spending()
    logs: str = ""
    """The folder of the run's artefacts; empty if none were written."""


class RunResult(RunReport, Message):
    """The result of a run of the loop, with the best program so far."""

    type: Literal["result"] = "result"
    status: SolveStatus
    stop: StopCause
    code: CodeMessage | None = None
    """The best program: an efficient one, else a right one, else the one that passes most tests."""
    plan: PlanMessage | None = None
    """The plan that the program follows."""
    profile: ProfileReport | None = None
    verdict: VerdictMessage | None = None
    tests_passed: int = 0
    """Unit tests that the program passed."""
    tests: int = 0
    iterations: int = 0
    """Number of iterations that were started."""
    programs: int = 0
    """Number of programs that were written."""
    pruned: tuple[PruneFinding, ...] = ()
    """The findings in the last plan or program that the static rules refused."""
    growth: Literal["measured", "not-measured"] = "not-measured"
    evidence: tuple[Evidence, ...] = ()
    """The evidence on the best program, with what is missing."""

    @property
    def passed(self) -> bool:
        """True if a right and efficient program was found."""
        return self.status == "success"

    def _summary(self) -> str:
        tests = f"{self.tests_passed} of {self.tests} tests passed" if self.tests else ""
        found = "; ".join(filter(None, (self.reason, tests)))
        return f"{self.status} ({self.stop}): {found}".removesuffix(": ")


def message_schemas() -> dict[str, Any]:
    """Return the JSON Schema of each of the six messages, by name."""
    messages: tuple[type[Record], ...] = (
        ProblemInput,
        PlanMessage,
        CodeMessage,
        ProfileReport,
        VerdictMessage,
        RunResult,
    )
    return {each.__name__: each.model_json_schema() for each in messages}
