"""Put a certificate together from what was measured.

Inputs are checked against the specification here: which are valid, and which bounds they reach.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from steelyard.constraints import Bound, Validator, bounds_of
from steelyard.schemas import (
    AuthoredCase,
    CategoryStrength,
    Independence,
    InvalidCase,
    MutationScore,
    ReferenceAgreement,
    Share,
    Survivor,
    TestCase,
    Verdict,
)
from steelyard.strength._matrix import KillMatrix, exact_twins, order_by_kills
from steelyard.strength._mutants import Mutant, Mutants
from steelyard.strength._survivors import SLOW

_VOICES = 2
_NO_ANSWER = (Verdict.TLE, Verdict.MLE, Verdict.OLE, Verdict.SK)


@dataclass(frozen=True)
class MutationFindings:
    """The fate of the mutants of the solution."""

    mutants: Mutants
    matrix: KillMatrix
    work: Mapping[str, float] = field(default_factory=dict)
    """The work of mutants that no case kills, divided by the solution's."""
    killing_inputs: Mapping[str, tuple[JsonValue, ...]] = field(default_factory=dict)
    """Arguments beyond the suite that kill a mutant which no case kills."""
    searched: int = 0

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        """The mutants that the suite kills neither by an output nor by their work."""
        alive = {row.name for row in self.matrix.survivors}
        return tuple(
            each
            for each in self.mutants.found
            if each.name in alive and self.work.get(each.name, 0.0) < SLOW
        )

    @property
    def never_killed(self) -> int:
        """Number of mutants that neither the suite nor a searched input kills."""
        return len(self.survivors) - len(self.killing_inputs)

    def score(self) -> MutationScore:
        """Return the mutation score."""
        count, never = len(self.mutants.found), self.never_killed
        killed = count - len(self.survivors)
        return MutationScore(
            mutants=count,
            killed=killed,
            by_work=killed - len(self.matrix.killed),
            never_killed=never,
            searched=self.searched,
            low=killed / count if count else 0.0,
            high=killed / (count - never) if count > never else 0.0,
            possible=self.mutants.possible,
        )

    def by_verdict(self) -> dict[Verdict, int]:
        """Return the numbers of killed mutants by the verdict that killed them first."""
        return dict(Counter(row.how for row in self.matrix.killed))

    def listed(self) -> Iterator[Survivor]:
        """Yield the survivors, those first that an input is known to kill."""
        every = self.survivors
        for mutant in sorted(every, key=lambda each: each.name not in self.killing_inputs):
            yield Survivor(
                name=mutant.name,
                kind="mutant",
                operator=mutant.operator,
                line=mutant.line,
                diff=mutant.diff,
                work=self.work.get(mutant.name),
                killing_input=self.killing_inputs.get(mutant.name),
            )


def killed_of(matrix: KillMatrix | None) -> Share | None:
    """Return how many programs the suite kills; None without programs."""
    if matrix is None:
        return None
    return Share(count=len(matrix.killed), of=len(matrix.rows))


def planted_survivors(
    matrix: KillMatrix | None, kind: Literal["wrong", "slow"]
) -> Iterator[Survivor]:
    """Yield the planted programs that the suite does not kill."""
    for row in matrix.survivors if matrix else ():
        yield Survivor(name=row.name, kind=kind)


def independence_of(
    cases: Sequence[AuthoredCase],
    references: KillMatrix | None,
    likeness: Mapping[str, float | None],
) -> Independence:
    """Return the evidence for the expected outputs: the suite's own, and other references."""
    agreements = tuple(
        ReferenceAgreement(
            name=row.name,
            agrees=Share(
                count=row.verdicts.count(Verdict.AC),
                of=sum(each not in _NO_ANSWER for each in row.verdicts),
            ),
            likeness=likeness.get(row.name),
        )
        for row in (references.rows if references else ())
    )
    if not cases:
        return Independence(references=agreements)
    states = Counter(case.trust for case in cases)
    return Independence(
        backed=_backed(cases),
        trusted=states["trusted"],
        provisional=states["provisional"],
        disputed=states["disputed"],
        references=agreements,
    )


def _backed(cases: Sequence[AuthoredCase]) -> Share:
    """Return the outputs that the author states, or on which two or more agree and all do."""
    every = [case.evidence for case in cases]
    backed = (each.truth or each.agree == each.independent >= _VOICES for each in every)
    return Share(count=sum(map(bool, backed)), of=len(cases))


@dataclass(frozen=True)
class InputFindings:
    """The faults that a specification finds in inputs."""

    broken: tuple[tuple[str, ...], ...]
    """The broken constraints of each case."""
    bounds: tuple[str, ...]
    """The bounds, in words."""
    reached: tuple[frozenset[int], ...]
    """The bounds that each case reaches, by position; none for an invalid case."""

    def validity(self, cases: Sequence[int]) -> Share:
        """Return how many of these cases are valid."""
        return Share(count=sum(not self.broken[case] for case in cases), of=len(cases))

    def bounds_reached(self, cases: Sequence[int]) -> Share | None:
        """Return how many bounds these cases reach; None if the specification has no bounds."""
        if not self.bounds:
            return None
        reached = frozenset[int]().union(*(self.reached[case] for case in cases))
        return Share(count=len(reached), of=len(self.bounds))

    def missed(self) -> tuple[str, ...]:
        """Return the bounds that no case reaches."""
        reached = frozenset[int]().union(*self.reached)
        return tuple(text for i, text in enumerate(self.bounds) if i not in reached)

    def invalid(self, names: Sequence[str]) -> tuple[InvalidCase, ...]:
        """Return the invalid cases, by the names of all cases."""
        pairs = zip(names, self.broken, strict=True)
        return tuple(InvalidCase(case=name, broken=broken) for name, broken in pairs if broken)


def by_category(
    cases: Sequence[TestCase],
    authored: Sequence[AuthoredCase],
    inputs: InputFindings | None,
    mutation: MutationFindings | None,
    wrong: KillMatrix | None,
    slow: KillMatrix | None,
) -> tuple[CategoryStrength, ...]:
    """Return the strength of each category's cases by themselves, in the order of the cases.

    Args:
        cases: The suite.
        authored: The same cases with what speaks for their outputs; empty if that is not known.
        inputs: Which are valid, and which bounds they reach.
        mutation: The fate of the mutants.
        wrong: The kills of planted wrong programs.
        slow: The kills of planted slow programs.
    """
    matrix = mutation.matrix if mutation else None
    never = mutation.never_killed if mutation else 0
    positions: dict[str, list[int]] = {}
    for position, case in enumerate(cases):
        positions.setdefault(case.category, []).append(position)
    return tuple(
        CategoryStrength(
            category=category,
            cases=len(own),
            validity=inputs.validity(own) if inputs else None,
            bounds=inputs.bounds_reached(own) if inputs else None,
            mutants=_killed_by(matrix, own),
            mutants_high=_without(_killed_by(matrix, own), never),
            wrong=_killed_by(wrong, own),
            slow=_killed_by(slow, own),
            backed=_backed([authored[position] for position in own]) if authored else None,
        )
        for category, own in positions.items()
    )


def _killed_by(matrix: KillMatrix | None, positions: Sequence[int]) -> Share | None:
    if matrix is None:
        return None
    killed, known = matrix.killed_by(positions)
    return Share(count=killed, of=known)


def _without(killed: Share | None, never: int) -> float | None:
    """Return the share of those mutants that can be killed, as far as is known."""
    if killed is None or killed.of <= never:
        return None
    return min(1.0, killed.count / (killed.of - never))


def order_and_twins(
    cases: Sequence[TestCase], matrices: Sequence[KillMatrix]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the names of the cases by kills, without twins, and each twin with its first case."""
    twins = exact_twins([case.input.decode("utf-8", "surrogateescape") for case in cases])
    order = order_by_kills(matrices) if matrices else range(len(cases))
    return (
        tuple(cases[position].name for position in order if position not in twins),
        tuple((cases[twin].name, cases[first].name) for twin, first in twins.items()),
    )


Args = tuple[JsonValue, ...]
_NOT_PLAIN = "arguments are plain values"


def check_inputs(
    validator: Validator, inputs: Sequence[Args | None], unread: Sequence[str] = ()
) -> InputFindings:
    """Return the findings about each input.

    Args:
        validator: Of the specification.
        inputs: The arguments of each case; None if they are not plain values.
        unread: The reason for each None, if reasons are known.
    """
    bounds = bounds_of(validator)
    reasons = unread or [_NOT_PLAIN] * len(inputs)
    broken = tuple(
        (reason,) if args is None else validator.broken(args)
        for args, reason in zip(inputs, reasons, strict=True)
    )
    pairs = zip(inputs, broken, strict=True)
    reached = tuple(
        _reached(bounds, args) if args is not None and not faults else frozenset[int]()
        for args, faults in pairs
    )
    words = (f"{each.where} {'>=' if each.side == 'low' else '<='} {each.value}" for each in bounds)
    return InputFindings(broken, tuple(words), reached)


def _reached(bounds: Sequence[Bound], args: Args) -> frozenset[int]:
    return frozenset(i for i, bound in enumerate(bounds) if bound.reached_by(args))
