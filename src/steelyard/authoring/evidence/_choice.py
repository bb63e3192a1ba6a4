"""Choose inputs by what solutions do with them."""

import time
from collections.abc import Sequence

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._shown import Shown, extremes, most_news
from steelyard.authoring.evidence._tried import Tried
from steelyard.inputs import changed_inputs, make_inputs, pumped_inputs
from steelyard.schemas import AuthoredCase, Specification

__all__ = ["telling_inputs"]

_DRAWN = 5
"""Inputs that are made from the specification for each one that is chosen."""
_CHANGED, _CHANGED_LARGE = (40, 120), (10, 100)
"""Inputs that are made by changing others for each small one that is chosen, and for each large
one, at least and at most: they cost far less than those that are made anew."""
_COST_OF_CHANGES = 20_000_000
"""Steps of solutions and items of inputs, for more changes than the least: some 25 s."""
_MOST_S = 60.0
"""Time after which no further changes are tried, whatever they cost: a step may take very long."""
_LARGE_SHARE = 3
"""One in so many inputs that are chosen is a large one."""
_ROUNDS = 32
"""Rounds of changes, each of which starts from the best of all that were made before."""
_PARENTS = 100
_KEPT = 200
"""Inputs of the rounds so far that may be parents in the next one."""
_EXTREMES, _EXTREME_SHARE = 3, 0.4
"""Parents for each size that is to grow, and the share of changes that start from these."""
_OTHER_SEED = 1


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
    comparisons, loops and indexes, which of them follow each other, the kind of the answer, and
    which of its mutants give another one. The input with most news is taken, again and again; news
    is worth half as much each time it is seen, and less if the answer was seen before. Those with
    the largest answers, and those on which solutions take most steps, are taken first.

    The best inputs are also changed, in rounds, so that inputs come which are seldom made from a
    specification; and parts of the best small ones are repeated, which gives large ones.

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
    made = make_inputs(spec, seed=seed + _OTHER_SEED, count=_DRAWN * count)
    digests = {case.input.digest for case in known}
    tried = Tried(spec, solutions)
    before = tried.on(known)
    new = tried.on([case for case in made if case.input.digest not in digests])
    tried.leave_out_common([*before, *new])
    small = [each for each in (*before, *new) if not each.is_large]
    parents = [each.case.input for each in most_news((), small, count)]
    digests.update(each.digest for each in new)
    pumped = pumped_inputs(spec, parents, seed=seed, count=count)
    new += tried.on([case for case in pumped if case.input.digest not in digests])

    def chosen(are_large: bool, count: int) -> list[Shown]:
        """Return the best of the small or the large inputs, and of changes of these."""
        known, fresh = (
            [each for each in some if each.is_large is are_large] for some in (before, new)
        )
        least, most = _CHANGED_LARGE if are_large else _CHANGED
        changes = max(least * count, min(most * count, _affordable(fresh)))
        found = _with_changes(spec, tried, known, fresh, seed=seed, count=changes)
        taken = {each.digest for each in known}
        extreme = [each for each in extremes([*known, *found], 1) if each.digest not in taken]
        extreme = extreme[: count // 2]
        taken = {each.digest for each in extreme}
        rest = [each for each in found if each.digest not in taken]
        return [*extreme, *most_news([*known, *extreme], rest, count - len(extreme))]

    large = chosen(True, count // _LARGE_SHARE)
    return tuple(each.case for each in (*large, *chosen(False, count - len(large))))


def _affordable(made: Sequence[Shown]) -> int:
    """Return how many changes of such inputs may be tried."""
    mean = sum(each.cost for each in made) // max(1, len(made))
    return _COST_OF_CHANGES // max(1, mean)


def _with_changes(
    spec: Specification,
    tried: Tried,
    known: Sequence[Shown],
    new: Sequence[Shown],
    *,
    seed: int,
    count: int,
) -> list[Shown]:
    """Return the new inputs, and further ones which come from changes of the best of all."""
    every, latest = list(new), [*known, *new]
    digests = {each.digest for each in latest}
    best: list[Shown] = []
    extreme: list[Shown] = []
    each_round = max(count // _ROUNDS, min(count, 1))
    of_extreme = round(_EXTREME_SHARE * each_round)
    deadline = time.monotonic() + _MOST_S
    for number in range(_ROUNDS):
        if time.monotonic() > deadline:
            break
        best = most_news((), [*best, *latest], _KEPT)
        extreme = extremes([*extreme, *latest], _EXTREMES)
        found = [
            case
            for parents, wanted in (
                (best[:_PARENTS], each_round - of_extreme), (extreme, of_extreme)
            )
            for case in changed_inputs(
                spec, [each.case.input for each in parents], seed=seed + number, count=wanted
            )
        ]  # fmt: skip
        unseen = {case.input.digest: case for case in found if case.input.digest not in digests}
        digests.update(unseen)
        latest = tried.on([*unseen.values()])
        every += latest
    return every
