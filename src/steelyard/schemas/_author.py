"""Authoring: a specification, the cases of a suite with their evidence, and the report.

1. A `Specification` states a problem so exactly that tests can be derived from it.
2. An `AuthoredSuite` holds inputs, expected outputs, and the evidence for them.
3. An `AuthorReport` holds both, with solutions and open questions.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, JsonValue, StringConstraints, model_validator

from steelyard.schemas._base import Given, Record, Sha256
from steelyard.schemas._solve import RunReport
from steelyard.schemas._strength import Share, StrengthReport, StressSize
from steelyard.schemas._strict_json import canonical_json, sha256_of

OutputType = Literal["value", "exact", "in-place"]
"""What counts as the answer. `value`: the value returned, where a tuple equals a list with the
same items. `exact`: the value returned, and its types must match `returns`. `in-place`: the first
argument after the call; `returns` is its type."""
SpecMatch = Literal["exact", "numeric", "unordered"]
"""How answers are compared: as `match_mode` of calls."""
StaticRule = Annotated[
    str,
    StringConstraints(
        pattern=r"^no (import|loop|comprehension|recursion"
        r"|(call|method|module) [A-Za-z_][A-Za-z0-9_.]*)$"
    ),
]
"""Something that the source of a solution must not use: `no import`, `no loop`, `no comprehension`,
`no recursion`, `no call sorted`, `no method sort`, `no module heapq`."""
Line = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]

CaseCategory = Literal["basic", "edge", "stress", "adversarial", "domain"]
Trust = Literal["trusted", "provisional", "disputed"]
"""`trusted`: the author's own, or independent solutions and an exhaustive check agree.
`provisional`: solutions agree, but nothing independent speaks for them. `disputed`: they do not
agree."""

AuthorStatus = Literal["done", "open", "failed", "sandbox_error"]
AuthorStop = Literal[
    "complete", "disputed", "no-outputs", "no-specification", "budget", "models", "sandbox", "logs"
]
"""The reason why authoring ended.

`complete`: every case has an output, and none is disputed. `disputed`: independent solutions
give different outputs, and nothing decides between them. `no-outputs`: no solution is known, so
only examples have outputs. `no-specification`: no reply was a usable specification. `models`: a
model could not be reached. `sandbox`: the machine failed. `logs`: artefacts could not be written.
"""
ReferenceRole = Literal["optimised", "brute-force", "alternative", "given"]


class Parameter(Given):
    """One parameter of `solve`."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$")]
    type: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """A type of plain values: `int`, `float`, `bool`, `str`, `list[T]`, `set[T]`,
    `dict[str, T]`, `dict[int, T]`, `tuple[A, B]`, `A | B` and `T | None`."""


class SpecExample(Given):
    """A call with its answer, as the author states it."""

    args: tuple[JsonValue, ...]
    expected: JsonValue
    explanation: str = Field(default="", max_length=5_000)


class Specification(Given):
    """The contract of `class Solution: def solve(self, ...)`.

    A suite's validator, its inputs and its prose are all derived from `parameters` and
    `constraints`.
    """

    title: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    description: Annotated[str, StringConstraints(min_length=1, max_length=50_000)]
    parameters: tuple[Parameter, ...] = Field(min_length=1, max_length=12)
    returns: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """The answer's type, written as a parameter's."""
    constraints: tuple[Line, ...] = Field(default=(), max_length=60)
    """What holds for every input: Python expressions of the closed language."""
    examples: tuple[SpecExample, ...] = Field(default=(), max_length=50)
    """The statement's own examples, which are the truth about the problem."""
    starter_code: str = Field(default="", max_length=5_000)
    """`class Solution` with the signature of `solve`; empty: derived from the parameters."""
    input_format: str = Field(default="", max_length=2_000)
    """The layout of standard input, a line each: `n k`, then `nums[n]`, then `grid[r][c]...`; empty
    is each parameter with its counts first."""
    match_mode: SpecMatch = "exact"
    output_type: OutputType = "value"
    static_rules: tuple[StaticRule, ...] = Field(default=(), max_length=20)
    tags: tuple[Annotated[str, StringConstraints(max_length=50)], ...] = Field(
        default=(), max_length=20
    )

    @model_validator(mode="after")
    def _names_are_unique(self) -> "Specification":
        names = [parameter.name for parameter in self.parameters]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise ValueError(f"two parameters have the name {twice!r}; rename one")
        for number, example in enumerate(self.examples, 1):
            if len(example.args) != len(names):
                raise ValueError(
                    f"example {number} has {len(example.args)} arguments and solve takes "
                    f"{len(names)}; give one for each parameter"
                )
        return self

    @property
    def digest(self) -> str:
        """SHA-256 over the canonical JSON of the fields that differ from their defaults.

        A field that a later version adds changes no digest.
        """
        return sha256_of(canonical_json(self.model_dump(mode="json", exclude_defaults=True)))


class CompactInput(Given):
    """The arguments of one call, as short as they can be written."""

    args: tuple[JsonValue, ...] | None = None
    """The arguments themselves; None if `expression` states them."""
    expression: str = Field(default="", max_length=20_000)
    """A list of arguments in the closed language of inputs, such as `[[0] * 100000, 5]` or
    `[organ_pipe(100000, 0, 9, seed=3)]`."""
    digest: Sha256
    """SHA-256 over the canonical JSON of the expanded arguments."""

    @model_validator(mode="after")
    def _is_stated_once(self) -> "CompactInput":
        if (self.args is None) == (not self.expression):
            raise ValueError("an input is stated by args or by an expression; give one of them")
        return self


class OutputEvidence(Given):
    """Evidence for an expected output."""

    examples: int = Field(default=0, ge=0)
    """Examples of the statement that the voices answer rightly."""
    independent: int = Field(default=0, ge=0)
    """Solutions that were written without sight of each other, and answered."""
    agree: int = Field(default=0, ge=0)
    """Those of them that gave this output."""
    inputs: int = Field(default=0, ge=0)
    """Inputs on which all these solutions were compared."""
    exhaustive_to: str = ""
    """The small inputs on which they agree without exception, such as `len(nums) <= 4`."""
    truth: str = ""
    """Who stated the output, where it was not computed: `example`, `user`."""


class CaseFacts(Given):
    """Everything about a case except its input."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    category: CaseCategory
    origin: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """What made the input: `example 1`, `family organ-pipe`, `relation absent`, `solver`,
    `mutant of example 1`, `model`, `challenge 3`."""
    expected: JsonValue = None
    has_expected: bool = False
    """False until an output is known; None is an output too."""
    trust: Trust = "provisional"
    evidence: OutputEvidence = OutputEvidence()
    kills: tuple[str, ...] = ()
    """Mutants and wrong programs that fail on this case."""
    notes: tuple[str, ...] = ()
    """Such as the reason why the brute force was skipped."""


class AuthoredCase(CaseFacts):
    """One input with its expected output, and where both come from."""

    input: CompactInput


class AuthoredSuite(Given):
    """The cases of one specification, in the order in which they are run."""

    spec_digest: Sha256
    """`Specification.digest`."""
    cases: tuple[AuthoredCase, ...] = ()
    time_limit_ms: float | None = Field(default=None, gt=0, le=600_000)
    """CPU time for a case, proposed from measurements."""


class OracleAttempt(Record):
    """One program of the oracle, and the reason why it was not used."""

    temperature: float
    fault: str = ""
    """Empty if it was used."""
    inputs: int = 0
    """Inputs that it generated."""
    valid: int = 0
    """Inputs that satisfy the specification, without duplicates."""


class OracleDifference(Record):
    """An input on which the oracle's validator and the specification's differ."""

    args: tuple[JsonValue, ...]
    broken: tuple[str, ...] = ()
    """Constraints that the input breaks; empty if it is valid."""
    accepted: bool | None = None
    """The decision of the oracle's validator; None if it failed."""


class OracleReport(Record):
    """The model's generator of inputs and its validator."""

    attempts: tuple[OracleAttempt, ...] = ()
    program: str = Field(default="", repr=False)
    """The program that was used; empty if none was."""
    valid_accepted: Share | None = None
    """Valid inputs that its validator accepts."""
    invalid_refused: Share | None = None
    """Inputs that break one constraint, and that its validator refuses."""
    differences: tuple[OracleDifference, ...] = ()
    only_kills: int = 0
    """Mutants that only the oracle's inputs kill."""


class ReferenceSolution(Record):
    """A reference solution, with what speaks for it."""

    name: str
    role: ReferenceRole
    source: str = Field(repr=False)
    examples: Share | None = None
    """Examples of the specification that it answers rightly."""
    agrees: Share | None = None
    """Cases with an output that it answers, and gives that output."""
    healed: int = 0
    """Times that it was repaired."""
    fault: str = ""
    """The reason why it has no vote; empty if it has one."""


class Reading(Record):
    """One of several answers to an input."""

    answer: JsonValue = None
    how: str = "answer"
    """`answer`, or the reason why there is none, such as `raised`."""
    solutions: tuple[str, ...]
    """The solutions that give it."""


class OpenQuestion(Record):
    """Something that the request leaves open."""

    text: str
    args: tuple[JsonValue, ...] | None = None
    """An input on which independent solutions differ."""
    readings: tuple[Reading, ...] = ()


class AuthorRound(Record):
    """One round over the suite: what was made, and why another round followed."""

    number: int
    cases: int = 0
    contradicted: Share | None = None
    """Cases on which the optimised solution contradicts the others."""
    why_again: str = ""
    """The reason for another suite; empty if there was none."""


class AuthorReport(RunReport):
    """The result of authoring a problem."""

    derived: ClassVar[tuple[str, ...]] = ("passed",)

    task_id: str
    status: AuthorStatus
    stop: AuthorStop
    specification: Specification | None = None
    suite: AuthoredSuite | None = Field(default=None, repr=False)
    questions: tuple[OpenQuestion, ...] = ()
    oracle: OracleReport | None = None
    solutions: tuple[ReferenceSolution, ...] = ()
    solution: str = ""
    """The name of the solution that gives every expected output; empty if there is none."""
    rounds: tuple[AuthorRound, ...] = ()
    strength: StrengthReport | None = None
    stress: StressSize | None = None
    folder: str = ""
    """The folder of the results; empty if none were written."""

    @property
    def passed(self) -> bool:
        """True if every case has an output, and none is disputed."""
        return self.status == "done"

    def by_category(self) -> dict[CaseCategory, int]:
        """Return the number of cases of each category."""
        cases = self.suite.cases if self.suite else ()
        categories = [case.category for case in cases]
        return {each: categories.count(each) for each in dict.fromkeys(categories)}

    def by_trust(self) -> dict[Trust, int]:
        """Return the number of cases with an output, or a disputed one, by trust."""
        cases = self.suite.cases if self.suite else ()
        found = [each.trust for each in cases if each.has_expected or each.trust == "disputed"]
        return {each: found.count(each) for each in dict.fromkeys(found)}

    def _summary(self) -> str:
        title = self.specification.title if self.specification else self.task_id
        lines = [f"{self.status} ({self.stop}): {title}: {self.reason}".removesuffix(": ")]
        if self.suite is not None:
            trust = ", ".join(f"{count:,} {each}" for each, count in self.by_trust().items())
            lines.append(f"{len(self.suite.cases):,} cases: {trust or 'no outputs'}")
        lines += [f"open: {each.text}" for each in self.questions]
        return "\n".join(lines)
