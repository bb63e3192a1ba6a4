"""The strength of a suite: what it kills, with denominators."""

from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from steelyard.schemas._base import Record
from steelyard.schemas._report import Report
from steelyard.schemas._verdict import Verdict


class Share(Record):
    """A count with its denominator."""

    count: int = Field(ge=0)
    of: int = Field(ge=0)

    @property
    def whole(self) -> bool:
        """True if nothing is missing."""
        return self.count == self.of

    def __str__(self) -> str:
        return f"{self.count:,} of {self.of:,}"


class MutationScore(Record):
    """Killed mutants over all, as an interval: some mutants cannot be killed at all."""

    mutants: int
    killed: int
    by_work: int = 0
    """Part of `killed`: mutants with equal outputs that do so much more work on the suite's largest
    inputs that they exceed the time limit on a stress input."""
    never_killed: int
    """Mutants that neither the suite nor the searched inputs kill. Most of them do the same as the
    solution."""
    searched: int = 0
    """Inputs beyond the suite on which survivors ran: up to three for each case of the suite, or
    60, without those on which the solution fails or takes long. With 0, all survivors count as
    never killed."""
    low: float
    """`killed / mutants`."""
    high: float
    """`killed / (mutants - never_killed)`."""
    possible: int
    """Changes that the mutation operators offer, before mutants were chosen."""


class Survivor(Record):
    """A program that the suite does not kill."""

    name: str
    kind: Literal["mutant", "wrong", "slow"]
    operator: str = ""
    """The mutation operator."""
    line: int | None = None
    diff: str = ""
    """A mutant's change, as a unified diff."""
    work: float | None = None
    """A mutant's work divided by the solution's, on the largest inputs; None: not counted."""
    killing_input: tuple[JsonValue, ...] | None = None
    """Arguments beyond the suite on which a mutant fails; None if none were found."""


class CategoryStrength(Record):
    """The strength of a suite's cases of one category, by themselves."""

    category: str
    cases: int
    validity: Share | None = None
    bounds: Share | None = None
    mutants: Share | None = None
    """Mutants that these cases kill. One for which they were not all run, because other cases met a
    limit, is left out."""
    mutants_high: float | None = None
    """The same share without the mutants that nothing kills, as in `MutationScore`."""
    wrong: Share | None = None
    slow: Share | None = None
    backed: Share | None = None
    """As in `Independence`."""


class ReferenceAgreement(Record):
    """The number of cases on which another reference gives the expected output."""

    name: str
    agrees: Share
    """Of the cases that it answers within the limits."""
    likeness: float | None = None
    """The share of syntax that it has in common with the solution, without names and values: 1.0
    for a copy. None: not known."""


class Independence(Record):
    """The evidence for the expected outputs, apart from the solution itself."""

    backed: Share | None = None
    """Cases whose output the author states, or two or more independent solutions give without
    contradiction; None if the suite holds no evidence."""
    trusted: int = 0
    provisional: int = 0
    disputed: int = 0
    references: tuple[ReferenceAgreement, ...] = ()


class StressSize(Record):
    """The size of stress inputs, and the time limit for them."""

    n: int
    quantity: str = ""
    """What has this size, such as `len(nums)`."""
    kind: str = ""
    """What made the inputs: of several kinds, the one that the brute force takes longest on."""
    cases: Share | None = None
    """Cases of the suite of this size or a larger one."""
    time_limit_ms: float
    """A limit for each case: the solution takes under 30 % of it."""
    separates: bool
    """True if the brute force takes more than twice the limit at this size."""
    reason: str = ""
    """Why it does not; empty if it does."""
    solution_ms: float
    """CPU time of the solution at this size."""
    brute_force_ms: float | None = None
    """CPU time of the brute force at this size. Runs end at twice the limit, so that it is at least
    as long if it `separates`."""
    solution_growth: str = ""
    """Such as `O(n log n)`."""
    brute_force_growth: str = ""

    def __str__(self) -> str:
        text = (
            f"{self.quantity or 'n'} = {self.n:,}, limit {self.time_limit_ms:,.0f} ms: "
            f"solution {self.solution_ms:,.0f} ms"
        )
        if self.brute_force_ms is None:
            return text
        if self.separates:
            return f"{text}, brute force over {self.brute_force_ms:,.0f} ms"
        return f"{text}, brute force {self.brute_force_ms:,.0f} ms, too fast to tell apart"


class InvalidCase(Record):
    """A case whose input breaks the specification."""

    case: str
    broken: tuple[str, ...]
    """The broken constraints."""


class StrengthReport(Report):
    """A certificate of a suite's strength in five figures. None: the figure was not measured."""

    derived: ClassVar[tuple[str, ...]] = ("passed",)

    cases: int
    validity: Share | None = None
    """Cases with a valid input; needs a specification."""
    invalid: tuple[InvalidCase, ...] = ()
    bounds: Share | None = None
    """Numeric bounds of the constraints that some case reaches; needs a specification."""
    missed_bounds: tuple[str, ...] = ()
    mutation: MutationScore | None = None
    killed_by_verdict: dict[Verdict, int] = Field(default_factory=dict)
    """Killed mutants by the verdict of the first case that kills them."""
    wrong: Share | None = None
    """Planted wrong programs that some case kills."""
    slow: Share | None = None
    """Planted slow programs that some case kills."""
    growth: StressSize | None = None
    """The size at which a slow program fails and the solution does not; needs a specification and a
    slow program."""
    independence: Independence = Independence()
    by_category: tuple[CategoryStrength, ...] = ()
    survivors: tuple[Survivor, ...] = ()
    order: tuple[str, ...] = ()
    """The cases' names, each with most kills beyond those of the cases before it; without twins."""
    twins: tuple[tuple[str, str], ...] = ()
    """Cases with the input of an earlier case, and that case."""

    @property
    def passed(self) -> bool:
        """True if no weakness was found.

        Every input is valid, every planted program is killed, no output is disputed, and no
        searched input kills a mutant that the suite leaves alive. Some program must have been run
        that the suite should kill, and surviving mutants must have been searched for.
        """
        whole = all(
            share is None or share.whole for share in (self.validity, self.wrong, self.slow)
        )
        killable = any(survivor.killing_input is not None for survivor in self.survivors)
        proved = not (self.unmeasured or self.unsearched)
        return whole and proved and not killable and not self.independence.disputed

    @property
    def unmeasured(self) -> bool:
        """True if no program was run that the suite should kill."""
        no_mutants = self.mutation is None or not self.mutation.mutants
        return no_mutants and self.wrong is None and self.slow is None

    @property
    def unsearched(self) -> bool:
        """True if mutants survive and no input beyond the suite was run on them."""
        alive = any(survivor.kind == "mutant" for survivor in self.survivors)
        return alive and (self.mutation is None or not self.mutation.searched)

    def _summary(self) -> str:
        lines = [f"{self.cases:,} cases"]
        if self.validity is not None:
            lines.append(f"valid inputs      {self.validity}")
        if self.bounds is not None:
            lines.append(f"bounds reached    {self.bounds}")
        if self.mutation is not None:
            score = self.mutation
            lines.append(
                f"mutants killed    {score.killed:,} of {score.mutants:,} "
                f"({score.low:.1%} to {score.high:.1%})"
            )
        if self.wrong is not None:
            lines.append(f"wrong programs    {self.wrong} killed")
        if self.slow is not None:
            lines.append(f"slow programs     {self.slow} killed")
        if self.growth is not None:
            lines.append(f"growth            {self.growth}")
        if self.independence.backed is not None:
            lines.append(f"outputs backed    {self.independence.backed}")
        return "\n".join(lines)
