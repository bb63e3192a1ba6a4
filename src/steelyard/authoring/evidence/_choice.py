"""Choose inputs by what solutions do with them."""

from collections.abc import Iterable, Sequence

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._changes import BLOCKS, LARGE, SMALL, Effort, with_changes
from steelyard.authoring.evidence._shown import Shown, extremes, heaviest, most_news
from steelyard.authoring.evidence._tried import Tried
from steelyard.inputs import (
    MIDDLING,
    dense_inputs,
    make_inputs,
    ordered_inputs,
    pumped_inputs,
    stretched_inputs,
)
from steelyard.schemas import AuthoredCase, Specification

_DRAWN = 5
"""Inputs that are made from the specification for each one that is chosen."""
_LARGE_SHARE = 3
"""One in so many inputs that are chosen is a large one."""
_BLOCKS_SHARE = 4
"""One in so many large inputs is made of repeated blocks."""
_DENSE_SHARE, _DENSE_TRIED, _MORE_DENSE_TRIED = 20, 40, 4
"""One in so many inputs that are chosen is a long list of few and small numbers; candidates for
each, and for each further one."""
_FURTHER_BLOCKS, _FURTHER_DENSE = 20, 12
"""One in so many further inputs is made of repeated blocks, and one in so many is such a list."""
_EXTREME_SHARE, _EXTREME_SHARE_LARGE, _HEAVIEST_SHARE = 2, 4, 3
"""One in so many at most is an extreme, and of the large ones one on which containers are long."""
_OTHER_SEED = 1


def telling_inputs(
    spec: Specification,
    solutions: Sequence[Callee],
    known: Sequence[AuthoredCase],
    *,
    seed: int,
    count: int,
    further: int = 0,
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

    A wrong program that fails on 1 of 100 inputs is missed by half of the suites of 70, and further
    small inputs cost little: most of them are there already. So many may be taken. Some of them are
    long lists, and some large ones in blocks.

    Args:
        spec: The specification.
        solutions: Trusted ones. Different ideas show more than one.
        known: The suite so far.
        seed: The inputs depend on it, on the specification, the solutions and the suite, and on how
            many rounds of changes there is time for.
        count: Limit on the inputs, large ones among them.
        further: How many may be taken beyond these, most of them small.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
        InfrastructureError: if the machine failed.
    """
    made = make_inputs(spec, seed=seed + _OTHER_SEED, count=_DRAWN * count)
    choosing = _Choosing(spec, Tried(spec, solutions), known, made, seed)
    of_large = count // _LARGE_SHARE
    of_blocks, of_dense = of_large // _BLOCKS_SHARE, count // _DENSE_SHARE
    more_blocks, more_dense = further // _FURTHER_BLOCKS, further // _FURTHER_DENSE
    blocks = choosing.blocks(count, of_blocks, more_blocks)
    dense = choosing.dense(of_dense, more_dense)
    large = choosing.best(LARGE, of_large - min(len(blocks), of_blocks))
    found = [*blocks, *dense, *large]
    of_small = count - len(large) - min(len(blocks), of_blocks) - min(len(dense), of_dense)
    return (*found, *choosing.best(SMALL, of_small, count + further - len(found) - of_small))


class _Choosing:
    """Chooses among known and new inputs by what solutions do with them."""

    def __init__(
        self,
        spec: Specification,
        tried: Tried,
        known: Sequence[AuthoredCase],
        made: Sequence[AuthoredCase],
        seed: int,
    ) -> None:
        self._spec, self._tried, self._seed = spec, tried, seed
        self._digests = {case.input.digest for case in known}
        self._known = tried.on(known)
        self._new = tried.on(self._unknown(made))
        tried.leave_out_common([*self._known, *self._new])

    def blocks(self, parents: int, count: int, further: int) -> list[AuthoredCase]:
        """Return large inputs of repeated blocks, those with which used containers are long.

        Those of some hundred items are changed and compared, for they cost little.

        Args:
            parents: Number of small inputs of which parts are repeated, and of lists in an order.
            count: Limit on the inputs.
            further: How many may be taken beyond these.
        """
        wanted = count + further
        if not wanted:
            return []
        small = [each for each in (*self._known, *self._new) if not each.is_large]
        inputs = [each.case.input for each in most_news((), small, parents)]
        pumped = pumped_inputs(
            self._spec, inputs, seed=self._seed, count=len(inputs), most_items=MIDDLING
        )
        ordered = ordered_inputs(self._spec, seed=self._seed, count=parents)
        middling = self._tried.on([*pumped, *ordered], as_large=True)
        found = self._with_changes((), middling, BLOCKS, count, further)
        best = extremes(found, 1)[: wanted // _EXTREME_SHARE_LARGE]
        known = {each.digest for each in best}
        # Some cannot be stretched.
        best += [each for each in heaviest(found, 2 * wanted) if each.digest not in known]
        stretched = stretched_inputs(self._spec, [each.case.input for each in best], count=wanted)
        return self._taken(self._unknown(stretched))

    def dense(self, count: int, further: int) -> list[AuthoredCase]:
        """Return long lists of few and small numbers, those with most news.

        They are compared among themselves, since each shows more than many short ones do.

        Args:
            count: Limit on the inputs.
            further: How many may be taken beyond these.
        """
        wanted = count + further
        if not wanted:
            return []
        tried = _DENSE_TRIED * count + _MORE_DENSE_TRIED * further
        made = dense_inputs(self._spec, seed=self._seed, count=tried)
        shown = self._tried.on(self._unknown(made), as_large=True)
        return self._taken([each.case for each in most_news((), shown, wanted)])

    def best(self, effort: Effort, count: int, further: int = 0) -> list[AuthoredCase]:
        """Return the best of the small or the large inputs, and of changes of these.

        Args:
            effort: How many changes are tried, of which inputs.
            count: Limit on the inputs.
            further: How many may be taken beyond these.
        """
        known, new = (
            [each for each in some if each.is_large is effort.are_large]
            for some in (self._known, self._new)
        )
        found = self._with_changes(known, new, effort, count, further)
        found = [each for each in found if each.digest not in self._digests]
        taken = {each.digest: each for each in known}
        share = _EXTREME_SHARE_LARGE if effort.are_large else _EXTREME_SHARE
        ways = [(extremes, 1, count // share)]
        if effort.are_large:
            ways.append((heaviest, count, count // _HEAVIEST_SHARE))
        for best_of, of_each, most in ways:
            best = best_of([*taken.values(), *found], of_each)
            best = [each for each in best if each.digest not in taken][:most]
            taken.update((each.digest, each) for each in best)
        first = [*taken.values()][len(known) :]
        rest = [each for each in found if each.digest not in taken]
        news = most_news([*taken.values()], rest, count + further - len(first))
        return [each.case for each in (*first, *news)]

    def _with_changes(
        self,
        known: Sequence[Shown],
        new: Sequence[Shown],
        effort: Effort,
        count: int,
        further: int = 0,
    ) -> list[Shown]:
        return with_changes(
            self._spec,
            self._tried,
            known,
            new,
            effort,
            seed=self._seed,
            count=count,
            further=further,
        )

    def _unknown(self, cases: Iterable[AuthoredCase]) -> list[AuthoredCase]:
        return [case for case in cases if case.input.digest not in self._digests]

    def _taken(self, cases: list[AuthoredCase]) -> list[AuthoredCase]:
        self._digests.update(case.input.digest for case in cases)
        return cases
