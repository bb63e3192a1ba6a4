"""Choose inputs by what solutions do with them."""

import time
from collections.abc import Collection, Sequence

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._shown import Shown, extremes, heaviest, most_news
from steelyard.authoring.evidence._tried import Tried
from steelyard.inputs import (
    changed_inputs,
    dense_inputs,
    make_inputs,
    pumped_inputs,
    stretched_inputs,
)
from steelyard.schemas import AuthoredCase, CompactInput, Specification

__all__ = ["telling_inputs"]

_DRAWN = 5
"""Inputs that are made from the specification for each one that is chosen."""
_CHANGED, _CHANGED_LARGE = (40, 120), (3, 100)
"""Inputs that are made by changing others for each small one that is chosen, and for each large
one, at least and at most: they cost far less than those that are made anew."""
_CHANGED_BLOCKS = 50
"""Inputs of repeated blocks that are changed for each one that is chosen, at most."""
_COST_OF_CHANGES = 20_000_000
"""Steps of solutions and items of inputs, for more changes than the least: some 25 s."""
_MOST_S, _MOST_LARGE_S = 60.0, 30.0
"""Time after which no further changes are tried, whatever they cost: a step may take very long."""
_LARGE_SHARE = 3
"""One in so many inputs that are chosen is a large one."""
_BLOCKS_SHARE = 4
"""One in so many large inputs is made of repeated blocks."""
_DENSE_SHARE, _DENSE_TRIED = 20, 40
"""One in so many inputs that are chosen is a long list of few and small numbers; candidates for
each."""
_MIDDLING = 600
"""Items of a list or text with repeated parts while it is changed: it is stretched at the end."""
_ROUNDS = 32
"""Rounds of changes, each of which starts from the best of all that were made before."""
_PARENTS = 100
_KEPT = 200
"""Inputs of the rounds so far that may be parents in the next one."""
_EXTREMES, _HEAVIEST, _EXTREME_SHARE = 3, 20, 0.4
"""Parents for each size that is to grow, those that go through most, and the share of changes that
start from these."""
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
    specification. Of large ones those are best with which containers are long where they are used;
    parts of the best small ones are repeated, changed in rounds too, and stretched at the end. Some
    are long lists of few and small numbers.

    Args:
        spec: The specification.
        solutions: Trusted ones. Different ideas show more than one.
        known: The suite so far.
        seed: The inputs depend on it, on the specification, the solutions and the suite, and on how
            many rounds of changes there is time for.
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
    of_large = count // _LARGE_SHARE
    blocks = [
        case
        for case in _of_blocks(spec, tried, parents, seed=seed, count=of_large // _BLOCKS_SHARE)
        if case.input.digest not in digests
    ]
    digests.update(case.input.digest for case in blocks)
    dense = _dense(spec, tried, digests, seed=seed, count=count // _DENSE_SHARE)
    digests.update(case.input.digest for case in dense)

    def chosen(are_large: bool, count: int) -> list[AuthoredCase]:
        """Return the best of the small or the large inputs, and of changes of these."""
        known, fresh = (
            [each for each in some if each.is_large is are_large] for some in (before, new)
        )
        least, most = _CHANGED_LARGE if are_large else _CHANGED
        changes = max(least * count, min(most * count, _affordable(fresh)))
        found = _with_changes(
            spec, tried, known, fresh, seed=seed, count=changes, are_large=are_large
        )
        found = [each for each in found if each.digest not in digests]
        taken = {each.digest: each for each in known}
        ways = [(extremes, 1, count // (4 if are_large else 2))]
        if are_large:
            ways.append((heaviest, count, count // 3))
        for best_of, of_each, share in ways:
            best = best_of([*taken.values(), *found], of_each)
            best = [each for each in best if each.digest not in taken][:share]
            taken.update((each.digest, each) for each in best)
        extreme = [*taken.values()][len(known) :]
        rest = [each for each in found if each.digest not in taken]
        news = most_news([*taken.values()], rest, count - len(extreme))
        return [each.case for each in (*extreme, *news)]

    large = [*blocks, *dense, *chosen(True, of_large - len(blocks))]
    return (*large, *chosen(False, count - len(large)))


def _dense(
    spec: Specification, tried: Tried, digests: Collection[str], *, seed: int, count: int
) -> list[AuthoredCase]:
    """Return long lists of few and small numbers, those with most news, and no known ones.

    They are compared among themselves, since each shows more than many short ones do.
    """
    if not count:
        return []
    made = dense_inputs(spec, seed=seed, count=_DENSE_TRIED * count)
    new = [case for case in made if case.input.digest not in digests]
    return [each.case for each in most_news((), tried.on(new, as_large=True), count)]


def _of_blocks(
    spec: Specification,
    tried: Tried,
    parents: Sequence[CompactInput],
    *,
    seed: int,
    count: int,
) -> tuple[AuthoredCase, ...]:
    """Return large inputs of repeated blocks with which containers are long where they are used.

    Those of some hundred items are changed and compared, for they cost little.
    """
    if not count:
        return ()
    pumped = pumped_inputs(spec, parents, seed=seed, count=len(parents), most_items=_MIDDLING)
    middling = tried.on(pumped, as_large=True)
    changes = min(_CHANGED_BLOCKS * count, _affordable(middling))
    found = _with_changes(spec, tried, (), middling, seed=seed, count=changes, are_large=True)
    best = [each.case.input for each in heaviest(found, 2 * count)]  # some cannot be stretched
    return stretched_inputs(spec, best)[:count]


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
    are_large: bool,
) -> list[Shown]:
    """Return the new inputs, and further ones which come from changes of the best of all."""
    every, latest = list(new), [*known, *new]
    digests = {each.digest for each in latest}
    best: list[Shown] = []
    extreme: list[Shown] = []
    each_round = max(count // _ROUNDS, min(count, 2))
    of_extreme = round(_EXTREME_SHARE * each_round)
    deadline = time.monotonic() + (_MOST_LARGE_S if are_large else _MOST_S)
    for number in range(_ROUNDS):
        if time.monotonic() > deadline:
            break
        best = most_news((), [*best, *latest], _KEPT)
        pool = [*extreme, *latest]
        grown = [*extremes(pool, _EXTREMES), *(heaviest(pool, _HEAVIEST) if are_large else ())]
        extreme = [*{each.digest: each for each in grown}.values()]
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
        latest = tried.on([*unseen.values()], as_large=are_large)
        every += latest
    return every
