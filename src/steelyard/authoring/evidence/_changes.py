"""Change inputs in rounds, each of which starts from the best of all that were made before."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.authoring.evidence._shown import Shown, extremes, heaviest, most_news
from steelyard.authoring.evidence._tried import Tried
from steelyard.inputs import changed_inputs
from steelyard.schemas import AuthoredCase, Specification

_COST_OF_CHANGES = 20_000_000
"""Steps of solutions and items of inputs, for more changes than the least: some 25 s."""
_ROUNDS = 32
"""Rounds at most."""
_PARENTS = 100
_KEPT = 200
"""Inputs of the rounds so far that may be parents in the next one."""
_EXTREMES, _HEAVIEST, _EXTREME_SHARE = 3, 20, 0.4
"""Parents for each size that is to grow, those that go through most, and the share of changes that
start from these."""


@dataclass(frozen=True)
class Effort:
    """A limit on changes of inputs, each of which costs far less than one that is made anew."""

    are_large: bool
    """No mutants run on them, and those are changed too with which containers are long."""
    least: int
    """Changes for each input that is chosen, whatever they cost."""
    most: int
    """Changes at most for each input that is chosen, if they are affordable."""
    further: int
    """Changes at most for each further input that may be taken beyond these."""
    seconds: float
    """Time after which no further round begins, whatever it costs: a step may take very long."""
    each_round: int = 2
    """Changes at least in a round. Mutants are loaded anew in each, which costs as much as some ten
    changes."""
    in_blocks: bool = False
    """They are made of blocks, which are stretched later."""


SMALL, LARGE = Effort(False, 40, 120, 8, 90.0, each_round=64), Effort(True, 3, 100, 0, 30.0)
BLOCKS = Effort(True, 0, 50, 10, 45.0, in_blocks=True)


def with_changes(
    spec: Specification,
    tried: Tried,
    known: Sequence[Shown],
    new: Sequence[Shown],
    effort: Effort,
    *,
    seed: int,
    count: int,
    further: int = 0,
) -> list[Shown]:
    """Return the new inputs, and further ones which come from changes of the best of all.

    Args:
        spec: The specification.
        tried: Shows what solutions do with them.
        known: The suite so far.
        new: Those to change too.
        effort: How many changes are tried.
        seed: The changes depend on it.
        count: Number of inputs that will be chosen from these.
        further: Number of those that may be taken beyond them.

    Raises:
        InfrastructureError: if the machine failed.
    """
    most = effort.most * count + effort.further * further
    changes = max(effort.least * count, min(most, _affordable(new)))
    every, latest = list(new), [*known, *new]
    digests = {each.digest for each in latest}
    best: list[Shown] = []
    extreme: list[Shown] = []
    rounds = max(1, min(_ROUNDS, changes // effort.each_round))
    each_round = changes // rounds
    of_extreme = round(_EXTREME_SHARE * each_round)
    deadline = time.monotonic() + effort.seconds
    for number in range(rounds):
        if time.monotonic() > deadline:
            break
        best = most_news((), [*best, *latest], _KEPT)
        extreme = _extreme([*extreme, *latest], effort)
        found = [
            case
            for parents, wanted in (
                (best[:_PARENTS], each_round - of_extreme),
                (extreme, of_extreme),
            )
            for case in changed_inputs(
                spec,
                [each.case.input for each in parents],
                seed=seed + number,
                count=wanted,
                in_blocks=effort.in_blocks,
            )
        ]
        unseen: dict[str, AuthoredCase] = {
            case.input.digest: case for case in found if case.input.digest not in digests
        }
        digests.update(unseen)
        latest = tried.on([*unseen.values()], as_large=effort.are_large)
        every += latest
    return every


def _extreme(pool: Sequence[Shown], effort: Effort) -> list[Shown]:
    """Return the inputs with which something grows, each once."""
    grown = extremes(pool, _EXTREMES)
    if effort.are_large:
        grown += heaviest(pool, _HEAVIEST)
    return [*{each.digest: each for each in grown}.values()]


def _affordable(made: Sequence[Shown]) -> int:
    """Return how many changes of such inputs may be tried."""
    mean = sum(each.cost for each in made) // max(1, len(made))
    return _COST_OF_CHANGES // max(1, mean)
