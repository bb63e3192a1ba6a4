"""Choose inputs by what solutions do with them."""

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pydantic import JsonValue

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._traces import traces
from steelyard.constraints import Validator
from steelyard.families import args_of
from steelyard.inputs import changed_inputs, make_inputs
from steelyard.schemas import AuthoredCase, Specification

__all__ = ["telling_inputs"]

_CANDIDATES = 20
"""Inputs that are made for each one that is chosen, and as many by changing others."""
_LARGE_SHARE = 8
"""One in so many inputs that are chosen is a large one."""
_CHANGED_SHARE = 3
"""One in so many small inputs that are chosen may be made by changing others."""
_ROUNDS = 8
"""Rounds of changes, each of which starts from the best of all that were made before."""
_PARENTS = 100
_OTHER_SEED = 1
_WORTH = 0.5
"""What a finding is worth compared with the time before."""

Args = tuple[JsonValue, ...]


def telling_inputs(
    spec: Specification,
    solutions: Sequence[Callee],
    known: Sequence[AuthoredCase],
    *,
    seed: int,
    count: int,
) -> tuple[AuthoredCase, ...]:
    """Return inputs on which solutions do what they seldom or never do on known ones.

    Far more inputs are made than are taken. Every solution runs on each, and notes its branches,
    comparisons, loops and indexes, which of them follow each other, and the kind of the answer. The
    input with most news is taken, again and again; news is worth half as much each time it is seen,
    and less if the answer was seen before. The inputs with most news are also changed, in rounds,
    so that inputs come which are seldom made from a specification.

    Args:
        spec: The specification.
        solutions: Trusted ones. Different ideas show more than one.
        known: The suite so far.
        seed: The inputs depend on it, on the specification, the solutions and the suite.
        count: Limit on the inputs.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
        InfrastructureError: if the machine failed.
    """
    made = make_inputs(spec, seed=seed + _OTHER_SEED, count=_CANDIDATES * count)
    digests = {case.input.digest for case in known}
    tried = _Tried(spec, solutions)
    before = tried.on(known)
    new = tried.on([case for case in made if case.input.digest not in digests])

    large = _chosen(
        [each for each in before if each.is_large],
        [each for each in new if each.is_large],
        count // _LARGE_SHARE,
    )
    before, new = ([each for each in some if not each.is_large] for some in (before, new))
    rest = count - len(large)
    small = _chosen(before, new, rest - rest // _CHANGED_SHARE)
    every = tried.with_changes(before, new, seed=seed, count=_CANDIDATES * count)
    taken = {each.case.input.digest for each in small}
    left = [each for each in every if each.case.input.digest not in taken]
    small += _chosen([*before, *small], left, rest - len(small))
    return tuple(each.case for each in (*large, *small))


@dataclass(frozen=True)
class Shown:
    """An input, and what solutions do with it."""

    case: AuthoredCase
    answer: int | None
    """The first solution's answer, in a number."""
    findings: frozenset[tuple[int, int]]
    """A solution's position, and a number for something that it did."""

    @property
    def is_large(self) -> bool:
        """True if the input is stored as an expression."""
        return self.case.input.args is None


@dataclass
class _Tried:
    """Runs solutions of a specification."""

    spec: Specification
    solutions: Sequence[Callee]

    def on(self, cases: Sequence[AuthoredCase]) -> list[Shown]:
        """Return what the solutions do with some inputs."""
        types = tuple(Validator.of(self.spec).types.values())
        inputs = [args_of(case.input) for case in cases]
        each = [traces(solution, types, inputs) for solution in self.solutions]
        return [
            Shown(
                case,
                each[0][at].answer if each else None,
                frozenset((i, n) for i, every in enumerate(each) for n in every[at].findings),
            )
            for at, case in enumerate(cases)
        ]

    def with_changes(
        self, known: Sequence[Shown], new: Sequence[Shown], *, seed: int, count: int
    ) -> list[Shown]:
        """Return the new inputs, and further ones which come from changes of the best."""
        every = list(new)
        digests = {each.case.input.digest for each in (*known, *new)}
        for number in range(_ROUNDS):
            best = _chosen(known, every, _PARENTS)
            inputs = [args_of(each.case.input) for each in best or known]
            found = changed_inputs(self.spec, inputs, seed=seed + number, count=count // _ROUNDS)
            unseen = [case for case in found if case.input.digest not in digests]
            digests.update(case.input.digest for case in unseen)
            every += self.on(unseen)
        return every


def _chosen(known: Sequence[Shown], candidates: Sequence[Shown], count: int) -> list[Shown]:
    return [candidates[at] for at in islice(by_news(known, candidates), count)]


def by_news(known: Sequence[Shown], candidates: Sequence[Shown]) -> Iterator[int]:
    """Yield positions: next is always the candidate with most news, then the earlier one.

    Args:
        known: Inputs that are already taken.
        candidates: Those to take.
    """
    seen = Counter(number for each in known for number in each.findings)
    answers = Counter(each.answer for each in known)

    def worth(position: int) -> float:
        each = candidates[position]
        news = sum(_WORTH ** seen[number] for number in each.findings)
        return news / (1 + answers[each.answer])

    # What an input is worth only falls, so the first one whose worth is up to date is the best.
    left = [(-worth(position), position) for position in range(len(candidates))]
    heapq.heapify(left)
    while left:
        _, position = heapq.heappop(left)
        now = -worth(position)
        if left and (now, position) > left[0]:
            heapq.heappush(left, (now, position))
            continue
        yield position
        seen.update(candidates[position].findings)
        answers[candidates[position].answer] += 1
