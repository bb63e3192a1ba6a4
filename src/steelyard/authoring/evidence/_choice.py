"""Choose inputs by what solutions do with them."""

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from pydantic import JsonValue

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._traces import traces
from steelyard.constraints import Validator
from steelyard.families import args_of
from steelyard.inputs import make_inputs
from steelyard.schemas import AuthoredCase, Specification

__all__ = ["telling_inputs"]

_CANDIDATES = 20
"""Inputs that are made for each one that is chosen."""
_LARGE_SHARE = 8
"""One in so many inputs that are chosen is a large one."""
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
    input with most news is taken, again and again; news is worth half as much each time it is seen.

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
    new = [case for case in made if case.input.digest not in digests]
    chosen: list[AuthoredCase] = []
    for large in (True, False):
        most = count // _LARGE_SHARE if large else count - len(chosen)
        if not most:
            continue
        some = [case for case in new if _is_large(case) == large]
        before = [case for case in known if _is_large(case) == large]
        findings = _findings(spec, solutions, [*before, *some])
        order = by_news(findings[: len(before)], findings[len(before) :])
        chosen += [some[position] for position in islice(order, most)]
    return tuple(chosen)


def _is_large(case: AuthoredCase) -> bool:
    return case.input.args is None


def _findings(
    spec: Specification, solutions: Sequence[Callee], cases: Sequence[AuthoredCase]
) -> list[frozenset[tuple[int, int]]]:
    """Return what the solutions did with each case: a solution's position, and a number."""
    types = tuple(Validator.of(spec).types.values())
    inputs = [args_of(case.input) for case in cases]
    each = [traces(solution, types, inputs) for solution in solutions]
    return [
        frozenset((position, number) for position, every in enumerate(each) for number in every[at])
        for at in range(len(inputs))
    ]


def by_news(
    known: Sequence[frozenset[tuple[int, int]]], findings: Sequence[frozenset[tuple[int, int]]]
) -> Iterator[int]:
    """Yield positions: next is always the one whose findings are the newest, then the earlier one.

    Args:
        known: Findings of inputs that are already taken.
        findings: Findings of the candidates.
    """
    seen = Counter(number for each in known for number in each)

    def worth(position: int) -> float:
        return sum(_WORTH ** seen[number] for number in findings[position])

    # What an input is worth only falls, so the first one whose worth is up to date is the best.
    left = [(-worth(position), position) for position in range(len(findings))]
    heapq.heapify(left)
    while left:
        _, position = heapq.heappop(left)
        now = -worth(position)
        if left and (now, position) > left[0]:
            heapq.heappush(left, (now, position))
            continue
        yield position
        seen.update(findings[position])
