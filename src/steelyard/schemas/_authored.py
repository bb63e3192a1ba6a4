"""The cases of an authored suite: inputs, expected outputs, and what speaks for them."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints, model_validator

from steelyard.schemas._base import Given

CaseCategory = Literal["basic", "edge", "stress", "adversarial", "domain"]
Trust = Literal["trusted", "provisional", "disputed"]
"""`trusted`: the author's own, or independent solutions and an exhaustive check agree.
`provisional`: solutions agree, but nothing independent speaks for them. `disputed`: they do not
agree."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


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
